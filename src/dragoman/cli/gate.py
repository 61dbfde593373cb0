"""`dragoman gate`."""

from __future__ import annotations

import click

from dragoman.cli.output import emit, encoding_option, layer_option, output_options, threads_option
from dragoman.cli.recipes import recipe_options
from dragoman.metrics.gate import GateRecipe
from dragoman.metrics.gate import gate as run

__all__ = ["gate"]


@click.command()
@click.argument("baseline")
@click.argument("system")
@click.option("-r", "--ref", "refs", metavar="FILE", multiple=True, required=True, help="Reference; may be repeated.")
@click.option("-s", "--src", metavar="FILE", help="Source, for metrics that look at it.")
@recipe_options(GateRecipe, spellings={"metrics": ("-m", "--metric")})
@click.option("--junit", metavar="FILE", help="Also write the verdicts as JUnit XML.")
@layer_option
@threads_option
@encoding_option
@output_options
def gate(
    baseline: str,
    system: str,
    refs: tuple[str, ...],
    src: str | None,
    recipe: GateRecipe,
    junit: str | None,
    layers: tuple[str, ...],
    n_threads: int,
    form: str,
    output: str,
) -> None:
    """Fail a build when a system drops below its baseline.

    \b
      dragoman gate base.en new.en -r reference.en -m bleu -m chrf --min-delta -0.5
      dragoman gate base.en new.en -r reference.en --junit gate.xml --form markdown >> "$GITHUB_STEP_SUMMARY"

    Exit code 0: passed. 1: a metric fell, beyond chance, below the least gain.
    """
    from dragoman.data import assemble
    from dragoman.files import open_writer

    test_set = assemble(srcs=src, refs=refs, systems=[baseline, system], layers=layers)
    result = run(test_set, recipe, n_threads=n_threads)
    if junit is not None:
        with open_writer(junit) as stream:
            stream.write(result.junit())
    emit(result, form, output)
    if not result.passed:
        click.get_current_context().exit(1)
