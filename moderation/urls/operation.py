"""Addresses of the pages for operators: health, jobs, samples, models and the rest."""

from django.urls import path

from moderation.pages import consolidation, embedding, health, samples

urlpatterns = [
    path("health/", health.health, name="health"),
    path("health/<slug:key>/", health.health_figure, name="health-figure"),
    path("jobs/", health.jobs, name="jobs"),
    path("jobs/rescan/", health.rescan, name="rescan"),
    path("jobs/<uuid:job_id>/", health.job, name="job"),
    path("jobs/<uuid:job_id>/cancel/", health.cancel, name="job-cancel"),
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
]
