"""Learnt filters: a recipe trained on a bitext gives an artifact that scores pairs, the higher the better.

A recipe of your own derives from `PairRecipe`: which models it learns of tokenised lines, and how these score pairs.
Name it in an entry point of the group `dragoman.pair_scorer`.
"""

from __future__ import annotations

import json
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np

from dragoman.align.text import LONGEST
from dragoman.artifact import Artifact, Manifest
from dragoman.data.bitext import Bitext
from dragoman.data.parallel import check_parallel
from dragoman.errors import DataError, ModelError
from dragoman.learn.preparation import spread_out
from dragoman.notation import count_of, finite_number, parse_json
from dragoman.options import Recipe, option
from dragoman.registry import Registry
from dragoman.report import Column, Result, Table
from dragoman.stats.arrays import Floats
from dragoman.text import TOKENISERS
from dragoman.text.casing import lowercase

__all__ = ["PAIR_SCORERS", "PairRecipe", "PairScorer", "PairScores", "score_pairs"]

PAIR_SCORERS: Registry[PairRecipe] = Registry(
    "pair scorer",
    {"language-models": "dragoman.corpus.learnt:LanguageModels", "model1": "dragoman.corpus.learnt:Model1"},
)

_ABOUT = "scorer.json"


@dataclass(frozen=True)
class PairRecipe(Recipe):
    """How to learn what good pairs look like, from a bitext most of whose pairs are good."""

    name: ClassVar[str]
    kinds: ClassVar[Mapping[str, type[Artifact]]]  # of its models, by their names

    tokeniser: str = option("13a", text="cuts both sides into words")
    most: int = option(200_000, low=2, text="pairs that are learnt from, evenly spread")

    @abstractmethod
    def learn(self, sources: Sequence[str], targets: Sequence[str], n_threads: int) -> dict[str, Artifact]:
        """Models of tokenised, lower-cased lines, none of them empty."""

    @abstractmethod
    def values(
        self, models: Mapping[str, Any], sources: Sequence[str], targets: Sequence[str], n_threads: int
    ) -> Floats:
        """The score of each pair of such lines: finite, higher is better."""

    def train(self, bitext: Bitext, *, n_threads: int = 1) -> PairScorer:
        """Learn from a bitext, and see how its own pairs score."""
        self.check()
        n_pairs = sum(len(batch.srcs) for batch in bitext.batches())
        chosen = np.zeros(n_pairs, dtype=np.uint8)
        chosen[spread_out(n_pairs, self.most)] = 1
        pairs = [
            (src, tgt)
            for batch in bitext.choose(chosen.tobytes()).batches()
            for src, tgt in zip(batch.srcs, batch.tgts, strict=True)
        ]
        sources, targets = (self.cut([pair[side] for pair in pairs], n_threads) for side in (0, 1))
        full = [place for place, both in enumerate(zip(sources, targets, strict=True)) if all(both)]
        if len(full) < 2:
            raise DataError(
                f"{bitext.label}: {len(full)} of {n_pairs} pairs have words on both sides; there is nothing to "
                "learn from."
            )
        sources, targets = ([lines[place] for place in full] for lines in (sources, targets))
        models = self.learn(sources, targets, n_threads)
        own = self.values(models, sources, targets, n_threads)
        marks = {
            side: sha256("\n".join(lines).encode()).hexdigest()
            for side, lines in (("sources", sources), ("targets", targets))
        }
        return PairScorer(
            self, models, mean=float(own.mean()), deviation=float(own.std()), n_pairs=len(full), data=marks
        )

    def cut(self, lines: Sequence[str], n_threads: int) -> list[str]:
        """Lines as models see them; of one that has more words than an aligner takes, the first."""
        cut = TOKENISERS.make(self.tokeniser).tokenise(list(lines), n_threads=n_threads)
        return [line if line.count(" ") < LONGEST else " ".join(line.split(" ")[:LONGEST]) for line in lowercase(cut)]


