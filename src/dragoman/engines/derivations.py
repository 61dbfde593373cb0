"""How engines came to their translations, for people: the rules or phrases of each, as a table and as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from dragoman.data.parallel import check_parallel
from dragoman.engines.results import Explanation, Step
from dragoman.engines.roles import Explains
from dragoman.report import Column, Fragment, Result, Section, Table, page
from dragoman.report.spans import Span, draw_spans

__all__ = ["Derivations", "derive", "draw_derivation", "steps_of"]

_DEEPER = "· "  # before a rule, for each that it stands in


@dataclass(frozen=True)
class Derivations(Result):
    """The derivation of a translation of each line; `None` where there is no way to it."""

    kind: ClassVar[str] = "derivations"

    items: tuple[Explanation | None, ...]
    model: str = ""

    def tables(self) -> list[Table]:
        """A row for each step, those in its gaps below it."""
        columns: list[str | Column] = [
            "segment",
            "depth",
            Column("rule", is_text=True),
            Column("source", is_text=True),
            Column("target", is_text=True),
            Column("score", digits=4),
        ]
        rows = [
            (
                number,
                step.depth,
                _DEEPER * step.depth + step.rule,
                " ".join(each.source_tokens[slice(*step.source)]),
                " ".join(each.target_tokens[slice(*step.target)]),
                step.score,
            )
            for number, each in enumerate(self.items, start=1)
            if each
            for step in steps_of(each)
        ]
        missing = [str(number) for number, each in enumerate(self.items, start=1) if each is None]
        note = f"No way leads to the translation of: {', '.join(missing)}." if missing else ""
        return [Table.of("Derivations", columns, rows, note=note)]

    def shown_tables(self) -> list[Table]:
        """The table without the numbers that its indentation tells."""
        table = self.tables()[0]
        places = [place for place, column in enumerate(table.columns) if column.name not in ("depth", "source")]
        rows = [[row[place] for place in places] for row in table.rows]
        return [Table.of(table.title, [table.columns[place] for place in places], rows, note=table.note)]

    def meta(self) -> dict[str, Any]:
        """The model, tokens, score, and what each feature adds to each."""
        return {
            "model": self.model,
            "segments": [
                each
                and {
                    "source_tokens": list(each.source_tokens),
                    "target_tokens": list(each.target_tokens),
                    "score": each.score,
                    "artificial": each.artificial,
                    "parts": [{"source": p.source, "target": p.target, "scores": dict(p.scores)} for p in each.parts],
                }
                for each in self.items
            ],
        }

    def html(self) -> str:
        """One page with a picture and a table of each derivation."""
        sections = []
        for number, each in enumerate(self.items, start=1):
            text = "No way leads to this translation." if each is None else " ".join(each.source_tokens)
            own = Derivations((each,), self.model)
            picture = [Fragment(f'<div class="scroll" tabindex="0">{draw_derivation(each)}</div>')] if each else []
            sections.append(Section(f"Segment {number}", text, (*picture, *own.shown_tables())))
        return page("Derivations", sections)


def derive(
    engine: Explains, lines: Sequence[str], targets: Sequence[str] | None = None, *, model: str = ""
) -> Derivations:
    """By which steps the best translation of each line comes about, or a given one."""
    if targets is not None:
        check_parallel({"lines": lines, "targets": targets})
    asked = [None] * len(lines) if targets is None else targets
    return Derivations(tuple(engine.explain(*each) for each in zip(lines, asked, strict=True)), model)


def steps_of(explanation: Explanation) -> tuple[Step, ...]:
    """The steps of a derivation; of an engine without rules, its parts one after the other."""
    return explanation.derivation or tuple(
        Step(0, part.source, part.target, _phrase(explanation, part.source, part.target), part.score)
        for part in explanation.parts
    )


def _phrase(explanation: Explanation, source: tuple[int, int], target: tuple[int, int]) -> str:
    sides = explanation.source_tokens[slice(*source)], explanation.target_tokens[slice(*target)]
    return " → ".join(" ".join(side) for side in sides)


def draw_derivation(explanation: Explanation) -> str:
    """The translation, with the source side of each step above the words that it became."""
    spans = [
        Span(step.depth, *step.target, step.rule.partition(" →")[0], f"{step.rule} ({step.score:.2f})")
        for step in steps_of(explanation)
    ]
    title = f"Derivation of: {' '.join(explanation.target_tokens)}"
    return str(draw_spans(explanation.target_tokens, spans, title=title))
