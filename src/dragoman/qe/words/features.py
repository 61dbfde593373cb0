"""What is known of each word of a translation: the word, its source, its neighbours, and what models say of it.

A feature is a column: a symbol for each token (a word, a class) or a number, which the model cuts at quantiles of its
training data. Papers: Luong, Besacier & Lecouteux (LIG, WMT 2014), Wisniewski et al. (LIMSI, WMT 2014), Camargo de
Souza et al. (FBK-UPV-UEdin, WMT 2014).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman.align.result import AlignmentResult
from dragoman.artifact import check_options, option
from dragoman.qe.features.batch import Batch
from dragoman.qe.resources import present
from dragoman.registry import Registry
from dragoman.stats.arrays import Floats

__all__ = ["WORD_FEATURES", "WORD_SET", "Symbols", "WordFeature", "make_word_features"]

Symbols = Sequence[str]  # one a token; "" is nothing


@dataclass(frozen=True)
class WordFeature(ABC):
    """Something of each token of the translations. Its docstring is its definition."""

    name: ClassVar[str]
    paper: ClassVar[str]
    level: ClassVar[str] = "word"
    needs: ClassVar[tuple[str, ...]] = ()  # fields of `Resources`

    @abstractmethod
    def column(self, batch: Batch) -> Symbols | Floats:
        """A symbol or a number for every token of the outputs, sentence after sentence."""

    def needed(self) -> tuple[str, ...]:
        """The resources it needs with these options."""
        return self.needs


WORD_FEATURES: Registry[WordFeature] = Registry(
    "word feature",
    {
        "affix": "dragoman.qe.words.features:Affix",
        "bigram": "dragoman.qe.words.features:Bigram",
        "class": "dragoman.qe.words.features:WordClass",
        "distortion": "dragoman.qe.words.features:Distortion",
        "elsewhere": "dragoman.qe.words.features:Elsewhere",
        "fertility": "dragoman.qe.words.features:Fertility",
        "frequency": "dragoman.qe.words.features:Frequency",
        "kept-rate": "dragoman.qe.words.features:KeptRate",
        "lexicon": "dragoman.qe.words.features:Lexicon",
        "lm": "dragoman.qe.words.features:LmScore",
        "lm-length": "dragoman.qe.words.features:LmLength",
        "pair": "dragoman.qe.words.features:Pair",
        "position": "dragoman.qe.words.features:Position",
        "sentence-length": "dragoman.qe.words.features:SentenceLength",
        "sentence-mean": "dragoman.qe.words.features:SentenceMean",
        "shape": "dragoman.qe.words.features:Shape",
        "source": "dragoman.qe.words.features:SourceWord",
        "word": "dragoman.qe.words.features:Word",
    },
)

# Each column that stands alone, then those whose neighbours count too.
WORD_SET = (
    "word", "word:at=-1", "word:at=1", "word:at=-2", "word:at=2", "bigram", "bigram:at=1",
    "source", "source:at=-1", "source:at=1", "pair", "affix", "affix:end=begin", "shape", "shape:at=-1", "shape:at=1",
    "class", "class:at=-1", "class:at=1", "class:side=source",
    "lm", "lm:at=1", "lm:at=-1", "lm:model=target_backward_lm", "lm:model=output_lm", "lm-length", "lm-length:at=1",
    "lm-length:model=target_backward_lm", "lexicon", "lexicon:value=mean", "lexicon:direction=backward", "lexicon:at=1",
    "lexicon:at=-1", "fertility", "fertility:at=1", "fertility:at=-1", "distortion", "frequency",
    "kept-rate", "kept-rate:length=2", "kept-rate:length=2,at=1", "kept-rate:length=3", "position", "sentence-length",
    "sentence-mean", "sentence-mean:of=lexicon", "sentence-mean:of=kept-rate", "sentence-mean:of=elsewhere",
    "elsewhere", "elsewhere:at=-1", "elsewhere:at=1", "elsewhere:length=2", "elsewhere:length=2,at=1",
)  # fmt: skip


def make_word_features(specs: Sequence[str]) -> tuple[WordFeature, ...]:
    """The features that specifications name, each once: `lm:model=output_lm,at=1`."""
    made = []
    for spec in dict.fromkeys(specs):
        feature = WORD_FEATURES.make(spec)
        check_options(feature)
        made.append(feature)
    return tuple(made)


@dataclass(frozen=True)
class _Neighbours(WordFeature):
    """Base of what can be asked of neighbours, too."""

    at: int = option(0, low=-3, high=3, text="of the token so many places to the right; negative: to the left")

    def column(self, batch: Batch) -> Symbols | Floats:
        """The own column, moved."""
        own = batch.keep((type(self).__name__, self._unmoved()), lambda: self.own(batch))
        return own if self.at == 0 else _moved(own, batch.tokens("target").offsets, self.at)

    @abstractmethod
    def own(self, batch: Batch) -> Symbols | Floats:
        """The column of the tokens themselves."""

    def _unmoved(self) -> tuple[object, ...]:
        return tuple(value for name, value in sorted(vars(self).items()) if name != "at")


def _moved(column: Symbols | Floats, offsets: NDArray[np.int64], by: int) -> Symbols | Floats:
    """Of each token what its neighbour has; "" or NaN beyond the sentence."""
    n = int(offsets[-1])
    place = np.arange(n) + by
    sentence = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    inside = (place >= offsets[sentence]) & (place < offsets[sentence + 1])
    if isinstance(column, np.ndarray):
        return np.where(inside, column[np.clip(place, 0, max(0, n - 1))], np.nan) if n else column
    return [column[at] if there else "" for at, there in zip(place.tolist(), inside.tolist(), strict=True)]


def _words(batch: Batch, side: str = "target") -> list[str]:
    tokens = batch.tokens(side)
    return [tokens.words[number] for number in tokens.ids.tolist()]


@dataclass(frozen=True)
class Word(_Neighbours):
    """The word itself, lower-cased; of neighbours with the option `at`."""

    name: ClassVar[str] = "word"
    paper: ClassVar[str] = "LIG, WMT 2014"

    def own(self, batch: Batch) -> Symbols:
        """The words."""
        return [word.lower() for word in _words(batch)]


@dataclass(frozen=True)
class Bigram(_Neighbours):
    """The word together with the one before it, both lower-cased."""

    name: ClassVar[str] = "bigram"
    paper: ClassVar[str] = "LIG, WMT 2014"

    def own(self, batch: Batch) -> Symbols:
        """Two words a token."""
        words = [word.lower() for word in _words(batch)]
        before = _moved(words, batch.tokens("target").offsets, -1)
        return [f"{left} {word}" for left, word in zip(before, words, strict=True)]


@dataclass(frozen=True)
class Affix(_Neighbours):
    """The last or first letters of the word; a shorter word whole."""

    name: ClassVar[str] = "affix"
    paper: ClassVar[str] = "LIG, WMT 2014"

    end: str = option("end", choices=("begin", "end"), text="which end")
    letters: int = option(3, low=1, high=6, text="how many letters")

    def own(self, batch: Batch) -> Symbols:
        """The letters."""
        cut = slice(None, self.letters) if self.end == "begin" else slice(-self.letters, None)
        return [word.lower()[cut] for word in _words(batch)]


@dataclass(frozen=True)
class Shape(_Neighbours):
    """What the word is made of: capitals, small letters, digits, marks, each run once."""

    name: ClassVar[str] = "shape"
    paper: ClassVar[str] = "LIG, WMT 2014 (punctuation, numeral, proper name)"

    def own(self, batch: Batch) -> Symbols:
        """The shapes."""
        tokens = batch.tokens("target")
        shapes = [_shape(word) for word in tokens.words]
        return [shapes[number] for number in tokens.ids.tolist()]


def _shape(word: str) -> str:
    found = ""
    for letter in word:
        kind = "9" if letter.isdigit() else "A" if letter.isupper() else "a" if letter.isalpha() else "."
        if not found.endswith(kind):
            found += kind
    return found


@dataclass(frozen=True)
class WordClass(_Neighbours):
    """The class of the word, or of the source word it is linked to, in place of a part of speech."""

    name: ClassVar[str] = "class"
    paper: ClassVar[str] = "FBK-UPV-UEdin, WMT 2014 (parts of speech)"
    needs: ClassVar[tuple[str, ...]] = ("classes",)

    side: str = option("target", choices=("source", "target"), text="of which word")

    def needed(self) -> tuple[str, ...]:
        """Classes; links for the source's."""
        return (*self.needs, "aligner") if self.side == "source" else self.needs

    def own(self, batch: Batch) -> Symbols:
        """The classes."""
        units = present(batch.resources.classes, "classes")
        classes = [unit for line in units.units(self.side, batch.tokens(self.side).lines) for unit in line.split()]
        if self.side == "target":
            return classes
        return ["" if place < 0 else classes[place] for place in _partners(batch).tolist()]


