"""The embedded servers in the tests' own home."""

from collections.abc import Iterator

import pytest
from django.db import connection

from memory_core.config.embedded import PostgresHandle
from memory_core.config.embedded.errors import CannotStart
from memory_core.config.embedded.external import check_postgres


@pytest.mark.django_db
def test_the_database_has_pgvector_and_sorts_by_code_point() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT '[1,2]'::vector <=> '[1,2]'::vector, 'B' < 'a'")
        assert cursor.fetchone() == (0.0, True)


@pytest.mark.django_db
def test_memory_text_of_a_failing_statement_stays_out_of_the_log(
    postgres_server: PostgresHandle,
) -> None:
    with connection.cursor() as cursor, pytest.raises(Exception, match="syntax"):
        cursor.execute("SELECT 'my secret cake' FRM nowhere")
    log = postgres_server.child.service.log.read_text()
    assert "syntax error" in log
    assert "secret cake" not in log


@pytest.fixture
def bare() -> Iterator[str]:
    """The address of a database without pgvector, whose user may not add it."""
    statements = (
        "CREATE DATABASE mneme_bare",
        "CREATE ROLE mneme_guest LOGIN",
    )
    back = ("DROP DATABASE IF EXISTS mneme_bare", "DROP ROLE IF EXISTS mneme_guest")
    where = connection.settings_dict
    with connection.cursor() as cursor:
        for one in (*back, *statements):
            cursor.execute(one)
    yield f"postgresql://mneme_guest@/mneme_bare?host={where['HOST']}"
    with connection.cursor() as cursor:
        for one in back:
            cursor.execute(one)


@pytest.mark.django_db(transaction=True)
def test_a_server_without_pgvector_is_refused_with_what_to_do(bare: str) -> None:
    with pytest.raises(CannotStart) as refusal:
        check_postgres(bare)
    words = str(refusal.value)
    assert words.startswith("The database in DATABASE_URL has no pgvector")
    assert words.endswith("CREATE EXTENSION vector")
    assert "\n" not in words
