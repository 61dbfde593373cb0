"""The contract of metrics: additive statistics per segment, and a score computed from any sum of them.

Intervals, paired tests, tuning, tables by document or domain and learning curves all work on the statistics, so a new
metric gets them by saying what its statistics are.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

from dragoman import __version__
from dragoman.errors import DataError
from dragoman.lazy import later
from dragoman.metrics.references import References, RefsInput, ScoredText
from dragoman.options import Recipe, option, write_spec, write_value
from dragoman.registry import Registry

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from dragoman.report import Table

    Rows = NDArray[np.float64]
else:
    np = later("numpy")
    Rows = Any  # for annotations

__all__ = [
    "METRICS",
    "VERSION",
    "BestReference",
    "MeanReference",
    "Metric",
    "Rows",
    "check_threads",
    "mean_rows",
    "ratio",
]

VERSION = f"dragoman-{__version__}"  # in signatures: sacreBLEU's have the entry too, with its own number


@dataclass(frozen=True)
class Metric(Recipe, ABC):
    """Scores hypotheses against references. Options are the fields of the subclass, checked when it is made.

    A subclass says what its statistics are (`batch_rows`) and how a score comes from them (`values`). The statistics of
    several segments are the sum of theirs; a metric that is the mean of segment scores has the rows `[score, 1]`. A
    metric that is no function of such sums declares `additive = False` and overrides `corpus_value`.
    """

    name: ClassVar[str]  # in the registry, on the command line
    label_pattern: ClassVar[str]  # a regular expression for `label`
    higher_is_better: ClassVar[bool] = True
    bounds: ClassVar[tuple[float, float]] = (0.0, 100.0)  # the lowest and the highest score there can be
    level: ClassVar[Literal["corpus", "segment"]] = "corpus"  # "segment": a corpus scores the mean of its segments
    additive: ClassVar[bool] = True
    local: ClassVar[bool] = True  # a segment's statistics depend on that segment alone, not on the other references
    quick: ClassVar[bool] = True  # megabytes of text a second; what is slower is kept between runs (see `ScoreCache`)
    compares: ClassVar[bool] = True  # with references; a metric that does not look at them says False
    needs: ClassVar[frozenset[str]] = frozenset()  # "srcs"; layers are asked for by options (`dragoman.text.layers`)

    def __post_init__(self) -> None:
        self.check()

    @property
    def label(self) -> str:
        """The metric's name in tables and signatures, as the literature writes it."""
        return self.label_pattern

    @abstractmethod
    def batch_rows(self, text: ScoredText, n_threads: int) -> Rows:
        """The statistics of texts that were checked: float64 array (systems, segments, statistics)."""

    @abstractmethod
    def values(self, totals: Rows) -> NDArray[np.float64]:
        """Scores of summed statistics: array (…, statistics) in, array (…) out. Pure."""

    def value(self, totals: Sequence[float] | Rows) -> float:
        """The score of one row of summed statistics."""
        return float(self.values(np.asarray(totals, dtype=np.float64)))

    def totals(self, text: ScoredText, n_threads: int) -> list[list[float]] | None:  # noqa: ARG002 - for subclasses
        """Each system's statistics summed over all segments, if the core gives them without a row for each segment.

        It is the quick way to a corpus score; None where there is none.
        """
        return None

    def verbose(self, totals: Rows) -> str:  # noqa: ARG002 - for subclasses
        """The parts that a score is made of, as a remark behind it; empty where there are none to tell."""
        return ""

    def segment_table(self, text: ScoredText, names: Sequence[str], segments: Sequence[int]) -> Table | None:  # noqa: ARG002
        """How the metric sees some segments of named systems, a row each; `None` where there is nothing to see."""
        return None

    def stats(
        self, hyps: Sequence[str], refs: RefsInput, srcs: Sequence[str] | None = None, *, n_threads: int = 1
    ) -> Rows:
        """Additive statistics, one row per segment: float64 array (segments, statistics)."""
        rows: Rows = self.stats_many([hyps], refs, srcs, n_threads=n_threads)[0]
        return rows

    def stats_many(
        self,
        systems: Sequence[Sequence[str]],
        refs: RefsInput,
        srcs: Sequence[str] | None = None,
        *,
        n_threads: int = 1,
    ) -> Rows:
        """The statistics of several systems at once: array (systems, segments, statistics)."""
        check_threads(n_threads)
        return self.batch_rows(ScoredText.of_streams(systems, refs, srcs), n_threads)

    def pair_rows(self, hyps: Sequence[str], refs: Sequence[str], *, n_threads: int = 1) -> Rows:
        """Statistics of every hypothesis against every reference: array (hyps, refs, statistics)."""
        return np.stack([self.stats(hyps, [[ref] * len(hyps)], n_threads=n_threads) for ref in refs], axis=1)

    def corpus_value(
        self, hyps: Sequence[str], refs: RefsInput, srcs: Sequence[str] | None = None, *, n_threads: int = 1
    ) -> float:
        """The score of all segments together."""
        return self.value(self.stats(hyps, refs, srcs, n_threads=n_threads).sum(axis=0))

    def for_segments(self) -> Self:
        """The metric to use on single segments, where its rule differs from that for a corpus."""
        return self

    def segments(
        self, hyps: Sequence[str], refs: RefsInput, srcs: Sequence[str] | None = None, *, n_threads: int = 1
    ) -> NDArray[np.float64]:
        """The score of each segment by itself: array (segments)."""
        metric = self.for_segments()
        return metric.values(metric.stats(hyps, refs, srcs, n_threads=n_threads))

    def signature(self, nrefs: int | None = 1, **run: Any) -> str:
        """How a score was made, in the grammar of sacreBLEU: `nrefs:1|case:mixed|…|version:…`.

        `nrefs=None` says that the number of references varies. `run` adds what belongs to the run, not to the metric
        (`seed`, `bs`, `seg`); entries that are None are left out.
        """
        parts = {"nrefs": "var" if nrefs is None else nrefs, **run, **self.signature_options(), "version": VERSION}
        return "|".join(f"{key}:{write_value(value)}" for key, value in parts.items() if value is not None)

    def signature_options(self) -> dict[str, Any]:
        """The options as the signature shows them, key by key."""
        return {f.name: getattr(self, f.name) for f in fields(self)}

    @classmethod
    def options_of_signature(cls, label: str, parts: Mapping[str, str]) -> dict[str, Any]:  # noqa: ARG003
        """The options that a signature tells, perhaps as text: the inverse of `label` and `signature_options`."""
        return {f.name: parts[f.name] for f in fields(cls) if f.name in parts}

    def resources(self) -> dict[str, str]:
        """Digests of what it looks up beside its options, by name; kept with what is learnt on top of it."""
        from dragoman.cache import digest_of
        from dragoman.text.layers import layer_annotators

        prints = {name: each.fingerprint() for name, each in layer_annotators(self).items()}
        return {name: digest_of(each.encode()) for name, each in prints.items() if each is not None}

    def spec(self) -> str:
        """The metric as the command line takes it: its name and the options that differ from their defaults."""
        return write_spec(self)


