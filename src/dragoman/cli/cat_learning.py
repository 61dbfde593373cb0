"""`dragoman cat learning`."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import click

from dragoman.cat.learning import LearningRecipe
from dragoman.cli.output import emit, output_options, threads_option
from dragoman.cli.progress import shown_progress
from dragoman.cli.recipes import recipe_options

__all__ = ["learning"]


@click.command()
@click.option("-m", "--model", required=True, metavar="FOLDER", help="An engine that learns; it stays as it is.")
@click.option("-s", "--src", required=True, metavar="FILE", help="The stream, a segment a line.")
@click.option("-r", "--ref", required=True, metavar="FILE", help="Its translation, learnt line by line.")
@click.option("--background", nargs=2, metavar="SRC REF", help="A test of what the engine was made for.")
@click.option(
    "--outputs", type=click.Path(), metavar="FOLDER", help="Write the three translations of the stream there."
)
@recipe_options(LearningRecipe, spellings={"metrics": ("-M", "--metric")})
@threads_option
@output_options
def learning(
    model: str,
    src: str,
    ref: str,
    background: tuple[str, str] | None,
    outputs: str | None,
    recipe: LearningRecipe,
    n_threads: int,
    form: str,
    output: str,
) -> None:
    """Tell whether an engine learns from a translator: static, adaptive and unfair streams, and what it forgets.

    \b
      dragoman cat learning -m engine --src manual.en --ref manual.de
      dragoman cat learning -m engine --src manual.en --ref manual.de --background test.en test.de

    Each segment is translated before it is learnt (adaptive) and after (unfair). A copy of the engine does the work.
    """
    from dragoman.cat.learning import learn_stream
    from dragoman.data import assemble
    from dragoman.engines import load_engine
    from dragoman.files import write_lines

    stream = assemble(srcs=src, refs=[ref])
    test = None if background is None else assemble(srcs=background[0], refs=[background[1]])
    with tempfile.TemporaryDirectory(prefix="dragoman-") as folder, shown_progress() as progress:
        copy = shutil.copytree(model, Path(folder) / "engine") if Path(model).is_dir() else model
        result = learn_stream(
            load_engine(str(copy)), stream, recipe, background=test, n_threads=n_threads, progress=progress
        )
    if outputs is not None:
        Path(outputs).mkdir(parents=True, exist_ok=True)
        for name, lines in result.outputs.systems.items():
            write_lines(Path(outputs) / name, list(map(str, lines)))
    emit(result, form, output)
