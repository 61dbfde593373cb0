# Two commands for a newcomer: `make demo` and `make test`. Each sets up what it needs and rebuilds only after a change.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
TEST_BUILD := build/test
JOBS   := $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)

# A package index that stumbles is asked again; what a half-made environment lacks, the next `make` installs.
export PIP_RETRIES         ?= 10
export PIP_DEFAULT_TIMEOUT ?= 60

NATIVE := CMakeLists.txt pyproject.toml $(shell find cpp -name '*.cpp' -o -name '*.hpp' -o -name '*.inc')

.PHONY: demo test slow-test bench lint types cpp-test sanitize audit docs stubs clean

# Only what the demo needs: the package and its server. What the tests need on top comes with `make test`.
demo: $(VENV)/.demo
	$(BIN)/dragoman demo demo-output

# The tests start hundreds of processes; each would compile the package anew.
unexport PYTHONDONTWRITEBYTECODE

# Each process takes neighbouring tests, so that what a file trains for itself is trained once; whoever has nothing left
# to do takes over half of what waits for another.
PYTEST := $(BIN)/python -m pytest -n $(JOBS) --dist worksteal

test: lint types cpp-test
	$(PYTEST) -m 'not slow'

# What takes minutes each: every system of every test set against the slow peer.
slow-test: $(VENV)/.built
	$(PYTEST) -m slow

lint: $(VENV)/.built
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.built
	$(BIN)/mypy

cpp-test: $(VENV)/.built
	$(BIN)/cmake --build $(TEST_BUILD) --target core_tests
	$(TEST_BUILD)/core_tests

# Reads outside of memory and undefined behaviour stop the run: the C++ tests, then damaged files through an extension of
# the same build in an environment of its own, which takes the packages of $(VENV) along. Builds everything twice.
SANITIZED    := build/sanitize
SANITIZERS    = $(shell $(CXX) -print-file-name=libasan.so):$(shell $(CXX) -print-file-name=libstdc++.so.6)
sanitize: $(VENV)/.built
	$(BIN)/cmake -S . -B $(SANITIZED)/core -G Ninja -DCMAKE_MAKE_PROGRAM=$(abspath $(BIN))/ninja -DDRAGOMAN_TESTS=ON -DDRAGOMAN_EXTENSION=OFF -DDRAGOMAN_SANITIZE=ON -DCMAKE_BUILD_TYPE=None > /dev/null
	$(BIN)/cmake --build $(SANITIZED)/core --target core_tests
	$(SANITIZED)/core/core_tests
	$(BIN)/python -m venv --without-pip $(SANITIZED)/venv
	$(BIN)/python -c 'import sys; print(*(path for path in sys.path if path.endswith("-packages")), sep="\n")' > $$($(SANITIZED)/venv/bin/python -c 'import site; print(site.getsitepackages()[0])')/base.pth
	$(BIN)/python -m pip --python $(SANITIZED)/venv/bin/python install --quiet --no-deps --no-build-isolation --force-reinstall \
	  -Ccmake.define.DRAGOMAN_SANITIZE=ON -Ccmake.build-type=None -Cbuild-dir=$(SANITIZED)/extension .
	LD_PRELOAD=$(SANITIZERS) ASAN_OPTIONS=detect_leaks=0 $(SANITIZED)/venv/bin/python -m pytest tests/fuzz -m 'not slow'

# Known weaknesses of the packages that are installed. Ends with 2, not with 0, if the database cannot be asked.
audit: $(VENV)/.built
	$(BIN)/python tools/audit.py

bench: $(VENV)/.built
	for script in bench/*.py; do $(BIN)/python $$script || exit 1; done

docs: $(VENV)/.built
	$(BIN)/mkdocs build --strict

# The stubs of the native core are generated and committed, so that editors and mypy see the kernels.
stubs: $(VENV)/.built
	$(BIN)/python tools/stubs.py

clean:
	rm -rf build site demo-output $(VENV)

$(VENV)/.tools: Makefile
	$(PYTHON) -c 'import sys; sys.exit("Dragoman needs Python 3.11 or newer; run: make PYTHON=python3.11" if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet 'scikit-build-core>=0.10' 'nanobind>=2.4' 'cmake>=3.22' ninja
	touch $@

INSTALL = CMAKE_BUILD_PARALLEL_LEVEL=$(JOBS) $(BIN)/python -m pip install --quiet --no-build-isolation --editable

$(VENV)/.demo: $(VENV)/.tools $(NATIVE)
	$(INSTALL) '.[web]'
	touch $@

# One build for the extension and the C++ tests, with warnings as errors, so that the core is compiled once.
# Some packages of the tests have no wheels: they are built by setuptools, without isolation like ours.
$(VENV)/.built: $(VENV)/.tools $(NATIVE)
	$(BIN)/python -m pip install --quiet --upgrade pip setuptools wheel
	$(INSTALL) '.[test]' -Cbuild-dir=$(TEST_BUILD) -Ccmake.define.DRAGOMAN_TESTS=ON -Ccmake.define.DRAGOMAN_STRICT=ON
	touch $@