@dataclass(frozen=True)
class BestReference(Metric):
    """A metric that compares with one reference; of several, the one that gives the best score counts."""

    def prepare(self, text: ScoredText, n_threads: int) -> Any:  # noqa: ARG002 - for subclasses
        """The systems' output as `reference_rows` wants it, made once for all references."""
        return text.systems

    @abstractmethod
    def reference_rows(self, prepared: Any, refs: References, number: int, n_threads: int) -> Rows:
        """Statistics against one of the references: array (systems, segments, statistics).

        Rows of segments that this reference does not translate are not looked at.
        """

    def batch_rows(self, text: ScoredText, n_threads: int) -> Rows:
        """The statistics against each segment's best reference."""
        prepared, refs = self.prepare(text, n_threads), text.refs
        rows = [self.reference_rows(prepared, refs, number, n_threads) for number in range(len(refs.streams))]
        if len(rows) == 1:
            return rows[0]
        choices = np.stack(rows)  # (references, systems, segments, statistics)
        scores = self.for_segments().values(choices)
        if not self.higher_is_better:
            scores = -scores
        scores = np.where(refs.present[:, np.newaxis] != 0, scores, -np.inf)
        best = scores.argmax(axis=0)  # the first of equals
        chosen: Rows = np.take_along_axis(choices, best[np.newaxis, ..., np.newaxis], axis=0)[0]
        return chosen


