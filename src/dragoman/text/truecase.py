"""The truecaser: words take the case they were mostly seen in, and sentence starts lose their accidental capital.

The method is that of Moses' `train-truecaser.perl`, `truecase.perl` and `detruecase.perl`. Where we differ, on purpose:

- Sentence starts are found alike in training and use. Moses' training takes an opening quote behind a full stop for the
  sentence's first word and counts the capital of the real first word as evidence (`compat="moses"` does so too).
- Typographic quotes, dashes, `¿`, `¡` and closing brackets may stand before a first word; Moses knows `(`, `[`, `"`,
  `'` and their escapes only (`compat="moses"` too).
- Of forms equally frequent, the one in small letters wins; Moses' choice depends on the order of a hash.
- Tokens without case are not in the model; white space stays as it was; XML tags and factors (`word|TAG`) are not
  looked into.
- Case follows the language (Turkish `i`, German `ß`, Dutch `ij`).

sacremoses 0.2 differs from Moses in more: it changes known words inside a sentence (unless `use_known=True`), gives the
tenth of a count to the *second* token of a line, and takes the first-seen of equally frequent forms.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from itertools import groupby, islice
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Self

from dragoman.artifact import Artifact, Manifest
from dragoman.errors import DataError, FormatError
from dragoman.files import StrPath, iter_lines, write_lines
from dragoman.options import Recipe, option
from dragoman.text.casing import case_rules, lowercase
from dragoman.text.languages import base_language, parse_language

if TYPE_CHECKING:
    from dragoman._core.text import CaseCounts, CaseModel

__all__ = ["NothingCased", "TruecaseRecipe", "Truecaser", "sentence_starts"]

_TABLE = "truecase.tsv"
_HEADING = "lower\tbest\tcount\ttotal\tothers"
_BATCH = 50_000  # lines counted at a time

# Tokens that end a sentence within a line, and tokens that may stand before its first word.
_MOSES_ENDS = (".", ":", "?", "!")
_MOSES_OPENERS = ("(", "[", '"', "'", "&apos;", "&quot;", "&#91;", "&#93;")
_ENDS = (*_MOSES_ENDS, "?!", "!?", "!!", "??", "。", "！", "？", "։")
_OPENERS = (
    *_MOSES_OPENERS,
    ")",
    "]",
    "{",
    "}",
    "``",
    "''",
    "“",
    "”",
    "„",
    "‟",
    "‘",
    "’",
    "‚",
    "«",
    "»",
    "‹",
    "›",
    "「",
    "」",
    "¿",
    "¡",
    "-",
    "–",
    "—",
    "―",
    "*",
    "•",
    "·",
)

# What detruecase.perl leaves small in headlines (its `al-.+` and `el-.+` never matched, being looked up literally).
_SMALL_IN_HEADLINES = (
    "a",
    "after",
    "against",
    "and",
    "any",
    "as",
    "at",
    "be",
    "because",
    "between",
    "by",
    "during",
    "for",
    "from",
    "his",
    "in",
    "is",
    "its",
    "last",
    "not",
    "of",
    "off",
    "on",
    "than",
    "the",
    "their",
    "this",
    "to",
    "was",
    "were",
    "which",
    "will",
    "with",
)


def sentence_starts(tokens: Sequence[str]) -> list[bool]:
    """Which tokens of a line stand where a sentence starts, opening quotes and brackets before its first word too."""
    starts, here = [], True
    for token in tokens:
        starts.append(here)
        here = token in _ENDS or (here and token in _OPENERS)
    return starts


class NothingCased(DataError):
    """A text to learn case from has none."""


@dataclass(frozen=True)
class TruecaseRecipe(Recipe):
    """How to learn a truecaser from tokenised text."""

    lang: str | None = option(None, text="BCP 47 tag; decides the rules of casing")
    possibly_use_first_token: bool = option(
        False,
        choices=(False, True),
        text="count a sentence's first word if it has no capital, and a line of one word with a tenth of the weight",
    )
    compat: str = option("none", choices=("none", "moses"), text="'moses': sentence starts exactly as Moses finds them")

    def train(self, lines: Iterable[str], *, lang: str | None = None, n_threads: int = 1) -> Truecaser:
        """Count the words of tokenised lines, in constant memory but for the vocabulary."""
        if isinstance(lines, str):
            raise DataError("Expected lines of text, got one str. Pass an iterable of lines.")
        recipe = replace(self, lang=lang if lang is not None else self.lang).check()
        if recipe.lang is not None:
            recipe = replace(recipe, lang=parse_language(recipe.lang))
        counts = _new_counts(recipe)
        digest = sha256()
        n_lines = 0
        for batch in _batches(lines):
            counts.add(batch, n_threads=n_threads)
            digest.update("".join(f"{line}\n" for line in batch).encode())
            n_lines += len(batch)
        if not counts.rows():
            raise NothingCased(
                f"There is no case to learn from: {n_lines} lines, no cased word behind a sentence's first."
            )
        return Truecaser(recipe, counts, data={"text": digest.hexdigest()})

    def merge_tables(self, tables: Iterable[bytes], *, lang: str | None, text: str) -> Truecaser:
        """The truecaser of a text from the tables of its parts (`Truecaser.write_table`); `text` is its SHA-256."""
        recipe = replace(self, lang=lang if lang is None else parse_language(lang))
        counts = _new_counts(recipe)
        for table in tables:
            counts.add_table(table)
        if not counts.rows():
            raise NothingCased("There is no case to learn from: no part has a cased word behind a sentence's first.")
        return Truecaser(recipe, counts, data={"text": text})


class Truecaser(Artifact):
    """Gives words their usual case, and sentences their capitals back."""

    kind: ClassVar[str] = "truecaser"
    format: ClassVar[int] = 1

    recipe: TruecaseRecipe

    def __init__(self, recipe: TruecaseRecipe, counts: CaseCounts, *, data: Mapping[str, str] | None = None) -> None:
        self.recipe = recipe
        self.data = dict(data or {})
        self._counts = counts

    @cached_property
    def _model(self) -> CaseModel:
        """Made when the first line is cased: opening an engine does not wait for it."""
        from dragoman._core import text

        return text.CaseModel(self._counts)

    @cached_property
    def _words(self) -> dict[str, tuple[tuple[str, int], ...]]:
        """Word in lower case → its forms and their counts in tenths, the best first."""
        rows = groupby(self._counts.rows(), key=lambda row: row[0])
        return {word: tuple((form, tenths) for _, form, tenths in forms) for word, forms in rows}

    def __len__(self) -> int:
        """How many words it knows, counted in lower case."""
        return len(self._words)

    def forms(self, word: str) -> dict[str, float]:
        """The forms a word was seen in and how often, the best first; empty for a word it does not know."""
        return {form: tenths / 10 for form, tenths in self._words.get(lowercase([word], self.recipe.lang)[0], ())}

    def apply(self, lines: Sequence[str], *, ignore_case: bool = False, n_threads: int = 1) -> list[str]:
        """Tokenised lines in true case: first words take their best form, others only if never seen as they are.

        `ignore_case` is for input whose case means nothing (speech recognition, ALL CAPITALS): every word takes its
        best form, and unknown words become lower case.
        """
        return self._model.apply(lines, ignore_case=ignore_case, n_threads=n_threads)

    def undo(self, lines: Sequence[str], *, headlines: bool | Sequence[bool] = False, n_threads: int = 1) -> list[str]:
        """Tokenised lines with capitals at sentence starts, also behind a colon or an opening quote.

        `headlines` (all lines, or one truth value per line) gives every word a capital but the small ones: an English
        custom, refused for other languages.
        """
        from dragoman._core import text

        marked = [headlines] * len(lines) if isinstance(headlines, bool) else list(headlines)
        if any(marked) and self.recipe.lang is not None and base_language(self.recipe.lang) != "en":
            raise DataError(f"Capitals in headlines are an English custom; this truecaser is for {self.recipe.lang!r}.")
        ends, openers = _marks(self.recipe)
        return text.recase(
            lines,
            ends=ends,
            openers=openers,
            rules=case_rules(self.recipe.lang),
            headlines=marked,
            small_words=_SMALL_IN_HEADLINES,
            n_threads=n_threads,
        )

    def merge(self, *others: Truecaser) -> Truecaser:
        """The truecaser trained on the texts of all: the counts are added. All must be of one recipe."""
        for other in others:
            if other.recipe != self.recipe:
                raise DataError(f"Truecasers of different recipes cannot be merged: {self.recipe}, {other.recipe}.")
        counts = _new_counts(self.recipe)
        texts: list[str] = []
        for model in (self, *others):
            texts += model.data.values()
            for forms in model._words.values():
                for form, tenths in forms:
                    counts.add_form(form, tenths)
        data = {f"text {number}" if number > 1 else "text": text for number, text in enumerate(texts, start=1)}
        return Truecaser(self.recipe, counts, data=data)

    def write_table(self, path: StrPath) -> None:
        """Write the counts as TSV: word, best form, its count, total, then further forms and counts."""
        write_lines(path, _table_lines(self._words))

    @classmethod
    def read_table(cls, path: StrPath, recipe: TruecaseRecipe | None = None) -> Self:
        """A truecaser from a table that `write_table` wrote, perhaps edited since."""
        recipe = recipe or TruecaseRecipe()
        counts = _new_counts(recipe)
        words, forms, numbers = [], [], []
        for number, line in enumerate(iter_lines(path), start=1):
            if number == 1:
                if line != _HEADING:
                    raise FormatError(f"the first line must be {_HEADING!r}, found {line[:60]!r}.", path=path, line=1)
                continue
            word, *_ = cells = line.split("\t")
            for form, tenths in _row_counts(cells, path=path, line=number):
                counts.add_form(form, tenths)
                words.append(word)
                forms.append(form)
                numbers.append(number)
        for word, form, low, number in zip(words, forms, lowercase(forms, recipe.lang), numbers, strict=True):
            if low != word:
                raise FormatError(
                    f"{form!r} is no form of {word!r}: in lower case it is {low!r}.", path=path, line=number
                )
        return cls(recipe, counts)

    def write_moses(self, path: StrPath) -> None:
        """Write the counts as Moses' scripts and sacremoses read them: `best (count/total) other (count) …`."""
        write_lines(path, (_moses_line(forms) for forms in self._words.values()))

    @classmethod
    def read_moses(cls, path: StrPath, recipe: TruecaseRecipe | None = None) -> Self:
        """A truecaser from a model of Moses' `train-truecaser.perl` or of sacremoses."""
        recipe = recipe or TruecaseRecipe()
        counts = _new_counts(recipe)
        for number, line in enumerate(iter_lines(path), start=1):
            for form, tenths in _moses_pairs(line, path=path, line=number):
                counts.add_form(form, tenths)
        return cls(recipe, counts)

    def _write(self, folder: Path) -> None:
        self.write_table(folder / _TABLE)

    @classmethod
    def _read(cls, folder: Path, manifest: Manifest) -> Self:
        # As it was written: what is edited goes through `read_table`, which looks at every cell.
        recipe = TruecaseRecipe.from_dict(manifest.recipe)
        counts = _new_counts(recipe)
        counts.add_table((folder / _TABLE).read_bytes())
        return cls(recipe, counts, data=manifest.data)


