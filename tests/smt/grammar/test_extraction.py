"""Hierarchical extraction against the definition: all rules, their counts, scores and links."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from itertools import combinations, pairwise
from math import exp, log
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman._core.phrase import negative_log_p
from dragoman.errors import DataError
from dragoman.smt.grammar import GrammarExtraction, SpanLabels
from dragoman.smt.pairs import encode
from tests.examples import examples
from tests.smt.test_extraction import Lexicon, Sentence, aligned, consistent, sentence_pairs

Side = tuple[str, ...]
Gap = tuple[int, int, int, int]


@dataclass(frozen=True)
class Line:
    source: str
    target: str
    scores: tuple[float, ...]
    links: frozenset[tuple[int, int]]
    counts: tuple[float, ...]


def table(
    sentences: list[Sentence],
    path: Path,
    *,
    n_threads: int = 1,
    test: list[str] | None = None,
    labels: Any = (),
    **options: Any,
) -> list[Line]:
    text, source, target = aligned(sentences)
    recipe = GrammarExtraction.from_dict({"translations_per_source": 0, **options})
    ids = encode(source.freeze(), test) if test is not None else None
    recipe.extract(text, source, target, path, test=ids, n_threads=n_threads, **dict(labels))
    lines = []
    for line in path.read_text(encoding="utf-8").splitlines():
        s, t, scores, links, counts = line.split(" ||| ")
        pairs = frozenset((int(a), int(b)) for a, b in (link.split("-") for link in links.split()))
        lines.append(Line(s, t, tuple(map(float, scores.split())), pairs, tuple(map(float, counts.split()))))
    return lines


def tight(sentence: Sentence, spans: Gap) -> bool:
    a, b, c, d = spans
    linked = [{s for s, _ in sentence[2]}, {t for _, t in sentence[2]}]
    return {a, b - 1} <= linked[0] and {c, d - 1} <= linked[1]


def naive_rules(sentence: Sentence, options: dict[str, Any]) -> list[list[tuple[Gap, tuple[Gap, ...]]]]:
    """The rules of each initial phrase: the phrase, and its gaps in the order of the source."""
    links = sentence[2]
    phrases = consistent(sentence, options["longest"])
    wholes = [p for p in phrases if options["tight"] != "all" or tight(sentence, p)]
    gaps = [p for p in phrases if options["tight"] == "none" or tight(sentence, p)]
    gaps = [p for p in gaps if p[1] - p[0] >= options["shortest_gap"]]
    found = []
    for a, b, c, d in wholes:
        inside = sorted(g for g in gaps if a <= g[0] and g[1] <= b and c <= g[2] and g[3] <= d)
        rules = []
        for n in range(options["gaps"] + 1):
            for chosen in combinations(inside, n):
                apart = all(x[1] <= y[0] and (x[3] <= y[2] or y[3] <= x[2]) for x, y in combinations(chosen, 2))
                beside = any(x[1] == y[0] for x, y in pairwise(chosen))
                words = set(range(a, b)) - {i for g in chosen for i in range(g[0], g[1])}
                short = len(words) + n <= options["symbols"]
                if apart and short and (options["adjacent_gaps"] or not beside) and any(s in words for s, _ in links):
                    rules.append(((a, b, c, d), chosen))
        found.append(rules)
    return found


def spelt(
    sentence: Sentence, rule: tuple[Gap, tuple[Gap, ...]]
) -> tuple[str, str, tuple[int, ...], frozenset[tuple[int, int]]]:
    """Both sides as text, the order of the gaps in the target, and the links of words and gaps."""
    (a, b, c, d), gaps = rule
    sides, places = [], []
    for words, begin, end, at in ((sentence[0], a, b, 0), (sentence[1], c, d, 2)):
        symbols: list[str] = []
        where: dict[Any, int] = {}
        i = begin
        while i < end:
            gap = next((k for k, g in enumerate(gaps) if g[at] == i), None)
            where[i if gap is None else ("gap", gap)] = len(symbols)
            symbols.append(words[i] if gap is None else "[X][X]")
            i = i + 1 if gap is None else gaps[gap][at + 1]
        sides.append(" ".join((*symbols, "[X]")))
        places.append(where)
    links = {(places[0][s], places[1][t]) for s, t in sentence[2] if s in places[0] and a <= s < b}
    order = tuple(sorted(range(len(gaps)), key=lambda k: gaps[k][2]))
    joints = {(places[0]["gap", k], places[1]["gap", k]) for k in range(len(gaps))}
    return sides[0], sides[1], order, frozenset(links | joints)


RULES = st.fixed_dictionaries(
    {
        "longest": st.integers(1, 6),
        "symbols": st.integers(1, 6),
        "gaps": st.integers(0, 3),
        "shortest_gap": st.integers(1, 2),
        "adjacent_gaps": st.booleans(),
        "tight": st.sampled_from(["none", "gaps", "all"]),
        "counts": st.sampled_from(["fractional", "whole"]),
    }
)


@given(st.lists(sentence_pairs(), min_size=1, max_size=4), RULES)
def test_rules_counts_scores_and_links_are_those_of_the_definition(
    tmp_path_factory: pytest.TempPathFactory, sentences: list[Sentence], options: dict[str, Any]
) -> None:
    counts: dict[tuple[str, str, tuple[int, ...]], Counter[frozenset[tuple[int, int]]]] = defaultdict(Counter)
    for sentence in sentences:
        for rules in naive_rules(sentence, options):
            for rule in rules:
                *key, links = spelt(sentence, rule)
                counts[tuple(key)][links] += 1 if options["counts"] == "whole" else 1 / len(rules)  # type: ignore[index]
    lines = table(sentences, tmp_path_factory.getbasetemp() / "rules.txt", **options)
    assert [each.source for each in lines] == sorted(each.source for each in lines)
    found = {}
    for each in lines:
        gaps = [(s, t) for s, t in each.links if each.source.split()[s] == "[X][X]"]
        rank = {s: k for k, (s, _) in enumerate(sorted(gaps))}
        found[each.source, each.target, tuple(rank[s] for s, _ in sorted(gaps, key=lambda link: link[1]))] = each
    assert len(found) == len(lines)
    assert set(found) == set(counts)
    sources, targets = Counter[str](), Counter[str]()
    for (source, target, _), links in counts.items():
        sources[source] += sum(links.values())  # type: ignore[assignment]
        targets[target] += sum(links.values())  # type: ignore[assignment]
    lexicon = Lexicon(sentences)
    for (source, target, order), links in counts.items():
        line = found[source, target, order]
        total = sum(links.values())
        assert links[line.links] == pytest.approx(max(links.values()), rel=1e-5)
        assert line.counts == pytest.approx((targets[target], sources[source], total), rel=1e-5)
        expected = (
            total / targets[target],
            exp(lexical_weight(lexicon, line, of="source")),
            total / sources[source],
            exp(lexical_weight(lexicon, line, of="target")),
        )
        assert line.scores == pytest.approx(expected, rel=1e-4)


def lexical_weight(lexicon: Lexicon, line: Line, *, of: str) -> float:
    """The weight of a rule's words alone."""
    sides = line.source.split()[:-1], line.target.split()[:-1]
    places = [{p: i for i, p in enumerate(p for p, w in enumerate(side) if w != "[X][X]")} for side in sides]
    words = [" ".join(w for w in side if w != "[X][X]") for side in sides]
    links = [(places[0][s], places[1][t]) for s, t in line.links if s in places[0]]
    return lexicon.weight(words[0], words[1], links, of=of)


