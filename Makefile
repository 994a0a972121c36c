# `make run` starts Mneme, `make test` checks it; `make help` lists the rest.

PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
  $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
VENV := .venv
PY := $(VENV)/bin/python
LOG := $(VENV)/pip.log
OUT ?= bench.json
# Each worker has servers of its own. One order for everybody, and another with
# SEED=default. What needed a second try is named at the end (docs/decisions/0083).
SEED ?= 1344700579
SPREAD := -n auto --maxprocesses 4 --dist loadfile --randomly-seed=$(SEED) --reruns 2 -rR
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_ROOT_USER_ACTION := ignore
export OMP_NUM_THREADS ?= 1

.DEFAULT_GOAL := help
.PHONY: help run stop status test test-long test-clients coverage lint format screenshots bench bench-quality torch lock clean

help:  ## list the commands
	@grep -E '^[a-z-]+:.*## ' $(firstword $(MAKEFILE_LIST)) | sed -E 's/^([a-z-]+):[^#]*## /\1\t/' | \
	  while IFS='	' read -r name text; do printf '  %-14s %s\n' "$$name" "$$text"; done

run: $(VENV)/.installed  ## start the service here; Ctrl-C ends it (MNEME_PORT, MNEME_HOME)
	@exec $(PY) -m memory_core.config.embedded run

stop:  ## end the service that was started in another terminal
	@if [ -x $(PY) ]; then exec $(PY) -m memory_core.config.embedded stop; \
	else echo "Mneme is not running: it is not installed yet."; fi

status: $(VENV)/.installed  ## say whether the service runs
	@exec $(PY) -m memory_core.config.embedded status

test: lint  ## run the linters and the whole test suite
	@$(MAKE) --no-print-directory -C clients test-core PYTHON="$(abspath $(PY))"
	@$(PY) -m pytest $(SPREAD) $(ARGS)

coverage: $(VENV)/.installed-dev  ## run the tests and tell which branches none of them takes
	@$(PY) -m pytest $(SPREAD) --cov --cov-report=term-missing:skip-covered $(ARGS)

test-long: $(VENV)/.installed-dev  ## also run the tests of full size
	@$(PY) -m pytest $(SPREAD) -m "long or not long" $(ARGS)

lint: $(VENV)/.installed-dev  ## check style, types, layers and templates
	@$(PY) -m ruff check .
	@$(PY) -m ruff format --check .
	@$(PY) -m mypy
	@$(VENV)/bin/lint-imports
	@$(PY) -m djlint --check --quiet templates
	@$(MAKE) --no-print-directory -C clients lint PYTHON="$(abspath $(PY))"

test-clients: $(VENV)/.installed-dev  ## test the adapters against their real frameworks (large)
	@$(PY) -m tests.compat.live $(MAKE) --no-print-directory -C clients test \
	  PYTHON="$(abspath $(PY))" ENVS="$(abspath $(VENV))/frameworks"

format: $(VENV)/.installed-dev  ## put code and templates into their form
	@$(PY) -m ruff check --fix .
	@$(PY) -m ruff format .
	@$(PY) -m djlint --reformat --quiet templates

screenshots: $(VENV)/.installed-dev  ## take pictures of every page of the running service for docs/screenshots
	@$(PY) -m tests.browser.screenshots $(or $(MNEME_HOME),.mneme)

bench: $(VENV)/.installed-dev  ## measure speed; OUT=FILE takes the JSON
	@$(PY) -m benchmarks.speed --out "$(OUT)"

bench-quality: $(VENV)/.installed-dev  ## measure quality on DATA=FOLDER; OUT=FILE takes the JSON
	@test -n "$(DATA)" || { echo "Say where the data are: make bench-quality DATA=FOLDER" >&2; exit 1; }
	@$(PY) -m benchmarks.quality --data "$(DATA)" --out "$(OUT)"

torch: $(VENV)/.installed-torch  ## install what the tests marked "torch" need (large)

lock:  ## write the versions of a fresh installation into requirements.lock
	@rm -rf $(VENV)/lock
	@$(PYTHON) -m venv $(VENV)/lock
	@$(VENV)/lock/bin/python -m pip install --quiet -e ".[dev]"
	@$(VENV)/lock/bin/python -m pip freeze --exclude mneme --exclude-editable \
	  | grep -E '^[A-Za-z0-9._-]+==[^ ]+$$' > requirements.lock
	@rm -rf $(VENV)/lock

clean:  ## remove the environment and caches; data stay
	@rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache ./*.egg-info

# pip's own words go to a file; a person gets a sentence and, if it helps, the last lines.
define install
	@echo "Installing packages$(2)"
	@$(PY) -m pip install --quiet --no-input --constraint requirements.lock $(1) >$(LOG) 2>&1 || { \
	  if grep -q "No space left on device" $(LOG); then \
	    echo "The disk that holds $(CURDIR) is full; a whole installation takes about 1 GB."; \
	  elif grep -q "No matching distribution found" $(LOG); then \
	    echo "A package has no build for this machine (Mneme needs Linux with glibc 2.28 or newer on x86_64 or aarch64),"; \
	    echo "or the package index cannot be reached: $$(grep -m1 'No matching distribution found' $(LOG))"; \
	  else echo "Installing failed; all of what pip said is in $(LOG):"; tail -n 5 $(LOG); fi >&2; exit 1; }
endef

$(PY):
	@test -n "$(PYTHON)" || { echo "Mneme needs Python 3.11 or newer; none was found (name one with PYTHON=...)." >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	  echo "$(PYTHON) is no Python 3.11 or newer; name one with PYTHON=..." >&2; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { \
	  echo "Python's venv module is missing; install it first, on Debian or Ubuntu as root: apt-get install python3-venv" >&2; exit 1; }
	@echo "Creating the environment in $(VENV)"
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); \
	  echo "The environment could not be made in $(CURDIR)/$(VENV)." >&2; exit 1; }

$(VENV)/.installed: pyproject.toml requirements.lock | $(PY)
	$(call install,-e ., (a minute or two the first time))
	@touch $@

$(VENV)/.installed-dev: pyproject.toml requirements.lock | $(PY)
	$(call install,-e ".[dev]", and the tools for development (a few minutes the first time))
	@touch $@ $(VENV)/.installed

$(VENV)/.installed-torch: pyproject.toml requirements.lock | $(PY)
	$(call install,-e ".[dev$(comma)torch]", with torch (several minutes))
	@touch $@ $(VENV)/.installed-dev $(VENV)/.installed

comma := ,
