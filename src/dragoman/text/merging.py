"""Tokens as written: the words of a multiword token (Spanish *del*, French *au*, English *don't*) as one word.

Treebanks split such tokens into syntactic words; translations are not split. The merged word

- has the parts of speech of its parts, joined by `+` (`ADP+DET`), and likewise XPOS and lemma;
- hangs where the part nearest to the root hangs (the first of equals), with that part's relation; what hung on any part
  hangs on it, and arcs between parts are gone;
- has the morphological features of that part, and of the others those that it lacks.

Empty nodes and enhanced graphs speak of words that are not there any more, and are dropped.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from dragoman.text.conllu import NOTHING, MultiwordToken, Sentence, Word

__all__ = ["merge_multiword_tokens"]


def merge_multiword_tokens(sentence: Sentence) -> Sentence:
    """The sentence with one word for each token of its text; `sentence` must be a tree, or have no heads at all."""
    words = sentence.words
    ranges = [row for row in sentence.rows if isinstance(row, MultiwordToken)]
    if not ranges and len(words) == len(sentence.rows):
        return sentence
    # old id → new id; the root stays the root
    ids = {0: 0}
    parts: list[tuple[MultiwordToken | None, Sequence[Word]]] = []
    starts = {row.first: row for row in ranges}
    place = 0
    while place < len(words):
        token = starts.get(words[place].id)
        group = words[place : token.last] if token else words[place : place + 1]
        parts.append((token, group))
        ids.update((word.id, len(parts)) for word in group)
        place += len(group)
    rows = []
    for number, (token, members) in enumerate(parts, start=1):
        top = min(members, key=lambda word: _depth(word, words)) if token else members[0]
        merged = _merged(token, members, top) if token else top
        head = None if top.head is None else ids[top.head]
        rows.append(replace(merged, id=number, head=head, deps=NOTHING))
    return Sentence(tuple(rows), sentence.comments, sentence.line)


def _depth(word: Word, words: Sequence[Word]) -> int:
    # A tree's part nearest to the root has no other part above it, so that merging cannot close a circle.
    depth = 0
    while word.head:
        word = words[word.head - 1]
        depth += 1
        if depth > len(words):
            break
    return depth


def _merged(token: MultiwordToken, parts: Sequence[Word], top: Word) -> Word:
    features = top.features
    for part in parts:
        features = part.features | features
    feats = "|".join(f"{name}={features[name]}" for name in sorted(features, key=str.lower)) or NOTHING
    return Word(
        id=top.id,
        form=token.form,
        lemma=_joined([part.lemma for part in parts]),
        upos=_joined([part.upos for part in parts]),
        xpos=_joined([part.xpos for part in parts]),
        feats=feats,
        head=top.head,
        deprel=top.deprel,
        misc=token.misc,
    )


def _joined(values: Sequence[str]) -> str:
    return NOTHING if all(value == NOTHING for value in values) else "+".join(values)
