"""Layers: annotations that metrics, features and reports ask for by name, made once for each sentence.

Who asks has an option with `layers` (see `dragoman.options.option`). It holds the name of a layer until somebody says
which annotator makes it (`{"lemma": "simplemma+lang=de"}`, on the command line `--layer lemma=simplemma:lang=de`), and
the annotator's signature from then on, so that the asker's own signature tells. `source.pos` is a layer of the source.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from functools import lru_cache
from typing import Any, TypeVar

from dragoman.cache import ContentFolder, digest_of
from dragoman.errors import DataError
from dragoman.notation import parse_json
from dragoman.options import options_of, positional_option
from dragoman.text.annotate.base import ANNOTATORS, Annotator, TypeAnnotator, check_needs
from dragoman.text.languages import base_language

__all__ = [
    "SOURCE",
    "TAG_LAYERS",
    "annotate_once",
    "asked_layers",
    "keep_layers",
    "layer_annotator",
    "layer_annotators",
    "make_annotator",
    "read_layers",
    "with_layers",
]

A = TypeVar("A")
T = TypeVar("T")

SOURCE = "source."
TAG_LAYERS = ("pos", "xpos")
_OPTION = re.compile(r"[:+,](?=\w+=)")  # begins an option in a specification (`snowball:lang=de`) or a signature
_MOST_TOKENS = 2_000_000  # that an annotator remembers before it forgets them all: some 300 MB
_PART = 1000  # sentences kept on disk together: what an interruption may cost
_LEAST_SECONDS = 0.25  # of work that is worth a file
_folder: ContextVar[ContentFolder | None] = ContextVar("layers", default=None)


def read_layers(
    specs: Iterable[str], *, source_lang: str | None = None, target_lang: str | None = None
) -> dict[str, str]:
    """Which annotator makes which layer, from `lemma=simplemma:lang=de`; a language that is known need not be said.

    An annotator that does not exist, gives no such layer, lacks something or is for another language is named here.
    """
    layers: dict[str, str] = {}
    annotators = []
    for spec in specs:
        layer, equals, maker = spec.partition("=")
        if not (layer and equals and maker):
            raise DataError(f"{spec!r} names no annotator; write LAYER=ANNOTATOR, as in pos=hanta:lang=en.")
        if layer in layers:
            raise DataError(f"The layer {layer} is given twice.")
        lang = source_lang if layer.startswith(SOURCE) else target_lang
        layers[layer] = _with_language(maker, lang, spec)
        annotators.append(make_annotator(layers[layer], (layer,)))
    check_needs(annotators)
    return layers


def _with_language(maker: str, lang: str | None, spec: str) -> str:
    """The annotator as signatures write it, with the text's language if it asks for one."""
    name, *options = _parts(maker)
    if "lang" not in options_of(ANNOTATORS.get(name)):
        return "+".join([name, *options])
    own = next((part.removeprefix("lang=") for part in options if part.startswith("lang=")), None)
    if own is None and lang is None:
        raise DataError(f"The layer {spec} is of which language? Say it: {spec.partition(':')[0]}:lang=de.")
    if own is not None and lang is not None and base_language(own) != base_language(lang):
        raise DataError(f"The layer {spec} is for {own}, but the text is in {lang}.")
    return "+".join([name, *([f"lang={lang}"] if own is None else []), *options])


@lru_cache(maxsize=64)
def make_annotator(spec: str, layers: tuple[str, ...]) -> Annotator[Any]:
    """The annotator that a specification or a signature names, giving the first of the layers that it can.

    The same one for all who ask, so that it works once.
    """
    if spec in layers:
        raise DataError(_missing([f"{spec} is asked for"], spec))
    name, *options = _parts(spec)
    cls = ANNOTATORS.get(name)
    wanted = [layer.removeprefix(SOURCE) for layer in layers]
    give = next((part.removeprefix("give=") for part in options if part.startswith("give=")), None)
    own = [layer for layer in wanted if layer in cls.layers and give in {None, layer}]
    if not own:
        makers = sorted({maker for layer in wanted for maker in _makers(layer)})
        raise DataError(
            f"The annotator {name} gives {give or ', '.join(cls.layers)}, not {' or '.join(wanted)}, "
            f"which {', '.join(makers) or 'no annotator'} can give."
        )
    if give is None and "give" in options_of(cls):
        options.append(f"give={own[0]}")
    return ANNOTATORS.make(f"{name}:{','.join(options)}")


def _parts(spec: str) -> list[str]:
    """A specification's or signature's name and options, each with its name."""
    name, *options = _OPTION.split(spec)
    name, colon, value = name.partition(":")
    if not colon:
        return [name, *options]
    return [name, f"{positional_option(ANNOTATORS.get(name))}={value}", *options]


def _makers(layer: str) -> list[str]:
    return [name for name in ANNOTATORS.names() if layer in ANNOTATORS.get(name).layers]


