"""Sources, agents, memories and the audit log, as people use them."""

import pytest

from memory_core import jobs
from memory_core.actions.access import authenticate
from memory_core.contracts.enums import Status
from memory_core.models import AuditEntry, Memory, Source, Token
from moderation import tasks as _registers  # noqa: F401
from tests.factories import make_token

pytestmark = pytest.mark.django_db
XSS = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "{{ 7|add:7 }}",
    "javascript:alert(1)",
    "'-alert(1)-'",
]


def test_a_block_is_shown_before_it_is_made_and_holds_what_was_written(signed_in, held):
    memory, client = held(), signed_in("lead")
    client.post(
        f"/queue/{memory.pk}/decide/",
        {
            "verb": "approve",
            "version": memory.version,
            "digest": bytes(memory.content_digest).hex(),
            "reason": "accurate",
        },
    )
    place = f"/blocks/source/{memory.source_id}/"
    page = client.get(place).content.decode()
    assert "active 1" in page
    client.post(f"{place}place/", {"reason": "poisoned", "after": "hold"})
    while jobs.work(seconds=60):
        pass
    memory.refresh_from_db()
    source = Source.objects.get(pk=memory.source_id)
    assert memory.status == Status.PENDING
    assert source.blocked_by == "operator:lead"
    client.post(f"{place}lift/")
    source.refresh_from_db()
    assert source.blocked_at is None
    actions = AuditEntry.objects.values_list("action", flat=True)
    assert {"source.block", "source.unblock"} <= set(actions)


def test_a_token_is_shown_once_and_works(signed_in):
    client = signed_in("admin")
    client.post("/agents/register/", {"name": "helper"})
    page = client.post(
        "/agents/1/issue/".replace("1", str(_agent("helper"))),
        {"scopes": ["recall"], "days": "30", "rate": "10", "owner_claim": ""},
    ).content.decode()
    secret = page.split("Bearer ")[1].split("<")[0].strip()
    assert authenticate(secret)
    again = client.get(f"/agents/{_agent('helper')}/").content.decode()
    assert secret not in again


def test_a_revoked_token_is_refused(signed_in):
    secret = make_token("worker")
    token = Token.objects.get(prefix=secret[:12])
    signed_in("admin").post(f"/tokens/{token.pk}/revoke/")
    assert authenticate(secret) is None


def test_the_audit_log_finds_a_person_without_keeping_the_name(signed_in, held):
    held(owner="lin-the-person")
    client = signed_in("auditor")
    found = client.post("/audit/person/", {"owner": "lin-the-person"})
    assert "memory.save" in found.content.decode()
    assert "memory.save" not in (
        client.post("/audit/person/", {"owner": "nobody"}).content.decode()
    )
    assert "lin-the-person" not in str(list(AuditEntry.objects.values()))


def test_an_export_is_audited_and_no_cell_is_a_formula(signed_in):
    client = signed_in("auditor", "=cmd()")
    client.post("/audit/export/")
    text = b"".join(client.post("/audit/export/").streaming_content).decode()
    assert "audit.export" in text
    cells = [cell for line in text.splitlines() for cell in line.split(",")]
    assert not [cell for cell in cells if cell.startswith(("=", "+", "@"))]


@pytest.mark.parametrize("text", XSS)
def test_memory_text_stays_text_on_every_page(signed_in, held, text):
    memory, client = held(), signed_in("admin")
    Memory.unscoped.filter(pk=memory.pk).update(content=text, tags=[text])
    Source.objects.filter(pk=memory.source_id).update(name=text)
    for path in (
        "/queue/",
        f"/queue/{memory.pk}/",
        "/memories/",
        f"/memories/{memory.pk}/",
        "/sources/",
        f"/sources/{memory.source_id}/",
    ):
        page = client.get(path).content.decode()
        assert "<script>alert" not in page, path
        assert "<img src=x" not in page, path
        assert "7|add:7" in page or "{{" not in text, path


def test_a_memory_is_changed_archived_restored_and_deleted(signed_in, held):
    memory, client = held(), signed_in("lead")
    page = client.get(f"/memories/{memory.pk}/")
    assert memory.content in page.content.decode()
    client.post(
        f"/memories/{memory.pk}/edit/",
        {"content": "我每天七点起床", "category": "fact", "version": memory.version},
    )
    memory.refresh_from_db()
    assert memory.content == "我每天七点起床"
    client.post(f"/memories/{memory.pk}/delete/")
    assert not Memory.unscoped.filter(pk=memory.pk).exists()


def test_a_recall_as_an_agent_shows_what_it_would_get(signed_in, held):
    held()
    make_token("asking", shared={"support": "r"})
    page = signed_in("moderator").get(
        "/memories/recall/",
        {"agent": "asking", "owner": "lin", "query": "备份", "as_of": ""},
    )
    assert page.status_code == 200
    assert "The agent would get nothing." in page.content.decode()


def _agent(name: str) -> int:
    from memory_core.models import Agent

    return Agent.objects.get(name=name).pk


@pytest.mark.parametrize("path", ["/requests/", "/requests/new/", "/requests/holds/"])
def test_a_page_has_its_own_styles_before_the_scripts_of_all_pages(signed_in, path):
    page = signed_in("compliance").get(path).content.decode()
    assert 0 < page.index("css/cases.css") < page.index("<script")
