"""The Chinese catalogue is complete, and compiled from what is in the repository."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CATALOGUE = Path("locale/zh_Hans/LC_MESSAGES/django.po")
KEPT = ROOT / "moderation" / CATALOGUE
QUOTED = re.compile(r'"(.*)"')

needs_gettext = pytest.mark.skipif(
    shutil.which("xgettext") is None, reason="no gettext on this machine"
)


def entries(text: str) -> dict[str, str]:
    """Return texts and translations of a catalogue, without its head."""
    found = {}
    for block in text.split("\n\n"):
        parts: dict[str, str] = {}
        name = ""
        for line in block.splitlines():
            if line.startswith("msg"):
                name = line.partition(" ")[0]
            if name and (match := QUOTED.search(line)):
                parts[name] = parts.get(name, "") + match.group(1)
        if parts.get("msgid"):
            found[parts["msgid"]] = parts.get("msgstr") or parts.get("msgstr[0]", "")
    return found


@needs_gettext
def test_every_text_of_the_console_has_its_translation(tmp_path):
    for room in ("moderation", "templates"):
        shutil.copytree(
            ROOT / room, tmp_path / room, ignore=shutil.ignore_patterns("locale")
        )
    shutil.copy(ROOT / "memory_core/contracts/enums.py", tmp_path)
    (tmp_path / "locale").mkdir()
    command = "makemessages -l zh_Hans --no-wrap --no-location"
    bare = {k: v for k, v in os.environ.items() if k != "DJANGO_SETTINGS_MODULE"}
    subprocess.run(
        [sys.executable, "-m", "django", *command.split()],
        cwd=tmp_path,
        env=bare,
        check=True,
        capture_output=True,
    )
    wanted = entries((tmp_path / CATALOGUE).read_text("utf-8"))
    known = entries(KEPT.read_text("utf-8"))
    assert len(wanted) > 400
    assert sorted(set(wanted) - set(known)) == []
    assert sorted(set(known) - set(wanted)) == []


def test_no_entry_is_empty_or_unsure():
    text = KEPT.read_text("utf-8")
    assert "fuzzy" not in text
    assert [one for one, said in entries(text).items() if not said] == []


@needs_gettext
def test_the_compiled_catalogue_is_the_present_one(tmp_path):
    fresh = tmp_path / "django.mo"
    subprocess.run(["msgfmt", "--check", "-o", fresh, KEPT], check=True)
    assert fresh.read_bytes() == KEPT.with_suffix(".mo").read_bytes()


def test_placeholders_are_the_same_in_both_languages():
    for english, chinese in entries(KEPT.read_text("utf-8")).items():
        assert placeholders(english) == placeholders(chinese), english


def placeholders(text: str) -> set[str]:
    return set(re.findall(r"%\((\w+)\)", text))