@dataclass(frozen=True)
class MeanReference(BestReference):
    """A metric that compares with one reference, a mean of segment scores; of several references the mean counts."""

    level: ClassVar[Literal["corpus", "segment"]] = "segment"

    several: str = option("mean", choices=("mean", "best"), text="of several references: their mean, or the best one")

    def batch_rows(self, text: ScoredText, n_threads: int) -> Rows:
        """The mean of the statistics against each segment's references, or those against the best."""
        refs = text.refs
        if self.several == "best" or len(refs.streams) == 1:
            return super().batch_rows(text, n_threads)
        prepared = self.prepare(text, n_threads)
        there = refs.present[:, np.newaxis, :, np.newaxis].astype(np.float64)
        rows = [self.reference_rows(prepared, refs, number, n_threads) for number in range(len(refs.streams))]
        means: Rows = (np.stack(rows) * there).sum(axis=0) / there.sum(axis=0)
        return means

    def values(self, totals: Rows) -> NDArray[np.float64]:
        """Means of segment scores."""
        totals = np.asarray(totals, dtype=np.float64)
        return ratio(totals[..., 0], totals[..., 1])


METRICS: Registry[Metric] = Registry(
    "metric",
    {
        "amber": "dragoman.metrics.amber:Amber",
        "amber1": "dragoman.metrics.amber:Amber1",
        "bertscore": "dragoman.metrics.encoded:BertScore",
        "bertscore-idf": "dragoman.metrics.encoded:BertScoreIdf",
        "bleu": "dragoman.metrics.bleu:Bleu",
        "bleu+1": "dragoman.metrics.bleu:BleuPlusOne",
        "blockerrcats": "dragoman.metrics.classer:BlockErrors",
        "celab": "dragoman.metrics.celab:Celab",
        "cder": "dragoman.metrics.error_rates:Cder",
        "cer": "dragoman.metrics.error_rates:Cer",
        "chrf": "dragoman.metrics.chrf:Chrf",
        "chrf++": "dragoman.metrics.chrf:ChrfPlusPlus",
        "comet": "dragoman.metrics.comet:Comet",
        "cosine": "dragoman.metrics.encoded:Cosine",
        "enxerrcats": "dragoman.metrics.classer:EnxErrors",
        "gemba-da": "dragoman.engines.gemba:GembaDA",
        "gemba-mqm": "dragoman.engines.gemba:GembaMQM",
        "gtm": "dragoman.metrics.gtm:Gtm",
        "meant": "dragoman.metrics.meant:Meant",
        "meteor": "dragoman.metrics.meteor:Meteor",
        "nist": "dragoman.metrics.nist:Nist",
        "noref": "dragoman.metrics.noref:NoReference",
        "pem": "dragoman.metrics.pem:Pem",
        "per": "dragoman.metrics.error_rates:Per",
        "ribes": "dragoman.metrics.ribes:Ribes",
        "rouge-1": "dragoman.metrics.rouge:Rouge1",
        "rouge-2": "dragoman.metrics.rouge:Rouge2",
        "rouge-l": "dragoman.metrics.rouge:RougeL",
        "sagan": "dragoman.metrics.sagan:Sagan",
        "sentbleu": "dragoman.metrics.bleu:SentenceBleu",
        "spede": "dragoman.metrics.spede:Spede",
        "ter": "dragoman.metrics.ter:Ter",
        "terrorcat": "dragoman.metrics.terrorcat:TerrorCat",
        "tesla-b": "dragoman.metrics.tesla_pivots:TeslaB",
        "tesla-f": "dragoman.metrics.tesla_pivots:TeslaF",
        "tesla-m": "dragoman.metrics.tesla:TeslaM",
        "tesla-s": "dragoman.metrics.tesla_s:TeslaS",
        "wer": "dragoman.metrics.error_rates:Wer",
        "wordblockerrcats": "dragoman.metrics.classer:WordBlockErrors",
        "worderrcats": "dragoman.metrics.classer:WordErrors",
        "xenerrcats": "dragoman.metrics.classer:XenErrors",
    },
)


def check_threads(n_threads: int) -> None:
    """Raise unless there is a thread to work with."""
    if n_threads < 1:
        raise DataError(f"n_threads must be at least 1, got {n_threads}.")


def mean_rows(scores: NDArray[np.float64]) -> Rows:
    """Statistics of a metric that is the mean of segment scores: `[score, 1]` for each."""
    return np.stack([scores, np.ones_like(scores)], axis=-1)


def ratio(part: NDArray[np.float64], whole: NDArray[np.float64], *, otherwise: float = 0.0) -> NDArray[np.float64]:
    """The part by the whole, and `otherwise` where the whole is nothing."""
    there = whole > 0
    return np.where(there, part / np.where(there, whole, 1.0), otherwise)
