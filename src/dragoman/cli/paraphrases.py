"""`dragoman paraphrases`."""

from __future__ import annotations

import click

from dragoman.cli.output import emit, output_options, seed_option, threads_option
from dragoman.cli.progress import shown_progress
from dragoman.cli.recipes import recipe_options
from dragoman.smt.paraphrases import ParaphraseRecipe

__all__ = ["paraphrases"]


@click.command()
@click.argument("pivot", type=click.Path(exists=True, allow_dash=True))
@click.argument("text", type=click.Path(exists=True, allow_dash=True))
@click.option("--lang", default="en", show_default=True, metavar="LANG", help="Language of TEXT.")
@click.option("--pivot-lang", default="fr", show_default=True, metavar="LANG", help="Language of PIVOT.")
@click.option("--to", metavar="FILE", help="Write all paraphrases there, as `-m meteor:paraphrases=FILE` takes them.")
@recipe_options(ParaphraseRecipe)
@seed_option
@threads_option
@output_options
def paraphrases(
    pivot: str,
    text: str,
    lang: str,
    pivot_lang: str,
    to: str | None,
    recipe: ParaphraseRecipe,
    seed: int,
    n_threads: int,
    form: str,
    output: str,
) -> None:
    """Find paraphrases in a text by way of its translation.

    \b
      dragoman paraphrases corpus.fr corpus.en --to paraphrases.en.gz
      dragoman score output.en -r reference.en -m meteor:paraphrases=paraphrases.en.gz

    PIVOT translates TEXT line by line; phrases that share a translation there are paraphrases, with the probability
    Σ p(pivot | phrase) · p(paraphrase | pivot) (Bannard & Callison-Burch, ACL 2005).
    """
    from dragoman.files import read_lines
    from dragoman.smt.paraphrases import paraphrase_words

    sides = paraphrase_words(read_lines(pivot), pivot_lang), paraphrase_words(read_lines(text), lang)
    with shown_progress() as progress:
        found = recipe.find(*sides, seed=seed, progress=progress, n_threads=n_threads)
    if to is not None:
        found.write(to)
    emit(found, form, output)
