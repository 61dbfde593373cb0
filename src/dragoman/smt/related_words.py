"""What an engine reads in the place of a word that it does not know: words that it does, of the same stem or parts."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, lru_cache
from math import ceil, log

from dragoman.text.languages import base_language
from dragoman.text.truecase import sentence_starts
from dragoman.text.vocabulary import Vocabulary

__all__ = ["CAPITALS", "RelatedWords"]

CAPITALS = ("stay", "compounds", "read")  # what becomes of unknown words with a capital

# Set by looking at the unknown words of Multi30k's validation set, English and German; not tuned further.
_STEM = 4  # letters that two forms of a word share at least, ...
_SHARED = 0.6  # ... and the share of the unknown word's letters
_ENDING = 3  # letters of an ending at most, ...
_CHANGED = 4  # ... and of the two together
_PART = 3  # letters of a part of a compound
_PARTS = 3
_LONGEST = 60  # letters of a word that is looked into
# What stands between the parts of Germanic compounds, as in Hochzeit-s-kuss.
_LINKS = ("", "s", "es", "n", "en", "er", "e")
# Languages in which a capital inside a line says little: of 37 words of Multi30k's de-en validation and test sets that
# are known in small letters alone all mean what those mean; of 27 in en-de 22 are of names.
_CAPITAL_NOUNS = ("de", "gsw", "lb", "nds")
_HEADLINE = 3  # words with a capital after the first, at least: fewer may be a name
_SMALL = 3  # letters of words that headlines leave small, at most


class RelatedWords:
    """Finds known words for an unknown one; a word for which there are none, a name mostly, stays as it is.

    An unknown word that begins with a capital and is not a known one in another case may be a name, and a name has no
    translation: `capitals` says whether it stays, is read by the parts of a compound if all of them are known as they
    are, or is read as any other word.

    So a known word in small letters is read for one with a capital inside a line (*apple* for *Apple*) in headlines and
    in languages whose nouns have capitals, and as a guess where `capitals` is not `stay`.

    Tried in this order: another case of it (*Halbnackter* for *halbnackter*), the parts at its hyphens, another ending
    (*Ampel* for *Ampeln*), the parts of a compound (*Regen Wald* for *Regenwald*; after Koehn & Knight, EACL 2003).
    """

    def __init__(
        self,
        vocabulary: Vocabulary,
        count: Callable[[str], int],
        keep: Callable[[str], object] | None = None,
        *,
        alone: Callable[[str], bool] | None = None,
        capitals: str = "stay",
        lang: str = "",
    ) -> None:
        """`vocabulary` holds what is known, `count` says how often a word was translated, 0 for none.

        Unknown words that `keep` says yes to stay as they are: something better is known about them. `alone` says
        whether a word has a translation without others around it; if it is not given, any that was translated has.
        """
        self._knows_names = not (lang and base_language(lang) in _CAPITAL_NOUNS)
        self._keep = keep
        self._capitals = capitals
        self._alone = alone
        self._vocabulary = vocabulary
        self._count = lru_cache(maxsize=1 << 16)(count)
        self.read = lru_cache(maxsize=1 << 16)(self._read)

    def rewrite(self, line: str) -> str:
        """A tokenised line with known words in the place of unknown ones."""
        return " ".join([" ".join(read) for _, read, _ in self._readings(line)])

    def guesses(self, line: str) -> frozenset[int]:
        """Which words of the rewritten line are guesses: they stand for a word of which they have but letters.

        Another case of the word, and a part at a hyphen as it is, are the word itself.
        """
        found: set[int] = set()
        place = 0
        for word, words, perhaps_name in self._readings(line):
            own = word.casefold().split("-")
            for read in words:
                if self._by_rule(word) if read == word else perhaps_name or read.casefold() not in own:
                    found.add(place)
                place += 1
        return frozenset(found)

    def is_foreign(self, word: str) -> bool:
        """Whether a word in small letters has no translation of its own: in a translation it was copied."""
        if not (word.isalpha() and word == word.lower()):
            return False
        return not (self._count(word) if self._alone is None else self._alone(word))

    def with_capitals(self, line: str, cased: str) -> str:
        """A line in true case with the capitals back of words that may be names: a truecaser knows no names."""
        words, kept = line.split(" "), cased.split(" ")
        if line == cased or len(words) != len(kept) or not self._knows_names:
            return cased
        for place in _inside_with_capital(words):
            if self._capitals == "stay" or len(words[place]) >= _STEM:
                kept[place] = words[place]
        return " ".join(kept)

    def _readings(self, line: str) -> Iterator[tuple[str, tuple[str, ...], bool]]:
        """Each word, what it is read as, and whether it may be a name that is spelt like that."""
        words = line.split(" ")
        inside = _inside_with_capital(words) if self._knows_names else frozenset()
        for place, word in enumerate(words):
            read = self.read(word)
            small = read[0].casefold() == word.casefold() and read[0][:1].islower()
            perhaps_name = place in inside and len(read) == 1 and small
            yield word, (word,) if perhaps_name and self._capitals == "stay" else read, perhaps_name

    def _by_rule(self, word: str) -> bool:
        """Whether what is known about an unknown word is known about words like it."""
        return bool(self._keep and word not in self._vocabulary and self._keep(word))

    def _read(self, word: str) -> tuple[str, ...]:
        if not _STEM <= len(word) <= _LONGEST or word in self._vocabulary or not word.replace("-", "").isalpha():
            return (word,)
        if form := self._cased(word):
            return (form,)
        if self._keep and self._keep(word):
            return (word,)
        may_be_name = word[:1].isupper() and self._capitals != "read"
        if may_be_name and self._capitals == "stay":
            return (word,)
        if "-" in word.strip("-"):
            read = [(self._cased(part),) if self._cased(part) else self._read(part) for part in word.split("-") if part]
            parts = tuple(part for each in read for part in each if part)
            return parts if any(map(self._count, parts)) else (word,)
        if not may_be_name and (form := self._other_ending(word)):
            return (form,)
        words = self._compound(word, _PARTS, exact=may_be_name)
        return words[1] if words else (word,)

    @cached_property
    def _sorted(self) -> list[tuple[str, str]]:
        """All words, lower-cased and as they are: those of one stem stand together."""
        return sorted((word.lower(), word) for word in self._vocabulary.words())

    def _cased(self, word: str) -> str | None:
        """The form of the word that was met most often, capitals aside."""
        forms = (word, word.lower(), word[:1].upper() + word[1:])
        best = max(forms, key=self._count)
        return best if self._count(best) else None

    def _other_ending(self, word: str, most: int = _CHANGED) -> str | None:
        lower = word.lower()
        least = max(_STEM, len(lower) - _ENDING, ceil(_SHARED * len(lower)))
        best: tuple[int, int, str] | None = None
        for size in range(len(lower), least - 1, -1):
            stem = lower[:size]
            for at in range(bisect_left(self._sorted, (stem,)), len(self._sorted)):
                other, form = self._sorted[at]
                if not other.startswith(stem):
                    break
                changed = (len(lower) - size) + (len(other) - size)
                if len(other) - size <= _ENDING and changed <= most and (count := self._count(form)):
                    best = max(best or (-changed, count, form), (-changed, count, form))
        return best[2] if best else None

    def _compound(
        self, word: str, most: int, *, exact: bool = False
    ) -> tuple[tuple[int, float], tuple[str, ...]] | None:
        """The fewest parts, of these the most frequent (by the geometric mean), and how good they are.

        An exact last part has no other ending.
        """
        best: tuple[tuple[int, float], tuple[str, ...]] | None = None
        for cut in range(_PART, len(word) - _PART + 1):
            head, tail = self._linked(word[:cut]), word[cut:]
            if not head:
                continue
            parts: tuple[str, ...]
            if form := self._cased(tail) or (None if exact else self._other_ending(tail, _ENDING - 1)):
                parts = (head, form)
            elif most > 2 and (more := self._compound(tail, most - 1, exact=exact)):
                parts = (head, *more[1])
            else:
                continue
            goodness = (-len(parts), sum(log(self._count(part)) for part in parts) / len(parts))
            if best is None or goodness > best[0]:
                best = goodness, parts
        return best

    def _linked(self, part: str) -> str | None:
        """The known word of a first part, with or without what links it to the next."""
        forms = (part.removesuffix(link) for link in _LINKS if part.endswith(link))
        frequencies = [form for each in forms if len(each) >= _PART and (form := self._cased(each))]
        return max(frequencies, key=self._count, default=None)


def _inside_with_capital(words: Sequence[str]) -> frozenset[int]:
    """Where words with a capital are that neither a sentence's start nor a headline explains."""
    if _is_headline(words):
        return frozenset()
    starts = sentence_starts(words)
    return frozenset(
        place for place, word in enumerate(words) if word[:1].isupper() and word.isalpha() and not starts[place]
    )


def _is_headline(words: Sequence[str]) -> bool:
    """Whether all long words of a line have a capital, or all words are written in capitals."""
    cased = [word for word in words if word[:1].isalpha() and word.lower() != word.upper()]
    if len(cased) > 1 and all(word.isupper() for word in cased):
        return True
    long = [word for word in cased[1:] if len(word) > _SMALL]
    return sum(word[:1].isupper() for word in cased[1:]) >= _HEADLINE and all(word[:1].isupper() for word in long)
