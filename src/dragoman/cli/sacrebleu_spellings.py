"""What was said in sacreBLEU's options: what it means here, and what it reads."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import click

from dragoman.errors import DataError
from dragoman.metrics.base import Metric
from dragoman.metrics.specs import make_metric

if TYPE_CHECKING:
    from dragoman.data.sacrebleu_sets import SacrebleuSet

__all__ = ["FORMS", "Spellings"]

FORMS = ("json", "text", "latex")
_TOKENISER_OF = {"zh": "zh", "ja": "ja-mecab", "ko": "ko-mecab"}  # where -l names the target language


@dataclass(frozen=True)
class Spellings:
    """What was said in sacreBLEU's spellings."""

    refs: tuple[str, ...]
    inputs: tuple[str, ...]
    specs: tuple[str, ...]
    seed: int
    list_all: bool
    test_set: str | None
    pair: str | None
    echo: tuple[str, ...]
    num_refs: int
    encoding: str
    sentence_level: bool
    lowercase: bool
    tokeniser: str | None
    smooth_method: str | None
    smooth_value: float | None
    chrf_char_order: int | None
    chrf_word_order: int | None
    chrf_beta: float | None
    chrf_whitespace: bool
    chrf_lowercase: bool
    chrf_eps_smoothing: bool
    ter_case_sensitive: bool
    ter_asian_support: bool
    ter_no_punct: bool
    ter_normalised: bool
    confidence: bool
    confidence_n: int
    paired_bs: bool
    paired_bs_n: int
    paired_ar: bool
    paired_ar_n: int
    score_only: bool
    width: int
    short: bool
    peer_form: str | None

    def metrics(self) -> list[Metric]:
        """The metrics asked for, with the options that were spelt for their kind."""
        metrics = [self._with_options(make_metric(spec)) for spec in self.specs]
        # sacreBLEU sorts by name; a paired test keeps the order asked for.
        return metrics if self.test else sorted(metrics, key=lambda metric: metric.name)

    def _with_options(self, metric: Metric) -> Metric:
        language = (self.pair or "").rpartition("-")[2]
        options: dict[str, dict[str, Any]] = {
            "bleu": {
                "tokeniser": self.tokeniser or _TOKENISER_OF.get(language),
                "lowercase": self.lowercase or None,
                "smoothing": self.smooth_method,
                "smoothing_value": self.smooth_value,
            },
            "chrf": {
                "char_order": self.chrf_char_order,
                "word_order": self.chrf_word_order,
                "beta": self.chrf_beta,
                "lowercase": self.chrf_lowercase or None,
                "whitespace": self.chrf_whitespace or None,
                "eps_smoothing": self.chrf_eps_smoothing or None,
            },
            "ter": {
                "case_sensitive": self.ter_case_sensitive or None,
                "normalised": self.ter_normalised or None,
                "no_punct": self.ter_no_punct or None,
                "asian_support": self.ter_asian_support or None,
            },
        }
        own = options.get(metric.name.rstrip("+"), {})
        return replace(metric, **{name: value for name, value in own.items() if value is not None})

    @property
    def report_form(self) -> str:
        """The form of the report: as the environment says, as asked for, or JSON."""
        wanted = os.environ.get("SACREBLEU_FORMAT", "").lower()
        return wanted if wanted in FORMS else self.peer_form or "json"

    @property
    def test(self) -> Literal["sacrebleu-bs", "sacrebleu-ar"] | None:
        """The paired test asked for."""
        return "sacrebleu-bs" if self.paired_bs else "sacrebleu-ar" if self.paired_ar else None

    @property
    def trials(self) -> int:
        """Draws of the test, or samples of the interval."""
        return self.paired_bs_n if self.paired_bs else self.paired_ar_n if self.paired_ar else self.confidence_n

    def sets(self) -> list[SacrebleuSet]:
        """The test sets that -t names, from sacreBLEU's folder."""
        from dragoman.data.sacrebleu_sets import find_sacrebleu_set

        if self.test_set is None:
            return []
        if self.pair is None:
            raise click.UsageError("A test set (-t) needs a language pair: -l en-de.")
        return [find_sacrebleu_set(name, self.pair) for name in self.test_set.split(",")]

    def read_refs(self, *, n_threads: int = 1) -> dict[str, Sequence[str]]:
        """The references: files, the columns of one file, or those of test sets, one set behind the other."""
        sets = self.sets()
        if sets:
            if self.refs or self.num_refs != 1:
                raise click.UsageError("References come from a test set (-t) or from files, not from both.")
            counts = {len(each.references) for each in sets}
            if len(counts) > 1:
                raise DataError(
                    f"The test sets {self.test_set} have different numbers of references; score them apart."
                )
            streams = [[each.read(field) for field in each.references] for each in sets]
            if len(sets) == 1:
                return dict(zip(sets[0].references, streams[0], strict=True))
            joined = zip(*streams, strict=True)
            return {f"ref:{r}": [line for part in parts for line in part] for r, parts in enumerate(joined)}
        if not self.refs:
            raise click.UsageError("Name a reference, REF -i SYSTEM, or a test set with -t and -l.")
        if self.num_refs == 1:
            return self._read_all(self.refs, n_threads)
        if len(self.refs) > 1:
            raise click.UsageError("--num-refs is for references in the columns of one file.")
        columns = self._split(self.refs[0], self.read(self.refs[0]), self.num_refs)
        return {f"ref:{number}": column for number, column in enumerate(columns)}

    def read_systems(self, *, n_threads: int = 1) -> dict[str, Sequence[str]]:
        """The systems: the files of -i, or standard input, where tabs separate systems."""
        if not self.inputs:
            lines: Sequence[str] = () if sys.stdin.isatty() else self.read("-")
            if not lines:
                raise click.UsageError(
                    "Standard input has nothing to score. Name systems with -i (REF -i SYSTEM...), or send a system's "
                    "output: dragoman sacrebleu REF < SYSTEM"
                )
            columns = self._split("standard input", lines, len(lines[0].split("\t")))
            first = 0 if self.test else 1  # with a test, number 0 is the baseline
            return {f"System {s}" if s else "Baseline": column for s, column in enumerate(columns, start=first)}
        doubled = sorted({path for path in self.inputs if self.inputs.count(path) > 1})
        if doubled and not (self.test and doubled == [self.inputs[0]]):  # sacreBLEU skips a baseline that comes again
            raise DataError(f"The system {', '.join(doubled)} is given twice.")
        return self._read_all(self.inputs, n_threads)

    def _read_all(self, paths: Sequence[str], n_threads: int) -> dict[str, Sequence[str]]:
        from concurrent.futures import ThreadPoolExecutor

        own = list(dict.fromkeys(paths))
        with ThreadPoolExecutor(n_threads) as pool:
            return dict(zip(own, pool.map(self.read, own), strict=True))

    def read(self, path: str) -> Sequence[str]:
        """The lines of a file in the encoding that -e names."""
        from dragoman.files import read_bytes
        from dragoman.text.lines import TextLines, read_text_lines

        lines = read_text_lines(path) if self.encoding.lower() in {"utf-8", "utf8"} else None
        if lines is None:
            try:
                lines = TextLines(read_bytes(path).decode(self.encoding).encode())
            except LookupError:
                raise click.UsageError(f"Python knows no encoding {self.encoding!r} (-e).") from None
            except UnicodeDecodeError as error:
                raise DataError(f"{path} is not {self.encoding}: {error.reason} at byte {error.start}.") from None
        # sacreBLEU cuts white space from the end of a line; only chrF with --chrf-whitespace would see it.
        return [line.rstrip() for line in lines] if self.chrf_whitespace else lines

    def _split(self, path: str, lines: Sequence[str], count: int) -> Iterable[Sequence[str]]:
        if count == 1 and not any("\t" in line for line in lines):
            return [lines]
        rows = [line.split("\t") for line in lines]
        for number, row in enumerate(rows, start=1):
            if len(row) != count:
                raise DataError(f"{path}:{number}: expected {count} columns, separated by tabs, found {len(row)}.")
        return zip(*rows, strict=True)
