"""The roles of people at the console, kept as groups of the same name."""

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _


class Role(TextChoices):
    MODERATOR = "moderator", _("Moderator")
    LEAD = "lead", _("Lead")
    OPERATOR = "operator", _("Operator")
    COMPLIANCE = "compliance", _("Compliance")
    AUDITOR = "auditor", _("Auditor")
    ADMIN = "admin", _("Admin")
