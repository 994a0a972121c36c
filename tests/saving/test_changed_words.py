"""A changed memory is judged like a new statement: against what stands beside it."""

import pytest

from memory_core.actions import changes
from memory_core.contracts.enums import Status
from memory_core.models import AuditEntry, Memory, MemoryVersion
from tests.saving.conftest import row, trust

pytestmark = pytest.mark.django_db
OAK = "I live at 5 Oak Street"
ELM = "My home address is 99 Elm Street, no longer 5 Oak Street"


@pytest.fixture
def oak(say):
    """Where a trusted user lives, for good."""
    trust("user_input", "wechat")
    return say(OAK, category="profile", tier="permanent", source_name="wechat")


@pytest.fixture
def infer(say, tool):
    return lambda content, **fields: say(
        content, source_kind="inference", by=tool, **{"category": "profile"} | fields
    )


def current():
    rows = Memory.unscoped.filter(status=Status.ACTIVE)
    return sorted(rows.values_list("content", flat=True))


def test_a_change_to_other_words_evades_no_hold(oak, infer, correct, tool):
    direct = infer(ELM)
    assert direct.reasons == ("contradicts_permanent",)
    said = infer("The user mentioned a street")
    proposal = correct(said, by=tool, content=ELM.replace("My home", "My new home"))
    assert proposal.status == "pending"
    assert proposal.decision["contradicts"] == [str(said.memory_id), str(oak.memory_id)]
    assert current() == [OAK, "The user mentioned a street"]


def test_a_change_of_the_category_evades_no_hold(oak, infer, correct, tool):
    said = infer(ELM, category="event")
    proposal = correct(said, by=tool, category="profile")
    assert (proposal.status, proposal.content) == ("pending", ELM)
    assert row(said).status == Status.ACTIVE
    assert correct(said, by=tool, category="profile").memory_id == proposal.memory_id


def test_a_change_of_whom_it_is_about_evades_no_hold(say, infer, correct, tool):
    say("lives in Paris", category="profile", subject="Ann")
    said = infer("lives in Rome", subject="Bob")
    proposal = correct(said, by=tool, subject="Ann")
    assert (proposal.status, row(said).status) == ("pending", Status.ACTIVE)


def test_an_external_id_evades_no_hold(oak, infer):
    said = infer("The user mentioned a street", external_id="crm-17")
    renewed = infer(ELM, external_id="crm-17")
    assert (renewed.event, renewed.status) == ("added", "pending")
    assert renewed.reasons == ("contradicts_permanent",)
    assert row(said).content == "The user mentioned a street"


def test_words_that_were_rejected_come_not_in_by_a_change(infer, correct, tool):
    guess = infer("The user is a spy")
    Memory.unscoped.filter(pk=guess.memory_id).update(status=Status.REJECTED)
    said = infer("The user likes films about agents")
    assert correct(said, by=tool, content="The user is a spy").status == "rejected"
    assert row(said).content == "The user likes films about agents"


def test_a_change_replaces_what_it_contradicts(say, correct):
    paris = say("I live in Paris", category="profile")
    other = say("My sister plays the violin", category="profile")
    changed = correct(other, content="I live in Rome now, not in Paris")
    assert changed.memory_id == other.memory_id
    assert row(paris).superseded_by_id == other.memory_id
    assert current() == ["I live in Rome now, not in Paris"]
    entry = AuditEntry.objects.filter(action="memory.update").latest("pk")
    assert entry.details["superseded"] == [str(paris.memory_id)]


def test_a_change_of_the_category_replaces_what_is_older(say, correct):
    paris = say("I live in Paris", category="profile")
    told = say("I moved to Berlin", category="event")
    correct(told, category="profile")
    assert row(paris).superseded_by_id == told.memory_id


def test_a_changed_memory_takes_in_the_one_that_says_the_same(say, correct, on):
    stamps = say(
        "I collect old stamps", tags=("hobby",), importance=0.9, external_id="crm-1"
    )
    violin = say("My sister plays the violin", tags=("family",))
    changed = correct(violin, content="I collect old stamps!")
    assert (changed.memory_id, changed.version) == (violin.memory_id, 2)
    assert (changed.tags, changed.importance) == (("family", "hobby"), 0.9)
    assert (row(violin).external_id, current()) == ("crm-1", ["I collect old stamps!"])
    assert row(stamps).merged_into_id == violin.memory_id
    kept = MemoryVersion.objects.get(memory=violin.memory_id)
    assert kept.content == "My sister plays the violin"
    assert say("I collect old stamps").memory_id == violin.memory_id
    assert say("I collect old stamps", external_id="crm-1").event == "updated"
    on(changes.unmerge, stamps)
    assert (row(stamps).status, row(stamps).external_id) == (Status.ACTIVE, "crm-1")
    assert row(violin).external_id == ""


def test_a_permanent_memory_is_taken_in_by_nobody_less_trusted(
    oak, say, correct, infer, tool
):
    said = infer("The user mentioned a street")
    answer = correct(said, by=tool, content=OAK)
    assert (answer.memory_id, answer.version) == (oak.memory_id, 1)
    assert row(said).merged_into_id == oak.memory_id
    assert current() == [OAK]
    before = MemoryVersion.objects.get(memory=said.memory_id)
    assert before.content == "The user mentioned a street"


def test_an_external_id_renewed_to_known_words_leaves_one_memory(say):
    stamps = say("I collect old stamps")
    violin = say("My sister plays the violin", external_id="crm-17")
    renewed = say("I collect old stamps", external_id="crm-17")
    assert (renewed.event, renewed.memory_id) == ("updated", violin.memory_id)
    assert renewed.superseded == (stamps.memory_id,)
    assert renewed.embedding == "ready"
    assert current() == ["I collect old stamps"]
    later = say("I collect old coins", external_id="crm-17")
    assert later.memory_id == violin.memory_id


def test_two_names_of_a_callers_own_stay_two_memories(say):
    say("Is a regular customer", external_id="crm-1")
    other = say("Is a new customer of the shop", external_id="crm-2")
    renewed = say("Is a regular customer", external_id="crm-2")
    assert (renewed.event, renewed.memory_id) == ("updated", other.memory_id)
    assert current() == ["Is a regular customer", "Is a regular customer"]


def test_an_event_of_the_same_words_stays_an_event(say, correct):
    run = say("Went jogging", category="event")
    other = say("Likes sport", category="preference")
    correct(other, content="Went jogging")
    assert row(run).status == Status.ACTIVE


def test_an_earlier_version_is_judged_when_it_comes_back(say, correct, on):
    home = say("I live in Paris", category="profile")
    correct(home, content="I collect old stamps")
    rome = say("I live in Rome", category="profile")
    on(changes.roll_back, home, version=1)
    assert row(rome).superseded_by_id == home.memory_id
    assert current() == ["I live in Paris"]
