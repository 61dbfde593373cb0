from __future__ import annotations

import math
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.errors import DataError, FormatError, UnknownName
from dragoman.lm import KneserNey, LanguageModel
from dragoman.qe import FeatureTable, extract_features, read_features
from dragoman.qe.features import BASELINE17, SURFACE, feature_set
from dragoman.qe.recipes import FeatureRecipe
from dragoman.qe.resources import LexicalTable, NgramCounts, NgramRecipe, Resources

CORPUS = ["the cat sat", "the cat ran", "the dog sat on the mat", "a cat"]
LEXICON = [("the", "el", 0.5), ("the", "la", 0.3), ("cat", "gato", 0.9), ("cat", "gata", 0.05)]


@pytest.fixture(scope="module")
def resources() -> Resources:
    model = KneserNey(order=2).train(CORPUS)
    return Resources.of(
        source_lm=model, target_lm=model, ngrams=NgramRecipe().train(CORPUS), lexicon=LexicalTable(LEXICON)
    )


def one(spec: str, source: str, output: str = "", resources: Resources | None = None) -> float:
    return float(
        extract_features([source], [output], FeatureRecipe(features=(spec,)), resources=resources).values[0, 0]
    )


def test_the_baseline_has_17_features_in_the_order_of_the_released_files(resources: Resources) -> None:
    found = extract_features(["the cat sat"], ["el gato"], FeatureRecipe(features=("baseline17",)), resources=resources)
    assert found.names == BASELINE17
    assert found.values.shape == (1, 17)
    assert found.to_dict()["meta"]["tokenisers"] == {"source": "none", "target": "none"}
    assert len(found.to_dict()["rows"][0]) == 17


def test_features_by_hand(resources: Resources) -> None:
    assert one("source-length", "the cat , sat") == 4
    assert one("target-length", "", "a b") == 2
    assert one("source-word-length", "the catch") == 4
    assert one("target-repetition", "", "A a b b") == pytest.approx(4 / 3)
    assert one("target-repetition:compat=wmt12", "", "A a b b") == 2
    assert one("source-punctuation", "a , b ... ( $ ?!") == 4
    assert one("target-punctuation", "", "¿ qué ?") == 2
    # the 4, cat 3, sat 2, on, ran, dog, mat, a 1: a quarter of the 8 different words is 2, so the cuts are 1, 1, 2, 4.
    assert resources.ask("ngrams", NgramCounts).cuts(1) == (1, 1, 2, 4)
    assert one("ngram-quartile", "the dog sat here", resources=resources) == 0.25
    assert one("ngram-quartile:quartile=2", "the dog sat here", resources=resources) == 0
    assert one("ngram-quartile:quartile=3", "the dog sat here", resources=resources) == 0.25
    assert one("ngram-quartile:quartile=4", "the dog sat here", resources=resources) == 0.25
    assert one("ngram-quartile:length=2,quartile=4", "the cat sat", resources=resources) == 0.5  # "the cat", twice
    assert one("ngram-quartile:length=3", "the cat", resources=resources) == 0  # too short
    assert one("known-words", "the the bird", resources=resources) == pytest.approx(2 / 3)
    assert one("known-words:compat=wmt12", "the the bird", resources=resources) == 0.5
    assert one("translations", "the cat bird", resources=resources) == 1
    assert one("translations:threshold=0.4", "the cat bird", resources=resources) == pytest.approx(2 / 3)
    assert one("rare-translations", "the cat bird", resources=resources) == pytest.approx((2 / 4 + 2 / 3) / 3)
    lm = resources.ask("source_lm", LanguageModel)
    assert one("source-lm", "the cat", resources=resources) == lm.score(["the cat"])[0]
    assert one("target-lm", "", "the cat", resources=resources) == lm.score(["the cat"])[0]


def test_the_quirks_of_the_released_files() -> None:
    assert one("source-length:compat=wmt12", "the well-known half-time score") == 6
    assert one("source-word-length:compat=wmt12", "ab-cd") == 2.5
    assert one("source-punctuation:compat=wmt12", "Yes, well, no; why? So.") == 5  # two commas: 3, a semicolon: 2


