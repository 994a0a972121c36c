"""What belongs to a request: its identifiers, pauses, letters, remarks."""

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from memory_core.models.base import new_id
from moderation.models.erasure_case import ErasureCase


class CaseIdentifier(models.Model):
    """A keyed digest of an identifier, by which other requests of a person are found.

    One row for each key that was live when the request came.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    case = models.ForeignKey(
        ErasureCase, on_delete=models.CASCADE, related_name="identifiers"
    )
    kind = models.CharField(max_length=10)
    digest = models.BinaryField(max_length=32)
    key_id = models.CharField(max_length=20)

    class Meta:
        indexes = [models.Index("digest", "kind", name="caseidentifier_by_digest")]

    def __str__(self) -> str:
        return f"{self.kind} of case {self.case_id}"


class CaseEvent(models.Model):
    """A line of a request's history: who did what, in codes and counts."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    case = models.ForeignKey(
        ErasureCase, on_delete=models.CASCADE, related_name="events"
    )
    name = models.CharField(max_length=30)
    actor = models.CharField(max_length=150)
    at = models.DateTimeField()
    details = models.JSONField(default=dict)

    def __str__(self) -> str:
        return f"{self.name} of case {self.case_id}"


class CasePause(models.Model):
    """Days on which the clock stood still because proof of identity was awaited."""

    case = models.ForeignKey(
        ErasureCase, on_delete=models.CASCADE, related_name="pauses"
    )
    started_on = models.DateField()
    ended_on = models.DateField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                name="casepause_is_open_once",
                fields=["case"],
                condition=Q(ended_on=None),
            ),
            models.CheckConstraint(
                name="casepause_ends_after_its_start",
                condition=Q(ended_on=None) | Q(ended_on__gte=F("started_on")),
            ),
        ]

    def __str__(self) -> str:
        return f"pause of case {self.case_id}"


class CaseMention(models.Model):
    """A memory of somebody else that mentions the person: redact it, or keep it why."""

    class Treatment(models.TextChoices):
        REDACT = "redact", _("take the person's names out")
        KEEP = "keep", _("keep as it is")

    case = models.ForeignKey(
        ErasureCase, on_delete=models.CASCADE, related_name="mentions"
    )
    memory_id = models.UUIDField()
    matched = models.CharField(max_length=30)
    treatment = models.CharField(
        max_length=6, choices=Treatment, blank=True, default=""
    )
    ground = models.CharField(max_length=20, blank=True, default="")
    decided_by = models.CharField(max_length=150, blank=True, default="")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                name="casemention_is_one_per_memory", fields=["case", "memory_id"]
            ),
            models.CheckConstraint(
                name="casemention_is_kept_on_a_ground",
                condition=~Q(treatment="keep") | ~Q(ground=""),
            ),
        ]

    def __str__(self) -> str:
        return f"mention in {self.memory_id}"


class CaseRecipient(models.Model):
    """Somebody who got the person's data and has to be told (Art. 19)."""

    class Kind(models.TextChoices):
        AGENT = "agent", _("agent")
        EXPORT = "export", _("export of memories")
        OTHER = "other", _("other")

    class Result(models.TextChoices):
        TOLD = "told", _("told")
        CONFIRMED = "confirmed", _("told, and confirmed")
        IMPOSSIBLE = "impossible", _("cannot be reached")

    case = models.ForeignKey(
        ErasureCase, on_delete=models.CASCADE, related_name="recipients"
    )
    kind = models.CharField(max_length=10, choices=Kind)
    name = models.CharField(max_length=150)
    times = models.PositiveIntegerField(default=0)
    result = models.CharField(max_length=10, choices=Result, blank=True, default="")
    told_on = models.DateField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                name="caserecipient_is_one_per_name", fields=["case", "kind", "name"]
            ),
            models.CheckConstraint(
                name="caserecipient_result_has_a_day",
                condition=Q(result="", told_on=None)
                | ~Q(result="") & Q(told_on__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.name}"


class CaseLetter(models.Model):
    """A text to the person, made from a template; `sealed` until it is deleted."""

    class Kind(models.TextChoices):
        RECEIPT = "receipt", _("acknowledgement")
        IDENTITY = "identity", _("question about identity")
        EXTENSION = "extension", _("more time needed")
        ERASED = "erased", _("data erased")
        PARTLY = "partly", _("data partly erased")
        REFUSED = "refused", _("request refused")
        NOTHING = "nothing", _("nothing found")
        DUPLICATE = "duplicate", _("handled under another request")
        WITHDRAWN = "withdrawn", _("request withdrawn")
        UNIDENTIFIED = "unidentified", _("not identified")
        RECIPIENT = "recipient", _("notice to recipients")

    case = models.ForeignKey(
        ErasureCase, on_delete=models.CASCADE, related_name="letters"
    )
    kind = models.CharField(max_length=12, choices=Kind)
    language = models.CharField(max_length=10)
    sealed = models.BinaryField()
    made_at = models.DateTimeField()
    sent_on = models.DateField(null=True)
    sent_by = models.CharField(max_length=150, blank=True, default="")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                name="caseletter_waits_once_per_kind",
                fields=["case", "kind"],
                condition=Q(sent_on=None),
            ),
            models.CheckConstraint(
                name="caseletter_sent_says_by_whom",
                condition=Q(sent_on=None, sent_by="")
                | Q(sent_on__isnull=False) & ~Q(sent_by=""),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} of case {self.case_id}"


class CaseNote(models.Model):
    """A remark, or what was shown as proof of identity; sealed, and deleted in time."""

    class Kind(models.TextChoices):
        NOTE = "note", _("note")
        EVIDENCE = "evidence", _("evidence of identity")

    case = models.ForeignKey(
        ErasureCase, on_delete=models.CASCADE, related_name="notes"
    )
    kind = models.CharField(max_length=8, choices=Kind)
    author = models.CharField(max_length=150)
    sealed = models.BinaryField()
    created_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.kind} of case {self.case_id}"
