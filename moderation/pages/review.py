"""One memory that waits: look, decide, go on to the next."""

from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from memory_core.actions import agreement
from memory_core.actions import reviews as core
from memory_core.contracts.callers import is_agent
from memory_core.contracts.enums import Status
from memory_core.exceptions import MnemeError
from memory_core.models import Memory
from moderation.access import ConsoleRequest, needs
from moderation.actions import deferring, reviews
from moderation.forms.reviews import DecisionForm, NoteForm
from moderation.models import ReviewCase
from moderation.permissions import Permission
from moderation.presenters.review import look
from moderation.presenters.subject_flags import flags_of
from moderation.waiting import next_after

SEEN = ("version", "digest", "reason")
DONE = {
    "approve": gettext_lazy("Approved. Agents may recall it now."),
    "reject": gettext_lazy("Rejected. It is not recalled and will be purged."),
    "escalate": gettext_lazy("Handed on to a lead."),
    "snooze": gettext_lazy("Put off. Until then it is in your list of these."),
    "claim": gettext_lazy("It is yours for ten minutes."),
    "release": gettext_lazy("Free for others."),
}

FIRST = gettext_lazy("Noted. Once a second person agrees, agents may recall it.")
BESIDE = gettext_lazy(
    "Not let in yet: it contradicts what stands beside it now. Decide again."
)
UNITED = gettext_lazy("Approved. Another memory says so already; the two are one now.")
DISPUTED = gettext_lazy("Noted. Two see it differently now; a lead decides.")


@require_safe
@needs(Permission.DECIDE)
def review(request: ConsoleRequest, memory_id: UUID) -> HttpResponse:
    return _page(request, _memory(memory_id), DecisionForm(), NoteForm())


@require_POST
@needs(Permission.DECIDE)
def decide(request: ConsoleRequest, memory_id: UUID) -> HttpResponse:
    memory = _memory(memory_id)
    form = DecisionForm(request.POST)
    if not form.is_valid():
        return _page(request, memory, form, NoteForm(), status=422)
    verb = form.cleaned_data["verb"]
    try:
        _act(request, memory_id, verb, form)
    except MnemeError as error:
        fresh = _memory(memory_id)
        return _page(request, fresh, form, NoteForm(), status=error.status, error=error)
    memory = _memory(memory_id)
    if verb == "approve" and _waits_on(memory, request.actor.name):
        messages.warning(request, BESIDE)
        return redirect("review", memory_id=memory_id)
    undoable = str(memory_id) if verb in reviews.DECISIONS else ""
    messages.success(request, _said(verb, memory), extra_tags=undoable)
    return _next(request, memory_id, verb)


@require_POST
@needs(Permission.DECIDE)
def undo(request: ConsoleRequest, memory_id: UUID) -> HttpResponse:
    memory = _memory(memory_id)
    try:
        reviews.undo(
            memory_id=memory_id,
            user=request.user,
            by=request.actor,
            now=timezone.now(),
        )
    except MnemeError as error:
        blank = DecisionForm()
        return _page(
            request, memory, blank, NoteForm(), status=error.status, error=error
        )
    messages.success(request, _("Taken back. It waits again."))
    return redirect("review", memory_id=memory_id)


@require_POST
@needs(Permission.DECIDE)
def confirm(request: ConsoleRequest, memory_id: UUID) -> HttpResponse:
    memory = _memory(memory_id)
    try:
        core.confirm(memory_id=memory_id, by=request.actor, now=timezone.now())
    except MnemeError as error:
        blank = DecisionForm()
        return _page(
            request, memory, blank, NoteForm(), status=error.status, error=error
        )
    messages.success(request, _("The decision is yours now."))
    return redirect(f"{reverse('queue')}?view=by_agents")


