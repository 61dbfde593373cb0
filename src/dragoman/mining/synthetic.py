"""Training text made with an engine: monolingual text and its translation, one side real and one synthetic.

Backwards, from the target language, it is reverse self-training (Bojar & Tamchyna 2011; WMT 2012), later called
back-translation; forwards it is self-training (Schwenk et al., WMT 2012).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from dragoman.data.bitext import Bitext
from dragoman.engines.roles import Translates
from dragoman.engines.translation import stream_translations
from dragoman.errors import DataError
from dragoman.options import Recipe, option
from dragoman.report import Column, Result, Table

__all__ = ["Synthesis", "SyntheticText"]


@dataclass(frozen=True)
class Synthesis(Recipe):
    """Which side an engine makes up, and how much of it is kept."""

    synthetic: str = option("source", choices=("source", "target"), text="the side that the engine translates into")
    share: float = option(
        1.0, low=0.001, high=1.0, text="kept of the lines, those that the engine scores best a word; 1: all"
    )

    def make(self, engine: Translates, lines: Sequence[str], *, model: str = "", n_threads: int = 1) -> SyntheticText:
        """Translate lines and pair them with what they were translated from; empty ones are left out."""
        self.check()
        real = [line for line in lines if line.strip()]
        if not real:
            raise DataError("The text has no words; there is nothing to translate.")
        made, scores = [], []
        for each in stream_translations(engine, real, n_threads=n_threads):
            best = each.candidates[0] if each.candidates else None
            made.append(each.text)
            scores.append(None if best is None or best.score is None else best.score / max(1, len(each.text.split())))
        kept = [n for n in self._kept(scores) if made[n].strip()]
        sides = [[made[n] for n in kept], [real[n] for n in kept]]
        languages = list(engine.languages)  # of the real side, then of what is made
        if self.synthetic == "target":
            sides.reverse()
        else:
            languages.reverse()
        return SyntheticText(
            bitext=Bitext.from_lines(*sides, source_lang=languages[0], target_lang=languages[1]),
            n_lines=len(lines),
            n_pairs=len(kept),
            synthetic=self.synthetic,
            share=self.share,
            languages=(languages[0], languages[1]),
            model=model,
        )

    def _kept(self, scores: Sequence[float | None]) -> list[int]:
        """The places of the lines that are kept, in order."""
        if self.share == 1:
            return list(range(len(scores)))
        values = [score for score in scores if score is not None]
        if len(values) < len(scores):
            raise DataError("The engine does not score its translations; none can be called the better. Keep all.")
        best = np.argsort(-np.array(values), kind="stable")[: max(1, round(self.share * len(values)))]
        return sorted(best.tolist())


@dataclass(frozen=True)
class SyntheticText(Result):
    """A bitext with one side that an engine made, and where it comes from."""

    kind: ClassVar[str] = "synthetic text"

    bitext: Bitext = field(repr=False)
    n_lines: int
    n_pairs: int
    synthetic: str
    share: float
    languages: tuple[str, str]  # of source and target
    model: str

    def tables(self) -> list[Table]:
        """One row: what there was and what there is."""
        columns: list[str | Column] = [
            "lines",
            "pairs",
            "synthetic",
            "source",
            "target",
            Column("engine", is_text=True),
        ]
        row = (self.n_lines, self.n_pairs, self.synthetic, *self.languages, self.model)
        return [Table.of("Synthetic text", columns, [row])]

    def meta(self) -> dict[str, Any]:
        """The provenance: which side was made, by which engine, from which text."""
        return {
            "engine": self.model,
            "synthetic": self.synthetic,
            "share": self.share,
            "languages": list(self.languages),
            "pairs": self.n_pairs,
            "fingerprint": self.bitext.fingerprint(),
        }
