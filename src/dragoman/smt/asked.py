"""Lines that say more than their words, as the command line takes them: markup, walls at punctuation, lattices."""

from __future__ import annotations

import math
import re
from ast import literal_eval
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import count, islice
from typing import TYPE_CHECKING

from dragoman.errors import DataError
from dragoman.smt.constraints import Constraints, Lattice, read_markup

if TYPE_CHECKING:
    from dragoman.smt.engine import Engine

__all__ = ["parse_plf", "prepared_markup", "translate_asked", "walls_at_punctuation", "with_walls"]

_TAG = re.compile(r"(<[^<>]*>)")
_TRANSLATION = re.compile(r'translation="([^"<>]*)"')
_PUNCTUATION = re.compile(r"[^\w\s]+")
_BATCH = 100  # lines translated at a time


def translate_asked(
    engine: Engine,
    lines: Iterable[str],
    *,
    markup: bool = False,
    walls: bool = False,
    lattice: bool = False,
    n_threads: int = 1,
) -> Iterator[str]:
    """The translations, as tokens in true case, of lines with `markup` or of lattices, with `walls` at punctuation.

    Text and the translations in markup are prepared as the engine's recipe says; tokens of lattices are taken as they
    are. A line that has no translation as it is asked gives an empty one.
    """
    waiting = zip(count(1), lines, strict=False)
    while batch := list(islice(waiting, _BATCH)):
        asked = []
        for number, line in batch:
            try:
                asked.append(_read(engine, line, markup, walls, lattice))
            except DataError as error:
                raise DataError(f"Line {number}: {error}") from None
        decoded = engine.decode(
            [tokens for tokens, _ in asked], constraints=[each for _, each in asked], n_threads=n_threads
        )
        for begin, end in zip(decoded.offsets[:-1].tolist(), decoded.offsets[1:].tolist(), strict=True):
            yield decoded.texts[begin] if begin < end else ""


def _read(engine: Engine, line: str, markup: bool, walls: bool, lattice: bool) -> tuple[str, Constraints]:
    if lattice:
        parsed = parse_plf(line) if line.lstrip().startswith("(") else Lattice.parse(line)
        return "", Constraints(lattice=parsed)
    tokens, asked = prepared_markup(engine, line) if markup else (engine.source.prepare([line])[0], Constraints())
    more = walls_at_punctuation(tokens.split()) if walls else ()
    return tokens, replace(asked, walls=tuple(sorted({*asked.walls, *more})))


def prepared_markup(engine: Engine, line: str) -> tuple[str, Constraints]:
    """Tokens and constraints of a line of text with markup (see `read_markup`); what is kept stays as it is written."""
    parts: list[str] = []
    is_kept = False
    for part in _TAG.split(line):
        if _TAG.fullmatch(part):
            is_kept = part == "<keep>" or (is_kept and part != "</keep>")
            target = _TRANSLATION.search(part)
            words = engine.target.prepare([target[1]])[0] if target else ""
            parts.append(part.replace(target[0], f'translation="{words}"') if target else part)
        elif part.strip():
            parts.append(part if is_kept else engine.source.prepare([part])[0])
    return read_markup(" ".join(parts))


def walls_at_punctuation(tokens: Sequence[str]) -> tuple[int, ...]:
    """The places behind punctuation inside a sentence: nothing is reordered across them."""
    return tuple(n for n, token in enumerate(tokens[:-1], start=1) if _PUNCTUATION.fullmatch(token))


def with_walls(
    token_lines: Sequence[str], constraints: Sequence[Constraints | None] | None
) -> list[Constraints | None]:
    """What is asked of each line, and walls at its punctuation; a lattice has none."""
    asked = constraints if constraints is not None else [None] * len(token_lines)
    walled: list[Constraints | None] = []
    for line, each in zip(token_lines, asked, strict=True):
        walls = walls_at_punctuation(line.split()) if not (each and each.lattice) else ()
        whole = each or Constraints()
        walled.append(replace(whole, walls=tuple(sorted({*whole.walls, *walls}))) if walls else each)
    return walled


def parse_plf(text: str) -> Lattice:
    """A lattice in Moses' Python lattice format: `((('ein',0.7,1),('kein',0.3,1),),(('Haus',1.0,1),),)`.

    Each column has the arcs that leave a node: token, probability, how many nodes further the arc leads.
    """
    try:
        columns = literal_eval(text)
        arcs = tuple(
            (node, node + int(further), str(token), math.log(float(p)))
            for node, column in enumerate(columns)
            for token, p, further in column
        )
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError, OverflowError) as error:
        raise DataError(
            f"expected a lattice in PLF, ((('token',probability,distance),…),…); found {text[:60]!r} ({error})."
        ) from None
    if any(further <= node for node, further, _, _ in arcs):
        raise DataError("an arc of the lattice leads backwards; distances are 1 or more.")
    return Lattice(tuple(sorted(arcs, key=lambda arc: (arc[0], arc[1]))))
