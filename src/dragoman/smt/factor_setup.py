"""The notation of factored setups (Bojar, Jawaid & Kamran, WMT 2012): `tL-L+tT-T+gLaT-F:tF-FaLaT`.

From loosest to tightest: `=` between searches, one behind the other; `:` between alternative paths of a search; `+`
between the steps of a path; `-` between what a step reads and what it gives; `a` between factors. A step that begins
with `t` translates, one with `g` makes target factors of others. Where the paper joins two factors to one by `+`, which
is taken, a full stop stands here: `tF-LOF.MOT=tLOF.MOT-F`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, ClassVar

from dragoman.errors import DataError
from dragoman.report import Result, Table

__all__ = ["FactorStep", "FactoredSetup", "SetupReport", "describe_setup"]

_FACTOR = r"[A-Z][A-Z0-9]*(?:\.[A-Z][A-Z0-9]*)*"
_STEP = re.compile(rf"([tg])({_FACTOR}(?:a{_FACTOR})*)-({_FACTOR}(?:a{_FACTOR})*)")


@dataclass(frozen=True)
class FactorStep:
    """A mapping from factors to factors: a translation, or a generation on the target side."""

    generates: bool
    reads: tuple[str, ...]
    gives: tuple[str, ...]

    @classmethod
    def parse(cls, text: str) -> FactorStep:
        """`tF-FaT` as a step."""
        match = _STEP.fullmatch(text)
        if match is None:
            raise DataError(
                f"{text!r} is no step of a factored setup: write t or g, factors in capitals joined by a, - and more "
                "of them, as in tF-FaT or gLaT-F."
            )
        reads, gives = (tuple(match[i].split("a")) for i in (2, 3))
        for factors in (reads, gives):
            twice = next((each for each in factors if factors.count(each) > 1), None)
            if twice:
                raise DataError(f"The step {text!r} names the factor {twice} twice.")
        return cls(match[1] == "g", reads, gives)

    def __str__(self) -> str:
        return f"{'g' if self.generates else 't'}{'a'.join(self.reads)}-{'a'.join(self.gives)}"


Path = tuple[FactorStep, ...]


@dataclass(frozen=True)
class FactoredSetup:
    """Searches in series, each with alternative paths of steps."""

    searches: tuple[tuple[Path, ...], ...]

    @classmethod
    def parse(cls, text: str) -> FactoredSetup:
        """A setup; what cannot be, such as a generation from factors that no step gave, raises `DataError`."""
        plain = "".join(text.split())
        if not plain:
            raise DataError("A factored setup is empty; the plain one is tF-F.")
        searches = tuple(
            tuple(tuple(FactorStep.parse(step) for step in path.split("+")) for path in search.split(":"))
            for search in plain.split("=")
        )
        setup = cls(searches)
        setup._check(text)
        return setup

    def __str__(self) -> str:
        return "=".join(":".join("+".join(map(str, path)) for path in search) for search in self.searches)

    @property
    def kind(self) -> str:
        """Its place in the taxonomy: direct, single-step, two-step or complex."""
        if len(self.searches) == 1:
            return "direct" if len(self.searches[0]) == len(self.searches[0][0]) == 1 else "single-step"
        return "two-step" if len(self.searches) == 2 else "complex"

    @property
    def source_factors(self) -> tuple[str, ...]:
        """What the first search reads, in the order of its steps."""
        steps = [step for path in self.searches[0] for step in path if not step.generates]
        return tuple(dict.fromkeys(factor for step in steps for factor in step.reads))

    @property
    def target_factors(self) -> tuple[str, ...]:
        """What the last search gives."""
        return _given(self.searches[-1])

    def given(self, search: int) -> tuple[str, ...]:
        """What a search, counted from 0, gives; forms first."""
        return _given(self.searches[search])

    @property
    def all_given(self) -> tuple[str, ...]:
        """What any search gives, forms first."""
        return _given(tuple(path for search in self.searches for path in search))

    def paths(self, search: int) -> tuple[Path, ...]:
        """The paths of a search, counted from 0: what one lacks and another gives, it generates from the rest."""
        factors = _given(self.searches[search])
        whole = []
        for path in self.searches[search]:
            own = _given((path,))
            missing = tuple(factor for factor in factors if factor not in own)
            whole.append((*path, FactorStep(True, own, missing)) if missing else path)
        return tuple(whole)

    def _check(self, text: str) -> None:
        before: frozenset[str] | None = None
        for search in self.searches:
            given: set[str] = set()
            for path in search:
                if path[0].generates:
                    raise DataError(f"{text!r}: a path begins with a translation, not with {path[0]}.")
                here: set[str] = set()
                for step in path:
                    known = here if step.generates else before
                    lacking = [] if known is None else [each for each in step.reads if each not in known]
                    if lacking:
                        what = "its path gave" if step.generates else "the search before gave"
                        raise DataError(
                            f"{text!r}: the step {step} reads {', '.join(lacking)}, which no step of {what}."
                        )
                    here.update(step.gives)
                given |= here
            before = frozenset(given)
        if "F" not in self.target_factors:
            raise DataError(f"{text!r}: the last search gives no forms (F), which are what is read in the end.")


def _given(paths: tuple[Path, ...]) -> tuple[str, ...]:
    """All factors that paths give, forms first."""
    factors = dict.fromkeys(factor for path in paths for step in path for factor in step.gives)
    return tuple(sorted(factors, key=lambda factor: (factor != "F", list(factors).index(factor))))


@dataclass(frozen=True)
class SetupReport(Result):
    """A setup, step by step, and its place in the taxonomy."""

    kind: ClassVar[str] = "factored setup"

    setup: FactoredSetup

    def tables(self) -> list[Table]:
        """A row for each step."""
        rows = [
            (
                s,
                p,
                str(step),
                "generates" if step.generates else "translates",
                " ".join(step.reads),
                " ".join(step.gives),
            )
            for s, search in enumerate(self.setup.searches, start=1)
            for p, path in enumerate(search, start=1)
            for step in path
        ]
        columns = ["search", "path", "step", "does", "reads", "gives"]
        return [Table.of(f"{self.setup}: {self.setup.kind}", columns, rows, note=_EXPECTED[self.setup.kind])]

    def meta(self) -> dict[str, Any]:
        """The setup's class and factors."""
        return {
            "setup": str(self.setup),
            "class": self.setup.kind,
            "source_factors": list(self.setup.source_factors),
            "target_factors": list(self.setup.target_factors),
        }


_DOES = {False: "translates", True: "generates"}
# What each class suffers from, as the paper expects.
_EXPECTED = {
    "direct": "Direct: one step in one search. Forms that were never seen stay unknown.",
    "single-step": "Single-step: several mappings in one search. Options multiply, and lists repeat their strings.",
    "two-step": "Two-step: searches in series. What the first one loses, the second cannot find.",
    "complex": "Complex: more than two searches.",
}


def describe_setup(text: str) -> SetupReport:
    """What a setup in the notation says: `describe_setup("tF-FaT")`."""
    return SetupReport(FactoredSetup.parse(text))
