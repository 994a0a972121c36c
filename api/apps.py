from importlib import import_module

from django.apps import AppConfig


class ApiConfig(AppConfig):
    name = "api"
    verbose_name = "Agent API"

    def ready(self) -> None:
        """Register what the OpenAPI document needs to know."""
        import_module("api.openapi")
