"""What an operator types to tune a category."""

from django import forms
from django.utils.translation import gettext_lazy as _

from memory_core.contracts.categories import LONGEST, SHORTEST, Settings
from memory_core.models import Namespace

UNITS = {"hours": 1 / 24, "days": 1.0, "years": 365.0}
UNIT_NAMES = [("days", _("days")), ("hours", _("hours")), ("years", _("years"))]


class TuneForm(forms.Form):
    """Half-life as a number with its unit (days if none is sent), scores around it."""

    half_life = forms.FloatField(
        label=_("Half-life"),
        min_value=0,
        max_value=LONGEST / UNITS["hours"],
        widget=forms.NumberInput(attrs={"step": "any", "data-number": ""}),
    )
    unit = forms.ChoiceField(
        label=_("Unit"),
        choices=UNIT_NAMES,
        required=False,
        widget=forms.Select(attrs={"data-unit": ""}),
    )
    floor = forms.FloatField(
        label=_("Floor"),
        min_value=0,
        max_value=1,
        help_text=_("The score never falls below it."),
    )
    bonus_cap = forms.FloatField(
        label=_("Most that recalls may add"), min_value=0, max_value=1
    )
    archive_below = forms.FloatField(
        label=_("Threshold"),
        min_value=0,
        max_value=1,
        help_text=_("Below it a memory is not recalled, and archived later."),
    )
    note = forms.CharField(label=_("Why"), max_length=500, required=False)
    namespace = forms.CharField(required=False, widget=forms.HiddenInput)

    def clean(self) -> dict[str, object]:
        """Turn the half-life into days; an hour to ten years is allowed."""
        cleaned = self.cleaned_data
        if "half_life" in cleaned:
            cleaned["half_life"] *= UNITS[cleaned.get("unit") or "days"]
            if not SHORTEST - 1e-9 <= cleaned["half_life"] <= LONGEST:
                self.add_error("half_life", _("From an hour to ten years."))
            cleaned["half_life"] = max(SHORTEST, cleaned.get("half_life", 0))
        return cleaned

    def settings(self) -> Settings:
        """Return the values of a valid form."""
        names = ("half_life", "floor", "bonus_cap", "archive_below")
        return Settings(**{name: self.cleaned_data[name] for name in names})

    def where(self) -> Namespace | None:
        """Return the namespace that is meant, None for all."""
        name = self.cleaned_data.get("namespace")
        return Namespace.objects.filter(name=name).first() if name else None
