"""`dragoman translate`."""

from __future__ import annotations

import click

from dragoman.cli.output import emit, output_options, threads_option
from dragoman.cli.text import source_argument

__all__ = ["translate"]


@click.command()
@source_argument
@click.option("-m", "--model", required=True, type=click.Path(), help="The engine's folder.")
@click.option(
    "--nbest", "n_best", type=click.IntRange(min=1), metavar="N", help="The N best of each line, Moses' format."
)
@click.option("--alignment", is_flag=True, help="Write the links of the tokens behind each translation.")
@click.option("--tokenised", "--tokenized", is_flag=True, help="Leave the output as tokens in true case.")
@click.option("--pop-limit", type=click.IntRange(min=1), metavar="N", help="Hypotheses of a stack; fewer are quicker.")
@threads_option
@output_options
def translate(
    source: str, model: str, n_best: int | None, alignment: bool, tokenised: bool, pop_limit: int | None,
    n_threads: int, form: str, output: str,
) -> None:  # fmt: skip
    """Translate text, a sentence a line.

    \b
      echo "Where is the station?" | dragoman translate -m engine
      dragoman translate text.en -m engine --nbest 10 --threads 2

    Words without a translation are copied. Markup is text like any other.
    """
    from dataclasses import replace

    from dragoman.data.formats.nbest import NBestFormat
    from dragoman.files import iter_lines, open_writer, read_lines
    from dragoman.smt import Engine
    from dragoman.smt.translation import n_best_lists, stream_translations
    from dragoman.smt.translation import translate as run

    engine = Engine.load(model)
    limits = replace(engine.recipe.search, pop_limit=pop_limit) if pop_limit else engine.recipe.search
    if form != "text":
        emit(
            run(engine, read_lines(source), n_best=n_best or 1, model=model, limits=limits, n_threads=n_threads),
            form,
            output,
        )
        return
    found = stream_translations(
        engine, iter_lines(source), n_best=n_best or 1, features=n_best is not None, limits=limits, n_threads=n_threads
    )
    if n_best is not None:
        NBestFormat().write(n_best_lists(found, engine.feature_names, tokenised=tokenised, alignment=alignment), output)
        return
    with open_writer(output) as stream:
        for best, *_ in found:
            text = best.target_tokens if tokenised else best.translation
            stream.write(f"{text} ||| {best.alignment}\n" if alignment else f"{text}\n")
            stream.flush()
