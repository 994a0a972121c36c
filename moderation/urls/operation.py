"""Addresses of the pages for operators: health, samples, models, consolidation."""

from django.urls import path

from moderation.pages import agents, consolidation, embedding, health, samples

urlpatterns = [
    path("health/<slug:key>/", health.health_figure, name="health-figure"),
    path("samples/", samples.samples, name="samples"),
    path("samples/<int:sample_id>/", samples.answer, name="sample-answer"),
    path("models/", embedding.models, name="models"),
    path("models/change/", embedding.change, name="models-change"),
    path("models/drop/", embedding.drop, name="models-drop"),
    path("models/<slug:verb>/", embedding.step, name="models-step"),
    path("consolidation/", consolidation.runs, name="consolidation"),
    path("consolidation/start/", consolidation.start, name="consolidation-start"),
    path(
        "consolidation/again/",
        consolidation.encode_again,
        name="consolidation-encode-again",
    ),
    path("agents/<int:agent_id>/disable/", agents.disable, name="agent-disable"),
    path("agents/<int:agent_id>/enable/", agents.enable, name="agent-enable"),
]
