"""The core's chart over the rules of a grammar and an engine's language models."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman import _core
from dragoman.errors import DataError
from dragoman.smt.constraints import Constraints, UnknownWords
from dragoman.smt.grammar.labels import DEFAULT
from dragoman.smt.grammar.rules import Labels
from dragoman.smt.grammar.table import RuleTable
from dragoman.smt.kernel import Kernel, Task
from dragoman.smt.search import SearchLimits
from dragoman.text.vocabulary import Vocabulary

__all__ = ["ChartKernel", "ChartTask", "InputSpans"]

# For tokens of lines, what spans of each are called in the source: begin, end, name.
InputSpans = Callable[..., Sequence[Sequence[tuple[int, int, str]]]]

_MOST_LOOKED_AT = 20_000  # words whose rules say what words are called
_MOST_UNKNOWN = 20  # labels that a word without a rule is tried under


@dataclass(frozen=True, eq=False)
class ChartTask(Task):
    """Lines on their way into the chart, with what their spans are called."""

    core: _core.chart.Engine  # type: ignore[assignment]
    spans: tuple[NDArray[np.uint32], NDArray[np.int64]] | None = None

    def decode(self, weights: NDArray[np.float32], limits: Any, **how: Any) -> _core.phrase.Translations:
        """Translations of all lines."""
        return self.core.decode(
            self.ids, self.offsets, weights, limits, constraints=self.constraints, spans=self.spans, **how
        )

    def graphs(self, weights: NDArray[np.float32], limits: Any, **how: Any) -> list[_core.graph.Hypergraph]:
        """The forest of each line."""
        return self.core.hypergraphs(
            self.ids, self.offsets, weights, limits, constraints=self.constraints, spans=self.spans, **how
        )


class ChartKernel(Kernel):
    """Makes tasks of tokenised lines for the rules of `models.grammar`.

    `span` is how many source words a rule with gaps may cover, 0 any number. Words without a rule are tried under
    `unknown_labels`, else under those that words have. `parse` says what spans of lines are called: rules and gaps with
    another source name than X stand over such spans alone.
    """

    core: _core.chart.Engine  # type: ignore[assignment]
    grows: ClassVar[bool] = True

    def __init__(
        self,
        models: Any,
        *,
        features: Sequence[str],
        given: Sequence[str],
        span: int = 10,
        unknown_labels: Sequence[Labels] | None = None,
        parse: InputSpans | None = None,
    ) -> None:
        self.grammar: RuleTable = models.grammar
        self.span = span
        self.parse = parse
        numbers = {label: number for number, label in enumerate(self.grammar.labels)}
        strange = [each for each in unknown_labels or () if each not in numbers]
        if strange:
            shown = ", ".join(f"{source}/{target}" for source, target in strange)
            raise DataError(f"The grammar has no label {shown} for words without a rule.")
        self.unknown_labels = [numbers[each] for each in unknown_labels or ()] or word_labels(self.grammar)
        self._source_names = {name: number for number, name in enumerate(self.grammar.names[0])}
        super().__init__(models, features=features, given=given)

    def task(
        self,
        token_lines: Sequence[str],
        constraints: Sequence[Constraints | None] | None,
        unknown_words: UnknownWords | None,
        *,
        n_threads: int,
    ) -> ChartTask:
        """What the chart needs to translate lines."""
        task = super().task(token_lines, constraints, unknown_words, n_threads=n_threads)
        own = {each.name: getattr(task, each.name) for each in fields(Task)}
        return ChartTask(**own, spans=self._spans(token_lines, n_threads))

    def limits(self, chosen: SearchLimits, weights: NDArray[np.float32]) -> _core.phrase.DecodeOptions:
        """Limits of a search as the core takes them."""
        if chosen.future:
            raise DataError("A chart has no estimates of what is still to come; leave the limit 'future' empty.")
        return super().limits(chosen, weights)

    def _spans(self, token_lines: Sequence[str], n_threads: int) -> tuple[NDArray[np.uint32], NDArray[np.int64]] | None:
        if self.parse is None:
            return None
        lines = self.parse([line.split() for line in token_lines], n_threads=n_threads)
        if len(lines) != len(token_lines):
            raise DataError(f"There are {len(token_lines)} lines to translate and labels of spans for {len(lines)}.")
        # A name that no rule has helps none of them.
        known = [
            [(begin, end, self._source_names[name]) for begin, end, name in line if name in self._source_names]
            for line in lines
        ]
        rows = np.array([span for line in known for span in line], dtype=np.uint32).reshape(-1, 3)
        return rows, np.cumsum([0, *map(len, known)], dtype=np.int64)

    def _nothing(self) -> None:
        return None

    def _core(self, target: Vocabulary, sampled: Any) -> Any:  # noqa: ARG002
        models, words = self._words_of(target)
        strange = [name for name, _, numbers in models if not isinstance(numbers, list)]
        if strange:
            raise DataError(f"The language model {', '.join(strange)} reads phrases; a grammar has none to show.")
        tables = self.models.feature_tables
        return _core.chart.Engine.make(
            self.grammar.core,
            [(name, model, numbers) for name, model, numbers in models if isinstance(numbers, list)],
            names=list(self.grammar.features),
            unknown_labels=self.unknown_labels,
            any_source=self._source_names.get(DEFAULT, len(self._source_names)),
            span=self.span,
            given=list(self.given),
            features=[tables.resources(spec, words) for spec in self.features],
        )


def word_labels(grammar: RuleTable) -> list[int]:
    """What single words are called by the rules, the most frequent first; and X, if the grammar knows it."""
    counts: Counter[int] = Counter()
    for word in range(min(len(grammar.source), _MOST_LOOKED_AT)):
        first, last = grammar.core.find([word])
        counts.update({grammar.core.rule(number)[0] for number in range(first, min(last, first + 20))})
    numbers = [number for number, _ in sorted(counts.items(), key=lambda each: (-each[1], each[0]))]
    default = [number for number, label in enumerate(grammar.labels) if label == (DEFAULT, DEFAULT)]
    return list(dict.fromkeys([*default, *numbers[:_MOST_UNKNOWN]])) or [0]
