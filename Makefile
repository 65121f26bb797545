# HeartRule. `make run` serves the web app on this machine, `make test` checks everything, `make help` lists the rest.
SCRIPT ?= cbt/first_assessment
HOST ?= 127.0.0.1
PORT ?= 8000
BIN := .venv/bin
NPM := npm --prefix web --silent
SHELL := /bin/sh
MAKEFLAGS += --no-print-directory
# What runs side by side must not be told in turns; make 3.81 cannot keep it apart.
SIDE_BY_SIDE := -j2 $(if $(filter output-sync,$(.FEATURES)),--output-sync=target)

.PHONY: everything forgotten help run chat edits vsix setup setup-chat setup-dev test lint lint-python lint-web pytest test-web format bench faults \
	chaos teamwork histories fuzz attack debugged impact rollback browser pictures wheel docs lock clean
.DEFAULT_GOAL := help

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' Makefile

run: setup ## set up what is missing, then serve the web app (HOST=… PORT=… for another address)
	@$(BIN)/heartrule serve --host $(HOST) --port $(PORT) || code=$$?; \
	case "$${code:-0}" in 0|130) ;; *) exit "$$code";; esac

chat: setup-chat ## set up what is missing, then open a session in the terminal (SCRIPT=cbt/abc_intro for another one)
	@$(BIN)/heartrule chat $(SCRIPT) || code=$$?; case "$${code:-0}" in 0|3|130) ;; *) exit "$$code";; esac

setup: ## the first half of `make run`: .venv from requirements.lock, and the web app built
	@tools/setup.sh run

setup-chat:
	@tools/setup.sh chat

setup-dev:
	@tools/setup.sh test

test: setup-dev ## set up what is missing, then lint, types and tests, of the long ones a share that changes with the commit
	@$(MAKE) $(SIDE_BY_SIDE) lint-python lint-web test-web
	@HEARTRULE_TESTS=short $(MAKE) pytest

everything: setup-dev ## the same with all the long tests (an hour on two processors)
	@$(MAKE) $(SIDE_BY_SIDE) lint-python lint-web test-web
	@$(MAKE) pytest

lint: setup-dev ## ruff, mypy --strict, and what web/ is checked with
	@$(MAKE) $(SIDE_BY_SIDE) lint-python lint-web

lint-python:
	@echo "Linting Python."
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check --quiet . || { echo "Some files are not formatted; run: make format" >&2; exit 1; }
	@echo "Checking types of Python."
	@$(BIN)/mypy

lint-web:
	@echo "Linting the web app and checking its types."
	@$(NPM) run lint

test-web: setup-dev
	@echo "Running the tests of the web app's parts."
	@$(NPM) test

pytest: setup-dev
	@echo "Running the tests."
	@$(BIN)/pytest -n auto --dist worksteal

format: setup-dev ## format the code and mend what can be mended
	@$(BIN)/ruff check --fix --quiet . || true
	@$(BIN)/ruff format .
	@$(NPM) run format

edits: setup-dev ## 1,000 random documents with 100 random visual edits each: nothing lost, all of it undone
	@HEARTRULE_DOCUMENTS=1000 HEARTRULE_OPERATIONS=100 HEARTRULE_EDITS=300 $(BIN)/pytest -q -n auto tests/authoring

bench: setup-dev ## measure a turn, loading and the bytes written
	@$(BIN)/python -m bench

faults: setup-dev ## every kind of fault at four rates, then 200 sessions with a model that fails (half an hour)
	@$(BIN)/python -m tests.chaos.matrix --out build/faults
	@$(BIN)/python -m tests.chaos.faults

chaos: setup-dev ## kills at random moments: 200 of sessions, each compared with its unkilled twin, 1,000 of deliveries, 1,000 of remembering
	@$(BIN)/python -m tests.chaos.kill
	@$(BIN)/python -m tests.chaos.shown
	@$(BIN)/python -m tests.chaos.served_kills
	@$(BIN)/python -m tests.chaos.jobs
	@$(BIN)/python -m tests.chaos.remembering

