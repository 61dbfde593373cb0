"""Source text as lattices of layers, and phrases from forced decoding of them (Wuebker & Ney, WMT 2012)."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.data.bitext import Bitext
from dragoman.engines import Request
from dragoman.errors import DataError
from dragoman.files import read_lines
from dragoman.smt import Engine, EngineRecipe
from dragoman.smt.aligned_text import AlignedText
from dragoman.smt.alternatives import MARKS, Alternatives, AlternativeSection, LayeredLine
from dragoman.smt.constraints import Constraints, Lattice, Term
from dragoman.smt.lattice_training import ForcedLattices, force_lattices
from dragoman.smt.ngram_counts import count_ngrams
from dragoman.smt.recipe import changed
from dragoman.smt.training import train_engine
from dragoman.smt.training_plan import plan_training
from dragoman.text.compounds import CompoundRecipe
from dragoman.text.tokens import TokenIds

FORCES = LayeredLine(
    ("surface", "split", "lemma"),
    (
        (("die",), ("die",), ("der",)),
        (("Streitkräfte",), ("Streit", "Kräfte"), ("Streit", "Kraft")),
        (("siegen",), ("siegen",), ("siegen",)),
    ),
)


def ways(lattice: Lattice) -> list[list[str]]:
    """The tokens of every way through a lattice."""
    last = max(to for _, to, _, _ in lattice.arcs)
    waiting: list[tuple[int, list[str]]] = [(0, [])]
    found = []
    while waiting:
        node, tokens = waiting.pop()
        if node == last:
            found.append(tokens)
        waiting += [(b, [*tokens, token]) for a, b, token, _ in lattice.arcs if a == node]
    return sorted(found)


def test_a_full_lattice_has_every_layer_of_every_word() -> None:
    """Wuebker & Ney 2012, section 3: the layers of `Streitkräfte`."""
    lattice, nodes = FORCES.lattice()
    word = [["Streitkräfte"], ["SPL.Streit", "SPL.Kräfte"], ["LEM.Streit", "LEM.Kraft"]]
    expected = [
        [first, *middle, last]
        for first in ("die", "SPL.die", "LEM.der")
        for middle in word
        for last in ("siegen", "SPL.siegen", "LEM.siegen")
    ]
    assert ways(lattice) == sorted(expected)  # and no way leaves a layer inside of a word
    assert nodes == [0, 1, 4, 5]
    assert set(lattice.places) == {0, 1, 2}
    assert lattice.copied[lattice.tokens.index("LEM.Kraft")] == "Kraft"
    assert list(pairwise(a for a, *_ in lattice.arcs)) == sorted(pairwise(a for a, *_ in lattice.arcs))


def test_a_slim_lattice_has_only_what_differs() -> None:
    lattice, _ = FORCES.lattice("slim")
    tokens = Counter(lattice.tokens)
    assert "SPL.die" not in tokens  # as it stands
    assert tokens["LEM.der"] == tokens["SPL.Kräfte"] == tokens["LEM.Kraft"] == 1
    assert [token for token in tokens if token.endswith("siegen")] == ["siegen"]
    same = LayeredLine(FORCES.layers, ((("Autos",), ("Auto",), ("Auto",)),))
    assert same.lattice("slim")[0].tokens == ["Autos", "LEM.Auto"]


@given(
    st.lists(st.lists(st.integers(0, 3), max_size=6), max_size=4),
    st.lists(st.lists(st.integers(0, 3), min_size=1, max_size=3), max_size=5),
)
def test_phrases_are_counted_wherever_they_stand(lines: list[list[int]], phrases: list[list[int]]) -> None:
    def ids(rows: list[list[int]]) -> TokenIds:
        flat = np.array([word for row in rows for word in row], dtype=np.int32)
        return TokenIds(flat, np.cumsum([0, *map(len, rows)], dtype=np.int64))

    expected = [
        sum(line[i : i + len(phrase)] == phrase for line in lines for i in range(len(line))) for phrase in phrases
    ]
    assert count_ngrams(ids(lines), ids(phrases)).tolist() == expected


def pairs(n: int = 60) -> tuple[list[str], list[str]]:
    """A toy language with compounds: `rothaus` is a red house."""
    first = [("rot", "red"), ("alt", "old"), ("neu", "new"), ("klein", "small")]
    second = [("haus", "house"), ("buch", "book"), ("auto", "car"), ("bild", "picture")]
    verbs = [("sehe", "see"), ("kaufe", "buy"), ("male", "paint")]
    sources, targets = [], []
    for i in range(n):
        (a, red), (b, house), (v, see) = first[i % 4], second[(i // 4) % 4], verbs[i % 3]
        joined = i % 2 and not (a == "klein" and b == "bild")
        sources.append(f"ich {v} das {a}{b} ." if joined else f"ich {v} das {a} {b} .")
        targets.append(f"i {see} the {red} {house} .")
    return sources, targets


SETTINGS = ["alternatives.layers=split", "compounds.evidence=corpus", "compounds.shortest=3", "text.truecase=no"]


def recipe_of(*more: str) -> EngineRecipe:
    return changed(EngineRecipe(source_lang="de", target_lang="en"), [*SETTINGS, "text.related=no", *more])


def bitext() -> Bitext:
    return Bitext.from_lines(*pairs(), source_lang="de", target_lang="en")


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("layers")


@pytest.fixture(scope="module")
def engine(work: Path) -> Engine:
    return train_engine(bitext(), recipe_of(), work=work / "work", output=work / "engine").engine


def test_an_engine_reads_compounds_either_way(engine: Engine, work: Path) -> None:
    assert [name for name in engine.feature_names if name.startswith("layer.")] == [
        "layer.surface",
        "layer.surface-words",
        "layer.split",
        "layer.split-words",
    ]
    # Neither compound stands in the text; `kleinbild` has no translation but by its parts.
    line = "ich sehe das kleinbild ."
    (found,) = engine.translations([line], Request(alignment=True))
    best = found.candidates[0]
    assert best.target_tokens == "i see the small picture ."
    assert best.source_tokens == line
    assert best.alignment is not None
    assert {(3, 3), (3, 4), (4, 5)} <= set(best.alignment)  # links count words as they stand
    assert engine.translate(["ich sehe das zebra.", ""]) == ["i see the zebra.", ""]
    loaded = Engine.load(work / "engine")
    assert loaded.translate([line]) == engine.translate([line])


def test_terms_and_walls_name_words(engine: Engine) -> None:
    line = "ich sehe das kleinbild ."
    asked = Constraints(terms=(Term(3, 4, "TINY"),), walls=(2,))
    assert engine.decode([line], constraints=[asked]).best() == ["i see the TINY ."]
    with pytest.raises(DataError, match="at word 9 of 5"):
        engine.decode([line], constraints=[Constraints(walls=(9,))])


def test_features_say_which_layer_a_phrase_is_of(engine: Engine) -> None:
    decoded = engine.decode(["ich sehe das kleinbild ."], features=True, n_best=10)
    values = decoded.features[:, [engine.feature_names.index(f"layer.{name}-words") for name in ("surface", "split")]]
    # Five words as they stand, or six in pieces: what is not read in one layer is read in the other, once.
    assert all(split >= 2 and surface + split in (5, 6) for surface, split in values.tolist())
    np.testing.assert_allclose(decoded.features @ list(engine.dense_weights.values()), decoded.scores, atol=2e-3)


def test_one_layer_is_read_as_text_is(engine: Engine) -> None:
    lines = [line.replace(".", " .") for line in pairs(12)[0]]
    alone = [
        Constraints(lattice=Lattice(tuple((i, i + 1, word, 0.0) for i, word in enumerate(line.split()))))
        for line in lines
    ]
    plain = Engine(engine.recipe, replace(engine.models, alternatives=None), weights=engine.weights)
    assert plain.decode(lines, constraints=alone).best() == plain.decode(lines).best()


def test_forced_decoding_yields_the_reference(engine: Engine) -> None:
    """Spec `lattice-fa`, acceptance 4: every derivation of a lattice whose target is told is the reference."""
    sources, targets = pairs(16)
    asked = [Constraints(target=target) for target in targets]
    decoded = engine.decode(sources, constraints=asked, n_best=10)
    for number, target in enumerate(targets):
        texts = {decoded.texts[path] for path in decoded.paths(number)}
        assert texts == {target}


def test_layers_are_a_step_before_phrases(tmp_path: Path) -> None:
    plan = plan_training(bitext(), recipe_of("alternatives.forced=true"), work=tmp_path)
    named = [step.name for step in plan.steps if step.name in {"align", "layers", "phrases", "forced"}]
    assert named == ["align", "layers", "phrases", "forced"]


def test_forced_training_weighs_layers_by_their_use(engine: Engine, work: Path) -> None:
    settings = ["alternatives.forced=true", "alternatives.batch=20", "alternatives.n_best=5"]
    trained = train_engine(
        bitext(), recipe_of(*settings, f"alternatives.weights={work / 'engine'}"), work=work / "work"
    )
    (outcome,) = [outcome for name, outcome, _, _ in trained.steps if name == "forced"]
    assert outcome.startswith("60 of 60 pairs reached")
    table, before = trained.engine.models.table, engine.models.table
    assert table is not None
    assert before is not None
    assert 0 < len(table) < len(before)
    for phrase in ("das", "SPL.rot", "SPL.haus"):
        # Probabilities are of all times that a phrase stands in the text: their sum is at most one.
        assert sum(np.exp(pair.scores[2]) for pair in table.translations(phrase)) <= 1 + 1e-5
    assert trained.engine.translate(["ich male das kleinbild."]) == ["i paint the small picture."]


def test_forced_lattices_are_counted(engine: Engine) -> None:
    alternatives, table = engine.models.alternatives, engine.models.table
    assert alternatives is not None
    assert table is not None
    sources, targets = pairs(8)
    lines = alternatives.read([*sources, "ich sehe nichts ."])
    empty = TokenIds(np.zeros(0, dtype=np.int32), np.zeros(2 * len(lines) + 1, dtype=np.int64))
    text = AlignedText(empty, empty, np.zeros((0, 2), dtype=np.uint16), np.zeros(2 * len(lines) + 1, dtype=np.int64))
    _, found = force_lattices(table, lines, [*targets, "what is not there"], text, alternatives.recipe)
    assert isinstance(found, ForcedLattices)
    assert (found.n_pairs, found.n_reached, found.n_backoff) == (9, 8, 0)
    assert sum(found.words.values()) >= 8 * 5
    assert {row["layer"] for row in found.tables()[1].records()} == {"surface", "split"}


def test_what_does_not_go_with_layers_is_named(tmp_path: Path) -> None:
    for setting in ("index.use=only", "compounds.side=source", "grammar.kind=hiero"):
        with pytest.raises(DataError, match=r"beside \[alternatives\]"):
            recipe_of(setting)
    with pytest.raises(DataError, match="The layers are split, lemma"):
        AlternativeSection(layers="stem").check()
    with pytest.raises(DataError, match="needs layers"):
        AlternativeSection(forced=True).check()
    with pytest.raises(DataError, match="dragoman compounds learn"):
        Alternatives(AlternativeSection(layers="split"), "de")
    with pytest.raises(DataError, match="is no engine with weights"):
        plan_training(bitext(), recipe_of("alternatives.forced=true", "alternatives.weights=nothing"), work=tmp_path)


def test_lemmas_are_those_of_the_parts() -> None:
    pytest.importorskip("simplemma")
    text = ["Streit Kräfte", "die Kräfte im Streit", "Streit der Kräfte ."] * 3
    compounds = CompoundRecipe().train(text)
    alternatives = Alternatives(AlternativeSection(layers="split+lemma"), "de", compounds)
    (line,) = alternatives.read(["Streitkräfte ."])
    assert line.words[0] == (("Streitkräfte",), ("Streit", "Kräfte"), ("Streit", "Kraft"))
    assert [line.line(layer) for layer in MARKS] == [
        "Streitkräfte .",
        "SPL.Streit SPL.Kräfte SPL..",
        "LEM.Streit LEM.Kraft LEM..",
    ]


@pytest.mark.realdata
def test_real_captions_are_reached(data_folder: Path, tmp_path: Path) -> None:
    """Spec `lattice-fa`, acceptance 4: forced decoding of lattices reaches 95 % of training pairs."""
    sides = [read_lines(data_folder / "multi30k" / f"train.{lang}.gz")[:400] for lang in ("de", "en")]
    settings = ["alternatives.layers=split", "alternatives.forced=true", "alternatives.batch=200", "tune.method=none"]
    recipe = changed(EngineRecipe(source_lang="de", target_lang="en"), settings)
    text = Bitext.from_lines(*sides, source_lang="de", target_lang="en")
    trained = train_engine(text, recipe, work=tmp_path / "work")
    (outcome,) = [outcome for name, outcome, _, _ in trained.steps if name == "forced"]
    reached, _, total, *_ = outcome.split()
    assert int(reached) >= 0.95 * int(total)
    assert trained.engine.translate(["Ein Mann."])[0]
