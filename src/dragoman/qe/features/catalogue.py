"""The features, sets and resources there are, in words."""

from __future__ import annotations

from dataclasses import dataclass, fields
from inspect import getdoc
from typing import Any, ClassVar

from dragoman.qe.features.base import FEATURES, Feature, feature_set
from dragoman.qe.features.sets import FEATURE_SETS
from dragoman.qe.resources import RESOURCES, options_for
from dragoman.report import Column, Result, Table

__all__ = ["Catalogue", "describe_features", "is_from_text"]

_MADE_OF_TEXT = ("--also", "--post-edited")  # options of `qe resources` that ask for no further tool


@dataclass(frozen=True)
class Catalogue(Result):
    """Every feature with its paper, definition, side, level, resources and options; every set; every resource."""

    kind: ClassVar[str] = "qe feature catalogue"

    features: tuple[tuple[str, ...], ...]
    sets: tuple[tuple[str, int, int, str], ...]
    resources: tuple[tuple[str, str, str], ...]

    def tables(self) -> list[Table]:
        """Features, then sets, then resources."""
        names = ["feature", "definition", "level", "side", "needs", "options", "paper"]
        return [
            Table.of("Features", names, self.features),
            Table.of(
                "Sets",
                ["set", Column("features"), Column("from_text", "from text"), "needs"],
                self.sets,
                note="from text: those that ask for no parser, grammar, dictionary, tagger, further corpus or trace.",
            ),
            Table.of(
                "Resources",
                ["resource", Column("text", "what it is"), Column("options", "given by")],
                self.resources,
                note="given by: options of dragoman qe resources; without any, a bitext is enough.",
            ),
        ]

    def meta(self) -> dict[str, Any]:
        """How many."""
        return {
            "n_features": len(self.features),
            "sets": {name: size for name, size, *_ in self.sets},
            "resources": {name: text for name, text, _ in self.resources},
        }


def is_from_text(feature: Feature) -> bool:
    """Whether sentences, a bitext and post-edits are all that a feature asks for."""
    needs = feature.needed()
    return "trace" not in needs and all(option.startswith(_MADE_OF_TEXT) for option in options_for(needs))


def describe_features() -> Catalogue:
    """All that is registered."""
    rows = []
    for name in FEATURES.names():
        kind = FEATURES.get(name)
        options = ", ".join(f.name for f in fields(kind) if f.name != "compat")
        first = (getdoc(kind) or "").split("\n\n")[0].replace("\n", " ")
        rows.append((name, first, kind.level, kind.side, ", ".join(kind.needs), options, kind.paper))
    sets = []
    for name in FEATURE_SETS:
        features = feature_set(name)
        needs = sorted({need for feature in features for need in feature.needed()})
        sets.append((name, len(features), sum(map(is_from_text, features)), ", ".join(needs)))
    resources = tuple((name, each.text, " ".join(options_for((name,)))) for name, each in RESOURCES.items())
    return Catalogue(tuple(rows), tuple(sets), resources)
