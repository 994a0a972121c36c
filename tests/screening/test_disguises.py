"""Every disguise of benchmarks/obfuscate.py is caught as often as the plain text."""

import pytest

from benchmarks.obfuscate import DISGUISES, attacks, caught_share
from memory_core.screening.pinyin import has_initials

LIMIT = 40  # attacks of a language
OF_PLAIN = 0.95
ONE_ROW = 1 / LIMIT
CASES = [(language, name) for language in DISGUISES for name in DISGUISES[language]]


@pytest.fixture(scope="module")
def plain() -> dict[str, float]:
    """The caught share of the undisguised attacks, per language."""
    return {
        language: caught_share(attacks(None, language, LIMIT)) for language in DISGUISES
    }


@pytest.mark.parametrize(("language", "name"), CASES)
def test_a_disguise_hides_nothing(
    language: str, name: str, plain: dict[str, float]
) -> None:
    disguise = DISGUISES[language][name]
    caught = caught_share([disguise(text) for text in attacks(None, language, LIMIT)])
    assert caught >= OF_PLAIN * plain[language] - ONE_ROW


def test_a_long_english_word_without_vowels_hides_no_pinyin() -> None:
    assert not has_initials("think about your strengths before you change jobs.")
    assert has_initials("qhlzqdsyzl")
