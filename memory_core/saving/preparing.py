"""What a save does before its transaction: look, screen, embed.

Nothing of it is final. What could change until the write (a block, a trust, an equal
text) is read again under the locks.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from memory_core import isolation
from memory_core.contracts.callers import Actor, Scope
from memory_core.contracts.enums import SourceKind, Status
from memory_core.contracts.memories import Draft
from memory_core.contracts.relation import Vector
from memory_core.contracts.screening import Provenance, Verdict
from memory_core.contracts.trust import TrustRank
from memory_core.exceptions import InvalidInput, ScreeningRefused
from memory_core.saving import gates, lookups, neighbours
from memory_core.saving.decide import Incoming, repeated
from memory_core.saving.lookups import Kind, Space
from memory_core.saving.neighbours import Known
from memory_core.saving.provenance import (
    Origin,
    origin_of,
    rank_for,
    wants_permanent,
)
from memory_core.saving.redacting import without_secrets
from memory_core.saving.second_opinion import reconsidered
from memory_core.saving.texts import key_of, screened_fields
from memory_core.saving.vectors import ModelRow, active_model, embed_in_time
from memory_core.screening import screen, with_the_one_before
from memory_core.stages import stage

CLOCK_SKEW = timedelta(minutes=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """A draft with all that is known before its transaction.

    `needs_vector` is False when it only repeats what stands; `vector` is None until
    it was embedded, or when that took too long. `redacted` are the kinds of secrets
    that were taken out of the draft.
    """

    draft: Draft
    by: Actor
    scope: Scope
    now: datetime
    observed_at: datetime
    space: Space
    kind: Kind
    origin: Origin
    trust: str
    verdict: Verdict
    text_key: bytes
    model: ModelRow
    needs_vector: bool
    vector: Vector | None = None
    redacted: tuple[str, ...] = ()

    @property
    def rank(self) -> TrustRank:
        """How far this statement is trusted."""
        return rank_for(self.origin.kind, self.trust, self.by)

    @property
    def is_imported(self) -> bool:
        """Whether it comes from a file, and so merges only with its own like."""
        has_file = self.draft.imported is not None
        return has_file or self.origin.kind == SourceKind.IMPORT

    @property
    def incoming(self) -> Incoming:
        """What the rules need to know of it, but for whether it is held."""
        draft = self.draft
        return Incoming(
            rank=self.rank,
            strategy=self.kind.strategy,
            subject=draft.subject,
            observed_at=self.observed_at,
            occurred_at=draft.occurred_at,
            is_permanent=wants_permanent(draft),
            is_imported=self.is_imported,
        )


def prepare(draft: Draft, by: Actor, scope: Scope, *, now: datetime) -> Prepared:
    """Return the draft looked up and screened, without its vector.

    Raises SourceBlocked, OwnerBeingErased, OwnerErased, ScreeningRefused and
    InvalidInput.
    """
    observed_at = moment_of(draft.observed_at, now=now)
    origin = origin_of(draft, by)
    namespace = scope.namespaces[0]

    with stage("lookup"), isolation.transaction_for(by, scope):
        space = lookups.namespace(namespace)
        draft, redacted = cleaned(draft, space)
        key = key_of(draft.content)
        source = gates.look(namespace, origin, draft.owner_id, now=now)
        equals = neighbours.same_text(
            owner=scope.owner, namespace=namespace, text_key=key
        )
        kind = lookups.category(draft.category)
        model = active_model()
        before = ""
        if origin.kind != SourceKind.USER_INPUT and not equals:
            before = neighbours.said_before(
                owner=scope.owner, namespace=namespace, source=source.id
            )
    verdict = verdict_on(draft, origin, source.trust, before=before)
    prepared = Prepared(
        draft=draft,
        by=by,
        scope=scope,
        now=now,
        observed_at=observed_at,
        space=space,
        kind=kind,
        origin=origin,
        trust=source.trust,
        verdict=reconsidered(verdict, draft.content, origin.kind),
        text_key=key,
        model=model,
        needs_vector=True,
        redacted=redacted,
    )
    return replace(prepared, needs_vector=not _only_repeats(prepared, equals))


def _only_repeats(prepared: Prepared, equals: Sequence[Known]) -> bool:
    """Return whether it changes nothing that it would have to be compared with.

    Words that were retired meanwhile may replace what is current, as new ones do.
    """
    same = repeated(prepared.incoming, equals)
    return same is not None and same.status != Status.ARCHIVED


def cleaned(draft: Draft, space: Space) -> tuple[Draft, tuple[str, ...]]:
    """Return the draft as the namespace may store it, and the secrets' kinds."""
    return without_secrets(draft) if space.redacts else (draft, ())


def with_vectors(prepared: Sequence[Prepared]) -> list[Prepared]:
    """Return the drafts with the vectors that came in time; they embed together."""
    waiting = [one for one in prepared if one.needs_vector]
    found: dict[int, Vector | None] = {}
    if waiting:
        texts = [one.draft.content for one in waiting]
        with stage("embedding"):
            vectors = embed_in_time(waiting[0].model, texts)
        found = {id(one): vector for one, vector in zip(waiting, vectors, strict=True)}
    return [replace(one, vector=found.get(id(one))) for one in prepared]


def embedded(prepared: Prepared) -> Prepared:
    """Return a draft that turned out to need a vector under the locks, with it.

    What it repeated was retired between look and lock: seldom enough to wait for the
    embedder there.
    """
    if prepared.needs_vector or prepared.vector is not None:
        return prepared
    return with_vectors([replace(prepared, needs_vector=True)])[0]


def with_trust(prepared: Prepared, trust: str) -> Prepared:
    """Return the draft judged anew if its source's trust changed meanwhile."""
    if trust == prepared.trust:
        return prepared
    verdict = verdict_on(prepared.draft, prepared.origin, trust)
    return replace(prepared, trust=trust, verdict=verdict)


def verdict_on(
    draft: Draft, origin: Origin, trust: str, *, before: str = ""
) -> Verdict:
    """Return what the write filter says; raises ScreeningRefused with the rules.

    `before` is what the same source wrote last: it may be the first half.
    """
    provenance = provenance_of(origin, trust)
    with stage("screening"):
        fields = screened_fields(draft, source_name=origin.name)
        verdict = screen(fields, provenance)
        verdict = with_the_one_before(verdict, before, draft.content, provenance)
    return accepted(verdict)


def provenance_of(origin: Origin, trust: str) -> Provenance:
    """Return what the write filter needs to know of where a text comes from."""
    return Provenance(origin.kind.value, trust)  # type: ignore[arg-type]


def accepted(verdict: Verdict) -> Verdict:
    """Return a verdict that lets in or holds; ScreeningRefused for another."""
    if verdict.outcome == "refuse":
        raise ScreeningRefused(rules=list(verdict.rules), version=verdict.version)
    return verdict


def moment_of(sent: datetime | None, *, now: datetime) -> datetime:
    """Return when it was said: as sent, else now; raises InvalidInput for a future."""
    if sent is None:
        return now
    if sent > now + CLOCK_SKEW:
        raise InvalidInput("observed_at lies in the future.", field="observed_at")
    return min(sent, now)
