from django.contrib.auth.models import User
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from memory_core.models.base import new_id
from moderation.regimes import Regime


class CaseState(models.TextChoices):
    """Where a request stands; while it is `running` the core's run says more."""

    RECEIVED = "received", _("received")
    IDENTITY_PENDING = "identity_pending", _("waiting for proof of identity")
    IDENTITY_OK = "identity_ok", _("identity settled")
    DISCOVERING = "discovering", _("searching")
    ASSESSING = "assessing", _("being assessed")
    AWAITING_APPROVAL = "awaiting_approval", _("waiting for approval")
    SCHEDULED = "scheduled", _("approved")
    RUNNING = "running", _("being erased")
    BLOCKED_BY_HOLD = "blocked_by_hold", _("blocked by a legal hold")
    PARTIALLY_ERASED = "partially_erased", _("partly erased")
    BACKUPS_AGING = "backups_aging", _("erased, backups ageing")
    CLOSED_COMPLETE = "closed_complete", _("complete")
    REFUSED = "refused", _("refused")
    NO_DATA_FOUND = "no_data_found", _("nothing was found")
    DUPLICATE = "duplicate", _("duplicate")
    WITHDRAWN = "withdrawn", _("withdrawn")
    CLOSED_UNIDENTIFIED = "closed_unidentified", _("person not identified")


BEFORE_APPROVAL = (
    CaseState.RECEIVED,
    CaseState.IDENTITY_PENDING,
    CaseState.IDENTITY_OK,
    CaseState.DISCOVERING,
    CaseState.ASSESSING,
    CaseState.AWAITING_APPROVAL,
)
CLOSED = (
    CaseState.CLOSED_COMPLETE,
    CaseState.REFUSED,
    CaseState.NO_DATA_FOUND,
    CaseState.DUPLICATE,
    CaseState.WITHDRAWN,
    CaseState.CLOSED_UNIDENTIFIED,
)
WITHOUT_A_DECISION = (
    CaseState.NO_DATA_FOUND,
    CaseState.DUPLICATE,
    CaseState.WITHDRAWN,
    CaseState.CLOSED_UNIDENTIFIED,
)
APPROVED = tuple(
    state
    for state in CaseState
    if state not in BEFORE_APPROVAL and state not in WITHOUT_A_DECISION
)