@require_POST
@needs(Permission.DECIDE)
def note(request: ConsoleRequest, memory_id: UUID) -> HttpResponse:
    memory = _memory(memory_id)
    form = NoteForm(request.POST)
    if not form.is_valid():
        return _page(request, memory, DecisionForm(), form, status=422)
    reviews.add_note(
        memory_id=memory_id, text=form.cleaned_data["text"], by=request.actor
    )
    return redirect("review", memory_id=memory_id)


def _act(
    request: ConsoleRequest, memory_id: UUID, verb: str, form: DecisionForm
) -> None:
    now, by = timezone.now(), request.actor
    if decision := reviews.DECISIONS.get(verb):
        seen = {name: form.cleaned_data[name] for name in SEEN}
        if verb == "approve":
            seen["content"] = form.cleaned_data["content"]
        decision(memory_id=memory_id, user=request.user, by=by, now=now, **seen)
    elif verb == "escalate":
        deferring.escalate(
            memory_id=memory_id,
            reason=form.cleaned_data["reason"],
            note=form.cleaned_data["note"],
            user=request.user,
            by=by,
            now=now,
        )
    elif verb == "snooze":
        span = form.cleaned_data["span"] or deferring.Span.DAY
        deferring.snooze(
            memory_id=memory_id, span=span, user=request.user, by=by, now=now
        )
    elif verb == "claim":
        reviews.claim(memory_id=memory_id, user=request.user, by=by, now=now)
    else:
        reviews.release(memory_id=memory_id, user=request.user, by=by)


def _waits_on(memory: Memory, who: str) -> bool:
    """Return whether an approval left it waiting for the same person to look again."""
    first = agreement.standing(memory)
    is_first_word = first is not None and first.approved_by == who
    return memory.status == Status.PENDING and not is_first_word


def _said(verb: str, memory: Memory) -> str:
    """Return what happened: an approval may end nothing yet."""
    if verb in reviews.DECISIONS and (first := agreement.standing(memory)):
        return str(DISPUTED if first.is_disputed else FIRST)
    if verb == "approve" and memory.merged_into_id:
        return str(UNITED)
    return str(DONE[verb])


def _next(request: ConsoleRequest, memory_id: UUID, verb: str) -> HttpResponse:
    if verb in ("claim", "release"):
        return redirect("review", memory_id=memory_id)
    following = _following(request, memory_id)
    return redirect("review", memory_id=following) if following else redirect("queue")


def _page(
    request: ConsoleRequest,
    memory: Memory,
    form: DecisionForm,
    note_form: NoteForm,
    *,
    status: int = 200,
    error: MnemeError | None = None,
) -> HttpResponse:
    item, now = look(memory), timezone.now()
    first = item.first
    is_for_leads = item.is_for_leads
    is_one = first is not None and request.actor.name in first.people
    context = {
        "item": item,
        "flags": flags_of(memory, now=now),
        "form": form,
        "note_form": note_form,
        "error": error,
        "now": now,
        "approving": [(one.value, one.label) for one in reviews.APPROVING],
        "rejecting": [(one.value, one.label) for one in reviews.REJECTING],
        "by_agent": is_agent(memory.reviewed_by),
        "handing_on": ReviewCase.Why.choices,
        "spans": deferring.Span.choices,
        "following": _following(request, memory.pk),
        "is_mine": item.case is not None and item.case.claimed_by == request.user,
        "is_for_leads": is_for_leads,
        "is_one": is_one,
        "may_decide": not is_one
        and (not is_for_leads or Permission.SETTLE in request.rights),
        "may_block": Permission.BLOCK_SOURCES in request.rights,
    }
    return render(request, "review/page.html", context, status=status)


def _following(request: ConsoleRequest, memory_id: UUID) -> UUID | None:
    return next_after(
        memory_id,
        user_id=request.user.pk,
        who=request.actor.name,
        now=timezone.now(),
    )


def _memory(memory_id: UUID) -> Memory:
    rows = Memory.unscoped.select_related(
        "source", "category", "namespace", "owner", "agent"
    )
    memory = rows.filter(pk=memory_id).first()
    if memory is None:
        raise Http404
    return memory