@given(st.lists(st.lists(st.sampled_from("abcdé."), max_size=6).map(" ".join), min_size=1, max_size=8))
def test_surface_features_are_their_definitions(lines: list[str]) -> None:
    found = extract_features(lines, lines[::-1], n_threads=2)
    for row, source, output in zip(found.values, lines, lines[::-1], strict=True):
        s, t = source.split(), output.split()
        assert row.tolist() == pytest.approx(
            [
                len(s),
                len(t),
                sum(map(len, s)) / len(s) if s else 0,
                len(t) / len(set(t)) if t else 0,
                s.count("."),
                t.count("."),
            ]
        )


@given(st.lists(st.lists(st.sampled_from("abc"), max_size=6).map(" ".join), min_size=1, max_size=8), st.integers(1, 3))
def test_ngrams_are_counted_inside_lines(lines: list[str], length: int) -> None:
    if not any(line.split() for line in lines):
        return
    counts = NgramRecipe().train(lines)
    naive = Counter(
        tuple(words[i : i + length])
        for line in lines
        if (words := line.split())
        for i in range(len(words) - length + 1)
    )
    assert sorted(counts.tables[length - 1][1].tolist()) == sorted(naive.values())
    ids = counts.vocabulary.ids(["a", "b", "c", "a"])
    found, sentence = counts.frequencies(ids, np.array([0, 0, 4], dtype=np.int64), length)
    assert found.tolist() == [naive[tuple("abca"[i : i + length])] for i in range(5 - length)]
    assert set(sentence.tolist()) <= {1}


def test_empty_lines_and_empty_batches_have_defined_features(resources: Resources) -> None:
    found = extract_features(["", "a"], ["", ""], FeatureRecipe(features=("baseline17",)), resources=resources)
    assert np.isfinite(found.values).all()
    assert found.column("target-repetition").tolist() == [0, 0]
    assert extract_features([], [], FeatureRecipe(features=("baseline17",)), resources=resources).values.shape == (
        0,
        17,
    )


def test_threads_change_nothing(resources: Resources) -> None:
    lines = [f"the cat {'sat ' * (n % 5)}." for n in range(200)]
    tables = [
        extract_features(lines, lines[::-1], FeatureRecipe(features=("baseline17",)), resources=resources, n_threads=n)
        for n in (1, 2, 7)
    ]
    assert (tables[0].values == tables[1].values).all()
    assert (tables[0].values == tables[2].values).all()


def test_what_is_asked_wrongly_is_named(resources: Resources) -> None:
    with pytest.raises(DataError, match=r"source-lm, target-lm, .* need lexicon, ngrams, source_lm, target_lm"):
        extract_features(["a"], ["b"], FeatureRecipe(features=("baseline17",)))
    with pytest.raises(DataError, match="one line per segment, got sources=1, outputs=2"):
        extract_features(["a"], ["b", "c"])
    with pytest.raises(DataError, match="sources: expected lines of text, got one str"):
        extract_features("a", ["b"])
    with pytest.raises(UnknownName, match="No quality feature is called 'bleu'"):
        extract_features(["a"], ["b"], FeatureRecipe(features=("bleu",)))
    with pytest.raises(DataError, match="'quartile' option of NgramQuartile must be at least 1 and at most 4"):
        feature_set(["ngram-quartile:quartile=5"])
    with pytest.raises(DataError, match="'compat' option of SourceLength must be one of '', 'wmt12'"):
        feature_set("surface", compat="wmt99")
    with pytest.raises(DataError, match="The feature 'source-length' is there twice"):
        extract_features(
            ["a"],
            ["b"],
            FeatureRecipe(features=("source-length", "source-length")),
        )
    with pytest.raises(DataError, match="n-grams of 1 to 3 words, not of 4"):
        one("ngram-quartile:length=4", "a", resources=resources)
    with pytest.raises(DataError, match="No resource is called 'tagger'"):
        Resources().missing(("tagger",))
    with pytest.raises(DataError, match="needs the resource lexicon, which is not there"):
        Resources().ask("lexicon")
    with pytest.raises(DataError, match="The resource lexicon is a str; a feature needs a LexicalTable"):
        Resources.of(lexicon="a table").ask("lexicon", LexicalTable)
    with pytest.raises(DataError, match="No resource is called 'taggers'"):
        Resources.of(taggers=1)
    assert [feature.spec() for feature in feature_set("surface")] == list(SURFACE)


