"""TESLA-B and TESLA-F: TESLA-M with n-grams of other languages and with language models (WMT 2010, WMT 2011)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import DataError
from dragoman.lm import LanguageModel
from dragoman.metrics.meteor import flat_ids
from dragoman.metrics.pivots import PivotTable, open_pivots, resource_digest
from dragoman.metrics.references import ScoredText
from dragoman.metrics.tesla import N_FEATURES, TeslaM, f_measures
from dragoman.metrics.words import Ids, make_tokeniser
from dragoman.options import option
from dragoman.text import Vocabulary
from dragoman.text.casing import lowercase
from dragoman.text.languages import base_language

__all__ = ["TeslaB", "TeslaF"]

_ORDER = 3
_LEAST_WEIGHT = 0.01  # n-grams of a pivot that are expected so seldom are left out
_LOWEST = 15.0  # a word's log10 p under a language model is taken to be from −15 to 0

Features = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class _PivotText:
    """A text as ids of the words of a table of pivots, and what the kernel wants to know of the pivot's tokens."""

    table: PivotTable
    systems: list[Ids]
    streams: list[Ids]
    lexicon: dict[str, Any]

    def features(self, number: int, n_threads: int) -> Features:
        """F by lemma and by part of speech, of n-grams of the pivot: array (systems, segments, 6)."""
        ref, rows = self.streams[number], self.table.core.rows
        return f_measures(
            np.stack(
                [
                    rows(*hyp, *ref, **self.lexicon, order=_ORDER, least=_LEAST_WEIGHT, n_threads=n_threads)
                    for hyp in self.systems
                ]
            )
        )


@dataclass(frozen=True, eq=False)
class _Prepared:
    words: Any  # what TESLA-M takes
    pivots: list[_PivotText]
    fluency: Features  # of each language model: (systems, segments, models)


@dataclass(frozen=True)
class TeslaB(TeslaM):
    """TESLA-B: the mean of TESLA-M and of the same F in other languages.

    Each text is translated phrase by phrase by tables of pivots (`dragoman metric pivots`), in all ways that are
    probable enough; n-grams of these translations count as often as they are expected and match by lemma and by part of
    speech. First the mean over all pivots is taken, then that of it and of TESLA-M.
    """

    name: ClassVar[str] = "tesla-b"
    label_pattern: ClassVar[str] = "TESLA-B"

    pivots: tuple[str, ...] = option((), text="folders of tables of pivots, joined by +, as `metric pivots` makes them")

    def check(self) -> Self:
        """The metric itself if its options are sound and its tables are of the text's language."""
        if not self.pivots:
            raise DataError(
                f"{self.label} looks meanings up in other languages: make a table of pivots from a bitext with "
                f"dragoman metric pivots, and say {self.name}:pivots=FOLDER."
            )
        super().check()
        for folder in self.pivots:
            lang = open_pivots(folder).recipe.lang
            if base_language(lang) != base_language(self.lang):
                raise DataError(f"{self.label}'s pivots={folder} are of {lang!r}, but the text is in {self.lang!r}.")
        return self

    def signature_options(self) -> dict[str, Any]:
        """The options, and what the tables hold."""
        return super().signature_options() | {"tables": [resource_digest(folder) for folder in self.pivots]}

    def resources(self) -> dict[str, str]:
        """What annotators and tables hold."""
        tables = {f"pivots {number}": resource_digest(path) for number, path in enumerate(self.pivots, start=1)}
        return super().resources() | tables

    def plain_weights(self) -> list[float]:
        """One half for the text's own language, one for the others together."""
        n = len(self.pivots)
        return [1.0] * N_FEATURES + [1.0 / n] * (N_FEATURES * n)

    def prepare(self, text: ScoredText, n_threads: int) -> Any:
        """All lines as TESLA-M takes them, and as each table of pivots does."""
        tables = [open_pivots(folder) for folder in self.pivots]
        return _Prepared(
            super().prepare(text, n_threads),
            [_pivot_text(each, text) for each in tables],
            self._fluency(text, n_threads),
        )

    def reference_features(self, prepared: Any, number: int, n_threads: int) -> Features:
        """All features against one of the references: array (systems, segments, features)."""
        own = super().reference_features(prepared.words, number, n_threads)
        others = [each.features(number, n_threads) for each in prepared.pivots]
        return np.concatenate([own, *others, prepared.fluency], axis=-1)

    def _fluency(self, text: ScoredText, n_threads: int) -> Features:  # noqa: ARG002 - for TESLA-F
        return np.zeros((len(text.systems), len(text.refs), 0))


