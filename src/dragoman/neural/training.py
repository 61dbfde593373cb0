"""From a bitext to a neural engine: pieces, epochs, looks at a development set, the mean of the best checkpoints."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np

from dragoman.data.bitext import Bitext
from dragoman.data.testset import TestSet
from dragoman.errors import DataError, NotAvailable
from dragoman.files import StrPath
from dragoman.neural.decoding import LONGER, MORE
from dragoman.neural.degenerate import Degeneration, degeneration
from dragoman.neural.engine import NeuralEngine
from dragoman.neural.export import ctranslate2, decoder_files
from dragoman.neural.recipe import NeuralRecipe, Shape
from dragoman.report import Column, Progress, Result, Table
from dragoman.text.subword_training import SubwordModel, SubwordRecipe

__all__ = ["Curve", "Look", "NeuralTraining", "train_neural"]


class Look(NamedTuple):
    """How far training was at one look at the development set."""

    epoch: int
    step: int
    loss: float  # of the training batches since the last look, label smoothing included
    bleu: float  # of greedy translations of the development set
    seconds: float  # since training began, stops not counted


@dataclass(frozen=True)
class Curve:
    """The looks in their order."""

    looks: tuple[Look, ...] = ()

    @property
    def best(self) -> Look:
        """The look with the highest BLEU."""
        return max(self.looks, key=lambda look: look.bleu)

    def is_over(self, patience: int) -> bool:
        """Whether the last `patience` looks brought nothing better."""
        return bool(self.looks) and len(self.looks) - self.looks.index(self.best) > patience

    def tsv(self) -> str:
        """The looks as a file of tab-separated values."""
        return "".join("\t".join(map(str, row)) + "\n" for row in [Look._fields, *self.looks])

    def table(self) -> Table:
        """A row for each look."""
        columns: list[Column | str] = [
            "epoch",
            "step",
            Column("loss", digits=3),
            Column("bleu", digits=2),
            Column("seconds", digits=0),
        ]
        return Table.of("Training", columns, [tuple(look) for look in self.looks])


@dataclass(frozen=True)
class NeuralTraining(Result):
    """What a training did; `engine` is what it gave."""

    kind: ClassVar[str] = "neural training"

    engine: NeuralEngine
    model: str | None
    curve: Curve
    n_pairs: int
    left_out: int  # pairs with an empty side
    n_weights: int
    device: str
    degeneration: Degeneration

    def tables(self) -> list[Table]:
        """The curve, and whether the engine's translations are any."""
        shares = [Column(name, digits=2) for name in ("repeating", "same", "empty")]
        found = self.degeneration
        output = Table.of(
            "Output on the development set", [Column("translations"), *shares], [tuple(found[:4])], note=found.doubt
        )
        return [self.curve.table(), output]

    def meta(self) -> dict[str, Any]:
        """Recipe, sizes, device and what was left out."""
        return {
            "model": self.model,
            "recipe": self.engine.recipe.to_dict(),
            "weights": self.n_weights,
            "pairs": self.n_pairs,
            "left_out": self.left_out,
            "device": self.device,
            "degeneration": self.degeneration._asdict(),
            "doubt": self.degeneration.doubt or None,
        }


@dataclass
class _Run:
    """A training under way: what is kept between two looks, in memory and in the work folder."""

    recipe: NeuralRecipe
    pieces: SubwordModel
    work: Path
    seed: int
    looks: list[Look] = field(default_factory=list)
    best: list[tuple[float, int]] = field(default_factory=list)  # BLEU and epoch of the checkpoints kept

    @property
    def shape(self) -> Shape:
        return self.recipe.shape(len(self.pieces))

    @property
    def curve(self) -> Curve:
        return Curve(tuple(self.looks))

    def checkpoint(self, epoch: int) -> Path:
        return self.work / f"epoch-{epoch}.npz"


