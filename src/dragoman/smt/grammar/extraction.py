"""Hierarchical rules of an aligned bitext: the recipe, and the labels that anybody may give to spans.

What comes of it is a rule table in the text format of Moses (see `formats`).
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from dragoman import _core
from dragoman.data.parallel import check_parallel
from dragoman.errors import DataError
from dragoman.files import StrPath, open_writer
from dragoman.options import Recipe, filled, option
from dragoman.report import Result, Table
from dragoman.smt.aligned_text import AlignedText
from dragoman.smt.grammar.labels import DEFAULT
from dragoman.smt.phrase_table import SMOOTHINGS

if TYPE_CHECKING:
    from dragoman.text.tokens import TokenIds
    from dragoman.text.vocabulary import Vocabulary

__all__ = ["RULE_FEATURES", "ExtractedRules", "GrammarExtraction", "RuleCounts", "SpanLabels"]

_MEGABYTE = 1 << 20

SIGNIFICANCES = ("none", "keep-once", "drop-once")
RULE_FEATURES = (
    "penalty",  # e
    "rarity",  # exp(-1 / how often it was met)
    "once",  # e for rules met once
    "twice",  # at most twice
    "thrice",  # at most three times
    "hierarchical",  # e for rules with gaps
    "boundary",  # e if the source side begins or ends with a gap
    "swap",  # e if gaps change places
    "tree",  # probability of the tree that the rule was cut out of (Williams & Koehn 2012)
    "unaligned-source",  # e to the number of words linked to nothing
    "unaligned-target",
    "source-of-label",  # p(source | label), and so on (Weese, Callison-Burch & Lopez 2012)
    "target-of-label",  # p(target | label)
    "source-in-label",  # p(source | target, label)
    "target-in-label",  # p(target | source, label)
    "noisy-or-source",  # words of one side given all of the other (Huck & Ney 2012)
    "noisy-or-target",
    "mean-source",
    "mean-target",
    "inserted-source",  # e to the number of words that nothing on the other side accounts for
    "inserted-target",
)


@dataclass(frozen=True, eq=False)
class SpanLabels:
    """What the spans of one side are called, and which of them may be rules and gaps.

    `spans` has rows of begin, end (behind the last word), the label's number in `names`, and an anchor: a word that
    must stay a word of any rule that has the span as a gap, or -1. Those of sentence `i` are `[offsets[i],
    offsets[i + 1])`; a span is listed once. Spans that are not listed have the first label, or are refused.
    """

    names: tuple[str, ...]
    spans: NDArray[np.int32]
    offsets: NDArray[np.int64]
    other_rules: bool = True  # spans that are not listed may be the whole of a rule
    other_gaps: bool = True  # spans that are not listed may be gaps
    names_rules: bool = True  # a whole rule is called by its span; else all have the first label, gaps their own

    @classmethod
    def of(
        cls,
        sentences: Sequence[Sequence[tuple[int, int, str] | tuple[int, int, str, int]]],
        *,
        default: str = DEFAULT,
        other_rules: bool = True,
        other_gaps: bool = True,
        names_rules: bool = True,
    ) -> SpanLabels:
        """The labels of lists of (begin, end, name) or (begin, end, name, anchor), one for each sentence."""
        numbers = {default: 0}
        rows = [
            (begin, end, numbers.setdefault(name, len(numbers)), *(anchor or (-1,)))
            for spans in sentences
            for begin, end, name, *anchor in spans
        ]
        offsets = np.cumsum([0, *map(len, sentences)], dtype=np.int64)
        spans = np.array(rows, dtype=np.int32).reshape(-1, 4)
        return cls(tuple(numbers), spans, offsets, other_rules, other_gaps, names_rules)

    @property
    def uses(self) -> tuple[bool, bool, bool]:
        """What the kernel is told besides the spans."""
        return self.other_rules, self.other_gaps, self.names_rules


class RuleCounts(Protocol):
    """What is counted while rules are extracted."""

    @property
    def n_instances(self) -> int:
        """Rules of sentence pairs."""

    @property
    def n_rules(self) -> int:
        """Different ones."""

    @property
    def n_written(self) -> int:
        """Those that a table has."""

    @property
    def n_lexical(self) -> int:
        """Of these, without gaps."""

    @property
    def n_sources(self) -> int:
        """Different source sides of these."""


@dataclass(frozen=True)
class ExtractedRules(Result):
    """What an extraction wrote."""

    kind: ClassVar[str] = "rules"

    path: str
    n_instances: int  # rules of sentence pairs
    n_rules: int  # different ones
    n_written: int
    n_lexical: int  # of those written, without gaps
    n_sources: int  # different source sides written

    @classmethod
    def of(cls, path: StrPath, counts: RuleCounts, **others: Any) -> Self:
        """What was counted; `others` are what a kind of rules tells besides."""
        return cls(
            path=str(path),
            n_instances=counts.n_instances,
            n_rules=counts.n_rules,
            n_written=counts.n_written,
            n_lexical=counts.n_lexical,
            n_sources=counts.n_sources,
            **others,
        )

    def tables(self) -> list[Table]:
        """One row."""
        return [
            Table.of(
                self.path,
                ["instances", "rules", "written", "lexical", "with gaps", "source sides"],
                [
                    (
                        self.n_instances,
                        self.n_rules,
                        self.n_written,
                        self.n_lexical,
                        self.n_written - self.n_lexical,
                        self.n_sources,
                    )
                ],
            )
        ]

    def meta(self) -> dict[str, Any]:
        """The file."""
        return {"path": self.path}


@dataclass(frozen=True)
class GrammarExtraction(Recipe):
    """How to extract and score hierarchical rules (Chiang, Computational Linguistics 33, 2007)."""

    longest: int = option(10, low=1, high=255, text="words of an initial phrase, on either side")
    symbols: int = option(5, low=1, text="words and gaps of a rule's source side")
    gaps: int = option(2, low=0, high=12, text="gaps of a rule")
    shortest_gap: int = option(1, low=1, text="source words of a gap")
    adjacent_gaps: bool = option(False, choices=(False, True), text="gaps side by side in the source")
    aligned_word: bool = option(True, choices=(False, True), text="a rule has a pair of aligned words")
    tight: str = option(
        "gaps", choices=("none", "gaps", "all"), text="which phrases have no unaligned words at their edges"
    )
    counts: str = option(
        "fractional", choices=("fractional", "whole"), text="the rules of a phrase share one count, or each has one"
    )
    smoothing: str = option("none", choices=SMOOTHINGS, text="of rule probabilities (Foster, Kuhn & Johnson 2006)")
    significance: str = option(
        "none",
        choices=SIGNIFICANCES,
        text="leave out rules whose sides meet by chance (Fisher's test over instances, Johnson et al. 2007), those of "
        "sides met once, and together, among them or not",
    )
    shallow: int = option(
        0, low=0, high=9, text="how deep rules with gaps stand in each other; 0: as deep as they like"
    )
    features: tuple[str, ...] = option((), choices=RULE_FEATURES, text="a further score of every rule")
    translations_per_source: int = option(100, low=0, text="of one source side, the most probable; 0: all")
    least_count: int = option(1, low=1, text="leave out rules with gaps that were met less often")
    memory: int = option(512, low=1, text="megabytes for each of four collections, beyond which they go to disk")

    def extract(
        self,
        text: AlignedText,
        source: Vocabulary,
        target: Vocabulary,
        output: StrPath,
        *,
        source_labels: SpanLabels | None = None,
        target_labels: SpanLabels | None = None,
        test: TokenIds | None = None,
        n_threads: int = 1,
    ) -> ExtractedRules:
        """Write the rules of an aligned bitext, whose ids are those of the vocabularies, to a file.

        A phrase pair must be allowed, as a rule or as a gap, by the labels of both sides. With a `test`, source text
        as ids, only rules that can match it are written; their scores stay those of all. Shallow rules are called by
        their depths, `X0`, `X1` …, and have no other labels.
        """
        self.check_text(text, source_labels, target_labels)
        with open_writer(output) as stream, tempfile.TemporaryDirectory(prefix="dragoman") as folder:
            statistics = _core.grammar.extract_hiero(
                text.source.ids,
                text.source.offsets,
                text.target.ids,
                text.target.offsets,
                text.links,
                text.link_offsets,
                source.core,
                target.core,
                self.names(source_labels),
                self.names(target_labels),
                self.options(),
                self.scoring(folder, n_threads),
                stream.buffer.write,
                _core_labels(source_labels),
                _core_labels(target_labels),
                (test.ids, test.offsets) if test else None,
                text.weights,
            )
        return ExtractedRules.of(output, statistics)

    def check_text(
        self, text: AlignedText, source_labels: SpanLabels | None = None, target_labels: SpanLabels | None = None
    ) -> None:
        """Refuse labels and numbers of lines that do not fit."""
        self.check()
        if self.shallow and (source_labels or target_labels):
            raise DataError("Shallow rules are called by their depths. Leave out the labels, or set shallow to 0.")
        if "tree" in self.features:
            raise DataError(
                "Hierarchical rules are cut out of no trees: they have no score 'tree'. Leave it out of the features, "
                "or extract rules of trees (kind=ghkm)."
            )
        check_parallel({"source": text.source, "target": text.target, "alignment": text.link_offsets[1:]})

    def options(self) -> _core.grammar.HieroOptions:
        """Which rules there are, for the kernel."""
        return filled(_core.grammar.HieroOptions(), self, fractional=self.counts == "fractional")

    def scoring(self, folder: str, n_threads: int) -> _core.grammar.ScoreOptions:
        """How rules of any kind are scored, for the kernel; what memory cannot hold goes to the folder."""
        return filled(
            _core.grammar.ScoreOptions(),
            self,
            memory=self.memory * _MEGABYTE,
            folder=folder,
            rule_features=[_core.grammar.RuleFeature[name.replace("-", "_")] for name in self.features],
            n_threads=n_threads,
        )

    def names(self, labels: SpanLabels | None) -> list[str]:
        """The labels of one side, by number."""
        if self.shallow:
            return [f"{DEFAULT}{depth}" for depth in range(self.shallow + 1)]
        return list(labels.names if labels else (DEFAULT,))


def _core_labels(labels: SpanLabels | None) -> tuple[NDArray[np.int32], NDArray[np.int64], bool, bool, bool] | None:
    return None if labels is None else (labels.spans, labels.offsets, *labels.uses)
