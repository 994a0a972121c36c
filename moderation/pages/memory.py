"""One memory: where it comes from, what became of it, and what may be done."""

from collections.abc import Callable
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from memory_core.actions import changes, erasure, memories
from memory_core.contracts.callers import Scope
from memory_core.exceptions import MnemeError
from memory_core.models import Memory
from moderation.access import ConsoleRequest, needs
from moderation.actions import reviews
from moderation.forms.memories import EditForm
from moderation.parameters import number_or
from moderation.permissions import Permission
from moderation.presenters.memory import look


@require_safe
@needs(Permission.SEE_MEMORIES)
def memory(request: ConsoleRequest, memory_id: UUID) -> HttpResponse:
    """The memory; 410 with the request's reference for one that was erased."""
    if ref := erasure.erased_by(memory_id):
        return render(request, "memory/gone.html", {"ref": ref}, status=410)
    row = _row(memory_id)
    return _page(request, row, _edit_form(row))


@require_POST
@needs(Permission.EDIT_MEMORIES)
def edit(request: ConsoleRequest, memory_id: UUID) -> HttpResponse:
    row = _row(memory_id)
    form = EditForm(request.POST)
    if not form.is_valid():
        return _page(request, row, form, status=422)
    try:
        changes.correct(
            by=request.actor,
            scope=_scope(row),
            memory_id=row.pk,
            changes={
                "content": form.cleaned_data["content"],
                "category": form.cleaned_data["category"],
            },
            expected_version=form.cleaned_data["version"],
        )
    except MnemeError as error:
        return _page(request, _row(memory_id), form, status=error.status, error=error)
    messages.success(request, _("Changed. The old text is kept as a version."))
    return redirect("memory", memory_id=memory_id)


@require_POST
@needs(Permission.EDIT_MEMORIES)
def act(request: ConsoleRequest, memory_id: UUID, verb: str) -> HttpResponse:
    """Do one of the verbs below; the page says what happened."""
    if verb not in VERBS:
        raise Http404
    row = _row(memory_id)
    try:
        VERBS[verb](request, row)
    except MnemeError as error:
        return _page(request, row, _edit_form(row), status=error.status, error=error)
    messages.success(request, DONE[verb])
    if verb == "delete":
        return redirect("memories")
    return redirect("memory", memory_id=memory_id)


def _archive(request: ConsoleRequest, row: Memory) -> None:
    changes.archive(by=request.actor, scope=_scope(row), memory_id=row.pk)


def _restore(request: ConsoleRequest, row: Memory) -> None:
    changes.restore(by=request.actor, scope=_scope(row), memory_id=row.pk)


def _unmerge(request: ConsoleRequest, row: Memory) -> None:
    changes.unmerge(by=request.actor, scope=_scope(row), memory_id=row.pk)


def _delete(request: ConsoleRequest, row: Memory) -> None:
    memories.forget(by=request.actor, scope=_scope(row), memory_id=row.pk)


def _review(request: ConsoleRequest, row: Memory) -> None:
    reviews.reopen(
        memory_id=row.pk, user=request.user, by=request.actor, now=timezone.now()
    )


def _keep(request: ConsoleRequest, row: Memory) -> None:
    changes.correct(
        by=request.actor,
        scope=_scope(row),
        memory_id=row.pk,
        changes={"tier": "permanent"},
    )


def _roll_back(request: ConsoleRequest, row: Memory) -> None:
    changes.roll_back(
        by=request.actor,
        scope=_scope(row),
        memory_id=row.pk,
        version=number_or(request.POST.get("version", ""), 0),
    )


VERBS: dict[str, Callable[[ConsoleRequest, Memory], None]] = {
    "archive": _archive,
    "restore": _restore,
    "unmerge": _unmerge,
    "delete": _delete,
    "review": _review,
    "keep": _keep,
    "roll-back": _roll_back,
}

DONE = {
    "archive": gettext_lazy("Archived. Agents do not recall it any more."),
    "restore": gettext_lazy("Restored from where it was put away."),
    "unmerge": gettext_lazy("Separated again."),
    "delete": gettext_lazy("Deleted."),
    "review": gettext_lazy("Sent to review. Until then agents do not recall it."),
    "keep": gettext_lazy("Permanent from now on: it does not fade."),
    "roll-back": gettext_lazy("Rolled back. The newer text is kept as a version."),
}


def _page(
    request: ConsoleRequest,
    row: Memory,
    form: EditForm,
    *,
    status: int = 200,
    error: MnemeError | None = None,
) -> HttpResponse:
    context = {
        "detail": look(row, now=timezone.now()),
        "form": form,
        "error": error,
        "may_edit": Permission.EDIT_MEMORIES in request.rights,
    }
    return render(request, "memory/page.html", context, status=status)


def _edit_form(row: Memory) -> EditForm:
    return EditForm(
        initial={
            "content": row.content,
            "category": row.category.name,
            "version": row.version,
        }
    )


def _row(memory_id: UUID) -> Memory:
    rows = Memory.unscoped.select_related(
        "source", "category", "namespace", "owner", "agent", "use"
    )
    found = rows.filter(pk=memory_id).first()
    if found is None:
        raise Http404
    return found


def _scope(row: Memory) -> Scope:
    return Scope(row.owner_id, row.owner.external_id, (row.namespace_id,))