def train_neural(
    text: Bitext,
    recipe: NeuralRecipe,
    *,
    dev: TestSet,
    work: StrPath,
    model: StrPath | None = None,
    seed: int = 0,
    device: str = "auto",
    progress: Progress | None = None,
) -> NeuralTraining:
    """Train on a bitext; an interrupted run of the same text, recipe and seed, kept in `work`, is gone on with."""
    jax_device = _device(device)
    ctranslate2()  # what is trained is exported at the end, which is late to learn that it cannot be
    sources, targets, left_out = _pairs(text)
    recipe = recipe.resolved(len(sources))
    dev_sources, dev_references = _dev(dev)
    folder = Path(work)
    folder.mkdir(parents=True, exist_ok=True)
    fingerprint = _fingerprint(sources, targets)
    _claim(folder, recipe, seed, fingerprint)
    pieces = _pieces(folder, recipe, [*sources, *targets], seed)
    run = _Run(recipe, pieces, folder, seed)
    import jax

    from dragoman.neural.checkpoints import tree_bytes
    from dragoman.neural.network import n_weights

    with jax.default_device(jax_device):
        weights = _train(run, (sources, targets), (dev_sources, dev_references), jax_device.platform, progress)
        translations = _greedy(run, weights, dev_sources)
    engine = NeuralEngine(
        recipe,
        pieces,
        decoder_files(weights, run.shape, pieces.pieces),
        weights=tree_bytes(weights),
        curve=run.curve.tsv(),
        seed=seed,
        data={"text": fingerprint},
    )
    saved = str(engine.save(model)) if model is not None else None
    return NeuralTraining(
        engine,
        saved,
        run.curve,
        len(sources),
        left_out,
        n_weights(weights),
        f"{jax_device.platform}: {jax_device.device_kind}",
        degeneration(dev_sources, translations, dev_references),
    )


def _device(name: str) -> Any:
    try:
        import jax
    except ImportError:
        raise NotAvailable.package("Neural training", package="jax", extra="neural") from None
    platform = {"auto": None, "cuda": "gpu", "cpu": "cpu"}[name]
    try:
        return jax.devices(platform)[0]
    except RuntimeError:
        raise NotAvailable(
            f"JAX sees no {name} device here; leave --device out, or install JAX with its CUDA plug-in."
        ) from None


def _pairs(text: Bitext) -> tuple[list[str], list[str], int]:
    """Both sides without the pairs that have an empty one."""
    pairs = [(source.strip(), target.strip()) for source, target in text]
    full = [(source, target) for source, target in pairs if source and target]
    if not full:
        raise DataError(
            f"There is nothing to train on: {text.label} has {len(pairs)} pairs, none with text on both sides."
        )
    return [source for source, _ in full], [target for _, target in full], len(pairs) - len(full)


def _dev(dev: TestSet) -> tuple[list[str], list[str]]:
    if dev.srcs is None or not dev.refs:
        raise DataError("A development set needs its source and a reference.")
    return list(dev.srcs), [line or "" for line in next(iter(dev.refs.values()))]


def _fingerprint(sources: Sequence[str], targets: Sequence[str]) -> str:
    digest = sha256()
    for pair in zip(sources, targets, strict=True):
        digest.update("\t".join(pair).encode() + b"\n")
    return digest.hexdigest()


def _claim(folder: Path, recipe: NeuralRecipe, seed: int, fingerprint: str) -> None:
    """Refuse the work folder of another training; limits that only end a training may differ."""
    settings = {
        key: value for key, value in recipe.to_dict().items() if key not in ("epochs", "minutes", "patience", "beam")
    }
    claim = json.dumps({"recipe": settings, "seed": seed, "text": fingerprint}, sort_keys=True)
    path = folder / "training.json"
    if path.exists() and path.read_text(encoding="utf-8") != claim:
        raise DataError(f"{folder} holds the work of another text, recipe or seed. Name another folder, or empty it.")
    path.write_text(claim, encoding="utf-8")


def _pieces(folder: Path, recipe: NeuralRecipe, lines: list[str], seed: int) -> SubwordModel:
    path = folder / "pieces"
    if not path.exists():
        subwords = SubwordRecipe(method="bpe", vocab_size=recipe.pieces, normalisation="identity", byte_fallback=True)
        subwords.train(lines, seed=seed).save(path)
    return SubwordModel.load(path)


