# Two commands for a newcomer: `make demo` and `make test`. Each sets up what it needs and rebuilds only after a change.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
TEST_BUILD := build/test
CONSTRAINTS := .ci/constraints.txt
LINTERS := build/linters
JOBS   := $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)

# A package index that stumbles is asked again; what a half-made environment lacks, the next `make` installs.
export PIP_RETRIES         ?= 10
export PIP_DEFAULT_TIMEOUT ?= 60

NATIVE := CMakeLists.txt pyproject.toml $(shell find cpp -name '*.cpp' -o -name '*.hpp' -o -name '*.inc')

.PHONY: demo wheel check test slow-test nightly bench lint lint-pages lint-templates tidy format types coverage cpp-test sanitize sanitize-core sanitize-extension audit docs stubs constraints clean

# Only what the demo needs: the package and its server. What the tests need on top comes with `make test`.
demo: $(VENV)/.demo
	$(BIN)/dragoman demo demo-output

# A wheel for this machine and this Python, in dist/: who installs it needs no compiler.
wheel: $(VENV)/.tools
	$(PROGRESS) $(BIN)/python -m pip wheel --verbose --no-deps --no-build-isolation --wheel-dir dist .
	@ls dist/*.whl

# The tests start hundreds of processes; each would compile the package anew.
unexport PYTHONDONTWRITEBYTECODE

# Each process takes neighbouring tests, so that what a file trains for itself is trained once; whoever has nothing left
# to do takes over half of what waits for another.
# Two arenas are enough for glibc: one for each thread keeps what any of them ever freed.
PYTEST := MALLOC_ARENA_MAX=2 $(BIN)/python -m pytest -n $(JOBS) --dist worksteal

test: $(VENV)/.built
	$(MAKE) --jobs=3 lint types cpp-test
	$(PYTEST) -m 'not slow'

# What one runs while working, three minutes at most on two cores. docs/testing.md has the reason for each that is left out.
LEFT_OUT := cli docs fuzz golden neural packaging parts smt task upgrade web \
            test_costs.py test_demo.py test_plugin.py test_site.py test_testing.py
CHECKED  := $(filter-out $(LEFT_OUT:%=tests/%),$(patsubst %/__init__.py,%,$(wildcard tests/*/__init__.py)) $(wildcard tests/test_*.py)) \
            tests/smt/test_engine.py
check: lint types
	$(PYTEST) -q -m 'not slow and not realdata and not outside' $(CHECKED)

# What takes minutes each: every system of every test set against the slow peer.
slow-test: $(VENV)/.built
	$(PYTEST) -m slow

lint: $(VENV)/.built
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	git ls-files 'cpp/*.cpp' 'cpp/*.hpp' | xargs $(BIN)/clang-format --dry-run --Werror
	$(BIN)/codespell
	$(if $(wildcard node_modules/.bin/eslint),npm run --silent lint)

# The tools for scripts and style sheets need npm; where they are installed, `make lint` uses them, too.
lint-pages: lint-templates node_modules/.package-lock.json
	npm run --silent lint
	npm test --silent

# Structure of the pages' templates; where a part comes from and how it is styled is the framework's and ours to say.
lint-templates: $(LINTERS)/.done
	$(LINTERS)/bin/djlint src/dragoman --lint --quiet --profile jinja --ignore H015,H020,H043,J004,J018

# Faults that compilers do not see, in the core: minutes. `make tidy FILES=cpp/src/metrics/bleu.cpp` looks at some files.
tidy: FILES ?= $(shell git ls-files 'cpp/src/*.cpp')
tidy: $(VENV)/.tools $(LINTERS)/.done
	$(BIN)/cmake -S . -B build/tidy -G Ninja -DCMAKE_MAKE_PROGRAM=$(abspath $(BIN))/ninja -DDRAGOMAN_TOGETHER=1 -DDRAGOMAN_EXTENSION=OFF \
	  -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON -DCMAKE_EXPORT_COMPILE_COMMANDS=ON > /dev/null
	printf '%s\n' $(FILES) | xargs -n 4 -P $(JOBS) $(LINTERS)/bin/clang-tidy --quiet -p build/tidy --warnings-as-errors='*'

$(LINTERS)/.done: tools/linters.txt
	$(PYTHON) -m venv $(LINTERS)
	$(LINTERS)/bin/python -m pip install --quiet --requirement tools/linters.txt
	touch $@

node_modules/.package-lock.json: package.json package-lock.json
	npm ci --silent

# Python, scripts, style sheets and the core as the checks want them.
format: $(VENV)/.built
	$(BIN)/ruff check --fix --quiet .
	$(BIN)/ruff format .
	git ls-files 'cpp/*.cpp' 'cpp/*.hpp' | xargs $(BIN)/clang-format -i
	$(if $(wildcard node_modules/.bin/prettier),npm run --silent format)

