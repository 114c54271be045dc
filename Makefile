# Everything that a person types here; `make help` lists it.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
SAMPLE := fixtures/sessions/claude-code/demo.jsonl

.DEFAULT_GOAL := help
.PHONY: help install demo test types lint format accept bench corpus picture lock clean rule

help:  ## list what there is
	@grep -E '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 12

$(STAMP): requirements.lock pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

install: $(STAMP)  ## set up .venv with locked versions

demo: $(STAMP)  ## fit a Claude session to a GPT model: the result to demo-out.json, the diff to the terminal
	$(BIN)/segue convert $(SAMPLE) -m openai/gpt-5.2 -t request -o demo-out.json
	@echo "the request body is in demo-out.json"

test: $(STAMP)  ## run all tests
	$(BIN)/python -m pytest -n auto

types: $(STAMP)  ## check types and style
	$(BIN)/python -m mypy
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

format: $(STAMP)  ## put code into its form
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

accept: $(STAMP)  ## take what comes out now as the goldens; read the diff before you commit
	SEGUE_ACCEPT=1 $(BIN)/python -m pytest -q -n auto tests/walks tests/view tests/documents
	git --no-pager diff --stat -- fixtures docs README.md

bench: $(STAMP)  ## measure speed and memory, as ratios against a bare baseline in the same run
	$(BIN)/python bench/run.py

corpus: $(STAMP)  ## convert a folder of Claude Code sessions to seven targets, report what broke: make corpus FOLDER=…
	$(BIN)/python tools/corpus_report.py $(FOLDER)

picture: $(STAMP)  ## draw docs/diff.svg from the demo
	$(BIN)/python docs/draw.py

rule: $(STAMP)  ## explain one rule: make rule NAME=call-id-shape
	$(BIN)/segue explain $(NAME)

lock: $(STAMP)  ## resolve requirements.lock anew
	$(BIN)/pip install --quiet pip-tools
	$(BIN)/pip-compile --quiet --strip-extras --generate-hashes --allow-unsafe --no-emit-index-url --no-emit-find-links --extra dev --extra oracle --output-file requirements.lock pyproject.toml build-requirements.in

clean:  ## remove what can be made again
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis demo-out.json bench/data