@examples(15)
@given(st.lists(sentence_pairs(), min_size=1, max_size=4), st.sampled_from(["none", "good-turing", "kneser-ney"]))
def test_neither_threads_nor_runs_on_disk_change_the_table(
    tmp_path_factory: pytest.TempPathFactory, sentences: list[Sentence], smoothing: str
) -> None:
    path = tmp_path_factory.getbasetemp() / "threads.txt"
    tables = []
    for n_threads, unit in ((1, 1 << 20), (2, 1 << 20), (7, 1)):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("dragoman.smt.grammar.extraction._MEGABYTE", unit)
            table(sentences, path, n_threads=n_threads, smoothing=smoothing, memory=200)
        tables.append(path.read_bytes())
    assert tables[0] == tables[1] == tables[2]


PAIR: Sentence = (["der", "hund", "bellt"], ["the", "dog", "barks"], frozenset({(0, 0), (1, 1), (2, 2)}))


def test_labels_name_rules_and_gaps_and_refuse_others(tmp_path: Path) -> None:
    labels = SpanLabels.of([[(0, 2, "NP"), (2, 3, "VP"), (0, 3, "S")]], other_rules=False, other_gaps=False)
    lines = table([PAIR], tmp_path / "rules.txt", labels={"target_labels": labels})
    assert {(each.source, each.target) for each in lines} == {
        ("der hund [X]", "the dog [NP]"),
        ("bellt [X]", "barks [VP]"),
        ("der hund bellt [X]", "the dog barks [S]"),
        ("[X][NP] bellt [X]", "[X][NP] barks [S]"),
        ("der hund [X][VP] [X]", "the dog [X][VP] [S]"),
    }