class ErasureCase(models.Model):
    """One person's request to be forgotten, from its receipt to its last certificate.

    `ref` is random and names nobody. Who asks, under which identifiers and what was
    written is in `sealed` (see moderation.case_files), all else is dates and codes.
    `due_on` follows from receipt, pauses and extension; nobody sets it.
    """

    class Channel(models.TextChoices):
        EMAIL = "email", _("e-mail")
        LETTER = "letter", _("letter")
        PHONE = "phone", _("telephone")
        PORTAL = "portal", _("form on a web page")
        AGENT = "agent", _("passed on by an agent")
        COMMAND = "command", _("command line")

    class Requester(models.TextChoices):
        SUBJECT = "subject", _("the person")
        REPRESENTATIVE = "representative", _("somebody acting for the person")
        GUARDIAN = "guardian", _("parent or guardian")
        AUTHORITY = "authority", _("an authority")

    class Decision(models.TextChoices):
        ERASE = "erase", _("erase")
        REFUSE = "refuse", _("refuse")

    class IdentityMethod(models.TextChoices):
        ACCOUNT = "account", _("signed in to their account")
        CONTACT = "contact", _("wrote from an address that we know")
        QUESTIONS = "questions", _("answered questions only they can answer")
        DOCUMENT = "document", _("showed a document, blackened but for what matters")
        AGENT = "agent", _("the agent knows whom it serves")
        MANDATE = "mandate", _("showed a power of attorney")

    class ExtensionReason(models.TextChoices):
        COMPLEX = "complex", _("the request is complex")
        MANY = "many", _("there are many requests of this person")

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    ref = models.CharField(max_length=12, unique=True)
    state = models.CharField(
        max_length=20, choices=CaseState, default=CaseState.RECEIVED
    )
    regime = models.CharField(max_length=4, choices=Regime, default=Regime.GDPR)
    channel = models.CharField(max_length=10, choices=Channel)
    requester = models.CharField(
        max_length=14, choices=Requester, default=Requester.SUBJECT
    )
    language = models.CharField(max_length=10, default="en")
    sealed = models.BinaryField(default=b"")
    reduced_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField()
    created_by = models.CharField(max_length=150)

    received_on = models.DateField()
    due_on = models.DateField()
    told_on = models.DateField(null=True)
    extension_reason = models.CharField(
        max_length=10, choices=ExtensionReason, blank=True, default=""
    )
    answered_on = models.DateField(null=True)
    restricted_at = models.DateTimeField(null=True)
    closed_at = models.DateTimeField(null=True)
    duplicate_of = models.ForeignKey(
        "self", on_delete=models.PROTECT, null=True, related_name="duplicates"
    )

    identity_method = models.CharField(
        max_length=10, choices=IdentityMethod, blank=True, default=""
    )
    identified_on = models.DateField(null=True)

    preview = models.JSONField(null=True)
    decision = models.CharField(max_length=6, choices=Decision, blank=True, default="")
    ground = models.CharField(max_length=20, blank=True, default="")
    proposed_by = models.ForeignKey(
        User, on_delete=models.PROTECT, null=True, related_name="+"
    )
    proposed_at = models.DateTimeField(null=True)
    approved_by = models.ForeignKey(
        User, on_delete=models.PROTECT, null=True, related_name="+"
    )
    approved_at = models.DateTimeField(null=True)
    cool_off_hours = models.PositiveSmallIntegerField(default=0)
    start_at = models.DateTimeField(null=True)

    run_ref = models.CharField(max_length=40, blank=True, default="")
    error = models.CharField(max_length=200, blank=True, default="")
    live_erased_at = models.DateTimeField(null=True)
    index_purged_at = models.DateTimeField(null=True)
    backups_until = models.DateField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="erasurecase_is_approved_by_another_person",
                condition=Q(approved_by=None)
                | Q(proposed_by__isnull=False) & ~Q(approved_by=F("proposed_by")),
            ),
            models.CheckConstraint(
                name="erasurecase_runs_only_when_approved",
                condition=~Q(state__in=APPROVED) | Q(approved_by__isnull=False),
            ),
            models.CheckConstraint(
                name="erasurecase_proposal_says_what_and_when",
                condition=Q(proposed_by=None, proposed_at=None, decision="", ground="")
                | Q(proposed_by__isnull=False, proposed_at__isnull=False)
                & ~Q(decision="")
                & ~Q(ground=""),
            ),
            models.CheckConstraint(
                name="erasurecase_approval_says_when",
                condition=Q(approved_by=None, approved_at=None)
                | Q(approved_by__isnull=False, approved_at__isnull=False),
            ),
            models.CheckConstraint(
                name="erasurecase_extension_was_told",
                condition=Q(told_on=None, extension_reason="")
                | Q(told_on__isnull=False) & ~Q(extension_reason=""),
            ),
            models.CheckConstraint(
                name="erasurecase_closed_says_when",
                condition=Q(state__in=CLOSED, closed_at__isnull=False)
                | ~Q(state__in=CLOSED) & Q(closed_at=None),
            ),
            models.CheckConstraint(
                name="erasurecase_duplicate_says_of_what",
                condition=~Q(state=CaseState.DUPLICATE) | Q(duplicate_of__isnull=False),
            ),
            models.CheckConstraint(
                name="erasurecase_is_due_after_receipt",
                condition=Q(due_on__gte=F("received_on")),
            ),
            models.CheckConstraint(
                name="erasurecase_cools_off_three_days_at_most",
                condition=Q(cool_off_hours__lte=72),
            ),
        ]
        indexes = [
            models.Index("state", "due_on", name="erasurecase_by_state"),
            models.Index(
                "due_on", name="erasurecase_open", condition=Q(closed_at=None)
            ),
        ]

    def __str__(self) -> str:
        return self.ref

    @property
    def is_closed(self) -> bool:
        """Whether nothing more will happen to it."""
        return self.state in CLOSED
