"""Small parsed sentences for tests."""

from __future__ import annotations

from pathlib import Path

from dragoman.qe.resources import GivenParses
from dragoman.syntax import GrammarRecipe, ParserRecipe, phrase_tree
from dragoman.text.conllu import Sentence, Word

__all__ = ["TREEBANK", "given", "sentence", "tiny_grammar", "tiny_parser"]

TREEBANK = (
    "the/DET/2/det/Definite=Def cat/NOUN/3/nsubj/Number=Sing sat/VERB/0/root/VerbForm=Fin on/ADP/6/case the/DET/6/det "
    "mat/NOUN/3/obl/Number=Sing ./PUNCT/3/punct",
    "dogs/NOUN/2/nsubj/Number=Plur bark/VERB/0/root/VerbForm=Fin !/PUNCT/2/punct",
    "she/PRON/2/nsubj/Person=3 sees/VERB/0/root/VerbForm=Fin a/DET/5/det well-known/ADJ/5/amod cat/NOUN/2/obj",
    "the/DET/2/det/Definite=Def end/NOUN/0/root/Number=Sing ./PUNCT/2/punct",
)


def sentence(text: str) -> Sentence:
    """From `form/TAG/head/relation/Feature=Value|…` for each word, the features left out where there are none."""
    words = []
    for number, entry in enumerate(text.split(), start=1):
        form, tag, head, relation, *feats = entry.split("/")
        words.append(Word(number, form, upos=tag, head=int(head), deprel=relation, feats=feats[0] if feats else "_"))
    return Sentence(tuple(words))


def given(*texts: str) -> GivenParses:
    """Parses of such sentences."""
    return GivenParses(map(sentence, texts))


def tiny_parser(folder: Path) -> Path:
    """A parser that has seen four sentences, and so says something of any."""
    recipe = ParserRecipe(tag_epochs=3, epochs=3, folds=2)
    return recipe.train([sentence(text) for text in TREEBANK]).save(folder)


def tiny_grammar(folder: Path) -> Path:
    """A grammar of the same sentences' phrases."""
    return GrammarRecipe().train([phrase_tree(sentence(text)) for text in TREEBANK]).save(folder)
