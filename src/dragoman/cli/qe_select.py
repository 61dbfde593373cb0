"""`dragoman qe select`: of several systems' outputs, the best of each sentence."""

from __future__ import annotations

import click

from dragoman.cli.output import emit, output_options, seed_option, threads_option
from dragoman.cli.recipes import recipe_options
from dragoman.qe.selection import Selector, SelectorRecipe

__all__ = ["select"]


@click.command()
@click.argument("source")
@click.argument("outputs", metavar="OUTPUT...", nargs=-1, required=True)
@click.option("-m", "--model", type=click.Path(), help="The selector's folder: made with --train, else opened.")
@click.option(
    "--train", "trained", nargs=2, metavar="SRC REF", help="Learn first, from these and the files of --output-of."
)
@click.option(
    "--output-of",
    "train_outputs",
    multiple=True,
    metavar="FILE",
    help="With --train: a system's outputs of those sources, in the order of OUTPUT; repeatable.",
)
@recipe_options(SelectorRecipe, spellings={"features": ("-f", "--feature")})
@click.option("--resources", type=click.Path(exists=True), help="Folder that dragoman qe resources made.")
@click.option("--reference", metavar="FILE", help="Measure the selection against single systems and the oracle.")
@click.option("--text", metavar="FILE", help="Also write the chosen outputs there, a line a sentence.")
@seed_option
@threads_option
@output_options
def select(
    source: str,
    outputs: tuple[str, ...],
    model: str | None,
    trained: tuple[str, str] | None,
    train_outputs: tuple[str, ...],
    recipe: SelectorRecipe,
    resources: str | None,
    reference: str | None,
    text: str | None,
    seed: int,
    n_threads: int,
    form: str,
    output: str,
) -> None:
    """Choose for each sentence among several systems' outputs.

    No reference is asked for, unless the choice is to be measured.

    \b
      dragoman qe select test.src test.a test.b --train dev.src dev.ref --output-of dev.a --output-of dev.b -m selector
      dragoman qe select new.src new.a new.b -m selector --text best.txt
    """
    from dragoman.data import TestSet
    from dragoman.errors import DataError
    from dragoman.files import plain_name, read_lines, write_lines
    from dragoman.qe.selection import evaluate_selection

    def read(sources: str, paths: tuple[str, ...], reference: str | None = None) -> TestSet:
        refs = {} if reference is None else {"reference": read_lines(reference)}
        systems = dict(zip(names, map(read_lines, paths), strict=True))
        return TestSet(srcs=read_lines(sources), refs=refs, systems=systems)

    names = [plain_name(path) for path in outputs]
    if len(set(names)) < len(names):
        raise DataError(f"Two outputs have one name: {', '.join(names)}. Name the files otherwise.")
    if trained is not None:
        if len(train_outputs) != len(outputs):
            raise DataError(f"{len(outputs)} systems need as many --output-of; got {len(train_outputs)}.")
        selector = recipe.train(
            read(trained[0], train_outputs, trained[1]), resources=resources, seed=seed, n_threads=n_threads
        )
        if model is not None:
            selector.save(model)
    elif model is None:
        raise click.UsageError("Name a selector's folder (-m), or learn one with --train.")
    else:
        selector = Selector.load(model)
        if len(selector.systems) != len(outputs):
            raise DataError(
                f"The selector chooses among {len(selector.systems)} systems, {', '.join(selector.systems)}; "
                f"got {len(outputs)} outputs."
            )
        names = list(selector.systems)
    test_set = read(source, outputs, reference)
    selection = selector.select(test_set, n_threads=n_threads)
    if text is not None:
        write_lines(text, selection.texts)
    if reference is None:
        emit(selection, form, output)
        return
    by_method = {selector.recipe.method: selection}
    emit(evaluate_selection(by_method, test_set, seed=seed, n_threads=n_threads), form, output)
