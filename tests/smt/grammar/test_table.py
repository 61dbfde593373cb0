"""Packed rule tables: every rule is found again, whatever its format; broken lines and damaged files are refused."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman import _core
from dragoman.errors import DataError, FormatError, ModelError
from dragoman.smt.grammar import Gap, MosesRules, Rule, RuleTable, ThraxRules, inspect_rules
from dragoman.text.vocabulary import Vocabulary
from tests.fuzz.sealing import reseal

LINES = [
    "der [X][X] bellt [X] ||| the [X][X] barks [X] ||| 0.5 0.25 ||| 0-0 1-1 2-2 ||| 2 4 1 ||| Rare 0.5",
    "der [X][X] bellt [X] ||| [X][X] barks [X] ||| 0.25 0 ||| 1-0 2-1",
    "[X][X] von [X][NP] [NP] ||| [X][NP] 's [X][X] [X] ||| 1 1 ||| 0-2 1-1 2-0",
    "&#91;X] [X] ||| &#124;|| &#38;#91; [X] ||| 0.125 1",
    "der [NP] ||| the [NP] ||| 0.125 1 ||| 0-0",
]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "rules"
    path.write_text("\n".join(LINES) + "\n", encoding="utf-8")
    return path


def test_rules_are_found_by_their_source_sides(file: Path) -> None:
    table = RuleTable.read_rules(file, named=["Rare"], counts={"der": 7})
    assert (len(table), table.n_rules, table.n_sources) == (5, 5, 4)
    assert table.labels == (("X", "X"), ("X", "NP"), ("NP", "X"), ("NP", "NP"))
    assert table.features == ("table.1", "table.2", "Rare")
    first, second = table.rules(["der", ("X", "X"), "bellt"])
    gap = Gap(0, ("X", "X"))
    assert first.target == ("the", gap, "barks")
    assert first.links == ((0, 0), (2, 2))
    assert (first.scores, first.named) == ((0.5, 0.25), (("Rare", 0.5),))
    assert (second.scores, second.named) == ((0.25, 0), (("Rare", 0),))
    [swap] = table.rules([("X", "X"), "von", ("X", "NP")])
    assert swap.target == (Gap(1, ("X", "NP")), "'s", Gap(0, ("X", "X")))
    assert swap.labels == ("NP", "X")
    [odd] = table.rules(["[X]"])
    assert odd.target == ("|||", "&#91;")
    assert [table.rules(side) for side in (["die"], ["bellt"], [("Y", "Y")], [])] == [[]] * 4
    assert [table.count(word) for word in ("der", "bellt", "die")] == [7, 0, 0]
    assert len(table.matching([None, "von", None])) == 1
    assert RuleTable.read_rules(file).count("der") == 1


def test_a_saved_table_is_the_same(file: Path, tmp_path: Path) -> None:
    table = RuleTable.read_rules(file, counts={"der": 7}, n_threads=2)
    loaded = RuleTable.load(table.save(tmp_path / "packed"))
    assert list(loaded) == list(table)
    assert (loaded.labels, loaded.features, loaded.orientation) == (table.labels, table.features, "none")
    assert loaded.counts is not None
    assert loaded.count("der") == 7


WORDS = st.sampled_from(["a", "b", "ü", "[", "[X]", "|||", "&#91;", "x|||"])
LABELS = st.tuples(st.sampled_from(["X", "NP"]), st.sampled_from(["X", "S|N"]))


@st.composite
def rules(draw: st.DrawFn) -> Rule:
    gaps = [Gap(k, draw(LABELS)) for k in range(draw(st.integers(0, 3)))]
    source: list[str | Gap] = list(draw(st.lists(WORDS, min_size=0 if gaps else 1, max_size=3)))
    places = sorted(draw(st.lists(st.integers(0, len(source)), min_size=len(gaps), max_size=len(gaps))))
    for gap, place in zip(reversed(gaps), reversed(places), strict=True):
        source.insert(place, gap)
    words: list[str | Gap] = list(draw(st.lists(WORDS, min_size=0 if gaps else 1, max_size=3)))
    target = draw(st.permutations([*words, *gaps]))
    pairs = [
        (s, t)
        for s, each in enumerate(source)
        for t, other in enumerate(target)
        if not isinstance(each, Gap) and not isinstance(other, Gap)
    ]
    links = tuple(sorted(draw(st.sets(st.sampled_from(pairs), max_size=3)))) if pairs else ()
    scores = draw(st.tuples(st.sampled_from([0.5, 1.0, 0.0]), st.floats(2**-30, 3, width=32)))
    return Rule(tuple(source), tuple(target), draw(LABELS), scores, links)


@given(st.lists(rules(), max_size=12), st.booleans())
def test_all_rules_come_back_in_their_order(given_rules: list[Rule], quantised: bool) -> None:
    table = RuleTable.of_rules(given_rules, quantised=quantised)
    assert len(table) == len(given_rules)
    for rule in given_rules:
        found, wanted = table.rules(_side(rule.source)), [each for each in given_rules if each.source == rule.source]
        assert [(each.target, each.labels, each.links) for each in found] == [
            (each.target, each.labels, each.links) for each in wanted
        ]
        for each, other in zip(found, wanted, strict=True):
            np.testing.assert_allclose(each.scores, other.scores, rtol=1e-5)
    assert sorted(map(MosesRules().line, table)) == sorted(
        MosesRules().line(rule)
        for each in {rule.source: rule for rule in given_rules}
        for rule in table.rules(_side(each))
    )


def _side(source: tuple[str | Gap, ...]) -> list[str | tuple[str, str]]:
    return [each.labels if isinstance(each, Gap) else each for each in source]


@given(st.lists(st.text("ab[X]|&#91; -0.\u2003\r", max_size=30), max_size=3))
def test_a_line_is_read_or_refused_as_its_format_says(parts: list[str]) -> None:
    line = " ||| ".join(parts)
    try:
        MosesRules().rule(line)
    except DataError:
        with pytest.raises(DataError):
            _packed(line)
    else:
        assert len(_packed(line)) == 1


def _packed(line: str) -> _core.chart.RuleTable:
    reader = _core.chart.MosesRules(Vocabulary().core, Vocabulary().core)
    reader.add(line + "\n")
    return reader.finish(Vocabulary().core, Vocabulary().core)


def test_a_broken_line_is_named(tmp_path: Path) -> None:
    path = tmp_path / "rules"
    path.write_text("a [X] ||| b [X] ||| 1\na [X] ||| b [X] ||| 1 ||| 0-9\n", encoding="utf-8")
    with pytest.raises(FormatError, match=r"rules:2: the link 0-9 lies outside of a rule with 1 and 1 symbols"):
        RuleTable.read_rules(path)
    path.write_text("a [X] ||| b [X] ||| 1\na [X] ||| b [X] ||| 1 2\n", encoding="utf-8")
    with pytest.raises(FormatError, match=r"rules:2: the rule has 2 scores, those before it 1"):
        RuleTable.read_rules(path)
    with pytest.raises(DataError, match=r"Rule 2: the rule has 0 scores"):
        RuleTable.of_rules([Rule(("a",), ("b",), ("X", "X"), (0.5,)), Rule(("a",), ("b",), ("X", "X"))])
    long = Rule(("a",) * 256, ("b",), ("X", "X"))
    with pytest.raises(DataError, match=r"256 symbols; a rule has at most 255"):
        RuleTable.of_rules([long])
    with pytest.raises(DataError, match=r"no format 'joshua'"):
        RuleTable.read_rules(path, format="joshua")


def test_names_and_counts_fit_the_table(file: Path) -> None:
    with pytest.raises(DataError, match="2 scores and 1 names"):
        RuleTable.read_rules(file, features=["p"])
    table = RuleTable.read_rules(file)
    with pytest.raises(DataError, match="1 counts for"):
        RuleTable(table.core, table.source, table.target, names=table.names, counts=np.zeros(1, dtype=np.int64))


def test_thrax_rules_are_packed(file: Path, tmp_path: Path) -> None:
    thrax = tmp_path / "rules.thrax"
    ThraxRules().write(MosesRules().read(file), thrax)
    table, other = (
        RuleTable.read_rules(thrax, format="thrax", named=["Rare"]),
        RuleTable.read_rules(file, named=["Rare"]),
    )
    for one, two in zip(table, other, strict=True):
        assert (one.source, one.target, one.labels, one.links, one.named) == (
            two.source,
            two.target,
            two.labels,
            two.links,
            two.named,
        )
        np.testing.assert_allclose(one.scores, two.scores, rtol=1e-6)


def test_scores_in_bins_are_near(tmp_path: Path) -> None:
    values = [math.exp(-i / 100) for i in range(1000)]
    given_rules = [Rule((f"w{i}",), ("x",), ("X", "X"), (value, 1.0)) for i, value in enumerate(values)]
    table, binned = (RuleTable.of_rules(given_rules, quantised=each) for each in (False, True))
    far = [abs(math.log(a.scores[0] / b.scores[0])) for a, b in zip(table, binned, strict=True)]
    assert max(far) < 0.03  # four hundredths a bin, whose mean stands for all
    assert all(each.scores[1] == 1 for each in binned)
    assert len(binned.core.serialised()) < len(table.core.serialised())
    assert RuleTable.load(binned.save(tmp_path / "binned")).recipe.quantised


def test_given_vocabularies_keep_their_numbers(file: Path) -> None:
    source, target = Vocabulary(["zebra", "der"]), Vocabulary(["the"])
    table = RuleTable.read_rules(file, vocabularies=(source, target))
    assert (table.source.id("zebra"), table.source.id("der"), table.source.id("bellt")) == (0, 1, 2)


def test_other_files_beside_a_table_are_refused(file: Path, tmp_path: Path) -> None:
    one = RuleTable.read_rules(file).save(tmp_path / "one")
    two = RuleTable.of_rules([Rule(("a",), ("b",), ("X", "X"), (1.0,))]).save(tmp_path / "two")
    (one / "source.vocabulary").write_bytes((two / "source.vocabulary").read_bytes())
    reseal(one)
    with pytest.raises(ModelError, match="does not fit the vocabularies, labels and features"):
        RuleTable.load(one)
    (two / "rules.bin").write_bytes(b"")
    reseal(two)
    with pytest.raises(ModelError, match="the file is empty"):
        RuleTable.load(two)
    (two / "rules.bin").write_bytes(b"something else")
    reseal(two)
    with pytest.raises(ModelError, match="smt grammar pack"):
        RuleTable.load(two)


def test_a_packed_table_is_inspected_like_its_text(file: Path, tmp_path: Path) -> None:
    packed = RuleTable.read_rules(file).save(tmp_path / "packed")
    one, two = inspect_rules(file), inspect_rules(packed)
    assert (one.n_rules, one.n_scores, one.kinds, one.labels) == (two.n_rules, two.n_scores, two.kinds, two.labels)  # type: ignore[union-attr]
    sources = ["der [X] bellt", "[X] von [NP]", "[X] [X]", "der"]
    mine, theirs = inspect_rules(packed, sources), inspect_rules(file, sources)
    assert mine.missing == theirs.missing == ("[X] [X]",)  # type: ignore[union-attr]
    assert [each.target for each in mine.rules] == [each.target for each in theirs.rules]  # type: ignore[union-attr]
