"""The contract of annotators: tokens in, one value per token out, and what is missing named before work starts."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib.util import find_spec
from itertools import chain
from typing import Any, ClassVar, Generic, TypeVar

from dragoman.errors import DataError, NotAvailable, UnknownName
from dragoman.options import changed_options
from dragoman.registry import Registry

__all__ = ["ANNOTATORS", "Annotator", "Need", "TypeAnnotator", "check_needs"]

T = TypeVar("T")
_MOST_KNOWN = 1_000_000  # types remembered by a type annotator before it forgets them all

TokenLines = Sequence[Sequence[str]]


@dataclass(frozen=True)
class Need:
    """Something an annotator cannot work without, and the line that installs it."""

    what: str  # "the package simplemma"
    install: str  # "pip install ..."
    check: Callable[[], bool] = field(compare=False, repr=False)

    def available(self) -> bool:
        """True if it is there."""
        return self.check()

    @classmethod
    def package(cls, name: str, *, extra: str | None = None) -> Need:
        """A Python package, from an extra of Dragoman's or on its own."""
        line = f'pip install "dragoman[{extra}]"' if extra else f"pip install {name}"
        return cls(f"the package {name}", line, lambda: _importable(name))


@dataclass(frozen=True)
class Annotator(ABC, Generic[T]):
    """Gives every token of every line a value. Options are the fields of the subclass.

    A subclass names its `layers`, tells its `needs` and works in `_annotate`. One that offers several layers has a
    field `give` that chooses among them.
    """

    name: ClassVar[str]
    layers: ClassVar[tuple[str, ...]]  # what it can give: "stem", "lemma", "pos", "synonyms", …
    of_text: ClassVar[bool] = False  # a sentence's values depend on its place in the text, not on its words alone

    @property
    def layer(self) -> str:
        """What it gives: the field `give` if there is one, else its only layer."""
        return str(getattr(self, "give", self.layers[0]))

    def needs(self) -> list[Need]:
        """What must be there before it can work."""
        return []

    def fingerprint(self) -> str | None:
        """What its answers depend on, model files among it, where it pays to keep them on disk; None where not."""
        return None

    def annotate(self, token_lines: TokenLines) -> list[list[T]]:
        """One value per token; what is missing or wrong is named before any work."""
        self.check(token_lines)
        return self.fitted(token_lines, range(1, len(token_lines) + 1))

    def check(self, token_lines: TokenLines) -> None:
        """Raise if the lines are not of tokens, or something is missing."""
        check_tokens(token_lines)
        if self.layer not in self.layers:
            raise UnknownName(f"{self.name} gives no layer {self.layer!r}. Known: {', '.join(self.layers)}.")
        check_needs([self])

    def fitted(self, token_lines: TokenLines, numbers: Sequence[int]) -> list[list[T]]:
        """The values of lines that were checked, one per token; `numbers` are those of the lines in their text."""
        values = self._annotate(token_lines)
        for number, tokens, annotation in zip(numbers, token_lines, values, strict=True):
            if len(tokens) != len(annotation):
                raise DataError(
                    f"Line {number} has {len(tokens)} tokens, but {self.name} gave {len(annotation)} values for it: "
                    "it must keep to the tokens it is given."
                )
        return values

    @abstractmethod
    def _annotate(self, token_lines: TokenLines) -> list[list[T]]:
        """The values, line by line."""

    def signature(self) -> str:
        """The name, followed by the options that differ from their defaults: `snowball+lang=de`."""
        return "+".join([self.name, *changed_options(self)])


@dataclass(frozen=True)
class TypeAnnotator(Annotator[T]):
    """An annotator whose value depends on the word alone, so that a corpus costs one call per distinct word."""

    @abstractmethod
    def _annotate_types(self, words: Sequence[str]) -> list[T]:
        """The values of distinct words."""

    def _annotate(self, token_lines: TokenLines) -> list[list[T]]:
        annotations = self._known
        if len(annotations) > _MOST_KNOWN:
            annotations.clear()
        new = [word for word in dict.fromkeys(chain.from_iterable(token_lines)) if word not in annotations]
        annotations.update(zip(new, self._annotate_types(new), strict=True))
        return [[annotations[token] for token in tokens] for tokens in token_lines]

    @cached_property
    def _known(self) -> dict[Hashable, T]:
        # Not an option and no part of what the annotator is: what it remembers changes no answer.
        return {}


def check_needs(annotators: Sequence[Annotator[Any]]) -> None:
    """Raise one `NotAvailable` that names all that the annotators lack, each with its install line."""
    missing = {
        (annotator.name, need.what): f"{annotator.name} ({annotator.layer}) needs {need.what}. "
        f"Install it with: {need.install}"
        for annotator in annotators
        for need in annotator.needs()
        if not need.available()
    }
    if len(missing) == 1:
        raise NotAvailable(*missing.values())
    if missing:
        raise NotAvailable("\n  ".join([f"{len(missing)} things are missing:", *missing.values()]))


def check_tokens(token_lines: TokenLines) -> None:
    if isinstance(token_lines, str):
        raise DataError("Expected lines of tokens, got one str. Pass [line.split()].")
    for number, tokens in enumerate(token_lines, start=1):
        if isinstance(tokens, str):
            raise DataError(f"Line {number} is a str; an annotator takes tokens. Pass line.split().")
        try:
            "".join(tokens).encode()
        except TypeError:
            raise DataError(f"Line {number} has a token that is no str.") from None
        except UnicodeEncodeError:
            raise DataError(f"Line {number} holds a lone surrogate, which is no character.") from None
        if "" in tokens:
            raise DataError(f"Line {number} has an empty token.")


def _importable(name: str) -> bool:
    if name in sys.modules:
        return sys.modules[name] is not None
    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:  # the parent of a dotted name is not there
        return False


ANNOTATORS: Registry[Annotator[Any]] = Registry(
    "annotator",
    {
        "conllu": "dragoman.text.annotate.treebank:ConlluAnnotator",
        "frames": "dragoman.syntax.annotator:FrameAnnotator",
        "function-words": "dragoman.text.annotate.function_words:FunctionWords",
        "hanta": "dragoman.text.annotate.hanta:HantaTagger",
        "hunspell": "dragoman.text.annotate.spelling:Spelling",
        "names": "dragoman.syntax.annotator:NameAnnotator",
        "parser": "dragoman.syntax.annotator:ParserAnnotator",
        "simplemma": "dragoman.text.annotate.lemmas:SimplemmaLemmas",
        "snowball": "dragoman.text.annotate.stems:SnowballStems",
        "spacy": "dragoman.text.annotate.pipelines:SpacyAnnotator",
        "stanza": "dragoman.text.annotate.pipelines:StanzaAnnotator",
        "thesaurus": "dragoman.text.annotate.thesaurus:Thesaurus",
        "udpipe": "dragoman.text.annotate.pipelines:UdpipeAnnotator",
        "wordnet": "dragoman.text.annotate.synonyms:WordNetSynonyms",
    },
)
