"""What a database may say in the middle of a write: try again; nothing is half."""

import pytest
from django.db import connection

from memory_core.models import AuditEntry, Memory
from tests.api.client import HttpAgent, new_agent

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("vector_space")]

FAULTS = {
    "40001": "could not serialize",
    "40P01": "deadlock",
    "57014": "statement timeout",
    "55P03": "lock timeout",
    "53100": "disk full",
    "53200": "out of memory",
    "53300": "too many connections",
    "57P01": "shut down by the administrator",
    "25006": "read-only",
}
FAIL = """
CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION 'secret words' USING ERRCODE = '%s'; END $$
"""
ON = "CREATE TRIGGER fail BEFORE INSERT ON {} FOR EACH ROW EXECUTE FUNCTION fail()"
TEA = {"owner_id": "lin", "content": "I like tea", "category": "preference"}


def broken(table: str, code: str) -> None:
    """Let every insert into a table fail with that state."""
    with connection.cursor() as cursor:
        cursor.execute(FAIL % code)
        cursor.execute(ON.format(table))


def whole(table: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"DROP TRIGGER fail ON {table}; DROP FUNCTION fail()")


def refused(agent: HttpAgent) -> None:
    """A save is refused so that a client tries again, and leaves nothing."""
    answer = agent.post("save", **TEA)
    assert (answer.status_code, answer.json()["code"]) == (503, "service_unavailable")
    assert int(answer["Retry-After"]) >= 1
    assert "secret" not in answer.content.decode()
    assert not Memory.unscoped.exists()


@pytest.mark.parametrize("code", FAULTS)
@pytest.mark.parametrize("table", ["memory_core_memory", "memory_core_memoryterm"])
def test_a_fault_at_the_first_or_a_late_statement_leaves_no_half_write(table, code):
    agent = new_agent()
    broken(table, code)
    refused(agent)
    whole(table)
    assert agent.post("save", **TEA).status_code == 201
    assert Memory.unscoped.count() == 1


@pytest.mark.parametrize(
    "refusal",
    [
        "ALTER TABLE memory_core_auditentry"
        " ADD CONSTRAINT nothing CHECK (false) NOT VALID",
        "REVOKE INSERT ON memory_core_auditentry FROM mneme_api",
    ],
)
def test_what_cannot_be_audited_does_not_happen(refusal):
    agent = new_agent()
    before = AuditEntry.objects.count()
    with connection.cursor() as cursor:
        cursor.execute(refusal)
    refused(agent)
    assert AuditEntry.objects.count() == before


def test_nor_if_the_disk_is_full():
    agent = new_agent()
    broken("memory_core_auditentry", "53100")
    refused(agent)
