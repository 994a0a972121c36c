"""Claim, decide, hand on: what a person does with a memory that waits."""

from collections.abc import Callable
from datetime import datetime, timedelta
from uuid import UUID

from django.contrib.auth.models import User
from django.db.models import TextChoices
from django.utils import translation
from django.utils.translation import gettext_lazy as _

from memory_core import auditing, isolation
from memory_core.actions import agreement, changes, reviews
from memory_core.actions.guards import scope_around
from memory_core.contracts.callers import Actor
from memory_core.contracts.enums import Status
from memory_core.exceptions import DigestConflict, TransitionRefused
from memory_core.models import Memory
from moderation.actions import policies, second_looks
from moderation.models import ReviewCase, ReviewNote
from moderation.permissions import Permission, permissions_of

LEASE = timedelta(minutes=10)


class Reason(TextChoices):
    """Why a memory was approved or rejected."""

    ACCURATE = "accurate", _("accurate and harmless")
    CONFIRMED = "confirmed", _("confirmed by the user")
    UNTRUE = "untrue", _("untrue")
    INJECTION = "injection", _("an instruction in disguise")
    SENSITIVE = "sensitive", _("should not be kept")
    DUPLICATE = "duplicate", _("known already")


APPROVING = (Reason.ACCURATE, Reason.CONFIRMED)
REJECTING = (Reason.UNTRUE, Reason.INJECTION, Reason.SENSITIVE, Reason.DUPLICATE)


def words_of(reason: TextChoices) -> str:
    """Return what a reason says now, in the language of the code, to be kept."""
    with translation.override(None):
        return str(reason.label)


def claim(*, memory_id: UUID, user: User, by: Actor, now: datetime) -> ReviewCase:
    """Return the case, leased to this person for ten minutes.

    Raises TransitionRefused while somebody else's lease runs, and for everybody but
    leads once it was handed on to them.
    """
    with isolation.transaction_for(by):
        case = _case(memory_id)
        if is_for_leads(case):
            _require_lead(user)
            case.is_of_leads = True
        held_by = case.claimed_by
        if (
            held_by
            and held_by != user
            and case.claimed_until
            and (case.claimed_until > now)
        ):
            raise TransitionRefused(
                "Somebody else reviews it.",
                why="claimed",
                claimed_by=held_by.get_username(),
                claimed_until=case.claimed_until.isoformat(),
            )
        case.claimed_by, case.claimed_until = user, now + LEASE
        case.save(update_fields=["claimed_by", "claimed_until", "is_of_leads"])
    return case


def is_for_leads(case: ReviewCase) -> bool:
    """Return whether it was handed on, or two reviewers disagree about it."""
    is_handed_on = case.state == ReviewCase.State.ESCALATED
    return is_handed_on or agreement.disputed().filter(pk=case.memory_id).exists()


def release(*, memory_id: UUID, user: User, by: Actor) -> ReviewCase:
    """Return the case, free for others if it was this person's."""
    with isolation.transaction_for(by):
        case = _case(memory_id)
        if case.claimed_by == user:
            case.claimed_by, case.claimed_until = None, None
            case.save(update_fields=["claimed_by", "claimed_until"])
    return case


def approve(
    *,
    memory_id: UUID,
    version: int,
    digest: str,
    reason: str,
    user: User,
    by: Actor,
    now: datetime,
    content: str = "",
) -> Memory:
    """Return the memory, active from now on, in other words if `content` has some.

    Where the policy asks for two people the first one's word leaves it waiting, and so
    does what it contradicts that nobody has seen yet. Raises what the core's correct
    and approve raise.
    """
    with isolation.transaction_for(by):
        case = claim(memory_id=memory_id, user=user, by=by, now=now)
        if content:
            version, digest = _reword(memory_id, version, digest, content, by)
        memory = reviews.approve(
            by=by,
            memory_id=memory_id,
            expected_version=version,
            content_digest=digest,
            reason=reason,
            said=words_of(Reason(reason)),
            settles=_is_lead(user),
            now=now,
        )
        _close(case, memory, ReviewCase.State.APPROVED, reason, by, now)
    return memory


def reject(
    *,
    memory_id: UUID,
    version: int,
    digest: str,
    reason: str,
    user: User,
    by: Actor,
    now: datetime,
) -> Memory:
    """Return the memory, rejected, or a lead's where somebody else would let it in.

    Raises what the core's reject raises.
    """
    with isolation.transaction_for(by):
        case = claim(memory_id=memory_id, user=user, by=by, now=now)
        memory = reviews.reject(
            by=by,
            memory_id=memory_id,
            expected_version=version,
            content_digest=digest,
            reason=reason,
            said=words_of(Reason(reason)),
            settles=_is_lead(user),
            now=now,
        )
        _close(case, memory, ReviewCase.State.REJECTED, reason, by, now)
    return memory


