"""TESLA: weighted n-grams matched by lemma, synonym and part of speech (Liu, Dahlmeier & Ng, WMT 2010)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from dragoman import _core
from dragoman.errors import DataError
from dragoman.metrics.base import MeanReference, Rows, mean_rows, ratio
from dragoman.metrics.meteor import STEMMED_LANGUAGES, check_function_words, runs
from dragoman.metrics.references import References, ScoredText
from dragoman.metrics.words import Ids, encode_lines, make_tokeniser
from dragoman.options import option
from dragoman.text import Vocabulary
from dragoman.text.annotate.base import TypeAnnotator
from dragoman.text.casing import lowercase
from dragoman.text.languages import base_language
from dragoman.text.layers import TAG_LAYERS, annotate_once, make_annotator

__all__ = ["N_FEATURES", "TeslaM", "f_measures"]

_ORDERS = 3
N_FEATURES = 2 * _ORDERS  # F of each order, by meaning and by part of speech
_ALPHA = 0.8  # the weight of recall against precision
_ENDING = 3  # letters by which words are classed where there is no tagger
_LAYERS = {
    "lemma": ("lemma", "stem"),
    "pos": TAG_LAYERS,
    "synonyms": ("synsets",),
    "function_words": ("function_word",),
}
_OWN = {"lemma": {"own"}, "pos": {"own"}, "synonyms": {"none"}, "function_words": {"own", "none"}}


@dataclass(frozen=True, eq=False)
class _Words:
    """A text as ids of kinds of words, and what the kernel wants to know of each kind."""

    systems: list[Ids]
    streams: list[Ids]
    lexicon: dict[str, Any]


@dataclass(frozen=True)
class TeslaM(MeanReference):
    """TESLA-M: the mean of six F, of n-grams of one to three words, by meaning and by part of speech.

    Two words are alike if their lemmas are the same, half alike if they are synonyms or have the same part of speech,
    alike if both; n-grams are as alike as their words, and not at all if two of these have nothing in common. An n-gram
    weighs a tenth for each of its function words. Which n-grams are matched is the solution of a linear program, exact
    in whole numbers. Punctuation is left out. Without a tagger the last letters of a word, or the function word itself,
    stand for its part of speech, as the signature says.
    """

    name: ClassVar[str] = "tesla-m"
    label_pattern: ClassVar[str] = "TESLA-M"
    quick: ClassVar[bool] = False

    lang: str = option("en", positional=True, text="language of the text")
    tokeniser: str = option("13a", text="how lines are cut into words: a name, perhaps with options (moses+lang=de)")
    lemma: str = option(
        "own",
        layers=_LAYERS["lemma"],
        text="own (the stem), the layer lemma or stem, or an annotator (simplemma+lang=en)",
    )
    pos: str = option(
        "own",
        layers=_LAYERS["pos"],
        text="own (endings of words), the layer pos or xpos, or an annotator (hanta+lang=en)",
    )
    synonyms: str = option(
        "none", layers=_LAYERS["synonyms"], text="none, the layer synsets, or an annotator (wordnet+place=FOLDER)"
    )
    function_words: str = option(
        "own",
        layers=_LAYERS["function_words"],
        text="own (Dragoman's lists), none, the layer function_word, or an annotator (function-words+file=FILE)",
    )
    weights: tuple[float, ...] = option(
        (), text="of the features, F by meaning and by part of speech in turn, as training finds them; else a mean"
    )
    trained: str | None = option(None, text="fingerprint of the judgements that weights were learnt from")

    def check(self) -> Self:
        """The metric itself if its options are sound."""
        super().check()
        make_tokeniser(self.tokeniser)
        check_function_words(self.function_words, self.lang)
        n_features = len(self.plain_weights())
        if self.weights and (len(self.weights) != n_features or not any(self.weights)):
            raise DataError(f"{self.label} has {n_features} weights, not all of them 0; got {len(self.weights)}.")
        for name in _LAYERS:
            if getattr(self, name) not in {*_OWN[name], *_LAYERS[name]}:
                self._annotator(name)
        return self

    def signature_options(self) -> dict[str, Any]:
        """The options; weights only where they are not the metric's own."""
        return super().signature_options() | {"weights": self.weights or None}

    def prepare(self, text: ScoredText, n_threads: int) -> _Words:
        """All lines as ids of kinds of words, with what is known of the kinds."""
        if self._is_by_word():
            return self._prepare_words(text, n_threads)
        kinds: dict[tuple[str, str, str], int] = {}

        def ids(lines: Sequence[str]) -> Ids:
            _core.text.check_lines(list(lines))  # lone surrogates
            return self._kinds(lines, kinds, n_threads)

        systems = [ids(lines) for lines in text.systems]
        streams = [ids(text.refs.lines(number)) for number in range(len(text.refs.streams))]
        return _Words(systems, streams, self._lexicon(list(kinds)))

    def _is_by_word(self) -> bool:
        """Whether a word's lemma and tag do not depend on its neighbours."""
        asked = [self._annotator(name) for name in ("lemma", "pos") if getattr(self, name) != "own"]
        return all(isinstance(each, TypeAnnotator) for each in asked)

    def _prepare_words(self, text: ScoredText, n_threads: int) -> _Words:
        """The same, word by word in place of token by token."""
        vocabulary = Vocabulary()

        def ids(lines: Sequence[str]) -> Ids:
            return encode_lines(lines, self.tokeniser, lowercase=False, vocabulary=vocabulary, n_threads=n_threads)

        systems = [ids(lines) for lines in text.systems]
        streams = [ids(text.refs.lines(number)) for number in range(len(text.refs.streams))]
        words = vocabulary.words()
        is_word = np.array([any(map(str.isalnum, word)) for word in words], dtype=bool)
        (lemmas,), (tags,) = self.annotated([words])
        lexicon = self._lexicon(list(zip(words, lemmas, tags, strict=True)))
        return _Words([_only(is_word, each) for each in systems], [_only(is_word, each) for each in streams], lexicon)

    def reference_rows(self, prepared: _Words, refs: References, number: int, n_threads: int) -> Rows:  # noqa: ARG002
        """A segment's score against one of the references, and 1."""
        return mean_rows(100.0 * self.combined(self.reference_features(prepared, number, n_threads)))

    def reference_features(self, prepared: _Words, number: int, n_threads: int) -> NDArray[np.float64]:
        """The six F against one of the references: array (systems, segments, 6)."""
        ref = prepared.streams[number]
        rows = [_core.metrics.tesla(*hyp, *ref, **prepared.lexicon, n_threads=n_threads) for hyp in prepared.systems]
        return f_measures(np.stack(rows))

    def combined(self, features: NDArray[np.float64]) -> NDArray[np.float64]:
        """The mean of the F, or their weighted sum brought to what lies between its least and its most."""
        weights = np.array(self.weights or self.plain_weights())
        least, most = np.minimum(weights, 0.0).sum(), np.maximum(weights, 0.0).sum()
        scaled: NDArray[np.float64] = (features @ weights - least) / (most - least)
        return scaled

    def plain_weights(self) -> list[float]:
        """The weights of the features where nobody learnt others."""
        return [1.0] * N_FEATURES

    def annotated(self, token_lines: list[list[str]]) -> tuple[list[list[str]], list[list[str]]]:
        """The lemmas, in small letters, and the tags of words."""
        lemmas = [[lemma.lower() for lemma in line] for line in self._lemmas(token_lines)]
        return lemmas, self._tags(token_lines)

    def _kinds(self, lines: Sequence[str], kinds: dict[tuple[str, str, str], int], n_threads: int) -> Ids:
        token_lines = [line.split() for line in make_tokeniser(self.tokeniser).tokenise(lines, n_threads=n_threads)]
        lemmas, tags = self.annotated(token_lines)
        ids: list[int] = []
        lengths = []
        for words, tag_line, lemma_line in zip(token_lines, tags, lemmas, strict=True):
            before = len(ids)
            for word, tag, lemma in zip(words, tag_line, lemma_line, strict=True):
                if any(map(str.isalnum, word)):
                    ids.append(kinds.setdefault((word, lemma, tag), len(kinds)))
            lengths.append(len(ids) - before)
        offsets = np.fromiter(accumulate(lengths, initial=0), dtype=np.int64, count=len(lengths) + 1)
        return np.array(ids, dtype=np.int32), offsets

    def _tags(self, token_lines: list[list[str]]) -> list[list[str]]:
        if self.pos != "own":
            return annotate_once(self._annotator("pos"), token_lines)
        words = list(dict.fromkeys(word for words in token_lines for word in words))
        classes = {}
        for word, is_function in zip(words, self.function_flags(words), strict=True):
            small = word.lower()
            classes[word] = small if is_function else "0" if any(map(str.isdigit, small)) else small[-_ENDING:]
        return [[classes[word] for word in words] for words in token_lines]

    def _lemmas(self, token_lines: list[list[str]]) -> list[list[str]]:
        if self.lemma != "own":
            return annotate_once(self._annotator("lemma"), token_lines)
        if base_language(self.lang) not in STEMMED_LANGUAGES:
            return token_lines
        return make_annotator(f"snowball+lang={self.lang}", ("stem",)).annotate(token_lines)

    def _lexicon(self, kinds: list[tuple[str, str, str]]) -> dict[str, Any]:
        words = [word for word, _, _ in kinds]
        synsets: list[Any] = [()] * len(words)
        if self.synonyms != "none":
            synsets = self._annotator("synonyms").annotate([lowercase(words, self.lang)])[0]
        numbers = Vocabulary()
        sets = [np.sort(numbers.ids(list(each))).tolist() for each in synsets]
        return {
            "lemmas": Vocabulary().ids([lemma for _, lemma, _ in kinds]),
            "tags": Vocabulary().ids([tag for _, _, tag in kinds]),
            "function_words": np.asarray(self.function_flags(words), dtype=np.uint8),
            **runs("synset", sets, "synsets"),
        }

    def function_flags(self, words: list[str]) -> list[bool]:
        """Whether each word is a function word."""
        if self.function_words == "none":
            return [False] * len(words)
        flags: list[bool] = self._annotator("function_words").annotate([words])[0]
        return flags

    def _annotator(self, name: str) -> Any:
        """Who makes the layer of an option; it must be for the text's language."""
        value = getattr(self, name)
        annotator: Any = make_annotator(f"function-words+lang={self.lang}" if value == "own" else value, _LAYERS[name])
        if base_language(getattr(annotator, "lang", self.lang)) != base_language(self.lang):
            raise DataError(f"TESLA's {name}={value} is of {annotator.lang!r}, but the text is in {self.lang!r}.")
        return annotator


