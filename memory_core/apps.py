from importlib import import_module

from django.apps import AppConfig
from django.conf import settings


class MemoryCoreConfig(AppConfig):
    name = "memory_core"
    verbose_name = "Memory"

    def ready(self) -> None:
        """Make our Celery application the one that `enqueue` sends through.

        And name the core's erasers and the weights of the write filter.
        """
        import_module("memory_core.config.celery")
        import_module("memory_core.erasure.stores").register()
        screening = import_module("memory_core.screening")
        screening.use_weights(settings.SCREENING_WEIGHTS)