def _links(batch: Batch) -> AlignmentResult:
    def make() -> AlignmentResult:
        aligner = present(batch.resources.aligner, "aligner")
        lines = (batch.tokens(side).lines for side in ("source", "target"))
        return aligner.align(*lines, symmetrisation="grow-diag-final-and", n_threads=batch.n_threads)

    return batch.keep("word links", make)


def _pairs(batch: Batch) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """All links as places of tokens of the whole batch: source, target."""
    found = _links(batch)
    pair = np.repeat(np.arange(len(batch)), np.diff(found.offsets))
    sides = [batch.tokens(side).offsets[pair] + found.links[:, k] for k, side in enumerate(("source", "target"))]
    return sides[0].astype(np.int64), sides[1].astype(np.int64)


def _partners(batch: Batch) -> NDArray[np.int64]:
    """The first source token that each token of the output is linked to; −1: none."""

    def make() -> NDArray[np.int64]:
        source, target = _pairs(batch)
        partner = np.full(int(batch.tokens("target").offsets[-1]), -1, dtype=np.int64)
        # Of several assignments the last counts: the first source word is to win.
        order = np.argsort(-source, kind="stable")
        partner[target[order]] = source[order]
        return partner

    return batch.keep("word partners", make)


@dataclass(frozen=True)
class SourceWord(WordFeature):
    """The source word that the word is linked to, or a neighbour of that one."""

    name: ClassVar[str] = "source"
    paper: ClassVar[str] = "LIG, WMT 2014 (alignment context)"
    needs: ClassVar[tuple[str, ...]] = ("aligner",)

    at: int = option(0, low=-3, high=3, text="of the source word so many places to the right of the linked one")

    def column(self, batch: Batch) -> Symbols:
        """The source words; ∅ for words without a link."""
        words = [word.lower() for word in _words(batch, "source")]
        if self.at:
            words = list(_moved(words, batch.tokens("source").offsets, self.at))
        return ["∅" if place < 0 else words[place] for place in _partners(batch).tolist()]