def _marks(recipe: TruecaseRecipe) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return (_MOSES_ENDS, _MOSES_OPENERS) if recipe.compat == "moses" else (_ENDS, _OPENERS)


def _new_counts(recipe: TruecaseRecipe) -> CaseCounts:
    from dragoman._core import text

    ends, openers = _marks(recipe)
    return text.CaseCounts(
        ends=ends,
        openers=openers,
        rules=case_rules(recipe.lang),
        possibly_use_first_token=recipe.possibly_use_first_token,
        moses_starts=recipe.compat == "moses",
    )


def _batches(lines: Iterable[str]) -> Iterator[list[str]]:
    source = iter(lines)
    while batch := list(islice(source, _BATCH)):
        yield batch


def _table_lines(words: dict[str, tuple[tuple[str, int], ...]]) -> Iterator[str]:
    yield _HEADING
    for word, forms in words.items():
        (best, count), *others = forms
        total = sum(tenths for _, tenths in forms)
        cells = [word, best, _show(count), _show(total)]
        for form, tenths in others:
            cells += [form, _show(tenths)]
        yield "\t".join(cells)


def _row_counts(cells: list[str], *, path: StrPath, line: int) -> list[tuple[str, int]]:
    if len(cells) < 4 or len(cells) % 2:
        raise FormatError(
            f"expected word, best form, count, total and pairs of form and count; found {len(cells)} columns.",
            path=path,
            line=line,
        )
    forms = [cells[1], *cells[4::2]]
    counts = [_tenths(count, path=path, line=line) for count in (cells[2], *cells[5::2])]
    for form in forms:
        if form.split() != [form]:
            raise FormatError(f"{form!r} is no token: it is empty or has white space inside.", path=path, line=line)
    if sum(counts) != _tenths(cells[3], path=path, line=line):
        raise FormatError(
            f"the total of {cells[0]!r} is {cells[3]}, but its counts add up to {_show(sum(counts))}.",
            path=path,
            line=line,
        )
    return list(zip(forms, counts, strict=True))


