# Bare `make` lists the targets. Everything real happens in `interview-book`; this file only sets up and calls it.
PYTHON   ?= $(shell for p in python3 python3.13 python3.12 python3.11; do command -v $$p >/dev/null 2>&1 && $$p -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' 2>/dev/null && { echo $$p; break; }; done)
PORT     ?= 8000
LANGUAGE ?= ja
BIN      := .venv/bin
PIP      := $(BIN)/python -m pip --disable-pip-version-check -q install
export PIP_ROOT_USER_ACTION = ignore
export PYTHONUTF8 = 1

.PHONY: help book site test test-torch test-editions test-seeds mutate lab anki run check lint bench clean setup pins screenshot
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "%-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.venv/.book: requirements.txt pyproject.toml package.json package-lock.json
	@test -n "$(PYTHON)" || { echo "No Python 3.11, 3.12 or 3.13 was found: install one, or name it with PYTHON=/path/to/python3."; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' || { echo "$(PYTHON) is not Python 3.11, 3.12 or 3.13: name one that is with PYTHON=/path/to/python3."; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { echo "$(PYTHON) cannot make virtual environments: install its venv package (on Debian: apt install python3-venv) and run make again."; exit 1; }
	@echo "Setting up (once; a few minutes) ..."
	@$(BIN)/python -c '' 2>/dev/null || { rm -rf .venv; $(PYTHON) -m venv .venv; }
	@$(PIP) --require-hashes -r requirements.txt
	@$(PIP) --no-deps --no-build-isolation -e .
	@$(BIN)/interview-book npm ci --no-audit --no-fund --loglevel=error --ignore-scripts
	@touch $@

.venv/.test: .venv/.book requirements-test.txt
	@$(PIP) --require-hashes -r requirements-test.txt
	@touch $@

# torch lives apart: it is large, and the book itself does not need it. The rest as pinned for the tests.
.venv-torch/.torch: requirements-test.txt | .venv/.book
	@echo "Setting up torch (once) ..."
	@rm -rf .venv-torch && $(PYTHON) -m venv .venv-torch
	@sed -n 's/^\([A-Za-z0-9_.-]*==[^\\]*[^\\ ]\) *\\$$/\1/p' requirements-test.txt > .venv-torch/constraints.txt
	@.venv-torch/bin/python -m pip --disable-pip-version-check -q install torch==2.13.0 -c .venv-torch/constraints.txt
	@.venv-torch/bin/python -m pip --disable-pip-version-check -q install numpy pytest jaxtyping pyyaml -c .venv-torch/constraints.txt
	@touch $@

setup: .venv/.book ## set up .venv and node_modules

book: .venv/.book ## build both editions and serve them at http://127.0.0.1:8000, or PORT=
	@$(BIN)/interview-book serve --build --port $(PORT)

site: .venv/.book ## build both editions into _build/site
	@$(BIN)/interview-book site

lab: .venv/.book ## open the chapters as notebooks, LANGUAGE=ja or zh-Hant
	@$(BIN)/interview-book lab --language $(LANGUAGE)

anki: .venv/.book ## write the decks for Anki into _build/anki; SITE_URL= for links to a published site
	@$(BIN)/interview-book anki $(if $(SITE_URL),--url $(SITE_URL))

run: .venv/.book ## re-execute every chapter in place
	@$(BIN)/interview-book run

check: .venv/.book ## report every fault of every chapter
	@$(BIN)/interview-book check

# The browser's tests wait for pages much of the time, so the three parts run beside one another.
BESIDE := BOOK_SITE=_build/site $(BIN)/python -m pytest
test: .venv/.test ## set everything up and run all tests
	@$(BIN)/python tests/browser/chromium.py
	@$(MAKE) --no-print-directory lint check site
	@$(BESIDE) tests/browser/test_practice_*.py > _build/test-practice.txt 2>&1 & practice=$$!; \
	  $(BESIDE) tests/browser --ignore-glob='*/test_practice_*' > _build/test-browser.txt 2>&1 & browser=$$!; \
	  $(BIN)/python -m pytest --ignore=tests/browser; rest=$$?; \
	  wait $$practice; practice=$$?; wait $$browser; browser=$$?; \
	  cat _build/test-practice.txt _build/test-browser.txt; test $$rest = 0 -a $$practice = 0 -a $$browser = 0
	@$(BIN)/python -m pytest $(NBVAL) chapters

# The plugin also compares what nbval lets pass: order and type of outputs, cells never run, comparison switched off.
NBVAL := -p tests.chapters.strict --nbval --nbval-current-env

test-torch: .venv-torch/.torch ## compare attention with torch, in an environment of its own
	@PYTHONPATH=src .venv-torch/bin/python -m pytest -q tests/torch

mutate: .venv/.test ## change the source of attention, piece by piece, and report what no test notices
	@$(BIN)/python tests/mutants/mutate.py

test-editions: .venv/.test site ## run the practice page's tests in both editions, also those of no language
	@EDITIONS=both BOOK_SITE=_build/site $(BIN)/python -m pytest -q tests/browser/test_practice_*.py

test-seeds: .venv/.test ## run the Monte Carlo tests over 200 seeds and compare failures with the stated rates
	@$(BIN)/python -m pytest -q --seeds 200

lint: .venv/.test ## style, names and directions of import
	@$(BIN)/ruff check -q . && $(BIN)/lint-imports --no-cache > /dev/null || { $(BIN)/lint-imports --no-cache; exit 1; }

bench: .venv/.test ## measure the budgets against a stock Jupyter Book, in one run
	@$(BIN)/python tests/browser/chromium.py
	@$(BIN)/python tests/bench/bench.py

screenshot: .venv/.test site ## take the README's picture again
	@$(BIN)/python tests/browser/screenshot.py

pins: ## pin the dependencies again (needs uv)
	uv pip compile -q --universal --generate-hashes --no-strip-extras --no-header --python-version 3.11 pyproject.toml --extra book --extra lab -o requirements.txt
	uv pip compile -q --universal --generate-hashes --no-strip-extras --no-header --python-version 3.11 pyproject.toml --extra test --extra cluster -c requirements.txt -o requirements-test.txt

clean: ## remove what was built; notebooks that you opened with make lab stay
	@test ! -d _build || find _build -mindepth 1 -maxdepth 1 ! -name notebooks -exec rm -rf {} +