types: $(VENV)/.built
	$(BIN)/mypy

# Which lines the quick tests run: a table, and pages in build/coverage.
coverage: $(VENV)/.built
	$(PYTEST) -m 'not slow' -q --cov=dragoman --cov-report=term:skip-covered --cov-report=html:build/coverage

cpp-test: $(VENV)/.built
	$(BIN)/cmake --build $(TEST_BUILD) --target core_tests
	$(TEST_BUILD)/core_tests

# Reads outside of memory and undefined behaviour stop the run: the C++ tests, then damaged files through an extension of
# the same build in an environment of its own, which takes the packages of $(VENV) along. Builds everything twice.
SANITIZED    := build/sanitize
SANITIZERS    = $(shell $(CXX) -print-file-name=libasan.so):$(shell $(CXX) -print-file-name=libstdc++.so.6)
sanitize: sanitize-core sanitize-extension

sanitize-core: $(VENV)/.built
	$(BIN)/cmake -S . -B $(SANITIZED)/core -G Ninja -DCMAKE_MAKE_PROGRAM=$(abspath $(BIN))/ninja -DDRAGOMAN_TESTS=ON -DDRAGOMAN_EXTENSION=OFF -DDRAGOMAN_SANITIZE=ON -DCMAKE_BUILD_TYPE=None > /dev/null
	$(BIN)/cmake --build $(SANITIZED)/core --target core_tests
	$(SANITIZED)/core/core_tests

sanitize-extension: $(VENV)/.built
	$(BIN)/python -m venv --without-pip $(SANITIZED)/venv
	$(BIN)/python -c 'import sys; print(*(path for path in sys.path if path.endswith("-packages")), sep="\n")' > $$($(SANITIZED)/venv/bin/python -c 'import site; print(site.getsitepackages()[0])')/base.pth
	$(BIN)/python -m pip --python $(SANITIZED)/venv/bin/python install --quiet --no-deps --no-build-isolation --force-reinstall \
	  -Ccmake.define.DRAGOMAN_SANITIZE=ON -Ccmake.build-type=None -Cbuild-dir=$(SANITIZED)/extension .
	LD_PRELOAD=$(SANITIZERS) ASAN_OPTIONS=detect_leaks=0 $(SANITIZED)/venv/bin/python -m pytest tests/fuzz -m 'not slow'

# Known weaknesses of the packages that are installed. Ends with 2, not with 0, if the database cannot be asked.
audit: $(VENV)/.built
	$(BIN)/python tools/audit.py

# Every long check, in parts of at most an hour; what was green on this commit is not run again. `PARTS="bench slow"` runs
# those that begin so. `Error 3`: none is red, some cannot run on this machine.
nightly: $(VENV)/.built
	$(BIN)/python tools/nightly.py $(PARTS)

bench: $(VENV)/.built
	$(BIN)/python tools/nightly.py --again bench

docs: $(VENV)/.built
	$(BIN)/mkdocs build --strict

# The stubs of the native core are generated and committed, so that editors and mypy see the kernels.
stubs: $(VENV)/.built
	$(BIN)/python tools/stubs.py

# The newest packages that fit, for all tests until the next time: look at the changes, run `make test`, commit both.
constraints: $(VENV)/.built
	$(BIN)/python tools/constraints.py

clean:
	rm -rf build site demo-output $(VENV)

$(VENV)/.tools: Makefile
	$(PYTHON) -c 'import sys; sys.exit("Dragoman needs Python 3.11 or newer; run: make PYTHON=python3.11" if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet 'scikit-build-core>=0.10' 'nanobind>=2.4' 'cmake>=3.22' ninja
	touch $@

# How many files are compiled, of all; the whole output if it fails.
PROGRESS = CMAKE_BUILD_PARALLEL_LEVEL=$(JOBS) $(BIN)/python tools/progress.py
INSTALL  = $(PROGRESS) $(BIN)/python -m pip install --verbose --no-build-isolation --editable

$(VENV)/.demo: $(VENV)/.tools $(NATIVE)
	$(INSTALL) '.[web]'
	touch $@

# One build for the extension and the C++ tests, with warnings as errors, so that the core is compiled once.
# Some packages of the tests have no wheels: they are built by setuptools, without isolation like ours. What builds is
# pinned, too: a new release of it may change what is compiled.
$(VENV)/.built: $(VENV)/.tools $(NATIVE)
	$(BIN)/python -m pip install --quiet --upgrade --constraint $(CONSTRAINTS) pip setuptools wheel scikit-build-core nanobind cmake ninja
	$(INSTALL) '.[test]' --constraint $(CONSTRAINTS) -Cbuild-dir=$(TEST_BUILD) -Ccmake.define.DRAGOMAN_TESTS=ON -Ccmake.define.DRAGOMAN_STRICT=ON
	touch $@
