"""Messages of mem0's clients -> memories, with or without inference.

Without it each message is kept as it is. With it the rules keep what the user states
of themselves, unchanged; a configured language model reads the messages afterwards. A
single message that states nothing in the first person is kept whole: who sends one
sentence wants it kept.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, cast
from uuid import UUID

from django.utils import timezone

from api.compat.mem0 import shapes
from api.compat.mem0.entities import (
    AGENT,
    APP,
    RUN,
    entities_of,
    owner_id_among,
    with_entities,
)
from api.serializers.fields import OwnerId
from api.serializers.memories import LONGEST_CONTENT
from memory_core.actions import access, denials, lookups, memories
from memory_core.actions.encoding import encode
from memory_core.contracts.callers import Caller
from memory_core.contracts.enums import CATEGORIES, SourceKind
from memory_core.contracts.idempotency import IdempotencyKey
from memory_core.contracts.memories import Draft, Saved
from memory_core.contracts.sessions import Message, Role
from memory_core.contracts.tokens import DELETES, SPEAKS
from memory_core.encoding import cues
from memory_core.encoding.protocol import Candidate, Excerpt, Forgetting
from memory_core.encoding.rules import RuleEncoder
from memory_core.exceptions import InvalidInput, MnemeError
from memory_core.lexical import asks
from memory_core.llm import configured

EVENTS = {"added": "ADD", "updated": "UPDATE"}
KINDS = {"user": SourceKind.USER_INPUT, "tool": SourceKind.TOOL_RESULT}
SEPARATE = "event"
"""The category in which nothing is merged for being similar."""
AS_SENT = "The messages were stored as they were sent."
BY_RULES = (
    "No language model is configured: what the user states was kept in the user's own"
    " words, and nothing was concluded from it."
)
HANDING_OVER = -1000  # beyond any message: the step's number for idempotency
NOTHING_WENT = {
    "nothing_fits": "Nothing was forgotten: no memory is what the request names.",
    "everything": (
        "Nothing was forgotten: to erase everything about a user, delete all their"
        " memories or pass the wish on with POST /v1/memory/forget-owner."
    ),
    "too_many": (
        "Nothing was forgotten: too many memories fit. Look at them with"
        " POST /v1/memory/forget and dry_run."
    ),
}
BY_MODEL = "The user's own statements are stored; a language model reads the rest."


@dataclass(slots=True)
class Added:
    """What became of messages: entries of an answer, refusals, what is queued."""

    message: str
    results: list[dict[str, Any]] = field(default_factory=list)
    refused: list[MnemeError] = field(default_factory=list)
    encoding_id: UUID | None = None


@dataclass(frozen=True, slots=True)
class Frame:
    """What all memories of one add have in common; `once` is its Idempotency-Key."""

    named: Mapping[str, str]
    owner_id: str
    values: Mapping[str, Any]
    by: Caller
    once: IdempotencyKey | None = None
    now: datetime = field(default_factory=timezone.now)

    def part(self, number: int) -> IdempotencyKey | None:
        """Return the key of one step."""
        return self.once.part(number) if self.once else None

    def draft(self, content: str, **more: Any) -> Draft | MnemeError:
        """Return a draft of one statement, or why it cannot be one."""
        if len(content) > LONGEST_CONTENT:
            return InvalidInput(
                "A memory has at most 8,000 characters.", field="content"
            )
        values = self.values
        category = values.get("metadata", {}).get("category")
        if category in CATEGORIES:
            more["category"] = category
        return Draft(
            owner_id=self.owner_id,
            namespace=self.by.home,
            content=content,
            session_id=self.named.get(RUN, ""),
            metadata=with_entities(values.get("metadata", {}), self.named),
            observed_at=values.get("timestamp"),
            expire_at=values.get("expiration_date"),
            **more,
        )


def frame(
    named: Mapping[str, str],
    values: Mapping[str, Any],
    by: Caller,
    once: IdempotencyKey | None = None,
) -> Frame:
    """Return the frame of an add; raises ValidationError for an id that is too long."""
    owner_id = OwnerId().run_validation(owner_id_among(named))
    return Frame(named, owner_id, values, by, once)


def add(messages: Sequence[Mapping[str, Any]], at: Frame, *, infer: bool) -> Added:
    """Return what was kept of messages (`role`, `content`, perhaps `name`).

    Raises what a save raises if nothing was kept and something was refused.
    """
    said = [one for one in messages if str(one.get("content", "")).strip()]
    if infer:
        added = _inferred([_message(one, n, at) for n, one in enumerate(said)], at)
    else:
        added = Added(AS_SENT)
        _store([_as_sent(one, at) for one in said], at, into=added)
    denials.record(added.refused, by=at.by)
    if added.refused and not added.results:
        raise added.refused[0]
    return added


def _inferred(spoken: Sequence[Message], at: Frame) -> Added:
    """Keep and forget in the order in which it was said."""
    encoded = RuleEncoder().encode(Excerpt(tuple(spoken), "", (), at.now))
    waiting = list(encoded.candidates)
    by_model = configured() is not None and bool(spoken)
    added = Added(BY_MODEL if by_model else BY_RULES)
    for asked in sorted(encoded.forget, key=lambda one: one.position):
        before = [one for one in waiting if (one.position or 0) <= asked.position]
        waiting = [one for one in waiting if one not in before]
        _store([_stated(one, at) for one in before], at, into=added)
        _forget(asked, at, into=added)
    _store([_stated(one, at) for one in waiting], at, into=added)
    if not (encoded.candidates or encoded.forget):
        _store(_alone(spoken, at), at, into=added)
    if by_model:
        added.encoding_id = _handed_over(spoken, at)
    return added


def _handed_over(spoken: Sequence[Message], at: Frame) -> UUID:
    return encode(
        by=at.by,
        owner_id=at.owner_id,
        messages=[(one.role, one.content, one.at) for one in spoken],
        session_id=at.named.get(RUN, ""),
        once=at.part(HANDING_OVER),
    )


def _message(sent: Mapping[str, Any], place: int, at: Frame) -> Message:
    role = sent.get("role", "user")
    known = role if role in ("system", "user", "assistant", "tool") else "assistant"
    said_at = at.values.get("timestamp") or at.now
    return Message(cast(Role, known), sent["content"], said_at, place)


def _as_sent(sent: Mapping[str, Any], at: Frame) -> Draft | MnemeError:
    return at.draft(
        sent["content"],
        category=SEPARATE,
        source_kind=KINDS.get(sent.get("role", "user"), SourceKind.INFERENCE),
        source_name=sent.get("name", ""),
    )


def _stated(found: Candidate, at: Frame) -> Draft | MnemeError:
    return at.draft(
        found.content,
        category=found.category,
        source_kind=found.source_kind,
        importance=found.importance,
        confidence=found.confidence,
    )


def _alone(spoken: Sequence[Message], at: Frame) -> list[Draft | MnemeError]:
    """Return the draft of a single message, if it tells anything."""
    if len(spoken) != 1 or spoken[0].role != "user":
        return []
    text = spoken[0].content
    if asks(text) or cues.OFF_THE_RECORD.search(text):
        return []
    return [at.draft(text, category="fact")]


def _store(drafts: Sequence[Draft | MnemeError], at: Frame, *, into: Added) -> None:
    done = len(into.results) + len(into.refused)
    saved = memories.remember_many(drafts=drafts, by=at.by, once=at.part(done))
    for one, draft in zip(saved, drafts, strict=True):
        if isinstance(one, Saved) and isinstance(draft, Draft):
            into.results.append(_kept(one, draft, at))
        elif isinstance(one, MnemeError):
            into.refused.append(one)


def _kept(saved: Saved, draft: Draft, at: Frame) -> dict[str, Any]:
    """Return the entry of one statement; one that repeats a memory of another agent,
    app or run is told apart from it, or it would be missing there."""
    text = draft.content
    if saved.event != "added" and (apart := _apart(saved, draft, at)):
        saved, text = apart
    more = {} if saved.status == "active" else {"status": saved.status}
    return shapes.event(saved.memory_id, text, EVENTS.get(saved.event, "NONE"), **more)


def _apart(saved: Saved, draft: Draft, at: Frame) -> tuple[Saved, str] | None:
    known = lookups.get(by=at.by, owner_id=at.owner_id, memory_id=saved.memory_id)
    kept = entities_of(known, at.owner_id)
    asked = [name for name in (AGENT, APP, RUN) if at.named.get(name)]
    if all(kept[name] == at.named[name] for name in asked):
        return None
    label = ", ".join(f"{name[:-3]} {at.named[name]}" for name in asked)
    text = f"{draft.content} ({label})"[-LONGEST_CONTENT:]
    told = replace(draft, content=text, category=SEPARATE)
    return memories.remember(draft=told, by=at.by), text


def _forget(asked: Forgetting, at: Frame, *, into: Added) -> None:
    """Do what the user asks; only a token that speaks for users and may delete can."""
    if not {SPEAKS, DELETES} <= at.by.scopes:
        return
    gone = memories.forget_matching(
        by=at.by,
        scope=access.read_scope(at.by, at.owner_id),
        query=asked.query[:1000],
        dry_run=False,
        unseen=True,
        once=at.part(-1 - asked.position),
    )
    into.results += [shapes.event(one, "", "DELETE") for one in gone.memory_ids]
    if gone.hint:
        into.message = f"{into.message} {NOTHING_WENT[gone.hint]}"
