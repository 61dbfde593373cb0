"""What resources are built from: a bitext, further text, post-edited translations, and parses of them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any

from dragoman.errors import DataError
from dragoman.metrics.hter import WordTags, hter
from dragoman.qe.files import QEData
from dragoman.qe.resources.indicators import IndicatorRecipe
from dragoman.qe.resources.parses import Parsed, SentenceParser

__all__ = ["Material", "digest", "in_parts", "with_post_edits"]

_AT_ONCE = 20_000  # lines that are parsed together


@dataclass(frozen=True)
class Material:
    """The text, and what was built of it so far. The post-edited part may be empty."""

    sources: Sequence[str]
    targets: Sequence[str]
    further: Mapping[str, Sequence[str]] = field(default_factory=dict)  # text of one language, by side
    judged: tuple[Sequence[str], Sequence[str]] = ((), ())  # sources and outputs; their post-edits end the bitext
    tags: Sequence[WordTags] = ()
    scores: Sequence[float] = ()
    phrases: Any = None  # n-grams of the judged pairs, for the indicators
    parsed: Mapping[str, Parsed] = field(default_factory=dict)  # sources ("source"), targets, outputs of judged sources
    built: Mapping[str, Any] = field(default_factory=dict)  # the resources of groups that come before
    whole: Mapping[str, Any] = field(default_factory=dict)  # what was built of all of the text, when a part is held out
    languages: Mapping[str, str] = field(default_factory=dict)  # by side, as far as they are known
    names: Mapping[str, Any] = field(default_factory=dict)  # taggers of names, by side
    n_threads: int = 1

    def lines(self, side: str) -> Sequence[str]:
        """A side of the bitext."""
        return self.sources if side == "source" else self.targets

    def text(self, side: str) -> list[str]:
        """A side of the bitext with the further text of its language."""
        return [*self.lines(side), *self.further.get(side, ())]

    def without(self, held: Collection[bytes]) -> Material:
        """What is left without the sources of these digests."""
        keep = [place for place, source in enumerate(self.sources) if digest(source) not in held]
        judged = [number for number, source in enumerate(self.judged[0]) if digest(source) not in held]
        return replace(
            self,
            sources=[self.sources[place] for place in keep],
            targets=[self.targets[place] for place in keep],
            judged=([self.judged[0][number] for number in judged], [self.judged[1][number] for number in judged]),
            tags=[self.tags[number] for number in judged],
            scores=[self.scores[number] for number in judged],
            phrases=self.phrases[judged] if self.phrases is not None else None,
            parsed={name: each.take(judged if name == "outputs" else keep) for name, each in self.parsed.items()},
        )

    def with_parses(self, parsers: Mapping[str, SentenceParser]) -> Material:
        """All text parsed once, as far as there are parsers of its side; the parts are taken from it."""
        texts = {"source": ("source", self.sources), "target": ("target", self.targets)}
        texts["outputs"] = ("target", self.judged[1])
        parsed = {
            name: _parse(parsers[side], lines, self.n_threads)
            for name, (side, lines) in texts.items()
            if side in parsers
        }
        return replace(self, parsed=parsed)


def with_post_edits(text: Material, data: QEData) -> Material:
    """The text with post-edited translations: their post-edits join the bitext, their outputs are judged by them."""
    if not data.has("src", "pe"):
        raise DataError("Post-edited translations need sources and post-edits, .src and .pe.")
    held = set(map(digest, data.sources))
    joined = replace(
        text,
        sources=[*text.sources, *data.sources],
        targets=[*text.targets, *data.post_edits],
        further={
            **text.further,
            "source": [line for line in text.further.get("source", ()) if digest(line) not in held],
        },
    )
    if not data.outputs:
        return joined
    edits = hter(data.outputs, data.post_edits, n_threads=text.n_threads)
    judged = list(data.sources), list(data.outputs)
    return replace(joined, judged=judged, tags=edits.tags, scores=edits.values, phrases=IndicatorRecipe().rows(*judged))


def in_parts(sources: Sequence[str], n_parts: int) -> list[list[bytes]]:
    """The digests of the different sources, dealt into parts; neighbours stay together."""
    names = list(dict.fromkeys(map(digest, sources)))
    if len(names) < n_parts:
        raise DataError(f"{len(names)} different sources are too few for {n_parts} parts.")
    return [names[len(names) * part // n_parts : len(names) * (part + 1) // n_parts] for part in range(n_parts)]


def digest(source: str) -> bytes:
    """What a source sentence is known by: its words."""
    return sha256(" ".join(source.split()).encode()).digest()[:8]


def _parse(parser: SentenceParser, lines: Sequence[str], n_threads: int) -> Parsed:
    """Parse tokenised lines, so many at a time that their words fit in memory."""
    return Parsed.joined(
        [
            Parsed.of(parser, [line.split() for line in lines[first : first + _AT_ONCE]], n_threads=n_threads)
            for first in range(0, max(1, len(lines)), _AT_ONCE)
        ]
    )