@dataclass(frozen=True)
class TeslaF(TeslaB):
    """TESLA-F: all F of TESLA-B and the fluency under language models, weighted by a machine that learnt from rankings.

    Fluency is the mean log10 probability of a token, the sentence's end among them, taken to be from −15 to 0. Until
    `dragoman metric train` has learnt weights, the score is the mean of all features, each from 0 to 1.
    """

    name: ClassVar[str] = "tesla-f"
    label_pattern: ClassVar[str] = "TESLA-F"

    lms: tuple[str, ...] = option((), text="language models, joined by +: folders, or ARPA files")
    lm_case: str = option("mixed", choices=("mixed", "lower"), text="in which language models read the text")

    def check(self) -> Self:
        """The metric itself if its options are sound and its models are there."""
        if not self.lms:
            raise DataError(
                "TESLA-F asks language models how fluent a text is: estimate one with dragoman lm build from text "
                "that is tokenised as the metric does it (13a), and say tesla-f:lms=FOLDER,pivots=FOLDER."
            )
        for path in self.lms:
            if not Path(path).exists():
                raise DataError(f"There is no language model {path}. Estimate one with dragoman lm build.")
            _opened_lm(path, resource_digest(path))
        return super().check()

    def signature_options(self) -> dict[str, Any]:
        """The options, and what tables and models hold."""
        return super().signature_options() | {"models": [resource_digest(path) for path in self.lms]}

    def resources(self) -> dict[str, str]:
        """What annotators, tables and models hold."""
        models = {f"language model {number}": resource_digest(path) for number, path in enumerate(self.lms, start=1)}
        return super().resources() | models

    def plain_weights(self) -> list[float]:
        """All features alike."""
        return [1.0] * (N_FEATURES * (1 + len(self.pivots)) + len(self.lms))

    def _fluency(self, text: ScoredText, n_threads: int) -> Features:
        models = [_opened_lm(path, resource_digest(path)) for path in self.lms]
        shares = []
        for system in text.systems:
            lines = make_tokeniser(self.tokeniser).tokenise(system, n_threads=n_threads)
            lines = lowercase(lines, self.lang) if self.lm_case == "lower" else lines
            lengths = np.array([1 + len(line.split()) for line in lines], dtype=np.float64)  # with the sentence's end
            shares.append([model.score(lines, n_threads=n_threads) / lengths for model in models])
        log_p = np.array(shares).reshape(len(text.systems), len(models), len(text.refs))
        return np.moveaxis(1.0 + np.clip(log_p, -_LOWEST, 0.0) / _LOWEST, 1, 2)


@lru_cache(maxsize=8)
def _opened_lm(path: str, digest: str) -> LanguageModel:  # noqa: ARG001 - part of the key
    return LanguageModel.open(path)


def _pivot_text(table: PivotTable, text: ScoredText) -> _PivotText:
    """The lines of a text for a table; a word that the table lacks translates itself, and is of a class of its own."""
    vocabulary = table.words.thawed()

    def ids(lines: Any) -> Ids:
        return flat_ids(table.recipe.words(lines, table.recipe.lang), vocabulary)

    systems = [ids(lines) for lines in text.systems]
    streams = [ids(text.refs.lines(number)) for number in range(len(text.refs.streams))]
    words = vocabulary.words()
    lexicon = {
        "lemmas": Vocabulary().ids([*(lemma for _, lemma, _, _ in table.kinds), *words]),
        "tags": Vocabulary().ids([*(tag for _, _, tag, _ in table.kinds), *(f" {word}" for word in words)]),
        "function_words": np.concatenate([table.flags, np.zeros(len(words), dtype=np.uint8)]),
    }
    return _PivotText(table, systems, streams, lexicon)
