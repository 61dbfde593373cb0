"""The score cache, interrupted and damaged: scores stay what they are without it."""

from __future__ import annotations

from pathlib import Path

import pytest

from dragoman.metrics import ScoreCache, score
from dragoman.metrics.references import ScoredText
from tests.fuzz.mutator import mutant, rounds
from tests.metrics.test_score_cache import HYPS, REFS, Slow, made

PLAIN = {"a": 100.0, "b": 50.0, "c": 50.0}


def values(cache: ScoreCache) -> dict[str, float]:
    found = score(HYPS, REFS, metrics=[Slow()], cache=cache)
    return {name: found.score(name, "slow").value for name in HYPS}


@pytest.fixture
def cache(tmp_path: Path) -> ScoreCache:
    made.clear()
    return ScoreCache(tmp_path / "scores", least_seconds=0.0)


def test_damaged_entries_change_no_score(cache: ScoreCache) -> None:
    assert values(cache) == PLAIN
    entries = {path: path.read_bytes() for path in cache.folder.rglob("*") if path.is_file()}
    assert len(entries) == len(HYPS)
    for round_ in rounds(60):
        for path, content in entries.items():
            path.write_bytes(mutant(content, path.name, round_))
        assert values(cache) == PLAIN


def test_what_is_said_about_an_entry_is_sealed_with_it(cache: ScoreCache) -> None:
    assert values(cache) == PLAIN
    entry = next(path for path in cache.folder.rglob("*") if path.is_file())
    content = entry.read_bytes()
    for shape in (b"[4, 1]", b"[1, 4]", b"[2, 2, 1]"):
        entry.write_bytes(content.replace(b"[2, 2]", shape))
        assert entry.read_bytes() != content
        assert values(cache) == PLAIN


def test_entries_of_another_key_are_not_taken(cache: ScoreCache) -> None:
    assert values(cache) == PLAIN
    first, second, third = sorted(path for path in cache.folder.rglob("*") if path.is_file())
    kept = first.read_bytes()
    for path in (second, third):
        path.write_bytes(kept)
    assert values(cache) == PLAIN


def test_an_interrupted_run_goes_on_where_it_stopped(cache: ScoreCache, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = Slow.batch_rows

    def interrupted(self: Slow, text: ScoredText, n_threads: int) -> object:
        if list(text.systems[0]) == HYPS["c"]:
            raise KeyboardInterrupt
        return whole(self, text, n_threads)

    with monkeypatch.context() as patch:
        patch.setattr(Slow, "batch_rows", interrupted)
        with pytest.raises(KeyboardInterrupt):
            values(cache)
    made.clear()
    assert values(cache) == PLAIN
    assert made == [" ".join(HYPS["c"])]


def test_an_entry_interrupted_while_it_is_written_is_not_there(
    cache: ScoreCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", interrupt)
        with pytest.raises(KeyboardInterrupt):
            values(cache)
    assert [path for path in cache.folder.rglob("*") if path.is_file()] == []
    assert values(cache) == PLAIN