def layer_annotator(layers: Mapping[str, str], among: tuple[str, ...]) -> Annotator[Any] | None:
    """Who makes the first of some layers that anybody makes."""
    return next((make_annotator(layers[layer], (layer,)) for layer in among if layer in layers), None)


def asked_layers(asker: Any) -> dict[str, str]:
    """The options of a metric or feature that ask for a layer which nobody makes yet, with its name."""
    declared = options_of(type(asker)).items()
    return {name: value for name, each in declared if (value := getattr(asker, name)) in each.layers}


def layer_annotators(asker: Any) -> dict[str, Annotator[Any]]:
    """The options of a metric or feature that name annotators of layers, with these."""
    annotators = {}
    for name, each in options_of(type(asker)).items():
        value = getattr(asker, name)
        if each.layers and value not in each.layers and _OPTION.split(value)[0].partition(":")[0] in ANNOTATORS:
            annotators[name] = make_annotator(value, each.layers)
    return annotators


def with_layers(askers: Sequence[A], layers: Mapping[str, str]) -> list[A]:
    """Metrics or features with the annotators of the layers that they ask for; all that nobody makes is named."""
    missing: dict[str, list[str]] = {}
    for asker in askers:
        for layer in asked_layers(asker).values():
            if layer not in layers:
                missing.setdefault(layer, []).append(str(getattr(asker, "name", type(asker).__name__)))
    if missing:
        raise DataError(
            " ".join(
                _missing([f"{' and '.join(names)} {'asks' if len(names) == 1 else 'ask'} for the layer {layer}"], layer)
                for layer, names in missing.items()
            )
        )
    return [
        replace(asker, **{name: "+".join(_parts(layers[layer])) for name, layer in asked.items()}) if asked else asker  # type: ignore[type-var]
        for asker in askers
        for asked in [asked_layers(asker)]
    ]


def _missing(who: Sequence[str], layer: str) -> str:
    makers = _makers(layer.removeprefix(SOURCE))
    choice = f" (or {', '.join(makers[1:])})" if makers[1:] else ""
    cure = f"--layer {layer}={makers[0]}:…{choice}" if makers else "no annotator makes it"
    return f"{who[0]}, which nobody makes: {cure}."


def annotate_once(annotator: Annotator[T], token_lines: Sequence[Sequence[str]]) -> list[list[T]]:
    """As `annotator.annotate`, but a sentence is worked on once, whoever asks; see `keep_layers`, too."""
    if isinstance(annotator, TypeAnnotator):  # remembers words
        return annotator.annotate(token_lines)
    annotator.check(token_lines)
    sentences = [tuple(tokens) for tokens in token_lines]
    cache: dict[Any, list[T]] = vars(annotator).setdefault("_sentences", {})
    if annotator.of_text:
        text = tuple(sentences)
        if text not in cache:
            cache.clear()
            cache[text] = annotator.fitted(sentences, range(1, len(sentences) + 1))  # type: ignore[assignment]
        return [list(values) for values in cache[text]]  # type: ignore[call-overload]
    if sum(map(len, cache)) + sum(map(len, sentences)) > _MOST_TOKENS:
        cache.clear()
    first: dict[tuple[str, ...], int] = {}
    for number, tokens in enumerate(sentences, start=1):
        if tokens not in cache:
            first.setdefault(tokens, number)
    new = list(first)
    for begin in range(0, len(new), _PART):
        part = new[begin : begin + _PART]
        cache.update(zip(part, _values(annotator, part, [first[tokens] for tokens in part]), strict=True))
    return [list(cache[tokens]) for tokens in sentences]


@contextmanager
def keep_layers(folder: ContentFolder) -> Iterator[None]:
    """Within it, what takes time to annotate is kept in the folder, and found there by the next run."""
    token = _folder.set(folder)
    try:
        yield
    finally:
        _folder.reset(token)


def _values(annotator: Annotator[T], part: Sequence[tuple[str, ...]], numbers: Sequence[int]) -> list[list[T]]:
    """The values of sentences, from the folder of `keep_layers` if they are there."""
    folder, fingerprint = _folder.get(), annotator.fingerprint()
    if folder is None or fingerprint is None:
        return annotator.fitted(part, numbers)
    key = digest_of(json.dumps([fingerprint, part]).encode())
    stored = folder.load(key)
    if stored is not None:
        # JSON has no tuples: a value that was one has become a list.
        values: list[list[Any]] = parse_json(stored[1])
        return [list(map(_thawed, line)) for line in values]
    start = time.perf_counter()
    annotation = annotator.fitted(part, numbers)
    if time.perf_counter() - start >= _LEAST_SECONDS:
        folder.store(key, json.dumps(annotation, ensure_ascii=False).encode())
    return annotation


def _thawed(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
