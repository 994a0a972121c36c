"""A caller's own name for a memory is looked up, not searched for."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

pytestmark = pytest.mark.django_db


def test_a_namesake_is_found_in_an_index(say):
    say("I like tea", external_id="crm-7")
    with CaptureQueriesContext(connection) as asked:
        say("I like green tea", external_id="crm-7")
    statements = [one["sql"] for one in asked if "'crm-7'" in one["sql"]]
    looking = [sql for sql in statements if sql.startswith("SELECT")]
    assert looking
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        for sql in looking:
            cursor.execute(f"EXPLAIN {sql}")
            plan = [row[0] for row in cursor.fetchall()]
            by = [line for line in plan if "Index Cond" in line]
            assert any("external_id" in line for line in by), plan
