"""What people type to find and change memories."""

from django import forms
from django.utils.translation import gettext_lazy as _

from memory_core.contracts.enums import SourceKind, Status
from memory_core.models import Agent, Category, Namespace
from moderation.presenters.names import named

ALL = ("", _("all"))


class BrowseForm(forms.Form):
    """Exact filters; the text filter looks for the very words."""

    owner = forms.CharField(label=_("Person"), required=False, max_length=200)
    status = forms.TypedChoiceField(
        label=_("State"), required=False, coerce=int, choices=[ALL, *Status.choices]
    )
    category = forms.ChoiceField(label=_("Category"), required=False)
    namespace = forms.ChoiceField(label=_("Namespace"), required=False)
    kind = forms.ChoiceField(
        label=_("Source"), required=False, choices=[ALL, *SourceKind.choices]
    )
    text = forms.CharField(
        label=_("Text contains"),
        required=False,
        max_length=200,
        widget=forms.TextInput(attrs={"data-search": ""}),
    )
    source = forms.IntegerField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        _offer(self.fields["category"], _categories())
        _offer(
            self.fields["namespace"],
            Namespace.objects.order_by("name").values_list("name", "name"),
        )


class RecallForm(forms.Form):
    """A question as an agent would ask it."""

    agent = forms.ChoiceField(label=_("As agent"))
    owner = forms.CharField(label=_("About person"), max_length=200)
    query = forms.CharField(label=_("Question"), max_length=1000)
    as_of = forms.DateTimeField(
        label=_("As of"),
        required=False,
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}),
    )

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        names = Agent.objects.order_by("name").values_list("name", "name")
        self.fields["agent"].choices = list(names)  # type: ignore[attr-defined]


class EditForm(forms.Form):
    """Other words or fields for a memory; `version` is the one that was seen."""

    content = forms.CharField(
        label=_("Text"), max_length=8000, widget=forms.Textarea(attrs={"rows": 5})
    )
    category = forms.ChoiceField(label=_("Category"))
    version = forms.IntegerField(widget=forms.HiddenInput)

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        self.fields["category"].choices = _categories()  # type: ignore[attr-defined]


def _categories() -> list[tuple[str, object]]:
    rows = Category.objects.order_by("pk").values_list("name", flat=True)
    return [(name, named(name, "category")) for name in rows]


def _offer(field: forms.Field, values: object) -> None:
    field.choices = [ALL, *values]  # type: ignore[attr-defined, misc]
