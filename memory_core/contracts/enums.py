"""The words of the domain, as they are stored and as the API writes them."""

from typing import Literal, get_args

from django.db.models import IntegerChoices, TextChoices
from django.utils.translation import gettext_lazy as _

CategoryName = Literal[
    "profile",
    "fact",
    "preference",
    "event",
    "task",
    "skill",
    "constraint",
    "temporary",
]
CATEGORIES: tuple[CategoryName, ...] = get_args(CategoryName)


class Status(IntegerChoices):
    """Small numbers, since the vector and term indexes carry them."""

    ACTIVE = 1, _("active")
    PENDING = 2, _("pending")
    REJECTED = 3, _("rejected")
    SUPERSEDED = 4, _("superseded")
    ARCHIVED = 5, _("archived")
    EXPIRED = 6, _("expired")

    @property
    def word(self) -> str:
        """Return the word of the API (`active`, `pending`, ...)."""
        return self.name.lower()

    @classmethod
    def of(cls, word: str) -> "Status":
        """Return the status of the API's word; raises KeyError."""
        return cls[word.upper()]


class Tier(TextChoices):
    LONG = "long", _("long-term")
    PERMANENT = "permanent", _("permanent")


class SourceKind(TextChoices):
    USER_INPUT = "user_input", _("said by the user")
    INFERENCE = "inference", _("inferred by an agent")
    TOOL_RESULT = "tool_result", _("result of a tool")
    IMPORT = "import", _("imported")


class Trust(TextChoices):
    TRUSTED = "trusted", _("trusted")
    NORMAL = "normal", _("normal")


class WriteStrategy(TextChoices):
    REPLACE = "replace", _("a newer value replaces")
    DEDUPLICATE = "deduplicate", _("the same is kept once")
    APPEND = "append", _("everything is kept")


class NamespaceKind(TextChoices):
    PRIVATE = "private", _("private")
    SHARED = "shared", _("shared")


class HoldInferences(TextChoices):
    """Which inferences wait for a person before they are recalled."""

    SUSPICIOUS = "suspicious", _("suspicious ones")
    ALL = "all", _("all")
    SAMPLE = "sample", _("suspicious ones and a sampled share")


class AgentReview(TextChoices):
    """What a reviewer agent may decide; the rest is left to people."""

    NONE = "none", _("nothing")
    REJECT = "reject", _("reject")
    INFERENCES = "inferences", _("reject, and approve harmless inferences")
    ALL = "all", _("approve and reject everything")


class SecondReview(TextChoices):
    """Which memories two people must agree to let in."""

    SENSITIVE = "sensitive", _("sensitive actions")
    PERMANENT = "permanent", _("what would never fade")
    LOW_TRUST = "low_trust", _("what came from a tool or an inference")


class Secrets(TextChoices):
    """What becomes of keys and passwords in what is to be stored."""

    REFUSE = "refuse", _("refuse the memory")
    REDACT = "redact", _("replace them and keep the rest")


class JobState(TextChoices):
    QUEUED = "queued", _("queued")
    RUNNING = "running", _("running")
    PAUSED = "paused", _("paused")
    DONE = "done", _("done")
    FAILED = "failed", _("failed")
    CANCELLED = "cancelled", _("cancelled")


class VectorSpaceState(TextChoices):
    """Where an embedding model stands: one is active, others are built or kept."""

    ACTIVE = "active", _("answers recalls")
    BUILDING = "building", _("being filled")
    KEPT = "kept", _("kept to go back")


class EmbeddingState(TextChoices):
    READY = "ready", _("ready")
    QUEUED = "queued", _("queued")
