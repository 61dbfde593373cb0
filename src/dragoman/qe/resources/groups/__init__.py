"""All resources there are, by idea: a module each declares them and says how they are built.

A new resource is one declaration with its build; features name it in `needs`, and folders of resources hold it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from dragoman.errors import UnknownName
from dragoman.qe.resources.declared import Group, Resource
from dragoman.qe.resources.groups.bitext import (
    LEXICAL_TABLES,
    NETS,
    PHRASE_TABLES,
    TOPICS,
    TRIGGERS,
    UNALIGNED,
    UNITS,
    WORD_LEXICON,
)
from dragoman.qe.resources.groups.post_edits import POST_EDITS, WORD_BAYES
from dragoman.qe.resources.groups.syntax import ANNOTATORS, CONTRAST, TAGS
from dragoman.qe.resources.groups.text import CORPORA, GOOD_TEXT, LONG_MODELS, TEXT_MODELS
from dragoman.qe.resources.groups.traces import TRACES
from dragoman.qe.resources.groups.wide import WIDE
from dragoman.qe.resources.material import Material

__all__ = ["EXTRAS", "GROUPS", "RESOURCES", "build_groups", "check_extras", "extras_for", "options_for"]

# In the order in which they are built: a group may ask those before it.
GROUPS = (
    ANNOTATORS,
    CORPORA,
    TEXT_MODELS,
    LEXICAL_TABLES,
    UNITS,
    POST_EDITS,
    WORD_LEXICON,
    GOOD_TEXT,
    LONG_MODELS,
    NETS,
    PHRASE_TABLES,
    TOPICS,
    TRIGGERS,
    UNALIGNED,
    WORD_BAYES,
    TAGS,
    CONTRAST,
    WIDE,
    TRACES,
)
RESOURCES: Mapping[str, Resource] = MappingProxyType({each.name: each for group in GROUPS for each in group.resources})
EXTRAS: Mapping[str, Group] = MappingProxyType({group.name: group for group in GROUPS if group.extra})


def build_groups(text: Material, extras: Sequence[str]) -> dict[str, Any]:
    """All resources that the material gives, and of the extras those that are asked for."""
    built: dict[str, Any] = {}
    for group in GROUPS:
        if group.build is not None and (not group.extra or group.name in extras):
            built.update(group.build(replace(text, built=built)))
    return built


def check_extras(names: Sequence[str]) -> tuple[str, ...]:
    """The names, each once and in order; `all` is every one of them."""
    unknown = [name for name in names if name not in EXTRAS and name != "all"]
    if unknown:
        raise UnknownName(f"No further resource is called {unknown[0]!r}. Known: all, {', '.join(EXTRAS)}.")
    return tuple(EXTRAS) if "all" in names else tuple(name for name in EXTRAS if name in names)


def extras_for(needs: Iterable[str]) -> tuple[str, ...]:
    """What must be asked for (`--also`) to have these resources."""
    wanted = set(needs)
    return tuple(name for name, group in EXTRAS.items() if wanted & {each.name for each in group.resources})


def options_for(needs: Iterable[str]) -> tuple[str, ...]:
    """The options of `dragoman qe resources` without which these resources are not built."""
    wanted = list(needs)
    own = dict.fromkeys(option for name in wanted for option in RESOURCES[name].options)
    return (*own, *(f"--also {name}" for name in extras_for(wanted)))
