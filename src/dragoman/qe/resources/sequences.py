"""Models of how machines write and of how people do: outputs and their post-edits as sequences (Pighin et al. 2012)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from dragoman.align.result import AlignmentResult
from dragoman.artifact import Artifact, Manifest
from dragoman.lm import KneserNey, LanguageModel
from dragoman.options import Recipe, option
from dragoman.qe.resources.parses import Flags, Parsed

__all__ = ["CLOSED", "SEQUENCES", "SequenceModels", "SequenceRecipe", "sequence_lines", "source_tags"]

SEQUENCES = ("word", "root", "ending", "root-stop", "ending-stop", "tag-stop", "chain")
CLOSED = ("ADP", "AUX", "CCONJ", "DET", "PART", "PRON", "SCONJ", "PUNCT")  # what open-class words stand out from
_TEXTS = ("outputs", "edits")
_ROOT = 4  # letters


def sequence_lines(
    kind: str, token_lines: Sequence[Sequence[str]], closed: Sequence[Flags], tags: Sequence[Sequence[str]]
) -> list[str]:
    """Lines of tokens as lines of units.

    `word`, `root` (four letters), `ending` (the rest, `-` if there is none); `root-stop`, `ending-stop` and `tag-stop`
    keep words of closed classes and put root, ending or the tags of the aligned source words in place of others;
    `chain` has the runs of two and more words of closed classes, each as one unit.
    """
    return [
        " ".join(_units(kind, [token.lower() for token in tokens], own, linked))
        for tokens, own, linked in zip(token_lines, closed, tags, strict=True)
    ]


def _units(kind: str, words: list[str], closed: Flags, tags: Sequence[str]) -> list[str]:
    if kind == "chain":
        runs = [
            [word for _, word in run]
            for is_stop, run in groupby(_stops(words, closed), key=lambda pair: pair[0])
            if is_stop
        ]
        return ["_".join(run) for run in runs if len(run) > 1]
    instead = {
        "word": words,
        "root": [word[:_ROOT] for word in words],
        "ending": [word[_ROOT:] or "-" for word in words],
        "tag": tags,
    }[kind.removesuffix("-stop")]
    if not kind.endswith("-stop"):
        return list(instead)
    return [word if keep else other for word, keep, other in zip(words, closed.tolist(), instead, strict=True)]


def _stops(words: Sequence[str], closed: Flags) -> list[tuple[bool, str]]:
    """Words, and whether they are of a closed class; marks are kept in sentences but make no chains."""
    return [(own and any(map(str.isalpha, word)), word) for word, own in zip(words, closed.tolist(), strict=True)]


def source_tags(source: Parsed, links: AlignmentResult, offsets: NDArray[np.int64]) -> list[list[str]]:
    """Of each token of the target the tags of the source words that it is linked to, in their order; `*`: none."""
    by_token: list[list[list[str]]] = [[[] for _ in range(int(n))] for n in np.diff(offsets)]
    pair = np.repeat(np.arange(len(offsets) - 1), np.diff(links.offsets))
    for line, (s, t) in zip(pair.tolist(), links.links.tolist(), strict=True):
        by_token[line][t].append(source.tags[int(source.offsets[line]) + s])
    return [["+".join(tags) or "*" for tags in line] for line in by_token]


@dataclass(frozen=True)
class SequenceRecipe(Recipe):
    """How to make models of sequences."""

    order: int = option(3, low=1, high=6, text="order of the models")

    def train(self, lines: Mapping[str, Mapping[str, Sequence[str]]], *, n_threads: int = 1) -> SequenceModels:
        """Learn from lines of units: `lines["outputs"][kind]` and `lines["edits"][kind]`."""
        self.check()
        models = {
            (text, kind): KneserNey(order=self.order).train(each, n_threads=n_threads)
            for text in _TEXTS
            for kind, each in lines[text].items()
        }
        return SequenceModels(self, models)


class SequenceModels(Artifact):
    """A language model of outputs and one of post-edits for each kind of sequence."""

    kind: ClassVar[str] = "sequence models"
    format: ClassVar[int] = 1

    def __init__(
        self,
        recipe: SequenceRecipe,
        models: Mapping[tuple[str, str], LanguageModel],
        *,
        data: Mapping[str, str] | None = None,
    ) -> None:
        self.recipe: SequenceRecipe = recipe
        self.models = dict(models)
        self.data = dict(data or {})

    def __len__(self) -> int:
        """The number of models."""
        return len(self.models)

    @property
    def sizes(self) -> tuple[int, ...]:
        """The number of models."""
        return (len(self),)

    def _write(self, folder: Path) -> None:
        for (text, kind), model in self.models.items():
            model.save(folder / f"{text}.{kind}")

    @classmethod
    def _read(cls, folder: Path, manifest: Manifest) -> Self:
        models = {}
        for path in sorted(folder.iterdir()):
            if path.is_dir():
                text, _, kind = path.name.partition(".")
                models[text, kind] = LanguageModel.load(path)
        return cls(SequenceRecipe.from_dict(manifest.recipe), models, data=manifest.data)
