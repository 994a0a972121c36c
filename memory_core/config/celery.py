"""The Celery application: `celery -A memory_core.config.celery worker`."""

import os

from celery import Celery

from memory_core.config.schedule import SCHEDULE

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memory_core.config.settings")

app = Celery("mneme")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.conf.beat_schedule = SCHEDULE
app.autodiscover_tasks(["memory_core", "moderation"], related_name="tasks")
