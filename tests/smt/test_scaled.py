"""Training in parts: the bytes of the whole, whoever works, and whoever is killed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from dragoman.data.bitext import Bitext
from dragoman.errors import DataError
from dragoman.parts import Account, InProcess, LocalProcesses, Order, Pool
from dragoman.smt.recipe import EngineRecipe, changed
from dragoman.smt.training import train_engine

PLAIN = ["tune.method=none", "classes.number=0", "features="]


@pytest.fixture(scope="module")
def bitext(book: dict[str, list[str]]) -> Bitext:
    """Some two hundred pairs, the last of which cleaning leaves out."""
    sources, targets = [*book["en"][:200], "It is 1,200.5 km.", "", "x"], [*book["de"][:200], "1.200,5", "y", "x " * 40]
    return Bitext.from_lines(sources, targets, source_lang="en", target_lang="de")


def contents(work: Path) -> dict[str, bytes]:
    """The files of all steps; what parts gave is gone."""
    return {str(path.relative_to(work)): path.read_bytes() for path in work.rglob("*") if path.is_file()}


def trained(bitext: Bitext, work: Path, settings: Sequence[str], pool: Pool | None, part: int = 60) -> dict[str, bytes]:
    recipe = changed(EngineRecipe(source_lang="en", target_lang="de"), [*PLAIN, *settings])
    train_engine(bitext, recipe, work=work, pool=pool, part=part)
    return contents(work)


@pytest.mark.parametrize(
    "settings",
    [
        ["align.method=diagonal"],
        ["align.method=hmm:rounds=2", "phrases.smoothing=good-turing", "phrases.orientation=hierarchical"],
        ["align.method=ibm1:rounds=2+sampler:samplers=1", "phrases.orientation=none", "lm.max_words=90", "lm.order=3"],
        ["align.method=diagonal:rounds=1", "text.truecase=false", "phrases.significance=a-e", "lm.level=char"],
        ["align.method=ibm1:rounds=1", "text.numbers=true", "align.symmetrisation=union"],
        ["align.method=diagonal:rounds=1", "phrases.translations_per_phrase=1", "lm.structure=trie", "lm.entropy=1e-7"],
    ],
    ids=lambda settings: settings[0] + "," + settings[-1],
)
def test_parts_give_the_bytes_of_the_whole(bitext: Bitext, tmp_path: Path, settings: list[str]) -> None:
    whole = trained(bitext, tmp_path / "whole", settings, None)
    assert len({name.partition("-")[0] for name in whole}) == 6  # steps
    assert trained(bitext, tmp_path / "parts", settings, InProcess()) == whole


@pytest.fixture(scope="module")
def whole(bitext: Bitext, tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    return trained(bitext, tmp_path_factory.mktemp("whole"), ["align.method=diagonal:rounds=2"], None)


def test_the_size_of_parts_and_the_number_of_processes_change_nothing(
    bitext: Bitext, tmp_path: Path, whole: dict[str, bytes]
) -> None:
    settings = ["align.method=diagonal:rounds=2"]
    assert trained(bitext, tmp_path / "one", settings, InProcess(), part=1000) == whole
    assert trained(bitext, tmp_path / "small", settings, InProcess(), part=23) == whole
    pool = LocalProcesses(2)
    try:
        assert trained(bitext, tmp_path / "two", settings, pool) == whole
    finally:
        pool.close()


def test_terms_are_words_in_parts_too(bitext: Bitext, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("terms.txt").write_text("the station ||| der Bahnhof\ncoffee ||| Kaffee\n", encoding="utf-8")
    settings = ["align.method=ibm1:rounds=1", "align.terms=terms.txt"]
    whole = trained(bitext, Path("whole"), settings, None)
    assert trained(bitext, Path("parts"), settings, InProcess()) == whole
    plain = trained(bitext, Path("plain"), settings[:1], InProcess())
    assert _links(plain) != _links(whole)  # steps with other settings have other names: what they gave is compared


def _links(files: dict[str, bytes]) -> bytes:
    (links,) = (content for name, content in files.items() if name.endswith("/links.npy"))
    return links


class Stopped(InProcess):
    """A pool that is stopped before its n-th order."""

    def __init__(self, n: int) -> None:
        super().__init__()
        self.n = n

    def run(self, orders: Sequence[Order]) -> list[Account]:
        accounts = []
        for order in orders:
            self.n -= 1
            if self.n < 0:
                raise KeyboardInterrupt
            accounts += super().run([order])
        return accounts


def test_a_training_that_was_stopped_goes_on(bitext: Bitext, tmp_path: Path, whole: dict[str, bytes]) -> None:
    settings = ["align.method=diagonal:rounds=2"]
    pool = Stopped(1000)
    n_orders = _orders(bitext, tmp_path / "whole", settings, pool)
    for n in (2, n_orders // 2, n_orders - 2):
        with pytest.raises(KeyboardInterrupt):
            trained(bitext, tmp_path / "work", settings, Stopped(n // 3 + 1))
    pool = Stopped(1000)
    rest = _orders(bitext, tmp_path / "work", settings, pool)
    assert 0 < rest < n_orders
    assert contents(tmp_path / "work") == whole


def test_a_training_stopped_after_every_few_parts_ends_with_the_same_bytes(
    book: dict[str, list[str]], tmp_path: Path
) -> None:
    """What parts no longer need is taken away as they go: whoever goes on must not miss it."""
    short = Bitext.from_lines(book["en"][:24], book["de"][:24], source_lang="en", target_lang="de")
    settings = ["align.method=diagonal:rounds=2", "lm.order=2", "phrases.longest=3"]
    whole = trained(short, tmp_path / "whole", settings, None)
    for _ in range(100):
        try:
            assert trained(short, tmp_path / "work", settings, Stopped(3), part=13) == whole
            return
        except KeyboardInterrupt:
            continue
    pytest.fail("it does not go on")


def _orders(bitext: Bitext, work: Path, settings: list[str], pool: Stopped) -> int:
    before = pool.n
    trained(bitext, work, settings, pool)
    return before - pool.n


def test_a_text_that_cleaning_leaves_nothing_of_is_refused(bitext: Bitext, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="is left after cleaning"):
        trained(bitext, tmp_path / "work", ["clean.longest=1", "clean.ratio=1"], InProcess())


KILLER = """
import os, signal
from pathlib import Path
from distributed.diagnostics.plugin import WorkerPlugin

