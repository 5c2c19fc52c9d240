# make demo: train, pit, rank; make test: lint, types, layers, tests; make bench: measurements; make tiny: retrain.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt
# A plain path entry: with setuptools' import hook a folder called games beside the user's script would hide the package.
EDITABLE := --config-settings editable_mode=compat

.PHONY: demo test bench tiny clean
.DEFAULT_GOAL := demo

demo: $(VENV)/.installed
	$(BIN)/python -m arena.demo

test: $(VENV)/.installed-dev
	@status=0; \
	for check in "ruff check ." "ruff format --check ." "mypy" "lint-imports"; do \
	  echo "== $$check"; $(BIN)/$$check || status=1; \
	done; \
	echo "== pytest"; $(BIN)/python -m pytest || status=1; \
	exit $$status

bench: $(VENV)/.installed-dev
	@for script in $(sort $(wildcard bench/*.py)); do echo "== $$script"; $(BIN)/python $$script || exit 1; done

# llm:tiny from scratch: all its games, then more of those in which the replies are hardest to keep legal.
tiny: $(VENV)/.installed
	$(BIN)/python -m selfplay.tiny --out build/tiny-start --threads 1
	$(BIN)/python -m selfplay.tiny --start build/tiny-start --seed 1 --learning-rate 1e-3 --threads 1 --conversations 12000 \
	  --emphasis negotiation,hanabi,liars-dice,deal-or-no-deal,goofspiel,tic-tac-toe

# The stamps are remade when what is installed has changed; an environment that is there is used as it is.
$(VENV)/.installed: pyproject.toml constraints.txt
	@echo "Installing into $(VENV): about 1.4 GB, some minutes, nothing to see meanwhile."
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(INSTALL) $(EDITABLE) -e .
	touch $@

$(VENV)/.installed-dev: pyproject.toml constraints.txt
	@echo "Installing into $(VENV), with what the checks need: some minutes, nothing to see meanwhile."
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(INSTALL) $(EDITABLE) -e '.[dev]'
	touch $@ $(VENV)/.installed

clean:
	rm -rf $(VENV) build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache
