"""Database and queue addresses for each kind of process."""

import hashlib
import hmac
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

# A pool that tries again for long waits ever longer between two tries; one that gives
# up tries at once for the next request.
POOL = {"min_size": 1, "max_size": 8, "timeout": 5, "reconnect_timeout": 5}
API, CONSOLE, JOBS, VERIFY, WEB = (
    "mneme_api",
    "mneme_console",
    "mneme_jobs",
    "mneme_verify",
    "mneme_web",
)
"""The database roles; `config.roles` says what each may do."""
LOGIN_ROLES = {"web": WEB, "jobs": JOBS}


def role_password(key: bytes, role: str) -> str:
    """Return the password of a login role, derived from the installation's key.

    Nothing has to be stored or handed around: whoever holds the key file can log in.
    """
    return hmac.new(key, b"role:" + role.encode(), hashlib.sha256).hexdigest()


def database(url: str, *, process: str, key: bytes) -> dict[str, Any]:
    """Return Django's database settings for `url`, as the role of `process`."""
    parts = urlsplit(url)
    query = dict(parse_qsl(parts.query))
    user, password = unquote(parts.username or ""), unquote(parts.password or "")
    if role := LOGIN_ROLES.get(process):
        user, password = role, role_password(key, role)
    pooled = process == "web"
    settings = (
        "-c plan_cache_mode=force_custom_plan -c jit=off"
        " -c max_parallel_workers_per_gather=0 -c TimeZone=UTC"
    )
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": parts.path.lstrip("/") or "mneme",
        "USER": user,
        "PASSWORD": password,
        "HOST": query.get("host", parts.hostname or ""),
        "PORT": query.get("port", str(parts.port or "")),
        "CONN_MAX_AGE": 0 if pooled else 60,
        "CONN_HEALTH_CHECKS": True,
        "OPTIONS": {
            "options": settings,
            "connect_timeout": 5,
            **({"sslmode": query["sslmode"]} if "sslmode" in query else {}),
            **({"pool": POOL} if pooled else {}),
        },
    }


def celery_url(url: str) -> str:
    """Return the form of a Redis address that Celery understands."""
    if url.startswith("unix://"):
        parts = urlsplit(url)
        number = dict(parse_qsl(parts.query)).get("db", "0")
        return f"redis+socket://{parts.path}?virtual_host={number}"
    return url
