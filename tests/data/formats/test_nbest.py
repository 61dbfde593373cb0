from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.data.formats.nbest import NBestFormat
from dragoman.data.nbest import Candidate, NBest, NBestLists
from dragoman.errors import DataError, FormatError, MendedInput

MOSES = """\
0 ||| das ist gut  ||| LexicalReordering0= -1.5 0 0 Distortion0= 0 LM0= -12.25 TM0= -1 -2.5 ||| -4.5
0 ||| das ist fein ||| LexicalReordering0= -1 0 0 Distortion0= 0 LM0= -14 TM0= -1 -3 ||| -5.125 ||| 0-0 1-1 2-2
2 ||| ja ||| LM0= -2 ||| -inf
"""


def test_moses_lists_are_read_group_by_group(tmp_path: Path) -> None:
    path = tmp_path / "x.nbest"
    path.write_text(MOSES)
    lists = NBestFormat().read(path)
    first, second = lists
    assert (first.segment, second.segment) == (0, 2)
    best, other = first.candidates
    assert best.text == "das ist gut"
    assert best.features["TM0"] == (-1.0, -2.5)
    assert list(best.features) == ["LexicalReordering0", "Distortion0", "LM0", "TM0"]
    assert best.vector() == (-1.5, 0, 0, 0, -12.25, -1, -2.5)
    assert best.score == -4.5
    assert best.alignment is None
    assert other.alignment == "0-0 1-1 2-2"
    assert second.candidates[0].score == float("-inf")
    assert next(iter(lists)) == first  # read again


@pytest.mark.parametrize(
    ("text", "features"),
    [
        ("lm: -1.5 tm: -1 -2 w: -3", {"lm": (-1.5,), "tm": (-1.0, -2.0), "w": (-3.0,)}),
        ("LM=-1.5 wt_a=b=2", {"LM": (-1.5,), "wt_a=b": (2.0,)}),
        ("-1 -2.5e3", {"": (-1.0, -2500.0)}),
        ("", {}),
        ("Empty= LM0= -1", {"Empty": (), "LM0": (-1.0,)}),
    ],
)
def test_features_in_every_style(tmp_path: Path, text: str, features: dict[str, tuple[float, ...]]) -> None:
    path = tmp_path / "x.nbest"
    path.write_text(f"0 ||| x ||| {text} ||| 0\n")
    (group,) = NBestFormat().read(path)
    assert dict(group.candidates[0].features) == features
    NBestFormat().write(NBestLists([group]), path)
    assert list(NBestFormat().read(path)) == [group]


numbers = st.floats(allow_nan=False)
names = st.text("abcLM0_", min_size=1, max_size=6)
candidates = st.builds(
    Candidate,
    text=st.text("ab äか", max_size=8).map(str.strip),
    features=st.dictionaries(names, st.lists(numbers, max_size=3).map(tuple), max_size=3),
    score=numbers,
    alignment=st.sampled_from([None, "", "0-0 1-1"]),
)


@given(st.lists(st.lists(candidates, min_size=1, max_size=3), max_size=3))
def test_round_trip(tmp_path_factory: pytest.TempPathFactory, groups: list[list[Candidate]]) -> None:
    path = tmp_path_factory.mktemp("nbest") / "x.nbest"
    lists = [NBest(2 * number, tuple(group)) for number, group in enumerate(groups)]
    NBestFormat().write(NBestLists(lists), path)
    assert list(NBestFormat().read(path)) == lists


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("1 ||| x ||| -1", r"the line has 3 fields between '\|\|\|'; expected segment, text, features, score"),
        ("x", "the line has 1 field between"),
        ("1 ||| x ||| LM= -1 ||| -1 ||| 0-0 ||| more", "the line has 6 fields"),
        ("one ||| x ||| LM= -1 ||| -1", "the segment is 'one'; expected a whole number from 0 on"),
        ("-1 ||| x ||| LM= -1 ||| -1", "the segment is '-1'"),
        ("9" * 5000 + " ||| x ||| LM= -1 ||| -1", "the segment is '9{40}'"),
        ("1 ||| x ||| LM= -1 ||| good", "the score is 'good'; expected a number"),
        ("1 ||| x ||| LM= -1 ||| nan", "the score is 'nan'; expected a number"),
        ("1 ||| x ||| LM= -1 ||| ", "the score is ''; expected a number"),
        ("1 ||| x ||| LM= bad ||| 0", "feature 'LM' is 'bad'; expected a number"),
        ("1 ||| x ||| bad ||| 0", "a feature without name is 'bad'; expected a number"),
        ("1 ||| x ||| LM= 1 LM= 2 ||| 0", "the feature 'LM' comes twice"),
    ],
)
def test_errors_name_file_and_line(tmp_path: Path, line: str, message: str) -> None:
    path = tmp_path / "x.nbest"
    path.write_text(f"0 ||| x ||| LM= -1 ||| -1\n{line}\n")
    with pytest.raises(FormatError, match=r"x\.nbest:2: " + message):
        list(NBestFormat().read(path))


def test_blank_lines_are_passed_over_and_named(tmp_path: Path) -> None:
    path = tmp_path / "x.nbest"
    path.write_text("0 ||| x ||| LM= -1 ||| -1\n\n1 ||| y ||| LM= -1 ||| -1\n \n")
    with pytest.warns(MendedInput, match=r"x\.nbest:2: the line is blank; .* There are 2 such lines: 2, 4\."):
        assert [each.segment for each in NBestFormat().read(path)] == [0, 1]
    with pytest.raises(FormatError, match=r"x\.nbest:2: the line is blank"):
        list(NBestFormat().read(path))


def test_a_segment_that_comes_again_is_named(tmp_path: Path) -> None:
    path = tmp_path / "x.nbest"
    path.write_text("".join(f"{segment} ||| x ||| LM= -1 ||| -1\n" for segment in (0, 1, 0)))
    with pytest.raises(FormatError, match=r"x\.nbest:3: segment 0 comes after segment 1; .* sort -s -n -k1,1"):
        list(NBestFormat().read(path))


def test_what_the_format_cannot_hold_is_refused(tmp_path: Path) -> None:
    for candidate, message in [
        (Candidate("x"), "A candidate of segment 3 has no score, which this format demands: 'x'"),
        (Candidate("x ||| y", score=0.0), r"A candidate of segment 3 has '\|\|\|' inside its text"),
        (Candidate("x\ny", score=0.0), "has a line break inside"),
    ]:
        with pytest.raises(DataError, match=message):
            NBestFormat().write(NBestLists([NBest(3, (candidate,))]), tmp_path / "x.nbest")
    assert list(tmp_path.iterdir()) == []
