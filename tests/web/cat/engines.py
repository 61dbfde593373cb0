"""An engine that translates word by word, completes, explains and learns: what the workbench can ask of one."""

from __future__ import annotations

from collections.abc import Sequence

from dragoman.engines import (
    Candidate,
    Completes,
    Completion,
    Explains,
    Explanation,
    Learns,
    Part,
    Request,
    Role,
    Translates,
    Translation,
)
from dragoman.engines.roles import PLAIN

__all__ = ["WordEngine"]

WORDS = {"Der": "The", "Hund": "dog", "schläft": "sleeps", "Es": "It", "regnet": "rains", "Wir": "We"}


class WordEngine(Translates, Completes, Explains, Learns):
    """Knows a few words; a pair that it has learnt it says again."""

    details = frozenset({"n-best", "alignment"})
    languages = ("de", "en")  # type: ignore[assignment]

    def __init__(self) -> None:
        self.pairs: list[tuple[str, str]] = []

    def _say(self, source: str) -> str:
        learnt = [target for known, target in self.pairs if known == source]
        words = source.rstrip(".").split()
        return learnt[-1] if learnt else " ".join(WORDS.get(word, word) for word in words) + "."

    def translations(
        self, lines: Sequence[str], request: Request = PLAIN, *, n_threads: int = 1
    ) -> Sequence[Translation]:
        found = []
        for line in lines:
            best = Candidate(self._say(line), 0.0)
            other = Candidate(self._say(line).replace("sleeps", "slept"), -1.0)
            found.append(Translation(line, (best, other)[: request.n_best]))
        return found

    def completer(self, source: str) -> _Completer:
        return _Completer(source, self._say(source))

    def explain(self, source: str, target: str | None = None) -> Explanation | None:
        said = self._say(source)
        if target not in (None, said):
            return None
        tokens = source.split(), said.split()
        parts = tuple(Part((i, i + 1), (i, i + 1), ()) for i in range(len(tokens[0])))
        return Explanation(tuple(tokens[0]), tuple(tokens[1]), parts, 0.0, 0)

    @property
    def n_pairs(self) -> int:
        return len(self.pairs)

    def learn(self, source: str | Sequence[str], target: str | Sequence[str], *, n_threads: int = 1) -> int:
        sides = [[side] if isinstance(side, str) else side for side in (source, target)]
        self.pairs += zip(*sides, strict=True)
        return len(self.pairs)

    def rollback(self, n_pairs: int) -> int:
        before = len(self.pairs)
        del self.pairs[n_pairs:]
        return before - len(self.pairs)


class _Completer:
    def __init__(self, source: str, text: str) -> None:
        self.source = source
        self.text = text

    def complete(self, prefix: str, suffix: str = "", *, n: int = 1, confidence: bool = False) -> list[Completion]:
        if not self.text.startswith(prefix):
            return [Completion("", ())]
        rest = self.text[len(prefix) : len(self.text) - len(suffix) if suffix else None]
        words = rest.replace(".", " .").split()
        ways = [Completion(rest, tuple(words), 0.0, 0, tuple([0.9] * len(words)) if confidence else None)]
        other = rest.replace("sleeps", "naps")
        if other != rest and n > 1:
            ways.append(Completion(other, tuple(other.replace(".", " .").split()), -1.0, 0, None))
        return ways[:n]


def load_word_engine(spec: str) -> Role:
    return WordEngine()
