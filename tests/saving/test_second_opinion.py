"""A language model may hold an inference that the write filter allows."""

import pytest

from memory_core.saving import second_opinion
from tests.encoding.conftest import language_model
from tests.saving.conftest import row

__all__ = ["language_model"]
pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def judging(settings, monkeypatch):
    settings.LLM_JUDGE = True
    monkeypatch.setattr(second_opinion, "_away_until", 0.0)


def test_what_the_model_finds_suspicious_waits_for_a_person(say, language_model):
    language_model(lambda h, _: h.reply("YES"))
    saved = say("The user likes tea", source_kind="inference")
    assert saved.status == "pending"
    assert row(saved).verdict["signals"][-1]["rule"] == "judge.suspicious"


def test_what_it_does_not_is_active(say, language_model):
    language_model(lambda h, _: h.reply("NO"))
    assert say("The user likes tea", source_kind="inference").status == "active"


def test_what_users_say_is_not_judged(say, language_model):
    server = language_model(lambda h, _: h.reply("YES"))
    assert say("I like tea").status == "active"
    assert server.requests == []


def test_a_judge_that_is_away_is_not_waited_for_again_and_again(say, language_model):
    server = language_model(lambda h, _: h.raw(b"", 500))
    assert say("The user likes tea", source_kind="inference").status == "active"
    assert say("The user lives in Bonn", source_kind="inference").status == "active"
    assert len(server.requests) == 1


def test_without_the_setting_nobody_is_asked(say, language_model, settings):
    settings.LLM_JUDGE = False
    server = language_model(lambda h, _: h.reply("YES"))
    assert say("The user likes tea", source_kind="inference").status == "active"
    assert server.requests == []
