"""Several phrase tables as one, against the definition of each mode."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.data.bitext import Bitext
from dragoman.data.testset import TestSet
from dragoman.errors import DataError
from dragoman.smt import Engine, EngineRecipe, PhraseExtraction, PhraseTable, TableCombination, interpolation_weights
from dragoman.smt.corpora import Corpora
from dragoman.smt.inspection import inspect_engine
from dragoman.smt.training import train_engine
from dragoman.smt.training_plan import plan_training
from dragoman.smt.tuning import Tuning
from tests.examples import examples
from tests.smt.test_extraction import Links, Sentence, aligned

WORDS = "abcd"
ALL = PhraseExtraction(smoothing="none", translations_per_phrase=0)
UNTUNED = EngineRecipe(source_lang="en", target_lang="de", tune=Tuning(method="none"))


@st.composite
def sentences(draw: st.DrawFn) -> Sentence:
    source = draw(st.lists(st.sampled_from(WORDS), min_size=1, max_size=4))
    target = draw(st.lists(st.sampled_from(WORDS.upper()), min_size=1, max_size=4))
    place = st.tuples(st.integers(0, len(source) - 1), st.integers(0, len(target) - 1))
    links: Links = draw(st.frozensets(place, min_size=1, max_size=5))
    return source, target, links


texts = st.lists(sentences(), min_size=1, max_size=4)
two_texts = st.tuples(texts, texts)


def table_of(text: list[Sentence]) -> PhraseTable:
    return ALL.extract(*aligned(text))


def pairs_of(table: PhraseTable) -> dict[tuple[str, str], list[tuple[float, ...]]]:
    """All scores of each pair, as often as it stands in the table."""
    phrases: set[str] = {""}
    for _ in range(4):
        phrases |= {f"{phrase} {word}".strip() for phrase in phrases for word in WORDS}
    found: dict[tuple[str, str], list[tuple[float, ...]]] = {}
    for phrase in sorted(phrases - {""}):
        for pair in table.translations(phrase):
            found.setdefault((pair.source, pair.target), []).append(pair.scores)
    return found


def close(a: Sequence[float], b: Sequence[float]) -> bool:
    return bool(np.allclose(a, b, rtol=1e-5, atol=1e-5))


@given(two_texts)
def test_both_has_the_pairs_of_all_with_the_features_of_all(two: tuple[list[Sentence], list[Sentence]]) -> None:
    tables = [table_of(text) for text in two]
    first, second = map(pairs_of, tables)
    combined = TableCombination(mode="both").combine(tables)
    found = pairs_of(combined)
    assert set(found) == set(first) & set(second)
    for pair, (scores,) in found.items():
        assert scores[:8] == (*first[pair][0][:4], *second[pair][0][:4])
        assert scores[8:14] == first[pair][0][4:10]
    assert combined.features == tuple(f"table{t}.{i}" for t in (1, 2) for i in range(1, 5))


@given(two_texts)
def test_either_has_a_pair_once_for_each_table_with_neutral_features_for_the_other(
    two: tuple[list[Sentence], list[Sentence]],
) -> None:
    tables = [table_of(text) for text in two]
    parts = [pairs_of(table) for table in tables]
    found = pairs_of(TableCombination(mode="either", provenance=True).combine(tables))
    assert set(found) == set(parts[0]) | set(parts[1])
    half = log(0.5)
    for pair, lines in found.items():
        shared = 0.0 if pair in parts[0] and pair in parts[1] else half
        expected = []
        if pair in parts[0]:
            own = parts[0][pair][0]
            expected.append((*own[:4], 0, 0, 0, 0, 0.0, half, shared, *own[4:10]))
        if pair in parts[1]:
            own = parts[1][pair][0]
            expected.append((0, 0, 0, 0, *own[:4], half, 0.0, shared, *own[4:10]))
        assert len(lines) == len(expected)
        assert all(any(close(line[:17], wanted) for wanted in expected) for line in lines)


@given(two_texts)
def test_back_off_asks_the_second_table_for_what_the_first_lacks(two: tuple[list[Sentence], list[Sentence]]) -> None:
    tables = [table_of(text) for text in two]
    first, second = map(pairs_of, tables)
    known = {source for source, _ in first}
    found = pairs_of(TableCombination(mode="back-off").combine(tables))
    assert set(found) == set(first) | {pair for pair in second if pair[0] not in known}
    short = pairs_of(TableCombination(mode="back-off", backoff_longest=1).combine(tables))
    assert set(short) == set(first) | {pair for pair in second if pair[0] not in known and " " not in pair[0]}


@given(two_texts)
def test_fill_up_takes_a_pair_from_the_first_table_that_has_it(two: tuple[list[Sentence], list[Sentence]]) -> None:
    tables = [table_of(text) for text in two]
    first, second = map(pairs_of, tables)
    combined = TableCombination().combine(tables)
    found = pairs_of(combined)
    assert set(found) == set(first) | set(second)
    for pair, (scores,) in found.items():
        own = first.get(pair, second.get(pair, []))[0]
        assert scores[:11] == (*own[:4], 0.0 if pair in first else -1.0, *own[4:10])
        counts = [each[pair][0][-3] for each in (first, second) if pair in each]
        assert scores[-3] == sum(counts)
    assert combined.features == ("table.1", "table.2", "table.3", "table.4", "fill-up.2")


@given(two_texts, st.floats(0.05, 0.95))
def test_interpolation_adds_up_probabilities(two: tuple[list[Sentence], list[Sentence]], weight: float) -> None:
    tables = [table_of(text) for text in two]
    first, second = map(pairs_of, tables)
    found = pairs_of(TableCombination(mode="interpolated", weights=(weight, 1 - weight)).combine(tables))
    assert set(found) == set(first) | set(second)
    for pair, (scores,) in found.items():
        for f in (0, 2):
            p = [exp(each[pair][0][f]) if pair in each else 0.0 for each in (first, second)]
            assert exp(scores[f]) == pytest.approx(weight * p[0] + (1 - weight) * p[1], rel=1e-4)
    # What p(t|s) gives to all translations of a phrase that both tables have is still one.
    for source in {s for s, _ in first} & {s for s, _ in second}:
        assert sum(exp(lines[0][2]) for (s, _), lines in found.items() if s == source) == pytest.approx(1, rel=1e-4)


@given(two_texts, texts)
@examples(20)
def test_em_finds_weights_that_no_other_beats(two: tuple[list[Sentence], list[Sentence]], dev: list[Sentence]) -> None:
    tables, held_out = [table_of(text) for text in two], table_of(dev)
    weights = interpolation_weights(tables, held_out)
    assert weights.shape == (4, 2)
    np.testing.assert_allclose(weights.sum(axis=1), 1)
    parts, pairs = [pairs_of(table) for table in tables], pairs_of(held_out)

    def likelihood(feature: int, first: float) -> float:
        total = 0.0
        for pair, (scores,) in pairs.items():
            p = [exp(each[pair][0][feature]) if pair in each else 0.0 for each in parts]
            if any(p):
                total += scores[-3] * log(max(1e-300, first * p[0] + (1 - first) * p[1]))
        return total

    for feature in range(4):
        best = likelihood(feature, float(weights[feature, 0]))
        assert all(likelihood(feature, w) <= best + 1e-3 for w in np.linspace(0.001, 0.999, 25))


def test_a_combined_table_is_saved_and_inspected(tmp_path: Path) -> None:
    tables = [table_of([(["a"], ["A"], frozenset({(0, 0)}))]), table_of([(["b"], ["B"], frozenset({(0, 0)}))])]
    made = TableCombination(mode="either").combine(tables)
    made.save(tmp_path / "t")
    loaded = PhraseTable.load(tmp_path / "t")
    assert (loaded.features, loaded.orientation, loaded.recipe) == (made.features, "word", made.recipe)
    assert pairs_of(loaded) == pairs_of(made)
    shown = inspect_engine(tmp_path / "t", ["b"]).tables()[0]
    assert [column.name for column in shown.columns][2:10] == list(made.features)


@pytest.mark.parametrize("mode", ["fill-up", "interpolated", "pooled", "pooled-scores", "pooled-entries"])
def test_tables_of_other_features_are_named(mode: str) -> None:
    """The kernel's words were `got 8 and 4`, with no table and no way out."""
    plain = table_of([(["a"], ["A"], frozenset({(0, 0)}))])
    both = TableCombination(mode="both").combine([plain, plain])
    for tables, named in (([plain, both], "in has 4 .* and out has 8 "), ([both, plain], "in has 8 .* and out has 4 ")):
        with pytest.raises(DataError, match=f"one set of features, but {named}.*either, back-off or both"):
            TableCombination(mode=mode).combine(tables, names=["in", "out"])


