"""An approval counts for what is current by then, not for what was at the save."""

import pytest

from memory_core.actions import memories
from memory_core.contracts.enums import Status
from memory_core.contracts.memories import Draft
from memory_core.models import AuditEntry, Memory
from memory_core.saving.vectors import ensure_model
from tests.factories import make_caller
from tests.moderation.test_review import decide

pytestmark = pytest.mark.django_db


@pytest.fixture
def say():
    """Save what a user says, or an agent infers; return the row."""
    ensure_model()
    caller = make_caller(shared={"support": "rw"})

    def say(content, *, source_kind="user_input", **fields):
        draft = Draft(
            owner_id="lin",
            namespace="support",
            content=content,
            category="profile",
            source_kind=source_kind,
            **fields,
        )
        saved = memories.remember(draft=draft, by=caller)
        return Memory.unscoped.get(pk=saved.memory_id)

    return say


@pytest.fixture
def guess(say):
    """The user lives in Berlin, an agent infers Munich, which waits."""
    say("I live in Berlin")
    memory = say("I live in Munich", source_kind="inference", tags=("city",))
    assert memory.status == Status.PENDING
    return memory


def current():
    rows = Memory.unscoped.filter(status=Status.ACTIVE)
    return sorted(rows.values_list("content", flat=True))


def test_what_was_said_since_is_shown_before_anything_is_replaced(
    signed_in, guess, say
):
    hamburg = say("I live in Hamburg")
    browser = signed_in("moderator")
    answer = decide(browser, guess, "approve")
    assert (answer.status_code, answer.url) == (302, f"/queue/{guess.pk}/")
    page = browser.get(answer.url).content.decode()
    assert "Not let in yet" in page
    assert "Hamburg" in page.partition("What it contradicts")[2]
    guess.refresh_from_db()
    assert (guess.status, current()) == (Status.PENDING, ["I live in Hamburg"])
    assert "contradicts_more_trusted" in guess.decision["reasons"]
    assert str(hamburg.pk) in guess.decision["contradicts"]
    decide(browser, guess, "approve")
    assert current() == ["I live in Munich"]
    browser.post(f"/queue/{guess.pk}/undo/")
    assert current() == ["I live in Hamburg"]


def test_what_the_user_says_meanwhile_becomes_one_with_it(signed_in, guess, say):
    told = say("I live in Munich")
    assert current() == ["I live in Munich"]
    browser = signed_in("moderator")
    answer = decide(browser, guess, "approve")
    assert "the two are one now" in browser.get(answer.url).content.decode()
    guess.refresh_from_db()
    told.refresh_from_db()
    assert (guess.status, guess.merged_into_id) == (Status.SUPERSEDED, told.pk)
    assert (told.status, told.tags, told.version) == (Status.ACTIVE, ["city"], 2)
    assert current() == ["I live in Munich"]
    browser.post(f"/queue/{guess.pk}/undo/")
    guess.refresh_from_db()
    assert (guess.status, guess.merged_into_id) == (Status.PENDING, None)
    assert current() == ["I live in Munich"]


def test_a_request_to_keep_known_words_for_good_is_not_lost(signed_in, say):
    words = "Never call me before noon"
    forever = say(words, tier="permanent")
    assert forever.status == Status.PENDING
    known = say(words)
    browser = signed_in("moderator")
    decide(browser, forever, "approve")
    forever.refresh_from_db()
    known.refresh_from_db()
    assert (forever.status, forever.tier) == (Status.ACTIVE, "permanent")
    assert (current(), known.merged_into_id) == ([words], forever.pk)
    browser.post(f"/queue/{forever.pk}/undo/")
    known.refresh_from_db()
    assert (known.status, known.merged_into_id) == (Status.ACTIVE, None)


def test_what_was_held_for_other_reasons_is_compared_when_it_is_let_in(signed_in, say):
    """A held statement was compared with nothing when it was saved."""
    say("I live in Berlin")
    hidden = say("I live in Mu\u202enich now, no longer in Berlin")
    assert hidden.decision.get("contradicts") is None
    decide(signed_in("moderator"), hidden, "approve")
    assert current() == [hidden.content]


def test_a_proposal_may_have_the_name_of_what_it_replaces(signed_in, say):
    first = say("The plan is Basic", external_id="crm-17")
    proposal = say("The plan is Gold", source_kind="inference", external_id="crm-17")
    assert proposal.status == Status.PENDING
    assert decide(signed_in("moderator"), proposal, "approve").status_code == 302
    first.refresh_from_db()
    assert (first.superseded_by_id, current()) == (proposal.pk, ["The plan is Gold"])


def test_what_is_shown_to_a_lead_stays_with_the_leads(signed_in, guess, say):
    client, lead = signed_in("moderator"), signed_in("lead")
    decide(client, guess, "escalate", reason="no_policy", note="Which city?")
    say("I live in Hamburg")
    decide(lead, guess, "approve")
    assert decide(client, guess, "approve").status_code == 409
    assert current() == ["I live in Hamburg"]
    decide(lead, guess, "approve")
    assert current() == ["I live in Munich"]


def test_a_bulk_approval_does_not_count_what_was_only_shown(signed_in, guess, say):
    say("I live in Hamburg")
    seen = f"{guess.pk}.{guess.version}.{bytes(guess.content_digest).hex()}"
    form = {"item": seen, "verb": "approve", "reason": "accurate"}
    page = signed_in("moderator").post("/queue/bulk/", form).content.decode()
    assert "Not let in yet" in page
    assert current() == ["I live in Hamburg"]
    assert AuditEntry.objects.get(action="review.bulk").details["decided"] == 0
