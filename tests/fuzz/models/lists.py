"""What works on outputs of others: combination, choice, rescoring, post-editing, repair, filtering."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from dragoman.combine import ChoiceRecipe, Chooser, Combiner, CombineRecipe, train_chooser, train_combiner
from dragoman.corpus import PAIR_SCORERS, PairScorer
from dragoman.data import TestSet
from dragoman.data.bitext import Bitext
from dragoman.lm import KneserNey
from dragoman.postedit import PostEditor, PostEditRecipe, train_post_editor
from dragoman.postedit.substitution import Substituter, SubstitutionRecipe, train_substituter
from dragoman.repair import Repairer, RepairRecipe, train_repairer
from dragoman.rescoring import Consensus, Opinion, Rescorer, Rescoring, RiskRecipe, merged_lists, train_rescorer
from dragoman.syntax import Parser, ParserRecipe
from tests.fuzz.models.base import SOURCE, TARGET, Seed, seed_of
from tests.postedit.rules import lines
from tests.postedit.test_substitution import texts
from tests.repair.language import ADJECTIVES, bitext, source
from tests.repair.language import SOURCE as ENGLISH
from tests.rescoring.test_risk import engine_lists
from tests.rescoring.test_training import example

__all__ = ["seeds"]


def seeds() -> Iterator[Seed]:
    """One of each kind."""
    yield seed_of("combination", _combiner, lambda path: Combiner.load(path).combine(_outputs()))
    yield seed_of("chooser", _chooser, lambda path: Chooser.load(path).choose(_outputs()))
    yield seed_of("rescorer", _rescorer, lambda path: Rescorer.load(path).rescore(example(sparse=True)[0]))
    yield seed_of("consensus", _consensus, lambda path: Consensus.load(path).choose(_merged()))
    yield seed_of("post-editor", _post_editor, _post_edit)
    yield seed_of("substituter", _substituter, _substitute)
    yield seed_of("repairer", _repairer, _repair)
    for name in PAIR_SCORERS.names():
        yield seed_of(f"pair-scorer-{name}", lambda name=name: _pair_scorer(name), _score_pairs)  # type: ignore[misc]


@cache
def _outputs() -> TestSet:
    return TestSet(refs={"r": SOURCE[:8]}, systems={"a": SOURCE[:8], "b": SOURCE[1:9]})


def _combiner() -> Combiner:
    return train_combiner(_outputs(), CombineRecipe(tuner="mira:rounds=1"), lm=KneserNey(order=2).train(SOURCE))


def _chooser() -> Chooser:
    return train_chooser(_outputs(), ChoiceRecipe(examples=2))


def _rescorer() -> Rescorer:
    candidates, refs = example(sparse=True)
    return train_rescorer(
        candidates, [refs], Rescoring(tuners=("pro",), agreement=("bleu",), features=("length",))
    ).rescorer


@cache
def _merged() -> Any:
    return merged_lists({"p": engine_lists(1), "n": engine_lists(2)})


def _consensus() -> Consensus:
    return Consensus(RiskRecipe(), {"p": Opinion(2.0, 0.5), "n": Opinion(1.0, 3.0)})


@cache
def _edited() -> tuple[list[str], list[str], list[str]]:
    return lines(120)


def _post_editor() -> PostEditor:
    srcs, outputs, refs = _edited()
    recipe = PostEditRecipe(source_lang="de", target_lang="en", learner="ridge", n_folds=2)
    return train_post_editor(outputs, refs, srcs, recipe).editor


def _post_edit(path: Path) -> object:
    srcs, outputs, _ = _edited()
    return PostEditor.load(path).apply([*outputs[:4], "", "zebra"], [*srcs[:4], "", "x"])


def _substituter() -> Substituter:
    return train_substituter(*texts(80), SubstitutionRecipe(target_lang="en", tagger="hanta:lang=en", n_folds=2))


def _substitute(path: Path) -> object:
    template, others, _ = texts(3)
    return Substituter.load(path).apply(template, others)


@cache
def _parser() -> Parser:
    clause = "A/DET/3/det {a}/ADJ/3/amod man/NOUN/4/nsubj/Number=Sing plays/VERB/0/root ./PUNCT/4/punct"
    return ParserRecipe(runs=1, epochs=2, tag_epochs=2, folds=2, xpos=False).train(
        [source(clause.format(a=a)) for a in ADJECTIVES] * 5
    )


def _repairer() -> Repairer:
    return train_repairer(*bitext(), _parser(), RepairRecipe(order=3, aligner="ibm1"))


def _repair(path: Path) -> object:
    return Repairer.load(path).apply(["Muž v  modrý tričku hraje.", ""], [ENGLISH, ""]).tables()


def _pair_scorer(name: str) -> PairScorer:
    return PAIR_SCORERS.make(name).train(Bitext.from_lines(SOURCE, TARGET))


def _score_pairs(path: Path) -> object:
    scorer = PairScorer.load(path)
    return scorer.score([*SOURCE[:3], ""], [*TARGET[:3], "x"]), scorer.bar()
