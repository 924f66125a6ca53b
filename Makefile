# What people type here; `make` alone lists it. Each command sets up all that it needs, from nothing.
SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.PHONY: help setup up down test test-fast test-nightly check docs bench dist clean

# The language host runs the first `python` on PATH, and it must be ours.
with_pulumi = bin="$$(.venv/bin/python tools/pulumi-cli/install.py)" && PATH="$(CURDIR)/.venv/bin:$$bin:$$PATH"

# Compiled modules are kept, even on a machine that is set up to keep none: otherwise each of the thousands of processes
# that the tests start compiles everything that it imports. A file of tests stays in one worker, with its fixtures.
with_bytecode = unset PYTHONDONTWRITEBYTECODE && export PYTHONPYCACHEPREFIX="$(CURDIR)/.local/bytecode"
pytest = -m pytest --numprocesses=auto --dist=loadfile

# The theme's authors ask to look at its successor; this is how they say that they need not ask again.
documents = NO_MKDOCS_2_WARNING=true .venv/bin/mkdocs build --strict

help: ## List these commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' Makefile

up: setup ## Run examples/quickstart against a local emulator, or the service named in the environment
	@.venv/bin/python -m tools.quickstart up

down: setup ## Undo `make up`: destroy the stack, stop the emulator, remove its data
	@.venv/bin/python -m tools.quickstart down

test: setup ## Run all tests, and see that they reach each branch of client, resources, functions and spec
	@rm -f .coverage .coverage.*
	@$(with_bytecode) && $(with_pulumi) coverage run $(pytest)
	@.venv/bin/coverage combine --quiet
	@.venv/bin/coverage report

test-fast: setup ## Run the tests that need no pulumi command (minutes)
	@$(with_bytecode) && PATH="$(CURDIR)/.venv/bin:$$PATH" python $(pytest) -m "not engine and not thorough"

test-nightly: setup ## Run all tests in full size and on real Python processes: 50 kills, 200 storms, each Python (long)
	@$(with_bytecode) && $(with_pulumi) TESTS_NIGHTLY=1 python $(pytest)

check: setup ## Lint, formatting, types, who may import whom, what breaks users, and the documents' tables and links
	.venv/bin/ruff check
	.venv/bin/ruff format --check
	.venv/bin/mypy
	.venv/bin/pyright
	.venv/bin/lint-imports
	.venv/bin/python -m tools.public_api
	.venv/bin/python -m tools.tables --check
	$(documents) --quiet

docs: setup ## Build the documents into .local/site
	$(documents)

bench: setup ## Print the tables of benchmarks/ (minutes)
	@$(with_pulumi) python -m benchmarks

dist: setup ## Build the source distribution and, from that, the wheel into dist/
	@rm -rf dist
	@uv="$$(tools/setup.sh uv)" && "$$uv" build --quiet --python .venv/bin/python
	@ls dist/*

setup: ## Make .venv with the locked packages; the other commands do this first
	@tools/setup.sh

clean: ## Remove .venv, caches and built packages; a running quickstart's state stays (see `make down`)
	@rm -rf .venv .local/uv .local/bytecode .local/site .coverage* dist
	@rm -rf .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
