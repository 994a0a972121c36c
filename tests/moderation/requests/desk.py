"""What people of compliance do with a request, as requests over HTTP."""

from django.test import Client
from django.utils import timezone

from memory_core.models import ErasureRun
from moderation.actions import (
    erasure_progress,
)
from moderation.models import CaseState, ErasureCase

PERSON, NAME = "meichen-42", "Chen Meilin"


def form(**more: str) -> dict[str, str]:
    return {
        "owner": PERSON,
        "name": NAME,
        "received_on": timezone.localdate().isoformat(),
        "channel": "email",
        "regime": "gdpr",
        "language": "en",
        "requester": "subject",
        **more,
    }


def post(client: Client, case: ErasureCase, verb: str, **values: object) -> None:
    answer = client.post(f"/requests/{case.ref}/{verb}/", values)
    assert answer.status_code == 302, (verb, answer.content.decode()[-3000:])
    case.refresh_from_db()


def advance(case: ErasureCase) -> str:
    """Let the request go on by itself; return its state."""
    after = erasure_progress.advance(ref=case.ref, now=timezone.now())
    case.refresh_from_db()
    return after.state


def purged(case: ErasureCase) -> None:
    """Note that the indexes were purged: nothing is vacuumed inside a test."""
    runs = ErasureRun.objects.filter(ref=case.run_ref)
    runs.update(index_purged_at=timezone.now())


def noted(client: Client, **more: str) -> ErasureCase:
    answer = client.post("/requests/new/", form(**more))
    assert answer.status_code == 302, answer.content.decode()
    return ErasureCase.objects.latest("created_at")


def approved(office: tuple[Client, Client], **more: str) -> ErasureCase:
    """A request whose erasure was proposed by one and approved by the other."""
    lin, amara = office
    case = noted(lin, **more)
    post(lin, case, "settle", method="contact")
    assert advance(case) == CaseState.ASSESSING
    for mention in case.mentions.all():
        key = str(mention.memory_id)
        post(lin, case, "mentions", memory=key, **{f"treatment-{key}": "redact"})
    post(lin, case, "propose", ground="17-1-b", cool_off_hours="0")
    post(amara, case, "approve", code=case.ref)
    return case
