"""Agents, what they may reach, and their tokens."""

from datetime import timedelta
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from memory_core.actions import agents as verbs
from memory_core.actions import tokens
from memory_core.exceptions import MnemeError
from memory_core.models import Agent, Grant, Token
from moderation.access import ConsoleRequest, needs
from moderation.forms.agents import AgentForm, GrantForm, TokenForm
from moderation.permissions import Permission
from moderation.presenters.agents import all_agents, shared_namespaces, tokens_of
from moderation.presenters.refusals import refusal, refuse


@require_safe
@needs(Permission.SEE_AGENTS)
def agents(request: ConsoleRequest) -> HttpResponse:
    return _all(request, AgentForm())


@require_POST
@needs(Permission.MANAGE_AGENTS)
def register(request: ConsoleRequest) -> HttpResponse:
    form = AgentForm(request.POST)
    if not form.is_valid():
        return _all(request, form, status=422)
    made = verbs.register(name=form.cleaned_data["name"], by=request.actor)
    return redirect("agent", agent_id=made.pk)


@require_safe
@needs(Permission.SEE_AGENTS)
def agent(request: ConsoleRequest, agent_id: int) -> HttpResponse:
    return _page(request, _row(agent_id))


@require_POST
@needs(Permission.MANAGE_AGENTS)
def issue(request: ConsoleRequest, agent_id: int) -> HttpResponse:
    row, form = _row(agent_id), TokenForm(request.POST)
    if not form.is_valid():
        return _page(request, row, token_form=form, status=422)
    days = form.cleaned_data["days"]
    secret, _token = tokens.issue(
        agent=row,
        scopes=form.cleaned_data["scopes"],
        owner_claim=form.cleaned_data["owner_claim"],
        rate=form.cleaned_data["rate"],
        expires_at=timezone.now() + timedelta(days=days) if days else None,
        by=request.actor,
    )
    return _page(request, row, secret=secret)


@require_POST
@needs(Permission.MANAGE_AGENTS)
def rotate(request: ConsoleRequest, token_id: int) -> HttpResponse:
    token = _token(token_id)
    try:
        secret, _successor = tokens.rotate(
            token=token, by=request.actor, now=timezone.now()
        )
    except MnemeError as error:
        messages.error(request, refusal(error))
        return redirect("agent", agent_id=token.agent_id)
    return _page(request, token.agent, secret=secret)


@require_POST
@needs(Permission.MANAGE_AGENTS)
def revoke(request: ConsoleRequest, token_id: int) -> HttpResponse:
    token = tokens.revoke(token=_token(token_id), by=request.actor, now=timezone.now())
    messages.success(request, _("Revoked. It is refused everywhere within 5 seconds."))
    return redirect("agent", agent_id=token.agent_id)


@require_POST
@needs(Permission.MANAGE_AGENTS)
def grant(request: ConsoleRequest, agent_id: int) -> HttpResponse:
    row, form = _row(agent_id), GrantForm(request.POST)
    if not form.is_valid():
        return _page(request, row, grant_form=form, status=422)
    try:
        _set_grant(request, row, **form.cleaned_data)
    except MnemeError as error:
        refuse(form, error)
        return _page(request, row, grant_form=form, status=422)
    return redirect("agent", agent_id=agent_id)


@require_POST
@needs(Permission.MANAGE_AGENTS)
def disable(request: ConsoleRequest, agent_id: int) -> HttpResponse:
    row = _row(agent_id)
    verbs.disable(agent=row, by=request.actor, now=timezone.now())
    said = _("Disabled. Its tokens are refused everywhere within 5 seconds.")
    messages.success(request, said)
    return redirect("agent", agent_id=agent_id)


@require_POST
@needs(Permission.MANAGE_AGENTS)
def enable(request: ConsoleRequest, agent_id: int) -> HttpResponse:
    verbs.enable(agent=_row(agent_id), by=request.actor)
    messages.success(request, _("Its tokens are taken again."))
    return redirect("agent", agent_id=agent_id)


def _set_grant(
    request: ConsoleRequest, row: Agent, *, namespace: str, rights: str
) -> None:
    if not rights:
        held = Grant.objects.filter(agent=row, namespace__name=namespace).first()
        if held:
            verbs.withdraw(grant=held, by=request.actor)
        return
    verbs.grant(
        agent=row,
        namespace=verbs.share_namespace(name=namespace, by=request.actor),
        read="r" in rights,
        write="w" in rights,
        by=request.actor,
    )


def _all(
    request: ConsoleRequest, form: AgentForm, *, status: int = 200
) -> HttpResponse:
    context = {
        "agents": all_agents(),
        "namespaces": shared_namespaces(),
        "form": form,
        "may_manage": Permission.MANAGE_AGENTS in request.rights,
    }
    return render(request, "agents/page.html", context, status=status)


def _page(
    request: ConsoleRequest, row: Agent, *, status: int = 200, **more: Any
) -> HttpResponse:
    context = {
        "agent": row,
        "tokens": tokens_of(row, now=timezone.now()),
        "grants": row.grants.select_related("namespace").order_by("namespace__name"),
        "namespaces": shared_namespaces(),
        "token_form": TokenForm(),
        "grant_form": GrantForm(),
        "may_manage": Permission.MANAGE_AGENTS in request.rights,
        **more,
    }
    return render(request, "agents/agent.html", context, status=status)


def _row(agent_id: int) -> Agent:
    return get_object_or_404(Agent.objects.select_related("namespace"), pk=agent_id)


def _token(token_id: int) -> Token:
    return get_object_or_404(Token.objects.select_related("agent"), pk=token_id)
