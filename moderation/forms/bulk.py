"""Several memories decided at once, each as it was seen."""

from typing import Any
from uuid import UUID

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from moderation.actions.bulk import Seen
from moderation.actions.reviews import DECISIONS, Reason
from moderation.forms.reviews import FITTING

MOST = 50  # one page of the queue


class BulkForm(forms.Form):
    """The selection; a verb and a reason that fits it once the preview was seen."""

    verb = forms.ChoiceField(choices=[(verb, "") for verb in DECISIONS], required=False)
    reason = forms.ChoiceField(choices=Reason.choices, required=False)

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or {}
        sent = self.data.getlist("item")[: MOST + 1]  # type: ignore[attr-defined]
        data["items"] = [seen for text in sent if (seen := _seen(text))]
        if not data["items"] or len(data["items"]) > MOST:
            raise ValidationError(_("Select between 1 and 50 memories."))
        verb = data.get("verb")
        if verb and data.get("reason") not in FITTING[verb]:
            raise ValidationError(_("Choose a reason that fits the decision."))
        return data


def _seen(text: str) -> Seen | None:
    try:
        memory_id, version, digest = text.split(".")
        return Seen(UUID(memory_id), int(version), digest)
    except ValueError:
        return None
