"""`dragoman metric noref`."""

from __future__ import annotations

import click

from dragoman.cli.output import emit, output_options, threads_option
from dragoman.cli.recipes import recipe_options
from dragoman.metrics.noref import NorefRecipe

__all__ = ["noref_models"]


@click.command("noref")
@click.argument("source", type=click.Path(allow_dash=True))
@click.argument("target", type=click.Path(allow_dash=True))
@click.option("--to", metavar="FOLDER", required=True, help="Save the models there, for `-m noref:FOLDER`.")
@recipe_options(NorefRecipe)
@threads_option
@output_options
def noref_models(
    source: str, target: str, to: str, recipe: NorefRecipe, n_threads: int, form: str, output: str
) -> None:
    """Learn from a bitext to score without references.

    \b
      dragoman metric noref corpus.de corpus.en --to models
      dragoman score output.en -r reference.en -s source.de -m noref:models

    IBM model 1 both ways and language models, of words, morphemes and word classes, or parts of speech where there are
    taggers (Popović, WMT 2012). Nothing is learnt from judgements.
    """
    from dragoman.files import read_lines

    models = recipe.train(read_lines(source), read_lines(target), n_threads=n_threads)
    models.save(to)
    emit(models.report(), form, output)
