"""What people type when somebody asks to be forgotten."""

from typing import Any

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from memory_core.contracts.erasure import Identifier, IdentifierKind
from moderation.actions.erasure_cases import Intake
from moderation.actions.erasure_decisions import LONGEST_COOL_OFF
from moderation.models import CaseRecipient, ErasureCase, Regime
from moderation.regimes import exceptions_of, grounds_of

MOST = 50
CHANNELS = [
    choice
    for choice in ErasureCase.Channel.choices
    if choice[0] not in (ErasureCase.Channel.AGENT, ErasureCase.Channel.COMMAND)
]


class Day(forms.DateField):
    """A day from the browser's calendar."""

    def __init__(self, **options: Any) -> None:
        attrs = {"type": "date"}
        super().__init__(
            widget=forms.DateInput(attrs=attrs, format="%Y-%m-%d"), **options
        )


class Lines(forms.CharField):
    """Several values, each on a line of its own; gives a list."""

    def __init__(self, **options: Any) -> None:
        super().__init__(
            widget=forms.Textarea(attrs={"rows": 2, "spellcheck": "false"}),
            required=False,
            max_length=20_000,
            **options,
        )

    def clean(self, value: Any) -> Any:
        text: str = super().clean(value)
        found = [line.strip() for line in text.splitlines() if line.strip()]
        if len(found) > MOST or any(len(one) > 200 for one in found):
            raise ValidationError(_("At most 50 lines of 200 characters."))
        return list(dict.fromkeys(found))


class NewRequestForm(forms.Form):
    """A request as it came: whom it is about, who asks, how and when."""

    owner = Lines(
        label=_("Person ids"), help_text=_("As agents name them; one a line.")
    )
    email = Lines(label=_("E-mail addresses"))
    phone = Lines(label=_("Telephone numbers"))
    name = Lines(
        label=_("Names"),
        help_text=_(
            "Searched for in other people's memories; they find no duplicates."
        ),
    )
    received_on = Day(label=_("Received on"))
    channel = forms.ChoiceField(label=_("Came by"), choices=CHANNELS)
    regime = forms.ChoiceField(label=_("Law"), choices=Regime.choices)
    language = forms.ChoiceField(
        label=_("Language of our letters"), choices=settings.LANGUAGES
    )
    requester = forms.ChoiceField(
        label=_("Who asks"), choices=ErasureCase.Requester.choices
    )
    asking = forms.CharField(
        label=_("Name of who asks"), max_length=200, required=False
    )
    contact = forms.CharField(
        label=_("Where we answer"),
        max_length=200,
        required=False,
        help_text=_("Address, e-mail or number; kept sealed."),
    )

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or {}
        if not any(data.get(kind.value) for kind in IdentifierKind):
            raise ValidationError(_("Name the person by at least one identifier."))
        return data

    def intake(self) -> Intake:
        """Return what the action takes, of a valid form."""
        data = self.cleaned_data
        return Intake(
            identifiers=tuple(
                Identifier(kind, value)
                for kind in IdentifierKind
                for value in data[kind.value]
            ),
            channel=data["channel"],
            regime=data["regime"],
            requester=data["requester"],
            language=data["language"],
            received_on=data["received_on"],
            name=data["asking"],
            contact=data["contact"],
        )


class IdentityForm(forms.Form):
    method = forms.ChoiceField(
        label=_("How we know"), choices=ErasureCase.IdentityMethod.choices
    )
    evidence = forms.CharField(
        label=_("What was shown"),
        required=False,
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_("In words, no copies. Deleted 30 days after the end."),
    )


class ProposalForm(forms.Form):
    """The ground on which everything is erased; its choices are those of the law."""

    ground = forms.ChoiceField(label=_("Ground"))
    cool_off_hours = forms.IntegerField(
        label=_("Hours to wait after approval"),
        min_value=0,
        max_value=LONGEST_COOL_OFF,
        initial=0,
        help_text=_("Until then it can be cancelled; 72 at most."),
    )

    def __init__(self, *args: Any, regime: str, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["ground"].choices = list(grounds_of(regime).items())  # type: ignore[attr-defined]


class RefusalForm(forms.Form):
    """The exception for which the request is refused, and the words for it."""

    ground = forms.ChoiceField(label=_("Exception"))
    reasons = forms.CharField(
        label=_("Reasons, for the person"),
        max_length=4000,
        widget=forms.Textarea(attrs={"rows": 3}),
    )

    def __init__(self, *args: Any, regime: str, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["ground"].choices = list(exceptions_of(regime).items())  # type: ignore[attr-defined]


class CodeForm(forms.Form):
    code = forms.CharField(
        label=_("Type the code of the request"),
        max_length=20,
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )


class ExtensionForm(forms.Form):
    reason = forms.ChoiceField(
        label=_("Reason"), choices=ErasureCase.ExtensionReason.choices
    )
    told_on = Day(label=_("The person was told on"))


class DuplicateForm(forms.Form):
    of = forms.CharField(max_length=12)


class RemarkForm(forms.Form):
    text = forms.CharField(
        label=_("Note"), max_length=2000, widget=forms.Textarea(attrs={"rows": 2})
    )


class LetterForm(forms.Form):
    """A letter's words; with `sent_on` it is marked as sent on that day."""

    text = forms.CharField(
        label=_("Text"),
        max_length=20_000,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 16}),
    )
    sent_on = Day(
        label=_("Sent on"),
        required=False,
        help_text=_("Empty: only the words are kept."),
    )

    def __init__(self, *args: Any, language: str, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["text"].widget.attrs["lang"] = language


class RecipientForm(forms.Form):
    """What became of telling a recipient; a new one has a name."""

    recipient = forms.IntegerField(required=False, min_value=1)
    name = forms.CharField(label=_("Name"), required=False, max_length=150)
    result = forms.ChoiceField(
        label=_("Result"),
        required=False,
        choices=[("", "–"), *CaseRecipient.Result.choices],
    )
    told_on = Day(label=_("Told on"), required=False)
