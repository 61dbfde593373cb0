"""Any CTranslate2 model as an engine: OpenNMT's, Marian's, fairseq's, M2M-100, NLLB, with its SentencePiece models."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import Any, ClassVar

from dragoman.errors import DataError, ModelError, NotAvailable
from dragoman.neural.decoded import DecodedEngine
from dragoman.neural.export import ctranslate2
from dragoman.neural.words import Span
from dragoman.options import check_options, option

__all__ = ["CTranslate2Engine"]

_MODEL = "model.bin"
# As converters and hubs call the files, in the order in which they are looked for.
_SOURCE_NAMES = ("source.spm", "sentencepiece.model", "sentencepiece.bpe.model", "spm.model", "model.spm", "sp.model")
_TARGET_NAMES = ("target.spm", *_SOURCE_NAMES[1:])


@dataclass(frozen=True)
class CTranslate2Engine(DecodedEngine):
    """A folder of CTranslate2's with its SentencePiece models: `ctranslate2:FOLDER,source=de,target=en`.

    Without a SentencePiece model, pieces are what spaces separate. Some nets want further pieces around the text: NLLB
    `before=deu_Latn,behind=</s>,begin=eng_Latn`, Marian's that come by way of Hugging Face `behind=</s>`.
    """

    name: ClassVar[str] = "ctranslate2"

    folder: str = option("", positional=True, text="folder with model.bin")
    source: str = option("", text="language translated from")
    target: str = option("", text="language translated into")
    spm: str = option("", text="SentencePiece model of sources; by default the folder's")
    target_spm: str = option(
        "", text="SentencePiece model of translations; by default the folder's, or that of sources"
    )
    before: tuple[str, ...] = option((), text="pieces before every source")
    behind: tuple[str, ...] = option((), text="pieces behind every source")
    begin: tuple[str, ...] = option((), text="pieces before every translation")
    beam: int = option(4, low=1, high=1000, text="hypotheses that the search follows")
    max_length: int = option(200, low=2, text="pieces of a source at most; a longer one is translated in parts")
    device: str = option("cpu", choices=("cpu", "cuda", "auto"), text="where it is decoded")
    compute: str = option("default", text="kind of numbers: default, int8, float32, …")

    def __post_init__(self) -> None:
        check_options(self)
        missing = [name for name in ("folder", "source", "target") if not getattr(self, name)]
        if missing:
            raise DataError(
                f"The engine ctranslate2 needs {' and '.join(missing)}: ctranslate2:FOLDER,source=de,target=en."
            )
        if not (Path(self.folder) / _MODEL).is_file():
            raise ModelError(
                f"{self.folder} is no folder of CTranslate2's: it has no {_MODEL}. Convert the model first."
            )
        self.translator()
        _ = self._cutters  # files that cannot be read are told before any work

    @property
    def languages(self) -> tuple[str, str]:
        """As they were given."""
        return self.source, self.target

    @property
    def source_marks(self) -> tuple[tuple[str, ...], tuple[str, ...]]:  # type: ignore[override]
        """What the net wants around a source."""
        return self.before, self.behind

    @property
    def target_marks(self) -> tuple[str, ...]:  # type: ignore[override]
        """What the net wants before a translation."""
        return self.begin

    @cached_property
    def _translators(self) -> dict[int, Any]:
        return {}

    @cached_property
    def _lock(self) -> Lock:
        return Lock()

    def translator(self, n_threads: int = 1) -> Any:
        """CTranslate2's, which translates so many batches at a time."""
        with self._lock:
            if n_threads not in self._translators:
                self._translators[n_threads] = self._opened(n_threads)
            return self._translators[n_threads]

    def _opened(self, n_threads: int) -> Any:
        try:
            return ctranslate2().Translator(
                self.folder,
                device=self.device,
                compute_type=self.compute,
                inter_threads=n_threads,
                intra_threads=1,
            )
        except (RuntimeError, ValueError) as error:
            raise ModelError(f"CTranslate2 cannot open {self.folder}: {error}.") from None

    @cached_property
    def _cutters(self) -> tuple[Any, Any]:
        """SentencePiece's models of both sides; None where pieces are words."""
        source = self.spm or self._file_of(_SOURCE_NAMES)
        target = self.target_spm or ("" if self.spm else self._file_of(_TARGET_NAMES)) or source
        return _sentencepiece(source), _sentencepiece(target)

    def _file_of(self, names: Sequence[str]) -> str:
        paths = [Path(self.folder) / name for name in names]
        return next((str(path) for path in paths if path.is_file()), "")

    def cut(self, lines: Sequence[str]) -> list[list[str]]:
        """Sources in pieces."""
        return _cut(self._cutters[0], lines)

    def cut_targets(self, lines: Sequence[str]) -> list[list[str]]:
        """Translations in pieces."""
        return _cut(self._cutters[1], lines)

    def text(self, pieces: Sequence[str]) -> str:
        """Pieces of a translation as text."""
        cutter = self._cutters[1]
        return str(cutter.decode(list(pieces))).strip() if cutter is not None else " ".join(pieces)

    def spans(self, pieces: Sequence[str]) -> list[Span]:
        """The places of each word's pieces; without SentencePiece, each piece is a word."""
        if self._cutters[1] is None:
            return [(place, place + 1) for place in range(len(pieces))]
        return super().spans(pieces)


def _cut(cutter: Any, lines: Sequence[str]) -> list[list[str]]:
    if cutter is None:
        return [line.split() for line in lines]
    pieces: list[list[str]] = cutter.encode(list(lines), out_type=str)
    return pieces


def _sentencepiece(path: str) -> Any:
    """The model of a file; None for no file."""
    if not path:
        return None
    try:
        import sentencepiece
    except ImportError:
        raise NotAvailable.package("Cutting text into pieces", package="sentencepiece", extra="ctranslate2") from None
    if not Path(path).is_file():
        raise ModelError(f"There is no SentencePiece model {path}.")
    try:
        return sentencepiece.SentencePieceProcessor(model_file=path)
    except (RuntimeError, OSError) as error:
        raise ModelError(f"{path} is no SentencePiece model: {str(error)[:100]}.") from None