def test_counts_are_saved_and_loaded(tmp_path: Path, resources: Resources) -> None:
    ngrams = resources.ask("ngrams", NgramCounts)
    ngrams.save(tmp_path / "ngrams")
    again = NgramCounts.load(tmp_path / "ngrams")
    assert repr(again) == repr(ngrams) == "<NgramCounts of order 3: 8, 9, 6 n-grams>"
    other = Resources.of(ngrams=again)
    specs = ["known-words", "ngram-quartile:length=2,quartile=4"]
    assert (
        extract_features(CORPUS, CORPUS, FeatureRecipe(features=tuple(specs)), resources=other).values
        == extract_features(CORPUS, CORPUS, FeatureRecipe(features=tuple(specs)), resources=resources).values
    ).all()
    with pytest.raises(DataError, match="no words to count"):
        NgramRecipe().train(["", " "])
    with pytest.raises(DataError, match="got one str"):
        NgramRecipe().train("the cat")


def test_lexical_tables_are_read_and_checked(tmp_path: Path) -> None:
    path = tmp_path / "lex"
    path.write_text("the el 0.5\nthe\tla\t0.3\n")
    table = LexicalTable.read(path)
    assert len(table) == 2
    assert table.n_translations(0.4)[table.vocabulary.ids(["the"])].tolist() == [1]
    for text, message in [
        ("the el\n", "lex:1: expected source word, target word and probability; found 'the el'"),
        ("the el x\n", "lex:1: expected source word"),
        ("the el 1.5\n", r"p\('el' \| 'the'\) is 1.5"),
        (
            "the el 0.9\nthe la 0.9\n",
            "probabilities of 'the' sum to 1.8, more than 1. Is the table of the other direct",
        ),
        ("", "The lexical table is empty"),
    ]:
        path.write_text(text)
        with pytest.raises(FormatError, match=message):
            LexicalTable.read(path)


def test_a_lexical_table_comes_from_a_bitext(tmp_path: Path) -> None:
    sources = ["the house", "the book", "a house", "a book"] * 10
    targets = ["das Haus", "das Buch", "ein Haus", "ein Buch"] * 10
    table = LexicalTable.of_bitext(sources, targets)
    found = {(source, target): p for source, target, p in table.entries()}
    assert found["house", "Haus"] > 0.9
    assert found["the", "das"] > 0.9
    sums = Counter[str]()
    for (source, _), p in found.items():
        sums[source] += p
    assert list(sums.values()) == pytest.approx([1.0] * 4)
    table.write(tmp_path / "lex")
    assert list(LexicalTable.read(tmp_path / "lex").entries()) == list(table.entries())
    for n_threads in (2, 7):
        assert list(LexicalTable.of_bitext(sources, targets, n_threads=n_threads).entries()) == list(table.entries())
    with pytest.raises(DataError, match="got srcs=40, tgts=1"):
        LexicalTable.of_bitext(sources, ["x"])


def test_tables_are_read_back_and_checked(tmp_path: Path) -> None:
    table = extract_features(["a b", "c"], ["d", "e , f"], FeatureRecipe(features=("surface",)))
    path = tmp_path / "features.tsv"
    path.write_text(table.render("tsv"))
    again = read_features(path)
    assert again.names == table.names
    assert (again.values == table.values).all()
    path.write_text("1\t2\t\n3\t4\t\n")
    assert read_features(path, names=("x", "y")).column("y").tolist() == [2, 4]
    with pytest.raises(DataError, match=r"There is no feature 'z'. Known: x, y"):
        read_features(path, names=("x", "y")).column("z")
    for text, message in [
        ("1\t2\n", "first line with the names of the features, found numbers"),
        ("", "found an empty file"),
        ("x\ty\n1\n", "features.tsv:2: expected 2 features, found 1"),
        ("x\ty\n1\tnan\n", "features.tsv:2: the feature 'y' is no number"),
        ("x\tx\n1\t2\n", "The feature 'x' is there twice"),
    ]:
        path.write_text(text)
        with pytest.raises(FormatError, match=message):
            read_features(path)
    with pytest.raises(DataError, match=r"2 features need \(sentences, 2\) values, got \(1, 3\)"):
        FeatureTable.of(["x", "y"], [[1, 2, 3]])
    with pytest.raises(DataError, match="The feature 'y' of sentence 1 is nan"):
        FeatureTable.of(["x", "y"], [[1, math.nan]])
