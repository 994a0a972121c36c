"""What beat sends, and how often in seconds."""

HOUR = 3600.0

SCHEDULE: dict[str, dict[str, object]] = {
    "seal-audit": {"task": "memory_core.tasks.seal_audit", "schedule": 2.0},
    "flush-touches": {"task": "memory_core.tasks.flush_touches", "schedule": 2.0},
    "embed-waiting": {"task": "memory_core.tasks.embed_waiting", "schedule": 30.0},
    "heartbeat": {"task": "memory_core.tasks.heartbeat", "schedule": 5.0},
    "work-jobs": {"task": "memory_core.tasks.work_jobs", "schedule": 15.0},
    "consolidate": {"task": "memory_core.tasks.consolidate_hourly", "schedule": HOUR},
    "sweep-answers": {"task": "memory_core.tasks.sweep_answers", "schedule": HOUR},
    "copy-cold": {"task": "memory_core.tasks.copy_cold", "schedule": 10.0},
    "rescan": {"task": "memory_core.tasks.rescan_after_change", "schedule": 60.0},
    "take-snapshot": {"task": "memory_core.tasks.take_snapshot", "schedule": HOUR},
    "encode-waiting": {"task": "memory_core.tasks.encode_waiting", "schedule": 15.0},
    "purge-turns": {"task": "memory_core.tasks.purge_turns", "schedule": HOUR},
    "tend-sessions": {"task": "memory_core.tasks.tend_sessions", "schedule": 15.0},
    "tend-erasures": {"task": "memory_core.tasks.tend_erasures", "schedule": 5.0},
    "canary": {"task": "memory_core.tasks.send_canary", "schedule": HOUR},
    "age-backups": {"task": "memory_core.tasks.age_backups", "schedule": HOUR},
    "draw-samples": {"task": "moderation.tasks.draw_samples", "schedule": HOUR},
    "tend-indexes": {"task": "memory_core.tasks.tend_indexes", "schedule": HOUR},
    "advance-requests": {
        "task": "moderation.tasks.advance_requests",
        "schedule": 5.0,
    },
    "tidy-requests": {"task": "moderation.tasks.tidy_requests", "schedule": HOUR},
}
