"""Tables as text: as wide as they are, or fitted to a terminal, in colour where that says something."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from dragoman.report.fitting import GAP, Strip, fit
from dragoman.report.table import Cell, Column, Table, Tone
from dragoman.report.wrapping import one_line, pad, wrap

__all__ = ["PLAIN", "Screen", "is_numeric", "paragraph", "to_text"]

# SGR codes that are told apart on light and on dark ground.
_COLOURS: dict[Tone, str] = {"good": "1;32", "bad": "1;31", "beware": "33"}


@dataclass(frozen=True)
class Screen:
    """Where text is shown: its columns, none where there is no end of them, and whether it has colours."""

    width: int | None = None
    colour: bool = False

    def paint(self, text: str, tone: Tone | None) -> str:
        """The text in the colour of a tone, where there are colours."""
        return f"\x1b[{_COLOURS[tone]}m{text}\x1b[0m" if self.colour and tone is not None and text.strip() else text


PLAIN = Screen()


def paragraph(text: str, screen: Screen = PLAIN) -> str:
    """Sentences in lines as wide as the screen."""
    return "\n".join(wrap(text, screen.width))


def to_text(table: Table, screen: Screen = PLAIN) -> str:
    """Aligned columns: everything in a pipe or file, what fits on a terminal, with a word on what does not."""
    strips = [_strip(table, index) for index in range(len(table.columns))]
    fitted = fit(strips, screen.width, is_matrix=table.is_matrix)
    tones = [_tones(column, table.column(column.name)) for column in table.columns]
    shown = ["\n".join(_lines(fitted.strips, part, tones, screen)) for part in fitted.parts]
    blocks = [*([paragraph(table.title, screen)] if table.title else []), *shown]
    blocks += [paragraph(note, screen) for note in (table.note, " ".join(fitted.notes)) if note]
    return "\n\n".join(blocks) + "\n"


def is_numeric(table: Table, index: int) -> bool:
    """Whether a column holds numbers, and where something is missing nothing else."""
    values = [row[index] for row in table.rows if row[index] is not None]
    return bool(values) and all(isinstance(value, int | float) and not isinstance(value, bool) for value in values)


def _strip(table: Table, index: int) -> Strip:
    column = table.columns[index]
    cells = tuple(one_line(column.show(row[index])) for row in table.rows)
    return Strip(one_line(column.label), cells, is_numeric(table, index), column.is_text, column.rank)


def _tones(column: Column, cells: Sequence[Cell]) -> list[Tone | None]:
    numbers = [cell for cell in cells if isinstance(cell, int | float)]
    best = None if not column.best or len(numbers) < 2 else (max if column.best == "high" else min)(numbers)
    return [column.tone(cell) or ("good" if best is not None and cell == best else None) for cell in cells]


def _lines(
    strips: Sequence[Strip], part: Sequence[tuple[int, int]], tones: Sequence[Sequence[Tone | None]], screen: Screen
) -> Iterable[str]:
    """The lines of one part: headings, which stand on the rule, the rule, and the rows."""
    heads = [wrap(strips[i].heading, width) for i, width in part]
    tallest = max(map(len, heads))
    for row in zip(*([""] * (tallest - len(head)) + head for head in heads), strict=True):
        yield _joined(strips, part, row, (), PLAIN)
    yield (" " * GAP).join("─" * width for _, width in part)
    for number in range(len(strips[0].cells)):
        cells = [wrap(strips[i].cells[number], width) for i, width in part]
        for line in zip_longest(*cells, fillvalue=""):
            yield _joined(strips, part, line, [tones[i][number] for i, _ in part], screen)


def _joined(
    strips: Sequence[Strip],
    part: Sequence[tuple[int, int]],
    cells: Sequence[str],
    tones: Sequence[Tone | None],
    screen: Screen,
) -> str:
    padded = [pad(cell, width, to_right=strips[i].is_number) for cell, (i, width) in zip(cells, part, strict=True)]
    text = (" " * GAP).join(padded).rstrip()
    if not (screen.colour and any(tones)):
        return text
    painted = (screen.paint(cell, tone) for cell, tone in zip(padded, tones, strict=True))
    return (" " * GAP).join(painted).rstrip()
