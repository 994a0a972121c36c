"""No field of any model can hold a person's data without somebody who erases it."""

import pytest
from django.apps import apps
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.test.utils import isolate_apps

from memory_core import erasers
from memory_core.erasure import coverage
from memory_core.models import Owner


def test_every_field_that_can_hold_personal_data_has_an_eraser_or_a_reason():
    found = list(coverage.uncovered(apps.get_models(include_auto_created=True)))
    assert found == []


def test_every_exception_is_about_a_field_that_exists():
    there = {
        place
        for model in apps.get_models(include_auto_created=True)
        for place in (
            f"{model._meta.label_lower}.*",
            *(f"{model._meta.label_lower}.{f.name}" for f in model._meta.fields),
        )
    }
    named = {place for one in erasers.registered() for place in one.covers}
    assert (coverage.OUTSIDE.keys() | named) - there == set()
    assert coverage.OTHER_APPS.keys() <= {one.label for one in apps.get_app_configs()}


@pytest.mark.parametrize(
    "field",
    [
        models.TextField(),
        models.CharField(max_length=20),
        models.JSONField(),
        models.BinaryField(),
        ArrayField(models.TextField()),
        models.ForeignKey(Owner, on_delete=models.CASCADE, related_name="+"),
    ],
    ids=lambda field: type(field).__name__,
)
@isolate_apps("memory_core")
def test_a_new_field_without_an_eraser_is_found(field):
    class Diary(models.Model):
        class Meta:
            app_label = "memory_core"

        def __str__(self) -> str:
            return "diary"

    field.contribute_to_class(Diary, "entry")
    assert list(coverage.uncovered([Diary])) == ["memory_core.diary.entry"]


def test_codes_from_a_list_and_numbers_are_not_personal():
    code = models.CharField(max_length=9, choices=[("a", "A")])
    code.set_attributes_from_name("code")
    number = models.IntegerField()
    number.set_attributes_from_name("number")
    assert not coverage.may_be_personal(code)
    assert not coverage.may_be_personal(number)


def test_a_store_has_one_eraser():
    class Second:
        store = "memories"

    with pytest.raises(ValueError, match="memories"):
        erasers.register(Second())
