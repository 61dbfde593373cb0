"""What engines answer, in words and places of text: nothing here knows ids or models."""

from __future__ import annotations

from dataclasses import dataclass

from dragoman.errors import DataError

__all__ = [
    "Candidate",
    "Completion",
    "Explanation",
    "Link",
    "Part",
    "Request",
    "Step",
    "Translation",
    "WordAlignment",
]

Link = tuple[int, int]  # places of a source and a target token, from 0


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked for beside the text. An engine gives of it what it has (see `Translates.details`)."""

    n_best: int = 1
    alignment: bool = False
    confidence: bool = False
    features: bool = False
    glossary: tuple[tuple[str, str], ...] = ()  # texts of a source, and what they are to become
    hard_glossary: bool = True  # they become nothing else; if false, it is one more possibility

    def __post_init__(self) -> None:
        if self.n_best < 1:
            raise DataError(f"A search gives one translation or more, got n_best={self.n_best}.")


# What the confidence of a word is multiplied by where it translates a guess at an unknown word. Of Multi30k's
# validation set (de-en, 5,000 pairs to learn from) .29 of such words are in the reference and .73 of those that are
# known; .35 gives them a mean confidence of .29, others one of .84.
GUESS = 0.35


@dataclass(frozen=True, slots=True)
class Candidate:
    """One translation of a segment. `None` is what the engine does not know, or was not asked for."""

    text: str
    score: float | None = None  # larger is better; of candidates of one segment alone can scores be compared
    source_tokens: str | None = None  # separated by spaces, as the engine cuts them
    target_tokens: str | None = None
    alignment: tuple[Link, ...] | None = None
    word_confidence: tuple[float, ...] | None = None  # of each target token, from 0 to 1
    confidence: float | None = None  # of the whole, from 0 to 1
    features: tuple[float, ...] | None = None  # in the order of the engine's `feature_names`
    guessed: tuple[int, ...] = ()  # target tokens that translate a guess at an unknown word, from 0


@dataclass(frozen=True, slots=True)
class Translation:
    """A segment and its translations, best first; none if the engine found none."""

    source: str
    candidates: tuple[Candidate, ...]

    @property
    def text(self) -> str:
        """The best translation; empty if there is none."""
        return self.candidates[0].text if self.candidates else ""


@dataclass(frozen=True, slots=True)
class Completion:
    """What may stand behind a prefix, or between it and a suffix.

    `prefix + text + suffix` is the whole translation, spaces included: what was typed is never changed. `edits` says
    how many of its words the engine would have said otherwise; 0 is full agreement.
    """

    text: str
    tokens: tuple[str, ...] | None = None  # what it adds, as the engine cuts it; the first may complete a half word
    score: float | None = None
    edits: int | None = None
    word_confidence: tuple[float, ...] | None = None  # of each of `tokens`, from 0 to 1


@dataclass(frozen=True, slots=True)
class Part:
    """One step of an explanation: source tokens `[begin, end)` became target tokens; what each feature added."""

    source: tuple[int, int]
    target: tuple[int, int]
    scores: tuple[tuple[str, float], ...]  # weighted, by feature; those that are not 0

    @property
    def score(self) -> float:
        """What the step adds to the score of the whole."""
        return sum(value for _, value in self.scores)


@dataclass(frozen=True, slots=True)
class Step:
    """A rule of a derivation, with the tokens that it covers, those of the rules in its gaps being among them."""

    depth: int  # those in its gaps follow, one deeper
    source: tuple[int, int]
    target: tuple[int, int]
    rule: str  # both sides, gaps as [1], [2] …
    score: float  # that it adds


@dataclass(frozen=True, slots=True)
class Explanation:
    """How a translation came about, or could have: its parts in the order of the target, which add up to `score`."""

    source_tokens: tuple[str, ...]
    target_tokens: tuple[str, ...]
    parts: tuple[Part, ...]
    score: float
    artificial: int  # words that were copied, inserted or left out for want of a phrase
    derivation: tuple[Step, ...] = ()  # rules that stand in each other's gaps; none where parts follow each other


@dataclass(frozen=True, slots=True)
class WordAlignment:
    """Which words of a source and a target belong together, as the engine cuts them."""

    source_tokens: tuple[str, ...]
    target_tokens: tuple[str, ...]
    links: tuple[Link, ...]
