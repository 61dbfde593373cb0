"""Metrics of vectors that an encoder gives: BERTScore (Zhang et al., ICLR 2020), and the cosine of sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import DataError
from dragoman.metrics.base import BestReference, Rows, mean_rows, ratio
from dragoman.metrics.references import References, ScoredText
from dragoman.options import option
from dragoman.rng import Stream
from dragoman.text.encoders import Encoded, Encoder, make_encoder

__all__ = ["BertScore", "BertScoreIdf", "Cosine", "chance_score", "match_score"]

Floats = NDArray[np.float64]
Weights = Mapping[str, float]

_LONGEST = 8_000  # tokens: every token of a text is compared with every token of the other
_ROWS = 1_000  # tokens compared at a time
_MEASURES = ("f", "precision", "recall")


@dataclass(frozen=True)
class _EncodedMetric(BestReference):
    """A mean of segment scores by an encoder's vectors; of several references the best one counts."""

    level: ClassVar[Literal["corpus", "segment"]] = "segment"
    bounds: ClassVar[tuple[float, float]] = (-100.0, 100.0)
    quick: ClassVar[bool] = False

    encoder: str = option("", positional=True, text="encoder: a folder of transformers', or NAME:OPTIONS")
    baseline: float = option(0.0, low=-0.99, high=0.99, text="similarity that is 0 points: that of chance pairs")

    def check(self) -> Self:
        """The metric, if it is said whose vectors are compared."""
        super().check()
        if not self.encoder:
            raise DataError(
                f"The metric {self.name} needs an encoder: {self.name}:FOLDER, a model of the library transformers. "
                f"Nothing is downloaded here. {self.name}:spelling compares words by their letters alone."
            )
        return self

    @property
    def label(self) -> str:
        """The published name where a net gives the vectors; `BERTScore:spelling` where letters do."""
        name = self.label_pattern.partition("(")[0]
        return f"{name}:spelling" if self.encoder.partition(":")[0] == "spelling" else name

    def made(self) -> Encoder:
        """The encoder."""
        return make_encoder(self.encoder)

    def signature_options(self) -> dict[str, Any]:
        """The options, and the encoder's content."""
        options = super().signature_options()
        spec = f"({self.encoder})" if "," in self.encoder else self.encoder
        return {**options, "encoder": spec, "content": self.made().fingerprint or None}

    def values(self, totals: Rows) -> Floats:
        """Means of segment scores."""
        totals = np.asarray(totals, dtype=np.float64)
        return ratio(totals[..., 0], totals[..., 1])

    def points(self, similarity: Floats) -> Rows:
        """Similarities as rows: 100 for 1, 0 for the baseline; what is lower than -100 is -100."""
        return mean_rows(np.clip(100 * (similarity - self.baseline) / (1 - self.baseline), -100, 100))


@dataclass(frozen=True)
class BertScore(_EncodedMetric):
    """BERTScore: each token with the most similar one of the other text, by the vectors of an encoder (eqs. 1-3).

    Tokens that a net's tokeniser adds have no part. `bertscore:spelling` has letters instead of a net: another metric.
    """

    name: ClassVar[str] = "bertscore"
    label_pattern: ClassVar[str] = "BERTScore(:spelling)?"

    measure: str = option("f", choices=_MEASURES, text="what of the matches is reported")

    def prepare(self, text: ScoredText, n_threads: int) -> list[list[Encoded]]:  # noqa: ARG002
        """The vectors of all systems, and behind them of all references."""
        encoder = self.made()
        streams = [*text.systems, *(text.refs.lines(number) for number in range(len(text.refs.streams)))]
        return [_checked(encoder.encode(lines)) for lines in streams]

    def weights(self, texts: Sequence[Encoded]) -> Weights | None:  # noqa: ARG002
        """What a token weighs beside the texts of a reference; None: all alike."""
        return None

    def reference_rows(self, prepared: list[list[Encoded]], refs: References, number: int, n_threads: int) -> Rows:  # noqa: ARG002
        """The score of each segment, and 1."""
        n_refs = len(refs.streams)
        systems, ref = prepared[:-n_refs], prepared[len(prepared) - n_refs + number]
        weights = self.weights([each for each, there in zip(ref, refs.present[number], strict=True) if there])
        place = _MEASURES.index(self.measure)
        scores = [
            [match_score(hyp, each, weights)[place] for hyp, each in zip(hyps, ref, strict=True)] for hyps in systems
        ]
        return self.points(np.array(scores, dtype=np.float64).reshape(len(systems), len(ref)))


