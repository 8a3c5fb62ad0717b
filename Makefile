# Everything a contributor runs. `make` lists the targets, `make help-all` says more about each.
#
# A line `target: ## text` is shown by both; the lines `#: text` above it by help-all alone.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:
.ONESHELL:
.DEFAULT_GOAL := help
MAKEFLAGS += --no-builtin-rules

PYTHON ?= python3
PYTHON312 ?= python3.12
VENV := .venv
BIN := $(VENV)/bin
STAMPS := $(VENV)/.stamps
THIRD_PARTY := .venv-third-party

# What the built package depends on. Python files are read where they lie, so they are not among it.
RUST_INPUTS := Cargo.toml Cargo.lock pyproject.toml $(shell find rust -name '*.rs' -o -name Cargo.toml)

# The interpreter that the native module is for.
export PYO3_PYTHON := $(abspath $(BIN)/python)
# Nothing but what the lock names may come in while the project itself is built.
BUILD_ENV := VIRTUAL_ENV=$(abspath $(VENV)) PIP_NO_INDEX=1 PIP_NO_DEPS=1

LOCK := --quiet --upgrade --generate-hashes --allow-unsafe --strip-extras --no-annotate --no-header --no-emit-options

.PHONY: help help-all build check test corpus bench bench-table soak soak-tokens soak-sessions time-sessions other-sessions explore-faults \
        machine-faults fuzz-session third-party lint lint-python lint-rust test-rust test-python wheel lock clean distclean

# ------------------------------------------------------------------------------------------------- what users run first

#: Builds into .venv on the first run, then starts the built-in reference as a child process and
#: holds it to every vector through the same wire as anybody's adapter. Extra options: ARGS="--area memory".
check: build ## run the conformance suite against the built-in reference
	$(BIN)/keel-ref check $(ARGS)

#: Builds, then: ruff, mypy, stubtest, cargo fmt and clippy (make lint), cargo test, pytest. HYPOTHESIS_PROFILE
#: is dev (50 examples), ci (100, the same every time; taken where CI is set) or soak (20,000). Machines run twice as
#: many, in a soak as many.
test: lint test-rust test-python ## build, lint and pass all tests

# ------------------------------------------------------------------------------------------------------------ more of it

#: Measures what is in benches/. Each figure is a ratio of two times of one run. Elsewhere the benches run once, as tests.
bench: build ## measure the speed
	$(BIN)/pytest --benchmark $(ARGS)

#: Installs the peers of requirements/peers.txt, measures what benches/measure/ defines and writes the table into README.md.
#: Options: ARGS="--print", ARGS="--only text". Exact counters need vocabularies that `make calibrate` has fetched.
bench-table: build $(STAMPS)/peers ## measure, and write the table of the README
	$(BIN)/python -m benches.table $(ARGS)

#: Draws programs from the model, keeps the few that together show everything, and writes them with their traces into
#: spec/corpus/. Takes a minute. Needed whenever a decision of the model changes; otherwise the bytes stay the same.
corpus: build ## fill the corpus of programs again
	$(BIN)/python -m tests.corpus.fill

#: The generated tests with 20,000 examples each. Takes hours.
soak: build ## try the properties for a night
	HYPOTHESIS_PROFILE=soak $(BIN)/pytest tests/properties tests/machines tests/differential tests/unit $(ARGS)

#: A million random texts, lists of messages and session files through the native kernels and the model, which must
#: agree. Takes some ten minutes on two cores. Extra options: ARGS="--examples 5000000 --seed 7".
soak-tokens: build ## compare the native estimators with the model at length
	KEEL_REF_NATIVE=require $(BIN)/python -m tests.soak.soak_tokens $(ARGS)

#: Times `keel-ref session --json` on files of 25 to 200 MB, which must be linear. Extra options: ARGS="--megabytes 1600
#: --limits" goes on to 1.6 GB, and holds 100 MB to two seconds and 300 MB, for which the machine must be idle.
time-sessions: build ## time the timeline of long sessions
	$(BIN)/python -m tests.soak.time_sessions $(ARGS)

