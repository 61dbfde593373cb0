"""Tables on terminals: nothing is wider than the screen, and what is left out is said."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dragoman.report import Column, Table
from dragoman.report.terminal import Screen, to_text
from dragoman.report.wrapping import width_of, wrap

NUMBERS = [Column(name, digits=2) for name in ("score", "low", "high", "deviation", "standard error")]


def table(*columns: Column | str, rows: list[list[object]], **settings: object) -> Table:
    return Table.of("Scores", columns, rows, **settings)  # type: ignore[arg-type]


def widest(text: str) -> int:
    return max(map(width_of, text.split("\n")))


def test_a_pipe_gets_everything_in_long_lines() -> None:
    note = "word " * 60 + "end"
    text = to_text(table("system", *NUMBERS, rows=[["x" * 150, 1.0, 2.0, 3.0, 4.0, 5.0]], note=note))
    assert note in text
    assert "x" * 150 + "   1.00  2.00" in text


def test_headings_are_wrapped_before_anything_is_left_out() -> None:
    wide = table(
        "system", Column("n", "words of the references"), Column("m", "words of the output"), rows=[["a", 1, 2]]
    )
    text = to_text(wide, Screen(40))
    assert widest(text) <= 40
    assert "references" in text
    assert "Left out" not in text


def test_columns_of_the_highest_rank_go_first_and_are_named() -> None:
    ranked = [Column("p", rank=0), Column("seed", rank=2), Column("note", rank=1), Column("delta")]
    rows = [[f"system-{n}", *(f"{name}{n}{chr(120 + n) * 18}" for name in "abcd")] for n in range(3)]
    text = to_text(table("system", *ranked, rows=rows), Screen(60))
    assert widest(text) <= 60
    assert "Left out at 60 columns: seed, note; a wider terminal" in text
    assert to_text(table("system", *ranked, rows=rows), Screen(200)).count("seed") == 1


def test_of_equal_rank_the_rightmost_goes_first_and_the_first_column_stays() -> None:
    columns = [Column(name) for name in ("first", "second", "third")]
    rows = [[f"{n}" + "x" * 22, f"{n}" + "y" * 22, f"{n}" + "z" * 22] for n in range(2)]
    text = to_text(table(*columns, rows=rows), Screen(50))
    assert "Left out at 50 columns: third;" in text
    assert text.split("\n")[2].split() == ["first", "second"]


def test_names_lose_what_they_have_in_common_in_headings_too() -> None:
    names = [f"newstest2019.online-{letter}.0.de-en" for letter in "ABC"]
    matrix = Table.of("All pairs", ["system", *names], [[name, 1.0, 2.0, 3.0] for name in names])
    text = to_text(matrix, Screen(60))
    assert widest(text) <= 60
    assert "…A…" in text.split("\n")[2]
    assert "system: … stands for newstest2019.online- before and .0.de-en" in text.replace("\n", " ")
    assert "…" not in to_text(matrix)


def test_short_names_stay_as_they_are() -> None:
    text = to_text(table("who", *NUMBERS, rows=[["ann-1", *[1.0] * 5], ["ann-2", *[2.0] * 5]]), Screen(40))
    assert "ann-1" in text


def test_a_value_of_every_row_goes_below_the_table() -> None:
    rows = [["de-en", f"annotator {n}", *([float(n)] * 5)] for n in range(3)]
    text = to_text(table("pair", "annotator", *NUMBERS, rows=rows), Screen(52))
    assert widest(text) <= 52
    assert "In every row: pair de-en." in text
    assert text.split("\n")[3].lstrip().startswith("annotator")


def test_long_text_is_folded() -> None:
    words = " ".join(f"word{n}" for n in range(30))
    text = to_text(table("n", Column("text", is_text=True), rows=[[1, words], [2, "short"]]), Screen(40))
    assert widest(text) <= 40
    assert " ".join(text.split()).count("word29") == 1


def test_a_matrix_goes_on_below() -> None:
    names = [f"system{n}" for n in range(21)]
    columns = [Column("system"), *(Column(name, digits=2) for name in names)]
    matrix = Table.of("All pairs", columns, [[name, *(float(n) for n in range(21))] for name in names], is_matrix=True)
    text = to_text(matrix, Screen(80))
    assert widest(text) <= 80
    assert "Left out" not in text
    assert all(text.count(name) >= 4 for name in names)  # a heading, and a row in each of three parts


def test_notes_are_wrapped_and_signatures_cut_behind_a_bar() -> None:
    signature = "BLEU|nrefs:2|bs:200|seed:12345|case:mixed|eff:no|tok:13a|smooth:exp|version:1.0.0"
    lines = wrap(f"bleu: {signature}", 60)
    assert max(map(len, lines)) <= 60
    assert lines[1].endswith("|")
    assert "".join(lines[1:]) == signature


@given(st.text(max_size=200), st.integers(2, 60))
def test_wrapping_loses_nothing_but_blanks(text: str, width: int) -> None:
    lines = wrap(text, width)
    assert all(width_of(line) <= width for line in lines)
    assert "".join("".join(lines).split()) == "".join(text.split())


cells = st.one_of(st.none(), st.booleans(), st.integers(-(10**6), 10**6), st.text(max_size=90))


@given(st.data(), st.integers(1, 9), st.integers(40, 130), st.booleans())
def test_no_table_is_wider_than_the_screen(data: st.DataObject, n: int, width: int, is_matrix: bool) -> None:
    headings = data.draw(st.lists(st.text(min_size=1, max_size=40), min_size=n, max_size=n, unique=True))
    rows = data.draw(st.lists(st.lists(cells, min_size=n, max_size=n), max_size=4))
    columns = [Column(f"c{i}", heading, rank=i % 3) for i, heading in enumerate(headings)]
    assert widest(to_text(Table.of("t " * 80, columns, rows, is_matrix=is_matrix), Screen(width))) <= width


def test_p_is_printed_as_papers_do() -> None:
    column = Column("p", alpha=0.05)
    assert [column.show(p) for p in (0.0004, 0.012, 0.5, 1.0, None)] == ["<.001", ".012", ".500", "1.000", "–"]


def test_colour_says_what_is_best_what_counts_and_what_is_wrong() -> None:
    columns = [
        Column("check", tones={"error": "bad"}),
        Column("p", alpha=0.05),
        Column("ter", best="low", digits=1),
    ]
    coloured = table(*columns, rows=[["error", 0.01, 3.0], ["note", 0.2, 5.0]])
    text = to_text(coloured, Screen(80, colour=True))
    assert "\x1b[1;31merror" in text
    assert "\x1b[1;32m .010" in text or "\x1b[1;32m.010" in text
    assert text.count("\x1b[0m") == 3
    assert "\x1b" not in to_text(coloured, Screen(80))