def _train(
    run: _Run,
    text: tuple[list[str], list[str]],
    dev: tuple[list[str], list[str]],
    platform: str,
    progress: Progress | None,
) -> Any:
    import jax
    import jax.numpy as jnp

    from dragoman.neural.batches import pair_lengths, rectangle_lengths, rectangles
    from dragoman.neural.checkpoints import load_tree, mean_of
    from dragoman.neural.network import initial_weights
    from dragoman.neural.steps import Terms, initial_state, train_step

    recipe = run.recipe
    half = recipe.precision == "bfloat16" or (recipe.precision == "auto" and platform == "gpu")
    terms = Terms.of(recipe, run.shape, jnp.bfloat16 if half else jnp.float32)
    weights = initial_weights(run.shape, run.seed)
    state, epoch = _resumed(run, initial_state(weights))
    began = time.monotonic() - (run.looks[-1].seconds if run.looks else 0)
    shapes = rectangle_lengths(pair_lengths(*_sampled(run, text, 0)))
    losses: list[Any] = []
    is_late = False
    while epoch < recipe.epochs and not (is_late or run.curve.is_over(recipe.patience)):
        epoch += 1
        rng = np.random.default_rng((run.seed, epoch))
        sides = _sampled(run, text, epoch)
        for source, target in rectangles(*sides, recipe.batch, shapes, rng):
            key = jax.random.key(int(rng.integers(1 << 31)), impl="rbg")
            state, loss = train_step(state, source, target, key, terms)
            losses.append(loss)
            is_late = 0 < recipe.minutes < (time.monotonic() - began) / 60
            if is_late:
                break
        if epoch % recipe.every == 0 or epoch == recipe.epochs or is_late:
            seconds = time.monotonic() - began
            look = Look(
                epoch,
                int(state.step),
                float(np.mean([float(x) for x in losses])),
                _bleu(run, state.weights, dev),
                seconds,
            )
            losses.clear()
            run.looks.append(look)
            _keep(run, state, look)
        if progress is not None:
            last = f", BLEU {run.looks[-1].bleu:.2f}" if run.looks else ""
            progress(epoch, recipe.epochs, f"epoch {epoch}{last}")
    return mean_of([load_tree(run.checkpoint(each), weights) for _, each in run.best])


def _sampled(run: _Run, text: tuple[list[str], list[str]], epoch: int) -> tuple[list[list[int]], list[list[int]]]:
    """Both sides in pieces, cut by chance; pairs that are too long are left out."""
    rate = run.recipe.sampling
    sides = [
        run.pieces.sample_ids(side, rate=rate, seed=run.seed + 2 * epoch + number)
        if rate
        else run.pieces.encode_ids(side)
        for number, side in enumerate(text)
    ]
    longest = run.recipe.max_length
    kept = [(s, t) for s, t in zip(*sides, strict=True) if len(s) < longest and len(t) < longest]
    if not kept:
        raise DataError(f"Every training pair is longer than {longest} pieces; allow more by max_length.")
    return [s for s, _ in kept], [t for _, t in kept]


def _bleu(run: _Run, weights: Any, dev: tuple[list[str], list[str]]) -> float:
    """Of greedy translations."""
    from dragoman.metrics import score

    return float(score({"net": _greedy(run, weights, dev[0])}, [dev[1]]).scores[0][0][0])


def _greedy(run: _Run, weights: Any, lines: Sequence[str]) -> list[str]:
    """Translations, the likeliest piece at a time."""
    from dragoman.neural.batches import source_rectangles
    from dragoman.neural.network import END, greedy

    sources = run.pieces.encode_ids(list(lines))
    outputs = [""] * len(sources)
    for places, source in source_rectangles(sources):
        ids = np.asarray(greedy(weights, source, run.shape, LONGER * source.shape[1] + MORE))
        for place, row in zip(places, ids, strict=False):
            pieces = row.tolist()
            outputs[place] = run.pieces.decode_ids([pieces[: pieces.index(END)] if END in pieces else pieces])[0]
    return outputs


def _keep(run: _Run, state: Any, look: Look) -> None:
    """Write the state, and the weights if they are among the best; what fell out of these is deleted."""
    from dragoman.neural.checkpoints import save_tree

    ranked = sorted([*run.best, (look.bleu, look.epoch)], reverse=True)
    run.best = ranked[: run.recipe.averaged]
    if (look.bleu, look.epoch) in run.best:
        save_tree(run.checkpoint(look.epoch), state.weights)
    save_tree(run.work / "state.npz", state)
    record = {"epoch": look.epoch, "looks": run.looks, "best": run.best}
    partial = run.work / "looks.json.partial"
    partial.write_text(json.dumps(record), encoding="utf-8")
    partial.replace(run.work / "looks.json")
    for _, epoch in ranked[run.recipe.averaged :]:
        run.checkpoint(epoch).unlink(missing_ok=True)


def _resumed(run: _Run, state: Any) -> tuple[Any, int]:
    """The state of the last look, and its epoch; of nothing, the state given and 0."""
    from dragoman.neural.checkpoints import load_tree

    path = run.work / "looks.json"
    if not path.exists():
        return state, 0
    record = json.loads(path.read_text(encoding="utf-8"))
    run.looks = [Look(*look) for look in record["looks"]]
    run.best = [(bleu, epoch) for bleu, epoch in record["best"]]
    return load_tree(run.work / "state.npz", state), record["epoch"]
