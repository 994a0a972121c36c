from django.contrib.auth.models import User
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _


class ReviewCase(models.Model):
    """The people's side of a memory that waits: who has it, what was decided and why.

    Made when somebody claims or decides an item; that the memory waits is said by its
    own status.
    """

    class State(models.TextChoices):
        OPEN = "open", _("open")
        ESCALATED = "escalated", _("escalated")
        APPROVED = "approved", _("approved")
        REJECTED = "rejected", _("rejected")

    class Why(models.TextChoices):
        """Why it was handed on to a lead."""

        UNSURE = "unsure", _("I cannot tell")
        NO_POLICY = "no_policy", _("no policy covers it")
        ATTACK = "attack", _("part of an attack")

    memory_id = models.UUIDField(unique=True)
    state = models.CharField(max_length=9, choices=State, default=State.OPEN)
    claimed_by = models.ForeignKey(
        User, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    claimed_until = models.DateTimeField(null=True)
    reason = models.CharField(max_length=30, blank=True, default="")
    said = models.CharField(
        max_length=100, blank=True, default="", help_text="the reason in words, as then"
    )
    decided_by = models.CharField(max_length=150, blank=True, default="")
    decided_at = models.DateTimeField(null=True)
    policy_version = models.PositiveIntegerField(
        null=True, help_text="of the namespace's policy when it was decided"
    )
    is_of_leads = models.BooleanField(
        default=False,
        db_default=False,
        help_text="it went to leads: nobody else takes a decision back",
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="reviewcase_claim_has_an_end",
                condition=Q(claimed_by=None) | Q(claimed_until__isnull=False),
            ),
            models.CheckConstraint(
                name="reviewcase_decision_names_who",
                condition=Q(decided_at=None, decided_by="")
                | Q(decided_at__isnull=False) & ~Q(decided_by=""),
            ),
        ]
        indexes = [models.Index("state", "decided_at", name="reviewcase_by_state")]

    def __str__(self) -> str:
        return f"case of {self.memory_id}"

    @property
    def why_handed_on(self) -> str:
        """The reason for which a lead has it, empty for other states."""
        if self.state != self.State.ESCALATED or not self.reason:
            return ""
        return gettext(self.said) if self.said else str(self.Why(self.reason).label)


class ReviewSnooze(models.Model):
    """One person does not see the memory in the queue until a moment."""

    case = models.ForeignKey(
        ReviewCase, on_delete=models.CASCADE, related_name="snoozes"
    )
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    until = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                name="reviewsnooze_is_one_per_person", fields=["case", "user"]
            )
        ]

    def __str__(self) -> str:
        return f"case {self.case_id} until {self.until}"


class ReviewNote(models.Model):
    """A remark of a reviewer; it goes when the memory is erased."""

    case = models.ForeignKey(ReviewCase, on_delete=models.CASCADE, related_name="notes")
    author = models.CharField(max_length=150)
    text = models.TextField()
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"note {self.pk}"