@dataclass(frozen=True)
class Pair(WordFeature):
    """The word together with the source word that it is linked to."""

    name: ClassVar[str] = "pair"
    paper: ClassVar[str] = "LIG, WMT 2014"
    needs: ClassVar[tuple[str, ...]] = ("aligner",)

    def column(self, batch: Batch) -> Symbols:
        """Both words."""
        sources = SourceWord().column(batch)
        return [f"{word.lower()} {source}" for word, source in zip(_words(batch), sources, strict=True)]


@dataclass(frozen=True)
class Fertility(_Neighbours):
    """The number of source words that the word is linked to, at most 3."""

    name: ClassVar[str] = "fertility"
    paper: ClassVar[str] = "FBK-UPV-UEdin, WMT 2014"
    needs: ClassVar[tuple[str, ...]] = ("aligner",)

    def own(self, batch: Batch) -> Symbols:
        """The numbers of links."""
        _, target = _pairs(batch)
        counts = np.bincount(target, minlength=int(batch.tokens("target").offsets[-1]))
        return [str(min(3, count)) for count in counts.tolist()]


@dataclass(frozen=True)
class Distortion(WordFeature):
    """How far the word's source lies from that of the word before, in words; NaN without links."""

    name: ClassVar[str] = "distortion"
    paper: ClassVar[str] = "LIG, WMT 2014 (alignment context)"
    needs: ClassVar[tuple[str, ...]] = ("aligner",)

    def column(self, batch: Batch) -> Floats:
        """The jumps."""
        partner = _partners(batch).astype(np.float64)
        partner[partner < 0] = np.nan
        before = _moved(partner, batch.tokens("target").offsets, -1)
        return np.asarray(partner - np.asarray(before))