class PairScorer(Artifact):
    """Scores pairs of lines as they stand in a corpus."""

    kind: ClassVar[str] = "pair scorer"
    format: ClassVar[int] = 1

    def __init__(
        self,
        recipe: PairRecipe,
        models: Mapping[str, Artifact],
        *,
        mean: float,
        deviation: float,
        n_pairs: int,
        data: Mapping[str, str],
    ) -> None:
        self.recipe: PairRecipe = recipe
        self.models = dict(models)
        self.mean, self.deviation = mean, deviation  # of the pairs learnt from
        self.n_pairs = n_pairs
        self.data = dict(data)

    def score(self, srcs: Sequence[str], tgts: Sequence[str], *, n_threads: int = 1) -> Floats:
        """The score of each pair, −∞ where a side has no words."""
        check_parallel({"srcs": srcs, "tgts": tgts})
        sources, targets = (self.recipe.cut(lines, n_threads) for lines in (srcs, tgts))
        full = [place for place, both in enumerate(zip(sources, targets, strict=True)) if all(both)]
        scores = np.full(len(srcs), -np.inf)
        if full:
            left, right = ([lines[place] for place in full] for lines in (sources, targets))
            scores[full] = self.recipe.values(self.models, left, right, n_threads)
        return scores

    def bar(self, deviations: float = 1.0) -> float:
        """The score so many standard deviations below the mean of the pairs learnt from."""
        return self.mean - deviations * self.deviation

    def _write(self, folder: Path) -> None:
        for name, model in self.models.items():
            model.save(folder / name)
        about = {"scorer": self.recipe.name, "mean": self.mean, "deviation": self.deviation, "n_pairs": self.n_pairs}
        (folder / _ABOUT).write_text(json.dumps(about) + "\n", encoding="utf-8")

    @classmethod
    def _read(cls, folder: Path, manifest: Manifest) -> Self:
        about = parse_json((folder / _ABOUT).read_bytes(), path=folder / _ABOUT)
        try:
            recipe = PAIR_SCORERS.get(about["scorer"]).from_dict(manifest.recipe)
            models = {name: kind.load(folder / name) for name, kind in recipe.kinds.items()}
            mean, deviation = (finite_number(about[name]) for name in ("mean", "deviation"))
            return cls(
                recipe, models, mean=mean, deviation=deviation, n_pairs=count_of(about["n_pairs"]), data=manifest.data
            )
        except (KeyError, TypeError) as error:
            raise ModelError(f"{folder} is a damaged pair scorer: {error}. Train it again.") from None


@dataclass(frozen=True, eq=False)
class PairScores(Result):
    """The scores of a bitext's pairs."""

    kind: ClassVar[str] = "pair scores"

    scores: Floats
    scorer: str
    bar: float

    def tables(self) -> list[Table]:
        """A row a pair, counted from 1; no score where a side has no words."""
        rows = [(number, None if score == -np.inf else score) for number, score in enumerate(self.scores.tolist(), 1)]
        below = int((self.scores < self.bar).sum())
        note = (
            f"{self.scorer}: higher is better. {below} of {len(rows)} pairs lie below {self.bar:.4f}, a standard "
            "deviation under the mean of the pairs learnt from."
        )
        return [Table.of("Pair scores", [Column("pair"), Column("score", digits=4)], rows, note=note)]

    def meta(self) -> dict[str, Any]:
        """Who scored, and the bar."""
        return {"scorer": self.scorer, "pairs": len(self.scores), "bar": self.bar}


def score_pairs(bitext: Bitext, scorer: PairScorer, *, n_threads: int = 1) -> PairScores:
    """The scores of all pairs of a bitext, batch by batch."""
    parts = [scorer.score(batch.srcs, batch.tgts, n_threads=n_threads) for batch in bitext.batches()]
    return PairScores(np.concatenate([np.zeros(0), *parts]), scorer.recipe.name, scorer.bar())
