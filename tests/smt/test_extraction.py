"""Phrase extraction against the definition: all consistent pairs, their counts, scores and orientations."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from math import comb, exp, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman import _core
from dragoman.errors import DataError
from dragoman.smt import AlignedText, PhraseExtraction, PhraseTable
from dragoman.smt.phrase_table import UNKNOWN
from dragoman.text.tokens import TokenIds
from dragoman.text.vocabulary import Vocabulary

Links = frozenset[tuple[int, int]]
Sentence = tuple[list[str], list[str], Links]
Spans = tuple[int, int, int, int]  # source begin and end, target begin and end


def consistent(sentence: Sentence, longest: int) -> list[Spans]:
    """Every pair of spans with a link inside and none that leaves it on one side only."""
    source, target, links = sentence
    found = []
    for a in range(len(source)):
        for b in range(a + 1, min(len(source), a + longest) + 1):
            for c in range(len(target)):
                for d in range(c + 1, min(len(target), c + longest) + 1):
                    inside = [(a <= s < b, c <= t < d) for s, t in links]
                    if (True, True) in inside and all(x == y for x, y in inside):
                        found.append((a, b, c, d))
    return found


def word_orientations(sentence: Sentence, spans: Spans) -> tuple[str, str]:
    """Told by the words diagonally before and behind; the sentence's ends count as words of their own."""
    source, target, links = sentence
    a, b, c, d = spans
    linked = links | {(-1, -1), (len(source), len(target))}
    before = "m" if (a - 1, c - 1) in linked else "s" if (b, c - 1) in linked else "d"
    behind = "m" if (b, d) in linked else "s" if (a - 1, d) in linked else "d"
    return before, behind


def hierarchical_orientations(sentence: Sentence, spans: Spans) -> tuple[str, str]:
    """Told by any phrase pair, of whatever length, that ends or begins at the corner."""
    source, target, _ = sentence
    a, b, c, d = spans
    blocks = consistent(sentence, len(source) + len(target))
    before = (
        "m"
        if any((q, s) == (a, c) for _, q, _, s in blocks) or (a, c) == (0, 0)
        else "s"
        if any((p, s) == (b, c) for p, _, _, s in blocks)
        else "d"
    )
    behind = (
        "m"
        if any((p, r) == (b, d) for p, _, r, _ in blocks) or (b, d) == (len(source), len(target))
        else "s"
        if any((q, r) == (a, d) for _, q, r, _ in blocks)
        else "d"
    )
    return before, behind


def aligned(sentences: list[Sentence]) -> tuple[AlignedText, Vocabulary, Vocabulary]:
    vocabularies = Vocabulary(unk=UNKNOWN), Vocabulary(unk=UNKNOWN)
    none = _core.text.surface_tokeniser("none")
    sides = [
        TokenIds(*vocabulary.core.encode([" ".join(s[side]) for s in sentences], none))
        for side, vocabulary in enumerate(vocabularies)
    ]
    links = [sorted(s[2], key=hash) for s in sentences]  # in no particular order
    flat = np.array([link for each in links for link in each], dtype=np.uint16).reshape(-1, 2)
    offsets = np.cumsum([0, *map(len, links)], dtype=np.int64)
    return AlignedText(sides[0], sides[1], flat, offsets), *vocabularies


def extract(sentences: list[Sentence], *, n_threads: int = 1, **options: object) -> PhraseTable:
    recipe = PhraseExtraction.from_dict({"translations_per_phrase": 0, "smoothing": "none", **options})
    return recipe.extract(*aligned(sentences), n_threads=n_threads)


words = st.integers(1, 6).flatmap(lambda n: st.lists(st.sampled_from("abc"), min_size=n, max_size=n))


@st.composite
def sentence_pairs(draw: st.DrawFn) -> Sentence:
    source, target = draw(words), draw(words)
    points = st.tuples(st.integers(0, len(source) - 1), st.integers(0, len(target) - 1))
    return source, target, frozenset(draw(st.lists(points, max_size=7)))


corpora = st.lists(sentence_pairs(), min_size=1, max_size=5)


