"""Any language model by its path."""

from __future__ import annotations

from pathlib import Path

from dragoman.artifact import read_manifest
from dragoman.files import StrPath
from dragoman.lm.classes import ClassModel
from dragoman.lm.model import LanguageModel
from dragoman.lm.nets.model import NetModel

__all__ = ["open_model"]


def open_model(path: StrPath) -> LanguageModel | ClassModel | NetModel:
    """The model in a folder, of words, of classes or a net, or in an ARPA file, whichever it is."""
    kinds = {kind.kind: kind for kind in (ClassModel, NetModel)}
    kind = kinds.get(read_manifest(path).kind) if Path(path).is_dir() else None
    return LanguageModel.open(path) if kind is None else kind.load(path)
