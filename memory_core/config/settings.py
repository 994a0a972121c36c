"""Django settings: one file, every outside value through `env`."""

import sys

from memory_core.config import env, keys
from memory_core.config.databases import celery_url, database
from memory_core.config.embedded import addresses

BASE_DIR = env.folder(__file__).parent.parent.parent
sys.path.append(str(BASE_DIR / "clients"))  # for snapshots.foreign
HOME = env.HOME.read()
KEYS_DIR = env.KEYS_DIR.read() or HOME / "keys"
PROCESS = env.PROCESS.read()

SECRET_KEY = env.SECRET_KEY.read() or keys.load_or_create(KEYS_DIR, "secret_key").hex()
DIGEST_KEY = keys.load_or_create(KEYS_DIR, "digest_key")
TOMBSTONE_KEYS = env.TOMBSTONE_KEYS.read()
DEBUG = False
ALLOWED_HOSTS = env.ALLOWED_HOSTS.read()

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.postgres",
    "django.contrib.humanize",
    "django_htmx",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "memory_core.apps.MemoryCoreConfig",
    "moderation.apps.ModerationConfig",
    "api.apps.ApiConfig",
]

MIDDLEWARE = [
    "api.middleware.RequestIdMiddleware",
    "api.middleware.KnownHostMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "moderation.middleware.RestoreModeMiddleware",
    "moderation.middleware.ConsoleTransactionMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "moderation.activity.ActivityMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
]

ROOT_URLCONF = "memory_core.config.urls"
WSGI_APPLICATION = "memory_core.config.wsgi.application"
APPEND_SLASH = False

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "moderation.context.console",
            ],
        },
    },
]

EMBEDDED = addresses(HOME)
DATABASE_URL = env.DATABASE_URL.read() or EMBEDDED.database_url
DATABASES = {"default": database(DATABASE_URL, process=PROCESS, key=DIGEST_KEY)}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

REDIS_URL = env.REDIS_URL.read() or EMBEDDED.redis_url
CACHES = {
    "default": {
        "BACKEND": "moderation.cache.SharedCache",
        "LOCATION": REDIS_URL,
        "KEY_PREFIX": "mneme:cache",
    }
}
CELERY_BROKER_URL = celery_url(REDIS_URL)
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True

AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 12},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/"
ACCOUNT_ADAPTER = "moderation.adapter.AccountAdapter"
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_FORMS = {
    "login": "moderation.forms.sign_in.SignInForm",
    "reauthenticate": "moderation.forms.sign_in.ConfirmForm",
}
ACCOUNT_SESSION_REMEMBER = True  # as long as SESSION_COOKIE_AGE says
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_TOTP_ISSUER = "Mneme"  # how an authenticator app calls the account
MFA_TOTP_TOLERANCE = 1  # a clock may be half a minute off

SESSION_COOKIE_AGE = 8 * 3600  # since the last request, see ActivityMiddleware
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SAMESITE = "Lax"
TLS = env.TLS.read()
PROXIES = env.PROXIES.read()
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = TLS
SECURE_HSTS_SECONDS = 31536000 if TLS else 0
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'none'"],
        "script-src": ["'self'"],
        "style-src": ["'self'"],
        "img-src": ["'self'", "data:"],
        "font-src": ["'self'"],
        "connect-src": ["'self'"],
        "form-action": ["'self'"],
        "base-uri": ["'none'"],
        "frame-ancestors": ["'none'"],
    }
}

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["api.authentication.TokenAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["api.permissions.HasScope"],
    "DEFAULT_RENDERER_CLASSES": ["api.renderers.OrjsonRenderer"],
    "DEFAULT_PARSER_CLASSES": ["api.parsers.StrictJSONParser"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "api.errors.handle",
    "UNAUTHENTICATED_USER": None,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Mneme",
    "DESCRIPTION": "Memory for AI agents, whatever framework they run on.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    "POSTPROCESSING_HOOKS": [],
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
}
DATA_UPLOAD_MAX_MEMORY_SIZE = 8 * 1024 * 1024
FILE_UPLOAD_HANDLERS = [
    "moderation.receiving.Doorkeeper",
    "django.core.files.uploadhandler.MemoryFileUploadHandler",
    "django.core.files.uploadhandler.TemporaryFileUploadHandler",
]

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("zh-hans", "简体中文")]
LOCALE_PATHS = [BASE_DIR / "moderation" / "locale"]
TIME_ZONE = "UTC"

STATIC_URL = "/static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
WHITENOISE_USE_FINDERS = True  # files are served from where they are

EMBEDDER = env.EMBEDDER.read()
EMBEDDER_URL = env.EMBEDDER_URL.read()
EMBEDDER_KEY = env.EMBEDDER_KEY.read()
EMBEDDER_TIMEOUT = env.EMBEDDER_TIMEOUT.read()
LLM_URL = env.LLM_URL.read()
LLM_MODEL = env.LLM_MODEL.read()
LLM_KEY = env.LLM_KEY.read()
LLM_TIMEOUT = env.LLM_TIMEOUT.read()
LLM_JUDGE = env.LLM_JUDGE.read()
SECRETS = env.SECRETS.read()
SCREENING_WEIGHTS = env.SCREENING_WEIGHTS.read()
RELATION_THRESHOLDS = {
    "duplicate": env.DUPLICATE_FROM.read(),
    "supersede": env.SUPERSEDE_FROM.read(),
}
AUDIT_DIR = env.AUDIT_DIR.read() or HOME / "audit"
LEDGER_DIR = env.LEDGER_DIR.read() or HOME / "ledger"
BACKUP_DAYS = env.BACKUP_DAYS.read()
SNAPSHOT_DIR = env.SNAPSHOT_DIR.read() or HOME / "snapshots"
SNAPSHOTS_KEPT = env.SNAPSHOTS_KEPT.read()
COLD_DIR = env.COLD_DIR.read() or HOME / "cold"
METRICS_TOKEN = env.METRICS_TOKEN.read()
CONTROLLER = env.CONTROLLER.read()
CONTROLLER_CONTACT = env.CONTROLLER_CONTACT.read()
DPO = env.DPO.read()
AUTHORITY = env.AUTHORITY.read()
HOLIDAYS = frozenset(env.HOLIDAYS.read())
CASE_FILE_MONTHS = env.CASE_FILE_MONTHS.read()
RESTRICT_ON_REQUEST = env.RESTRICT_ON_REQUEST.read()
RECALL_SAMPLES = env.RECALL_SAMPLES.read()
HNSW_ROWS = env.HNSW_ROWS.read()
DEMO = env.DEMO.read()
BASE_URL = f"http://localhost:{env.PORT.read()}"

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {"format": "%(asctime)s %(levelname)s %(name)s %(message)s"},
    },
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["stderr"], "level": env.LOG_LEVEL.read()},
    "loggers": {
        "django.server": {"level": "WARNING"},
        "django.request": {"level": "ERROR"},  # its warnings quote callers' paths
        "httpx": {"level": "WARNING"},  # it logs every address
    },
}