@dataclass(frozen=True)
class Lexicon(_Neighbours):
    """Lexical probability of the word given the source words: the best, or the mean over all of them and NULL.

    `backward` asks for the probability of a source word given this one. Natural logarithm; floor e⁻²⁰.
    """

    name: ClassVar[str] = "lexicon"
    paper: ClassVar[str] = "FBK-UPV-UEdin, WMT 2014 (WL); LIMSI, WMT 2014"

    value: str = option("best", choices=("best", "mean"), text="the best or the mean of all source words")
    direction: str = option("forward", choices=("forward", "backward"), text="p(target | source) or the inverse")

    def needed(self) -> tuple[str, ...]:
        """The table of this direction."""
        return ("lexicon",) if self.direction == "forward" else ("inverse_lexicon",)

    def own(self, batch: Batch) -> Floats:
        """Logarithms of probabilities."""
        (name,) = self.needed()
        table = present(getattr(batch.resources, name), name)
        source, target = batch.tokens("source"), batch.tokens("target")
        sides = {"source": source, "target": target}
        given, said = ("source", "target") if self.direction == "forward" else ("target", "source")
        known = {
            given: table.vocabulary.ids(sides[given].words) if sides[given].words else np.zeros(0, dtype=np.int32),
            said: table.target_vocabulary.ids(sides[said].words) if sides[said].words else np.zeros(0, dtype=np.int32),
        }
        found = np.zeros(int(target.offsets[-1]))
        for pair in range(len(batch)):
            of_source = known["source"][source.ids[source.offsets[pair] : source.offsets[pair + 1]]]
            of_target = known["target"][target.ids[target.offsets[pair] : target.offsets[pair + 1]]]
            if not len(of_source) or not len(of_target):
                continue
            left = np.repeat(of_source[np.newaxis], len(of_target), axis=0).ravel()
            right = np.repeat(of_target, len(of_source))
            p = table.probabilities(*((left, right) if self.direction == "forward" else (right, left)))
            grid = p.reshape(len(of_target), len(of_source))
            best = grid.max(axis=1) if self.value == "best" else grid.sum(axis=1) / (len(of_source) + 1)
            found[target.offsets[pair] : target.offsets[pair + 1]] = best
        return np.log(np.maximum(found, np.exp(-20.0)))


@dataclass(frozen=True)
class LmScore(_Neighbours):
    """Log-probability (base 10) of the word after those before it, or, in a backward model, after those behind it."""

    name: ClassVar[str] = "lm"
    paper: ClassVar[str] = "LIG, WMT 2014; FBK-UPV-UEdin, WMT 2014"

    model: str = option(
        "target_lm", choices=("target_lm", "target_backward_lm", "output_lm"), text="which language model"
    )

    def needed(self) -> tuple[str, ...]:
        """The model."""
        return (self.model,)

    def own(self, batch: Batch) -> Floats:
        """The scores of the words."""
        return _scored(batch, self.model)[0]


@dataclass(frozen=True)
class LmLength(_Neighbours):
    """How many words the longest n-gram has that the language model knows and that ends here."""

    name: ClassVar[str] = "lm-length"
    paper: ClassVar[str] = "LIG, WMT 2014 (longest n-gram); FBK-UPV-UEdin, WMT 2014 (back-off)"

    model: str = option(
        "target_lm", choices=("target_lm", "target_backward_lm", "output_lm"), text="which language model"
    )

    def needed(self) -> tuple[str, ...]:
        """The model."""
        return (self.model,)

    def own(self, batch: Batch) -> Symbols:
        """The lengths."""
        return [str(length) for length in _scored(batch, self.model)[1].tolist()]


def _scored(batch: Batch, model: str) -> tuple[Floats, NDArray[np.int64]]:
    """Log-probability and matched length of every token of the outputs."""

    def make() -> tuple[Floats, NDArray[np.int64]]:
        lm = present(getattr(batch.resources, model), model)
        lines = batch.tokens("target").lines
        backward = "backward" in model
        if backward:
            lines = [" ".join(reversed(line.split())) for line in lines]
        found = lm.score_tokens(lines, n_threads=batch.n_threads)
        offsets = batch.tokens("target").offsets
        scores, lengths = np.zeros(int(offsets[-1])), np.zeros(int(offsets[-1]), dtype=np.int64)
        for pair in range(len(batch)):
            begin, end = int(offsets[pair]), int(offsets[pair + 1])
            own = slice(int(found.offsets[pair]), int(found.offsets[pair]) + end - begin)
            step = -1 if backward else 1
            scores[begin:end] = found.log_p[own][::step]
            lengths[begin:end] = found.n_matched[own][::step]
        return scores, lengths

    return batch.keep(("word lm", model), make)


@dataclass(frozen=True)
class Frequency(_Neighbours):
    """How often the word is in the corpus of the target language: ln(1 + count)."""

    name: ClassVar[str] = "frequency"
    paper: ClassVar[str] = "LIG, WMT 2014"
    needs: ClassVar[tuple[str, ...]] = ("target_ngrams",)

    def own(self, batch: Batch) -> Floats:
        """Logarithms of counts."""
        counts = present(batch.resources.target_ngrams, "target_ngrams")
        target = batch.tokens("target")
        found, _ = counts.frequencies(target.ids_in(counts.vocabulary), target.offsets, 1)
        return np.log1p(np.asarray(found, dtype=np.float64))


