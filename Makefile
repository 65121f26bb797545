# HeartRule. `make run` opens a session in the terminal, `make test` checks everything, `make help` lists the rest.
SCRIPT ?= cbt/first_assessment
BIN := .venv/bin
SHELL := /bin/sh
MAKEFLAGS += --no-print-directory

.PHONY: help run setup setup-dev test lint pytest format bench faults chaos wheel docs lock clean
.DEFAULT_GOAL := help

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' Makefile

run: setup ## set up what is missing, then open a session (SCRIPT=cbt/abc_intro for another one)
	@$(BIN)/heartrule chat $(SCRIPT) || code=$$?; case "$${code:-0}" in 0|3|130) ;; *) exit "$$code";; esac

setup: ## the first half of `make run`: .venv from requirements.lock
	@tools/setup.sh run

setup-dev:
	@tools/setup.sh test

test: setup-dev ## set up what is missing, then lint, types and all tests
	@$(MAKE) lint pytest

lint: setup-dev ## ruff (rules and format) and mypy --strict
	@echo "Linting."
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check --quiet . || { echo "Some files are not formatted; run: make format" >&2; exit 1; }
	@echo "Checking types."
	@$(BIN)/mypy

pytest: setup-dev
	@echo "Running the tests."
	@$(BIN)/pytest -n auto

format: setup-dev ## format the code and mend what ruff can mend
	@$(BIN)/ruff check --fix --quiet . || true
	@$(BIN)/ruff format .

bench: setup-dev ## measure a turn, loading and the bytes written
	@$(BIN)/python -m bench

faults: setup-dev ## 200 sessions with a model that fails (about five minutes)
	@$(BIN)/python -m tests.chaos.faults

chaos: setup-dev ## 200 kills at random moments, each session compared with its unkilled twin
	@$(BIN)/python -m tests.chaos.kill

wheel: setup-dev ## build dist/heartrule-*.whl
	@rm -rf dist
	@$(BIN)/python -m hatchling build -t wheel

docs: setup-dev ## write anew what is generated: action reference, transcripts, list of decisions
	@$(BIN)/python tools/action_reference.py
	@$(BIN)/python tools/transcripts.py
	@$(BIN)/python tools/decision_index.py

lock: setup-dev ## resolve the dependencies of pyproject.toml anew and write both lock files
	@$(BIN)/python tools/lock.py

clean: ## remove .venv, caches and built files (never the data folder)
	@rm -rf .venv dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
