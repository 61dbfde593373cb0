"""Compounds: words made of words, cut where their parts are more frequent than they are (Koehn & Knight, EACL 2003).

*Aktionsplan* is read as *Aktion Plan*: the parts are words of the text, and an *s* joins them. For translation into a
language of compounds the parts are marked, `aktions@@ Plan`, and merged again; nothing is lost on the way.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from itertools import islice
from math import log
from pathlib import Path
from typing import ClassVar, NamedTuple, Self

from dragoman.artifact import Artifact, Manifest
from dragoman.errors import DataError, FormatError
from dragoman.files import read_lines, write_lines
from dragoman.options import Recipe, option
from dragoman.text.annotate.function_words import FUNCTION_WORD_LANGUAGES, function_words
from dragoman.text.languages import base_language

__all__ = ["MARK", "CompoundModel", "CompoundPart", "CompoundRecipe"]

MARK = "@@"  # behind a part that the next one is joined to
_WORDS, _SPLITS = "words.tsv", "splits.tsv"
_LONGEST = 100  # letters of a word that is looked into
_SPLITS_TRIED = 8  # of a word in a bitext, the best ones first


class CompoundPart(NamedTuple):
    """A part of a compound: the word that it is, and its letters there, those that join it to the next included."""

    word: str
    letters: str


@dataclass(frozen=True)
class CompoundRecipe(Recipe):
    """How compounds are found and cut."""

    lang: str = option("de", text="language: its function words are no parts")
    joints: tuple[str, ...] = option(
        ("s", "es", "n", "en", "er", "e", "ens", "-e", "-n", "-en+s"),
        text="how a part is joined to the next: letters that are added, -letters that are left out, or -both+of them",
    )
    shortest: int = option(4, low=1, high=100, text="letters of a part")
    least: int = option(3, low=1, text="how often a part must be a word of the text")
    shortest_unseen: int = option(
        3, low=1, high=100, text="letters of a part of a word that is not in the text; once is often enough there"
    )
    most: int = option(4, low=2, high=10, text="parts of a compound")
    proof: float = option(
        0.5, low=0, high=1, text="with a bitext: in what share of its sentences a word's parts must all be translated"
    )

    def check(self) -> Self:
        """Return the recipe if its joints are letters."""
        super().check()
        for joint in self.joints:
            out, into = _joint(joint)
            if not (out + into).isalpha():
                raise DataError(f"{joint!r} is no joint; write letters that are added, -letters left out, or -en+s.")
        return self

    def train(
        self,
        lines: Iterable[str],
        *,
        targets: Iterable[str] | None = None,
        translations: Mapping[str, Collection[str]] | None = None,
    ) -> CompoundModel:
        """Count the words of tokenised lines, which are in true case.

        With `targets`, the translations of the lines, and a dictionary, words in small letters, a word of the text is
        cut only where all parts were seen to be translated beside it.
        """
        self.check()
        text = list(lines)
        counts = Counter(word for line in text for word in line.split() if word.replace("-", "").isalpha())
        if not counts:
            raise DataError("The text has no words to learn compounds from. Give tokenised text.")
        forms = _best_forms(counts)
        data = {"text": sha256("\n".join(text).encode("utf-8", "surrogatepass")).hexdigest()}
        model = CompoundModel(self, forms, {}, data)
        if targets is None or translations is None:
            return model
        others = list(targets)
        data["targets"] = sha256("\n".join(others).encode("utf-8", "surrogatepass")).hexdigest()
        return CompoundModel(self, forms, _proven(model, text, others, translations), data)


class CompoundModel(Artifact):
    """Cuts compounds of a language into words, and merges marked parts."""

    kind: ClassVar[str] = "compound model"
    format: ClassVar[int] = 1

    recipe: CompoundRecipe

    def __init__(
        self,
        recipe: CompoundRecipe,
        forms: Mapping[str, tuple[str, int]],
        proven: Mapping[str, tuple[CompoundPart, ...]],
        data: Mapping[str, str] | None = None,
    ) -> None:
        """`forms` has for a word in small letters its usual form and how often the word was met, in whatever case.

        `proven` has the parts of words that a bitext decided on; one part says that a word is whole.
        """
        self.recipe = recipe
        self.forms = dict(forms)
        self.proven = dict(proven)
        self.data = dict(data or {})
        self._joints = [("", ""), *map(_joint, recipe.joints)]
        lang = base_language(recipe.lang)
        self._no_parts = function_words(lang) if lang in FUNCTION_WORD_LANGUAGES else frozenset()
        self.parts = lru_cache(maxsize=1 << 18)(self._parts)

    def __len__(self) -> int:
        """The number of words."""
        return len(self.forms)

    def split(self, lines: Sequence[str], *, marked: bool = False) -> list[str]:
        """Tokenised lines with the parts of compounds as words of their own: `Aktion Plan`.

        `marked`, they keep their letters and can be merged: `aktions@@ Plan`.
        """
        cut = self._marked if marked else self.words
        return [" ".join([piece for word in line.split(" ") for piece in cut(word)]) for line in lines]

    def merge(self, lines: Sequence[str]) -> list[str]:
        """Tokenised lines with marked parts joined to the words behind them, whose case the compound takes.

        A part without a word behind it, as a translation may leave it, becomes the word that it is.
        """
        return [" ".join(self._merged(line.split(" "))) if MARK in line else line for line in lines]

    def words(self, word: str) -> list[str]:
        """The words that a compound is made of; one that is not in the text is cut at its hyphens, too."""
        if "-" not in word.strip("-") or word.lower() in self.forms or len(word) > _LONGEST:
            return [part.word for part in self.parts(word)]
        return [part.word for piece in word.split("-") if piece for part in self.parts(self._usual(piece))]

    def _usual(self, word: str) -> str:
        """A word in the case that it usually has."""
        return self.forms[word.lower()][0] if word.lower() in self.forms else word

    def _marked(self, word: str) -> list[str]:
        parts = self.parts(word)
        if len(parts) == 1:
            return [word]
        head = parts[-1].letters
        head = head[:1].upper() + head[1:] if word[:1] != word[:1].lower() else head
        return [*(part.letters + MARK for part in parts[:-1]), head]

    def _merged(self, tokens: Sequence[str]) -> list[str]:
        merged: list[str] = []
        waiting = ""
        for token in tokens:
            if token.endswith(MARK) and token != MARK:
                waiting += token.removesuffix(MARK).lower()
            elif waiting and token.isalpha():
                whole = waiting + token.lower()
                merged.append(whole[:1].upper() + whole[1:] if token[:1] != token[:1].lower() else whole)
                waiting = ""
            else:
                merged += [*([self._alone(waiting)] if waiting else []), token]
                waiting = ""
        return [*merged, self._alone(waiting)] if waiting else merged

    def _alone(self, letters: str) -> str:
        """The word of a part that lost its head."""
        known = self._best(letters, least=1, is_last=False)
        return known[0] if known else letters

    def _best(self, letters: str, *, least: int, is_last: bool) -> tuple[str, int] | None:
        """The most frequent word that a part with these letters can be, in its usual form."""
        best: tuple[str, int] | None = None
        for out, into in self._joints[:1] if is_last else self._joints:
            word = letters.removesuffix(into) + out if letters.endswith(into) else ""
            form = self.forms.get(word)
            if form and form[1] >= least and (best is None or form[1] > best[1]) and word not in self._no_parts:
                best = form
        return best

    def _parts(self, word: str) -> tuple[CompoundPart, ...]:
        """The parts of a word; the word itself, if it is none or its parts are rarer than it is."""
        whole = (CompoundPart(word, word),)
        lower = word.lower()
        if not len(word) <= _LONGEST or not word.isalpha() or not _restorable(word):
            return whole
        if lower in self.proven:
            parts = self.proven[lower]
            return parts if len(parts) > 1 else whole
        best = next(iter(self.candidates(lower)), None)
        count = self.forms[lower][1] if lower in self.forms else 0
        return best[1] if best and (not count or best[0] > log(count)) else whole

    def candidates(self, lower: str) -> list[tuple[float, tuple[CompoundPart, ...]]]:
        """The best cut of a word in small letters into two parts, three …, by the mean log frequency of its parts."""
        recipe, size = self.recipe, len(lower)
        shortest, least = (recipe.shortest, recipe.least) if lower in self.forms else (recipe.shortest_unseen, 1)
        # By where they end: the most frequent parts of the letters so far, for each number of parts.
        best: list[dict[int, tuple[float, tuple[CompoundPart, ...]]]] = [{0: (0.0, ())}, *({} for _ in range(size))]
        for end in range(shortest, size + 1):
            for begin in range(end - shortest + 1):
                letters = lower[begin:end]
                known = self._best(letters, least=least, is_last=end == size) if best[begin] else None
                if not known or (begin, end) == (0, size):
                    continue
                form, count = known
                for n, (score, parts) in best[begin].items():
                    new = (score + log(count), (*parts, CompoundPart(form, letters)))
                    if n < self.recipe.most and (n + 1 not in best[end] or new[0] > best[end][n + 1][0]):
                        best[end][n + 1] = new
        cuts = [(score / n, parts) for n, (score, parts) in best[size].items() if n > 1]
        return sorted(cuts, key=lambda each: (-each[0], len(each[1])))

    def _write(self, folder: Path) -> None:
        write_lines(folder / _WORDS, (f"{word}\t{form}\t{n}" for word, (form, n) in sorted(self.forms.items())))
        cells = (
            "\t".join([word, *(f"{part.word} {part.letters}" for part in parts)])
            for word, parts in sorted(self.proven.items())
        )
        write_lines(folder / _SPLITS, cells)

    @classmethod
    def _read(cls, folder: Path, manifest: Manifest) -> Self:
        forms, proven = {}, {}
        for number, line in enumerate(read_lines(folder / _WORDS), start=1):
            cells = line.split("\t")
            if len(cells) != 3 or not cells[2].isdecimal() or cells[2] == "0":
                raise FormatError("expected a word, its form and its count.", path=folder / _WORDS, line=number)
            forms[cells[0]] = (cells[1], int(cells[2]))
        for number, line in enumerate(read_lines(folder / _SPLITS), start=1):
            word, *cells = line.split("\t")
            parts = tuple(CompoundPart(*cell.split(" ")) for cell in cells if cell.count(" ") == 1)
            if not parts or len(parts) != len(cells) or "".join(part.letters for part in parts) != word:
                raise FormatError("expected a word and its parts.", path=folder / _SPLITS, line=number)
            proven[word] = parts
        return cls(CompoundRecipe.from_dict(manifest.recipe), forms, proven, dict(manifest.data))


def _joint(text: str) -> tuple[str, str]:
    """What a joint leaves out of a word, and what it adds."""
    out, _, into = text.removeprefix("-").partition("+") if text.startswith("-") else ("", "", text)
    return out, into


def _restorable(word: str) -> bool:
    """True if a word is all small but perhaps for its first letter, and can be made again from small letters."""
    first, rest = word[:1], word[1:]
    small = first.lower()
    return rest == rest.lower() and len(small) == 1 and (first == small or first == small.upper())


def _best_forms(counts: Mapping[str, int]) -> dict[str, tuple[str, int]]:
    """By word in small letters: the form most often met, and how often all were."""
    forms: dict[str, Counter[str]] = defaultdict(Counter)
    for word, count in counts.items():
        forms[word.lower()][word] += count
    return {
        lower: (max(each, key=lambda form: (each[form], form == lower, form)), each.total())
        for lower, each in forms.items()
    }


def _proven(
    model: CompoundModel, lines: Sequence[str], targets: Sequence[str], translations: Mapping[str, Collection[str]]
) -> dict[str, tuple[CompoundPart, ...]]:
    """What becomes of each word of a bitext that could be cut: the cut whose parts were translated most often.

    A word stays whole where no cut is proven in enough of its sentences (Koehn & Knight, section 5).
    """
    if len(lines) != len(targets):
        raise DataError(f"A bitext has as many lines on both sides, got {len(lines)} and {len(targets)}.")
    met: Counter[str] = Counter()
    proofs: dict[str, Counter[tuple[CompoundPart, ...]]] = defaultdict(Counter)
    cuts: dict[str, list[tuple[CompoundPart, ...]]] = {}
    for line, target in zip(lines, targets, strict=True):
        beside = frozenset(target.lower().split())
        for word in {each.lower() for each in line.split() if each.isalpha() and len(each) <= _LONGEST}:
            if word not in cuts:
                cuts[word] = [parts for _, parts in islice(model.candidates(word), _SPLITS_TRIED)]
            for parts in cuts[word]:
                if all(not beside.isdisjoint(translations.get(part.word.lower(), ())) for part in parts):
                    proofs[word][parts] += 1
            met[word] += bool(cuts[word])
    proven = {}
    for word, count in met.items():
        best = max(proofs[word], key=lambda parts: (proofs[word][parts], -len(parts)), default=None)
        is_proven = best is not None and proofs[word][best] >= max(1, model.recipe.proof * count)
        proven[word] = best if best is not None and is_proven else (CompoundPart(word, word),)
    return {word: parts for word, parts in proven.items() if cuts[word]}
