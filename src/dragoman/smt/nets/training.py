"""From a tokenised bitext to nets over its tuples."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

from dragoman.align import ALIGNERS, Aligner
from dragoman.files import StrPath
from dragoman.lm.nets import NetTraining, OutputWords, trained_net
from dragoman.lm.nets.training import Work
from dragoman.report import Progress
from dragoman.smt.nets.factors import FACTORS, EncodedStreams
from dragoman.smt.nets.model import TupleNet
from dragoman.smt.nets.recipe import TupleNetRecipe
from dragoman.smt.nets.streams import unfolded

__all__ = ["train_tuple_net"]

Lines = Sequence[str]


def train_tuple_net(
    text: tuple[Lines, Lines],
    recipe: TupleNetRecipe,
    *,
    dev: tuple[Lines, Lines],
    model: StrPath,
    work: StrPath,
    aligner: Aligner | None = None,
    seed: int = 1,
    n_threads: int = 1,
    progress: Progress | None = None,
) -> tuple[TupleNet, NetTraining]:
    """Train a net for each factor on tokenised sides, and save them; an interrupted training, kept in `work`, goes on.

    Without an aligner one is learnt from the text. Training and scoring link words in the same way.
    """
    recipe.check()
    data = {
        name: sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()
        for name, lines in zip(("source", "target", "dev source", "dev target"), (*text, *dev), strict=True)
    }
    if aligner is not None:
        data["aligner"] = sha256(repr((aligner.recipe, sorted(aligner.data.items()))).encode()).hexdigest()
    claimed = Work.claimed(work, recipe, seed, data)
    linker = aligner or ALIGNERS.make(recipe.method).train(*text, seed=seed, n_threads=n_threads)
    streams = [unfolded(*each, linker, recipe.units, n_threads=n_threads) for each in (text, dev)]
    words = (
        OutputWords.of(streams[0].source, recipe, n_threads=n_threads),
        OutputWords.of(streams[0].target, recipe, n_threads=n_threads),
    )
    encoded = [EncodedStreams.of(each, words, n_threads=n_threads) for each in streams]
    nets, curves = {}, {}
    for name in recipe.factors:
        sizes = len(words[0]), len(words[1])
        examples = [FACTORS[name].examples(each, sizes, recipe.order - 1, recipe.ahead) for each in encoded]
        nets[name], curves[name] = trained_net(
            name,
            TupleNet.shape(recipe, name, words),
            recipe,
            *examples,
            work=claimed,
            seed=seed,
            n_threads=n_threads,
            progress=progress,
        )
    trained = TupleNet(nets, words, linker, recipe, seed=seed, data=data)
    saved = trained.save(model)
    n_words = len(words[0]) + len(words[1])
    n_tokens = len(encoded[0].texts[0].ids) + len(encoded[0].texts[1].ids)
    return trained, NetTraining(str(saved), curves, n_words, n_tokens, recipe.to_dict(), seed)
