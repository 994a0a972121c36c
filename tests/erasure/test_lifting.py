"""`manage.py erasure lift`: who comes back is let in by two people, on the record."""

import json

import pytest
from django.core.management import CommandError, call_command

from memory_core.actions import access
from memory_core.exceptions import OwnerErased
from memory_core.models import AuditEntry
from moderation.actions import team
from tests.erasure.conftest import BY, MAIL, PERSON, PHONE, begin, work

pytestmark = pytest.mark.django_db


@pytest.fixture
def erased(person):
    work(begin())
    access.forget_cached()


@pytest.fixture
def office(db):
    """Two people who may handle requests, by the names they sign in with."""
    for name in ("lin", "amara"):
        team.add_operator(username=name, role="compliance", by=BY)
    team.add_operator(username="mo", role="moderator", by=BY)


def lift(*more, by="lin", approve_by="amara"):
    call_command(
        "erasure", "lift", "--owner", PERSON, "--email", MAIL, "--phone", PHONE,
        "--reason", "came_back", "--by", by, "--approve-by", approve_by, *more,
    )  # fmt: skip


def test_two_people_let_a_person_in_again(erased, office, say, capsys):
    with pytest.raises(OwnerErased):
        say("Here I am again")
    lift("--json")
    assert json.loads(capsys.readouterr().out) == {"lifted": 3}
    assert say("Here I am again")
    entry = AuditEntry.objects.get(action="tombstone.lift")
    assert (entry.actor, entry.outcome) == ("operator:lin", "done")
    assert entry.details["reason"] == "came_back"
    assert entry.details["prepared_by"] != entry.details["approved_by"]
    assert PERSON not in str(entry.details)


@pytest.mark.parametrize(
    ("people", "refusal"),
    [
        ({"approve_by": "lin"}, "another person"),
        ({"approve_by": "mo"}, "may not handle requests"),
        ({"by": "nobody"}, "may not handle requests"),
    ],
)
def test_it_takes_two_people_with_the_right(erased, office, say, people, refusal):
    with pytest.raises(CommandError, match=refusal):
        lift(**people)
    with pytest.raises(OwnerErased):
        say("Here I am again")
    assert not AuditEntry.objects.filter(action="tombstone.lift").exists()


def test_who_was_not_erased_is_not_let_in(office):
    with pytest.raises(CommandError, match="No tombstone"):
        lift()
