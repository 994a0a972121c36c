"""Whose writes are taken back, and from when on."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _


class UndoForm(forms.Form):
    """A source by its row id or a token by its prefix, one of the two."""

    source = forms.IntegerField(
        required=False, min_value=1, widget=forms.HiddenInput, initial=None
    )
    token_prefix = forms.CharField(
        required=False, max_length=20, widget=forms.HiddenInput
    )
    since = forms.DateTimeField(
        label=_("Since (UTC)"),
        widget=forms.DateTimeInput(
            attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"
        ),
    )

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or {}
        if bool(data.get("source")) == bool(data.get("token_prefix")):
            raise ValidationError(_("Name either a token or a source."))
        return data

    def asked(self) -> dict[str, Any]:
        """Return what the undoing takes, of a valid form."""
        return self.cleaned_data | {"source": self.cleaned_data["source"] or 0}
