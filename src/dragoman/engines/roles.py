"""The roles of engines: what a caller may ask of one, whatever it is made of.

An engine is a class that has one role or more. A caller asks for a role (`need`), never for a class.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol, Self

from dragoman.data.traces import Trace
from dragoman.engines.bill import Bill
from dragoman.engines.results import Completion, Explanation, Request, Translation, WordAlignment
from dragoman.files import StrPath

__all__ = ["ROLES", "Completer", "Completes", "Explains", "Learns", "Role", "Searches", "Translates"]

PLAIN = Request()


class Role(ABC):  # noqa: B024, its subclasses ask
    """What an engine can be asked to do."""

    @property
    def origin(self) -> Role:
        """The engine itself, where another stands before it."""
        return self

    def lacks(self, role: type[Role]) -> str | None:  # noqa: ARG002
        """Why this very engine cannot fill a role that its class has, and the cure; `None` if it can."""
        return None


class Translates(Role):
    """Turns segments into translations, and knows of each what it knows."""

    details: frozenset[str] = frozenset()  # of n-best, alignment, confidence, features, glossary

    @property
    @abstractmethod
    def languages(self) -> tuple[str, str]:
        """BCP 47 tags of source and target."""

    @property
    def feature_names(self) -> tuple[str, ...]:
        """What the values of `Candidate.features` are called; none if it has none."""
        return ()

    @property
    def bill(self) -> Bill | None:
        """What its work has cost since it was opened, where that is counted."""
        return None

    @abstractmethod
    def translations(
        self, lines: Sequence[str], request: Request = PLAIN, *, n_threads: int = 1
    ) -> Sequence[Translation]:
        """The translations of each line of text, in order. An empty line is translated as such."""

    def translate(self, lines: Sequence[str], *, n_threads: int = 1) -> list[str]:
        """The best translation of each line."""
        return [each.text for each in self.translations(lines, n_threads=n_threads)]


class Completer(Protocol):
    """Goes on from what a translator has typed, for one source."""

    source: str

    def complete(self, prefix: str, suffix: str = "", *, n: int = 1, confidence: bool = False) -> list[Completion]:
        """Up to `n` ways on from `prefix`, best first, that begin with different words; they end before `suffix`.

        A prefix that ends within a word is gone on with from its letters; a space says that the word is finished. Words
        that the engine does not know are taken as they are. The last word of a prefix before a suffix may be half, too;
        the first of a suffix is whole.
        """


class Completes(Role):
    """Goes on from a beginning, or fills a hole between a beginning and an end."""

    @abstractmethod
    def completer(self, source: str) -> Completer:
        """Reads a source once; what it gives answers at every key pressed."""


class Learns(Role):
    """Takes in confirmed sentence pairs, which the next translation can use."""

    @property
    @abstractmethod
    def n_pairs(self) -> int:
        """How many pairs it knows: where `rollback` can come back to."""

    @abstractmethod
    def learn(self, source: str | Sequence[str], target: str | Sequence[str], *, n_threads: int = 1) -> int:
        """Learn pairs of raw text, all or none; kept before this returns. How many there are now."""

    @abstractmethod
    def rollback(self, n_pairs: int) -> int:
        """Forget the last pairs learnt, until `n_pairs` are left; how many were forgotten."""

    def refresh(self) -> int:
        """Take in what other processes have taught the same engine; how many pairs. Where there is no such, 0."""
        return 0


class Explains(Role):
    """Says by which steps a translation comes about, its own or a given one."""

    @abstractmethod
    def explain(self, source: str, target: str | None = None) -> Explanation | None:
        """The steps to the best translation, or to `target`; `None` if the engine has no way to it."""

    def align(self, source: str, target: str) -> WordAlignment | None:  # noqa: ARG002
        """Which words belong together in any pair of texts, by a model of words; `None` if the engine has none."""
        return None


class Searches(Role):
    """Finds translations by a search that can be looked into and limited."""

    @abstractmethod
    def traces(
        self, lines: Iterable[str], *, outputs: Sequence[str] | None = None, n_best: int = 100, n_threads: int = 1
    ) -> Iterator[Trace]:
        """What it did with each line, and with `outputs`, translations by whomever, that it is to say again."""

    @abstractmethod
    def restore(self, token_lines: Sequence[str], *, n_threads: int = 1) -> list[str]:
        """Translations as traces have them, tokens, as text for people."""

    @abstractmethod
    def save_graphs(self, lines: Iterable[str], folder: StrPath, *, n_threads: int = 1) -> int:
        """Write the search graph of each line into a folder, as `1.graph`, `2.graph`, …; how many there are."""

    @abstractmethod
    def with_pop_limit(self, pop_limit: int) -> Self:
        """The same engine with so many hypotheses of a stack: fewer are quicker."""


ROLES: dict[str, type[Role]] = {
    "translates": Translates,
    "completes": Completes,
    "learns": Learns,
    "explains": Explains,
    "searches": Searches,
}