def test_labels_of_the_source_stand_first(tmp_path: Path) -> None:
    labels = SpanLabels.of([[(0, 2, "NP")]])
    lines = table([PAIR], tmp_path / "rules.txt", labels={"source_labels": labels})
    pairs = {(each.source, each.target) for each in lines}
    assert ("[NP][X] bellt [X]", "[NP][X] barks [X]") in pairs
    assert ("der hund [NP]", "the dog [X]") in pairs
    assert ("der [X][X] [NP]", "the [X][X] [X]") in pairs


def test_an_anchor_must_stay_a_word_beside_its_gap(tmp_path: Path) -> None:
    # "der" hangs on "hund", "der hund" on "bellt" (Graham, WMT 2013): the head of a gap stays in the rule.
    labels = SpanLabels.of([[(0, 1, "X", 1), (0, 2, "X", 2)]], other_gaps=False)
    lines = table([PAIR], tmp_path / "rules.txt", labels={"source_labels": labels})
    assert {each.source for each in lines if "[X][X]" in each.source} == {
        "[X][X] hund [X]",
        "[X][X] hund bellt [X]",
        "[X][X] bellt [X]",
    }


def test_only_rules_that_match_the_test_text_are_written_and_keep_their_scores(tmp_path: Path) -> None:
    sentences = [PAIR, (["der", "mann"], ["the", "man"], frozenset({(0, 0), (1, 1)}))]
    everything = table(sentences, tmp_path / "all.txt")
    some = table(sentences, tmp_path / "some.txt", test=["der mann bellt", "hund"])
    sources = {each.source for each in everything}
    expected = {
        each
        for each in sources
        if "der hund" not in each and "hund bellt" not in each and each not in {"hund [X][X] [X]", "[X][X] hund [X]"}
        if each not in {"[X][X] hund [X][X] [X]", "der [X][X] hund [X]"}
    }
    assert {each.source for each in some} == expected
    assert some == [each for each in everything if each.source in expected]


def test_words_that_look_like_symbols_are_escaped(tmp_path: Path) -> None:
    odd: Sentence = (["[X]", "|||", "&#91;", "["], ["a", "b", "c", "d"], frozenset({(i, i) for i in range(4)}))
    lines = table([odd], tmp_path / "rules.txt", gaps=0)
    assert "&#91;X] &#124;|| &#38;#91; [ [X]" in {each.source for each in lines}


def test_source_sides_longer_than_a_key_are_in_the_order_of_bytes_too(tmp_path: Path) -> None:
    words = [f"w{i}" for i in range(30)]
    sentences: list[Sentence] = [
        ([*words, tail], [*words, tail], frozenset({(i, i) for i in range(31)})) for tail in ("é", "z", "a", "B")
    ]
    lines = table(sentences, tmp_path / "rules.txt", gaps=1, longest=40, symbols=40)
    sources = [each.source.encode() for each in lines]
    assert sources == sorted(sources)
    assert len(set(sources)) == len(sources)


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        ({"source_labels": SpanLabels.of([[(0, 4, "NP")]])}, r"Sentence 1: the labelled span \[0, 4\) .* 3 words"),
        ({"source_labels": SpanLabels.of([[(0, 1, "NP", 3)]])}, r"with anchor 3 does not fit its 3 words"),
        ({"target_labels": SpanLabels.of([[(0, 1, "A"), (0, 1, "B")]])}, r"\[0, 1\) is listed twice"),
        ({"target_labels": SpanLabels.of([])}, r"The offsets of the target labels .* \(1\)"),
        ({"target_labels": SpanLabels.of([[(0, 1, "N P")]])}, r"'N P' is no label"),
        (
            {"source_labels": SpanLabels(("X",), np.array([[0, 1, 1, -1]], np.int32), np.array([0, 1]))},
            "label 1 has no name",
        ),
    ],
)
def test_labels_that_do_not_fit_are_named(tmp_path: Path, labels: dict[str, SpanLabels], message: str) -> None:
    with pytest.raises(DataError, match=message):
        table([PAIR], tmp_path / "rules.txt", labels=labels)


def test_shallow_rules_have_gaps_of_phrases_alone(tmp_path: Path) -> None:
    # RWTH (WMT 2012): X_P for phrases, X_H for rules with gaps, whose gaps are X_P; here X0 and X1.
    deep = table([PAIR], tmp_path / "deep.txt", adjacent_gaps=True)
    shallow = table([PAIR], tmp_path / "shallow.txt", adjacent_gaps=True, shallow=1)
    rewritten = {
        (
            each.source.replace("[X][X]", "[X0][X0]").replace(" [X]", " [X1]" if "[X][X]" in each.source else " [X0]"),
            each.target.replace("[X][X]", "[X0][X0]").replace(" [X]", " [X1]" if "[X][X]" in each.source else " [X0]"),
            each.scores,
        )
        for each in deep
    }
    assert {(each.source, each.target, each.scores) for each in shallow} == rewritten


