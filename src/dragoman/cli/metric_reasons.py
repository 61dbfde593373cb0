"""`dragoman metric why`."""

from __future__ import annotations

import click

from dragoman.cli.output import emit, layer_option, output_options, threads_option

__all__ = ["why"]


@click.command()
@click.argument("a")
@click.argument("b")
@click.option("-r", "--ref", metavar="FILE", required=True, help="Reference.")
@click.option(
    "-m", "--metric", default="terrorcat", show_default=True, help="terrorcat or spede, perhaps trained:FOLDER."
)
@layer_option
@threads_option
@output_options
def why(a: str, b: str, ref: str, metric: str, layers: tuple[str, ...], n_threads: int, form: str, output: str) -> None:
    """Say why one output is better than another, error by error.

    \b
      dragoman metric why a.en b.en -r reference.en
      dragoman metric why a.en b.en -r reference.en -m terrorcat:pos=pos --layer pos=hanta:lang=en
      dragoman metric why a.en b.en -r reference.en -m trained:mine
      dragoman metric why a.en b.en -r reference.en -m spede:jump=5

    Every kind of error has a weight, the same for all or as training found it; its weight times the difference of its
    rates is what it contributes to the difference of the scores (TerrorCat, Fishel et al., WMT 2012). With SPEDE, the
    edits of both from the reference, and those of the segments that differ most (Wang & Manning, WMT 2012).
    """
    from dragoman.data import assemble
    from dragoman.errors import DataError
    from dragoman.metrics.specs import make_metrics
    from dragoman.metrics.spede import Spede
    from dragoman.metrics.terrorcat import TerrorCat

    test_set = assemble(refs=[ref], systems=[a, b], layers=layers, n_threads=n_threads)
    (chosen,) = make_metrics(metric, test_set.layers)
    if not isinstance(chosen, TerrorCat | Spede):
        raise DataError(
            f"The metric {chosen.name} does not tell errors apart; say -m terrorcat, -m spede or one trained from them."
        )
    (first, second), (lines,) = test_set.systems.items(), test_set.refs.values()
    found = chosen.reasons(
        first[1], second[1], ["" if line is None else line for line in lines], names=(first[0], second[0])
    )
    emit(found, form, output)
