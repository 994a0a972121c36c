#!/usr/bin/env python
"""Run a management command: `python manage.py help` lists them."""

import os
import sys

from django.core.management import execute_from_command_line


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memory_core.config.settings")
    os.environ.setdefault("MNEME_PROCESS", "owner")
    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
