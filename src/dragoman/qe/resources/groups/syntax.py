"""What parsed text gives: parsers and grammars, models of tags, how post-editors change what machines write."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from dragoman.align.ibm import Ibm1
from dragoman.errors import DataError
from dragoman.files import StrPath
from dragoman.lm import KneserNey
from dragoman.metrics.units import tag_spans
from dragoman.qe.recipes import ResourceRecipe
from dragoman.qe.resources.declared import Group, Resource, aligner, language_model
from dragoman.qe.resources.dictionaries import SpellingDictionary
from dragoman.qe.resources.groups.post_edits import POST_EDITED
from dragoman.qe.resources.material import Material
from dragoman.qe.resources.ngrams import NgramCounts, NgramRecipe
from dragoman.qe.resources.parses import Parsed
from dragoman.qe.resources.projection import ProjectedDependencies, ProjectionRecipe, projected_edges
from dragoman.qe.resources.sequences import (
    CLOSED,
    SEQUENCES,
    SequenceModels,
    SequenceRecipe,
    sequence_lines,
    source_tags,
)
from dragoman.qe.resources.tags import TagLexicon, TagLexiconRecipe
from dragoman.syntax import Grammar, NameTagger, Parser

__all__ = ["ANNOTATORS", "CONTRAST", "TAGS", "load_annotators"]

_ORDER = 6  # of models of tags (PLM6, Popović 2012)
_LONGEST = 7  # tags of counted runs (Rubino et al. 2012)
_JOIN = "intersection"
_SIDES = ("source", "target")
_PARSER = {side: f"--{side}-parser" for side in _SIDES}

ANNOTATORS = Group(
    "annotators",
    tuple(
        Resource(f"{side}_{kind}", f"{text} ({side} language)", artifact, None, (f"--{side}-{kind}",), impartial=True)
        for kind, text, artifact in (
            ("parser", "trained parser of dependencies, or parses of the very text", Parser),
            ("grammar", "grammar of constituents", Grammar),
            ("names", "tagger of names", NameTagger),
            ("dictionary", "spelling dictionary, as Hunspell has them", SpellingDictionary),
        )
        for side in _SIDES
    ),
)


def load_annotators(recipe: ResourceRecipe, folder: Path) -> dict[str, Any]:
    """What parses, tags and spells, from where it lies, which may not be where the resources are to be built."""
    annotators = {}
    for resource in ANNOTATORS.resources:
        path: StrPath | None = getattr(recipe, resource.name)
        if path is None or resource.kind is None:
            continue
        if (folder / resource.file).resolve() == Path(path).resolve():
            raise DataError(f"{path} lies where the resources are built. Keep it in another folder.")
        annotators[resource.name] = resource.kind.load(path)
    return annotators


def _tags(text: Material) -> dict[str, Any]:
    """Models of the tags of a bitext's sides, as far as they are parsed."""
    models: dict[str, Any] = {}
    parsed, n_threads = text.parsed, text.n_threads
    for side in _SIDES:
        if side not in parsed:
            continue
        for kind in ("tag", "morph"):
            models[f"{side}_{kind}_lm"] = KneserNey(order=_ORDER).train(parsed[side].lines(kind), n_threads=n_threads)
        models[f"{side}_tag_ngrams"] = NgramRecipe(order=_LONGEST).train(parsed[side].lines())
        models[f"{side}_tag_lexicon"] = TagLexiconRecipe().train(text.lines(side), parsed[side].lines())
    if set(_SIDES) <= parsed.keys():
        for kind in ("tag", "morph"):
            spans = [tag_spans(parsed[side].lines(kind)) for side in _SIDES]
            models[f"{kind}_ibm1"] = Ibm1().train(*spans, n_threads=n_threads)
    return models


def _contrast(text: Material) -> dict[str, Any]:
    """What outputs and post-edits of the same sources tell apart, as far as there are parses of them."""
    n = len(text.scores)
    if not n or not text.parsed:
        return {}
    sources = list(text.judged[0])
    token_lines, links = {}, {}
    for name, lines in (("outputs", text.judged[1]), ("edits", text.targets[-n:])):
        token_lines[name] = [line.split() for line in lines]
        links[name] = text.built["aligner"].align(sources, list(lines), symmetrisation=_JOIN, n_threads=text.n_threads)
    # The judged sources and their post-edits are the last of the bitext.
    last = range(len(text.sources) - n, len(text.sources))
    source = text.parsed["source"].take(last) if "source" in text.parsed else None
    models: dict[str, Any] = {}
    if "target" in text.parsed:
        parsed = {"outputs": text.parsed["outputs"], "edits": text.parsed["target"].take(last)}
        units = {name: _sequences(token_lines[name], parsed[name], source, links[name]) for name in parsed}
        kinds = [kind for kind in units["outputs"] if all(any(units[name][kind]) for name in units)]
        models["sequences"] = SequenceRecipe().train(
            {name: {kind: units[name][kind] for kind in kinds} for name in units}, n_threads=text.n_threads
        )
    if source is not None:
        edges = {name: projected_edges(source, links[name], lines) for name, lines in token_lines.items()}
        models["projected"] = ProjectionRecipe().train(edges["outputs"], edges["edits"])
    return models


def _sequences(
    token_lines: Sequence[list[str]], parsed: Parsed, source: Parsed | None, links: Any
) -> dict[str, list[str]]:
    """The sequences of each kind; those with tags of the source only where it is parsed."""
    closed = np.split(parsed.tagged(*CLOSED), parsed.offsets[1:-1])
    tags = (
        source_tags(source, links, parsed.offsets)
        if source is not None
        else [["*"] * len(each) for each in token_lines]
    )
    kinds = [kind for kind in SEQUENCES if kind != "tag-stop" or source is not None]
    return {kind: sequence_lines(kind, token_lines, closed, tags) for kind in kinds}


TAGS = Group(
    "tags",
    (
        *(
            resource
            for side in _SIDES
            for resource in (
                language_model(f"{side}_tag_lm", f"language model of the {side}'s parts of speech", _PARSER[side]),
                language_model(f"{side}_morph_lm", "the same with morphology", _PARSER[side]),
                Resource(
                    f"{side}_tag_ngrams", f"counts of runs of the {side}'s tags", NgramCounts, options=(_PARSER[side],)
                ),
                Resource(
                    f"{side}_tag_lexicon",
                    f"how many tags each word of the {side} has",
                    TagLexicon,
                    options=(_PARSER[side],),
                ),
            )
        ),
        aligner("tag_ibm1", "IBM model 1 of runs of four tags", *_PARSER.values()),
        aligner("morph_ibm1", "the same of tags with morphology", *_PARSER.values()),
    ),
    _tags,
)
CONTRAST = Group(
    "contrast",
    (
        Resource(
            "sequences",
            "models of what outputs and what post-edits say",
            SequenceModels,
            options=(POST_EDITED, _PARSER["target"]),
        ),
        Resource(
            "projected",
            "which dependencies post-editors change",
            ProjectedDependencies,
            options=(POST_EDITED, _PARSER["source"]),
        ),
    ),
    _contrast,
)
