"""Alignment in parts: the links of the whole."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from dragoman import _core
from dragoman.align import align
from dragoman.align.text import PairIds
from dragoman.cli.main import group
from dragoman.errors import DataError
from dragoman.files import write_lines
from dragoman.parts import Workshop
from dragoman.samples import phrasebook
from dragoman.text.tokens import TokenIds


@pytest.fixture(scope="module")
def book() -> dict[str, list[str]]:
    return phrasebook()


@pytest.mark.parametrize(
    ("method", "symmetrisation"),
    [("diagonal", "grow-diag-final-and"), ("hmm:rounds=2", "posterior"), ("ibm1:rounds=2", "intersection")],
)
def test_parts_give_the_links_of_the_whole(
    book: dict[str, list[str]], tmp_path: Path, method: str, symmetrisation: str
) -> None:
    srcs, tgts = [*book["en"][:90], "", "\ufeffodd line"], [*book["de"][:90], "x", ""]
    whole = align(srcs, tgts, method=method, symmetrisation=symmetrisation, threshold=0.3)
    for part in (31, 1000):
        shop = Workshop(tmp_path / str(part))
        parts = align(srcs, tgts, method=method, symmetrisation=symmetrisation, threshold=0.3, shop=shop, part=part)
        assert list(parts.lines()) == list(whole.lines())
        for name in ("offsets", "forward", "backward", "log_p_forward", "log_p_backward"):
            np.testing.assert_array_equal(getattr(parts, name), getattr(whole, name))
        assert (parts.source.ids.tolist(), parts.recipe) == (whole.source.ids.tolist(), whole.recipe)
        assert (parts.symmetrisation, parts.threshold) == (whole.symmetrisation, whole.threshold)


def test_a_text_of_no_lines_or_that_begins_with_a_mark_of_order_is_aligned(tmp_path: Path) -> None:
    assert list(align([], [], method="ibm1", shop=Workshop(tmp_path / "none")).lines()) == []
    marked = ["\ufeffa b", "a"], ["c d", "c"]
    parts = align(*marked, method="ibm1", shop=Workshop(tmp_path / "marked"), part=1)
    assert list(parts.lines()) == list(align(*marked, method="ibm1").lines())


def test_what_parts_cannot_do_is_refused(tmp_path: Path) -> None:
    shop = Workshop(tmp_path)
    with pytest.raises(DataError, match=r"sampler draws its links one after the other.*Take diagonal, hmm or ibm1"):
        align(["a"], ["b"], shop=shop)
    with pytest.raises(DataError, match=r"without anchors or posteriors\. Leave that out, or the workers"):
        align(["a"], ["b"], method="ibm1", anchors=[[(0, 0)]], posteriors=True, shop=shop)
    with pytest.raises(DataError, match=r"Line 3 of the source has 5000 words; at most 4096"):
        align(["a", "b", "a " * 5000], ["x", "y", "z"], method="ibm1", shop=shop, part=2)


def test_places_that_do_not_fit_are_refused_by_kernels() -> None:
    ids, offsets = np.array([0, 1], np.int32), np.array([0, 2], np.int64)
    pairs = PairIds.checked(TokenIds(ids, offsets), TokenIds(ids, offsets)).core()
    rows, targets, places = _core.align.met_pairs(pairs)
    assert (rows.tolist(), targets.tolist()) == ([0, 2, 4, 6], [0, 1] * 3)
    assert places.tolist() == [0, 1, 2, 3, 4, 5]  # the empty word, then each source word, with both target words
    p, options = np.full(6, 0.5, np.float32), _core.align.DiagonalOptions()
    counts, _, _ = _core.align.expect_diagonal(p, places, pairs, options)
    assert counts.sum() == pytest.approx(2 * 2**30, rel=1e-6)  # two target words, in units
    for wrong in (places[:-1], places + np.uint32(1)):
        with pytest.raises(DataError, match="The places of a part's word pairs do not fit its sentences or its table"):
            _core.align.expect_diagonal(p, wrong, pairs, options)
        with pytest.raises(DataError, match="The places of a part's word pairs do not fit"):
            _core.align.expect_hmm(p, wrong, np.ones(5), pairs, 0.2)
    assert _core.align.take(np.array([1, 2, 3], np.float32), np.array([2, 0, 2], np.uint32)).tolist() == [3, 1, 3]
    with pytest.raises(DataError, match="A place leads beyond the values"):
        _core.align.take(np.ones(2, np.float32), np.array([2], np.uint32))
    parts = [
        (np.array([0, 2], np.uint32), np.array([5, 7], np.uint64)),
        (np.array([2], np.uint32), np.array([1], np.uint64)),
    ]
    assert _core.align.add_up(3, parts).tolist() == [5, 0, 8]
    with pytest.raises(DataError, match="A place leads beyond the counts"):
        _core.align.add_up(2, parts)
    with pytest.raises(DataError, match="There must be a place for every count"):
        _core.align.add_up(3, [(np.zeros(2, np.uint32), np.zeros(1, np.uint64))])


def test_the_command_takes_workers(book: dict[str, list[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for lang in ("en", "de"):
        write_lines(f"text.{lang}", book[lang][:60])
    run = ["align", "text.en", "text.de", "--method", "ibm1", "--json", "-o"]
    for name, more in (("whole", []), ("parts", ["--workers", "2", "--part", "25"])):
        done = CliRunner().invoke(group, [*run, name, *more], catch_exceptions=False)
        assert done.exit_code == 0, done.output
    assert Path("whole").read_bytes() == Path("parts").read_bytes()
    assert not Path("dragoman.work").exists()
