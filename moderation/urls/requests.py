"""Addresses of deletion requests, legal holds and access reports."""

from django.urls import path

from moderation.pages import access_report, holds, request, requests

urlpatterns = [
    path("requests/", requests.requests, name="requests"),
    path("requests/new/", requests.new, name="request-new"),
    path("requests/holds/", holds.holds, name="holds"),
    path("requests/holds/place/", holds.place, name="hold-place"),
    path("requests/holds/<int:hold_id>/release/", holds.release, name="hold-release"),
    path("requests/access/", access_report.page, name="access-report"),
    path("requests/access/file/", access_report.file, name="access-report-file"),
    path("requests/<slug:ref>/", request.detail, name="request"),
    path(
        "requests/<slug:ref>/letters/<int:letter_id>/",
        request.letter,
        name="request-letter",
    ),
    path("requests/<slug:ref>/<slug:verb>/", request.act, name="request-act"),
]
