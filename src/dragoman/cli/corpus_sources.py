"""`dragoman corpus pivot` and `backtranslate`: more training text from what is there."""

from __future__ import annotations

import click

from dragoman.cli.output import emit, encoding_option, output_options, threads_option
from dragoman.cli.recipes import recipe_options
from dragoman.corpus.pivot import Pivot
from dragoman.mining.synthetic import Synthesis

__all__ = ["backtranslate", "pivot"]

_to = click.option("--to", metavar="OUT", required=True, help="A prefix for two files, or a .tmx, .tsv or .jsonl.")


@click.command()
@click.argument("paths", metavar="FIRST... SECOND...", nargs=-1, required=True, type=click.Path(exists=True))
@_to
@recipe_options(Pivot)
@encoding_option
@output_options
def pivot(paths: tuple[str, ...], to: str, recipe: Pivot, form: str, output: str) -> None:
    """Make a bitext of two that share a language, by its sentences.

    \b
      dragoman corpus pivot cs-en.cs cs-en.en en-de.en en-de.de --to cs-de
      dragoman corpus pivot cs-en.tmx en-de.tmx --to cs-de.tmx

    The pivot is the second language of the first bitext and the first of the second (Zeman, WMT 2012).
    """
    from dragoman.data.bitext_files import read_bitext, write_bitext

    if len(paths) not in (2, 4):
        raise click.UsageError(f"Name two bitexts, two files each, or one of a format each; got {len(paths)} paths.")
    half = len(paths) // 2
    result = recipe.join(read_bitext(paths[:half]), read_bitext(paths[half:]))
    write_bitext(result.bitext, to)
    emit(result, form, output)


@click.command()
@click.argument("text", type=click.Path(exists=True, allow_dash=True))
@click.option("-m", "--model", required=True, metavar="MODEL", help="An engine that translates from TEXT's language.")
@_to
@recipe_options(Synthesis)
@encoding_option
@threads_option
@output_options
def backtranslate(text: str, model: str, to: str, recipe: Synthesis, n_threads: int, form: str, output: str) -> None:
    """Translate monolingual text, and write both as a bitext with its provenance.

    \b
      dragoman corpus backtranslate news.de -m engine.de-en --to made
      dragoman smt train --src train.en --tgt train.de --extra made.en made.de -m engine

    TEXT is of the language that you translate into, and becomes the target side; with --synthetic target it is the
    source. OUT.provenance.json says which side was made up, and by whom.
    """
    import json
    from pathlib import Path

    from dragoman.data.bitext_files import write_bitext
    from dragoman.engines import base
    from dragoman.engines.roles import Translates
    from dragoman.files import atomic_path, read_lines

    engine = base.need(base.load_engine(model), Translates)
    result = recipe.make(engine, read_lines(text), model=model, n_threads=n_threads)
    write_bitext(result.bitext, to)
    with atomic_path(Path(f"{to}.provenance.json")) as path:
        path.write_text(json.dumps(result.to_dict()["meta"], indent=2) + "\n", encoding="utf-8")
    emit(result, form, output)
