"""Statistics kept on disk: found again by content, made again where damaged, never in the way."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

from dragoman.metrics import ScoreCache, ScoreRecipe, as_test_set, collect, score, score_test_set
from dragoman.metrics import score_cache as module
from dragoman.metrics.base import Metric, Rows, mean_rows
from dragoman.metrics.references import ScoredText
from tests.metrics.comparisons import compare

HYPS = {"a": ["one", "two"], "b": ["one", "three"], "c": ["", "two"]}
REFS = [["one", "two"]]
TEXT = as_test_set(HYPS, REFS)
made: list[str] = []


@dataclass(frozen=True)
class Slow(Metric):
    """Segments equal to the reference; says what it works on, and that it takes its time."""

    name: ClassVar[str] = "slow"
    label_pattern: ClassVar[str] = "Slow"
    quick: ClassVar[bool] = False

    lowercase: bool = field(default=False)

    def batch_rows(self, text: ScoredText, n_threads: int) -> Rows:
        made.extend(map(" ".join, text.systems))
        refs, systems = text.refs, text.systems
        return mean_rows(
            np.array([[100.0 * (h == r) for h, r in zip(s, refs.streams[0], strict=True)] for s in systems])
        )

    def values(self, totals: Rows) -> np.ndarray:
        return totals[..., 0] / totals[..., 1]


@pytest.fixture(autouse=True)
def _nothing_made() -> None:
    made.clear()


@pytest.fixture
def cache(tmp_path: Path) -> ScoreCache:
    return ScoreCache(tmp_path / "scores", least_seconds=0.0)


def test_what_was_scored_is_not_scored_again(cache: ScoreCache) -> None:
    first = score(HYPS, REFS, metrics=[Slow()], cache=cache)
    assert made == ["one two", "one three", " two"]
    again = score({"b": HYPS["b"], "new": ["x", "two"]}, REFS, metrics=[Slow()], cache=cache)
    assert made[3:] == ["x two"]
    assert again.score("b", "slow").value == first.score("b", "slow").value == 50.0
    plain = score(HYPS, REFS, metrics=[Slow()])
    assert plain.values.tolist() == first.values.tolist()
    # The same statistics serve segments, intervals and comparisons.
    made.clear()
    assert score(HYPS, REFS, metrics=[Slow()], level="segment", cache=cache).values[1, 0].tolist() == [100.0, 0.0]
    score_test_set(TEXT, ScoreRecipe(metrics=(Slow(),), ci=True, trials=10), cache=cache)
    compare(HYPS, REFS, metrics=[Slow()], trials=10, cache=cache)
    assert made == []


def test_other_content_is_another_entry(cache: ScoreCache) -> None:
    score(HYPS, REFS, metrics=[Slow()], cache=cache)
    for hyps, refs, metric in (
        ({"a": ["on", "etwo"]}, REFS, Slow()),
        ({"a": HYPS["a"]}, [["onetwo", ""]], Slow()),
        ({"a": HYPS["a"]}, [*REFS, REFS[0]], Slow()),
        ({"a": HYPS["a"]}, REFS, Slow(lowercase=True)),
    ):
        made.clear()
        score(hyps, refs, metrics=[metric], cache=cache)
        assert len(made) == 1


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: data[:-1],
        lambda data: data[:-1] + bytes([data[-1] ^ 1]),
        lambda data: b"{}\n" + data.partition(b"\n")[2],
        lambda data: b"[1]\n",
        lambda data: b"\xff" + data,
        lambda data: data.replace(b'"shape": [2, 2]', b'"shape": [3, 2]'),
    ],
)
def test_a_damaged_entry_is_made_again(cache: ScoreCache, damage) -> None:
    expected = score({"a": HYPS["a"]}, REFS, metrics=[Slow()], cache=cache)
    (path,) = cache.folder.glob("*/*")
    whole = path.read_bytes()
    path.write_bytes(damage(whole))
    made.clear()
    assert score({"a": HYPS["a"]}, REFS, metrics=[Slow()], cache=cache).values == expected.values
    assert made == ["one two"]
    assert path.read_bytes() == whole
    assert list(cache.folder.glob("*/*")) == [path]


def test_quick_work_is_not_kept(tmp_path: Path) -> None:
    cache = ScoreCache(tmp_path / "scores", least_seconds=3600.0)
    score(HYPS, REFS, metrics=["bleu", "ter", Slow()], cache=cache)
    assert not cache.folder.exists()


def test_quick_metrics_are_not_even_looked_for(cache: ScoreCache, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> str:
        raise AssertionError("hashed for nothing")

    monkeypatch.setattr(ScoreCache, "key", refuse)
    score(HYPS, REFS, metrics=["bleu", "chrf", "ter", "amber"], cache=cache)


def test_long_texts_are_kept_whatever_the_metric(cache: ScoreCache, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_LONG", 4)
    first = score(HYPS, REFS, metrics=["bleu", "ter"], cache=cache)
    assert len(list(cache.folder.glob("*/*"))) == 6
    monkeypatch.setattr("dragoman.metrics.bleu.Bleu.batch_rows", None)  # would fail if it were called
    assert score(HYPS, REFS, metrics=["bleu", "ter"], cache=cache).values.tolist() == first.values.tolist()


def test_the_oldest_make_room(tmp_path: Path) -> None:
    cache = ScoreCache(tmp_path, least_seconds=0.0, capacity=10_000)
    rows = np.zeros((100, 4))  # 3.2 kB
    for number in range(5):
        key = f"{number:040}"
        cache.keep(key, rows)
        os.utime(tmp_path / key[:2] / key[2:], (number, number))
        if number:
            assert cache.find(f"{0:040}") is not None or number > 2  # found, hence used last
    assert len(list(tmp_path.glob("*/*"))) <= 3
    assert cache.find(f"{4:040}") is not None


def test_a_folder_that_cannot_be_written_is_no_reason_to_fail(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    for folder in (tmp_path / "file", tmp_path / "file" / "below"):
        cache = ScoreCache(folder, least_seconds=0.0)
        assert score({"a": HYPS["a"]}, REFS, metrics=[Slow()], cache=cache).values.item() == 100.0


def test_the_folder_is_in_dragomans_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DRAGOMAN_HOME", str(tmp_path / "home"))
    assert ScoreCache().folder == tmp_path / "home" / "scores"
    monkeypatch.delenv("DRAGOMAN_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert ScoreCache().folder == tmp_path / ".dragoman" / "scores"


def test_progress_is_told() -> None:
    told: list[tuple[int, int, str]] = []
    score(HYPS, REFS, metrics=["bleu", Slow()], progress=lambda *step: told.append(step))
    assert told[0] == (0, 6, "scoring")
    assert told[-1] == (6, 6, "scoring")
    assert [done for done, _, _ in told] == sorted(done for done, _, _ in told)
    assert (4, 6, "scoring") in told  # the first of the slow ones, by itself
    told.clear()
    compare(HYPS, REFS, metrics=["bleu", "ter"], trials=10, progress=lambda *step: told.append(step))
    assert [step for step in told if step[2] == "testing"] == [(0, 2, "testing"), (1, 2, "testing")]


def test_batches_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_LONG", 0)
    names = ["bleu", "chrf", "ter", "wer", "nist", "amber"]
    plain = collect(TEXT, names)
    for seconds in (0.0, 100.0):
        monkeypatch.setattr(module, "_BATCH", seconds)
        batched = collect(TEXT, names, progress=lambda *_: None)
        for one, other in zip(plain, batched, strict=True):
            np.testing.assert_array_equal(one.rows, other.rows)