def test_deeper_shallow_rules_stand_one_above_the_deepest_of_their_gaps(tmp_path: Path) -> None:
    lines = table([PAIR], tmp_path / "rules.txt", shallow=2)
    assert {each.source for each in lines if "hund" in each.source.split() and each.source.count("][") == 2} == {
        "[X0][X0] hund [X0][X0] [X1]",
        "[X0][X0] hund [X1][X1] [X2]",
        "[X1][X1] hund [X0][X0] [X2]",
        "[X1][X1] hund [X1][X1] [X2]",
    }


def test_shallow_rules_have_no_other_labels(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="Shallow rules are called by their depths"):
        table([PAIR], tmp_path / "rules.txt", shallow=1, labels={"source_labels": SpanLabels.of([[]])})


def test_further_scores_stand_behind_the_four(tmp_path: Path) -> None:
    swap: Sentence = (["a", "b", "c"], ["z", "y", "x"], frozenset({(0, 2), (1, 1), (2, 0)}))
    lines = table(
        [swap, swap],
        tmp_path / "rules.txt",
        features=["penalty", "rarity", "once", "twice", "hierarchical", "boundary", "swap"],
    )
    by_source = {each.source: each.scores[4:] for each in lines}
    e, rare = exp(1), exp(-1 / 2)
    assert by_source["a b [X]"] == pytest.approx((e, rare, 1, e, 1, 1, 1))
    assert by_source["[X][X] b [X]"] == pytest.approx((e, rare, 1, e, e, e, 1))
    assert by_source["[X][X] b [X][X] [X]"] == pytest.approx((e, rare, 1, e, e, e, e))
    assert by_source["a [X][X] c [X]"] == pytest.approx((e, rare, 1, e, e, 1, 1))


def test_pairs_count_by_their_weights(tmp_path: Path) -> None:
    text, source, target = aligned([PAIR, (["der"], ["a"], frozenset({(0, 0)}))])
    weighted = replace(text, weights=np.array([3, 1], dtype=np.float32))
    GrammarExtraction().extract(weighted, source, target, tmp_path / "rules.txt")
    lines = (tmp_path / "rules.txt").read_text(encoding="utf-8").splitlines()
    [line] = [line for line in lines if line.startswith("der [X] ||| the [X]")]
    assert line.endswith("||| 3 4 3")
    assert line.split(" ||| ")[2].split()[2] == "0.75"


@pytest.mark.parametrize("significance", ["keep-once", "drop-once"])
def test_rules_whose_sides_meet_by_chance_are_left_out(tmp_path: Path, significance: str) -> None:
    pairs = [("a", "x"), ("a", "x"), ("a", "y"), ("b", "y"), ("b", "y"), ("c", "z")]
    sentences: list[Sentence] = [([s], [t], frozenset({(0, 0)})) for s, t in pairs]
    lines = table(sentences, tmp_path / "rules.txt", significance=significance)
    # −log p of c and z, met once each and together among six instances, is log 6, the limit.
    once = negative_log_p(1, 1, 1, 6)
    assert once == pytest.approx(log(6))
    counts = Counter(pairs)
    expected = {
        (s, t)
        for (s, t), n in counts.items()
        if negative_log_p(n, sum(s == p[0] for p in pairs), sum(t == p[1] for p in pairs), 6)
        > once + (0.001 if significance == "drop-once" else -0.001)
    }
    assert {(each.source.split()[0], each.target.split()[0]) for each in lines} == expected
    assert (("c", "z") in expected) == (significance == "keep-once")
    assert ("a", "y") not in expected


def test_of_many_translations_the_most_probable_stay_and_rare_rules_with_gaps_go(tmp_path: Path) -> None:
    other: Sentence = (["der"], ["a"], frozenset({(0, 0)}))
    lines = table([PAIR, PAIR, other], tmp_path / "rules.txt", translations_per_source=1)
    assert [each.target for each in lines if each.source == "der [X]"] == ["the [X]"]
    assert [each for each in table([PAIR], tmp_path / "rules.txt", least_count=3) if "][" in each.source] == []


def test_labels_and_words_are_not_taken_for_each_other(tmp_path: Path) -> None:
    """Every word with every label: each of these target sides was met once."""
    words = [f"w{i}" for i in range(20)]
    sentences: list[Sentence] = [(["a"], [word], frozenset({(0, 0)})) for word in words for _ in range(20)]
    labels = SpanLabels.of([[(0, 1, f"L{i % 20}")] for i in range(len(sentences))])
    lines = table(sentences, tmp_path / "rules.txt", labels={"target_labels": labels})
    assert len(lines) == 400
    assert {each.counts for each in lines} == {(1, 400, 1)}
