"""After a restore, words about an erased person go again from what others said."""

import json
from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import settings as django_settings
from django.utils import timezone

from memory_core.actions import access, lifting
from memory_core.contracts.erasure import RunState
from memory_core.erasure import repeating
from memory_core.keys import data
from memory_core.models import ErasureRun, Memory, Tombstone
from memory_core.snapshots import keeping, sealing
from tests.erasure.conftest import BY, MAIL, NAME, OTHER, PERSON, SUBJECT, begin, work
from tests.erasure.test_tombstones import reapply

pytestmark = pytest.mark.django_db
TOLD = f"My boss is {NAME} and likes tea"
REDACTED = "My boss is [redacted] and likes tea"


@pytest.fixture
def told(person, say):
    return say(TOLD, OTHER)


@pytest.fixture
def kept(person, say):
    return say(f"{NAME} owes me money", OTHER)


@pytest.fixture
def run(told, kept):
    run = work(begin(mentions={told: "redact", kept: "keep"}))
    assert run.state == RunState.LIVE_ERASED
    return run


def bring_back(told):
    """Have the database as a backup from before the erasure has it."""
    Memory.unscoped.filter(pk=told).update(content=TOLD)
    ErasureRun.objects.all().delete()
    Tombstone.objects.all().delete()


def text_of(memory_id):
    return Memory.unscoped.get(pk=memory_id).content


class TestRestored:
    def test_what_was_redacted_is_redacted_again_and_what_was_kept_stays(
        self, run, told, kept
    ):
        bring_back(told)
        done = reapply()
        assert (done.residue, done.failed) == (0, [])
        assert text_of(told) == REDACTED
        assert text_of(kept) == f"{NAME} owes me money"

    def test_what_nobody_had_to_decide_on_is_redacted_too(self, run, told, say):
        """Its owner deleted it before the erasure; the backup brings it back."""
        bring_back(told)
        other = say(f"I met {NAME} in town", OTHER)
        assert reapply().failed == []
        assert text_of(other) == "I met [redacted] in town"

    def test_a_run_that_the_backup_cut_off_is_brought_to_its_end(self, run, told):
        """Its key is destroyed, and it could not be read."""
        Memory.unscoped.filter(pk=told).update(content=TOLD)
        ErasureRun.objects.filter(pk=run.pk).update(
            state=RunState.EXECUTING, subject=b"x", live_erased_at=None
        )
        assert reapply().failed == []
        run.refresh_from_db()
        assert (run.state, bytes(run.subject)) == (RunState.LIVE_ERASED, b"")
        assert text_of(told) == REDACTED

    def test_a_second_time_finds_nothing_to_do(self, run, told):
        bring_back(told)
        reapply()
        assert reapply().erased == 0

    def test_names_that_cannot_be_read_keep_the_service_closed(self, run, told):
        bring_back(told)
        data.destroy(f"repeat:{run.ref}")
        assert reapply().failed == [run.case_ref]

    def test_a_person_who_came_back_is_not_erased_again(self, run, told, say):
        lifting.lift_tombstones(
            identifiers=SUBJECT.names,
            reason="came_back",
            prepared_by="7",
            approved_by="8",
            by=BY,
        )
        access.forget_cached()  # their old row is known for three seconds
        say("Here I am again")
        ErasureRun.objects.all().delete()
        assert reapply().erased == 0
        assert Memory.unscoped.filter(owner__external_id=PERSON).exists()


class TestTheFile:
    def test_it_names_nobody(self, run):
        [path] = (Path(django_settings.LEDGER_DIR) / "repeat").glob("*")
        raw = path.read_text()
        assert not [word for word in (PERSON, NAME, MAIL) if word in raw]

    def test_it_goes_with_the_last_backup_from_before(self, run, told):
        assert repeating.prune(is_gone_from_backups=lambda since: False) == 0
        asked = []

        def is_gone(since):
            asked.append(since)
            return True

        assert repeating.prune(is_gone_from_backups=is_gone) == 1
        assert asked == [run.live_erased_at]
        assert data.is_destroyed(f"repeat:{run.ref}")
        bring_back(told)
        assert not list(repeating.pending())

    def test_one_whose_end_this_database_does_not_know_stays(self, run, told):
        bring_back(told)
        assert repeating.prune(is_gone_from_backups=lambda since: True) == 0
        assert list(repeating.pending())


class TestFiles:
    def test_lines_of_redacted_memories_lose_the_names_and_the_vector(self, told, kept):
        path = keeping.take(now=timezone.now())
        work(begin(mentions={told: "redact", kept: "keep"}))
        lines = [
            json.loads(sealing.plain(one)) for one in path.read_bytes().splitlines(True)
        ]
        by_id = {one["memory_id"]: one for one in lines[1:]}
        assert by_id[str(told)]["content"] == REDACTED
        assert "embedding" not in by_id[str(told)]
        assert by_id[str(kept)]["content"] == f"{NAME} owes me money"
        assert "embedding" in by_id[str(kept)]
        assert not [one for one in lines[1:] if one["owner_id"] == PERSON]

    def test_bad_lines_that_name_the_person_are_dropped(self, person):
        path = _put_aside(
            {"raw": f'{{"user": "x", "text": "I know {NAME}"}}'},
            {"raw": f"x;y;{MAIL}"},
            {"raw": '{"text": "nobody"}'},
        )
        work(begin())
        assert [json.loads(one)["raw"] for one in path.read_text().splitlines()] == [
            '{"text": "nobody"}'
        ]

    def test_what_was_put_aside_is_not_kept_for_ever(self):
        path = _put_aside({"raw": "x"})
        assert keeping.prune_quarantine(now=timezone.now()) == 0
        later = timezone.now() + keeping.QUARANTINE_KEPT + timedelta(hours=1)
        assert keeping.prune_quarantine(now=later) == 1
        assert not path.exists()


def _put_aside(*lines):
    path = Path(django_settings.HOME) / "quarantine" / "bad.jsonl"
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(json.dumps(one) + "\n" for one in lines))
    return path
