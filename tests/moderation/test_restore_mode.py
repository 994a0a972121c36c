from datetime import UTC, datetime

import pytest
from django.db import connection
from django.test import Client

from memory_core.ledger import mode

NOW = datetime(2026, 11, 30, 9, tzinfo=UTC)


@pytest.fixture
def closed(settings, tmp_path):
    settings.LEDGER_DIR = tmp_path
    mode.begin("restored", stage="reapplying", backup="mneme-1", now=NOW)


PATHS = ["/", "/queue/", "/accounts/login/", "/certificates/x", "/nowhere"]
MACHINES = ["/v1/memory/recall", "/v1/memory/save", "/readyz", "/metrics", "/v1/docs/"]


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.usefixtures("closed")
def test_people_get_the_restore_page_and_nothing_else(path):
    for answer in (Client().get(path), Client().post(path)):
        assert answer.status_code == 503
        assert "mneme-1" in answer.content.decode()
        assert answer["Retry-After"] == "10"
        assert "default-src 'none'" in answer["Content-Security-Policy"]


@pytest.mark.parametrize("path", MACHINES)
@pytest.mark.usefixtures("closed")
def test_machines_get_a_problem_that_says_to_come_again(path):
    answer = Client().post(path, b"{}", content_type="application/json")
    assert answer.status_code == 503
    assert answer.json()["code"] == "restoring"
    assert answer["Retry-After"] == "10"
    assert answer.json()["request_id"] == answer["X-Request-ID"]


@pytest.mark.usefixtures("closed")
def test_the_page_has_an_address_and_two_languages():
    assert Client().get("/restore/").status_code == 200
    chinese = Client().get("/restore/", headers={"Accept-Language": "zh-CN"})
    assert 'lang="zh-hans"' in chinese.content.decode()
    assert "正在恢复" in chinese.content.decode()


@pytest.mark.usefixtures("closed")
def test_no_database_is_asked(monkeypatch):
    def fail(*args):
        raise AssertionError("asked")

    monkeypatch.setattr(connection, "ensure_connection", fail)
    assert Client().get("/queue/").status_code == 503
    assert Client().get("/healthz").status_code == 200


@pytest.mark.usefixtures("closed")
def test_a_failure_tells_what_to_do():
    mode.note(mode.Restore("restored", "", "failed", problem="residue_found", left=3))
    page = Client().get("/restore/").content.decode()
    assert "residue_found" in page
    assert "3 traces are left" in page
    assert "restore --reapply" in page


@pytest.mark.django_db
def test_an_open_service_has_no_restore_page(settings, tmp_path):
    settings.LEDGER_DIR = tmp_path
    assert Client().get("/restore/").status_code == 302
