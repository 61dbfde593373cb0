"""Models of the text itself: pieces of words, case, inflection, names, trees and what is labelled on them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from dragoman.samples import sample_path
from dragoman.syntax import FunctionLabeller, FunctionRecipe, Grammar, NameRecipe, NameTagger, Parser, read_named
from dragoman.syntax.inflection import InflectionRecipe, Inflector, Slot
from dragoman.syntax.noun_roles import NounRoleLabeller, NounRoleRecipe
from dragoman.syntax.verbs import VerbModel, VerbRecipe, simplified_verbs
from dragoman.text import MorphemeModel, MorphemeRecipe
from dragoman.text.subword_training import SubwordModel, SubwordRecipe
from dragoman.text.truecase import Truecaser, TruecaseRecipe
from tests.fuzz.models.base import LINES, SOURCE, Seed, seed_of
from tests.qe.parsed import tiny_grammar, tiny_parser
from tests.syntax.test_noun_roles import toy_frames
from tests.syntax.test_verbs import sentences
from tests.syntax.toy import toy_treebank
from tests.text.test_morphemes import WORDS

__all__ = ["seeds"]


def seeds() -> Iterator[Seed]:
    """One of each kind."""
    yield Seed("parser", tiny_parser, lambda path: Parser.load(path).parse([["the", "cat", "sleeps"], ["zebra"], []]))
    yield Seed("grammar", tiny_grammar, lambda path: Grammar.load(path).parse([["the", "cat", "sleeps"], ["zebra"]]))
    words = {Slot(stem + "a", "NOUN", "Case=Gen"): Counter([stem + "y"]) for stem in ("knih", "zen", "vod")}
    yield seed_of(
        "inflection",
        lambda: InflectionRecipe(epochs=1).train_forms(words),
        lambda path: Inflector.load(path).inflect([Slot("ryba", "NOUN", "Case=Gen")]),
    )
    yield seed_of(
        "names",
        lambda: NameRecipe(epochs=2).train(read_named(sample_path("names.en.bio"))[:20]),
        lambda path: NameTagger.load(path).tag([["Mr", "Smith", "in", "Rome"], []]),
    )
    yield seed_of("functions", lambda: FunctionRecipe().train(toy_treebank(20)), _label_functions)
    yield seed_of("noun-roles", lambda: NounRoleRecipe(h=3).train(_frames()[:6]), _label_nouns)
    yield seed_of("verbs", lambda: VerbRecipe(epochs=2).train(sentences()), _restore)
    yield seed_of("morphemes", lambda: MorphemeRecipe().train_words(WORDS), _cut)
    for method in ("unigram", "bpe"):
        recipe = SubwordRecipe(method=method, vocab_size=60, character_coverage=1.0)
        yield seed_of(f"subwords-{method}", lambda recipe=recipe: recipe.train(SOURCE), _pieces)  # type: ignore[misc]
    yield seed_of("truecaser", lambda: TruecaseRecipe().train(SOURCE), lambda path: Truecaser.load(path).apply(LINES))


def _label_functions(path: Path) -> object:
    labeller = FunctionLabeller.load(path)
    return [labeller.label(tree, everything=True) for tree in toy_treebank(3, seed=2)]


_frames = cache(toy_frames)


def _label_nouns(path: Path) -> object:
    labeller = NounRoleLabeller.load(path)
    return [labeller.label(each.tree, each.predicate) for each in _frames()[-2:]]


def _restore(path: Path) -> object:
    return VerbModel.load(path).restore([" ".join(simplified_verbs(each)) for each in sentences()[:4]] + ["", "VERB["])


def _cut(path: Path) -> object:
    return MorphemeModel.load(path).cut(["walking talks", "", "zebra"])


def _pieces(path: Path) -> object:
    model = SubwordModel.load(path)
    return model.decode(model.encode(LINES)), model.decode_ids(model.encode_ids(LINES)), model.pieces
