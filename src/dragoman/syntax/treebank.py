"""A treebank as arrays: what the kernels learn from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

from dragoman._core import syntax as core
from dragoman.errors import DataError
from dragoman.text.conllu import NOTHING, Sentence
from dragoman.text.merging import merge_multiword_tokens

__all__ = ["Labels", "Treebank", "gather"]

LabelIds = NDArray[np.uint16]
_MOST_LABELS = 16_000  # of a layer; a step of the parser is one of twice as many classes, in 16 bits


@dataclass(frozen=True)
class Labels:
    """The labels of each layer, sorted; a label's number is its place. Layers that a treebank lacks have `_` alone."""

    upos: tuple[str, ...]
    feats: tuple[str, ...]
    xpos: tuple[str, ...]
    deprel: tuple[str, ...]
    scripts: tuple[str, ...] = (NOTHING,)  # from forms to lemmas

    @property
    def root(self) -> int:
        """The number of the relation of roots."""
        return self.deprel.index("root")


@dataclass(frozen=True, eq=False)
class Treebank:
    """Sentences as flat arrays: sentence i has the tokens [offsets[i], offsets[i + 1])."""

    tokens: list[str]
    offsets: NDArray[np.int64]
    labels: Labels
    upos: LabelIds
    feats: LabelIds
    xpos: LabelIds
    heads: NDArray[np.int32]
    projective: NDArray[np.int32]  # the heads, with arcs that cross others lifted
    relations: LabelIds
    n_lifted: int  # arcs that crossed others and were lifted
    fingerprint: str  # SHA-256 of the sentences
    lemmas: tuple[str, ...] = ()  # as they stand there; none unless they are asked for

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def take(self, sentences: NDArray[np.int64]) -> tuple[Part, NDArray[np.int64]]:
        """The tokens of some sentences, looked at, and where they stand among all."""
        lengths = np.diff(self.offsets)[sentences]
        offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        # The k-th token of the part is the sentence's first plus what is left of k.
        places = np.repeat(self.offsets[sentences] - offsets[:-1], lengths) + np.arange(offsets[-1])
        return core.TokenLooks([self.tokens[i] for i in places.tolist()], offsets), places


Part = core.TokenLooks


def gather(sentences: Iterable[Sentence], *, merge: bool = True, xpos: bool = True, lemmas: bool = False) -> Treebank:
    """Check sentences and turn them into arrays; one that is no tree raises `DataError` with its number."""
    tokens: list[str] = []
    offsets = [0]
    columns: dict[str, list[str]] = {"upos": [], "feats": [], "xpos": [], "deprel": []}
    base_forms: list[str] = []
    heads: list[int] = []
    digest = sha256()
    for number, sentence in enumerate(sentences, start=1):
        if not isinstance(sentence, Sentence):
            raise DataError(f"Sentence {number} is no Sentence of CoNLL-U but {type(sentence).__name__}.")
        try:
            words = (merge_multiword_tokens(sentence.check_tree()) if merge else sentence.check_tree()).words
        except DataError as error:
            where = f" (line {sentence.line} of its file)" if sentence.line else ""
            raise DataError(f"Sentence {number}{where} cannot be learnt from: {error}") from None
        for word in words:
            tokens.append(word.form)
            heads.append(word.head or 0)
            base_forms.append(word.lemma)
            for name, values in columns.items():
                values.append(getattr(word, name))
            digest.update("\t".join(word.columns()).encode())
            digest.update(b"\n")
        offsets.append(len(tokens))
    if not tokens:
        raise DataError("There is no sentence to learn from.")
    if all(value == NOTHING for value in columns["upos"]):
        raise DataError("The treebank has no parts of speech (UPOS); there is nothing to tag.")
    columns["deprel"] = _relations(columns["deprel"], heads)
    if not xpos:
        columns["xpos"] = [NOTHING] * len(tokens)
    names, ids = {}, {}
    for name, values in columns.items():
        extra = {"root", "dep"} if name == "deprel" else set()
        names[name], ids[name] = _numbered(name, values, extra)
    bounds = np.array(offsets, dtype=np.int64)
    all_heads = np.array(heads, dtype=np.int32)
    projective, lifted = core.projectivise(all_heads, bounds)
    return Treebank(
        tokens=tokens,
        offsets=bounds,
        labels=Labels(**names),
        upos=ids["upos"],
        feats=ids["feats"],
        xpos=ids["xpos"],
        heads=all_heads,
        projective=projective,
        relations=ids["deprel"],
        n_lifted=int(lifted.sum()),
        fingerprint=digest.hexdigest(),
        lemmas=tuple(base_forms) if lemmas else (),
    )


def _relations(values: Sequence[str], heads: Sequence[int]) -> list[str]:
    # The one word on the root is `root` and no other is: the parser knows no other trees.
    return [
        "root" if head == 0 else "dep" if value in {"root", NOTHING} else value
        for value, head in zip(values, heads, strict=True)
    ]


def _numbered(name: str, values: Sequence[str], extra: set[str]) -> tuple[tuple[str, ...], LabelIds]:
    known = tuple(sorted({*values, *extra}))
    if len(known) > _MOST_LABELS:
        raise DataError(f"The treebank has {len(known)} different values of {name}; at most {_MOST_LABELS} are learnt.")
    number = {label: i for i, label in enumerate(known)}
    return known, np.array([number[value] for value in values], dtype=np.uint16)
