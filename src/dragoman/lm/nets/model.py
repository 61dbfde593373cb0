"""A net as a language model: what a back-off model answers, from projected words."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from dragoman import _core
from dragoman.artifact import Artifact, Manifest
from dragoman.errors import DataError
from dragoman.lm.model import ScoredTokens
from dragoman.lm.nets.examples import history, log_p_of
from dragoman.lm.nets.outputs import UNKNOWN, OutputWords
from dragoman.lm.nets.recipe import NetRecipe
from dragoman.lm.nets.storage import read_net

__all__ = ["NetModel"]

_NET, _WORDS = "net.bin", "words.txt"


class NetModel(Artifact):
    """log10 probabilities of words after those before them. Words that it does not know are scored as `<unk>`.

    Inputs are numbered like outputs; the number behind the last is that of what lies before a sentence.
    """

    kind: ClassVar[str] = "net language model"
    format: ClassVar[int] = 1

    recipe: NetRecipe

    def __init__(
        self,
        net: _core.net.Net,
        words: OutputWords,
        recipe: NetRecipe,
        *,
        seed: int,
        data: Mapping[str, str] | None = None,
    ) -> None:
        self.net = net
        self.output_words = words
        self.recipe = recipe
        self.seed: int = seed
        self.data = dict(data or {})

    def __repr__(self) -> str:
        return f"<NetModel of order {self.order}: {len(self.output_words):,} words>"

    @property
    def order(self) -> int:
        """The length of the n-grams."""
        return self.recipe.order

    @staticmethod
    def shape(recipe: NetRecipe, words: OutputWords) -> _core.net.Shape:
        """The sizes of a net by this recipe over these words."""
        return _core.net.Shape.make(
            n_inputs=len(words) + 1,
            n_slots=recipe.order - 1,
            projection=recipe.projection,
            hidden=recipe.hidden,
            hidden2=recipe.hidden2,
            class_offsets=words.offsets,
        )

    def words(self) -> list[str]:
        """The vocabulary: `<unk>`, `<s>`, `</s>`, then the words."""
        unknown, end, *words = self.output_words.words
        return [unknown, "<s>", end, *words]

    def score_tokens(
        self, lines: Sequence[str], *, bos: bool = True, eos: bool = True, n_threads: int = 1
    ) -> ScoredTokens:
        """Token by token; with `eos` the last token of a line is `</s>`. Every n-gram is found in full length."""
        if not bos:
            raise DataError("A net knows words from a sentence's beginning on; it cannot score what has none.")
        text = self.output_words.encode(lines, n_threads=n_threads)
        examples = history(text, self.order - 1, len(self.output_words))
        log_p = log_p_of(self.net, examples, n_threads=n_threads) / math.log(10)
        unknown, offsets = text.ids == UNKNOWN, text.offsets
        if not eos:
            inner = np.ones(len(log_p), dtype=np.bool_)
            inner[offsets[1:] - 1] = False
            log_p, unknown, offsets = log_p[inner], unknown[inner], offsets - np.arange(len(offsets), dtype=np.int64)
        n_matched = np.full(len(log_p), self.order, dtype=np.uint8)
        return ScoredTokens(log_p.astype(np.float32), n_matched, unknown, offsets, ends=eos)

    def score(
        self, lines: Sequence[str], *, bos: bool = True, eos: bool = True, n_threads: int = 1
    ) -> NDArray[np.float64]:
        """log10 of the probability of each line."""
        scored = self.score_tokens(lines, bos=bos, eos=eos, n_threads=n_threads)
        sums = np.concatenate([[0.0], np.cumsum(scored.log_p.astype(np.float64))])
        return np.diff(sums[scored.offsets])

    def _write(self, folder: Path) -> None:
        (folder / _NET).write_bytes(self.net.serialised())
        self.output_words.write(folder / _WORDS)

    @classmethod
    def _read(cls, folder: Path, manifest: Manifest) -> Self:
        recipe = NetRecipe.from_dict(manifest.recipe).check()
        words = OutputWords.read(folder / _WORDS)
        net = read_net(
            folder / _NET,
            n_inputs=len(words) + 1,
            n_slots=recipe.order - 1,
            class_offsets=words.offsets.tolist(),
        )
        return cls(net, words, recipe, seed=manifest.seed or 0, data=manifest.data)