@dataclass(frozen=True)
class KeptRate(_Neighbours):
    """The share in which post-editors kept the n-gram that ends with this word."""

    name: ClassVar[str] = "kept-rate"
    paper: ClassVar[str] = "after Specia et al. and Buck, WMT 2013 (words that post-editors change)"
    needs: ClassVar[tuple[str, ...]] = ("confidence",)

    length: int = option(1, low=1, high=3, text="words of the n-gram")

    def own(self, batch: Batch) -> Floats:
        """The rates; NaN at the first words of sentences for longer n-grams."""
        confidence = present(batch.resources.confidence, "confidence")
        target = batch.tokens("target")
        rates, sentence = confidence.rates(target.ids_in(confidence.vocabulary), target.offsets, self.length)
        found = np.full(int(target.offsets[-1]), np.nan)
        first = target.offsets[:-1][sentence]
        # The k-th n-gram of a sentence ends with its word k + length − 1.
        _, start = np.unique(sentence, return_index=True)
        begin = np.zeros(len(sentence), dtype=np.int64)
        begin[start] = start
        number = np.arange(len(sentence)) - np.maximum.accumulate(begin)
        found[first + number + self.length - 1] = rates
        return found


@dataclass(frozen=True)
class Position(WordFeature):
    """Where in the sentence the word stands, from 0 to 1."""

    name: ClassVar[str] = "position"
    paper: ClassVar[str] = "LIG, WMT 2014"

    def column(self, batch: Batch) -> Floats:
        """The places."""
        target = batch.tokens("target")
        place = np.arange(int(target.offsets[-1])) - target.offsets[target.sentence]
        return np.asarray(place / np.maximum(target.lengths[target.sentence] - 1, 1), dtype=np.float64)


@dataclass(frozen=True)
class SentenceLength(WordFeature):
    """The number of words that the whole output has."""

    name: ClassVar[str] = "sentence-length"
    paper: ClassVar[str] = "FBK-UPV-UEdin, WMT 2014"

    def column(self, batch: Batch) -> Floats:
        """The lengths."""
        target = batch.tokens("target")
        return target.lengths[target.sentence].astype(np.float64)


@dataclass(frozen=True)
class Elsewhere(_Neighbours):
    """The share of other outputs of the same source, among those given, that have the n-gram ending with this word.

    NaN where there is no other output, and at the first words of sentences for longer n-grams.
    """

    name: ClassVar[str] = "elsewhere"
    paper: ClassVar[str] = "LIG, WMT 2014 (occurrence in several systems' outputs)"

    length: int = option(1, low=1, high=3, text="words of the n-gram")

    def own(self, batch: Batch) -> Floats:
        """The shares."""
        target = batch.tokens("target")
        lines = [line.lower().split() for line in target.lines]
        ngrams = [
            ["\t".join(words[end - self.length : end]) for end in range(self.length, len(words) + 1)] for words in lines
        ]
        others: dict[str, list[int]] = {}
        for row, source in enumerate(batch.tokens("source").lines):
            others.setdefault(source, []).append(row)
        found = np.full(int(target.offsets[-1]), np.nan)
        for rows in others.values():
            if len(rows) < 2:
                continue
            having = Counter(ngram for row in rows for ngram in set(ngrams[row]))
            for row in rows:
                shares = [(having[ngram] - 1) / (len(rows) - 1) for ngram in ngrams[row]]
                end = int(target.offsets[row + 1])
                found[end - len(shares) : end] = shares
        return found


@dataclass(frozen=True)
class SentenceMean(WordFeature):
    """The mean over the sentence of another feature: words of an output that is bad as a whole are all bad."""

    name: ClassVar[str] = "sentence-mean"
    paper: ClassVar[str] = "FBK-UPV-UEdin, WMT 2014 (sentence context)"

    of: str = option("lm", choices=("elsewhere", "kept-rate", "lexicon", "lm"), text="of which feature")

    def needed(self) -> tuple[str, ...]:
        """What that feature needs."""
        return self._inner().needed()

    def _inner(self) -> WordFeature:
        return WORD_FEATURES.make(self.of)

    def column(self, batch: Batch) -> Floats:
        """The means; NaN where no word has a value."""
        values = np.asarray(self._inner().column(batch), dtype=np.float64)
        target = batch.tokens("target")
        known = ~np.isnan(values)
        total = np.bincount(target.sentence[known], weights=values[known], minlength=len(batch))
        count = np.bincount(target.sentence[known], minlength=len(batch))
        with np.errstate(invalid="ignore"):
            mean = np.where(count > 0, total / count, np.nan)
        return mean[target.sentence]
