"""Pages for anybody: certificates, and the address of the restore page."""

from django.urls import path
from django.views.generic import RedirectView

from moderation.pages import certificates

urlpatterns = [
    path("certificates/key", certificates.key, name="certificate-key"),
    path(
        "certificates/<uuid:certificate_id>",
        certificates.certificate,
        name="certificate",
    ),
    path(
        "certificates/<uuid:certificate_id>.json",
        certificates.document,
        name="certificate-json",
    ),
    # In restore mode the middleware answers here.
    path("restore/", RedirectView.as_view(url="/"), name="restore"),
]
