"""What an operator types to have memories consolidated or conversations read again."""

from django import forms
from django.utils.translation import gettext_lazy as _

from memory_core.encoding.engine import KEPT
from memory_core.models import Namespace

EVERYWHERE = ("", _("all"))


def _spaces() -> list[tuple[str, object]]:
    names = Namespace.objects.order_by("name").values_list("name", flat=True)
    return [EVERYWHERE, *((name, name) for name in names)]


class RunForm(forms.Form):
    """Where to consolidate, and whether only to tell what would be done."""

    namespace = forms.ChoiceField(label=_("Namespace"), required=False, choices=_spaces)
    dry_run = forms.BooleanField(
        label=_("Only tell what would be done"), required=False, initial=True
    )


class AgainForm(forms.Form):
    """How far back kept conversations are read once more."""

    days = forms.IntegerField(
        label=_("Said in the last days"),
        min_value=1,
        max_value=KEPT.days,
        initial=1,
    )
    namespace = forms.ChoiceField(label=_("Namespace"), required=False, choices=_spaces)
