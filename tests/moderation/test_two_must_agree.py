"""Where a policy asks for two people, one approval makes nothing active."""

import pytest
from django.test import Client

from memory_core import jobs
from memory_core.contracts.enums import Status, Tier
from memory_core.contracts.trust import TrustRank
from memory_core.models import AuditEntry, FirstApproval, Job, Memory
from moderation import tasks as _registers  # noqa: F401
from moderation.actions import batches, second_looks
from moderation.models import BatchItem, ReviewCase, SecondLook
from tests.moderation import test_batches
from tests.moderation.test_policies import set_policy
from tests.moderation.test_review import decide, form_of

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _no_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(second_looks, "SHARE", 0)


@pytest.fixture
def sensitive(signed_in, held) -> Memory:
    """Return a memory that waits where two must agree on sensitive actions."""
    memory = held()
    Memory.unscoped.update(decision={"reasons": ["sensitive_action"]})
    set_policy(signed_in("admin"), memory, second_review=["sensitive"])
    return Memory.unscoped.get(pk=memory.pk)


def status_of(memory: Memory) -> Status:
    return Status(Memory.unscoped.get(pk=memory.pk).status)


def page_of(client: Client, memory: Memory) -> str:
    return client.get(f"/queue/{memory.pk}/").content.decode()


def view(client: Client, name: str) -> str:
    return client.get(f"/queue/?view={name}").content.decode()


@pytest.mark.parametrize(
    ("rule", "fields"),
    [
        ("sensitive", {"verdict": {"tags": ["sensitive_action:delete"]}}),
        ("permanent", {"tier": Tier.PERMANENT}),
        ("low_trust", {"lineage_trust": TrustRank.INFERENCE}),
    ],
)
def test_only_the_second_persons_agreement_lets_it_in(signed_in, held, rule, fields):
    memory = held()
    Memory.unscoped.update(**{"decision": {}, "verdict": {}, **fields})
    set_policy(signed_in("admin"), memory, second_review=[rule])
    memory.refresh_from_db()
    decide(signed_in("moderator"), memory, "approve")
    assert status_of(memory) == Status.PENDING
    decide(signed_in("moderator", "other"), memory, "approve")
    assert status_of(memory) == Status.ACTIVE
    first = AuditEntry.objects.get(action="review.approve_first")
    last = AuditEntry.objects.get(action="review.approve")
    assert (first.actor, first.details["rule"]) == ("operator:moderator", rule)
    assert last.actor == "operator:other"
    assert last.details["first_by"] == "operator:moderator"
    assert not FirstApproval.objects.exists()


def test_what_no_rule_names_is_decided_by_one(signed_in, held):
    memory = held()
    set_policy(signed_in("admin"), memory, second_review=["permanent", "low_trust"])
    decide(signed_in("moderator"), memory, "approve")
    assert status_of(memory) == Status.ACTIVE


def test_it_stays_in_the_queue_and_says_that_it_waits(signed_in, sensitive):
    first, other = signed_in("moderator"), signed_in("moderator", "other")
    answer = decide(first, sensitive, "approve")
    assert answer.headers["Location"] == "/queue/"  # nobody is led to their own
    for name in ("held", "second"):
        assert "operator:moderator would let it in" in view(other, name), name
    page = page_of(other, sensitive)
    assert "Waits for a second person" in page
    assert "accurate and harmless" in page
    assert 'value="approve"' in page


def test_the_first_person_is_not_the_second(signed_in, sensitive):
    client = signed_in("moderator")
    decide(client, sensitive, "approve")
    assert 'value="approve"' not in page_of(client, sensitive)
    answer = decide(client, sensitive, "approve")
    assert answer.status_code == 409
    assert "a second person must agree" in answer.content.decode()
    assert status_of(sensitive) == Status.PENDING


def test_a_first_approval_is_taken_back(signed_in, sensitive):
    client = signed_in("moderator")
    decide(client, sensitive, "approve")
    client.post(f"/queue/{sensitive.pk}/undo/")
    assert AuditEntry.objects.filter(action="review.take_back").count() == 1
    assert sensitive.content not in view(client, "second")
    decide(signed_in("moderator", "other"), sensitive, "approve")
    assert status_of(sensitive) == Status.PENDING


def test_whoever_agreed_may_still_reject(signed_in, sensitive):
    client = signed_in("moderator")
    decide(client, sensitive, "approve")
    decide(client, sensitive, "reject")
    assert status_of(sensitive) == Status.REJECTED