def test_what_does_not_fit_is_refused() -> None:
    plain = table_of([(["a"], ["A"], frozenset({(0, 0)}))])
    bare = PhraseExtraction(orientation="none").extract(*aligned([(["a"], ["A"], frozenset({(0, 0)}))]))
    with pytest.raises(DataError, match="There is no phrase table to combine"):
        TableCombination().combine([])
    with pytest.raises(DataError, match=r"orientations of different kinds \(none, word\)"):
        TableCombination().combine([plain, bare])
    with pytest.raises(DataError, match="needs weights, or a tuning set"):
        TableCombination(mode="interpolated").combine([plain, plain])
    with pytest.raises(DataError, match="a weight of 0 or more for each of 2 tables"):
        TableCombination(mode="interpolated", weights=(1.0,)).combine([plain, plain])
    other = TableCombination(mode="either").combine([plain, plain])
    for mode in ("fill-up", "interpolated"):
        recipe = TableCombination(mode=mode, weights=(0.5, 0.5) if mode == "interpolated" else ())
        with pytest.raises(
            DataError,
            match=r"but old has 4 \(table\.1, .*\) and web has 8 \(table1\.1, .* the mode either, back-off or",
        ):
            recipe.combine([plain, plain, other], names=("old", "new", "web"))
        with pytest.raises(DataError, match=r"but table 1 has 4 .* and table 2 has 8"):
            recipe.combine([plain, other])
    assert TableCombination(mode="back-off").combine([plain, other]).features  # as the message says
    assert TableCombination().combine([plain]) is plain


