# What people type here; `make` alone lists it. Each command sets up all that it needs, from nothing.
SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.PHONY: help setup up down test check docs bench dist clean

# The language host runs the first `python` on PATH, and it must be ours.
with_pulumi = bin="$$(.venv/bin/python tools/pulumi-cli/install.py)" && PATH="$(CURDIR)/.venv/bin:$$bin:$$PATH"

# The theme's authors ask to look at its successor; this is how they say that they need not ask again.
documents = NO_MKDOCS_2_WARNING=true .venv/bin/mkdocs build --strict

help: ## List these commands
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-7s %s\n", $$1, $$2}' Makefile

up: setup ## Run examples/quickstart against a local emulator, or the service named in the environment
	@.venv/bin/python -m tools.quickstart up

down: setup ## Undo `make up`: destroy the stack, stop the emulator, remove its data
	@.venv/bin/python -m tools.quickstart down

test: setup ## Run the tests, and see that they reach each branch of client, resources, functions and spec
	@$(with_pulumi) coverage run -m pytest
	@.venv/bin/coverage combine --quiet
	@.venv/bin/coverage report

check: setup ## Lint, formatting, types, who may import whom, what breaks users, and the documents' links
	.venv/bin/ruff check
	.venv/bin/ruff format --check
	.venv/bin/mypy
	.venv/bin/pyright
	.venv/bin/lint-imports
	.venv/bin/python -m tools.public_api
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
	@rm -rf .venv .local/uv .local/site .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis .coverage* dist
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
