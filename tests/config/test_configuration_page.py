"""docs/configuration.md says what env.py reads."""

from pathlib import Path

from django.conf import settings

from memory_core.management.commands.configuration import page


def test_the_page_of_variables_is_up_to_date():
    written = Path(settings.BASE_DIR) / "docs" / "configuration.md"
    assert written.read_text(encoding="utf-8") == page(), (
        "run `.venv/bin/python manage.py configuration --write`"
    )
