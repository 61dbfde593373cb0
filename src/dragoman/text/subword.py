"""Subwords by a sentencepiece model of the user's. Nothing is ever downloaded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from dragoman import _core
from dragoman.errors import ModelError, NotAvailable
from dragoman.files import StrPath
from dragoman.text.base import Tokeniser

__all__ = ["SubwordTokeniser"]


@dataclass(frozen=True)
class SubwordTokeniser(Tokeniser):
    """Pieces of words, as a sentencepiece model (BPE or unigram) cuts them; `▁` marks where a word begins.

    With FLORES-101's or FLORES-200's model file it gives what sacreBLEU calls `flores101` and `flores200`.
    """

    name = "spm"

    model: StrPath = ""  # the .model file, or the folder of a SubwordModel

    def tokenise(self, lines: Sequence[str], *, n_threads: int = 1) -> list[str]:
        """Each line as its pieces, separated by single spaces."""
        _core.text.check_lines(lines)
        processor = self._processor()
        return [" ".join(pieces) for pieces in processor.encode(list(lines), out_type=str, num_threads=n_threads)]

    def signature(self) -> str:
        """The name with the model's file name and the start of its SHA-256: `spm+model=de.model@5f2c91d0`."""
        if not self.model:
            return self.name
        path = self._path()
        return f"{self.name}+model={path.name}@{sha256(path.read_bytes()).hexdigest()[:8]}"

    def _path(self) -> Path:
        if not self.model:
            raise NotAvailable("The tokeniser spm needs a sentencepiece model: name its file in the option 'model'.")
        path = Path(self.model)
        if path.is_dir():
            path = path / "model.spm"
        if not path.is_file():
            raise ModelError(f"There is no sentencepiece model {path}.")
        return path

    def _processor(self) -> Any:
        path = self._path()
        state = path.stat()
        return _load(path, state.st_mtime_ns, state.st_size)


@lru_cache(maxsize=8)
def _load(path: Path, changed: int, size: int) -> Any:  # noqa: ARG001 - part of the key: a file written anew is read anew
    try:
        import sentencepiece
    except ImportError:
        raise NotAvailable.package("Subword tokenisation", package="sentencepiece", extra="spm") from None
    content = path.read_bytes()
    try:
        if content:  # sentencepiece takes nothing for a model and fails later
            return sentencepiece.SentencePieceProcessor(model_proto=content)
    except RuntimeError:
        pass
    raise ModelError(f"{path} is not a sentencepiece model. Name the .model file, not the .vocab file.")
