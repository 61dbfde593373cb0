"""What all tests share: the real data where it is, and the search for it."""

from __future__ import annotations

import ctypes
import fcntl
import gc
import os
from collections.abc import Callable, Iterator
from pathlib import Path

# Before NumPy is imported: threads that wait for each other over small matrices take ten times the time of one, and the
# run has a process for each core.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

import pytest
from hypothesis import HealthCheck, settings

from tests.examples import DAILY

# No timed assertions: a busy machine must not fail a test. The same examples every time: a run fails by a change and
# not by chance. The nightly run looks for new ones, 20 times as many (`pytest --hypothesis-profile=deep`), and prints
# what makes each that fails again.
_PATIENT = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("daily", max_examples=DAILY, derandomize=True, **_PATIENT)
settings.register_profile("deep", max_examples=20 * DAILY, print_blob=True, **_PATIENT)
settings.load_profile("daily")

ROOT = Path(__file__).parents[1]
# What a broken rule compared is shown; the package itself offers names by its own loader.
pytest.register_assert_rewrite(
    *(f"dragoman.testing.{path.stem}" for path in (ROOT / "src" / "dragoman" / "testing").glob("[a-z]*.py"))
)


def real_data() -> Path | None:
    """The folder of real data sets, or None: `DRAGOMAN_DATA`, else `../shared/data` beside the checkout."""
    named = os.environ.get("DRAGOMAN_DATA")
    folder = Path(named) if named else ROOT.parent / "shared" / "data"
    return folder if folder.is_dir() else None


# Fixtures that start servers, browsers or databases.
STARTING = {"browser", "database", "house", "office", "ready", "stub"}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        parameters = getattr(item, "callspec", None)
        if STARTING & set(getattr(item, "fixturenames", ())) or (
            parameters and "postgresql" in map(str, parameters.params.values())
        ):
            item.add_marker("outside")
    if real_data() is None:
        skip = pytest.mark.skip(reason="no real data: set DRAGOMAN_DATA to the folder that holds it")
        for item in items:
            if "realdata" in item.keywords:
                item.add_marker(skip)


def pytest_collection_finish() -> None:
    """Let the collector of garbage pass over the tests and modules: there are many, and they stay."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True, scope="module")
def _memory_given_back() -> Iterator[None]:
    """Memory that a file's tests freed goes back to the machine; glibc would keep it until the run ends."""
    yield
    if trim := getattr(ctypes.CDLL(None), "malloc_trim", None):
        trim(0)


@pytest.fixture(autouse=True, scope="session")
def _own_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Nothing is kept in, or taken from, the home of whoever runs the tests; nor is the width of their terminal."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("COLUMNS", raising=False)  # processes of a run in parallel are given one
        patch.setenv("DRAGOMAN_HOME", str(tmp_path_factory.mktemp("home")))
        yield


@pytest.fixture(scope="session")
def made_once(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, Callable[[Path], object]], Path]:
    """`made_once("engine", make)` gives the folder that `make(folder)` filled, once for all processes of the run."""
    own = tmp_path_factory.getbasetemp()
    shared = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own

    def folder_of(name: str, make: Callable[[Path], object]) -> Path:
        folder, done = shared / name, shared / f"{name}.done"
        with (shared / f"{name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # the others wait for the one that makes it
            if not done.exists():
                folder.mkdir(exist_ok=True)
                make(folder)
                done.touch()
        return folder

    return folder_of


@pytest.fixture(scope="session")
def data_folder() -> Path:
    folder = real_data()
    assert folder is not None, "mark the test with @pytest.mark.realdata"
    return folder
