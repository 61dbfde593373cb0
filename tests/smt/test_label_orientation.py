"""Orientation by the labels of target phrases (Mehay & Brew, WMT 2012)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import exp
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.data.bitext import Bitext
from dragoman.errors import DataError
from dragoman.smt import AlignedText, Engine, EngineRecipe, PhraseExtraction, PhraseTable
from dragoman.smt.grammar.ccg_labels import best_categories
from dragoman.smt.grammar.labels import Labeller, Spans, label_name
from dragoman.smt.grammar.parses import LineParse
from dragoman.smt.label_orientation import PhraseLabels, phrase_label, with_label_orientation
from dragoman.smt.recipe import changed
from dragoman.smt.training import train_engine
from dragoman.smt.training_plan import plan_training
from dragoman.syntax import ParserRecipe
from dragoman.text.trees import parse_tree
from tests.reorder.toy import toy_pairs
from tests.smt.test_extraction import Sentence, aligned, consistent, sentence_pairs
from tests.smt.test_extraction import Spans as Places
from tests.syntax.toy import toy_treebank

PARSE = parse_tree("(X (Y y))")  # the labellers here do not look at it
HOPE = ("NP", "(S[dcl]\\NP)/S[em]", "S[em]/S[dcl]", "NP", "(S[dcl]\\NP)/(S[b]\\NP)", "S[b]\\NP")


@dataclass(frozen=True)
class Supertags(Labeller):
    """Labels of the chart over given categories of words."""

    side: ClassVar[str] = "target"
    categories: tuple[str, ...] = HOPE

    def spans(self, parse: LineParse, longest: int) -> Spans:
        return best_categories([{each: 0.0} for each in self.categories], longest)


@dataclass(frozen=True)
class Letters(Labeller):
    """Words are called by their letters, pairs of the same letter by two of them; nothing is longer."""

    side: ClassVar[str] = "target"
    target: tuple[str, ...] = ()

    def spans(self, parse: LineParse, longest: int) -> Spans:
        words = self.target
        single = {(i, i + 1): word for i, word in enumerate(words)}
        double = {(i, i + 2): 2 * a for i, (a, b) in enumerate(pairwise(words)) if a == b}
        return single | (double if longest > 1 else {})


def labels_of(sentences: Sequence[Sentence], longest: int) -> PhraseLabels:
    """By letters, of all sentences."""
    parts = [
        PhraseLabels.of(Letters(tuple(target)), [PARSE], [len(target)], longest=longest) for _, target, _ in sentences
    ]
    numbers: dict[str, int] = {}
    rows = [
        (int(begin), int(end), numbers.setdefault(part.names[label], len(numbers)))
        for part in parts
        for begin, end, label in part.spans.tolist()
    ]
    ends = np.cumsum([0, *(len(part.spans) for part in parts)], dtype=np.int64)
    return PhraseLabels(tuple(numbers), np.array(rows, dtype=np.int32).reshape(-1, 3), ends)


def oriented(sentence: Sentence, places: Places, longest: int) -> tuple[int, int]:
    """Towards any phrase pair of at most so many words that touches the corner: 0 monotone, 1 swap, 2 neither."""
    source, target, _ = sentence
    a, b, c, d = places
    blocks = consistent(sentence, longest)
    first, last = (a, c) == (0, 0), (b, d) == (len(source), len(target))
    monotone = first or any((q, s) == (a, c) for _, q, _, s in blocks)
    before = 0 if monotone else 1 if any((p, s) == (b, c) for p, _, _, s in blocks) else 2
    monotone = last or any((p, r) == (b, d) for p, _, r, _ in blocks)
    behind = 0 if monotone else 1 if any((q, r) == (a, d) for _, q, r, _ in blocks) else 2
    return before, behind


def naive(sentences: Sequence[Sentence], longest: int, share: float) -> dict[tuple[str, str], list[float]]:
    """The six probabilities of each phrase pair, by the definition."""
    counts: defaultdict[str, list[float]] = defaultdict(lambda: [0.0] * 6)
    named: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for sentence in sentences:
        source, target, _ = sentence
        labels = Letters(tuple(target)).spans(PARSE, longest)
        for places in consistent(sentence, longest):
            a, b, c, d = places
            name = phrase_label(labels, c, d)
            assert name
            before, behind = oriented(sentence, places, longest)
            counts[name][before] += 1
            counts[name][3 + behind] += 1
            named[" ".join(source[a:b]), " ".join(target[c:d])][name] += 1
    total = sum(sum(each[:3]) for each in counts.values())
    overall = [sum(each[f] for each in counts.values()) / total for f in range(6)]
    p = {
        name: [(each[f] + 0.5 * overall[f]) / (sum(each[:3]) + 0.5) for f in range(6)] for name, each in counts.items()
    }
    result = {}
    for pair, found in named.items():
        kept = {name: n for name, n in found.items() if n >= share * max(found.values())}
        result[pair] = [sum(n * p[name][f] for name, n in kept.items()) / sum(kept.values()) for f in range(6)]
    return result


def table_of(sentences: list[Sentence], longest: int, **options: object) -> tuple[AlignedText, PhraseTable]:
    recipe = PhraseExtraction.from_dict({"translations_per_phrase": 0, "longest": longest, **options})
    text, source, target = aligned(sentences)
    return text, recipe.extract(text, source, target)


@given(st.lists(sentence_pairs(), min_size=1, max_size=5), st.integers(1, 4))
def test_scores_are_those_of_the_definition(sentences: list[Sentence], longest: int) -> None:
    text, table = table_of(sentences, longest)
    if not len(table):
        return
    labels = labels_of(sentences, longest)
    expected = naive(sentences, longest, 0.5)
    for n_threads in (1, 3):
        labelled = with_label_orientation(table, text, labels, share=0.5, n_threads=n_threads)
        assert labelled.labelled
        assert labelled.counted
        for (source, target), p in expected.items():
            (pair,) = [each for each in labelled.translations(source) if each.target == target]
            (plain,) = [each for each in table.translations(source) if each.target == target]
            assert [exp(score) for score in pair.scores[10:16]] == pytest.approx(p, abs=1e-5)
            assert pair.scores[:10] == plain.scores[:10]
            assert pair.scores[16:] == plain.scores[10:]


def test_phrases_are_called_as_in_the_paper() -> None:
    """Mehay & Brew 2012, figure 3: `I hope that` is one category; supertags are those of its words."""
    labels = PhraseLabels.of(Supertags(), [PARSE], [6], longest=6)
    names = {(begin, end): labels.names[label] for begin, end, label in labels.spans.tolist()}
    assert names[0, 3] == "S{dcl}/S{dcl}"  # square brackets mean something in rule tables
    assert names[3, 6] == "S{dcl}"
    assert len(names) == 21  # every span has a name
    single = PhraseLabels.of(Supertags(), [PARSE], [6], longest=6, words_alone=True)
    tags = {(begin, end): single.names[label] for begin, end, label in single.spans.tolist()}
    assert tags[0, 3] == " ".join(map(label_name, HOPE[:3]))


def test_a_free_comma_does_not_part_phrases() -> None:
    """Mehay & Brew 2012: `hoffe` is followed by the phrase `, daß`, though the comma is linked to nothing."""
    links = frozenset({(0, 0), (1, 1), (3, 2), (4, 3)})
    sentence = (["Ich", "hoffe", ",", "daß", "ja"], ["I", "hope", "that", "yes"], links)
    text, table = table_of([sentence], 4, orientation_smoothing=0.0)
    spans = [(0, 1, 0), (1, 2, 1), (2, 3, 2), (3, 4, 3)]
    labels = PhraseLabels(tuple(HOPE[:4]), np.array(spans, dtype=np.int32), np.array([0, 4], dtype=np.int64))
    labelled = with_label_orientation(table, text, labels, smoothing=0.0)
    (hope,) = labelled.translations("hoffe")
    assert [round(exp(score), 6) for score in hope.scores[4:10]] == [1, 0, 0, 0, 0, 1]  # words: discontinuous behind
    assert [round(exp(score), 6) for score in hope.scores[10:16]] == [1, 0, 0, 1, 0, 0]  # phrases: monotone


def test_what_cannot_be_labelled_is_named() -> None:
    sentences: list[Sentence] = [(["a"], ["a"], frozenset({(0, 0)}))]
    text, table = table_of(sentences, 2)
    labelled = with_label_orientation(table, text, labels_of(sentences, 2))
    with pytest.raises(DataError, match="already"):
        with_label_orientation(labelled, text, labels_of(sentences, 2))
    with pytest.raises(DataError, match=r"phrases\.orientation=word"):
        with_label_orientation(table_of(sentences, 2, orientation="none")[1], text, labels_of(sentences, 2))
    nothing = PhraseLabels((), np.zeros((0, 3), dtype=np.int32), np.zeros(2, dtype=np.int64))
    with pytest.raises(DataError, match=r"parse\.target"):
        with_label_orientation(table, text, nothing)
    outside = PhraseLabels(("A",), np.array([[0, 2, 0]], dtype=np.int32), np.array([0, 1], dtype=np.int64))
    with pytest.raises(DataError, match="outside of its sentence"):
        with_label_orientation(table, text, outside)
    for setting in ("index.use=only", "phrases.orientation=none", "grammar.kind=hiero"):
        with pytest.raises(DataError, match="Orientation by labels is of phrases in a table"):
            changed(EngineRecipe(), ["reorder.labels=ccg", setting])


@pytest.fixture(scope="module")
def recipe(tmp_path_factory: pytest.TempPathFactory) -> EngineRecipe:
    parser = tmp_path_factory.mktemp("labels") / "parser"
    ParserRecipe(epochs=5, tag_epochs=4, folds=3).train(toy_treebank(80)).save(parser)
    settings = ["reorder.labels=ccg", f"parse.target={parser}", "text.truecase=no"]
    return changed(EngineRecipe(source_lang="de", target_lang="en"), settings)


def bitext() -> Bitext:
    """From the language with its verbs at the end."""
    targets, sources = toy_pairs(80)[:2]
    return Bitext.from_lines(sources, targets, source_lang="de", target_lang="en")


def test_an_engine_weighs_both_orientations(recipe: EngineRecipe, tmp_path: Path) -> None:
    engine = train_engine(bitext(), recipe, work=tmp_path / "work", output=tmp_path / "engine").engine
    names = [name for name in engine.feature_names if name.startswith("label-")]
    assert names[::3] == ["label-before.monotone", "label-behind.monotone"]
    line = "THE DOG OLD A CAT SEES ."
    found = engine.decode([line], features=True, n_best=20)
    np.testing.assert_allclose(found.features @ list(engine.dense_weights.values()), found.scores, atol=2e-3)
    columns = [engine.feature_names.index(name) for name in names]
    assert (found.features[:, columns] < 0).any(axis=1).all()
    loaded = Engine.load(tmp_path / "engine")
    assert loaded.decode([line]).best() == found.best()[:1] == ["the old dog sees a cat ."]
    graph = engine.graph(line)
    assert graph.n_best(1)[0].score == pytest.approx(float(found.scores[0]), abs=1e-3)


def test_labels_are_a_step_of_their_own(recipe: EngineRecipe, tmp_path: Path) -> None:
    plain = plan_training(bitext(), changed(recipe, ["reorder.labels=", "parse.target="]), work=tmp_path)
    labelled = plan_training(bitext(), recipe, work=tmp_path)
    assert {step.name for step in labelled.steps} - {step.name for step in plain.steps} == {"labels"}
    assert plain.step("phrases").key == labelled.step("phrases").key
    with pytest.raises(DataError, match=r"parse\.target=PATH"):
        plan_training(bitext(), changed(recipe, ["parse.target="]), work=tmp_path)
