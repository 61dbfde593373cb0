"""The neural engine: pieces in, CTranslate2, pieces out; it translates, completes, explains and learns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

from dragoman.artifact import Artifact, Manifest
from dragoman.data.parallel import check_parallel
from dragoman.engines import Learns, Role
from dragoman.engines.journal import JOURNAL, LearntPair, Rollback
from dragoman.errors import DataError, ModelError
from dragoman.neural.decoded import DecodedEngine
from dragoman.neural.decoder_check import check_decoder
from dragoman.neural.export import ctranslate2
from dragoman.neural.recipe import NeuralRecipe
from dragoman.text.subword_training import SubwordModel

if TYPE_CHECKING:
    from dragoman.neural.learning import Lessons

__all__ = ["NeuralEngine"]

_WITHOUT_WEIGHTS = (
    "This neural engine cannot learn: it was saved without the weights that training ended with, weights.npz. "
    "Copy its folder whole, or train it again."
)
_WITHOUT_JAX = "This neural engine cannot learn without JAX: pip install 'dragoman[neural]'."
_PIECES, _DECODER, _WEIGHTS, _CURVE = "pieces", "decoder", "weights.npz", "curve.tsv"


class NeuralEngine(Artifact, DecodedEngine, Learns):
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
        folder: Path | None = None,
    ) -> None:
        self.recipe = recipe
        self.pieces = pieces
        self.seed = seed
        self.data = dict(data or {})
        self._decoder = dict(decoder)
        self._weights, self._curve = weights, curve
        self._folder = folder
        self._lessons: Lessons | None = None
        self._taught: dict[str, bytes] | None = None
        self._translators: dict[int, Any] = {}
        if folder is not None and (folder / JOURNAL).exists() and self.lacks(Learns) is None:
            self.refresh()

    @property
    def languages(self) -> tuple[str, str]:
        """BCP 47 tags of source and target."""
        return self.recipe.src_lang, self.recipe.tgt_lang

    def lacks(self, role: type[Role]) -> str | None:
        """Why the engine cannot learn, if it cannot; the other roles it has."""
        if role is not Learns:
            return None
        if not self._weights:
            return _WITHOUT_WEIGHTS
        return None if find_spec("jax") else _WITHOUT_JAX

    @property
    def lessons(self) -> Lessons:
        """What it learnt since it was trained."""
        if self._lessons is None:
            if reason := self.lacks(Learns):
                raise DataError(reason)
            from dragoman.neural.checkpoints import tree_of
            from dragoman.neural.learning import Lessons
            from dragoman.neural.network import initial_weights

            shape = self.recipe.shape(len(self.pieces))
            weights = tree_of(self._weights, initial_weights(shape, 0), path=_WEIGHTS)
            self._lessons = Lessons(shape, self.pieces, weights, self.recipe.max_length, self._folder)
        return self._lessons

    @property
    def n_pairs(self) -> int:
        """How many pairs it learnt since it was trained."""
        return 0 if self._lessons is None else len(self._lessons.pairs)

    def learn(self, source: str | Sequence[str], target: str | Sequence[str], *, n_threads: int = 1) -> int:  # noqa: ARG002
        """Learn sentence pairs by a few steps of training each. How many there are now."""
        sources = [source] if isinstance(source, str) else list(source)
        targets = [target] if isinstance(target, str) else list(target)
        check_parallel({"source": sources, "target": targets})
        for number, pair in enumerate(zip(sources, targets, strict=True), start=1):
            if not all(side.strip() for side in pair):
                raise DataError(f"Pair {number} has an empty side; there is nothing to learn from it.")
        self.lessons.take([LearntPair(s, t, "") for s, t in zip(sources, targets, strict=True)])
        self._renew()
        return self.n_pairs

    def rollback(self, n_pairs: int) -> int:
        """Forget the last pairs learnt, until `n_pairs` are left; how many were forgotten."""
        before = len(self.lessons.pairs)
        if not 0 <= n_pairs <= before:
            raise DataError(f"The engine has learnt {before} pairs; it cannot go back to {n_pairs}.")
        if n_pairs < before:
            self.lessons.take([Rollback(n_pairs)])
            self._renew()
        return before - self.n_pairs

    def refresh(self) -> int:
        """Take in what other processes have taught the engine of the same folder; how many entries of its journal."""
        if self._folder is None or not (self._folder / JOURNAL).exists():
            return 0
        n_new = self.lessons.refresh()
        if n_new:
            self._renew()
        return n_new

    def _renew(self) -> None:
        """Decode with the weights of now when somebody next asks: several lessons in a row are exported once."""
        self._taught = None
        self._translators.clear()

    @property
    def _files(self) -> dict[str, bytes]:
        """The decoder of now; of nothing learnt, the one it was saved with."""
        if not self.n_pairs:
            return self._decoder
        if self._taught is None:
            from dragoman.neural.export import decoder_files

            self._taught = decoder_files(self.lessons.weights, self.lessons.shape, self.pieces.pieces)
        return self._taught

    def translator(self, n_threads: int = 1) -> Any:
        """CTranslate2's, which translates so many batches at a time."""
        if n_threads not in self._translators:
            try:
                self._translators[n_threads] = ctranslate2().Translator(
                    "neural engine", device="cpu", inter_threads=n_threads, intra_threads=1, files=self._files
                )
            except (RuntimeError, ValueError) as error:
                raise ModelError(
                    f"CTranslate2 cannot open the decoder: {str(error).rstrip('.')}. Train the engine again, or copy "
                    "its folder whole."
                ) from None
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
            (folder / _DECODER / name).write_bytes(content)
        for name, content in ((_WEIGHTS, self._weights_now()), (_CURVE, self._curve.encode())):
            if content:
                (folder / name).write_bytes(content)

    def _weights_now(self) -> bytes:
        """With what it learnt: an engine that is saved anew has no journal."""
        if not self.n_pairs:
            return self._weights
        from dragoman.neural.checkpoints import tree_bytes

        return tree_bytes(self.lessons.weights)

    @classmethod
    def _read(cls, folder: Path, manifest: Manifest) -> Self:
        decoder = {path.name: path.read_bytes() for path in sorted((folder / _DECODER).iterdir())}
        recipe = NeuralRecipe.from_dict(manifest.recipe).check()
        pieces = SubwordModel.load(folder / _PIECES)
        check_decoder(decoder, recipe.shape(len(pieces)), pieces.pieces)
        optional = [folder / name for name in (_WEIGHTS, _CURVE)]
        weights, curve = (path.read_bytes() if path.exists() else b"" for path in optional)
        return cls(
            recipe,
            pieces,
            decoder,
            weights=weights,
            curve=curve.decode(),
            seed=manifest.seed,
            data=manifest.data,
            folder=folder,
        )
