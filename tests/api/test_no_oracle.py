"""What a stranger cannot tell by the work that is done, whatever clock they have.

Time is noise on a busy machine. So the statements are compared: asking for what is
foreign and for what is nowhere causes the same ones, with values of their own.
"""

import re
from collections.abc import Callable
from uuid import uuid4

import psycopg
import pytest

from memory_core.actions import access
from memory_core.contracts import tokens
from memory_core.models import Token
from tests.api.client import new_agent
from tests.factories import make_token

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("vector_space")]

SAVEPOINT = re.compile(r'"s\d+_x\d+"')
"""Each has a number of its own inside the transaction of a test."""
Seen = Callable[[Callable[[], object]], list[str]]


@pytest.fixture
def statements(monkeypatch: pytest.MonkeyPatch) -> Seen:
    """Return what runs a call and gives the statements that it caused."""
    execute, seen = psycopg.Cursor.execute, []

    def noted(self, query, *args, **options):
        seen.append(SAVEPOINT.sub("", str(query)))
        return execute(self, query, *args, **options)

    monkeypatch.setattr(psycopg.Cursor, "execute", noted)

    def caused(call: Callable[[], object]) -> list[str]:
        seen.clear()
        call()
        return list(seen)

    return caused


class TestTokens:
    def test_one_that_is_nearly_right_is_looked_for_like_any_other(self, statements):
        """By a keyed digest of the whole, so no letter is compared with another."""
        known = make_token()
        body = known[len(tokens.MARK) : -tokens.CHECK_LENGTH]
        other = "y" if body[-1] == "x" else "x"
        nearly = body[:-1] + other
        same_start = body[:8] + tokens.new_secret()[12:36]
        tried = [_token(nearly), _token(same_start), tokens.new_secret()]
        caused = [statements(lambda one=one: access.authenticate(one)) for one in tried]
        assert caused[0] == caused[1] == caused[2] != []
        [asked] = [one for one in caused[0] if Token._meta.db_table in one]
        assert '"digest" = ' in asked
        assert '"prefix" = ' not in asked

    def test_one_with_a_wrong_checksum_reaches_no_database(self, statements):
        known = make_token()
        wrong = known[:-1] + ("A" if known[-1] != "A" else "B")
        assert statements(lambda: access.authenticate(wrong)) == []


def _token(body: str) -> str:
    return tokens.MARK + body + tokens._checksum(body)


class TestMemories:
    """An agent with an owner of its own asks for ids that it was told by somebody."""

    @pytest.fixture
    def foreign(self):
        other = new_agent(shared={"theirs": "rw"}, namespace="theirs")
        saved = other.post(
            "save", owner_id="lin", content="I like tea", category="preference"
        )
        return saved.json()["memory_id"]

    @pytest.fixture
    def agent(self):
        agent = new_agent()
        agent.post("save", owner_id="lin", content="I like maps", category="preference")
        return agent

    @pytest.mark.parametrize(
        ("method", "path", "body"),
        [
            ("GET", "/v1/memory/{id}?owner_id=lin", {}),
            ("GET", "/v1/memory/{id}/history?owner_id=lin", {}),
            ("POST", "/v1/memory/update", {"content": "x"}),
            ("POST", "/v1/memory/delete", {}),
            ("POST", "/v1/memory/restore", {}),
            ("POST", "/v1/memory/rollback", {"version": 1}),
            ("POST", "/v1/memory/feedback", {"verdict": "useful"}),
        ],
    )
    def test_a_foreign_one_costs_what_a_missing_one_costs(
        self, agent, foreign, statements, method, path, body
    ):
        answers = []

        def ask(memory_id):
            named = {"owner_id": "lin", "memory_id": memory_id, **body}
            sent = named if method == "POST" else None
            answers.append(agent.call(method, path.format(id=memory_id), sent))

        ask(uuid4())  # what is prepared and remembered once
        missing = statements(lambda: ask(uuid4()))
        there = statements(lambda: ask(foreign))
        assert missing == there != []
        assert {one.status_code for one in answers} <= {404, 200}
        assert answers[1].json().keys() == answers[2].json().keys()
