import pytest
from django.db import transaction

from memory_core import digests
from memory_core.contracts.erasure import Holds, Subject
from memory_core.erasure.stores.identity import DataKeys
from memory_core.keys import data
from memory_core.models import AuditEntry

pytestmark = pytest.mark.django_db
SUBJECT = Subject(("ming", "never-sealed"))


def destroy():
    with transaction.atomic():
        return DataKeys().erase(SUBJECT, Holds())


def test_a_destroyed_key_is_on_the_record_by_its_id_once():
    kid = data.data_key(data.of_owner("ming")).kid
    assert destroy().erased == 1
    assert destroy().erased == 0
    entry = AuditEntry.objects.get(action="erasure.destroy_key")
    assert entry.details["key"] == kid
    assert bytes(entry.owner_digest) == digests.of_owner("ming")


def test_nobody_of_them_gets_a_key_again():
    destroy()
    for owner in SUBJECT.owner_ids:
        assert data.is_destroyed(data.of_owner(owner))
