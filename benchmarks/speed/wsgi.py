"""The WSGI application of the benchmark's web server."""

import os

from django.core.wsgi import get_wsgi_application

os.environ["DJANGO_SETTINGS_MODULE"] = "benchmarks.speed.settings"

application = get_wsgi_application()
