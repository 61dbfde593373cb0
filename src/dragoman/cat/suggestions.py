"""What may stand in a segment: matches of memories and machine translation, in one order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from dragoman.cat.memory import Match, MemoryIndex, MemoryUnit, repair, word_edits
from dragoman.cat.segments import Alternative, Code
from dragoman.cat.terms import Glossary
from dragoman.cat.translating import carried
from dragoman.engines import Candidate, Request, Translates
from dragoman.engines.endpoint import ServiceError

__all__ = ["Suggestion", "file_proposal", "machine_translations", "memory_match", "rank"]


@dataclass(frozen=True)
class Suggestion:
    """A text for a segment, and where it comes from."""

    kind: Literal["TM", "MT", "file"]
    name: str  # of the memory or the engine, or whom the file names
    text: str
    score: float  # in per cent: how much the source is the segment's; 101 in the same context
    source: str = ""  # what it is the translation of
    details: Mapping[str, Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """As programs see it."""
        return {
            "kind": self.kind,
            "name": self.name,
            "text": self.text,
            "score": self.score,
            "source": self.source,
            **self.details,
        }


def memory_match(source: str, match: Match) -> Suggestion:
    """A match as it may be used: numbers and codes are the source's; with the words in which the sources differ."""
    repaired = repair(source, match)
    details = {"unit": match.unit, "repairs": list(repaired.changes), "edits": _edits(match.source, source)}
    return Suggestion("TM", match.memory, repaired.target, match.score, match.source, details)


def _edits(match: str, source: str) -> list[dict[str, Any]]:
    """The words in which two sources differ."""
    edits = word_edits(match, source)
    return [{"kind": each.kind, "match": list(each.match), "text": list(each.text)} for each in edits]


def file_proposal(source: str, alternative: Alternative, *, file: str, score: float) -> Suggestion:
    """What a file proposes for a source. Where it tells no quality, the likeness of the sources is one.

    One that tells nothing of the kind stands among matches at `score`, as a machine's translation does.
    """
    quality, own = alternative.quality, alternative.source
    if quality is None and own:
        alike = MemoryIndex([MemoryUnit(1, own, alternative.text)]).matches(source, threshold=0)
        quality = alike[0].score if alike else None
    details = {"edits": _edits(own, source)} if own else {}
    name = alternative.origin or file
    return Suggestion("file", name, alternative.text, score if quality is None else quality, own or source, details)


def machine_translations(
    engine: Translates,
    name: str,
    segments: Sequence[tuple[str, Sequence[Code]]],
    glossary: Glossary,
    *,
    score: float,
) -> list[Suggestion]:
    """What an engine says for sources, each with all that is not language in it, and with the glossary's terms.

    It stands among matches at `score`, whatever it is worth; how sure the engine is of the whole is told beside it.
    """
    details = {name: name in engine.details for name in ("alignment", "confidence")}

    def ask(lines: Sequence[str]) -> list[Sequence[Candidate]]:
        by_terms: dict[tuple[tuple[str, str], ...], list[int]] = {}  # those without any are translated at once
        for place, line in enumerate(lines):
            by_terms.setdefault(_terms(engine, glossary, line), []).append(place)
        found: list[Sequence[Candidate]] = [()] * len(lines)
        for terms, places in by_terms.items():
            request = Request(**details, glossary=terms)
            try:
                translations = engine.translations([lines[place] for place in places], request)
            except ServiceError as error:
                raise error.at(places) from None
            for place, said in zip(places, translations, strict=True):
                found[place] = said.candidates
        return found

    return [
        Suggestion("MT", name, said.text, score, each[0], {"confidence": said.confidence})
        for each, said in zip(segments, carried(segments, ask), strict=True)
    ]


def _terms(engine: Translates, glossary: Glossary, text: str) -> tuple[tuple[str, str], ...]:
    """What is said of the glossary in a text, and what it is to become; nothing for an engine that does not listen."""
    hits = glossary.look_up(text) if "glossary" in engine.details else []
    terms = [(text[hit.begin : hit.end], hit.terms[0]) for hit in hits]
    return tuple((said, term.target) for said, term in terms if term.status != "forbidden")


def rank(suggestions: Iterable[Suggestion], *, n: int = 3, threshold: float = 50.0) -> list[Suggestion]:
    """The best, a text once; what somebody translated stands before a machine's translation of the same score."""
    best: dict[str, Suggestion] = {}
    for each in sorted(suggestions, key=lambda each: (-each.score, each.kind == "MT")):
        if each.score >= threshold and each.text.strip():
            best.setdefault(each.text, each)
    return list(best.values())[:n]
