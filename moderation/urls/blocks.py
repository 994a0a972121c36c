"""Addresses of blocks, and of the jobs that move what was written."""

from django.urls import path

from moderation.pages import blocks

urlpatterns = [
    path("blocks/<slug:kind>/<int:pk>/", blocks.block, name="block"),
    path("blocks/<slug:kind>/<int:pk>/place/", blocks.place, name="block-place"),
    path("blocks/<slug:kind>/<int:pk>/lift/", blocks.lift, name="block-lift"),
    path("blocks/source/<int:pk>/host/", blocks.host, name="block-host"),
    path(
        "blocks/<slug:kind>/<int:pk>/<slug:verb>/",
        blocks.withdraw,
        name="block-withdraw",
    ),
    path("withdrawals/<uuid:job_id>/", blocks.withdrawal, name="withdrawal"),
    path("withdrawals/<uuid:job_id>/cancel/", blocks.cancel, name="withdrawal-cancel"),
    path(
        "withdrawals/<uuid:job_id>/give-back/",
        blocks.give_back,
        name="withdrawal-undo",
    ),
]