@pytest.mark.parametrize("mode", ["either", "back-off", "fill-up", "interpolated"])
def test_engines_of_two_texts_translate_and_keep_their_features(
    book: dict[str, list[str]], dev: TestSet, tmp_path: Path, mode: str
) -> None:
    from dragoman.smt.recipe import changed

    texts = [
        Bitext.from_lines(book["en"][a:b], book["de"][a:b], source_lang="en", target_lang="de")
        for a, b in ((0, 200), (200, 540))
    ]
    recipe = changed(UNTUNED, [f"tables.mode={mode}"])
    done = train_engine(Corpora.of(*texts), recipe, work=tmp_path / "w", output=tmp_path / "m", dev=dev)
    assert [name for name, *_ in done.steps][6:9] == ["phrases", "phrases-2", "tables"]
    loaded = Engine.load(tmp_path / "m")
    assert loaded.feature_names == done.engine.feature_names
    srcs = dev.srcs[:20]
    assert loaded.translate(srcs) == done.engine.translate(srcs)
    decoded = loaded.decode(loaded.source.prepare(srcs), n_best=5, features=True)
    vector = np.array(list(loaded.weights.values()))
    np.testing.assert_allclose(decoded.features @ vector, decoded.scores, rtol=1e-4, atol=1e-3)
    expected = {"either": "table2.4", "back-off": "table2.4", "fill-up": "fill-up.2", "interpolated": "table.4"}
    assert expected[mode] in loaded.feature_names


def test_interpolation_without_weights_or_tuning_set_is_refused_before_work_starts(
    bitext: Bitext, tmp_path: Path
) -> None:
    from dragoman.smt.recipe import changed

    recipe = changed(UNTUNED, ["tables.mode=interpolated"])
    with pytest.raises(DataError, match=r"sets its weights on a tuning set.*tables.weights=0.5\+0.5"):
        plan_training(Corpora.of(bitext, bitext), recipe, work=tmp_path)
