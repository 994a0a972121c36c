"""Signing in: nobody guesses for long, and nobody signs up."""

import pytest
import redis
from django.core.cache import cache
from django.template import Context, Origin, Template
from django.test import Client

from moderation.cache import SharedCache

pytestmark = pytest.mark.django_db
PATH = "/accounts/login/"


def test_a_name_is_locked_after_five_wrong_passwords(person):
    person("moderator")
    client = Client()
    for _ in range(5):
        client.post(PATH, {"login": "moderator", "password": "wrong"})
    answer = client.post(PATH, {"login": "moderator", "password": "wrong"})
    assert "Too many failed login attempts" in answer.content.decode()


def test_nobody_signs_up():
    answer = Client().post(
        "/accounts/signup/",
        {"username": "eve", "password1": "x" * 20, "password2": "x" * 20},
    )
    assert "eve" not in answer.content.decode()
    assert not Client().login(username="eve", password="x" * 20)


def test_attempts_are_counted_while_the_server_of_the_cache_is_down():
    down = SharedCache("redis://127.0.0.1:1/0", {})
    down.set("attempts", 3, 60)
    assert down.get("attempts") == 3
    assert down.add("attempts", 4, 60) is False
    down.delete("attempts")
    assert down.get("attempts") is None


def test_attempts_are_counted_for_all_processes(valkey_server):
    cache.set("attempts", 3, 60)
    keys = redis.Redis.from_url(valkey_server.url).keys("*attempts*")
    assert len(keys) == 1


@pytest.mark.parametrize("kind", ["text", "textarea"])
def test_a_disabled_field_of_the_account_pages_is_disabled(kind):
    template = Template(
        "{% load allauth %}"
        f'{{% element field type="{kind}" disabled=True %}}{{% endelement %}}',
        origin=Origin("account/somewhere.html", "account/somewhere.html"),
    )
    field = template.render(Context({}))
    assert "disabled" in field
    assert "readonly" not in field
