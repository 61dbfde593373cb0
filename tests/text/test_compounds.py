"""Compounds: cut where their parts are more frequent, marked and merged without loss, proven by a bitext."""

from __future__ import annotations

from itertools import product
from math import log
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.errors import DataError, FormatError, ModelError
from dragoman.text.compounds import CompoundModel, CompoundRecipe
from dragoman.text.truecase import Truecaser

# Counts after table 1 of Koehn & Knight (EACL 2003): Aktionsplan 852, Aktion 960, Plan 710, Akt 224, Ion 1.
KOEHN_KNIGHT = ["Aktionsplan"] * 852 + ["Aktion"] * 960 + ["Plan"] * 710 + ["Akt"] * 224 + ["Ion"]


def naive_best(model: CompoundModel, word: str) -> float | None:
    """The best mean log frequency of all cuts, by trying every one."""
    recipe = model.recipe
    seen = word in model.forms
    shortest, least = (recipe.shortest, recipe.least) if seen else (recipe.shortest_unseen, 1)
    best = None
    for cuts in product((False, True), repeat=len(word) - 1):
        ends = [*(i + 1 for i, cut in enumerate(cuts) if cut), len(word)]
        letters = [word[a:b] for a, b in zip([0, *ends], ends, strict=False)]
        if not 1 < len(letters) <= recipe.most or min(map(len, letters)) < shortest:
            continue
        logs = []
        for place, part in enumerate(letters):
            joints = ("",) if place == len(letters) - 1 else ("", "s", "n")
            words = [part.removesuffix(joint) for joint in joints if part.endswith(joint)]
            counts = [model.forms[each][1] for each in words if each in model.forms and model.forms[each][1] >= least]
            logs.append(log(max(counts)) if counts else None)
        if None not in logs:
            mean = sum(each or 0.0 for each in logs) / len(logs)
            best = mean if best is None else max(best, mean)
    return best


def test_koehn_knight_2003_table_1_the_geometric_mean_leaves_aktionsplan_whole() -> None:
    # 852 against (960 · 710)^½ = 825.6, and against (224 · 1 · 710)^⅓ = 54.2
    model = CompoundRecipe(shortest=3, least=1).train(KOEHN_KNIGHT)
    two, three = model.candidates("aktionsplan")
    assert [part.word for part in two[1]] == ["Aktion", "Plan"]
    assert two[0] == pytest.approx(log(825.6), abs=1e-3)
    assert [part.word for part in three[1]] == ["Akt", "Ion", "Plan"]
    assert three[0] == pytest.approx(log(54.2), abs=1e-2)
    assert model.split(["Aktionsplan"]) == ["Aktionsplan"]


def test_an_unseen_compound_is_cut_and_a_frequent_one_is_not() -> None:
    model = CompoundRecipe(least=2).train(["Regen Regen Wald Wald Schule Schule Buch Buch", "Schulhof " * 5])
    assert model.split(["Der Regenwald und das Schulbuch am Schulhof ."]) == [
        "Der Regen Wald und das Schule Buch am Schulhof ."
    ]
    assert model.split(["der Regenwald-Schulhof"]) == ["der Regen Wald Schulhof"]
    assert model.split([""]) == [""]


def test_parts_are_no_function_words() -> None:
    model = CompoundRecipe(least=1).train(["nach nach Mittag Mittag Tisch Tisch"])
    assert model.split(["Nachmittag Mittagstisch"]) == ["Nachmittag Mittag Tisch"]


def test_marked_parts_are_merged_in_the_case_of_the_head() -> None:
    model = CompoundRecipe(least=1).train(["Aktion Plan wasser dicht Wasser Fall"])
    marked = model.split(["Aktionsplan wasserdicht Wasserfall ."], marked=True)
    assert marked == ["aktions@@ Plan wasser@@ dicht wasser@@ Fall ."]
    assert model.merge(marked) == ["Aktionsplan wasserdicht Wasserfall ."]
    # What a translation may leave: parts without a head, and heads of another kind.
    assert model.merge(["der aktions@@ .", "wasser@@ Plan", "aktions@@", "a@@ @@", "@@"]) == [
        "der Aktion .",
        "Wasserplan",
        "Aktion",
        "a @@",
        "@@",
    ]


