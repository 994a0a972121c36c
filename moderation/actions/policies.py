"""What a namespace holds for review and does with secrets, in numbered versions."""

from collections.abc import Sequence
from typing import Any

from memory_core import auditing, isolation
from memory_core.contracts.callers import Actor
from memory_core.contracts.enums import AgentReview
from memory_core.models import Namespace
from moderation.models import PolicyVersion

COLUMNS = (
    "hold_inferences",
    "review_share",
    "secrets",
    "agent_review",
    "second_review",
)


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

    `second_review` names what two people must agree to let in.
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


def values_of(namespace: Namespace) -> dict[str, Any]:
    """Return the policy in force as its values by name."""
    return {name: getattr(namespace, name) for name in COLUMNS}


def _keep(
    namespace: Namespace, values: dict[str, Any], by: Actor, note: str
) -> PolicyVersion:
    newest = in_force(namespace.pk)
    if newest is None:
        newest = PolicyVersion.objects.create(
            namespace=namespace,
            version=1,
            values=values_of(namespace),
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
