"""Grammatical functions by naive Bayes (LFG-GF): counts, the penalty of repeated functions, both ways of guessing."""

from __future__ import annotations

import json
import math
from itertools import product
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from dragoman.cli.main import group
from dragoman.errors import DataError, ModelError, UnknownName
from dragoman.syntax import Parser
from dragoman.syntax.function_evaluation import evaluate_functions
from dragoman.syntax.functions import ATTRIBUTES, Dependent, FunctionLabeller, FunctionRecipe, siblings_of
from dragoman.text.conllu import Sentence, Word, read_conllu, write_conllu
from tests.syntax.toy import toy_treebank

TOY = toy_treebank(60)
LABELLER = FunctionRecipe().train(TOY)


def clause(subject: str = "nsubj", object_: str = "obj") -> Sentence:
    """The paper's example: Parliament adopted the resolution."""
    return Sentence(
        (
            Word(1, "Parliament", "parliament", "PROPN", "_", "Number=Sing", 2, subject),
            Word(2, "adopted", "adopt", "VERB", "_", "Tense=Past", 0, "root"),
            Word(3, "the", "the", "DET", "_", "Definite=Def", 4, "det"),
            Word(4, "resolution", "resolution", "NOUN", "_", "Number=Sing", 2, object_),
            Word(5, ".", ".", "PUNCT", "_", "_", 2, "punct"),
        )
    )


def test_equation_1_by_hand() -> None:
    recipe = FunctionRecipe(smoothing=1.0)
    labeller = recipe.train([clause()] * 3)
    (siblings, _) = siblings_of([clause()], recipe)
    guesser = labeller.guesser("none")
    assert labeller.counts.labels == ("det", "nsubj", "obj")
    assert guesser.scores(siblings[0]) == pytest.approx([math.log(4 / 12)] * 3)
    names = labeller.guesser("names").scores(siblings[1])  # Number and below:det of Definite, Number, below:det
    # Present with (n + 1) / (3 + 2), absent with one minus that: det has Definite alone, obj the other two.
    assert names[0] == pytest.approx(math.log(4 / 12 * (1 / 5) * (1 / 5) * (1 / 5)))
    assert names[2] == pytest.approx(math.log(4 / 12 * (4 / 5) * (4 / 5) * (4 / 5)))


def test_the_papers_example_is_an_object_beside_a_subject() -> None:
    labelled = FunctionRecipe().train([clause()] * 5).label(clause(object_="dep"))
    assert [word.deprel for word in labelled.words] == ["nsubj", "root", "det", "obj", "punct"]


def test_what_is_labelled_stays_unless_all_is_asked_for() -> None:
    labeller = FunctionRecipe().train([clause()] * 5)
    odd = clause(subject="vocative", object_="_")
    assert labeller.label(odd).words[0].deprel == "vocative"
    assert labeller.label(odd, everything=True).words[0].deprel == "nsubj"


@given(
    st.lists(st.sets(st.sampled_from(["Definite", "Number", "Case=Nom", "UPOS=NOUN", "UPOS=DET"])), max_size=4),
    st.sets(st.sampled_from(LABELLER.counts.labels)),
)
def test_the_joint_assignment_is_the_best_of_all(attributes: list[set[str]], present: set[str]) -> None:
    dependents = [Dependent(n, "", frozenset(each), frozenset()) for n, each in enumerate(attributes, start=1)]
    guesser = LABELLER.guesser("names+values")
    labels = LABELLER.counts.labels
    price = dict(zip(labels, guesser._penalty.tolist(), strict=True))

    def worth(functions: tuple[str, ...]) -> float:
        seen, total = set(present), 0.0
        for each, function in zip(dependents, functions, strict=True):
            total += guesser.scores(each)[labels.index(function)] + (price[function] if function in seen else 0)
            seen.add(function)
        return total

    chosen = tuple(guesser.several(dependents, present, "joint"))
    best = max((worth(each) for each in product(labels, repeat=len(dependents))), default=0.0)
    assert worth(chosen) == pytest.approx(best)
    assert worth(tuple(guesser.several(dependents, present, "sequential"))) <= best + 1e-9


def test_more_attributes_guess_more_and_the_model_is_kept(tmp_path: Path) -> None:
    LABELLER.save(tmp_path / "functions")
    loaded = FunctionLabeller.load(tmp_path / "functions")
    assert loaded.counts == LABELLER.counts
    accuracy = evaluate_functions(loaded, toy_treebank(40, seed=2))
    assert accuracy["single", "none"] < accuracy["single", "names"] <= accuracy["single", "names+values"]
    assert accuracy["multiple", "joint"] >= 95


def test_what_cannot_be_learnt_or_asked(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no labelled dependents"):
        FunctionRecipe().train([])
    with pytest.raises(DataError, match="at least 10 are needed"):
        evaluate_functions(LABELLER, [clause()])
    with pytest.raises(UnknownName, match="Known: none, case"):
        LABELLER.guesser("verbs")
    cycle = Sentence((Word(1, "a", head=2, deprel="dep"), Word(2, "b", head=1, deprel="dep")))
    with pytest.raises(DataError, match="one root; this sentence has 0"):
        LABELLER.label(cycle)
    LABELLER.save(tmp_path / "model")
    with pytest.raises(ModelError, match="is a function labeller"):
        Parser.load(tmp_path / "model")


def test_the_commands(tmp_path: Path) -> None:
    write_conllu(tmp_path / "toy.conllu", TOY)
    write_conllu(tmp_path / "bare.conllu", [clause("_", "dep")])
    model = str(tmp_path / "model")

    def run(*words: str) -> str:
        done = CliRunner().invoke(group, ["syntax", "functions", *words, "-m", model])
        assert done.exit_code == 0, done.output
        return done.output

    run("train", str(tmp_path / "toy.conllu"))
    rows = json.loads(run("evaluate", str(tmp_path / "toy.conllu"), "--json"))["rows"]
    assert [row["method"] for row in rows] == [*ATTRIBUTES, "none", "sequential", "joint"]
    run("apply", str(tmp_path / "bare.conllu"), "-o", str(tmp_path / "labelled.conllu"))
    (sentence,) = read_conllu(tmp_path / "labelled.conllu")
    assert "dep" not in [word.deprel for word in sentence.words]
    assert json.loads(run("apply", str(tmp_path / "bare.conllu"), "--json"))["rows"][0]["deprel"] != "_"


# Bryl et al. 2009, Tables 1 and 2: MF < NB-CASE < NB-N < NB-N&V in both languages, each step significant.
@pytest.mark.realdata
@pytest.mark.parametrize(("bank", "own", "floor"), [("en_ewt", 68.0, 85.0), ("de_gsd", 75.0, 86.0)])
def test_the_papers_order_of_attributes_on_treebanks(bank: str, own: float, floor: float, data_folder: Path) -> None:
    folder = data_folder / "ud"
    labeller = FunctionRecipe().train(read_conllu(folder / f"{bank}-ud-dev.conllu.gz"))
    accuracy = evaluate_functions(labeller, read_conllu(folder / f"{bank}-ud-test.conllu.gz"))
    single = [each for each in accuracy.scores if each.task == "single"]
    assert [each.method for each in sorted(single, key=lambda each: each.accuracy)] == list(ATTRIBUTES)
    assert all(each.p is not None and each.p < 0.005 for each in single[1:])
    assert accuracy["single", "names+values"] > own
    assert accuracy["single", "names+values+head"] > floor
    assert accuracy["multiple", "joint"] >= accuracy["multiple", "sequential"] - 0.05
