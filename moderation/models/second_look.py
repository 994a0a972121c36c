from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _


class SecondLook(models.Model):
    """A decision that a second person makes again without knowing the first.

    Open without `second`; when the two differ it waits for a lead's word, `settled`.
    """

    class Verdict(models.TextChoices):
        APPROVED = "approved", _("approved")
        REJECTED = "rejected", _("rejected")

    memory_id = models.UUIDField(unique=True)
    first = models.CharField(max_length=8, choices=Verdict)
    first_by = models.CharField(max_length=150)
    second = models.CharField(max_length=8, choices=Verdict, blank=True, default="")
    second_by = models.CharField(max_length=150, blank=True, default="")
    settled = models.CharField(max_length=8, choices=Verdict, blank=True, default="")
    settled_by = models.CharField(max_length=150, blank=True, default="")
    drawn_at = models.DateTimeField()
    answered_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="secondlook_is_by_another_person",
                condition=~Q(second_by=F("first_by")),
            ),
            models.CheckConstraint(
                name="secondlook_answer_names_who",
                condition=Q(second="", second_by="", answered_at=None)
                | ~Q(second="") & ~Q(second_by="") & Q(answered_at__isnull=False),
            ),
        ]
        indexes = [models.Index("drawn_at", name="secondlook_by_time")]

    def __str__(self) -> str:
        return f"second look at {self.memory_id}"
