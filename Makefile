# `make help` says what there is. All set-up happens by itself in .venv: python3 and make are enough.

SHELL := /bin/sh
.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help demo serve test checks test-interpreted test-compiled test-bounds test-all docs bench picture format clean distclean

PY := .venv/bin/python
PIP := $(PY) -m pip install --disable-pip-version-check -qq
export PYTHON
# What is tested and run is this tree, in the mode that the target names.
unexport PYTHONPATH PYTHONHOME NUMBA_DISABLE_JIT NUMBA_BOUNDSCHECK

help:
	@echo 'make demo      three programs play three-colour Go, live in this terminal'
	@echo 'make serve     Go for two to six colours in your browser'
	@echo 'make test      everything that has to pass: checks, tests in three modes, documentation'
	@echo 'make checks    lint, format, types, and the rules of the house (the first part of make test)'
	@echo 'make docs      the documentation as a site: site/index.html'
	@echo 'make bench     us and our rivals, measured in one run (ARGS="go9-uct --json" for one figure)'
	@echo 'make picture   draw the picture of the README anew'
	@echo 'make format    put the source into its form'
	@echo 'make clean     drop caches and the site; make distclean drops .venv too'

# ---- set-up: a stamp for each of the two kinds of installation, so that it is done once ----

.venv/usable:
	@if ! $(PY) -c 'import sys, pip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
	    python=$$(sh tools/find_python.sh) && \
	    echo "Making .venv with $$python ..." && \
	    "$$python" -m venv --clear .venv; \
	fi
	@touch $@

.venv/installed: .venv/usable pyproject.toml
	@echo 'Installing manyminds and what it needs into .venv (once, about half a minute) ...'
	@$(PIP) -e .
	@touch $@

.venv/installed-web: .venv/usable pyproject.toml
	@echo 'Installing manyminds and its web server into .venv (once, about half a minute) ...'
	@$(PIP) -e '.[web]'
	@touch .venv/installed $@

.venv/installed-dev: .venv/usable pyproject.toml
	@echo 'Installing manyminds and the tools of its tests into .venv (once, about a minute) ...'
	@$(PIP) -e '.[dev]'
	@touch .venv/installed .venv/installed-web $@

# ---- what people type ----

demo: .venv/installed
	@$(PY) -m manyminds demo $(ARGS)

serve: .venv/installed-web
	@$(PY) -m manyminds serve $(ARGS)

bench: .venv/installed-dev
	@$(PY) -m manyminds bench $(ARGS)

docs: .venv/installed-dev
	@NO_MKDOCS_2_WARNING=1 $(PY) -m mkdocs build --strict
	@echo 'Open site/index.html, or run .venv/bin/mkdocs serve, which has a search box that works.'

picture: .venv/installed-dev
	@$(PY) tools/picture.py docs/images/demo.svg

format: .venv/installed-dev
	@$(PY) -m ruff check --fix --quiet . ; $(PY) -m ruff format .

# ---- what has to pass: plain Python first, where a mistake is easiest to read ----

test: checks test-interpreted test-compiled

checks: .venv/installed-dev
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy
	$(PY) tools/check_rooms.py src/manyminds
	$(PY) tools/check_functions.py src tools tests
	$(PY) tools/check_signatures.py src tools
	$(PY) tools/check_words.py .

test-interpreted: .venv/installed-dev
	NUMBA_DISABLE_JIT=1 $(PY) -m pytest -q -m interpreted

# Both at once: much of what tests do is wait, so that two runs take little longer than one.
ALL = $(PY) -m pytest -q
BOUNDS = NUMBA_BOUNDSCHECK=1 $(PY) -m pytest -q -p no:cacheprovider -m 'not compiled_only and not slow' --ignore=tests/tools --ignore=tests/docs

test-compiled: .venv/installed-dev
	@$(PY) tools/at_once.py "$(ALL)" "$(BOUNDS)"

test-bounds: .venv/installed-dev
	$(BOUNDS)

test-all: .venv/installed-dev
	$(ALL)

clean:
	rm -rf site .cache .hypothesis .mypy_cache .pytest_cache .ruff_cache dist
	find src tests tools -name __pycache__ -type d -prune -exec rm -rf {} +

distclean: clean
	rm -rf .venv
