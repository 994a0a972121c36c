"""Of whom an access report is made."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from memory_core.contracts.erasure import Identifier, IdentifierKind, Subject


class PersonForm(forms.Form):
    """A person by an id, and by what else may name them."""

    owner = forms.CharField(label=_("Person id"), max_length=200, required=False)
    email = forms.CharField(label=_("E-mail address"), max_length=200, required=False)
    phone = forms.CharField(label=_("Telephone number"), max_length=50, required=False)

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or {}
        if not any(data.values()):
            raise ValidationError(_("Name the person by at least one identifier."))
        return data

    def subject(self) -> Subject:
        """Return the person, of a valid form."""
        data = self.cleaned_data
        others = [
            Identifier(kind, data[kind.value])
            for kind in (IdentifierKind.EMAIL, IdentifierKind.PHONE)
            if data[kind.value]
        ]
        owners = (data["owner"],) if data["owner"] else ()
        return Subject(owner_ids=owners, identifiers=tuple(others))
