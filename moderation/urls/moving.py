"""Copies outside the database, moving in and moving out."""

from django.urls import path

from moderation.pages import copies, exports, moving

urlpatterns = [
    path("copies/", copies.copies, name="copies"),
    path("copies/take/", copies.take, name="copy-take"),
    path("copies/<uuid:copy_id>/verify/", copies.verify, name="copy-verify"),
    path("moving/", moving.moving, name="moving"),
    path("moving/upload/", moving.upload, name="moving-upload"),
    path("moving/in/<uuid:job_id>/", moving.moving_in, name="moving-in"),
    path("moving/in/<uuid:job_id>/describe/", moving.describe, name="moving-describe"),
    path("moving/in/<uuid:job_id>/begin/", moving.begin, name="moving-begin"),
    path("moving/in/<uuid:job_id>/give-up/", moving.give_up, name="moving-give-up"),
    path(
        "moving/in/<uuid:job_id>/quarantine/",
        moving.quarantine,
        name="moving-quarantine",
    ),
    path("moving/export/", exports.order, name="moving-export"),
    path("moving/out/<uuid:job_id>/", exports.moving_out, name="moving-out"),
    path("moving/out/<uuid:job_id>/file/", exports.download, name="moving-file"),
]