DECISIONS: dict[str, Callable[..., Memory]] = {"approve": approve, "reject": reject}


def undo(*, memory_id: UUID, user: User, by: Actor, now: datetime) -> Memory:
    """Return the memory, waiting again as before the decision or the first approval.

    Raises TransitionRefused for everybody but leads where one of them decides or did.
    """
    with isolation.transaction_for(by):
        waiting = agreement.waiting_for_second(Memory.unscoped.filter(pk=memory_id))
        if waiting.exists():
            _require_right_to_reopen(_case(memory_id), user)
            return reviews.take_back(by=by, memory_id=memory_id)
        return reopen(memory_id=memory_id, user=user, by=by, now=now)


def reopen(*, memory_id: UUID, user: User, by: Actor, now: datetime) -> Memory:
    """Return the memory, sent to review: to leads again if it was theirs.

    Raises what undoing raises.
    """
    with isolation.transaction_for(by):
        case = _case(memory_id)
        _require_right_to_reopen(case, user)
        memory = reviews.reopen(by=by, memory_id=memory_id, now=now)
        if case.state != ReviewCase.State.ESCALATED:
            is_theirs = case.is_of_leads
            states = ReviewCase.State
            case.state = states.ESCALATED if is_theirs else states.OPEN
            case.reason, case.said = "", ""
        case.decided_by, case.decided_at, case.policy_version = "", None, None
        case.save()
        second_looks.drop(memory_id=memory_id)
    return memory


def add_note(*, memory_id: UUID, text: str, by: Actor) -> ReviewNote:
    """Return the new note on the case."""
    with isolation.transaction_for(by):
        note = ReviewNote.objects.create(
            case=_case(memory_id), author=by.name, text=text
        )
        auditing.record("review.note", by=by, memory_id=memory_id)
    return note


def _case(memory_id: UUID) -> ReviewCase:
    case, _made = ReviewCase.objects.select_for_update().get_or_create(
        memory_id=memory_id
    )
    return case


def _reword(
    memory_id: UUID, version: int, digest: str, content: str, by: Actor
) -> tuple[int, str]:
    """Return version and digest after the change; the seen text must be the present."""
    memory = Memory.unscoped.get(pk=memory_id)
    if bytes(memory.content_digest).hex() != digest:
        raise DigestConflict(version=memory.version)
    if content != memory.content:
        changes.correct(
            by=by,
            scope=scope_around(memory_id),
            memory_id=memory_id,
            changes={"content": content},
            expected_version=version,
        )
        memory.refresh_from_db()
    return memory.version, bytes(memory.content_digest).hex()


def shown_instead(memory: Memory) -> TransitionRefused | None:
    """Return the refusal of an approval that put what it contradicts beside it."""
    if memory.status != Status.PENDING or agreement.standing(memory):
        return None
    return TransitionRefused("It contradicts what stands beside it now.", why="shown")


def _require_right_to_reopen(case: ReviewCase, user: User) -> None:
    if case.is_of_leads or is_for_leads(case):
        _require_lead(user)


def _require_lead(user: User) -> None:
    if not _is_lead(user):
        raise TransitionRefused("A lead decides this.", why="lead_decides")


def _is_lead(user: User) -> bool:
    return Permission.SETTLE in permissions_of(user)


def _close(
    case: ReviewCase,
    memory: Memory,
    state: ReviewCase.State,
    reason: str,
    by: Actor,
    now: datetime,
) -> None:
    """Keep the decision; the case stays open while the memory waits for others.

    It stays with leads where nothing was decided and something was shown instead.
    """
    case.claimed_by, case.claimed_until = None, None
    if agreement.standing(memory):
        case.state, case.reason, case.said = ReviewCase.State.OPEN, "", ""
        case.save()
        return
    if memory.status == Status.PENDING:
        case.save()
        return
    case.state, case.reason, case.said = state, reason, words_of(Reason(reason))
    case.decided_by, case.decided_at = by.name, now
    policy = policies.in_force(memory.namespace_id)
    case.policy_version = policy.version if policy else None
    case.save()
    second_looks.draw(memory_id=memory.pk, verdict=state, by=by, now=now)
