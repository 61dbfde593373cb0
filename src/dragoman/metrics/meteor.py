"""METEOR 1.5: words matched by form, stem, synonym or paraphrase (Denkowski & Lavie, WMT 2014)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, chain
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from dragoman import _core
from dragoman.cache import digest_of
from dragoman.errors import DataError
from dragoman.files import read_bytes
from dragoman.metrics.base import BestReference, Rows, ratio
from dragoman.metrics.meteor_alignment import WordMatch, shown_alignment, shown_gaps
from dragoman.metrics.meteor_words import NORMALISED_LANGUAGES, cut_lines
from dragoman.metrics.paraphrase_tables import read_paraphrases
from dragoman.metrics.references import References, ScoredText
from dragoman.metrics.words import Ids
from dragoman.options import option
from dragoman.report import Column, Table
from dragoman.text import Vocabulary
from dragoman.text.annotate.function_words import FUNCTION_WORD_LANGUAGES
from dragoman.text.languages import base_language
from dragoman.text.layers import make_annotator

__all__ = [
    "MODULES",
    "STEMMED_LANGUAGES",
    "Meteor",
    "Parameters",
    "check_function_words",
    "flat_ids",
    "is_whole",
    "mixing",
    "runs",
]

MODULES = ("exact", "stem", "synonym", "paraphrase")
STEMMED_LANGUAGES = frozenset(
    ("da", "de", "en", "es", "fi", "fr", "hu", "it", "nl", "no", "pt", "ro", "ru", "sv", "tr")
)
_N_CONSTANTS = 7
_N_STATISTICS = 5 + 4 * len(MODULES)
_MOST_CELLS = 1 << 24  # words of the hypothesis times words of the reference


class Parameters(NamedTuple):
    """What a score depends on besides the counts."""

    alpha: float  # the weight of recall against precision
    beta: float  # the exponent of fragmentation
    gamma: float  # the most that fragmentation costs
    delta: float  # the weight of content words against function words
    weights: tuple[float, ...]  # of a match by each of the modules


# METEOR 1.5's constants, tuned by its authors: `rank` on rankings, `adq` on adequacy, `hter` on edit rates.
_PARAMETERS = {
    "rank": {
        "cs": Parameters(0.95, 0.20, 0.60, 0.80, (1.0, 0.0, 0.0, 0.4)),
        "de": Parameters(0.95, 1.00, 0.55, 0.55, (1.0, 0.8, 0.0, 0.2)),
        "en": Parameters(0.85, 0.20, 0.60, 0.75, (1.0, 0.6, 0.8, 0.6)),
        "es": Parameters(0.65, 1.30, 0.50, 0.80, (1.0, 0.8, 0.0, 0.6)),
        "fr": Parameters(0.90, 1.40, 0.60, 0.65, (1.0, 0.2, 0.0, 0.4)),
        "ru": Parameters(0.75, 1.40, 0.70, 0.50, (1.0, 0.5, 0.0, 0.5)),
    },
    "adq": {"en": Parameters(0.75, 1.40, 0.45, 0.70, (1.0, 1.0, 0.6, 0.8))},
    "hter": {"en": Parameters(0.40, 1.50, 0.35, 0.55, (1.0, 0.2, 0.6, 0.8))},
}
_FOR_ALL = {
    "li": Parameters(0.75, 1.40, 0.70, 0.50, (1.0, 0.5, 0.5, 0.5)),
    "tune": Parameters(0.50, 1.00, 0.50, 0.50, (1.0, 0.5, 0.5, 0.5)),
}


@dataclass(frozen=True, eq=False)
class _Words:
    """A text as ids, and what the kernel wants to know of each word."""

    systems: list[Ids]
    streams: list[Ids]
    lexicon: dict[str, NDArray[Any]]


@dataclass(frozen=True)
class Meteor(BestReference):
    """METEOR 1.5: the harmonic mean of precision and recall of matched words, less what their fragmentation costs.

    Statistics: lengths and function words of hypothesis and reference; for each kind of match the content words of both
    and the function words of both; chunks. They are those that METEOR writes itself, and a corpus has the score of
    their sums. Synonyms and paraphrases are read from files of the user's: without them the metric is METEOR with the
    modules exact and stem, as its signature says.
    """

    name: ClassVar[str] = "meteor"
    label_pattern: ClassVar[str] = "METEOR"

    lang: str = option("en", positional=True, text="language of the text")
    task: str = option(
        "default",
        choices=("default", "rank", "adq", "hter", "li", "tune"),
        text="the set of parameters; default is rank where the language has it, else li",
    )
    norm: str = option(
        "keep",
        choices=("keep", "drop", "lower", "none"),
        text="tokenise, lower-case and keep or drop punctuation; lower or none: words as they stand between blanks",
    )
    synonyms: str = option(
        "none",
        layers=("synsets",),
        text="none, the layer synsets, or an annotator (wordnet+place=FOLDER, of WordNet or of METEOR's files)",
    )
    function_words: str = option(
        "own",
        layers=("function_word",),
        text="own (Dragoman's lists), none, the layer function_word, or an annotator (function-words+file=FILE)",
    )
    paraphrases: str | None = option(
        None, text="file of paraphrases as METEOR has them: lines of probability, phrase, paraphrase in turn"
    )
    constants: tuple[float, ...] = option(
        (),
        text="α, β, γ, δ, weights of stem, synonym and paraphrase in place of the task's, as training finds them",
    )
    trained: str | None = option(None, text="fingerprint of the judgements that the constants were learnt from")

    def check(self) -> Self:
        """The metric itself if its options are sound."""
        super().check()
        language = base_language(self.lang)
        if self.norm in ("keep", "drop") and language not in NORMALISED_LANGUAGES:
            raise DataError(
                f"METEOR has no normaliser for {self.lang!r}, only for {', '.join(NORMALISED_LANGUAGES)}. "
                "Tokenise the text and say norm=lower."
            )
        if self.task in _PARAMETERS and language not in _PARAMETERS[self.task]:
            known = ", ".join(_PARAMETERS[self.task])
            raise DataError(
                f"METEOR has no parameters of the task {self.task} for {self.lang!r}, only for {known}. Say task=li."
            )
        check_function_words(self.function_words, self.lang)
        for name, others in (("synonyms", {"none", "synsets"}), ("function_words", {"own", "none", "function_word"})):
            if getattr(self, name) not in others:
                self._annotator(name)
        if self.constants and (len(self.constants) != _N_CONSTANTS or min(self.constants) < 0):
            raise DataError(f"METEOR has {_N_CONSTANTS} constants of 0 and more, got {len(self.constants)}.")
        if self.paraphrases is not None and not Path(self.paraphrases).is_file():
            raise DataError(
                f"There is no file of paraphrases {self.paraphrases}. METEOR's own are data/paraphrase-*.gz of its "
                "release; leave the option out to do without."
            )
        return self

    @property
    def parameters(self) -> Parameters:
        """Those that were learnt, or those of the task and the language."""
        if self.constants:
            alpha, beta, gamma, delta, *weights = self.constants
            return Parameters(alpha, beta, gamma, delta, (1.0, *weights))
        language = base_language(self.lang)
        task = self.task
        if task == "default":
            task = "rank" if language in _PARAMETERS["rank"] else "li"
        return _FOR_ALL[task] if task in _FOR_ALL else _PARAMETERS[task][language]

    def signature_options(self) -> dict[str, Any]:
        """The options, and what the file of paraphrases holds."""
        options = super().signature_options() | {"constants": self.constants or None}
        if self.paraphrases is not None:
            options["table"] = digest_of(read_bytes(self.paraphrases))[:12]
        return options

    def resources(self) -> dict[str, str]:
        """What annotators and the file of paraphrases hold."""
        table = {} if self.paraphrases is None else {"paraphrases": digest_of(read_bytes(self.paraphrases))}
        return super().resources() | table

    def prepare(self, text: ScoredText, n_threads: int) -> _Words:
        """All lines as ids of one vocabulary, with what is known of its words."""
        vocabulary = Vocabulary()
        language = base_language(self.lang)

        def ids(lines: Sequence[str]) -> Ids:
            _core.text.check_lines(list(lines))  # lone surrogates
            return flat_ids(cut_lines(lines, self.norm, language), vocabulary, n_threads)

        systems = [ids(lines) for lines in text.systems]
        streams = [ids(text.refs.lines(number)) for number in range(len(text.refs.streams))]
        return _Words(systems, streams, self._lexicon(vocabulary, [*systems, *streams]))

    def reference_rows(self, prepared: _Words, refs: References, number: int, n_threads: int) -> Rows:  # noqa: ARG002
        """Statistics against one of the references: array (systems, segments, statistics)."""
        ref = prepared.streams[number]
        for hyp in prepared.systems:
            _check_lengths(hyp, ref)
        kernel = _core.metrics.meteor
        rows = np.stack([kernel(*hyp, *ref, **prepared.lexicon, n_threads=n_threads) for hyp in prepared.systems])
        rows[is_whole(rows), -1] = 0.0  # as METEOR adds segments up: what is not broken has no chunks
        return rows

    def segment_table(self, text: ScoredText, names: Sequence[str], segments: Sequence[int]) -> Table | None:
        """The alignments with the first reference."""
        few = text.only(segments, 0)
        prepared = self.prepare(few, 1)
        refs = cut_lines(few.refs.lines(0), self.norm, base_language(self.lang))
        rows: list[tuple[Any, ...]] = []
        for name, lines, hyp in zip(names, few.systems, prepared.systems, strict=True):
            matches: list[list[WordMatch]] = [[] for _ in segments]
            for pair, *row in _core.metrics.meteor_matches(*hyp, *prepared.streams[0], **prepared.lexicon).tolist():
                matches[pair].append(WordMatch.of(row))
            words = cut_lines(lines, self.norm, base_language(self.lang))
            rows += [
                (segment + 1, name, shown_alignment(own, ref, links), shown_gaps(ref, links))
                for segment, own, ref, links in zip(segments, words, refs, matches, strict=True)
            ]
        rows.sort(key=lambda row: list(segments).index(row[0] - 1))
        columns: list[Column | str] = [
            "segment",
            "system",
            Column("alignment", is_text=True),
            Column("lacking", "not said", is_text=True),
        ]
        note = "A bracket is a chunk: words matched in one order on both sides. ~ shows what a word stands for."
        return Table.of(f"{self.label}: alignments where systems differ most", columns, rows, note=note)

    def values(self, totals: Rows) -> NDArray[np.float64]:
        """Scores of summed statistics."""
        alpha, beta, gamma, _, _ = self.parameters
        precision, recall, fragmentation = self._parts(totals)
        mean = ratio(precision * recall, (1.0 - alpha) * recall + alpha * precision)
        return 100.0 * np.maximum(mean * (1.0 - gamma * fragmentation**beta), 0.0)

    def verbose(self, totals: Rows) -> str:
        """Precision, recall and fragmentation."""
        precision, recall, fragmentation = map(float, self._parts(totals))
        return f"precision = {precision:.3f} recall = {recall:.3f} fragmentation = {fragmentation:.3f}"

    def _parts(self, totals: Rows) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """Precision, recall, and chunks by matched words: no fragmentation where the two are the same in one chunk."""
        totals = np.asarray(totals, dtype=np.float64)
        sums = [(totals * row).sum(axis=-1) for row in mixing(self.parameters)]
        hyp, hyp_whole, ref, ref_whole, hyp_matches, ref_matches = sums
        fragmentation = np.where(is_whole(totals), 0.0, ratio(totals[..., -1], (hyp_matches + ref_matches) / 2))
        return ratio(hyp, hyp_whole), ratio(ref, ref_whole), fragmentation

    def _lexicon(self, vocabulary: Vocabulary, texts: list[Ids]) -> dict[str, NDArray[Any]]:
        words = vocabulary.words()
        synsets = self._values("synonyms", words) if self.synonyms != "none" else [()] * len(words)
        numbers = Vocabulary()
        sets = [np.sort(numbers.ids(list(each))).tolist() for each in synsets]
        table = None if self.paraphrases is None else read_paraphrases(self.paraphrases)
        phrases = [] if table is None else table.pairs_in(texts, words)
        return {
            "stems": self._stems(words),
            "function_words": np.asarray(self._function_words(words), dtype=np.uint8),
            **runs("synset", sets, "synsets"),
            **runs("phrase", phrases, "phrases"),
        }

    def _stems(self, words: list[str]) -> NDArray[np.int32]:
        if base_language(self.lang) not in STEMMED_LANGUAGES:
            return np.arange(len(words), dtype=np.int32)
        annotator = make_annotator(f"snowball+lang={self.lang}", ("stem",))
        return Vocabulary().ids(annotator.annotate([words])[0])

    def _function_words(self, words: list[str]) -> list[bool]:
        if self.function_words == "none":
            return [False] * len(words)
        return self._values("function_words", words)

    def _values(self, name: str, words: list[str]) -> list[Any]:
        values: list[Any] = self._annotator(name).annotate([words])[0]
        return values

    def _annotator(self, name: str) -> Any:
        """Who makes the layer of an option; it must be for the text's language."""
        value, layers = getattr(self, name), {"synonyms": ("synsets",), "function_words": ("function_word",)}[name]
        annotator: Any = make_annotator(f"function-words+lang={self.lang}" if value == "own" else value, layers)
        if base_language(getattr(annotator, "lang", self.lang)) != base_language(self.lang):
            raise DataError(f"METEOR's {name}={value} are of {annotator.lang!r}, but the text is in {self.lang!r}.")
        return annotator


