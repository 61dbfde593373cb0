"""Taggers and lemmatisers that the user has: models of spaCy, Stanza and UDPipe, given our tokens as they are."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from os import fspath
from pathlib import Path
from typing import Any, ClassVar

from dragoman.artifact import checksum
from dragoman.errors import DataError
from dragoman.options import option
from dragoman.text.annotate.base import Annotator, Need, TokenLines
from dragoman.text.languages import base_language

__all__ = ["SpacyAnnotator", "StanzaAnnotator", "UdpipeAnnotator"]

_LAYERS = ("pos", "xpos", "lemma")


@dataclass(frozen=True)
class SpacyAnnotator(Annotator[str]):
    """Parts of speech and lemmas by a spaCy model that is installed or lies in a folder of yours.

    The model's own tokeniser is passed over: it works on the tokens it is given.
    """

    name: ClassVar[str] = "spacy"
    layers: ClassVar[tuple[str, ...]] = _LAYERS

    model: str = option("en_core_web_sm", positional=True, text="name of an installed model, or a folder")
    give: str = option("pos", choices=_LAYERS, text="the layer wanted")

    def needs(self) -> list[Need]:
        """The package, and the model."""
        package = Need.package("spacy")
        line = f"python -m spacy download {self.model}"
        return [package, Need(f"the spaCy model {self.model}", line, self._has_model)]

    def _has_model(self) -> bool:
        try:
            from spacy.util import is_package
        except ImportError:
            return False
        return Path(self.model).is_dir() or bool(is_package(self.model))

    def _annotate(self, token_lines: TokenLines) -> list[list[str]]:
        from spacy.tokens import Doc

        nlp = _spacy_model(self.model)
        attribute = {"pos": "pos_", "xpos": "tag_", "lemma": "lemma_"}[self.give]
        docs = nlp.pipe(Doc(nlp.vocab, words=list(tokens)) for tokens in token_lines)
        return [[str(getattr(token, attribute)) for token in doc] for doc in docs]


@dataclass(frozen=True)
class StanzaAnnotator(Annotator[str]):
    """Parts of speech and lemmas by Stanza's models, which it keeps in `STANZA_RESOURCES_DIR` or `~/stanza_resources`.

    Nothing is downloaded on the way; the need for a model is named with the line that fetches it.
    """

    name: ClassVar[str] = "stanza"
    layers: ClassVar[tuple[str, ...]] = _LAYERS

    lang: str = option("en", positional=True, text="language of the text")
    give: str = option("pos", choices=_LAYERS, text="the layer wanted")

    def needs(self) -> list[Need]:
        """The package, and the models of the language."""
        language = base_language(self.lang)
        line = f"python -c \"import stanza; stanza.download('{language}')\""
        return [Need.package("stanza"), Need(f"Stanza's models for {language}", line, self._has_models)]

    def _has_models(self) -> bool:
        named = os.environ.get("STANZA_RESOURCES_DIR")
        root = Path(named) if named else Path.home() / "stanza_resources"
        return (root / base_language(self.lang)).is_dir()

    def _annotate(self, token_lines: TokenLines) -> list[list[str]]:
        # A line without tokens is no sentence to Stanza.
        full = [list(tokens) for tokens in token_lines if tokens]
        attribute = {"pos": "upos", "xpos": "xpos", "lemma": "lemma"}[self.give]
        sentences = iter(_stanza_pipeline(base_language(self.lang))(full).sentences if full else [])
        return [
            [str(getattr(word, attribute) or "_") for word in next(sentences).words] if tokens else []
            for tokens in token_lines
        ]


@dataclass(frozen=True)
class UdpipeAnnotator(Annotator[str]):
    """Parts of speech and lemmas by a UDPipe 1 model file (`*.udpipe`) of yours."""

    name: ClassVar[str] = "udpipe"
    layers: ClassVar[tuple[str, ...]] = _LAYERS

    model: str = option("", positional=True, text="the model file; required")
    give: str = option("pos", choices=_LAYERS, text="the layer wanted")

    def __post_init__(self) -> None:
        if not fspath(self.model):
            raise DataError("The annotator udpipe needs a model file: udpipe:model=FILE.")

    def needs(self) -> list[Need]:
        """The package, and the model file."""
        path = fspath(self.model)
        line = "a download from https://lindat.mff.cuni.cz/services/udpipe, saved under that name"
        return [Need.package("ufal.udpipe"), Need(f"the UDPipe model {path}", line, Path(path).is_file)]

    def fingerprint(self) -> str:
        """The model file."""
        return f"{self.signature()} {checksum(fspath(self.model))}"

    def _annotate(self, token_lines: TokenLines) -> list[list[str]]:
        model = _udpipe_model(fspath(self.model))
        return [self._tag(model, tokens) if tokens else [] for tokens in token_lines]

    def _tag(self, model: Any, tokens: Sequence[str]) -> list[str]:
        from ufal import udpipe

        sentence = udpipe.Sentence()
        for token in tokens:
            sentence.addWord(token)
        error = udpipe.ProcessingError()
        if not model.tag(sentence, udpipe.Pipeline.DEFAULT, error):
            raise DataError(f"The UDPipe model {fspath(self.model)} could not tag: {error.message}.")
        attribute = {"pos": "upostag", "xpos": "xpostag", "lemma": "lemma"}[self.give]
        words = list(sentence.words)[1:]  # the first is the root of the tree
        return [str(getattr(word, attribute) or "_") for word in words]


@lru_cache(maxsize=2)
def _spacy_model(name: str) -> Any:
    import spacy

    return spacy.load(name)


@lru_cache(maxsize=2)
def _stanza_pipeline(language: str) -> Any:
    import stanza

    return stanza.Pipeline(
        language, processors="tokenize,pos,lemma", tokenize_pretokenized=True, download_method=None, verbose=False
    )


@lru_cache(maxsize=2)
def _udpipe_model(path: str) -> Any:
    from ufal import udpipe

    model = udpipe.Model.load(path)
    if model is None:
        raise DataError(f"{path} is no UDPipe model, or a damaged one.")
    return model