@dataclass(frozen=True)
class BertScoreIdf(BertScore):
    """BERTScore whose tokens weigh the more the fewer reference sentences have them (§3, importance weighting).

    idf(w) = ln((M + 1) / (1 + sentences that have w)), of the M sentences of the reference compared with.
    """

    name: ClassVar[str] = "bertscore-idf"
    label_pattern: ClassVar[str] = "BERTScore-idf(:spelling)?"
    local: ClassVar[bool] = False

    def weights(self, texts: Sequence[Encoded]) -> Weights:
        """The rarer, the heavier."""
        having = Counter(token for each in texts for token in set(each.tokens))
        return _Idf({token: float(np.log((len(texts) + 1) / (1 + n))) for token, n in having.items()}, len(texts))


class _Idf(dict[str, float]):
    """Weights by token; one that no reference has weighs most."""

    def __init__(self, weights: Mapping[str, float], n_texts: int) -> None:
        super().__init__(weights)
        self._most = float(np.log(n_texts + 1))

    def __missing__(self, _: str) -> float:
        return self._most


@dataclass(frozen=True)
class Cosine(_EncodedMetric):
    """The cosine of the sentences' vectors: how alike an encoder finds a translation and its reference."""

    name: ClassVar[str] = "cosine"
    label_pattern: ClassVar[str] = "cosine(:spelling)?"

    def prepare(self, text: ScoredText, n_threads: int) -> list[Floats]:  # noqa: ARG002
        """The vectors of all systems' sentences."""
        encoder = self.made()
        return [encoder.sentences(lines).astype(np.float64) for lines in text.systems]

    def reference_rows(self, prepared: list[Floats], refs: References, number: int, n_threads: int) -> Rows:  # noqa: ARG002
        """The cosine of each segment, and 1; texts without tokens are alike."""
        ref = self.made().sentences(refs.lines(number)).astype(np.float64)
        scores = [_cosines(hyps, ref) for hyps in prepared]
        return self.points(np.array(scores).reshape(len(prepared), len(ref)))


def _cosines(hyps: Floats, refs: Floats) -> Floats:
    norms = np.linalg.norm(hyps, axis=1) * np.linalg.norm(refs, axis=1)
    cosines = ratio((hyps * refs).sum(axis=1), norms)
    neither = ~hyps.any(axis=1) & ~refs.any(axis=1)
    return np.where(neither, 1.0, np.minimum(cosines, 1.0))


def match_score(hyp: Encoded, ref: Encoded, weights: Weights | None = None) -> tuple[float, float, float]:
    """F, precision and recall of a pair: means of each token's highest cosine with one of the other side.

    Two texts without tokens agree; one with and one without have nothing in common.
    """
    if not hyp.tokens or not ref.tokens:
        return (1.0,) * 3 if len(hyp.tokens) == len(ref.tokens) else (0.0,) * 3
    ours, theirs = _directions(hyp.vectors), _directions(ref.vectors)
    best_of_hyp = np.concatenate([(ours[k : k + _ROWS] @ theirs.T).max(axis=1) for k in range(0, len(ours), _ROWS)])
    best_of_ref = np.concatenate([(theirs[k : k + _ROWS] @ ours.T).max(axis=1) for k in range(0, len(theirs), _ROWS)])
    precision = _mean(best_of_hyp, hyp.tokens, weights)
    recall = _mean(best_of_ref, ref.tokens, weights)
    total = precision + recall
    return (2 * precision * recall / total if total > 0 else min(precision, recall), precision, recall)


def _directions(vectors: NDArray[np.float32]) -> Floats:
    wide: Floats = vectors.astype(np.float64)
    directions: Floats = wide / np.maximum(np.linalg.norm(wide, axis=1, keepdims=True), 1e-12)
    return directions


def _mean(values: Floats, tokens: Sequence[str], weights: Weights | None) -> float:
    shares = np.ones(len(tokens)) if weights is None else np.array([weights[token] for token in tokens])
    if not shares.any():
        shares = np.ones(len(tokens))  # a text of what every reference has
    return min(1.0, float((values * shares).sum() / shares.sum()))


def _checked(texts: list[Encoded]) -> list[Encoded]:
    for number, each in enumerate(texts, start=1):
        if len(each.tokens) > _LONGEST:
            raise DataError(
                f"Segment {number} has {len(each.tokens)} tokens, too many to compare. Cut it into sentences."
            )
    return texts


def chance_score(encoder: str, lines: Sequence[str], *, n_pairs: int = 1_000, seed: int = 0) -> float:
    """The mean F of pairs of different lines drawn by chance: the `baseline` of such an encoder and text."""
    texts = make_encoder(encoder).encode(lines)
    if len(texts) < 2:
        raise DataError(f"Chance pairs need two lines or more, got {len(texts)}.")
    chance = Stream(seed, "chance pairs").generator()
    firsts = chance.integers(len(texts), size=n_pairs)
    others = (firsts + 1 + chance.integers(len(texts) - 1, size=n_pairs)) % len(texts)
    return float(np.mean([match_score(texts[a], texts[b])[0] for a, b in zip(firsts, others, strict=True)]))
