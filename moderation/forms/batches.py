"""A whole view of the queue, decided at once."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from memory_core.contracts.enums import SourceKind
from moderation.actions.reviews import Reason
from moderation.forms.reviews import FITTING
from moderation.waiting import VIEWS, Chosen

TYPED_ABOVE = 100
"""So many are decided at once without typing their number."""


class ChosenForm(forms.Form):
    """What narrows the queue; what does not fit is left out."""

    view = forms.ChoiceField(choices=[(one, one) for one in VIEWS], required=False)
    namespace = forms.CharField(required=False, max_length=100)
    kind = forms.ChoiceField(choices=SourceKind.choices, required=False)
    source = forms.IntegerField(required=False, min_value=1)
    reason = forms.CharField(required=False, max_length=100)
    words = forms.RegexField(r"^[0-9a-f]{64}$", required=False)

    def chosen(self) -> Chosen:
        """Return the view and those filters that fit."""
        self.is_valid()
        fitting = {name: value for name, value in self.cleaned_data.items() if value}
        return Chosen(**fitting)


class BatchForm(forms.Form):
    """A decision on a selection: how many were seen when, and the number typed."""

    verb = forms.ChoiceField(choices=[(one, one) for one in FITTING])
    why = forms.ChoiceField(choices=Reason.choices, required=False)
    as_of = forms.DateTimeField(widget=forms.HiddenInput)
    number = forms.IntegerField(min_value=1, widget=forms.HiddenInput)
    typed = forms.IntegerField(required=False)

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or {}
        if data.get("why") not in FITTING.get(data.get("verb", ""), ()):
            raise ValidationError(_("Choose a reason that fits the decision."))
        number = data.get("number", 0)
        if number > TYPED_ABOVE and data.get("typed") != number:
            raise ValidationError(_("Type the number of memories to confirm."))
        return data
