"""What a namespace holds for review and does with secrets, in numbered versions."""

from collections.abc import Sequence
from typing import Any

from memory_core import auditing, isolation
from memory_core.contracts.callers import Actor
from memory_core.contracts.enums import AgentReview, Tier
from memory_core.contracts.trust import TrustRank
from memory_core.models import Memory, Namespace
from moderation.models import PolicyVersion, SecondReview

COLUMNS = ("hold_inferences", "review_share", "secrets", "agent_review")


def set_review(
    *,
    namespace: Namespace,
    hold_inferences: str,
    review_share: float,
    secrets: str = "",
    agent_review: str = AgentReview.INFERENCES,
    second_review: Sequence[str] = (),
    note: str = "",
    by: Actor,
) -> PolicyVersion:
    """Return the new version of a policy; memories stored before keep theirs.

    `second_review` names decisions that another person makes again.
    """
    values: dict[str, Any] = {
        "hold_inferences": hold_inferences,
        "review_share": review_share,
        "secrets": secrets,
        "agent_review": agent_review,
        "second_review": sorted(second_review),
    }
    with isolation.transaction_for(by):
        row = Namespace.objects.select_for_update(no_key=True).get(pk=namespace.pk)
        made = _keep(row, values, by, note)
        for name in COLUMNS:
            setattr(row, name, values[name])
        row.save(update_fields=COLUMNS)
        auditing.record(
            "policy.review", by=by, namespace=row.name, version=made.version, **values
        )
    return made


def roll_back(*, version: PolicyVersion, by: Actor) -> PolicyVersion:
    """Return a new version with the values of an earlier one."""
    return set_review(
        namespace=version.namespace,
        note=f"back to version {version.version}",
        by=by,
        **version.values,
    )


def in_force(namespace_id: int) -> PolicyVersion | None:
    """Return the newest version, None while a policy is as installed."""
    rows = PolicyVersion.objects.filter(namespace=namespace_id)
    return rows.order_by("-version").first()


def values_of(namespace: Namespace, newest: PolicyVersion | None) -> dict[str, Any]:
    """Return the policy in force as its values by name, given its newest version."""
    asked = newest.values["second_review"] if newest else []
    return {name: getattr(namespace, name) for name in COLUMNS} | {
        "second_review": asked
    }


def all_in_force() -> dict[int, PolicyVersion]:
    """Return the newest versions by the namespaces' ids."""
    rows = PolicyVersion.objects.order_by("namespace", "-version")
    return {one.namespace_id: one for one in rows.distinct("namespace")}


def asks_second(memory: Memory, policy: PolicyVersion | None) -> str:
    """Return the rule for which a decision is made again, "" for none."""
    if policy is None:
        return ""
    reasons = [*memory.decision.get("reasons", []), *memory.verdict.get("tags", [])]
    fits = {
        SecondReview.SENSITIVE: any("sensitive" in one for one in reasons),
        SecondReview.PERMANENT: memory.tier == Tier.PERMANENT
        or "permanent_needs_review" in reasons,
        SecondReview.LOW_TRUST: memory.lineage_trust <= TrustRank.INFERENCE,
    }
    asked = policy.values["second_review"]
    return next((rule.value for rule, fit in fits.items() if fit and rule in asked), "")


def _keep(
    namespace: Namespace, values: dict[str, Any], by: Actor, note: str
) -> PolicyVersion:
    newest = in_force(namespace.pk)
    if newest is None:
        newest = PolicyVersion.objects.create(
            namespace=namespace,
            version=1,
            values=values_of(namespace, None),
            changed_by="system",
            note="as installed",
        )
    return PolicyVersion.objects.create(
        namespace=namespace,
        version=newest.version + 1,
        values=values,
        changed_by=by.name,
        note=note,
    )
