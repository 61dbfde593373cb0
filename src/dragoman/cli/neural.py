"""`dragoman neural train`."""

from __future__ import annotations

from dataclasses import replace

import click

from dragoman.cli.output import emit, form_options, seed_option
from dragoman.cli.recipes import recipe_options
from dragoman.cli.spellings import bitext_option
from dragoman.cli.training_text import held_out_set, training_bitext
from dragoman.neural.recipe import NeuralRecipe

__all__ = ["neural"]


@click.group()
def neural() -> None:
    """Train neural translation engines."""


@neural.command()
@click.option("--src", metavar="FILE", type=click.Path(), help="Source side of the training text, a sentence a line.")
@click.option("--tgt", metavar="FILE", type=click.Path(), help="Target side, line by line its translation.")
@bitext_option("Instead of these.")
@click.option("--lang-src", metavar="LANG", help="Language translated from; else what the file is named after.")
@click.option("--lang-tgt", metavar="LANG", help="Language translated into.")
@click.option("--dev-src", metavar="FILE", type=click.Path(), help="Source of the set that tells when to stop.")
@click.option("--dev-ref", "dev_refs", metavar="FILE", multiple=True, help="Its reference.")
@recipe_options(NeuralRecipe, skip=("src_lang", "tgt_lang"))
@click.option(
    "--device",
    type=click.Choice(["auto", "cpu", "cuda"], case_sensitive=False),
    default="auto",
    show_default=True,
    help="Where to train; auto is a GPU if JAX sees one.",
)
@seed_option
@click.option("-m", "-o", "--model", metavar="MODEL", required=True, type=click.Path(), help="The engine's folder.")
@click.option("--work", metavar="DIR", type=click.Path(), help="Where checkpoints are kept.  [default: MODEL.work]")
@form_options
def train(
    src: str | None,
    tgt: str | None,
    bitext: tuple[str, ...] | None,
    lang_src: str | None,
    lang_tgt: str | None,
    dev_src: str | None,
    dev_refs: tuple[str, ...],
    recipe: NeuralRecipe,
    device: str,
    seed: int,
    model: str,
    work: str | None,
    form: str,
) -> None:
    """Train a Transformer on a bitext, and write an engine that decodes without what trained it.

    \b
      dragoman neural train --src train.en --tgt train.de --dev-src dev.en --dev-ref dev.de -o engine
      dragoman neural train --src train.en --tgt train.de --dev-src dev.en --dev-ref dev.de -o engine --device cuda
      dragoman neural train --src train.en --tgt train.de --dev-src dev.en --dev-ref dev.de -o engine --minutes 30

    The net's size follows from the corpus unless it is given. After every look at the development set all is kept in
    the work directory: an interrupted training goes on from there.
    """
    from dragoman.cli.progress import shown_progress
    from dragoman.neural import train_neural

    text = training_bitext(src, tgt, bitext, lang_src, lang_tgt)
    dev = held_out_set("dev", dev_src, dev_refs)
    if dev is None:
        raise click.UsageError("Name the development set: --dev-src and --dev-ref. It tells when to stop.")
    if not (text.source_lang and text.target_lang):
        raise click.UsageError("Name the languages with --lang-src and --lang-tgt, or files after them (train.de).")
    chosen = replace(recipe, src_lang=text.source_lang, tgt_lang=text.target_lang)
    work = work or f"{model.rstrip('/')}.work"
    with shown_progress() as progress:
        done = train_neural(text, chosen, dev=dev, work=work, model=model, seed=seed, device=device, progress=progress)
    if done.degeneration.doubt:
        click.echo(f"dragoman: beware: {done.degeneration.doubt}", err=True)
    emit(done, form, "-")
