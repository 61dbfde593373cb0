"""SAGAN: how alike two sentences are in meaning, by WordNet and regression (Castillo & Estrella, WMT 2012)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from dragoman import _core
from dragoman.cache import digest_of
from dragoman.errors import DataError
from dragoman.learn.base import Job
from dragoman.learn.svr import LinearSupportVectors
from dragoman.metrics.base import BestReference, Rows, mean_rows, ratio
from dragoman.metrics.meteor import runs
from dragoman.metrics.references import References, ScoredText
from dragoman.metrics.words import Ids, encode_lines, make_tokeniser
from dragoman.options import option
from dragoman.text import Vocabulary
from dragoman.text.languages import base_language
from dragoman.text.layers import make_annotator
from dragoman.text.taxonomy import Taxonomy, open_taxonomy

__all__ = ["SIMILARITIES", "Sagan", "fit_sagan", "normalised_times", "word_similarities"]

SIMILARITIES = ("resnik", "lin", "jiang-conrath", "pirro-seco", "wu-palmer", "path", "leacock-chodorow", "semsim")
_MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
_SHORT = {month[:3]: month for month in _MONTHS} | {"sept": "september"}
_MONTH = re.compile(rf"\b({'|'.join(_SHORT)})\b\.?(?= \d)|(?<=\d )({'|'.join(_SHORT)})\b\.?")
_ORDINAL = re.compile(rf"(?<=(?:{'|'.join(m[-3:] for m in _MONTHS)}) )(\d{{1,2}})(?:st|nd|rd|th)\b")
_HOUR = re.compile(r"\b(\d{1,2})(?:[:.](\d{2}))? ?([ap])\.?m\b\.?")
_EPSILON = 0.1  # errors that cost nothing, in spreads of the judgements

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class _Text:
    """Lines as ids of one vocabulary, and the meanings of its words."""

    systems: list[Ids]
    streams: list[Ids]
    meanings: dict[str, Any]


@dataclass(frozen=True)
class Sagan(BestReference):
    """SAGAN: the words of both sides are matched so that they are most alike, by eight measures of WordNet's.

    Two words are as alike as those of their meanings that are most alike, whatever the measure says of these: the
    information of what both are kinds of (Resnik, Lin, Jiang & Conrath, Pirrò & Seco), or its place in the taxonomy
    (Wu & Palmer, path, Leacock & Chodorow); the eighth matches by the most of these. Words that WordNet does not have,
    and function words, are alike if they are the same. Support-vector regression from judgements weighs the eight
    (`dragoman metric train`); without, the score is their mean. English only, as WordNet is.
    """

    name: ClassVar[str] = "sagan"
    label_pattern: ClassVar[str] = "SAGAN"
    quick: ClassVar[bool] = False

    lang: str = option("en", positional=True, text="language of the text; WordNet is English")
    wordnet: str | None = option(None, text="folder or zip of WordNet's database files; searched for by default")
    tokeniser: str = option("13a", text="how lines are cut into words: a name, perhaps with options")
    weights: tuple[float, ...] = option((), text="of the eight similarities, as training finds them")
    offset: float = option(0.0, low=-1e6, high=1e6, text="of the judgements' scale; with weights only")
    top: float = option(5.0, low=1e-6, high=1e6, text="the best judgement; with weights only")
    trained: str | None = option(None, text="fingerprint of the judgements that weights were learnt from")

    def check(self) -> Self:
        """The metric itself if its options are sound."""
        super().check()
        make_tokeniser(self.tokeniser)
        if base_language(self.lang) != "en":
            raise DataError(f"SAGAN is for English, as WordNet is; the text is in {self.lang!r}.")
        if self.weights and len(self.weights) != len(SIMILARITIES):
            raise DataError(f"SAGAN has {len(SIMILARITIES)} weights, got {len(self.weights)}.")
        return self

    def resources(self) -> dict[str, str]:
        """What it looks up words in, by the digest of its content."""
        taxonomy = open_taxonomy(self.wordnet)
        return {"wordnet": digest_of(taxonomy.content.tobytes() + taxonomy.ancestors.tobytes())}

    def signature_options(self) -> dict[str, Any]:
        """The options; weights only where they were learnt."""
        return super().signature_options() | {"weights": self.weights or None}

    def prepare(self, text: ScoredText, n_threads: int) -> _Text:
        """All lines as ids of one vocabulary, with the meanings of its words."""
        taxonomy = open_taxonomy(self.wordnet)
        vocabulary = Vocabulary()

        def ids(lines: Sequence[str]) -> Ids:
            cut = [normalised_times(line.lower()) for line in lines]
            return encode_lines(cut, self.tokeniser, lowercase=False, vocabulary=vocabulary, n_threads=n_threads)

        systems = [ids(lines) for lines in text.systems]
        streams = [ids(text.refs.lines(number)) for number in range(len(text.refs.streams))]
        return _Text(systems, streams, _meanings(taxonomy, vocabulary.words()))

    def reference_rows(self, prepared: _Text, refs: References, number: int, n_threads: int) -> Rows:  # noqa: ARG002
        """A segment's score against one of the references, and 1."""
        return mean_rows(100.0 * self.combined(self.reference_features(prepared, number, n_threads)))

    def reference_features(self, prepared: _Text, number: int, n_threads: int) -> Array:
        """The eight similarities to one of the references: array (systems, segments, 8)."""
        ref = prepared.streams[number]
        return np.stack(
            [_core.metrics.sagan(*hyp, *ref, **prepared.meanings, n_threads=n_threads) for hyp in prepared.systems]
        )

    def combined(self, features: Array) -> Array:
        """Their mean, or what regression makes of them by the best judgement, from 0 to 1."""
        if not self.weights:
            means: Array = features.mean(axis=-1)
            return means
        scores: Array = np.clip((features @ np.array(self.weights) + self.offset) / self.top, 0.0, 1.0)
        return scores

    def values(self, totals: Rows) -> Array:
        """Means of segment scores."""
        totals = np.asarray(totals, dtype=np.float64)
        return ratio(totals[..., 0], totals[..., 1])


