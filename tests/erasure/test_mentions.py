"""What others' memories say of the person, and what was made of the person's."""

import pytest
from django.db import connection
from django.utils import timezone

from memory_core.actions import changes, erasure, holds
from memory_core.actions.guards import scope_around
from memory_core.contracts.callers import SYSTEM
from memory_core.contracts.erasure import (
    Identifier,
    IdentifierKind,
    RunState,
)
from memory_core.erasure import mentions
from memory_core.erasure.patterns import kinds_in, pattern_of, redact
from memory_core.models import (
    Feedback,
    IdempotencyRecord,
    Memory,
    MemoryTerm,
    MemoryVersion,
    RawTurns,
    RecallSample,
)
from memory_core.saving import waiting
from tests.erasure.conftest import (
    BY,
    MAIL,
    NAME,
    OTHER,
    PERSON,
    PHONE,
    SUBJECT,
    begin,
    work,
)


@pytest.mark.django_db
class TestMemoriesOfOthers:
    def test_they_are_listed_with_what_named_the_person(self, person, say):
        told = say(f"My boss is {NAME}, call him on 139 1234 5678", OTHER)
        say("My boss is somebody else", OTHER)
        [mention] = erasure.preview(subject=SUBJECT, by=BY).mentions
        assert (mention.memory_id, mention.owner_id) == (told, OTHER)
        assert mention.kinds == (IdentifierKind.NAME, IdentifierKind.PHONE)

    def test_a_redacted_one_has_lost_text_terms_digest_and_vector(self, person, say):
        told = say(f"My boss is {NAME} and likes tea", OTHER, tags=(NAME, "work"))
        before = Memory.unscoped.get(pk=told)
        run = work(begin(mentions={told: "redact"}))
        assert run.state == RunState.LIVE_ERASED
        after = Memory.unscoped.get(pk=told)
        assert after.content == "My boss is [redacted] and likes tea"
        assert after.tags == ["work"]
        assert bytes(after.content_digest) != bytes(before.content_digest)
        assert bytes(after.text_key) != bytes(before.text_key)
        terms = set(
            MemoryTerm.objects.filter(memory_id=told).values_list("term", flat=True)
        )
        assert not {term for term in terms if "weilong" in term}
        assert waiting.give_vector(told)

    def test_what_it_said_before_is_redacted_too(self, person, say):
        told = say("My boss is very kind", OTHER)
        scope = scope_around(told)
        changes.correct(
            by=BY,
            scope=scope,
            memory_id=told,
            changes={"content": f"I report to {NAME}"},
        )
        changes.correct(
            by=BY,
            scope=scope,
            memory_id=told,
            changes={"content": "I report to nobody"},
        )
        work(begin(mentions={told: "redact"}))
        texts = MemoryVersion.objects.filter(memory=told).values_list(
            "content", flat=True
        )
        assert texts and not any("Weilong" in text for text in texts)

    def test_a_kept_one_stays_word_by_word_and_the_erasure_is_complete(
        self, person, say
    ):
        told = say(f"My boss is {NAME}", OTHER)
        run = work(begin(mentions={told: "keep"}))
        assert run.state == RunState.LIVE_ERASED
        assert Memory.unscoped.get(pk=told).content == f"My boss is {NAME}"

    def test_nothing_is_complete_while_one_is_undecided(self, person, say):
        told = say(f"My boss is {NAME}", OTHER)
        ref = begin()
        assert work(ref).state == RunState.RESIDUAL_FOUND
        assert erasure.state(run=ref).undecided == 1
        [mention] = erasure.undecided(run=ref, by=BY)
        assert mention.memory_id == told
        erasure.decide_mentions(run=ref, mentions={told: "redact"}, by=BY)
        assert work(ref).state == RunState.LIVE_ERASED
        assert erasure.undecided(run=ref, by=BY) == ()

    def test_a_held_one_is_not_changed_and_the_erasure_partial(self, person, say):
        told = say(f"My boss is {NAME}", OTHER)
        holds.place_hold(memory_id=told, reason="litigation", by=BY)
        run = work(begin(mentions={told: "redact"}))
        assert run.state == RunState.PARTIALLY_ERASED
        assert NAME in Memory.unscoped.get(pk=told).content

    def test_redacting_twice_changes_nothing_the_second_time(self, person, say):
        told = say(f"My boss is {NAME}", OTHER)
        now = timezone.now()
        names = SUBJECT.names
        assert mentions.redact_memory(told, names, by=SYSTEM, now=now)
        version = Memory.unscoped.get(pk=told).version
        assert not mentions.redact_memory(told, names, by=SYSTEM, now=now)
        assert Memory.unscoped.get(pk=told).version == version


