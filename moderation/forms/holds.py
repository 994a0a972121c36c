"""What must be kept for now."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from moderation.regimes import HOLD_REASONS


class HoldForm(forms.Form):
    """A hold over one person, one namespace or one memory."""

    owner_id = forms.CharField(label=_("Person"), max_length=200, required=False)
    namespace = forms.CharField(label=_("Namespace"), max_length=100, required=False)
    memory_id = forms.UUIDField(label=_("Memory"), required=False)
    reason = forms.ChoiceField(label=_("Reason"), choices=list(HOLD_REASONS))
    expires_at = forms.DateTimeField(
        label=_("Until (UTC)"),
        required=False,
        help_text=_("Empty: until it is released."),
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}),
    )

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or {}
        named = [data.get(name) for name in ("owner_id", "namespace", "memory_id")]
        if sum(bool(one) for one in named) != 1:
            raise ValidationError(_("Name one person, one namespace or one memory."))
        return data


class ReleaseForm(forms.Form):
    reason = forms.ChoiceField(
        label=_("Why it ends"),
        choices=[
            ("settled", _("the reason is gone")),
            ("mistake", _("it was placed by mistake")),
        ],
    )