def is_whole(totals: Rows) -> NDArray[np.bool_]:
    """Whether all words match in one chunk."""
    hyp, ref = totals[..., 4:20:2].sum(axis=-1), totals[..., 5:20:2].sum(axis=-1)
    whole: NDArray[np.bool_] = (hyp == totals[..., 0]) & (ref == totals[..., 1]) & (totals[..., -1] == 1)
    return whole


@lru_cache(maxsize=16)
def mixing(parameters: Parameters) -> NDArray[np.float64]:
    """What each statistic weighs in the sums that a score is made of: array (sums, statistics).

    Of hypothesis and reference in turn, content words weighing δ and function words 1 − δ: what matched, and all words;
    then the number of matched words of either.
    """
    content, function = parameters.delta, 1.0 - parameters.delta
    rows = np.zeros((6, _N_STATISTICS))
    for side in (0, 1):  # hypothesis, reference
        rows[2 * side + 1, [side, 2 + side]] = content, function - content
        for kind, weight in enumerate(parameters.weights):
            rows[2 * side, [4 + 4 * kind + side, 6 + 4 * kind + side]] = weight * content, weight * function
            rows[4 + side, [4 + 4 * kind + side, 6 + 4 * kind + side]] = 1.0
    return rows


def flat_ids(token_lines: Sequence[Sequence[str]], vocabulary: Vocabulary, n_threads: int = 1) -> Ids:
    """The ids of the words of all lines, and where each line begins."""
    tokens = list(chain.from_iterable(token_lines))
    offsets = np.fromiter(accumulate(map(len, token_lines), initial=0), dtype=np.int64, count=len(token_lines) + 1)
    return vocabulary.ids(tokens, n_threads=n_threads), offsets


