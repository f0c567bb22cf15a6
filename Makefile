PYTHON ?= python3
BIN := .venv/bin

.DEFAULT_GOAL := help
.PHONY: help setup play test check bench lock clean

help:  ## list the targets
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-8s %s\n", $$1, $$2}'

setup: .venv/ready  ## everything the other targets need, into .venv

.venv/ready: requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit("Kibitz needs Python 3.11 or newer, this is " + sys.version.split()[0] if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --require-hashes -r requirements.lock
	$(BIN)/pip install --quiet --no-deps --no-build-isolation --editable .
	touch $@

play: setup  ## sit down at the table
	@$(BIN)/kibitz play

test: setup  ## all tests
	$(BIN)/pytest -n auto

check: setup  ## linters and type checkers
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: setup  ## the benchmarks
	$(BIN)/kibitz bench

lock:  ## pin anew what pyproject.toml allows (needs uv)
	uv pip compile pyproject.toml --all-extras --group dev --universal --generate-hashes --no-header --python-version 3.11 --output-file requirements.lock --upgrade

clean:  ## remove what was built
	rm -rf .venv build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
