"""The WSGI application that granian serves."""

import os

from django.conf import settings
from django.core.wsgi import get_wsgi_application
from granian.utils.proxies import wrap_wsgi_with_proxy_headers

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memory_core.config.settings")
os.environ.setdefault("MNEME_PROCESS", "web")

application = get_wsgi_application()
if settings.TLS:  # else every sender of a header could choose its own address
    application = wrap_wsgi_with_proxy_headers(application, settings.PROXIES)
