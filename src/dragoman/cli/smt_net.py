"""`dragoman smt net`."""

from __future__ import annotations

import click

from dragoman.cli.output import emit, output_options, seed_option, threads_option
from dragoman.cli.recipes import recipe_options
from dragoman.smt.nets.recipe import TupleNetRecipe

__all__ = ["net"]


@click.command()
@click.argument("src", type=click.Path())
@click.argument("tgt", type=click.Path())
@click.option("--dev-src", required=True, metavar="FILE", type=click.Path(), help="Held-out source.")
@click.option("--dev-tgt", required=True, metavar="FILE", type=click.Path(), help="Its translation.")
@click.option("-m", "--model", required=True, metavar="MODEL", type=click.Path(), help="The model's folder.")
@click.option("--aligner", metavar="FOLDER", type=click.Path(exists=True), help="What dragoman align --save kept.")
@recipe_options(TupleNetRecipe, spellings={"factors": ("--factor",)})
@seed_option
@click.option("--work", metavar="DIR", type=click.Path(), help="Where states are kept.  [default: MODEL.work]")
@threads_option
@output_options
def net(
    src: str,
    tgt: str,
    dev_src: str,
    dev_tgt: str,
    model: str,
    aligner: str | None,
    recipe: TupleNetRecipe,
    seed: int,
    work: str | None,
    n_threads: int,
    form: str,
    output: str,
) -> None:
    """Train continuous-space translation models on tokenised text: nets over bilingual tuples.

    \b
      dragoman smt net train.de train.en --dev-src dev.de --dev-tgt dev.en -m net.de-en
      dragoman smt net train.de train.en --dev-src dev.de --dev-tgt dev.en -m net.de-en --factor translation

    After every epoch all is kept in the work directory: an interrupted training goes on from there.
    """
    from dragoman.align import Aligner
    from dragoman.cli.progress import shown_progress
    from dragoman.files import read_lines
    from dragoman.smt.nets import train_tuple_net

    with shown_progress() as progress:
        _, training = train_tuple_net(
            (read_lines(src), read_lines(tgt)),
            recipe,
            dev=(read_lines(dev_src), read_lines(dev_tgt)),
            model=model,
            work=work or f"{model}.work",
            aligner=Aligner.load(aligner) if aligner else None,
            seed=seed,
            n_threads=n_threads,
            progress=progress,
        )
    emit(training, form, output)
