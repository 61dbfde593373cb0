"""What parsed text gives: models and counts of tags, how post-editors change what machines write."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from dragoman.align.aligner import Aligner
from dragoman.align.ibm import Ibm1
from dragoman.errors import DataError
from dragoman.files import StrPath
from dragoman.lm import KneserNey
from dragoman.qe.resources.ngrams import NgramRecipe
from dragoman.qe.resources.parses import Parsed, SentenceParser
from dragoman.qe.resources.projection import ProjectionRecipe, projected_edges
from dragoman.qe.resources.sequences import CLOSED, SEQUENCES, SequenceRecipe, sequence_lines, source_tags
from dragoman.qe.resources.tags import TagLexiconRecipe, tag_spans
from dragoman.syntax import Grammar, Parser

__all__ = [
    "ANNOTATORS",
    "build_contrast",
    "build_tags",
    "copy_annotators",
    "load_annotators",
    "options_for",
    "parse_lines",
]

_ORDER = 6  # of models of tags (PLM6, Popović 2012)
_LONGEST = 7  # tags of counted runs (Rubino et al. 2012)
_JOIN = "intersection"
_AT_ONCE = 20_000  # lines that are parsed together
_OF_TAGS = ("tag_lm", "morph_lm", "tag_ngrams", "tag_lexicon")
ANNOTATORS = ("source_parser", "target_parser", "source_grammar", "target_grammar")


def options_for(wanted: Sequence[str]) -> list[str]:
    """The options of `dragoman qe resources` that give these; none if some come from elsewhere."""
    found: set[str] = set()
    for name in wanted:
        side, _, kind = name.partition("_")
        if name in ANNOTATORS:
            found.add(name)
        elif side in ("source", "target") and kind in _OF_TAGS:
            found.add(f"{side}_parser")
        elif name in ("tag_ibm1", "morph_ibm1"):
            found |= {"source_parser", "target_parser"}
        else:
            return []
    return [f"--{name.replace('_', '-')}" for name in ANNOTATORS if name in found]


def copy_annotators(given: Mapping[str, StrPath | None], folder: Path) -> dict[str, Any]:
    """Load parsers and grammars, and copy them into a folder of resources."""
    found = {}
    for name, path in given.items():
        target = folder / name.replace("_", "-")
        if path is None:
            if target.is_dir():  # of resources that were built here before
                shutil.rmtree(target)
            continue
        if target.resolve() == Path(path).resolve():
            raise DataError(f"{path} lies where the resources are built. Keep it in another folder.")
        found[name] = _load(name, path)
        found[name].save(target)
    return found


def load_annotators(folder: Path) -> dict[str, Any]:
    """The parsers and grammars in a folder of resources."""
    return {
        name: _load(name, folder / name.replace("_", "-"))
        for name in ANNOTATORS
        if (folder / name.replace("_", "-")).is_dir()
    }


def _load(name: str, folder: StrPath) -> Any:
    return Parser.load(folder) if name.endswith("parser") else Grammar.load(folder)


def parse_lines(parser: SentenceParser, lines: Sequence[str], n_threads: int) -> Parsed:
    """Parse tokenised lines, so many at a time that their words fit in memory."""
    return Parsed.joined(
        [
            Parsed.of(parser, [line.split() for line in lines[first : first + _AT_ONCE]], n_threads=n_threads)
            for first in range(0, max(1, len(lines)), _AT_ONCE)
        ]
    )


def build_tags(lines: Mapping[str, Sequence[str]], parsed: Mapping[str, Parsed], n_threads: int) -> dict[str, Any]:
    """Models of the tags of a bitext's sides, as far as they are parsed."""
    made: dict[str, Any] = {}
    for side in ("source", "target"):
        if side not in parsed:
            continue
        for kind in ("tag", "morph"):
            made[f"{side}_{kind}_lm"] = KneserNey(order=_ORDER).train(parsed[side].lines(kind), n_threads=n_threads)
        made[f"{side}_tag_ngrams"] = NgramRecipe(order=_LONGEST).train(parsed[side].lines())
        made[f"{side}_tag_lexicon"] = TagLexiconRecipe().train(lines[side], parsed[side].lines())
    if {"source", "target"} <= parsed.keys():
        for kind in ("tag", "morph"):
            spans = [tag_spans(parsed[side].lines(kind)) for side in ("source", "target")]
            made[f"{kind}_ibm1"] = Ibm1().train(*spans, n_threads=n_threads)
    return made


def build_contrast(
    sources: Sequence[str],
    texts: Mapping[str, Sequence[str]],
    source: Parsed | None,
    parsed: Mapping[str, Parsed],
    aligner: Aligner,
    n_threads: int,
) -> dict[str, Any]:
    """What outputs and post-edits (`texts`) of the same sources tell apart, as far as there are parses of them."""
    made: dict[str, Any] = {}
    token_lines = {name: [line.split() for line in lines] for name, lines in texts.items()}
    links = {
        name: aligner.align(list(sources), list(lines), symmetrisation=_JOIN, n_threads=n_threads)
        for name, lines in texts.items()
    }
    if parsed.keys() == texts.keys():
        units: dict[str, dict[str, list[str]]] = {}
        for name, lines in token_lines.items():
            offsets = parsed[name].offsets
            closed = np.split(parsed[name].tagged(*CLOSED), offsets[1:-1])
            tags = (
                source_tags(source, links[name], offsets)
                if source is not None
                else [["*"] * len(each) for each in lines]
            )
            kinds = [kind for kind in SEQUENCES if kind != "tag-stop" or source is not None]
            units[name] = {kind: sequence_lines(kind, lines, closed, tags) for kind in kinds}
        kept = [kind for kind in units["outputs"] if all(any(units[name][kind]) for name in units)]
        made["sequences"] = SequenceRecipe().train(
            {name: {kind: units[name][kind] for kind in kept} for name in units}, n_threads=n_threads
        )
    if source is not None:
        edges = {name: projected_edges(source, links[name], lines) for name, lines in token_lines.items()}
        made["projected"] = ProjectionRecipe().train(edges["outputs"], edges["edits"])
    return made