@given(corpora, st.integers(1, 4), st.sampled_from(["word", "hierarchical"]))
def test_pairs_counts_scores_and_orientations_are_those_of_the_definition(
    sentences: list[Sentence], longest: int, orientation: str
) -> None:
    instances: dict[tuple[str, str], list[tuple[Links, str, str]]] = defaultdict(list)
    tell = word_orientations if orientation == "word" else hierarchical_orientations
    for sentence in sentences:
        source, target, links = sentence
        for a, b, c, d in consistent(sentence, longest):
            inner = frozenset((s - a, t - c) for s, t in links if a <= s < b)
            key = " ".join(source[a:b]), " ".join(target[c:d])
            instances[key].append((inner, *tell(sentence, (a, b, c, d))))
    n = sum(map(len, instances.values()))
    sources, targets = Counter[str](), Counter[str]()
    overall = Counter[tuple[int, str]]()
    for (source_phrase, target_phrase), found in instances.items():
        sources[source_phrase] += len(found)
        targets[target_phrase] += len(found)
        overall.update((side, each[1 + side]) for each in found for side in (0, 1))
    lexicon = Lexicon(sentences)

    table = extract(sentences, longest=longest, orientation=orientation)
    assert len(table) == len(instances)
    for (source_phrase, target_phrase), found in instances.items():
        [pair] = [each for each in table.translations(source_phrase) if each.target == target_phrase]
        met = Counter(links for links, _, _ in found)
        assert met[frozenset(pair.links)] == max(met.values())
        joint = len(found)
        assert pair.scores[-3:] == (joint, sources[source_phrase], targets[target_phrase])
        expected = [
            log(joint / targets[target_phrase]),
            lexicon.weight(source_phrase, target_phrase, pair.links, of="source"),
            log(joint / sources[source_phrase]),
            lexicon.weight(source_phrase, target_phrase, pair.links, of="target"),
        ]
        for side in (0, 1):
            seen = Counter(each[1 + side] for each in found)
            expected += [
                log(max((seen[o] + 0.5 * overall[side, o] / n) / (joint + 0.5), 1e-9)) for o in ("m", "s", "d")
            ]
        np.testing.assert_allclose(pair.scores[:10], expected, rtol=1e-5, atol=1e-5)


class Lexicon:
    """Word translation probabilities by counting links; a word without any is linked to None."""

    def __init__(self, sentences: list[Sentence]) -> None:
        self.joint: Counter[tuple[str | None, str | None]] = Counter()
        for source, target, links in sentences:
            self.joint.update((source[s], target[t]) for s, t in links)
            self.joint.update((w, None) for i, w in enumerate(source) if all(s != i for s, _ in links))
            self.joint.update((None, w) for i, w in enumerate(target) if all(t != i for _, t in links))

    def p(self, pair: tuple[str | None, str | None], *, of: str) -> float:
        given = 1 if of == "source" else 0
        total = sum(n for each, n in self.joint.items() if each[given] == pair[given])
        return self.joint[pair] / total if self.joint[pair] else 1e-7

    def weight(self, source: str, target: str, links: Iterable[tuple[int, int]], *, of: str) -> float:
        sides = source.split(), target.split()
        product = 0.0
        for i, word in enumerate(sides[0] if of == "source" else sides[1]):
            if of == "source":
                pairs: list[tuple[str | None, str | None]] = [(word, sides[1][t]) for s, t in links if s == i]
                pairs = pairs or [(word, None)]
            else:
                pairs = [(sides[0][s], word) for s, t in links if t == i] or [(None, word)]
            product += log(sum(self.p(pair, of=of) for pair in pairs) / len(pairs))
        return product


@given(corpora, st.sampled_from(["none", "good-turing", "kneser-ney"]))
def test_threads_do_not_change_the_table(sentences: list[Sentence], smoothing: str) -> None:
    tables = [extract(sentences, n_threads=n, smoothing=smoothing).core.serialised() for n in (1, 2, 7)]
    assert tables[0] == tables[1] == tables[2]


# Once: three pairs of "a"; the corpus has 3 pairs met once, 1 met twice and 1 met five times.
COUNTS = [("a", "x", 5), ("a", "y", 2), ("a", "z", 1), ("b", "x", 1), ("b", "w", 1)]


def counted() -> list[Sentence]:
    return [([s], [t], frozenset({(0, 0)})) for s, t, n in COUNTS for _ in range(n)]


