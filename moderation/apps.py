from importlib import import_module

from django.apps import AppConfig


class ModerationConfig(AppConfig):
    name = "moderation"
    verbose_name = "Moderation"

    def ready(self) -> None:
        """Name this app's erasers."""
        import_module("moderation.erasers").register()
