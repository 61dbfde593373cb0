from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.data.alignments import Alignment, Alignments
from dragoman.data.formats.pharaoh import PharaohFormat, parse_alignment, show_alignment
from dragoman.errors import DataError, FormatError
from dragoman.files import iter_lines

links = st.tuples(st.integers(0, 20), st.integers(0, 20))
alignments = st.lists(links, unique=True, max_size=12).flatmap(
    lambda found: st.integers(0, len(found)).map(lambda cut: Alignment(tuple(found[:cut]), tuple(found[cut:])))
)


@given(st.lists(alignments, max_size=5), st.sampled_from([0, 1]))
def test_round_trip(tmp_path_factory: pytest.TempPathFactory, items: list[Alignment], first: int) -> None:
    path = tmp_path_factory.mktemp("pharaoh") / "x.align.gz"
    form = PharaohFormat(first)
    form.write(Alignments(items), path)
    back = form.read(path)
    assert list(back) == items
    assert list(back) == items


def test_sure_and_possible_links() -> None:
    found = parse_alignment("2-2 1p1 3-1", first=1)
    assert found == Alignment(sure=((1, 1), (2, 0)), possible=((0, 0),))
    assert found.links == ((0, 0), (1, 1), (2, 0))
    assert show_alignment(found, first=1) == "1p1 2-2 3-1"
    assert found.swapped() == Alignment(sure=((0, 2), (1, 1)), possible=((0, 0),))


@pytest.mark.parametrize(
    ("line", "first", "message"),
    [
        ("0-0 1-", 0, r"'1-' is no link; expected 0-0 \(sure\) or 0p0 \(possible\)"),
        ("0-0-0", 0, "'0-0-0' is no link"),
        ("-1-0", 0, "'-1-0' is no link"),
        ("٣-0", 0, "'٣-0' is no link"),
        ("9" * 5000 + "-0", 0, "'9{40}' is no link"),
        ("0-1", 1, r"The link '0-1' has a word 0, but words are counted from 1 on \(first=1\)"),
        ("0-0 1-1 0-0", 0, "The link 0-0 comes twice"),
        ("0-0 0p0", 0, "The link 0-0 comes twice"),
    ],
)
def test_errors_name_file_and_line(tmp_path: Path, line: str, first: int, message: str) -> None:
    path = tmp_path / "x.align"
    path.write_text(f"1-1\n\n{line}\n")
    items = iter(PharaohFormat(first).read(path))
    assert len([next(items), next(items)]) == 2
    with pytest.raises(FormatError, match=r"x\.align:3: " + message):
        next(items)


def test_wrong_calls_are_named() -> None:
    with pytest.raises(DataError, match=r"The 'first' option of PharaohFormat must be one of 0, 1\. Got 2 instead"):
        PharaohFormat(2)
    with pytest.raises(DataError, match=r"Words are counted from 0 on, got the link \(-1, 0\)"):
        Alignment(((-1, 0),))
    with pytest.raises(DataError, match="The link 2-0 leads beyond the sentences, which have 2 and 1 words"):
        Alignment(((0, 0), (2, 0))).check_within(2, 1)


@pytest.mark.realdata
@pytest.mark.parametrize(("pair", "n", "n_sure", "n_possible"), [("enfr", 447, 4038, 13400), ("jaen", 582, 13562, 0)])
def test_gold_alignments_fit_their_sentences(
    data_folder: Path, pair: str, n: int, n_sure: int, n_possible: int
) -> None:
    folder = data_folder / "alignment-gold"
    items = list(PharaohFormat(first=1).read(folder / f"{pair}.gold.gz"))
    sentences = [line.split(" ||| ") for line in iter_lines(folder / f"{pair}.src-tgt.gz")]
    assert len(items) == len(sentences) == n
    for item, (src, tgt) in zip(items, sentences, strict=True):
        # Words stand between spaces proper: in four Japanese sentences U+3000 is a word.
        item.check_within(*(sum(1 for word in side.split(" ") if word) for side in (src, tgt)))
    assert sum(len(item.sure) for item in items) == n_sure
    assert sum(len(item.possible) for item in items) == n_possible