class Killer(WorkerPlugin):
    \"\"\"Kills the worker at the first task of every kind.\"\"\"
    def transition(self, key, start, finish, **more):
        if finish == "executing" and str(key).startswith("dragoman-"):
            mark = Path(os.environ["KILLER"]) / str(key).removeprefix("dragoman-").rsplit("-", 2)[0]
            try:
                os.close(os.open(mark, os.O_CREAT | os.O_EXCL))
            except FileExistsError:
                return
            os.kill(os.getpid(), signal.SIGKILL)

async def dask_setup(worker):
    await worker.plugin_add(Killer(), name="killer")
"""


@pytest.fixture
def marks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "marks"
    folder.mkdir()
    monkeypatch.setenv("KILLER", str(folder))
    return folder


@pytest.mark.slow  # some forty workers are started anew
def test_a_worker_of_a_cluster_killed_in_every_step_costs_its_part(
    bitext: Bitext, tmp_path: Path, whole: dict[str, bytes], marks: Path
) -> None:
    pytest.importorskip("distributed")
    from dragoman.parts.cluster import ClusterPool
    from tests.parts.clusters import running_cluster

    (tmp_path / "killer.py").write_text(KILLER)
    with running_cluster(tmp_path / "dask", 2, "--preload", str(tmp_path / "killer.py"), nanny=True) as cluster:
        pool = ClusterPool(cluster.address)
        assert trained(bitext, tmp_path / "work", ["align.method=diagonal:rounds=2"], pool, part=110) == whole
        pool.close()
    killed = {path.name for path in marks.iterdir()}
    assert {"tokenise-part", "count-case", "apply-case", "clean-part", "expect-diagonal", "update-range"} < killed
    assert {"link-part", "count-part", "estimate-model", "collect-part", "merge-group", "score-group"} < killed
