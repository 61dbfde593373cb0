"""The neural engine: pieces in, CTranslate2, pieces out; it translates, completes and explains."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Self

from dragoman.artifact import Artifact, Manifest
from dragoman.errors import DataError
from dragoman.neural.decoded import DecodedEngine
from dragoman.neural.export import ctranslate2
from dragoman.neural.recipe import NeuralRecipe
from dragoman.text.subword_training import SubwordModel

__all__ = ["NeuralEngine"]

_PIECES, _DECODER, _WEIGHTS, _CURVE = "pieces", "decoder", "weights.npz", "curve.tsv"


class NeuralEngine(Artifact, DecodedEngine):
    """A Transformer that translates: `NeuralEngine.load("model").translate(["A man is sleeping."])`."""

    kind: ClassVar[str] = "neural engine"
    format: ClassVar[int] = 1
    recipe: NeuralRecipe

    def __init__(
        self,
        recipe: NeuralRecipe,
        pieces: SubwordModel,
        decoder: Mapping[str, bytes],
        *,
        weights: bytes = b"",
        curve: str = "",
        seed: int | None = None,
        data: Mapping[str, str] | None = None,
    ) -> None:
        self.recipe = recipe
        self.pieces = pieces
        self.seed = seed
        self.data = dict(data or {})
        self._files = {**{f"{_DECODER}/{name}": content for name, content in decoder.items()}, _WEIGHTS: weights}
        self._files[_CURVE] = curve.encode()
        self._translators: dict[int, Any] = {}

    @property
    def languages(self) -> tuple[str, str]:
        """BCP 47 tags of source and target."""
        return self.recipe.src_lang, self.recipe.tgt_lang

    def translator(self, n_threads: int = 1) -> Any:
        """CTranslate2's, which translates so many batches at a time."""
        if n_threads not in self._translators:
            files = {
                name.removeprefix(f"{_DECODER}/"): each
                for name, each in self._files.items()
                if name.startswith(_DECODER)
            }
            self._translators[n_threads] = ctranslate2().Translator(
                "neural engine", device="cpu", inter_threads=n_threads, intra_threads=1, files=files
            )
        return self._translators[n_threads]

    @property
    def beam(self) -> int:  # type: ignore[override]
        """Hypotheses that the search follows."""
        return self.recipe.beam

    @property
    def max_length(self) -> int:  # type: ignore[override]
        """Pieces of the longest sentence that it was trained on."""
        return self.recipe.max_length

    def cut(self, lines: Sequence[str]) -> list[list[str]]:
        """Text in pieces, which are the same for both languages."""
        return self.pieces.encode(lines)

    cut_targets = cut

    def text(self, pieces: Sequence[str]) -> str:
        """Pieces as text."""
        return self.pieces.decode([pieces])[0].strip()

    def _write(self, folder: Path) -> None:
        self.pieces.save(folder / _PIECES)
        (folder / _DECODER).mkdir()
        for name, content in self._files.items():
            if content:
                (folder / name).write_bytes(content)

    @classmethod
    def _read(cls, folder: Path, manifest: Manifest) -> Self:
        decoder = {path.name: path.read_bytes() for path in sorted((folder / _DECODER).iterdir())}
        if "model.bin" not in decoder:
            raise DataError(f"{folder} has no decoder; export the net again.")
        optional = [folder / name for name in (_WEIGHTS, _CURVE)]
        weights, curve = (path.read_bytes() if path.exists() else b"" for path in optional)
        return cls(
            NeuralRecipe.from_dict(manifest.recipe),
            SubwordModel.load(folder / _PIECES),
            decoder,
            weights=weights,
            curve=curve.decode(),
            seed=manifest.seed,
            data=manifest.data,
        )
