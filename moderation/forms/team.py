"""What an admin types about people and policies."""

from django import forms
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.utils.translation import gettext_lazy as _

from memory_core.contracts.enums import (
    AgentReview,
    HoldInferences,
    SecondReview,
    Secrets,
)
from moderation.roles import Role


class OperatorForm(forms.Form):
    username = forms.CharField(
        label=_("User name"), max_length=150, validators=[UnicodeUsernameValidator()]
    )
    role = forms.ChoiceField(label=_("Role"), choices=Role.choices)


class PolicyForm(forms.Form):
    """Which inferences wait before they are recalled, and what becomes of secrets."""

    hold_inferences = forms.ChoiceField(label=_("Hold"), choices=HoldInferences.choices)
    review_share = forms.FloatField(label=_("Share"), min_value=0, max_value=1)
    agent_review = forms.ChoiceField(
        label=_("Reviewer agents may"), choices=AgentReview.choices
    )
    secrets = forms.ChoiceField(
        label=_("Keys and passwords"),
        choices=[("", _("as everywhere")), *Secrets.choices],
        required=False,
    )
    second_review = forms.MultipleChoiceField(
        label=_("Two people must agree"),
        choices=SecondReview.choices,
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    note = forms.CharField(label=_("Why"), max_length=500, required=False)
