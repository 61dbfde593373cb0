"""Small parsed sentences for tests."""

from __future__ import annotations

from dragoman.qe.resources import GivenParses
from dragoman.text.conllu import Sentence, Word

__all__ = ["given", "sentence"]


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
