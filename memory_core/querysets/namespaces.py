"""The queryset of namespaces."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import models

if TYPE_CHECKING:
    from memory_core.models import Namespace  # noqa: F401 - named as text below


class NamespaceQuerySet(models.QuerySet["Namespace"]):
    """Rows that people name, or mean all of."""

    def ids(self, name: str = "") -> list[int]:
        """Return the id of the one of this name if it is there; of all for no name."""
        rows = self.filter(name=name) if name else self
        return list(rows.order_by("pk").values_list("pk", flat=True))