WORDS = st.lists(st.text("abns", min_size=1, max_size=4), min_size=1, max_size=12)


@given(WORDS, st.text("abns", min_size=2, max_size=9), st.integers(1, 3))
def test_the_best_cut_is_that_of_all_cuts(words: list[str], word: str, shortest: int) -> None:
    recipe = CompoundRecipe(lang="sv", joints=("s", "n"), shortest=shortest, least=1, shortest_unseen=shortest)
    model = recipe.train([" ".join(words)])
    found = model.candidates(word)
    expected = naive_best(model, word)
    assert (found[0][0] if found else None) == (None if expected is None else pytest.approx(expected))


@given(st.lists(st.text("aAbsßİé-1 ", max_size=12), max_size=6), WORDS)
def test_what_is_marked_is_merged_without_loss(texts: list[str], words: list[str]) -> None:
    lines = [" ".join(text.split()) for text in texts]
    model = CompoundRecipe(lang="sv", shortest=1, least=1, shortest_unseen=1).train([" ".join(words), *lines])
    assert model.merge(model.split(lines, marked=True)) == lines


def test_a_bitext_proves_cuts() -> None:
    lines = ["Gartenstuhl hier"] * 2 + ["Gehsteig hier"] * 3 + ["Garten Stuhl Geh Teig"] * 5
    targets = ["garden chair here"] * 2 + ["pavement here"] * 3 + ["garden chair go dough"] * 5
    words = {"garten": {"garden"}, "stuhl": {"chair"}, "geh": {"go"}, "teig": {"dough"}}
    recipe = CompoundRecipe(shortest=3, least=1)
    model = recipe.train(lines, targets=targets, translations=words)
    assert model.split(["Gartenstuhl Gehsteig"]) == ["Garten Stuhl Gehsteig"]
    assert recipe.train(lines).split(["Gartenstuhl Gehsteig"]) == ["Garten Stuhl Geh Teig"]
    with pytest.raises(DataError, match="as many lines on both sides, got 10 and 1"):
        recipe.train(lines, targets=["a"], translations=words)


def test_what_is_saved_is_loaded(tmp_path: Path) -> None:
    text, others = ["Regen Wald Regenwald"] * 3, ["rain forest rainforest"] * 3
    model = CompoundRecipe().train(text, targets=others, translations={"regen": {"rain"}, "wald": {"forest"}})
    loaded = CompoundModel.load(model.save(tmp_path / "model"))
    assert (loaded.forms, loaded.proven, loaded.recipe) == (model.forms, model.proven, model.recipe)
    assert len(loaded) == 3
    with pytest.raises(ModelError, match="is a compound model"):
        Truecaser.load(tmp_path / "model")


def test_what_cannot_be_learnt_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no words to learn compounds from"):
        CompoundRecipe().train(["", "1 2 ."])
    with pytest.raises(DataError, match="'s1' is no joint"):
        CompoundRecipe(joints=("s1",)).train(["a"])
    folder = CompoundRecipe().train(["Regen Wald"]).save(tmp_path / "model")
    manifest = (folder / "manifest.json").read_text()
    (folder / "words.tsv").write_text("regen\tRegen\n")
    (folder / "manifest.json").write_text(_without_checksums(manifest))
    with pytest.raises((FormatError, ModelError), match="expected a word, its form and its count"):
        CompoundModel.load(folder)


def _without_checksums(manifest: str) -> str:
    import json

    return json.dumps({**json.loads(manifest), "files": {}, "sizes": {}})


def test_long_words_odd_letters_and_long_lines_are_left_alone() -> None:
    model = CompoundRecipe(least=1).train(["Regen Wald"])
    odd = ["Regen" * 50, "\x00Regenwald", "REGENWALD", "ﬁRegenwald"]
    assert model.split(odd) == odd
    assert model.split(["Regenwald " * 10_000 + "x"]) == ["Regen Wald " * 10_000 + "x"]
