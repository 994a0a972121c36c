"""Readers of environment variables fail loudly and by name."""

import pytest
from django.core.exceptions import ImproperlyConfigured

from memory_core.config import env, keys
from memory_core.config.databases import celery_url, database, role_password

KEY = b"k" * 32


def test_a_wrong_value_is_named(monkeypatch):
    monkeypatch.setenv("MNEME_PORT", "eight")
    with pytest.raises(ImproperlyConfigured, match="MNEME_PORT='eight'"):
        env.PORT.read()


@pytest.mark.parametrize(
    ("raw", "value"),
    [("1", True), ("yes", True), ("ON", True), ("0", False), ("", False)],
)
def test_flags(raw, value):
    assert env.flag(raw) is value


def test_a_flag_is_not_guessed():
    with pytest.raises(ValueError, match="1 or 0"):
        env.flag("perhaps")


def test_a_key_is_made_once_and_only_its_owner_may_read_it(tmp_path):
    first = keys.load_or_create(tmp_path / "keys", "some")
    assert keys.load_or_create(tmp_path / "keys", "some") == first
    assert len(first) == 32
    assert (tmp_path / "keys" / "some").stat().st_mode & 0o777 == 0o600
    assert [path.name for path in (tmp_path / "keys").iterdir()] == ["some"]


def test_each_process_logs_in_as_its_own_role():
    url = "postgresql://boss:secret@db.example:5433/mneme?sslmode=require"
    owner = database(url, process="owner", key=KEY)
    web = database(url, process="web", key=KEY)
    jobs = database(url, process="jobs", key=KEY)
    assert (owner["USER"], owner["PASSWORD"]) == ("boss", "secret")
    assert web["USER"] == "mneme_web"
    assert web["PASSWORD"] == role_password(KEY, "mneme_web")
    assert jobs["USER"] == "mneme_jobs"
    assert (web["HOST"], web["PORT"], web["NAME"]) == ("db.example", "5433", "mneme")
    assert web["OPTIONS"]["sslmode"] == "require"


def test_an_embedded_server_is_reached_by_its_socket():
    url = "postgresql://mneme@/mneme?host=/tmp/some%20where"
    assert database(url, process="owner", key=KEY)["HOST"] == "/tmp/some where"


def test_celery_gets_the_form_it_understands():
    assert celery_url("unix:///tmp/v.sock?db=2") == (
        "redis+socket:///tmp/v.sock?virtual_host=2"
    )
    assert celery_url("redis://:pw@host:6379/0") == "redis://:pw@host:6379/0"
