"""`dragoman smt stream`."""

from __future__ import annotations

from pathlib import Path

import click

from dragoman.cli.output import emit, output_options, threads_option
from dragoman.cli.recipes import recipe_options
from dragoman.smt.stream import SYSTEMS, StreamRecipe

__all__ = ["stream"]


@click.command()
@click.option(
    "-m", "--model", required=True, metavar="ENGINE", type=click.Path(), help="An engine with a phrase table."
)
@click.option("-s", "--src", required=True, metavar="FILE", help="The stream, a segment a line.")
@click.option("-r", "--ref", required=True, metavar="FILE", help="Its translation, learnt block by block.")
@click.option(
    "--system",
    "systems",
    multiple=True,
    default=SYSTEMS,
    show_default=True,
    type=click.Choice(SYSTEMS, case_sensitive=False),
    help="Which systems see the stream; repeatable.",
)
@click.option("--outputs", type=click.Path(), metavar="FOLDER", help="Write the systems' translations there.")
@recipe_options(StreamRecipe, spellings={"metrics": ("-M", "--metric")})
@threads_option
@output_options
def stream(
    model: str,
    src: str,
    ref: str,
    systems: tuple[str, ...],
    outputs: str | None,
    recipe: StreamRecipe,
    n_threads: int,
    form: str,
    output: str,
) -> None:
    """Translate a stream block by block, learning each block once it is translated, and tell how errors change.

    \b
      dragoman smt stream -m engine --src manual.en --ref manual.de
      dragoman smt stream -m engine --src manual.en --ref manual.de --words 3000 --system static --system adaptive

    What is learnt stands beside the engine's own models, as a foreground; the engine stays as it is.
    """
    from dragoman.cli.progress import shown_progress
    from dragoman.data import assemble
    from dragoman.files import write_lines
    from dragoman.smt import Engine
    from dragoman.smt.stream import stream_blocks

    text = assemble(srcs=src, refs=[ref])
    with shown_progress() as progress:
        report = stream_blocks(
            Engine.load(model), text, recipe, systems=systems, n_threads=n_threads, progress=progress
        )
    if outputs is not None:
        Path(outputs).mkdir(parents=True, exist_ok=True)
        for name, lines in report.outputs.systems.items():
            write_lines(Path(outputs) / name, list(map(str, lines)))
    emit(report, form, output)
