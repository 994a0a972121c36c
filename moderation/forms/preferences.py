"""How the console looks."""

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _


class PreferencesForm(forms.Form):
    """An empty choice follows the browser."""

    language = forms.ChoiceField(
        label=_("Language"),
        required=False,
        choices=[("", _("as the browser says")), *settings.LANGUAGES],
    )
    theme = forms.ChoiceField(
        label=_("Theme"),
        required=False,
        choices=[
            ("", _("as the system says")),
            ("light", _("light")),
            ("dark", _("dark")),
        ],
    )
    contrast = forms.ChoiceField(
        label=_("Contrast"),
        required=False,
        choices=[("", _("normal")), ("more", _("more"))],
    )
    density = forms.ChoiceField(
        label=_("Density"),
        required=False,
        choices=[("", _("comfortable")), ("compact", _("compact"))],
    )
    keys = forms.ChoiceField(
        label=_("Single-key shortcuts"),
        required=False,
        choices=[("", _("on")), ("off", _("off"))],
    )
