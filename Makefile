# rag-gate: everything runs in .venv, with the versions and hashes of requirements/*.txt.
# Two commands on a fresh machine with Python 3.11 to 3.13, git and make: `make demo`, `make test`.

PYTHON ?= python3
UV := $(shell command -v uv 2>/dev/null)
PYTEST_ARGS ?=
# Many tests wait for a process or a server, so more of them run at a time than there are cores. Files start in the
# order of their names: those of action and integration, which take longest, before thousands of short ones in unit.
WORKERS ?= 4
# `make lock UPGRADE=--upgrade` moves every pin, `make lock` only what pyproject.toml asks for.
UPGRADE ?=

BIN := .venv/bin
IS_SUPPORTED := import sys; (3, 11) <= sys.version_info[:2] <= (3, 13) or sys.exit(1)
SOURCES := $(shell find eval/rag_gate -name '*.py')
CHECKED := $(wildcard eval tests examples benchmarks docs scripts)

ifneq ($(UV),)
INSTALLER := uv
CREATE_VENV = $(UV) venv --quiet --clear --python "$$($(PYTHON) -c 'import sys; print(sys.executable)')" .venv
INSTALL = $(UV) pip install --quiet --python $(BIN)/python --compile-bytecode
else
INSTALLER := pip
CREATE_VENV = $(PYTHON) -m venv --clear .venv
INSTALL = $(BIN)/python -m pip install --quiet --quiet --disable-pip-version-check
endif
LOCK = UV_CUSTOM_COMPILE_COMMAND="make lock" $(UV) pip compile --quiet --universal --python-version 3.11 \
  --generate-hashes --no-annotate --no-emit-index-url --no-emit-find-links $(UPGRADE)
COMPILE = $(LOCK) pyproject.toml requirements/build.in

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.NOTPARALLEL:
.PHONY: help venv demo test lint types check docs lock clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-6s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

venv: .venv/.core.stamp .venv/.project.stamp .venv/.compiled.stamp ## Create .venv with rag-gate and its locked dependencies
	@echo "==> Ready: $(BIN)/rag-gate --help"

demo: .venv/.example.stamp .venv/.project.stamp .venv/.compiled.stamp ## Gate the support bot's planted changes (no key, no network)
	@echo "==> Running the demonstration (examples/support-bot/demo.py)"
	@$(BIN)/python examples/support-bot/demo.py

test: .venv/.test.stamp .venv/.project.stamp .venv/.compiled.stamp .venv/.wheels.stamp .venv/.programs.stamp ## Run all tests (PYTEST_ARGS="-k name" selects)
	@echo "==> Running the tests (pytest)"
	@$(BIN)/python -m pytest --numprocesses $(WORKERS) --dist loadfile --no-loadscope-reorder $(PYTEST_ARGS)

lint: .venv/.lint.stamp .venv/.project.stamp ## Check style, format and who may import whom
	@echo "==> Checking the style (ruff check)"
	@$(BIN)/ruff check $(CHECKED)
	@echo "==> Checking the format (ruff format --check)"
	@$(BIN)/ruff format --check $(CHECKED)
	@echo "==> Checking who imports whom (lint-imports)"
	@PYTHONPATH=eval $(BIN)/lint-imports

types: .venv/.lint.stamp .venv/.project.stamp ## Check the types (mypy --strict)
	@echo "==> Checking the types (mypy)"
	@$(BIN)/mypy

check: lint types test ## lint + types + test

docs: .venv/.core.stamp .venv/.project.stamp ## Regenerate what docs/reference tells of the code
	@$(BIN)/python docs/generate.py

lock: ## Resolve requirements/*.txt anew from pyproject.toml (needs uv)
	@test -n "$(UV)" || { echo "error: make lock needs uv (https://docs.astral.sh/uv/): pip install uv, then again" >&2; exit 1; }
	@echo "==> Locking lint, the largest set; the others take their versions from it"
	@$(COMPILE) --extra example --group test --group lint --output-file requirements/lint.txt
	@echo "==> Locking test, example, core"
	@$(COMPILE) --constraint requirements/lint.txt --extra example --group test --output-file requirements/test.txt
	@$(COMPILE) --constraint requirements/lint.txt --extra example --output-file requirements/example.txt
	@$(COMPILE) --constraint requirements/lint.txt --output-file requirements/core.txt
	@echo "==> Locking action, the small set of the GitHub action, and ragas on top of core"
	@$(LOCK) --constraint requirements/core.txt --group action --output-file requirements/action.txt
	@$(COMPILE) --constraint requirements/core.txt --extra ragas --output-file requirements/ragas.txt

clean: ## Remove .venv, caches and build results
	@echo "==> Removing .venv, caches and build results"
	@rm -rf .venv build dist .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis .coverage
	@find eval tests examples -name __pycache__ -type d -prune -exec rm -rf {} +

.venv/.created.stamp:
	@if $(BIN)/python -c '$(IS_SUPPORTED); sys.exit(sys.prefix == sys.base_prefix)' 2>/dev/null; then \
	  echo "==> Using the .venv that is there"; \
	elif $(PYTHON) -c '$(IS_SUPPORTED)'; then \
	  echo "==> Creating .venv ($$($(PYTHON) --version), $(INSTALLER))"; \
	  $(CREATE_VENV); \
	else \
	  echo "error: '$(PYTHON)' is not Python 3.11, 3.12 or 3.13; name one: make PYTHON=python3.12 ..." >&2; exit 1; \
	fi
	@touch $@

# A lock that changed is installed again; with an unchanged one a second run starts at once.
.venv/.%.stamp: requirements/%.txt .venv/.created.stamp
	@echo "==> Installing the locked dependencies ($<, $(INSTALLER))"
ifeq ($(UV),)
	@$(BIN)/python -c 'import pip' 2>/dev/null || $(BIN)/python -m ensurepip >/dev/null
endif
	@$(INSTALL) --require-hashes --no-deps --only-binary :all: --requirement $<
	@touch $@

# The tests install the action's packages from these files, without a network.
.venv/.wheels.stamp: requirements/action.txt .venv/.created.stamp
	@echo "==> Fetching the action's packages, for the tests"
	@$(BIN)/python tests/action/wheelhouse.py
	@touch $@

.venv/.programs.stamp: scripts/test-programs .venv/.created.stamp
	@scripts/test-programs
	@touch $@

# Comes after a lock: hatchling, which builds the project, is in each of them.
.venv/.project.stamp: pyproject.toml .venv/.created.stamp
	@echo "==> Installing rag-gate itself, editable"
	@$(INSTALL) --no-deps --no-build-isolation --editable .
	@touch $@

# uv leaves modules uncompiled, and PYTHONDONTWRITEBYTECODE may be set: a command would compile them at each start.
.venv/.compiled.stamp: $(SOURCES) .venv/.project.stamp
	@echo "==> Compiling eval/rag_gate"
	@$(BIN)/python -m compileall -q eval/rag_gate
	@touch $@
