"""The two front doors: agents under /v1, people everywhere else."""

from django.urls import include, path

urlpatterns = [
    path("", include(("api.urls", "api"))),
    path("", include("moderation.urls")),
]
