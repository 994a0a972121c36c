"""What an operator chooses to change the embedding model."""

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from memory_core.contracts.enums import VectorSpaceState
from memory_core.embedding.registry import BUNDLED
from memory_core.models import EmbeddingModel


class ChangeForm(forms.Form):
    """A bundled model, the one of the configuration, or one that was used before."""

    model = forms.ChoiceField(label=_("Model"))
    hold = forms.BooleanField(
        label=_("Wait for me before answers come from it"), required=False
    )

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        spaces = dict(EmbeddingModel.objects.values_list("name", "state"))
        offered = dict.fromkeys([*BUNDLED, settings.EMBEDDER, *spaces])
        names = [n for n in offered if spaces.get(n) != VectorSpaceState.ACTIVE]
        self.fields["model"].choices = [(n, n) for n in names]  # type: ignore[attr-defined]