#: Downloads the session files that other projects publish, reads each and compares totals; see tests/third_party_sessions.
other-sessions: build ## read the sessions that others publish
	$(BIN)/python -m tests.third_party_sessions.check_downloads

#: Ten thousand generated session files, legal and broken in every way that is known by name, read and held to what was
#: written; as many damaged anywhere, of which every line must be accounted for. Extra options: ARGS="--examples 100000".
soak-sessions: build ## read generated session files at length
	$(BIN)/python -m tests.soak.soak_sessions $(ARGS)

#: Explores the model with one fault in it over the wire, for each fault that is sown (tests/mutants/seeded.py), and says how
#: small the programs get that show them. Takes half an hour. Extra options: ARGS="--seed 7 --only breaker".
explore-faults: build ## find every sown fault by exploration
	$(BIN)/python -m tests.soak.explore_faults $(ARGS)

#: Runs the machines with one fault in the model, for each fault that is sown: the model beside the naive version of its
#: chapters, and the model under the laws. Takes an hour. Extra options: ARGS="--machine paired --only breaker".
machine-faults: build ## find every sown fault by the machines
	$(BIN)/python -m tests.soak.machine_faults $(ARGS)

#: Changes lines of session files for SECONDS (60), led by what each change reaches, and holds the fast scan to the parser of
#: trees. Needs a C++ compiler. What differs is left in target/fuzz/session; it becomes a seed in rust/fuzz/seeds and a test.
fuzz-session: SECONDS := 60
fuzz-session: FUZZ_FLAGS := --cfg fuzzing -Ccodegen-units=1 -Cpasses=sancov-module \
    $(addprefix -Cllvm-args=-sanitizer-coverage-,level=4 inline-8bit-counters pc-table trace-compares)
fuzz-session: ## search for lines that are counted wrong
	$(PYTHON) rust/fuzz/seeds.py target/fuzz/session/corpus
	host=$$(rustc -vV | sed -n 's/^host: //p')
	export RUSTFLAGS='$(FUZZ_FLAGS)'
	export CARGO_TARGET_DIR=$(abspath target/fuzz/build)
	cargo build --quiet --release --locked --manifest-path rust/fuzz/Cargo.toml --target "$$host"
	target/fuzz/build/"$$host"/release/session -max_total_time=$(SECONDS) -max_len=8192 -timeout=10 -print_final_stats=1 \
	    -dict=rust/fuzz/session.dict -artifact_prefix=target/fuzz/session/ target/fuzz/session/corpus

#: Installs what requirements/third-party*.txt and examples/adapters/pi/package-lock.json name into .venv-third-party,
#: holds each package to the suite and writes examples/adapters/RESULTS.md. A difference is what one looks for, so it is
#: no failure; an adapter that does not start or does not speak the wire is one. Where Python 3.12 or Node is missing, the
#: row says so. Extra options: ARGS="--area memory"; RESULTS.md then stays as it is.
third-party: build ## hold other people's packages to the suite
	PYTHON=$(PYTHON) $(BIN)/python examples/adapters/run_third_party.py $(ARGS)

#: No test is run. `ruff check --fix .`, `ruff format .` and `cargo fmt` mend what they can.
lint: lint-python lint-rust ## check style and types

lint-python: build
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m mypy.stubtest --mypy-config-file pyproject.toml keel_ref._native

lint-rust: $(STAMPS)/packages
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --locked --quiet -- --deny warnings

test-rust:
	cargo test --package keel-core --tests --locked --quiet # the bindings are tested from Python

test-python: build
	KEEL_REF_NATIVE=require $(BIN)/pytest --numprocesses 2 --dist loadfile $(ARGS)

