"""A caller's own name for a memory is looked up, not searched for."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memory_core.models import Memory
from tests.factories.crowds import multiply

pytestmark = pytest.mark.django_db
OTHERS = 5_000  # of the same owner: too many to read them all for one name


def test_a_namesake_is_found_in_an_index(say):
    say("I like tea", external_id="crm-7")
    multiply(Memory.unscoped.get(), OTHERS, external_id="'other-' || n")
    with CaptureQueriesContext(connection) as asked:
        say("I like green tea", external_id="crm-7")
    statements = [one["sql"] for one in asked if "'crm-7'" in one["sql"]]
    looking = [sql for sql in statements if sql.startswith("SELECT")]
    assert looking
    with connection.cursor() as cursor:
        for sql in looking:
            cursor.execute(f"EXPLAIN {sql}")
            plan = [row[0] for row in cursor.fetchall()]
            by = [line for line in plan if "Index Cond" in line]
            assert any("external_id" in line for line in by), plan
