"""What every engine does that translates pieces by a net: it translates, completes and explains."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import NamedTuple

from dragoman.engines import Candidate, Completes, Explains, Explanation, Part, Request, Translates, Translation
from dragoman.engines.roles import PLAIN
from dragoman.errors import DataError
from dragoman.neural.completion import NeuralCompleter
from dragoman.neural.words import Span, links, word_spans, word_values

__all__ = ["LONGER", "MORE", "Output", "PieceEngine"]

# A translation may be so many times as long as its source, in pieces, and some pieces more.
LONGER, MORE = 2, 10
_ROUND = 32  # limits are multiples of it, so that sources of like length are searched together
_MOST_PIECES = 2000  # of a text that is looked at whole
_UNLIKELY = -7.0  # a word of a lower log-probability is one that the net would not have said


class Output(NamedTuple):
    """One translation in pieces, with the mean log-probability of its pieces and who looked where."""

    pieces: list[str]
    score: float
    attention: Sequence[Sequence[float]] = ()


class PieceEngine(Translates, Completes, Explains):
    """An engine of pieces. What it is made of, a subclass says: how text is cut, and who decodes."""

    details = frozenset({"n-best", "alignment", "confidence"})

    beam: int
    max_length: int  # pieces of a source, at most; a longer one is translated in parts

    @abstractmethod
    def cut(self, lines: Sequence[str]) -> list[list[str]]:
        """Sources in pieces."""

    @abstractmethod
    def cut_targets(self, lines: Sequence[str]) -> list[list[str]]:
        """Translations, or beginnings of such, in pieces."""

    @abstractmethod
    def text(self, pieces: Sequence[str]) -> str:
        """Pieces of a translation as text."""

    @abstractmethod
    def outputs(
        self,
        sources: list[list[str]],
        prefixes: Sequence[list[str]] | None,
        *,
        n_best: int,
        attention: bool,
        alternatives: bool,
        n_threads: int,
    ) -> list[list[Output]]:
        """What `search` gives, of sources that are neither empty nor too long."""

    @abstractmethod
    def log_probabilities(self, source: list[str], target: list[str]) -> list[float]:
        """Of each piece of a given translation, and last of its end."""

    def spans(self, pieces: Sequence[str]) -> list[Span]:
        """The places of each word's pieces."""
        return word_spans(pieces)

    def translate(self, lines: Sequence[str], *, n_threads: int = 1) -> list[str]:
        """The best translation of each line."""
        return [each.text for each in self.translations(lines, n_threads=n_threads)]

    def translations(self, lines: Sequence[str], request: Request = PLAIN, *, n_threads: int = 1) -> list[Translation]:
        """The translations of each line, with what `request` asks for."""
        sources = self.cut(lines)
        outputs = self.search(sources, n_best=request.n_best, attention=request.alignment, n_threads=n_threads)
        return [
            Translation(line, tuple(self._candidate(line, source, output, request) for output in best))
            for line, source, best in zip(lines, sources, outputs, strict=True)
        ]

    def _candidate(self, line: str, source: list[str], output: Output, request: Request) -> Candidate:
        spans = self.spans(output.pieces)
        sure = word_values(self.log_probabilities(source, output.pieces), spans) if request.confidence else None
        aligned = links(output.attention, self.spans(source), spans) if request.alignment else None
        return Candidate(
            self.text(output.pieces),
            output.score,
            source_tokens=" ".join(line.split()),
            target_tokens=" ".join(self.words(output.pieces)),
            alignment=aligned,
            word_confidence=sure,
            confidence=None if sure is None else sum(sure) / max(1, len(sure)),
        )

    def words(self, pieces: Sequence[str]) -> list[str]:
        """The text of each word of a sequence of pieces."""
        return ["".join(self.text(pieces[begin:end]).split()) for begin, end in self.spans(pieces)]

    def search(
        self,
        sources: Sequence[list[str]],
        prefixes: Sequence[list[str]] | None = None,
        *,
        n_best: int = 1,
        attention: bool = False,
        alternatives: bool = False,
        n_threads: int = 1,
    ) -> list[list[Output]]:
        """The best translations of sources in pieces, perhaps behind given beginnings; at most `n_best` each.

        `alternatives` begin with different pieces behind the prefix. A source that is longer than any that the net was
        trained on is translated in parts.
        """
        if prefixes is not None:
            for source, prefix in zip(sources, prefixes, strict=True):
                _check_length(source, prefix)
        parts = [self._parts(source) if prefixes is None else [source] for source in sources]
        flat = [part for each in parts for part in each]
        if not flat:
            return [[Output([], 0.0)] for _ in sources]
        found = self.outputs(
            flat, prefixes, n_best=n_best, attention=attention, alternatives=alternatives, n_threads=n_threads
        )
        results = iter(found)
        return [_in_one([next(results) for _ in each]) if each else [Output([], 0.0)] for each in parts]

    @staticmethod
    def longest(source: list[str], prefix: list[str]) -> int:
        """Pieces of a translation, at most."""
        return -(-(LONGER * (len(source) + len(prefix)) + MORE) // _ROUND) * _ROUND

    def _parts(self, source: list[str]) -> list[list[str]]:
        """A source in parts that are no longer than the net has seen, cut between words where there are any."""
        parts: list[list[str]] = []
        longest = self.max_length - 1
        spans = [(a, min(a + longest, end)) for begin, end in self.spans(source) for a in range(begin, end, longest)]
        for begin, end in spans:
            if not parts or len(parts[-1]) + end - begin > longest:
                parts.append([])
            parts[-1] += source[begin:end]
        return parts

    def completer(self, source: str) -> NeuralCompleter:
        """What goes on from what a translator types."""
        return NeuralCompleter(self, source)

    def explain(self, source: str, target: str | None = None) -> Explanation | None:
        """Each word of the best translation, or of a given one, with the source word looked at and its log-probability.

        The end of the sentence counts with the last word.
        """
        [pieces] = self.cut([source])
        wanted = self.search([pieces])[0][0].pieces if target is None else self.cut_targets([target])[0]
        if not pieces or not wanted:
            return None
        _check_length(pieces, wanted)
        logs = self.log_probabilities(pieces, wanted)
        if target is None and len(wanted) == self.longest(pieces, []):
            logs.pop()  # the search was stopped, and its end is no part of its score
        spans, looks = self.spans(wanted), self.search([pieces], [wanted], attention=True)[0][0].attention
        pairs = {t: s for s, t in links(looks[: len(wanted)], self.spans(pieces), spans)}
        shares = [sum(logs[begin:end]) / len(logs) for begin, end in spans]
        unlikely = sum(sum(logs[begin:end]) < _UNLIKELY for begin, end in spans)
        shares[-1] += sum(logs[len(wanted) :]) / len(logs)
        parts = [
            Part((pairs.get(place, 0), pairs.get(place, 0) + 1), (place, place + 1), (("net", share),))
            for place, share in enumerate(shares)
        ]
        return Explanation(tuple(source.split()), tuple(self.words(wanted)), tuple(parts), sum(shares), unlikely)


def _check_length(source: list[str], target: list[str]) -> None:
    """Refuse what is too long to be looked at whole: memory grows with the square of the pieces."""
    longest = max(len(source), len(target))
    if longest > _MOST_PIECES:
        raise DataError(
            f"The text has {longest:,} pieces; one that is gone on from or explained has at most {_MOST_PIECES:,}. Cut "
            "it into sentences."
        )


def _in_one(parts: list[list[Output]]) -> list[Output]:
    """The best of each part behind one another; a line of one part keeps all its translations."""
    if len(parts) == 1:
        return parts[0]
    best = [part[0] for part in parts if part]
    pieces = [piece for each in best for piece in each.pieces]
    return [Output(pieces, sum(each.score for each in best) / len(best))]
