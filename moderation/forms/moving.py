"""What an operator types to move memories in and out."""

from datetime import UTC, datetime
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from memory_core import foreign_json
from memory_core.models import Namespace
from memory_core.snapshots.foreign import MAPPED, SYSTEMS, Said
from moderation.presenters.names import SYSTEM_NAMES


def _spaces(empty: str) -> list[tuple[str, str]]:
    names = Namespace.objects.order_by("name").values_list("name", flat=True)
    return [("", empty), *((name, name) for name in names)]


class UploadForm(forms.Form):
    file = forms.FileField(
        label=_("File"),
        help_text=_("An export of this or another system, as JSON, CSV or YAML."),
    )


class DescriptionForm(forms.Form):
    """What a file is; what it does not say itself is said here, nothing is guessed."""

    system = forms.ChoiceField(label=_("Where it comes from"))
    namespace = forms.ChoiceField(label=_("Namespace"), required=False)
    owner_id = forms.CharField(
        label=_("Person"),
        required=False,
        max_length=200,
        help_text=_("For records that name nobody."),
    )
    zone = forms.CharField(
        label=_("Time zone"),
        required=False,
        max_length=60,
        help_text=_("For times without an offset: +08:00, Asia/Shanghai."),
    )
    moment = forms.DateField(
        label=_("Date of the file"),
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}),
        help_text=_("For records without any time. Empty: today."),
    )
    encoding = forms.CharField(
        label=_("Encoding"),
        required=False,
        max_length=30,
        help_text=_("If it is not UTF-8: gb18030, latin-1."),
    )
    age = forms.ChoiceField(
        label=_("Age"),
        choices=[
            ("touch", _("fresh from today on, unless the file tells of its use")),
            ("keep", _("as old as it is")),
        ],
    )
    mapping = forms.CharField(
        label=_("Mapping"),
        required=False,
        max_length=20_000,
        widget=forms.Textarea(attrs={"rows": 8, "spellcheck": "false"}),
        help_text=_("For CSV, YAML and plain JSON: which column is what."),
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["system"].choices = [  # type: ignore[attr-defined]
            (one, SYSTEM_NAMES.get(one, one)) for one in SYSTEMS
        ]
        self.fields["namespace"].choices = _spaces(  # type: ignore[attr-defined]
            gettext("as the file says (own exports only)")
        )

    def clean_mapping(self) -> dict[str, Any] | None:
        """Return the mapping as an object."""
        text = self.cleaned_data["mapping"].strip()
        if not text or self.cleaned_data.get("system") not in MAPPED:
            return None
        try:
            mapping = foreign_json.loads(text)
        except ValueError as error:
            raise forms.ValidationError(
                gettext("This is not JSON: %(error)s") % {"error": error}
            ) from None
        if not isinstance(mapping, dict):
            raise forms.ValidationError(gettext("A JSON object is meant."))
        return mapping

    def said(self) -> Said:
        """Return what was said about the file."""
        values = self.cleaned_data
        day = values["moment"] or timezone.now().date()
        return Said(
            system=values["system"],
            moment=datetime(day.year, day.month, day.day, tzinfo=UTC),
            owner_id=values["owner_id"],
            zone=values["zone"],
            encoding=values["encoding"],
            mapping=values["mapping"],
        )


class ExportForm(forms.Form):
    """What is to be in an export."""

    namespace = forms.ChoiceField(label=_("Namespace"), required=False)
    owner_id = forms.CharField(
        label=_("Person"),
        required=False,
        max_length=200,
        help_text=_("Empty: everybody."),
    )
    with_vectors = forms.BooleanField(
        label=_("With vectors"),
        required=False,
        help_text=_("Eight times as large; spares the same model the work."),
    )
    ascii_only = forms.BooleanField(
        label=_("ASCII only"),
        required=False,
        help_text=_("Everything else is escaped."),
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["namespace"].choices = _spaces(  # type: ignore[attr-defined]
            gettext("all namespaces")
        )
