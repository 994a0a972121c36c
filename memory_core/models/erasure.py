import secrets

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q

from memory_core.contracts.erasure import RunState


def new_ref() -> str:
    """Return a random reference that says nothing of the person and is used once."""
    return f"er-{secrets.token_hex(8)}"


class ErasureRun(models.Model):
    """The execution of one approved erasure, from the fence to the purged indexes.

    `subject` is sealed with a key outside the database and emptied at live erasure;
    what stays are row ids, codes, counts and times. `mentions` maps ids of other
    owners' memories to what was decided; `horizon` is the transaction after which no
    reader can still see what was deleted, `vacuumed_to` the place in the write-ahead
    log that copies of the database have to reach until it is gone from them too.
    """

    ref = models.CharField(max_length=40, unique=True, default=new_ref)
    case_ref = models.CharField(max_length=40, blank=True, default="")
    ground = models.CharField(max_length=40)
    prepared_by = models.CharField(max_length=150)
    approved_by = models.CharField(max_length=150)
    is_canary = models.BooleanField(default=False)
    state = models.CharField(
        max_length=16, choices=[(one.value, one.value) for one in RunState]
    )
    subject = models.BinaryField(default=b"")
    owners = ArrayField(models.BigIntegerField(), default=list)
    mentions = models.JSONField(default=dict)
    holds = ArrayField(models.BigIntegerField(), default=list)
    preview_digest = models.CharField(max_length=64, blank=True, default="")
    probes = models.JSONField(default=list)
    rounds = models.PositiveSmallIntegerField(default=0)
    failures = models.PositiveSmallIntegerField(default=0)
    horizon = models.BigIntegerField(null=True)
    vacuumed_to = models.CharField(max_length=32, blank=True, default="", db_default="")
    error = models.CharField(max_length=100, blank=True, default="")
    retry_at = models.DateTimeField(null=True)
    fenced_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True)
    verified_at = models.DateTimeField(null=True)
    live_erased_at = models.DateTimeField(null=True)
    index_purged_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="erasurerun_is_approved_by_another",
                condition=Q(is_canary=True) | ~Q(prepared_by=F("approved_by")),
            ),
            models.CheckConstraint(
                name="erasurerun_erased_state_has_its_moment",
                condition=~Q(state=RunState.LIVE_ERASED.value)
                | Q(live_erased_at__isnull=False),
            ),
            models.CheckConstraint(
                name="erasurerun_erased_keeps_no_subject",
                condition=~Q(state=RunState.LIVE_ERASED.value) | Q(subject=b""),
            ),
        ]
        indexes = [
            models.Index("case_ref", name="erasurerun_by_case"),
            models.Index("state", name="erasurerun_by_state"),
        ]

    def __str__(self) -> str:
        return self.ref


class ErasurePass(models.Model):
    """One store's part of a run: what was found there and what became of it."""

    run = models.ForeignKey(ErasureRun, on_delete=models.CASCADE, related_name="passes")
    position = models.PositiveSmallIntegerField()
    store = models.CharField(max_length=40)
    matched = models.PositiveBigIntegerField(default=0)
    erased = models.PositiveBigIntegerField(default=0)
    redacted = models.PositiveBigIntegerField(default=0)
    held = models.PositiveBigIntegerField(default=0)
    residue = models.PositiveBigIntegerField(null=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    started_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name_plural = "erasure passes"
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(
                name="erasurepass_is_one_per_run_and_store", fields=["run", "store"]
            )
        ]

    def __str__(self) -> str:
        return f"{self.store} of {self.run_id}"


class ErasedMemory(models.Model):
    """The id of a memory that was erased, so that its address can say so."""

    memory_id = models.UUIDField(primary_key=True)
    run = models.ForeignKey(ErasureRun, on_delete=models.CASCADE, related_name="+")

    class Meta:
        verbose_name_plural = "erased memories"

    def __str__(self) -> str:
        return str(self.memory_id)
