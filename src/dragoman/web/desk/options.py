"""What can be chosen on each page of the desk: the fields of its form, and how what was typed is read."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Self

from dragoman.errors import DataError
from dragoman.metrics.base import METRICS
from dragoman.metrics.compare import ComparisonRecipe
from dragoman.options import Recipe, options_of
from dragoman.ranking.base import RANKINGS
from dragoman.ranking.resampling import UNITS
from dragoman.registry import Registry
from dragoman.report import Sentence

__all__ = ["OPTIONS", "Option", "checked_options"]

_MOST_METRICS = 10
_PAIR = re.compile(r"[A-Za-z]{2,8}([_-][A-Za-z0-9]{2,8})*")
# A specification may have options, but none that could name a file of the server's.
_SPEC = re.compile(r"[A-Za-z0-9_:=,.+ -]{1,200}")
# Metrics that are nothing without a folder of the server's, or that ask a service for money.
_NOT_OFFERED = frozenset(
    {"bertscore", "bertscore-idf", "comet", "cosine", "gemba-da", "gemba-mqm", "meant", "noref", "pem", "sagan"}
    | {"tesla-b", "tesla-f"}
)

Kind = Literal["choice", "whole", "number", "line", "yes", "names", "name"]


_MOST = {"trials": 10_000, "seed": 2**31}  # of what a stranger may ask for
_KINDS: dict[str, Kind] = {"bool": "yes", "int": "whole", "float": "number", "str": "line"}


@dataclass(frozen=True)
class Option:
    """A field of a form. `choices` are what is offered; a name of a registry may carry options behind a colon."""

    name: str
    kind: Kind
    default: Any
    choices: Callable[[], tuple[str, ...]] = tuple
    low: float = -math.inf
    high: float = math.inf

    @classmethod
    def of(cls, recipe: type[Recipe], name: str, default: Any = None) -> Self:
        """The field of an option that a recipe declares; the desk may have a default of its own."""
        declared = options_of(recipe)[name]
        default = declared.default if default is None else default
        low, high = declared.low, _MOST.get(name, declared.high)
        if declared.of is not None:
            return cls(name, "names" if declared.is_list else "name", default, _names(declared.of))
        if declared.choices:
            return cls(name, "choice", default, _only(*declared.choices))
        limits = (-math.inf if low is None else low, math.inf if high is None else high)
        return cls(name, _KINDS[declared.kind], default, tuple, *limits)

    def read(self, given: Any) -> Any:
        """The value of what was typed or sent; nothing typed is the default."""
        if given is None or given == "" or given == []:
            return False if self.kind == "yes" else self.default
        match self.kind:
            case "yes":
                return given not in (False, "no", "false", "0")
            case "whole" | "number":
                return self._number(given)
            case "names":
                texts = given if isinstance(given, list) else re.split(r"[\s;]+", str(given).strip())
                if len(texts) > _MOST_METRICS:
                    raise self._wrong(
                        "{name} has {n} entries; the desk takes {most}.", n=len(texts), most=_MOST_METRICS
                    )
                return [self._name(str(text)) for text in dict.fromkeys(texts)]
            case "name":
                return self._name(str(given))
            case "choice":
                if given not in self.choices():
                    known = ", ".join(self.choices())
                    raise self._wrong("{name} is {given}; choose one of {known}.", given=repr(given), known=known)
                return given
        if not _PAIR.fullmatch(str(given)):
            shown = repr(str(given)[:40])
            raise self._wrong("{name} is {given}; expected something like de-en.", given=shown)
        return str(given)

    def _wrong(self, pattern: str, **values: Any) -> DataError:
        """What is wrong, as a sentence that pages say in their language."""
        return DataError(Sentence(pattern, name=self.name, **values))

    def _number(self, given: Any) -> float:
        whole = self.kind == "whole"
        try:
            value = int(given) if whole else float(given)
        except (TypeError, ValueError):
            shown = repr(str(given)[:40])
            if whole:
                raise self._wrong("{name} is {given}, which is no whole number.", given=shown) from None
            raise self._wrong("{name} is {given}, which is no number.", given=shown) from None
        if not self.low <= value <= self.high:
            said = "{name} is {given:g}; expected {low:g} to {high:g}."
            raise self._wrong(said, given=value, low=self.low, high=self.high)
        return value

    def _name(self, given: str) -> str:
        if not _SPEC.fullmatch(given) or ".." in given:
            said = "{name} is {given}; a name, perhaps with options, has no paths in it."
            raise self._wrong(said, given=repr(given[:60]))
        base = given.partition(":")[0]
        if base not in self.choices():
            said = "{name} is {given}, which is not known here. Known: {known}."
            raise self._wrong(said, given=repr(base), known=", ".join(self.choices()))
        return given


def _names(registry: Registry[Any]) -> Callable[[], tuple[str, ...]]:
    return lambda: tuple(name for name in registry.names() if name not in _NOT_OFFERED)


def _only(*words: str) -> Callable[[], tuple[str, ...]]:
    return lambda: words


_SEED = Option("seed", "whole", 12345, low=0, high=2**31)
_TRIALS = Option("trials", "whole", 1000, low=1, high=10_000)
_ALPHA = Option("alpha", "number", 0.05, low=0.000001, high=0.5)
_PAIR_OPTION = Option("pair", "line", None)

OPTIONS: dict[str, tuple[Option, ...]] = {
    "score": (
        Option("metrics", "names", ["bleu", "chrf"], _names(METRICS)),
        Option("level", "choice", "corpus", _only("corpus", "document", "segment")),
        Option("ci", "yes", False),
        _TRIALS,
        _SEED,
    ),
    "compare": (
        *(Option.of(ComparisonRecipe, name) for name in ("metrics", "test", "all_pairs", "correction", "alpha")),
        Option.of(ComparisonRecipe, "trials", 1000),
        Option.of(ComparisonRecipe, "seed", 12345),
    ),
    "ranking": (
        _PAIR_OPTION,
        Option("method", "name", None, _names(RANKINGS)),
        Option("clusters", "yes", False),
        Option("unit", "choice", "screen", _only(*UNITS)),
        Option("replicates", "whole", 1000, low=1, high=5000),
        _SEED,
    ),
    "meta": (
        _PAIR_OPTION,
        Option("level", "choice", None, _only("sys", "seg")),
        Option("correction", "choice", "none", _only("none", "holm", "bh")),
        _ALPHA,
        _TRIALS,
        _SEED,
    ),
}


def checked_options(task: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a task from what was typed or sent."""
    return {option.name: option.read(given.get(option.name)) for option in OPTIONS[task]}