def p_target_given_source(table: PhraseTable) -> dict[tuple[str, str], float]:
    return {(s, pair.target): exp(pair.scores[2]) for s in ("a", "b") for pair in table.translations(s)}


def test_kneser_ney_takes_discounts_and_shares_them_out_by_number_of_pairs() -> None:
    # n1 = 3, n2 = 1, n3 = n4 = 0: Y = 3/5; D1 = 1 - 2·Y·n2/n1 = 0.6; D2, D3 by default 1 and 1.5.
    found = p_target_given_source(extract(counted(), smoothing="kneser-ney"))
    left_of_a, left_of_b = 1.5 + 1 + 0.6, 1.2
    n_pairs = {"x": 2, "y": 1, "z": 1, "w": 1}
    expected = {
        ("a", "x"): (5 - 1.5) / 8 + left_of_a / 8 * n_pairs["x"] / 5,
        ("a", "y"): (2 - 1) / 8 + left_of_a / 8 * n_pairs["y"] / 5,
        ("a", "z"): (1 - 0.6) / 8 + left_of_a / 8 * n_pairs["z"] / 5,
        ("b", "x"): (1 - 0.6) / 2 + left_of_b / 2 * n_pairs["x"] / 5,
        ("b", "w"): (1 - 0.6) / 2 + left_of_b / 2 * n_pairs["w"] / 5,
    }
    assert found == pytest.approx(expected, rel=1e-5)
    # Summed over all targets, met with the source or not, they are a distribution.
    unmet = left_of_a / 8 * n_pairs["w"] / 5
    assert sum(p for (s, _), p in found.items() if s == "a") + unmet == pytest.approx(1, rel=1e-5)


def test_good_turing_discounts_along_a_line_through_the_counts_of_counts() -> None:
    # n(1) = 3, n(2) = 1, n(5) = 1, shared out over the gaps: 3/1, 1/2, 1/3.
    x, y = np.log([1, 2, 5]), np.log([3 / 1, 1 / 2, 1 / 3])
    slope = min(np.polyfit(x, y, 1)[0], -1.0)
    count = {c: (c + 1) * ((c + 1) / c) ** slope for c in (1, 2, 5)}
    found = p_target_given_source(extract(counted(), smoothing="good-turing"))
    total = count[5] + count[2] + count[1] + 3 * 8 / 10
    assert found["a", "x"] == pytest.approx(count[5] / total, rel=1e-5)
    assert found["a", "z"] == pytest.approx(count[1] / total, rel=1e-5)
    assert found["b", "w"] == pytest.approx(count[1] / (2 * count[1] + 3 * 2 / 10), rel=1e-5)


def test_of_many_translations_the_most_probable_stay() -> None:
    table = extract(counted(), translations_per_phrase=2)
    assert [pair.target for pair in table.translations("a")] == ["x", "y"]


@pytest.mark.parametrize("point", [(2, 0), (0, 1), (65535, 0)])
def test_a_point_outside_its_sentence_is_named(point: tuple[int, int]) -> None:
    good: Sentence = (["a"], ["x"], frozenset({(0, 0)}))
    bad: Sentence = (["a", "b"], ["x"], frozenset({point}))
    with pytest.raises(DataError, match=rf"Sentence pair 2 has 2 and 1 words, .* the point {point[0]}-{point[1]}"):
        extract([good, bad])


def test_an_empty_bitext_gives_an_empty_table_and_unlinked_sentences_nothing() -> None:
    assert len(extract([])) == 0
    assert len(extract([(["a"], ["x"], frozenset())])) == 0
    assert extract([]).translations("a") == []


def test_sentences_too_long_for_orientations_are_refused() -> None:
    with pytest.raises(DataError, match=r"Sentence pair 1 has 4001 and 1 words; .* at most 4000"):
        extract([(["a"] * 4001, ["x"], frozenset())])


def test_sides_of_different_length_are_named() -> None:
    text, source, target = aligned([(["a"], ["x"], frozenset({(0, 0)}))])
    short = AlignedText(
        text.source, TokenIds(text.target.ids[:0], text.target.offsets[:1]), text.links, text.link_offsets
    )
    with pytest.raises(DataError, match="source=1, target=0"):
        PhraseExtraction().extract(short, source, target)