#: Builds the source archive, a wheel from the source archive, and tries the wheel in an empty folder, away from the
#: checkout: the specification must have come along. Leaves both in dist/.
wheel: build ## build what is published, and try it
	rm -rf dist
	$(BIN)/maturin sdist --out dist
	mkdir dist/from-archive && tar --extract --gzip --file dist/*.tar.gz --directory dist/from-archive --strip-components 1
	$(BIN)/maturin build --quiet --release --locked --interpreter $(abspath $(BIN)/python) --out dist \
	    --manifest-path dist/from-archive/rust/bindings/Cargo.toml --target-dir $(abspath target)
	$(BIN)/python -m pip install --quiet --no-index --no-deps --target dist/installed dist/*.whl
	mkdir dist/empty
	(
	    cd dist/empty
	    export PYTHONPATH=$(abspath dist/installed) KEEL_REF_NATIVE=require
	    $(abspath $(BIN))/python -c 'from keel_ref.resources import spec_folder as s; assert "installed" in s().parts, s()'
	    ../installed/bin/keel-ref check
	    ../installed/bin/keel-ref explain MEM-001
	    printf '你好, world' | ../installed/bin/keel-ref estimate --method both -
	    ../installed/bin/keel-ref context --html page.html >page.txt
	)
	rm -rf dist/from-archive dist/installed dist/empty

#: The newest versions that pyproject.toml allows, with hashes and without addresses. Run it on the oldest Python.
#: Needs Python 3.12 (PYTHON312) and npm as well.
lock: build ## renew requirements/*.txt and Cargo.lock
	$(BIN)/python -m pip install --quiet --require-hashes -r requirements/lock.txt
	$(BIN)/pip-compile $(LOCK) --extra explore --extra tokens --extra api --extra bench --extra dev --output-file requirements/dev.txt pyproject.toml
	$(BIN)/pip-compile $(LOCK) --output-file requirements/lock.txt requirements/lock.in
	$(BIN)/pip-compile $(LOCK) --constraint requirements/dev.txt --output-file requirements/peers.txt requirements/peers.in
	$(BIN)/pip-compile $(LOCK) --output-file requirements/third-party.txt requirements/third-party.in
	$(PYTHON312) -m venv --clear $(THIRD_PARTY)/lock
	$(THIRD_PARTY)/lock/bin/python -m pip install --quiet --require-hashes -r requirements/lock.txt
	$(THIRD_PARTY)/lock/bin/pip-compile $(LOCK) --output-file requirements/third-party-3.12.txt \
	    requirements/third-party-3.12.in
	npm update --silent --package-lock-only --prefix examples/adapters/pi
	node -e 'const lock = JSON.parse(fs.readFileSync(0)); for (const one of Object.values(lock.packages)) delete one.funding; \
	    console.log(JSON.stringify(lock, null, 2))' < examples/adapters/pi/package-lock.json > $(THIRD_PARTY)/lock/npm.json
	cp $(THIRD_PARTY)/lock/npm.json examples/adapters/pi/package-lock.json # without where to give money
	cargo update --quiet

#: Leaves .venv; `make distclean` takes that too.
clean: ## remove what was built
	cargo clean --quiet
	rm -rf build dist keel_ref/_spec .mypy_cache .pytest_cache .ruff_cache .hypothesis .benchmarks
	rm -f keel_ref/_native.*.so $(STAMPS)/built
	find keel_ref tests benches -name __pycache__ -prune -exec rm -rf {} +

distclean: clean
	rm -rf $(VENV) $(THIRD_PARTY)

# -------------------------------------------------------------------------------------------------------------- the build

build: $(STAMPS)/built

$(STAMPS)/built: $(STAMPS)/packages $(RUST_INPUTS)
	$(BUILD_ENV) $(BIN)/maturin develop --quiet --release --locked
	rm -rf keel_ref/_spec # the copy for wheels; in a checkout spec/ itself is read
	touch $@

$(STAMPS)/packages: requirements/dev.txt
	$(PYTHON) -c 'import sys; sys.exit("keel-ref needs Python 3.11 or later" if sys.version_info < (3, 11) else 0)'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements/dev.txt
	mkdir -p $(STAMPS)
	touch $@

$(STAMPS)/peers: requirements/peers.txt $(STAMPS)/packages
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements/peers.txt
	touch $@

# ---------------------------------------------------------------------------------------------------------------- the help

help:
	@echo 'make TARGET; `make help-all` says more'
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

help-all:
	@awk -F ':.*## ' '/^#: / { more = more "      " substr($$0, 4) "\n"; next } \
	    /^[a-z-]+:.*## / { printf "%s: %s\n%s", $$1, $$2, more } { more = "" }' $(MAKEFILE_LIST)

# --------------------------------------------------------------------------------------------------------- the calibration

CALIBRATION := $(or $(KEEL_CALIBRATION),.calibration)
# The second interpreter, also where pyenv holds it without showing it.
CLAUDE_PYTHON := $(firstword $(wildcard $(HOME)/.pyenv/versions/3.12*/bin/python3.12) $(PYTHON312))