def fit_sagan(start: Sagan, features: Array, judgements: Array, *, top: float, c: float) -> Sagan:
    """SAGAN with the weights that linear support-vector regression gives the similarities."""
    learner = LinearSupportVectors()
    learner.ready()
    mean, spread = float(judgements.mean()), float(judgements.std())
    setting = {"c": c, "epsilon": _EPSILON}
    found: Any = learner.fit(features, (judgements - mean) / spread, setting, Job(SIMILARITIES))
    weights = tuple(round(float(each), 6) for each in found.weights * spread)
    offset = round(float(found.intercept) * spread + mean, 6)
    return replace(start, weights=weights, offset=offset, top=top)


def word_similarities(a: str, b: str, wordnet: str | None = None) -> dict[str, float]:
    """How alike two words are, by each measure."""
    vocabulary = Vocabulary()
    one, other = vocabulary.ids([a, b]).tolist()
    ids = [np.array([number], dtype=np.int32) for number in (one, other)]
    ends = np.array([0, 1], dtype=np.int64)
    found = _core.metrics.sagan(ids[0], ends, ids[1], ends, **_meanings(open_taxonomy(wordnet), vocabulary.words()))
    return dict(zip(SIMILARITIES, found[0].tolist(), strict=True))


def normalised_times(line: str) -> str:
    """A line in lower case with its dates and times in one form: `9 pm` → `21:00`, `jan. 1st` → `january 1`."""
    line = _MONTH.sub(lambda month: _SHORT[month[1] or month[2]], line)
    line = _ORDINAL.sub(r"\1", line)
    return _HOUR.sub(_clock, line)


def _clock(time: re.Match[str]) -> str:
    hour = int(time[1])
    return f"{hour % 12 + 12 * (time[3] == 'p')}:{time[2] or '00'}" if hour <= 12 else time[0]


def _meanings(taxonomy: Taxonomy, words: list[str]) -> dict[str, Any]:
    """What the kernel wants to know of the words of a vocabulary."""
    is_function = make_annotator("function-words+lang=en", ("function_word",)).annotate([words])[0]
    stems = make_annotator("snowball+lang=en", ("stem",)).annotate([words])[0]
    senses = taxonomy.senses(["" if empty else word for word, empty in zip(words, is_function, strict=True)])
    return {
        "ancestors": taxonomy.ancestors,
        "distances": taxonomy.distances,
        "ancestor_offsets": taxonomy.ancestor_offsets,
        "content": taxonomy.content,
        "depth": taxonomy.depth,
        "span": taxonomy.span,
        "lemmas": Vocabulary().ids(list(stems)),
        **runs("sense", senses, "senses"),
    }