def test_an_unknown_option_and_a_wrong_value_are_refused() -> None:
    with pytest.raises(DataError, match="'smoothing' option of PhraseExtraction must be one of"):
        PhraseExtraction(smoothing="laplace").extract(*aligned([]))
    with pytest.raises(DataError, match="PhraseExtraction has no option length"):
        PhraseExtraction.from_dict({"length": 3})


def p_by_chance(n_both: int, n_source: int, n_target: int, n: int) -> float:
    """One-sided, by adding up all tables."""
    ways = sum(comb(n_source, k) * comb(n - n_source, n_target - k) for k in range(n_both, min(n_source, n_target) + 1))
    return ways / comb(n, n_target)


@given(st.integers(1, 60), st.data())
def test_significance_is_fishers(n: int, data: st.DataObject) -> None:
    n_source, n_target = data.draw(st.integers(1, n)), data.draw(st.integers(1, n))
    n_both = data.draw(st.integers(max(0, n_source + n_target - n), min(n_source, n_target)))
    found = _core.phrase.negative_log_p(n_both, n_source, n_target, n)
    assert found == pytest.approx(-log(p_by_chance(n_both, n_source, n_target, n)), rel=1e-9, abs=1e-9)


def test_two_phrases_met_once_and_together_have_one_chance_in_n() -> None:
    assert _core.phrase.negative_log_p(1, 1, 1, 1_000_000) == pytest.approx(log(1_000_000), abs=1e-6)


@given(corpora, st.sampled_from(["a-e", "a+e"]))
def test_pruning_leaves_what_is_significant(sentences: list[Sentence], limit: str) -> None:
    def occurs(phrase: str, side: int) -> set[int]:
        size = len(phrase.split())
        return {
            i
            for i, sentence in enumerate(sentences)
            if any(sentence[side][k : k + size] == phrase.split() for k in range(len(sentence[side])))
        }

    n = len(sentences)
    whole = extract(sentences)
    tables = [extract(sentences, significance=limit, n_threads=k) for k in (1, 2, 7)]
    assert len({table.core.serialised() for table in tables}) == 1
    kept = 0
    for phrase in {" ".join(s[a:b]) for s, *_ in sentences for a in range(len(s)) for b in range(a + 1, len(s) + 1)}:
        expected = []
        for pair in whole.translations(phrase):
            a, b = occurs(phrase, 0), occurs(pair.target, 1)
            value = -log(p_by_chance(len(a & b), len(a), len(b), n))
            if value > log(n) + (0.001 if limit == "a+e" else -0.001):
                expected.append(pair)
        assert tables[0].translations(phrase) == expected
        kept += len(expected)
    assert len(tables[0]) == kept


def orientations_of_blocks(blocks: list[tuple[int, int]], orientation: str) -> str:
    """The orientation towards what is before of each block, given as source spans in the order of the target."""
    sources = [place for begin, end in blocks for place in range(begin, end)]
    sentence: Sentence = (
        [f"s{i}" for i in range(len(sources))],
        [f"t{i}" for i in sources],
        frozenset((source, target) for target, source in enumerate(sources)),
    )
    table = extract([sentence], orientation=orientation, orientation_smoothing=0)
    found = ""
    for begin, end in blocks:
        [pair] = table.translations(" ".join(f"s{i}" for i in range(begin, end)))
        found += "msd"[int(np.argmax(pair.scores[4:7]))]
    return found


# Cherry, Moore & Quirk, WMT 2012: the blocks of Figure 1, and those of Figure 7, whose last is monotone only to a block
# that no two adjacent ones make.
FIGURE_1 = [(0, 2), (2, 4), (5, 6), (4, 5), (6, 7)]
FIGURE_7 = [(4, 6), (0, 1), (6, 7), (1, 2), (3, 4), (2, 3), (7, 9)]


def test_orientations_of_cherry_moore_and_quirk_figure_1() -> None:
    assert orientations_of_blocks(FIGURE_1, "word") == "mmdsd"
    assert orientations_of_blocks(FIGURE_1, "hierarchical") == "mmdsm"


def test_orientation_of_cherry_moore_and_quirk_figure_7() -> None:
    assert orientations_of_blocks(FIGURE_7, "hierarchical")[-1] == "m"
    assert orientations_of_blocks(FIGURE_7, "word")[-1] == "d"
