"""What a reviewer sends."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from moderation.actions.deferring import Span
from moderation.actions.reviews import APPROVING, REJECTING, Reason
from moderation.models import ReviewCase

FITTING = {"approve": APPROVING, "reject": REJECTING}


class DecisionForm(forms.Form):
    """A decision on the exact text that was seen, with a reason that fits it.

    `content` holds other words in which a memory is approved, empty for the same.
    Handing on takes a note for the lead, putting off a span of time.
    """

    verb = forms.ChoiceField(
        choices=[
            (verb, verb)
            for verb in ("approve", "reject", "escalate", "snooze", "claim", "release")
        ]
    )
    version = forms.IntegerField(min_value=1, widget=forms.HiddenInput)
    digest = forms.CharField(max_length=64, widget=forms.HiddenInput)
    reason = forms.ChoiceField(
        choices=[*Reason.choices, *ReviewCase.Why.choices],
        required=False,
        label=_("Reason"),
    )
    note = forms.CharField(max_length=2000, required=False)
    span = forms.ChoiceField(choices=Span.choices, required=False)
    content = forms.CharField(max_length=8000, required=False, strip=True)

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or {}
        verb = data.get("verb", "")
        fitting = tuple(ReviewCase.Why) if verb == "escalate" else FITTING.get(verb)
        if fitting and data.get("reason") not in fitting:
            raise ValidationError(_("Choose a reason that fits the decision."))
        if verb == "escalate" and not data.get("note"):
            raise ValidationError(_("Tell the lead in a note what to look at."))
        return data


class NoteForm(forms.Form):
    text = forms.CharField(
        label=_("Note"),
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 3, "data-key": "n"}),
    )
