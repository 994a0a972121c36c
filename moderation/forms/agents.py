"""What an admin types to register agents and hand out tokens."""

from django import forms
from django.utils.translation import gettext_lazy as _

from moderation.presenters.names import SCOPES


class AgentForm(forms.Form):
    name = forms.SlugField(label=_("Name of the agent"), max_length=90)


class GrantForm(forms.Form):
    """A right in a shared namespace."""

    namespace = forms.CharField(label=_("Namespace"), max_length=100)
    rights = forms.ChoiceField(
        label=_("Rights"),
        choices=[
            ("r", _("read")),
            ("w", _("write")),
            ("rw", _("read and write")),
            ("", _("none: take the grant away")),
        ],
        required=False,
    )


class TokenForm(forms.Form):
    """A new token; what it may do is told scope by scope."""

    scopes = forms.MultipleChoiceField(
        label=_("Scopes"),
        choices=[(name, text) for name, text in SCOPES.items()],
        widget=forms.CheckboxSelectMultiple,
    )
    owner_claim = forms.CharField(
        label=_("Bound to person"),
        required=False,
        max_length=200,
        help_text=_("An exact id, or a beginning that ends with *. Empty: anybody."),
    )
    days = forms.IntegerField(
        label=_("Valid for days"),
        initial=90,
        required=False,
        min_value=1,
        max_value=3650,
        help_text=_("Empty: until it is revoked."),
    )
    rate = forms.IntegerField(
        label=_("Requests a second"), initial=100, min_value=1, max_value=100_000
    )
