"""What an auditor looks for."""

from django import forms
from django.utils.translation import gettext_lazy as _


class AuditForm(forms.Form):
    """Filters; the person's id is digested on arrival and kept nowhere."""

    action = forms.CharField(label=_("Action begins with"), required=False)
    actor = forms.CharField(label=_("Actor"), required=False)
    outcome = forms.ChoiceField(
        label=_("Outcome"),
        required=False,
        choices=[
            ("", _("all")),
            ("done", _("done")),
            ("refused", _("refused")),
            ("denied", _("denied")),
        ],
    )
    memory_id = forms.UUIDField(label=_("Memory"), required=False)
    request_id = forms.CharField(label=_("Request"), required=False)


class PersonForm(forms.Form):
    owner = forms.CharField(label=_("Person"), max_length=200)
