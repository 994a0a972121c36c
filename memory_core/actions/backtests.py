"""Have kept queries asked again under another half-life, before it is saved."""

from dataclasses import asdict
from typing import Any

from django.utils import timezone

from memory_core import auditing, isolation, jobs
from memory_core.actions.categories import check
from memory_core.contracts.callers import Actor
from memory_core.contracts.categories import Settings
from memory_core.models import Category, Job, Namespace
from memory_core.tuning.backtest import KIND, MOST, samples


def start(
    *,
    category: Category,
    settings: Settings,
    by: Actor,
    namespace: Namespace | None = None,
) -> Job:
    """Return the queued back-test; one that tries the same and is open is the same.

    Raises InvalidInput.
    """
    check(settings)
    params = _params(category, settings, namespace)
    with isolation.transaction_for(by):
        rows = Job.objects.filter(kind=KIND, params=params, state__in=jobs.OPEN)
        if found := rows.first():
            return found
        job = Job.objects.create(
            kind=KIND,
            namespace=namespace,
            params=params,
            total=min(MOST, samples(params["namespace"]).count()),
            created_by=by.name,
            created_at=timezone.now(),
        )
        auditing.record(
            "category.backtest",
            by=by,
            namespace=namespace.name if namespace else "",
            category=category.name,
            job=str(job.pk),
            **asdict(settings),
        )
        jobs.call_worker()
    return job


def latest(
    category: Category, settings: Settings, namespace: Namespace | None = None
) -> Job | None:
    """Return the last back-test that tried these settings."""
    params = _params(category, settings, namespace)
    return Job.objects.filter(kind=KIND, params=params).order_by("-created_at").first()


def _params(
    category: Category, settings: Settings, namespace: Namespace | None
) -> dict[str, Any]:
    return {
        "category": category.name,
        "namespace": namespace.pk if namespace else None,
        "settings": asdict(settings),
    }