def test_who_disagrees_hands_it_to_the_leads_with_both_words(signed_in, sensitive):
    first, other = signed_in("moderator"), signed_in("moderator", "other")
    decide(first, sensitive, "approve")
    answer = decide(other, sensitive, "reject", reason="injection")
    assert answer.status_code == 302
    assert status_of(sensitive) == Status.PENDING
    lead = signed_in("lead")
    assert sensitive.content not in view(lead, "held")
    listed = view(lead, "escalated")
    assert "Two see it differently" in listed
    assert "operator:moderator, operator:other" in listed
    page = page_of(lead, sensitive)
    for said in ("accurate and harmless", "an instruction in disguise"):
        assert said in page
    for client in (first, other, signed_in("moderator", "third")):
        assert decide(client, sensitive, "approve").status_code == 409
        assert client.post(f"/queue/{sensitive.pk}/undo/").status_code == 409
    decide(lead, sensitive, "approve")
    assert status_of(sensitive) == Status.ACTIVE
    assert first.post(f"/queue/{sensitive.pk}/undo/").status_code == 409
    assert status_of(sensitive) == Status.ACTIVE


def test_a_lead_who_was_one_of_the_two_does_not_settle_it(signed_in, sensitive):
    lead = signed_in("lead")
    decide(lead, sensitive, "approve")
    decide(signed_in("moderator"), sensitive, "reject")
    answer = decide(lead, sensitive, "approve")
    assert answer.status_code == 409
    assert "Neither of the two" in answer.content.decode()
    decide(signed_in("lead", "another"), sensitive, "reject")
    assert status_of(sensitive) == Status.REJECTED


def test_other_words_need_two_people_of_their_own(signed_in, sensitive):
    decide(signed_in("moderator"), sensitive, "approve")
    other, words = signed_in("moderator", "other"), "用户想知道备份在凌晨两点运行"
    decide(other, sensitive, "approve", content=words)
    sensitive.refresh_from_db()
    assert (sensitive.content, sensitive.status) == (words, Status.PENDING)
    assert FirstApproval.objects.get().approved_by == "operator:other"


def test_what_is_recalled_already_waits_unreviewed(signed_in, sensitive):
    Memory.unscoped.update(status=Status.ACTIVE)
    sensitive.source.kind = "inference"
    sensitive.source.save()
    decide(signed_in("moderator"), sensitive, "approve")
    assert status_of(sensitive) == Status.ACTIVE
    other = signed_in("moderator", "other")
    assert sensitive.content in view(other, "second")
    decide(other, sensitive, "reject")
    assert status_of(sensitive) == Status.PENDING  # until a lead has decided


def test_a_case_that_was_handed_on_needs_two_as_well(signed_in, sensitive):
    client, lead = signed_in("moderator"), signed_in("lead")
    decide(client, sensitive, "escalate", reason="no_policy", note="Whose?")
    decide(lead, sensitive, "approve")
    assert status_of(sensitive) == Status.PENDING
    assert ReviewCase.objects.get().state == ReviewCase.State.OPEN
    decide(client, sensitive, "approve")
    assert status_of(sensitive) == Status.ACTIVE


def test_one_approval_of_a_batch_is_half_and_undone_with_it(signed_in, sensitive):
    client = signed_in("moderator")
    body = {"verb": "approve", "why": "accurate"}
    test_batches.decide(client, test_batches.seen(client) | body)
    jobs.work(seconds=30)
    job = Job.objects.get()
    assert BatchItem.objects.get().outcome == batches.HALF
    page = client.get(f"/queue/batches/{job.pk}/").content.decode()
    assert "a second person must agree" in page
    assert status_of(sensitive) == Status.PENDING
    client.post(f"/queue/batches/{job.pk}/undo/")
    jobs.work(seconds=30)
    assert not FirstApproval.objects.exists()


def test_a_selection_says_what_waits_for_others(signed_in, sensitive):
    form = form_of(sensitive, "approve")
    item = f"{sensitive.pk}.{form['version']}.{form['digest']}"
    sent = {"item": item, "verb": "approve", "reason": "accurate"}
    page = signed_in("moderator").post("/queue/bulk/", sent).content.decode()
    assert "A second person must agree." in page


def test_a_sampled_decision_that_a_lead_overrules_had_two_people(
    signed_in, sensitive, monkeypatch
):
    monkeypatch.setattr(second_looks, "SHARE", 1)
    decide(signed_in("moderator"), sensitive, "reject")
    look = SecondLook.objects.get()
    place = f"/queue/second/{look.pk}"
    signed_in("moderator", "other").post(f"{place}/answer/", {"verdict": "approved"})
    signed_in("lead").post(f"{place}/settle/", {"verdict": "approved"})
    assert status_of(sensitive) == Status.ACTIVE
    entry = AuditEntry.objects.get(action="review.approve")
    assert entry.details["first_by"] == "operator:other"
