"""`dragoman smt adapt`."""

from __future__ import annotations

import click

from dragoman.cli.output import emit, form_options, threads_option
from dragoman.cli.recipes import recipe_options
from dragoman.cli.training_text import held_out_set
from dragoman.smt.adaptation import AdaptationRecipe
from dragoman.smt.corrections import CorrectionLinks

__all__ = ["adapt"]


@click.command()
@click.option(
    "-m", "--model", required=True, metavar="ENGINE", type=click.Path(), help="An engine with a phrase table."
)
@click.option("--src", required=True, metavar="FILE", type=click.Path(), help="Sources, a sentence a line.")
@click.option("--mt", metavar="FILE", type=click.Path(), help="Their translations; else the engine makes them.")
@click.option("--post-edit", required=True, metavar="FILE", type=click.Path(), help="The corrections, line by line.")
@click.option("--dev-src", metavar="FILE", type=click.Path(), help="Source of a tuning set, which sets alpha.")
@click.option("--dev-ref", "dev_refs", metavar="FILE", multiple=True, help="Its reference.")
@click.option(
    "-o", "--output", "adapted", required=True, metavar="FOLDER", type=click.Path(), help="The adapted engine."
)
@recipe_options(AdaptationRecipe)
@recipe_options(CorrectionLinks, argument="links")
@threads_option
@form_options
def adapt(
    model: str,
    src: str,
    mt: str | None,
    post_edit: str,
    dev_src: str | None,
    dev_refs: tuple[str, ...],
    adapted: str,
    recipe: AdaptationRecipe,
    links: CorrectionLinks,
    n_threads: int,
    form: str,
) -> None:
    """Adapt an engine by corrections of its translations: their phrases join its own.

    \b
      dragoman smt adapt -m engine --src manual.en --post-edit manual.de -o adapted
      dragoman smt adapt -m engine --src manual.en --mt manual.mt --post-edit manual.de \\
          --dev-src dev.en --dev-ref dev.de -o adapted

    Links come from what the corrections left as it was (TALP-UPC, WMT 2012); the engine itself stays as it is.
    """
    from dragoman.files import read_lines
    from dragoman.smt import Engine
    from dragoman.smt.adaptation import adapt_engine

    done = adapt_engine(
        Engine.load(model),
        read_lines(src),
        read_lines(post_edit),
        read_lines(mt) if mt else None,
        recipe,
        links=links,
        dev=held_out_set("dev", dev_src, dev_refs),
        n_threads=n_threads,
    )
    done.engine.save(adapted)
    emit(done, form, "-")