@pytest.mark.django_db
class TestOtherTextsOfOthers:
    def test_queries_and_answers_go_and_notes_are_redacted(self, person, say, voice):
        told = Memory.unscoped.get(pk=say("Tea is fine", OTHER))
        place = {"owner_id": told.owner_id, "namespace_id": told.namespace_id}
        now = timezone.now()
        RecallSample.objects.create(
            recall_id=told.pk, query=f"who is {NAME}?", at=now, **place
        )
        Feedback.objects.create(
            memory_id=told.pk,
            agent_id=1,
            verdict="wrong",
            note=f"{NAME} said otherwise",
            at=now,
            **place,
        )
        IdempotencyRecord.objects.create(
            token_id=voice.token_id,
            key=f"save-{PERSON}-1",
            body_digest=b"1",
            answer={},
            created_at=now,
        )
        assert work(begin()).state == RunState.LIVE_ERASED
        assert not RecallSample.objects.exists()
        assert not IdempotencyRecord.objects.exists()
        assert Feedback.objects.get().note == "[redacted] said otherwise"
        assert not RawTurns.objects.exists()


@pytest.mark.django_db
def test_what_others_derived_from_the_person_goes_through_all_generations(person, say):
    child, grandchild = say("Customers like tea", OTHER), say("Tea sells well", OTHER)
    apart = say("Coffee sells too", OTHER)
    root = Memory.unscoped.filter(owner=person).first()
    Memory.unscoped.filter(pk=child).update(derived_from=[root.pk])
    Memory.unscoped.filter(pk=grandchild).update(derived_from=[child])
    ref = begin()
    assert work(ref).state == RunState.LIVE_ERASED
    assert [one.pk for one in Memory.unscoped.all()] == [apart]
    done = {one.store: one.erased for one in erasure.state(run=ref).passes}
    assert done["derived_memories"] == 2


class TestPatterns:
    @pytest.mark.parametrize(
        ("kind", "value", "text"),
        [
            ("name", "Ann Lee", "I met ann  lee today"),
            ("name", "张伟", "我的同事张伟喜欢喝茶"),
            ("email", MAIL, f"<{MAIL.upper()}>"),
            ("phone", PHONE, "call 13912345678 now"),
            ("phone", PHONE, "+86 (139) 1234-5678"),
            ("owner", "user-42", "session of user-42."),
        ],
    )
    def test_finds(self, kind, value, text):
        one = Identifier(IdentifierKind(kind), value)
        assert kinds_in(text, [one]) == (IdentifierKind(kind),)
        assert "[redacted]" in redact(text, [one])

    @pytest.mark.parametrize(
        ("kind", "value", "text"),
        [
            ("name", "Ann", "the anniversary"),
            ("owner", "user-42", "user-421 and superuser-42"),
            ("phone", PHONE, "139123456789"),
            ("name", "a.b", "axb"),
        ],
    )
    def test_does_not_find(self, kind, value, text):
        assert not kinds_in(text, [Identifier(IdentifierKind(kind), value)])

    @pytest.mark.parametrize(("kind", "value"), [("owner", "u1"), ("phone", "12345")])
    def test_what_would_be_found_everywhere_is_not_looked_for(self, kind, value):
        assert pattern_of(Identifier(IdentifierKind(kind), value)) == ""

    @pytest.mark.django_db
    @pytest.mark.parametrize("text", ["I met ann lee", "Anniversary", "张伟喜欢喝茶"])
    def test_the_database_finds_what_python_finds(self, text):
        for value in ("Ann Lee", "张伟", "Ann"):
            one = Identifier(IdentifierKind.NAME, value)
            with connection.cursor() as cursor:
                cursor.execute("SELECT %s ~* %s", [text, pattern_of(one)])
                assert cursor.fetchone()[0] == bool(kinds_in(text, [one]))