.PHONY: calibrate calibrate-quick weights models

#: Fetches tokenizers and texts (about 3 GB, kept in .calibration), counts, fits, and writes keel_ref/tokens/weights.py
#: and benches/calibration/RESULTS.md. Takes an hour the first time, ten minutes when the counts are there. Without
#: Python 3.12 (PYTHON312=...) the families of Claude are not run, and what comes out stays in .calibration/partial.
calibrate: ## make the weights of the bound again
#: The same on a quarter of the windows; leaves its results in .calibration/quick.
calibrate-quick: ## try the calibration
calibrate-quick: export KEEL_CALIBRATION_EXTENT := quick

calibrate calibrate-quick:
	mkdir -p $(CALIBRATION)
	test -e $(CALIBRATION)/.gitignore || echo '*' >$(CALIBRATION)/.gitignore
	export KEEL_CALIBRATION=$(abspath $(CALIBRATION)) OPENBLAS_NUM_THREADS=1
	python=$(CALIBRATION)/venv/bin/python claude=$(CALIBRATION)/claude/bin/python
	test -x "$$python" || $(PYTHON) -m venv $(CALIBRATION)/venv
	"$$python" -m pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements/calibration.txt
	if test ! -x "$$claude" && $(CLAUDE_PYTHON) --version >/dev/null 2>&1; then
	    $(CLAUDE_PYTHON) -m venv $(CALIBRATION)/claude
	    "$$claude" -m pip install --quiet --disable-pip-version-check --requirement benches/calibration/claude.txt
	fi
	nice "$$python" benches/calibration/fetch.py
	nice "$$python" benches/calibration/corpus.py
	nice "$$python" benches/calibration/fresh.py
	if test -x "$$claude"; then nice "$$claude" benches/calibration/count.py claude-4.7 claude-3-to-4.6; fi &
	nice "$$python" benches/calibration/count.py
	wait $$!
	for step in calibrate measure_fresh alike report; do nice "$$python" benches/calibration/$$step.py; done
	$(MAKE) weights

#: Writes spec/weights.json and rust/core/src/weights.rs again from keel_ref/tokens/weights.py, the integers of the
#: vectors from the model, and the table of README.md from the results; fetches and fits nothing.
weights: $(STAMPS)/packages ## write the weights for machines
	for step in publish integers worth; do $(BIN)/python benches/calibration/$$step.py; done

#: Fetches litellm and genai-prices, two openly licensed price maps, and writes spec/models.json and
#: keel_ref/window/models.py again from their rows for Claude. Nothing of them is installed.
models: $(STAMPS)/packages ## renew the table of models
	folder=$$(mktemp -d)
	trap 'rm -rf "$$folder"' EXIT
	$(BIN)/python -m pip download --quiet --no-deps --only-binary :all: --dest "$$folder" litellm genai-prices
	for wheel in "$$folder"/*.whl; do $(PYTHON) -m zipfile --extract "$$wheel" "$${wheel%.whl}"; done
	$(BIN)/python benches/models/collect.py "$$folder"
	$(BIN)/ruff format --quiet keel_ref/window/models.py
