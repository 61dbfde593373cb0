"""Rule tables as text: Moses' and Thrax' formats in and out, and what is wrong with lines that are no rules."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.errors import DataError, FormatError
from dragoman.smt.grammar import Gap, MosesRules, Rule, ThraxRules, convert_rules
from dragoman.smt.grammar.rules import escaped, unescaped

MOSES = "der [X][NP] bellt [X] ||| the [X][NP] barks [S] ||| 0.5 0.4 0.25 0.3 ||| 0-0 1-1 2-2 ||| 2 4 1 ||| Rare 0.5"
SWAP = "[X][X] von [X][Y] [X] ||| [X][Y] 's [X][X] [X] ||| 1 0.5 1 0.125 ||| 0-2 1-1 2-0 ||| 1 1 1"


def test_a_line_of_moses_is_read_and_written_again() -> None:
    rule = MosesRules().rule(MOSES)
    gap = Gap(0, ("X", "NP"))
    assert rule == Rule(
        ("der", gap, "bellt"),
        ("the", gap, "barks"),
        ("X", "S"),
        (0.5, 0.4, 0.25, 0.3),
        ((0, 0), (2, 2)),
        (2, 4, 1),
        (("Rare", 0.5),),
    )
    assert MosesRules().line(rule) == MOSES
    assert MosesRules().line(MosesRules().rule(SWAP)) == SWAP


def test_thrax_numbers_gaps_and_takes_logarithms() -> None:
    line = ThraxRules().line(MosesRules().rule(SWAP))
    assert line == (
        "[X] ||| [X,1] von [X^Y,2] ||| [X^Y,2] 's [X,1] ||| p(f|e)=0 Lex(f|e)=0.6931471805599453 p(e|f)=0 "
        "Lex(e|f)=2.0794415416798357 Count(e)=1 Count(f)=1 Count(f,e)=1 ||| 1-1"
    )
    assert MosesRules().line(ThraxRules().rule(line)) == SWAP


def test_a_grammar_of_thrax_is_read_as_it_is_published() -> None:
    # As Thrax writes them: names in alphabetical order, no alignment; and an older one of Joshua without names.
    rule = ThraxRules().rule(
        "[NP] ||| la [N,1] azul ||| the blue [N,1] ||| Lex(e|f)=0.5 Lex(f|e)=1 RarityPenalty=0.1 p(e|f)=2 p(f|e)=3"
    )
    assert rule.labels == ("NP", "NP")
    assert rule.target == ("the", "blue", Gap(0, ("N", "N")))
    assert rule.scores == pytest.approx([0.0497871, 0.3678794, 0.1353353, 0.6065307], rel=1e-6)
    assert rule.named == (("RarityPenalty", 0.1),)
    assert ThraxRules().rule("[X] ||| a ||| b ||| 0.5 1 2").scores == pytest.approx([0.6065307, 0.3678794, 0.1353353])


words = st.one_of(
    st.sampled_from(["a", "[", "[X]", "|||", "a|||b", "&#91;", "&", "[a][b]", "]", "|"]),
    st.text("ab[]|&#;1", min_size=1),
)
labels = st.tuples(st.sampled_from(["X", "NP", "S/NP", "N+N"]), st.sampled_from(["X", "NP\\N", ","]))
floats = st.floats(0, 1, width=32)


@st.composite
def rules(draw: st.DrawFn) -> Rule:
    gaps = [Gap(number, draw(labels)) for number in range(draw(st.integers(0, 3)))]
    source, target = draw(st.lists(words, min_size=1, max_size=4)), draw(st.lists(words, min_size=1, max_size=4))
    sides: list[list[str | Gap]] = [list(source), list(target)]
    for gap in gaps:  # in order on the source, anywhere on the target
        first = max((i + 1 for i, each in enumerate(sides[0]) if isinstance(each, Gap)), default=0)
        sides[0].insert(draw(st.integers(first, len(sides[0]))), gap)
        sides[1].insert(draw(st.integers(0, len(sides[1]))), gap)
    places = [[i for i, each in enumerate(side) if isinstance(each, str)] for side in sides]
    links = draw(st.sets(st.tuples(st.sampled_from(places[0]), st.sampled_from(places[1]))))
    scores = [float(f"{draw(floats):.9g}") for _ in range(draw(st.integers(1, 6)))]
    counts = draw(st.sampled_from([(), (3.0, 2.5, 1.0)]))
    named = draw(st.sampled_from([(), (("Rarity", 0.25), ("a=b", -3.0))])) if counts else ()
    return Rule(tuple(sides[0]), tuple(sides[1]), draw(labels), tuple(scores), tuple(sorted(links)), counts, named)


@given(rules())
def test_no_format_loses_anything(rule: Rule) -> None:
    moses, thrax = MosesRules(), ThraxRules()
    assert moses.rule(moses.line(rule)) == rule
    there = thrax.rule(thrax.line(rule))
    assert there == rule
    assert moses.line(there) == moses.line(rule)


@given(st.text(min_size=1))
def test_escapes_are_undone(word: str) -> None:
    assert unescaped(escaped(word)) == word


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("a [X] ||| b [X]", "2 fields"),
        ("", "1 fields"),
        ("a ||| b [X] ||| 1", "the source side is 'a'; expected words and gaps, and a label"),
        ("[X] ||| b [X] ||| 1", "the source side is '\\[X\\]'"),
        ("a [X] ||| b [X][X] ||| 1", "the target side"),
        ("a [X] [X] ||| b [X] ||| 1", "'\\[X\\]' is no gap"),
        ("a [X] ||| b [X] ||| x", "the score is 'x'; expected a number from 0 on"),
        ("a [X] ||| b [X] ||| -1", "the score is '-1'"),
        ("a [X] ||| b [X] ||| nan", "the score is 'nan'"),
        ("a [X] ||| b [X] ||| 1 ||| 0", "'0' is no link"),
        ("a [X] ||| b [X] ||| 1 ||| 0-1", "the link 0-1 lies outside of a rule with 1 and 1 symbols"),
        ("[X][X] a [X] ||| b [X] ||| 1 ||| 1-0", "1 gaps in the source, 0 in the target"),
        ("[X][X] a [X] ||| [X][X] b [X] ||| 1 ||| 1-1", "0 links between them"),
        ("[X][X] a [X] ||| [X][X] b [X] ||| 1 ||| 0-1 1-0", "joins a word and a gap"),
        ("[X][X] a [X] ||| [X][Y] b [X] ||| 1 ||| 0-0", "have other labels"),
        ("[X][X] a [X] ||| [X][X] [X][X] [X] ||| 1 ||| 0-0 0-1", "a second link"),
        ("a [X] ||| b [X] ||| 1 ||| 0-0 ||| many", "the count is 'many'"),
        ("a [X] ||| b [X] ||| 1 ||| 0-0 ||| 1 1 1 ||| Rare", "pairs of name and value"),
    ],
)
def test_what_is_wrong_with_a_line_of_moses_is_named(tmp_path: Path, line: str, message: str) -> None:
    path = tmp_path / "rules"
    path.write_text(f"{MOSES}\n{line}\n", encoding="utf-8")
    with pytest.raises(FormatError, match=f"rules:2: .*{message}"):
        list(MosesRules().read(path))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("[X] ||| a ||| b", "3 fields"),
        ("X ||| a ||| b ||| 1", "the label is 'X'"),
        ("[X] ||| ||| b ||| 1", "the source side is empty"),
        ("[X] ||| [X] a ||| b ||| 1", "'\\[X\\]' is no gap; one has a label and a number"),
        ("[X] ||| [X,1] [X,1] ||| [X,1] ||| 1", "stands there twice"),
        ("[X] ||| [X,1] ||| [Y,1] ||| 1", "has no like in the other"),
        ("[X] ||| [X,1] a ||| b ||| 1", "1 gaps of the source side are missing"),
        ("[X] ||| a ||| b ||| p(e|f)=high", "the feature p\\(e|f\\) is 'high'"),
        ("[X] ||| a ||| b ||| p(e|f)=1", "some of the scores are missing"),
        ("[X] ||| a ||| b ||| -800", "no logarithm"),
    ],
)
def test_what_is_wrong_with_a_line_of_thrax_is_named(line: str, message: str) -> None:
    with pytest.raises(DataError, match=message):
        ThraxRules().rule(line)


def test_labels_that_thrax_cannot_tell_apart_are_refused() -> None:
    with pytest.raises(DataError, match="cannot be made one"):
        ThraxRules().line(Rule(("a",), ("b",), ("A^B", "C")))


def test_tables_are_converted_there_and_back(tmp_path: Path) -> None:
    table = tmp_path / "rules"
    table.write_text(f"{SWAP}\n{MOSES}\n", encoding="utf-8")
    there = convert_rules(table, tmp_path / "rules.thrax.gz", source="moses", target="thrax")
    assert there.n_rules == 2
    convert_rules(tmp_path / "rules.thrax.gz", tmp_path / "back", source="thrax", target="moses")
    assert (tmp_path / "back").read_text(encoding="utf-8") == table.read_text(encoding="utf-8")
