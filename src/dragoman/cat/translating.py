"""Segments through any engine, with all that is not language in them.

A unit that stands as a word is a word to the engine, too, an unknown one (`XQ1`): most engines copy it to its right
place. Where one is lost, changed or doubled, the part is translated again without such words, and all its units go
back by the links of words, as pairs of codes always do (`cat.projection`). So each unit of the source is in every
translation, byte for byte and as often as in the source, with spaces where the source has them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import count

from dragoman.cat.files.inline import unfit
from dragoman.cat.projection import project, spoken
from dragoman.cat.protection import Part, Passage, is_break, protected
from dragoman.cat.segmentation import SegmentationRules
from dragoman.cat.segments import Code, code_place, plain
from dragoman.engines import Candidate, Request, Translates
from dragoman.engines.endpoint import ServiceError
from dragoman.engines.results import Link

__all__ = [
    "Ask",
    "Carried",
    "HeardUnit",
    "Told",
    "carried",
    "fitted",
    "masked_units",
    "translate_with_codes",
    "writable",
]

Ask = Callable[[Sequence[str]], Sequence[Sequence[Candidate]]]  # the candidates for each line, best first

_NOTHING = Candidate("")
_CODE = re.compile("[\ue000-\uf8ff]")
_OPENING = "([{<«‹„“\"'¿¡/-–—"
_FAR = 20  # characters, of which codes are passed over
_BRACKETS, _STOPS = "([{¿¡", ".,;:!?)]}…"
_TECHNICAL = "/\\@#$&_=+~^|*<>"  # marks that stand at a unit without a space in any language
_CLOSING = ".,;:!?)]}>»›”’\"'%/-–—…。，、！？：；"


@dataclass(frozen=True)
class Told:
    """What an engine tells of a translation, in the tokens that it heard and said; a unit among them is one token.

    Halves of pairs, and units that the engine had lost, are in the text alone. `None` is what it does not tell.
    """

    score: float | None = None
    source_tokens: tuple[str, ...] | None = None
    target_tokens: tuple[str, ...] | None = None
    alignment: tuple[Link, ...] | None = None
    word_confidence: tuple[float, ...] | None = None
    confidence: float | None = None  # of the whole
    guessed: tuple[int, ...] = ()  # target tokens that translate a guess at an unknown word
    features: tuple[float, ...] | None = None  # those of all parts added up


@dataclass(frozen=True)
class Carried:
    """Translations of a segment with its units, best first, each once, and what the engine tells of each."""

    texts: tuple[str, ...]
    told: tuple[Told, ...] = ()

    @property
    def confidence(self) -> float | None:
        """How sure the engine is of the best."""
        return self.told[0].confidence if self.told else None

    @property
    def text(self) -> str:
        """The best; empty if the engine found none."""
        return self.texts[0] if self.texts else ""


@dataclass(frozen=True)
class _Line:
    """A part of a passage as an engine gets it."""

    segment: int
    passage: Passage
    part: Part
    masked: str  # the text of the part with words in the place of units
    words: dict[str, str]  # what each stands for

    @classmethod
    def of(cls, segment: int, passage: Passage, part: Part, *, bare: bool = False) -> _Line:
        """The part, without such words if `bare`."""
        return cls(segment, passage, part, *((part.text, {}) if bare else _masked(part.text, passage.codes)))

    @property
    def said(self) -> str:
        """What the engine hears."""
        return spoken(self.masked, self.passage.codes)

    def tokens(self, tokens: str | None) -> tuple[str, ...] | None:
        """Tokens as the engine has them, units in the place of their words."""
        if tokens is None:
            return None
        said = tokens.split()
        for word, units in self.words.items():
            own = self.passage.written(units)
            said = [re.sub(rf"{word}(?!\d)", lambda _, own=own: own, token, flags=re.IGNORECASE) for token in said]  # type: ignore[misc]
        return tuple(said)

    def text(self, candidate: Candidate) -> str | None:
        """A translation with all units of the part; None if the engine has lost one of the words."""
        target = project(self.masked, self.passage.codes, candidate)
        for word, units in self.words.items():
            found = re.findall(rf"{word}(?!\d)", target, re.IGNORECASE)
            if len(found) != 1:
                return None
            target = target.replace(found[0], units)
        if self.words and next(iter(self.words)).rstrip("0123456789") in target.upper():
            return None  # half of one, said once more
        return _spaced(self.part.text, target, self.passage.codes)


def carried(
    segments: Sequence[tuple[str, Sequence[Code]]],
    ask: Ask,
    *,
    n_best: int = 1,
    sentences: SegmentationRules | None = None,
) -> list[Carried]:
    """The translations of segments, each with its codes, by whatever `ask` says to lines of text.

    By `sentences`, a text of several lines and sentences is translated one by one; none is cut inside of a unit.
    """
    passages = [protected(*segment, by_line=sentences is not None) for segment in segments]
    if sentences is not None:
        passages = [_cut(passage, sentences) for passage in passages]
    lines = [
        _Line.of(number, passage, part)
        for number, passage in enumerate(passages)
        for part in passage.parts
        if part.has_words
    ]
    answers = _asked(lines, ask)
    again = [place for place, line in enumerate(lines) if line.words and line.text(_best(answers[place])) is None]
    bare = [_Line.of(lines[place].segment, lines[place].passage, lines[place].part, bare=True) for place in again]
    for place, line, answer in zip(again, bare, _asked(bare, ask), strict=True):
        lines[place], answers[place] = line, answer
    by_part = {(line.segment, id(line.part)): (line, answer) for line, answer in zip(lines, answers, strict=True)}
    return [
        _joined(*segment, passage, [by_part.get((number, id(part))) for part in passage.parts], n_best)
        for number, (segment, passage) in enumerate(zip(segments, passages, strict=True))
    ]


def _cut(passage: Passage, rules: SegmentationRules) -> Passage:
    """The passage with its parts cut into sentences."""
    parts: list[Part] = []
    for part in passage.parts:
        begin = 0
        for place in rules.breaks(_readable(part.text, passage.codes)):
            sentence = part.text[begin:place].rstrip()
            parts.append(Part(sentence, part.text[begin + len(sentence) : place]))
            begin = place
        parts.append(Part(part.text[begin:], part.wall))
    return replace(passage, parts=tuple(parts))


def _readable(text: str, codes: Sequence[Code]) -> str:
    """The text as whoever looks for sentences is to see it, place by place: a unit is a name, a tag a bracket."""
    return "".join(
        char if (place := code_place(char)) is None else "X" if codes[place].kind == "alone" else '"' for char in text
    )


def translate_with_codes(
    engine: Translates, segments: Sequence[tuple[str, Sequence[Code]]], *, n_threads: int = 1
) -> list[str]:
    """The best translation of each source, with all that is not language in it."""
    request = Request(alignment="alignment" in engine.details)

    def ask(lines: Sequence[str]) -> list[Sequence[Candidate]]:
        return [each.candidates for each in engine.translations(lines, request, n_threads=n_threads)]

    return [each.text for each in carried(segments, ask)]


def fitted(source: str, codes: Sequence[Code], text: str) -> str:
    """A text with all codes of its source; they are put in by their places where it has others or is unfit."""
    if Counter(_CODE.findall(text)) == Counter(_CODE.findall(source)) and not unfit(source, text, codes):
        return text
    words = re.sub(" {2,}", " ", plain(text)).strip()
    put = _spaced(source, project(source, codes, Candidate(words)), codes)
    if not unfit(source, put, codes):
        return put
    first = next((place for place, char in enumerate(source) if code_place(char) is None), len(source))
    return source[:first] + words + "".join(_CODE.findall(source[first:]))


def writable(source: str, codes: Sequence[Code], text: str) -> str:
    """A text that somebody wrote for a source, as it is if it can be confirmed there."""
    return fitted(source, codes, text) if unfit(source, text, codes) else text


def _asked(lines: Sequence[_Line], ask: Ask) -> list[Sequence[Candidate]]:
    if not lines:
        return []
    try:
        return list(ask([line.said for line in lines]))
    except ServiceError as error:
        raise error.at([line.segment for line in lines]) from None


def _best(candidates: Sequence[Candidate]) -> Candidate:
    return (*candidates, _NOTHING)[0]


def _joined(
    source: str,
    codes: Sequence[Code],
    passage: Passage,
    answers: Sequence[tuple[_Line, Sequence[Candidate]] | None],
    n_best: int,
) -> Carried:
    """The parts of a passage with its walls; nothing if the engine said nothing of any part."""
    said = [(line, candidates) for line, candidates in filter(None, answers)]
    if said and not any(each.text.strip() for _, candidates in said for each in candidates):
        return Carried(())
    most = max((len(candidates) for _, candidates in said), default=1)
    found: dict[str, Told] = {}
    for rank in range(min(n_best, max(most, 1))):
        pieces = [
            part.text if answer is None else _version(*answer, rank)
            for part, answer in zip(passage.parts, answers, strict=True)
        ]
        if None not in pieces:
            walls = [part.wall for part in passage.parts]
            whole = "".join(f"{piece}{wall}" for piece, wall in zip(pieces, walls, strict=True))
            text = fitted(source, codes, passage.written(whole))
            found.setdefault(text, _told([(line, _ranked(candidates, rank)) for line, candidates in said]))
    return Carried(tuple(found), tuple(found.values()))


def _ranked(candidates: Sequence[Candidate], rank: int) -> Candidate:
    return candidates[min(rank, len(candidates) - 1)] if candidates else _NOTHING


def _version(line: _Line, candidates: Sequence[Candidate], rank: int) -> str | None:
    text = line.text(_ranked(candidates, rank))
    begin, end = len(line.part.text) - len(line.part.text.lstrip()), len(line.part.text.rstrip())
    return None if text is None else line.part.text[:begin] + text + line.part.text[end:]


def _told(said: Sequence[tuple[_Line, Candidate]]) -> Told:
    """What an engine tells of all parts together: tokens one after the other, and of the whole by their lengths."""
    if not said:
        return Told()
    sources = [line.tokens(each.source_tokens) for line, each in said]
    targets = [line.tokens(each.target_tokens) for line, each in said]
    links: list[Link] = []
    guessed: list[int] = []
    begin_source = begin_target = 0
    for (_, each), own, other in zip(said, sources, targets, strict=True):
        links += [(begin_source + s, begin_target + t) for s, t in each.alignment or ()]
        guessed += [begin_target + t for t in each.guessed]
        begin_source, begin_target = begin_source + len(own or ()), begin_target + len(other or ())
    has_tokens = None not in (*sources, *targets)
    scores = [each.score for _, each in said if each.score is not None]
    sure = [each.word_confidence for _, each in said if each.word_confidence is not None]
    features = [each.features for _, each in said if each.features is not None]
    return Told(
        score=sum(scores) if len(scores) == len(said) else None,
        source_tokens=tuple(token for some in sources for token in some or ()) if has_tokens else None,
        target_tokens=tuple(token for some in targets for token in some or ()) if has_tokens else None,
        alignment=tuple(links) if has_tokens and all(each.alignment is not None for _, each in said) else None,
        word_confidence=tuple(value for some in sure for value in some) if len(sure) == len(said) else None,
        confidence=_confidence(said),
        guessed=tuple(guessed) if has_tokens else (),
        features=tuple(map(sum, zip(*features, strict=True))) if len(features) == len(said) else None,
    )


def _confidence(said: Sequence[tuple[_Line, Candidate]]) -> float | None:
    """How sure the engine is of all parts together, by their lengths."""
    told = [(each.confidence, len(line.said)) for line, each in said if each.confidence is not None]
    total = sum(size for _, size in told)
    return sum(value * size for value, size in told) / total if total and len(told) == len(said) else None


def _masked(text: str, codes: Sequence[Code]) -> tuple[str, dict[str, str]]:
    """The text with words in the place of units that stand as words, and what each is."""
    stem = _stem(text)
    pieces: list[str] = []
    words: dict[str, str] = {}
    done = 0
    for begin, end in _runs(text, codes):
        if _is_glued(text, begin, -1, codes) or _is_glued(text, end - 1, 1, codes):
            continue
        word = f"{stem}{len(words) + 1}"
        words[word] = text[begin:end]
        pieces += [text[done:begin], word]
        done = end
    return "".join([*pieces, text[done:]]), words


@dataclass(frozen=True)
class HeardUnit:
    """What is not language, at a place where an engine reads a word; whether it touches what is before and after it."""

    text: str
    touches_before: bool = False
    touches_after: bool = False

    @property
    def pattern(self) -> str:
        """A format for a regular expression of its word, with the spaces that only the engine has around it."""
        return " *" * self.touches_before + r"{}(?!\d)" + " *" * self.touches_after

    def heard(self, word: str) -> str:
        """The word with spaces around it where the unit has none."""
        return " " * self.touches_before + word + " " * self.touches_after


def masked_units(passage: Passage, part: Part) -> tuple[str, dict[str, HeardUnit]]:
    """A part of a passage with words in the place of the units that were found in it; inline codes stay.

    A unit that touches a word, as tags and line breaks do, is a word of its own all the same. One that is there several
    times touches what is around it if it does so everywhere.
    """
    stem = _stem(passage.source)
    words: dict[str, str] = {}
    units: dict[str, HeardUnit] = {}
    pieces: list[str] = []
    done = 0
    for begin, end in _found_runs(part.text, passage.n_own):
        unit = passage.written(part.text[begin:end])
        word = words.setdefault(unit, f"{stem}{len(words) + 1}")
        before, behind = part.text[begin - 1 : begin], part.text[end : end + 1]
        touches = (
            bool(before.strip(f" {_BRACKETS}")),
            bool(behind.strip(f" {_STOPS}")),
        )  # with marks engines know spaces
        told = units.get(word, HeardUnit(unit, True, True))
        units[word] = HeardUnit(unit, told.touches_before and touches[0], told.touches_after and touches[1])
        pieces += [part.text[done:begin], " " * touches[0], word, " " * touches[1]]
        done = end
    return "".join([*pieces, part.text[done:]]), units


def _found_runs(text: str, n_own: int) -> list[tuple[int, int]]:
    """Where units stand that were found in a text, several that touch each other as one."""
    runs: list[tuple[int, int]] = []
    for place, char in enumerate(text):
        number = code_place(char)
        if number is None or number < n_own:
            continue
        if runs and runs[-1][1] == place:
            runs[-1] = (runs[-1][0], place + 1)
        else:
            runs.append((place, place + 1))
    return runs


def _stem(text: str) -> str:
    """The beginning of words that a text has not."""
    return next(each for n in count() if (each := f"XQ{'Z' * n}") not in text.upper())


def _runs(text: str, codes: Sequence[Code]) -> list[tuple[int, int]]:
    """Where codes stand alone, several that touch each other as one."""
    runs: list[tuple[int, int]] = []
    for place, char in enumerate(text):
        number = code_place(char)
        if number is None or number >= len(codes) or codes[number].kind != "alone" or is_break(codes[number]):
            continue
        if runs and runs[-1][1] == place:
            runs[-1] = (runs[-1][0], place + 1)
        else:
            runs.append((place, place + 1))
    return runs


def _is_glued(text: str, place: int, step: int, codes: Sequence[Code]) -> bool:
    """Whether a word or another unit touches a place, halves of pairs between them apart."""
    place += step
    while 0 <= place < len(text):
        number = code_place(text[place])
        if number is None:
            return text[place].isalnum()
        if number >= len(codes) or codes[number].kind == "alone":
            return not (number < len(codes) and is_break(codes[number]))
        place += step
    return False


def _touches(text: str, place: int, step: int) -> bool:
    """Whether the mark at a place has no space on its other side."""
    return 0 <= place + step < len(text) and not text[place + step].isspace()


def _spaced(source: str, target: str, codes: Sequence[Code]) -> str:
    """The target with spaces around codes that stand alone as the source has them."""
    places = {char: place for place, char in enumerate(source) if code_place(char) is not None}
    own = [codes[at] for char in places if (at := code_place(char) or 0) < len(codes)]
    halves = Counter(code.pair for code in own if code.kind != "alone")
    pieces: list[str] = []
    place = 0
    while place < len(target):
        char = target[place]
        place += 1
        number = code_place(char)
        if number is None or char not in places or number >= len(codes) or halves[codes[number].pair] > 1:
            pieces.append(char)
            continue
        before, behind = source[places[char] - 1 : places[char]], source[places[char] + 1 : places[char] + 2]
        if is_break(codes[number]) or (before.isalnum() and behind.isalnum()):
            while pieces and pieces[-1] == " " != before:
                pieces.pop()
            pieces.append(char)
            while target[place : place + 1] == " " != behind:
                place += 1
            continue
        if before and before in _TECHNICAL and pieces[-2:] == [before, " "]:
            pieces.pop()
        if before and before in _TECHNICAL and _touches(source, places[char] - 1, -1) and pieces[-2:] == [" ", before]:
            del pieces[-2]
        pieces += [" "] * _lacks_space(before, pieces[: -_FAR - 1 : -1], _OPENING, codes)
        pieces.append(char)
        if behind and behind in _TECHNICAL and target[place : place + 2] == f" {behind}":
            place += 1
        is_joined = bool(behind) and behind in _TECHNICAL and _touches(source, places[char] + 1, 1)
        if is_joined and target[place : place + 2] == f"{behind} ":
            target = target[: place + 1] + target[place + 2 :]
        pieces += [" "] * _lacks_space(behind, target[place : place + _FAR], _CLOSING, codes)
    return "".join(pieces)


def _lacks_space(wanted: str, beside: Sequence[str], marks: str, codes: Sequence[Code]) -> bool:
    """Whether a space is missing between a code and what is beside it, where the source has `wanted` at that side."""
    if not beside or beside[0] == wanted or wanted.isalnum():
        return False
    number = code_place(beside[0])
    if number is not None and number < len(codes) and codes[number].kind == "alone" and not is_break(codes[number]):
        return wanted.isspace()  # two units that an engine lost are not glued together
    if number is not None:  # space may stand behind the half of a pair
        beside = next(([char] for char in beside if code_place(char) is None), [])
        if not wanted.isspace():
            return False
    return bool(beside) and not beside[0].isspace() and beside[0] not in marks
