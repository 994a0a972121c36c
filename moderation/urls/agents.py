"""Addresses of agents and of their tokens."""

from django.urls import path

from moderation.pages import agents

urlpatterns = [
    path("agents/", agents.agents, name="agents"),
    path("agents/register/", agents.register, name="agent-register"),
    path("agents/<int:agent_id>/", agents.agent, name="agent"),
    path("agents/<int:agent_id>/grant/", agents.grant, name="agent-grant"),
    path("agents/<int:agent_id>/issue/", agents.issue, name="token-issue"),
    path("agents/<int:agent_id>/disable/", agents.disable, name="agent-disable"),
    path("agents/<int:agent_id>/enable/", agents.enable, name="agent-enable"),
    path("tokens/<int:token_id>/rotate/", agents.rotate, name="token-rotate"),
    path("tokens/<int:token_id>/revoke/", agents.revoke, name="token-revoke"),
]
