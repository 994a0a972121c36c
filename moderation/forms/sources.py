"""What people say when they block or trust a source."""

from typing import Any

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from memory_core.consolidation import purging
from memory_core.contracts.enums import Trust
from moderation.actions.withdrawals import HOLD, TAKE_AWAY
from moderation.presenters.names import BLOCK_REASONS

NOTHING = "nothing"


def fates() -> list[tuple[str, str]]:
    """Return what may become of what a blocked one wrote."""
    deleted = gettext("leaves recall and is deleted after %(days)d days")
    return [
        (NOTHING, gettext("stays as it is")),
        (HOLD, gettext("leaves recall and waits for review")),
        (TAKE_AWAY, deleted % {"days": purging.REJECTED_KEPT.days}),
    ]


class BlockForm(forms.Form):
    """A block; the reason is a code, the rest says how far it goes."""

    reason = forms.ChoiceField(label=_("Reason"), choices=BLOCK_REASONS)
    after = forms.ChoiceField(
        label=_("What it wrote before"),
        choices=fates,
        initial=NOTHING,
        widget=forms.RadioSelect,
    )
    typed = forms.IntegerField(
        label=_("Number of memories that are taken away, to confirm"), required=False
    )
    until = forms.DateTimeField(
        label=_("Until"),
        required=False,
        help_text=_("Empty: until somebody lifts it."),
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}),
    )

    def __init__(self, *args: Any, number: int, **options: Any) -> None:
        """Take the number of memories that a purge would take away."""
        super().__init__(*args, **options)
        self._number = number

    def clean(self) -> dict[str, Any]:
        """Ask for the number if memories are taken away."""
        data: dict[str, Any] = super().clean() or {}
        if data.get("after") == TAKE_AWAY and data.get("typed") != self._number:
            self.add_error("typed", _("Type the number of memories to confirm."))
        return data


class PurgeForm(forms.Form):
    """The number of memories that are taken away, typed."""

    typed = forms.IntegerField(min_value=1)

    def __init__(self, *args: Any, number: int, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["typed"].validators.append(MaxValueValidator(number))
        self.fields["typed"].validators.append(MinValueValidator(number))


class TrustForm(forms.Form):
    trust = forms.ChoiceField(label=_("Trust"), choices=Trust.choices)