def runs(name: str, lists: Sequence[Sequence[int]], key: str) -> dict[str, NDArray[Any]]:
    """Lists of numbers laid end to end, as kernels take them: the numbers by `key`, the lists' beginnings by `name`."""
    ids = np.fromiter(chain.from_iterable(lists), dtype=np.int32)
    offsets = np.fromiter(accumulate(map(len, lists), initial=0), dtype=np.int64, count=len(lists) + 1)
    return {key: ids, f"{name}_offsets": offsets}


def _check_lengths(hyp: Ids, ref: Ids) -> None:
    lengths, ref_lengths = np.diff(hyp[1]), np.diff(ref[1])
    cells = lengths * ref_lengths
    if cells.size and cells.max() > _MOST_CELLS:
        at = int(cells.argmax())
        raise DataError(
            f"Segment {at + 1} is too long for METEOR: {lengths[at]} words against {ref_lengths[at]}. "
            "Cut it into sentences."
        )


def check_function_words(choice: str, lang: str) -> None:
    """Raise if our own list of function words is chosen for a language that has none."""
    if choice == "own" and base_language(lang) not in FUNCTION_WORD_LANGUAGES:
        raise DataError(
            f"There is no list of function words for {lang!r}. "
            "Say function_words=none, or function_words=function-words+file=FILE."
        )
