"""What the overview shows, as plain values."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from django.conf import settings
from django.db.models import Min

from memory_core.contracts.enums import EmbeddingState, JobState
from memory_core.models import Agent, AuditEntry, Job, Memory, Owner, Source
from moderation.models import ReviewCase
from moderation.presenters.requests import late_requests, open_requests, to_approve
from moderation.waiting import in_view


@dataclass(frozen=True, slots=True)
class Overview:
    """Counts of what waits and of what there is; `credentials` if the file is there."""

    held: int
    held_since: datetime | None
    mine: int
    escalated: int
    unreviewed: int
    active: int
    owners: int
    agents: int
    queued: int
    refused: int
    blocked: int
    requests: int
    late: int
    to_approve: int
    jobs: list[Job]
    credentials: str


def look(*, user_id: int, now: datetime) -> Overview:
    """Return the overview of this moment."""
    pending = Memory.unscoped.pending()
    cases = ReviewCase.objects.all()
    lately = AuditEntry.objects.filter(at__gte=now - timedelta(days=1))
    path = Path(settings.HOME) / "credentials.json"
    return Overview(
        held=pending.count(),
        held_since=pending.aggregate(oldest=Min("created_at"))["oldest"],
        mine=cases.filter(claimed_by_id=user_id, claimed_until__gt=now).count(),
        escalated=in_view("escalated", user_id=user_id, now=now).count(),
        unreviewed=Memory.unscoped.unreviewed().count(),
        active=Memory.unscoped.active().count(),
        owners=Owner.objects.count(),
        agents=Agent.objects.filter(disabled_at=None).count(),
        queued=Memory.unscoped.filter(embedding=EmbeddingState.QUEUED).count(),
        refused=lately.filter(outcome="refused").count(),
        blocked=Source.objects.filter(blocked_at__isnull=False).count(),
        requests=open_requests().count(),
        late=late_requests(now.date()).count(),
        to_approve=to_approve(user_id).count(),
        jobs=list(
            Job.objects.filter(state__in=[JobState.QUEUED, JobState.RUNNING]).order_by(
                "-created_at"
            )[:10]
        ),
        credentials=str(path) if path.exists() else "",
    )