def _only(is_word: NDArray[np.bool_], text: Ids) -> Ids:
    """The text without tokens that are no words."""
    ids, offsets = text
    kept = is_word[ids]
    before = np.concatenate([[0], np.cumsum(kept, dtype=np.int64)])
    return ids[kept], before[offsets]


def f_measures(rows: Rows) -> NDArray[np.float64]:
    """F of each order by meaning and by part of speech: array (…, 6) from the kernel's rows.

    An order that neither text is long enough for gets the mean of the others; F is 0 where only one text has n-grams.
    """
    bags = np.asarray(rows).reshape(*rows.shape[:-1], _ORDERS, 4)
    matched, ours, theirs = bags[..., :2], bags[..., 2:3], bags[..., 3:4]
    precision = ratio(matched, np.broadcast_to(ours, matched.shape))
    recall = ratio(matched, np.broadcast_to(theirs, matched.shape))
    f = ratio(precision * recall, _ALPHA * precision + (1.0 - _ALPHA) * recall)
    there = ((ours > 0) | (theirs > 0)).astype(np.float64)
    mean = ratio((f * there).sum(axis=-2), np.broadcast_to(there.sum(axis=-2), (*f.shape[:-2], 2)))
    f = np.where(there > 0, f, mean[..., np.newaxis, :])
    flat: NDArray[np.float64] = f.reshape(*f.shape[:-2], N_FEATURES)
    return flat
