"""Alignment in parts: the links of the whole."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from dragoman.align import align
from dragoman.cli.main import group
from dragoman.errors import DataError
from dragoman.files import write_lines
from dragoman.parts import Workshop
from dragoman.samples import phrasebook


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