forgotten: setup-dev ## 1,000 planted strings: where they stand with the keys, and that they are nowhere afterwards
	@HEARTRULE_PLANTED=1000 $(BIN)/pytest -q -n auto tests/sessions/test_forgotten_everywhere.py

teamwork: setup-dev ## 1,000 runs of three authors who edit, merge, restore, publish and comment at once, with kills
	@$(BIN)/python -m tests.chaos.teamwork

histories: setup-dev ## 5,000 random histories of the topic scheduler, 2,000 plans, interruptions at every wait, replays of every script
	@HEARTRULE_HISTORIES=5000 $(BIN)/pytest tests/engine/test_scheduler_histories.py
	@HEARTRULE_PLANS=2000 $(BIN)/pytest tests/engine/test_plans_at_random.py
	@HEARTRULE_INTERRUPTIONS=long $(BIN)/pytest -n auto tests/engine/test_interruptions.py tests/engine/test_every_wait.py \
		tests/sessions/test_replay.py

fuzz: setup-dev ## property tests with fresh examples, 1,000 scripts formatted, 100,000 documents linted, 20,000 requests
	@HEARTRULE_RANDOM=1 $(BIN)/pytest -q -n auto $$(grep -rl --include='test_*.py' hypothesis tests)
	@HEARTRULE_FMT=1000 $(BIN)/pytest -q tests/language/test_formatting.py tests/language/test_formatting_anyhow.py
	@$(BIN)/python -m tests.language.fuzz
	@$(BIN)/python -m tests.chaos.fuzz

attack: setup-dev ## tests/security in its long form: 10,000 hostile texts, and 50,000 requests with no answer of 5xx
	@HEARTRULE_HOSTILE=10000 $(BIN)/pytest -q tests/security tests/safety/test_risk_rules.py
	@$(BIN)/python -m tests.chaos.fuzz 50000 5400

rollback: setup-dev ## a release taken back while 50 conversations are begun a second, for 20 seconds
	@HEARTRULE_ROLLBACK=50x20 $(BIN)/pytest -q -s -n 0 tests/releases/test_gradual.py -k going_back

impact: setup-dev ## what is said of sessions before publishing, held against what happens: 500 sessions, 40 edits each
	@HEARTRULE_IMPACT=500x40 $(BIN)/pytest -q -s -n auto tests/releases/test_impact.py

debugged: setup-dev ## debug sessions held, gone back in and edited at random, in the long form
	@HEARTRULE_DEBUGGED=1000 HEARTRULE_CARRIED=300 $(BIN)/pytest -q tests/debugger/test_changes_nothing.py tests/debugger/test_state_transfer.py

browser: setup-dev ## the tests in a real browser in their long form
	@HEARTRULE_BROWSER_TESTS=long $(BIN)/pytest -n auto tests/browser

pictures: setup-dev ## take the pictures of the README from the real app
	@$(BIN)/python tools/pictures.py

vsix: setup-dev ## package the extension for VS Code: build/heartrule-*.vsix
	@npm --prefix editors/vscode install --silent --omit=dev --no-package-lock --no-audit --no-fund --ignore-scripts
	@$(BIN)/python tools/vsix.py

wheel: setup-dev ## build dist/heartrule-*.whl, with the web app in it
	@rm -rf dist
	@$(BIN)/python -m hatchling build -t wheel

docs: setup-dev ## write anew what is generated: action reference, findings, transcripts, list of decisions
	@$(BIN)/python tools/action_reference.py
	@$(BIN)/python tools/findings.py
	@$(BIN)/python tools/transcripts.py
	@$(BIN)/python tools/decision_index.py

lock: setup-dev ## resolve the dependencies of pyproject.toml anew and write both lock files
	@$(BIN)/python tools/lock.py

clean: ## remove .venv, caches and built files (never the data folder)
	@rm -rf .venv dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis
	@rm -rf web/node_modules web/*/*/node_modules web/*/*/dist
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
