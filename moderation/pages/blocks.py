"""Blocks: of a source, an agent or a token, and what becomes of what it wrote."""

from datetime import datetime

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from memory_core.actions import blocks, sources
from memory_core.actions.reach import blast_radius, reach_of
from memory_core.consolidation import purging
from memory_core.exceptions import InvalidInput, MnemeError
from memory_core.models import Agent, Source, Token
from moderation.access import ConsoleRequest, needs
from moderation.actions import withdrawals
from moderation.forms.sources import NOTHING, BlockForm, PurgeForm
from moderation.pages.courses import Kind, pages_of
from moderation.permissions import Permission
from moderation.presenters import blocks as presenter
from moderation.presenters.refusals import refusal

KINDS = {"source": Source, "agent": Agent, "token": Token}


@require_safe
@needs(Permission.BLOCK_SOURCES)
def block(request: ConsoleRequest, kind: str, pk: int) -> HttpResponse:
    """What a block would touch, and the form."""
    return _page(request, _writer(kind, pk))


@require_POST
@needs(Permission.BLOCK_SOURCES)
def place(request: ConsoleRequest, kind: str, pk: int) -> HttpResponse:
    """Block now; a job does the rest, if anything was asked for."""
    writer, now = _writer(kind, pk), timezone.now()
    number = reach_of(writer).rejectable().count()
    form = BlockForm(request.POST, number=number)
    if not form.is_valid():
        return _page(request, writer, form=form, status=422)
    asked = form.cleaned_data
    block = {"reason": asked["reason"], "until": asked["until"]}
    try:
        blocks.place(writer, by=request.actor, now=now, **block)
    except MnemeError as error:
        messages.error(request, refusal(error))
        return _page(request, writer, form=form, status=409)
    messages.success(request, _("Blocked. Nothing it sends is stored from now on."))
    if asked["after"] == NOTHING:
        return redirect("block", kind=kind, pk=pk)
    return _withdraw(request, writer, asked["after"], now=now)


@require_POST
@needs(Permission.BLOCK_SOURCES)
def lift(request: ConsoleRequest, kind: str, pk: int) -> HttpResponse:
    blocks.lift(_writer(kind, pk), by=request.actor, now=timezone.now())
    messages.success(request, _("The block is lifted."))
    return redirect("block", kind=kind, pk=pk)


@require_POST
@needs(Permission.BLOCK_SOURCES)
def host(request: ConsoleRequest, pk: int) -> HttpResponse:
    """Go to the block of the whole host that a source is a path of."""
    source = get_object_or_404(Source.objects.select_related("namespace"), pk=pk)
    try:
        wide = sources.widened(source)
    except InvalidInput as error:
        raise Http404 from error
    return redirect("block", kind="source", pk=wide.pk)


@require_POST
@needs(Permission.BLOCK_SOURCES)
def withdraw(request: ConsoleRequest, kind: str, pk: int, verb: str) -> HttpResponse:
    """Hold or take away what a blocked one wrote; the number is typed."""
    writer, now = _writer(kind, pk), timezone.now()
    if verb not in (withdrawals.HOLD, withdrawals.TAKE_AWAY):
        raise Http404
    reach = reach_of(writer)
    is_hold = verb == withdrawals.HOLD
    number = (reach.holdable() if is_hold else reach.rejectable()).count()
    if not PurgeForm(request.POST, number=number).is_valid():
        messages.error(request, _("Type the number of memories to confirm."))
        return redirect("block", kind=kind, pk=pk)
    return _withdraw(request, writer, verb, now=now)


def _withdraw(
    request: ConsoleRequest, writer: blocks.Writer, verb: str, *, now: datetime
) -> HttpResponse:
    try:
        job = withdrawals.start(
            writer=writer, verb=verb, user=request.user, by=request.actor, now=now
        )
    except MnemeError as error:
        messages.error(request, refusal(error))
        return redirect("block", kind=_kind(writer), pk=writer.pk)
    return redirect("withdrawal", job_id=job.pk)


def _page(
    request: ConsoleRequest,
    writer: blocks.Writer,
    *,
    form: BlockForm | None = None,
    status: int = 200,
) -> HttpResponse:
    now = timezone.now()
    radius = blast_radius(reach_of(writer), now=now)
    found = blocks.standing(writer, now=now)
    context = {
        "kind": _kind(writer),
        "writer": writer,
        "radius": radius,
        "days": purging.REJECTED_KEPT.days,
        "standing": found,
        "host": sources.wider(writer) if isinstance(writer, Source) else "",
        "form": form or BlockForm(number=radius.taken_away),
        "must_be_another": radius.taken_away > withdrawals.ALONE,
        "is_own_block": found is not None and found.by == request.actor.name,
    }
    return render(request, "blocks/page.html", context, status=status)


def _kind(writer: blocks.Writer) -> str:
    return next(kind for kind, model in KINDS.items() if isinstance(writer, model))


def _writer(kind: str, pk: int) -> blocks.Writer:
    if kind == "source":
        return get_object_or_404(Source.objects.select_related("namespace"), pk=pk)
    if kind == "token":
        return get_object_or_404(Token.objects.select_related("agent"), pk=pk)
    if kind == "agent":
        return get_object_or_404(Agent, pk=pk)
    raise Http404


withdrawal, cancel, give_back = pages_of(
    Kind(
        job_kind=withdrawals.KIND,
        permission=Permission.BLOCK_SOURCES,
        address="withdrawal",
        page_of_one="memory",
        templates="blocks",
        present=presenter.withdrawal,
        undo=withdrawals.undo,
        undoing_of=withdrawals.undoing_of,
    )
)
