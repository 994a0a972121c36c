"""Decide on a whole view: preview, progress, results, and back again."""

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone

from memory_core.exceptions import MnemeError
from moderation.access import ConsoleRequest, needs
from moderation.actions import batches, reviews
from moderation.forms.batches import TYPED_ABOVE, BatchForm, ChosenForm
from moderation.pages.courses import Kind, pages_of
from moderation.permissions import Permission
from moderation.presenters import batches as presenter


@needs(Permission.DECIDE)
def selection(request: ConsoleRequest) -> HttpResponse:
    """The preview of all that the address chooses; a post decides on it."""
    if request.method != "POST":
        return _preview(request, BatchForm())
    form = BatchForm(request.POST)
    if not form.is_valid():
        return _preview(request, form, status=422)
    data = form.cleaned_data
    try:
        job = batches.start(
            chosen=ChosenForm(request.GET).chosen(),
            as_of=data["as_of"],
            number=data["number"],
            verb=data["verb"],
            reason=data["why"],
            user=request.user,
            by=request.actor,
            now=timezone.now(),
        )
    except MnemeError as error:
        return _preview(request, form, status=error.status, error=error)
    return redirect("batch", job_id=job.pk)


def _preview(
    request: ConsoleRequest,
    form: BatchForm,
    *,
    status: int = 200,
    error: MnemeError | None = None,
) -> HttpResponse:
    context = {
        "selection": presenter.selection(
            chosen=ChosenForm(request.GET).chosen(),
            user_id=request.user.pk,
            now=timezone.now(),
        ),
        "form": form,
        "error": error,
        "typed_above": TYPED_ABOVE,
        "approving": [(one.value, one.label) for one in reviews.APPROVING],
        "rejecting": [(one.value, one.label) for one in reviews.REJECTING],
    }
    return render(request, "batches/selection.html", context, status=status)


batch, cancel, undo = pages_of(
    Kind(
        job_kind=batches.KIND,
        permission=Permission.DECIDE,
        address="batch",
        page_of_one="review",
        templates="batches",
        present=presenter.batch,
        undo=batches.undo,
        undoing_of=batches.undoing_of,
    )
)
