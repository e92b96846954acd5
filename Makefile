# Every target does all its set-up from a bare checkout: Python 3.11 to 3.13 and make are enough.
#   make PYTHON=python3.12 VENV=.venv-3.12 test     another interpreter, in an environment of its own

VENV := .venv
# The environment holds absolute paths: a checkout that was moved or copied is set up again.
PLACE := $(shell pwd | cksum | cut -d' ' -f1)
MADE := $(VENV)/.made-$(PLACE)
CORE := $(VENV)/.core-$(PLACE)
DEV := $(VENV)/.dev-$(PLACE)
BIN := $(VENV)/bin
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile

# One thread per process: parallelism is over work units, and sums do not depend on the number of cores.
export OPENBLAS_NUM_THREADS ?= 1
export OMP_NUM_THREADS ?= 1
export MKL_NUM_THREADS ?= 1
export PYTHON
unexport PYTHONHOME PYTHONPATH

.DELETE_ON_ERROR:
.PHONY: help verify test lint figures notebooks docs bench lock clean

help:
	@echo 'make verify    judge every claim: the table of verdicts, records in .boundcheck/'
	@echo 'make test      run the test suite'
	@echo 'make lint      style, types, the rule of dependency, the citation file'
	@echo 'make figures   make the figures in paper_figures/ that are not kept, and the notebooks'
	@echo 'make notebooks execute the notebooks with the verdicts of records, which are made first'
	@echo 'make docs      build the documentation in docs/_build/html'
	@echo 'make bench     run the benchmarks'
	@echo 'make lock      write requirements/*.lock again (LOCK=--upgrade: newest versions)'
	@echo 'make clean     remove the environment, the records and all caches'
	@echo 'ARGS="..." is handed on by verify, test, figures, notebooks, docs and bench (to pytest; TABLE="..." to its table).'

verify: $(CORE)
	$(BIN)/boundcheck verify $(ARGS)

# One worker for each core; ARGS=-n0 runs everything in one process. Benchmarks are no tests, and know nothing of workers.
# Claims whose records in .boundcheck are current are not judged again.
test: $(DEV)
	$(BIN)/python -m pytest -p no:benchmark -n auto --dist worksteal --durations 20 --boundcheck-records .boundcheck $(ARGS)

lint: $(DEV)
	$(BIN)/python -m ruff check .
	$(BIN)/python -m ruff format --check .
	$(BIN)/python -m mypy
	$(BIN)/python $(BIN)/lint-imports
	$(BIN)/python tools/check_citation.py

figures: $(DEV)
	$(BIN)/boundcheck figures $(ARGS)

# Verdicts in the notebooks are those of the records.
notebooks: $(DEV)
	$(BIN)/boundcheck verify --resume
	$(BIN)/boundcheck figures --notebooks $(ARGS)

# A warning is an error, and all of them are told. Where there are records, the report is a part of the site.
docs: $(DEV)
	$(BIN)/python -m sphinx --quiet --fail-on-warning --keep-going -b html docs docs/_build/html $(ARGS)
	@if [ -d .boundcheck/records ]; then $(BIN)/boundcheck report --force --out docs/_build/html/report; \
	else echo 'no records in .boundcheck: the site is without the report; `make verify` makes them'; fi

# The table comes where a benchmark failed, too; the exit status tells that something did.
bench: $(DEV)
	@failed=0; \
	$(BIN)/python -m pytest benchmarks $(ARGS) || failed=$$?; \
	$(BIN)/python benchmarks/table.py $(TABLE) || failed=$$?; \
	exit $$failed

# The lock is resolved by uv, in an environment of its own so that uv is no dependency of the project.
lock: $(MADE)
	$(BIN)/python -m venv $(VENV)/lock
	$(VENV)/lock/bin/python -m pip install --quiet --disable-pip-version-check uv
	UV=$(VENV)/lock/bin/uv tools/lock.sh $(LOCK)

clean:
	rm -rf $(VENV) .boundcheck docs/_build build dist .benchmarks .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find . -name .git -prune -o \( -name __pycache__ -o -name .ipynb_checkpoints \) -prune -exec rm -rf {} +

$(MADE): tools/make_venv.sh
	@tools/make_venv.sh $(VENV)
	@touch $@

# What `make verify` needs and no more, so that a first run is short.
$(CORE): $(MADE) requirements/core.lock pyproject.toml
	@echo 'installing requirements/core.lock'
	@$(INSTALL) --no-deps --only-binary :all: --require-hashes -r requirements/core.lock
	@$(INSTALL) --no-deps --no-build-isolation --editable .
	@touch $@

$(DEV): $(CORE) requirements/dev.lock
	@echo 'installing requirements/dev.lock'
	@$(INSTALL) --no-deps --only-binary :all: --require-hashes -r requirements/dev.lock
	@touch $@
