"""Verbs without person and number: simplified, decided on, inflected again."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from dragoman.cli.main import group
from dragoman.errors import DataError
from dragoman.syntax.verbs import VerbModel, VerbRecipe, evaluate_verbs, simplified_verbs, simplify_eagles
from dragoman.text.conllu import Sentence, Word, read_conllu, write_conllu

STEMS = ["habl", "cant", "trabaj", "camin", "estudi", "viaj"]
ENDINGS = {("yo", "Sing", "1"): "o", ("ella", "Sing", "3"): "a", ("ellos", "Plur", "3"): "an"}


def sentences() -> list[Sentence]:
    return [
        Sentence(
            (
                Word(1, subject, subject, "PRON", head=2, deprel="nsubj"),
                Word(2, stem + ending, f"{stem}ar", "VERB", feats=_feats(number, person), head=0, deprel="root"),
                Word(3, "bien", "bien", "ADV", head=2, deprel="advmod"),
            )
        )
        for stem in STEMS
        for (subject, number, person), ending in ENDINGS.items()
    ]


def _feats(number: str, person: str) -> str:
    return f"Mood=Ind|Number={number}|Person={person}|Tense=Pres|VerbForm=Fin"


def test_w12_upc_the_worked_example_puede() -> None:
    # la Comisión VMIP3S0[poder] llegar a paralizar … → VMIPpn0[poder]
    assert simplify_eagles("VMIP3S0") == "VMIPpn0"
    assert [simplify_eagles(tag) for tag in ("VMN0000", "NCMS000", "")] == ["VMN0000", "NCMS000", ""]


def test_verbs_are_simplified_and_restored_by_what_stands_around() -> None:
    model = VerbRecipe().train(sentences())
    assert simplified_verbs(sentences()[0]) == ["yo", "VERB|Mood=Ind|Tense=Pres|VerbForm=Fin[hablar]", "bien"]
    verb = "VERB|Mood=Ind|Tense=Pres|VerbForm=Fin[nadar]"  # never seen
    assert model.restore([f"yo {verb} bien", f"ellos {verb} bien", "", "VERB[", "bien"]) == [
        "yo nado bien",
        "ellos nadan bien",
        "",
        "VERB[",
        "bien",
    ]
    found = evaluate_verbs(model, sentences())
    assert (found.n_verbs, found.agreeing, found.forms, found.oracle, found.majority) == (18, 18, 18, 18, 6)


def test_of_k_classes_k_minus_1_decisions_leave_one() -> None:
    model = VerbRecipe(epochs=1).train(sentences())
    assert len(model.graph.classes) == 3
    assert len(model.graph.weights) == 3
    assert {model.graph.decide(features)[1] for features in ([], ["bias"], ["left ellos"])} == {2}


def test_commands_and_what_is_saved(tmp_path: Path) -> None:
    bank, model = str(tmp_path / "bank.conllu"), str(tmp_path / "model")
    write_conllu(bank, sentences())
    run = CliRunner().invoke
    assert run(group, ["inflect", "verbs", "train", bank, "-m", model, "--json"]).exit_code == 0
    simple = run(group, ["inflect", "verbs", "simplify", bank])
    (tmp_path / "simple").write_text(simple.output, encoding="utf-8")
    restored = run(group, ["inflect", "verbs", "restore", str(tmp_path / "simple"), "-m", model]).output
    assert restored.splitlines() == [" ".join(word.form for word in each.words) for each in sentences()]
    assert "18 verbs" in run(group, ["inflect", "verbs", "evaluate", bank, "-m", model]).output
    loaded = VerbModel.load(model)
    assert loaded.graph.classes == VerbRecipe().train(sentences()).graph.classes


def test_what_cannot_be_learnt_is_named() -> None:
    with pytest.raises(DataError, match="no verbs of two persons or numbers"):
        VerbRecipe().train([Sentence.of(["a"])])
    with pytest.raises(DataError, match="no verb with person, number and lemma to count"):
        evaluate_verbs(VerbRecipe(epochs=1).train(sentences()), [])


@pytest.mark.realdata
def test_spanish_verbs_are_restored_without_loss_where_they_were_seen(data_folder: Path) -> None:
    seen = read_conllu(data_folder / "ud" / "es_gsd-ud-dev.conllu.gz")
    model = VerbRecipe(epochs=3).train(seen)
    known = evaluate_verbs(model, seen)
    assert known.oracle / known.n_verbs > 0.99  # the paper's simplification loses nothing
    new = evaluate_verbs(model, read_conllu(data_folder / "ud" / "es_gsd-ud-test.conllu.gz"))
    assert new.agreeing > new.majority
    assert new.oracle / new.n_verbs > 0.85
