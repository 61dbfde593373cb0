"""Tagging names: persons, places, organisations, or whatever kinds annotated text tells apart.

A linear chain, trained as a conditional random field (Lafferty et al. 2001; McCallum & Li 2003) or a perceptron
(Collins 2002), labels each token; a label that cannot stand where it would is never given.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import ClassVar, Self

import numpy as np

from dragoman.artifact import Artifact, Manifest
from dragoman.errors import DataError, ModelError
from dragoman.learn.chain import Chain, fit_crf, fit_perceptron
from dragoman.options import Recipe, option
from dragoman.syntax.name_features import NameColumns, NameEncoder, NameLists
from dragoman.syntax.named import OUTSIDE, Name, NamedSentence, names_of
from dragoman.text.annotate.base import check_tokens

__all__ = ["NameRecipe", "NameTagger"]

_ABOUT = "names.json"
_WEIGHTS = ("emissions", "transitions")
_NEVER = -1e6  # a transition that must not be


@dataclass(frozen=True)
class NameRecipe(Recipe):
    """How to learn a tagger of names."""

    learner: str = option("crf", choices=("crf", "perceptron"), text="conditional random field, or perceptron")
    epochs: int = option(20, low=1, high=1000, text="rounds over the sentences")
    penalty: float = option(1e-3, low=0, text="λ of λ/2·w², for a sentence seen (crf)")
    least: int = option(1, low=1, text="how often a feature must be there to be learnt from")

    def train(
        self, sentences: Iterable[NamedSentence], *, lists: Mapping[str, Sequence[str]] | None = None, seed: int = 1
    ) -> NameTagger:
        """Learn from sentences whose names are marked. `lists` are names of a kind, such as places, by any title."""
        self.check()
        read = [sentence for sentence in sentences if sentence.tokens]
        kinds = sorted({name.kind for sentence in read for name in sentence.names})
        if not kinds:
            raise DataError("There is no name to learn from: the sentences have none marked.")
        check_tokens([sentence.tokens for sentence in read])
        labels = (OUTSIDE, *(f"{mark}-{kind}" for kind in kinds for mark in "BI"))
        number = {label: place for place, label in enumerate(labels)}
        known = NameLists(lists or {})
        columns = NameColumns.of([sentence.tokens for sentence in read], known)
        encoder = NameEncoder.fit(columns, least=self.least)
        vectors = encoder.vectors(columns)
        wanted = np.array([number[label] for sentence in read for label in sentence.labels], dtype=np.int32)
        if self.learner == "crf":
            chain = fit_crf(vectors, wanted, len(labels), epochs=self.epochs, penalty=self.penalty, seed=seed)
        else:
            chain = fit_perceptron(vectors, wanted, len(labels), epochs=self.epochs, seed=seed)
        digest = sha256()
        for sentence in read:
            digest.update(json.dumps([sentence.tokens, sentence.labels]).encode())
        counts = {"sentences": len(read), "tokens": len(wanted), "names": sum(len(each.names) for each in read)}
        return NameTagger(
            self, labels, encoder, known, chain, counts=counts, seed=seed, data={"sentences": digest.hexdigest()}
        )


class NameTagger(Artifact):
    """Finds names in lines of tokens."""

    kind: ClassVar[str] = "name tagger"
    format: ClassVar[int] = 1

    recipe: NameRecipe

    def __init__(
        self,
        recipe: NameRecipe,
        labels: Sequence[str],
        encoder: NameEncoder,
        lists: NameLists,
        chain: Chain,
        *,
        counts: Mapping[str, int],
        seed: int,
        data: Mapping[str, str],
    ) -> None:
        self.recipe = recipe
        self.labels = tuple(labels)
        self.counts = dict(counts)  # what it learnt from: sentences, tokens, names
        self.lists = lists
        self.seed = seed
        self.data = dict(data)
        self._encoder = encoder
        self._chain = chain
        self._allowed = Chain(chain.emissions, np.where(_may_follow(self.labels), chain.transitions, _NEVER))

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of names it tells apart."""
        return tuple(label[2:] for label in self.labels if label.startswith("B-"))

    def tag(self, token_lines: Sequence[Sequence[str]], *, n_threads: int = 1) -> list[tuple[Name, ...]]:
        """The names of each line, in order."""
        return [names_of(labels) for labels in self.label(token_lines, n_threads=n_threads)]

    def label(self, token_lines: Sequence[Sequence[str]], *, n_threads: int = 1) -> list[list[str]]:
        """The label of each token, IOB2: `B-PER`, `I-PER`, `O`."""
        check_tokens(token_lines)
        columns = NameColumns.of(token_lines, self.lists)
        margins = self._allowed.margins(self._encoder.vectors(columns), n_threads=n_threads)
        best = [self.labels[place] for place in np.argmax(margins, axis=1).tolist()]
        return [best[begin:end] for begin, end in pairwise(columns.offsets.tolist())]

    def _write(self, folder: Path) -> None:
        about = {
            "labels": list(self.labels),
            "counts": self.counts,
            "features": self._encoder.known,
            "lists": self.lists.lists,
        }
        (folder / _ABOUT).write_text(json.dumps(about, ensure_ascii=False) + "\n", encoding="utf-8")
        for name in _WEIGHTS:
            np.save(folder / f"{name}.npy", getattr(self._chain, name), allow_pickle=False)

    @classmethod
    def _read(cls, folder: Path, manifest: Manifest) -> Self:
        try:
            about = json.loads((folder / _ABOUT).read_text(encoding="utf-8"))
            chain = Chain(*(np.load(folder / f"{name}.npy", allow_pickle=False) for name in _WEIGHTS))
            labels, encoder = tuple(about["labels"]), NameEncoder(about["features"])
            if chain.emissions.shape != (encoder.n_features, len(labels)):
                raise ValueError(f"weights of shape {chain.emissions.shape}")
            if chain.transitions.shape != (len(labels) + 1, len(labels)):
                raise ValueError(f"transitions of shape {chain.transitions.shape}")
            found = cls(
                NameRecipe.from_dict(manifest.recipe),
                labels,
                encoder,
                NameLists(about["lists"]),
                chain,
                counts=about["counts"],
                seed=manifest.seed or 0,
                data=manifest.data,
            )
            found.label([["a"]])  # a feature that this version does not make is missed when it is asked for
            return found
        except (ValueError, KeyError, TypeError, AttributeError, OSError) as error:
            raise ModelError(f"{folder} is a damaged name tagger: {error}. Train it again.") from None


def _may_follow(labels: Sequence[str]) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
    """Which label may stand behind which, the last row being the line's start: `I-` needs a name of its kind before."""
    may = np.ones((len(labels) + 1, len(labels)), dtype=bool)
    for place, label in enumerate(labels):
        if label.startswith("I-"):
            may[:, place] = [*(before[2:] == label[2:] for before in labels), False]
    return may
