"""A language of a few words whose trees are plain to see and that has a multiword token."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from dragoman.rng import Stream
from dragoman.text.conllu import MultiwordToken, Sentence, Word

NOUNS = ["dog", "cat", "bird", "house", "garden", "child"]
VERBS = ["sees", "likes", "finds", "watches"]
ADJECTIVES = ["old", "small", "green"]


def toy_treebank(n: int, *, seed: int = 1) -> list[Sentence]:
    """`n` sentences such as `the old dog sees a cat in del garden .`, where `del` is `de` and `el`."""
    draws: Iterator[int] = iter(Stream(seed, "toy").bits(20 * n).tolist())

    def pick(items: list[str]) -> str:
        return items[next(draws) % len(items)]

    return [_sentence(pick) for _ in range(n)]


def _sentence(pick: Callable[[list[str]], str]) -> Sentence:
    rows: list[Word | MultiwordToken] = []

    def word(form: str, upos: str, feats: str, head: int, deprel: str) -> int:
        number = sum(isinstance(row, Word) for row in rows) + 1
        rows.append(Word(number, form, form, upos, upos.lower(), feats, head, deprel))
        return number

    def noun_phrase(head: int, deprel: str, start: int) -> int:
        old = pick(["yes", "no"]) == "yes"
        noun = start + (2 if old else 1)
        word(pick(["the", "a"]), "DET", "Definite=Def", noun, "det")
        if old:
            word(pick(ADJECTIVES), "ADJ", "Degree=Pos", noun, "amod")
        return word(pick(NOUNS), "NOUN", "Number=Sing", head, deprel)

    # The verb's number is known once the subject's length is: two words or three.
    subject_is_long = pick(["yes", "no"]) == "yes"
    verb = 4 if subject_is_long else 3
    word("the", "DET", "Definite=Def", verb - 1, "det")
    if subject_is_long:
        word(pick(ADJECTIVES), "ADJ", "Degree=Pos", verb - 1, "amod")
    word(pick(NOUNS), "NOUN", "Number=Sing", verb, "nsubj")
    word(pick(VERBS), "VERB", "Tense=Pres", 0, "root")
    last = noun_phrase(verb, "obj", verb + 1)
    if pick(["yes", "no"]) == "yes":
        rows.append(MultiwordToken(last + 1, last + 2, "del"))
        word("de", "ADP", "_", last + 3, "case")
        word("el", "DET", "Definite=Def|Gender=Masc", last + 3, "det")
        last = word(pick(NOUNS), "NOUN", "Number=Sing", last, "nmod:of")
    word(".", "PUNCT", "_", verb, "punct")
    return Sentence(tuple(rows))


def tokens_of(sentences: list[Sentence]) -> list[list[str]]:
    """The tokens as written."""
    return [[token.form for token in sentence.tokens] for sentence in sentences]