def _moses_line(forms: tuple[tuple[str, int], ...]) -> str:
    (best, count), *others = forms
    total = sum(tenths for _, tenths in forms)
    return " ".join(
        [f"{best} ({_show(count)}/{_show(total)})", *(f"{form} ({_show(tenths)})" for form, tenths in others)]
    )


def _moses_pairs(text: str, *, path: StrPath, line: int) -> Iterator[tuple[str, int]]:
    fields = text.split()
    if not fields or len(fields) % 2:
        raise FormatError(
            f"expected pairs of a form and its (count); found {len(fields)} fields.", path=path, line=line
        )
    for form, count in zip(fields[::2], fields[1::2], strict=True):
        inside = re.fullmatch(r"\(([^/()]+)(?:/[^/()]+)?\)", count)
        if not inside:
            raise FormatError(f"expected a count in brackets behind {form!r}, found {count!r}.", path=path, line=line)
        yield form, _tenths(inside[1], path=path, line=line)


def _show(tenths: int) -> str:
    whole, rest = divmod(tenths, 10)
    return f"{whole}.{rest}" if rest else str(whole)


def _tenths(text: str, *, path: StrPath, line: int) -> int:
    # Perl prints a sum of tenths with up to fifteen digits (0.3 as 0.3, 0.1 × 3 as 0.3, larger ones not always).
    if not re.fullmatch(r"[0-9]{1,15}(\.[0-9]+)?", text):
        raise FormatError(f"a count is a number such as 12 or 0.3, found {text!r}.", path=path, line=line)
    return round(float(text) * 10)
