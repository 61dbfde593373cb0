"""`dragoman qe select`: of several systems' outputs, the best of each sentence."""

from __future__ import annotations

import click

from dragoman.cli.output import emit, output_options, seed_option, threads_option

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
@click.option(
    "--method",
    type=click.Choice(["regression", "rank", "classify"]),
    default="regression",
    show_default=True,
    help="Predict BLEU's components, put outputs in order, or compare two at a time.",
)
@click.option("--learner", default="m5p", show_default=True, metavar="NAME", help="Of the regression.")
@click.option(
    "-f",
    "--feature",
    "features",
    multiple=True,
    metavar="NAME",
    default=("surface",),
    show_default=True,
    help="A set or a feature; may be repeated. How far the outputs agree is always asked.",
)
@click.option("--resources", type=click.Path(exists=True), help="Folder that dragoman qe resources made.")
@click.option("--source-tokeniser", default="none", show_default=True, metavar="NAME", help="How to cut the source.")
@click.option("--target-tokeniser", default="none", show_default=True, metavar="NAME", help="How to cut the outputs.")
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
    method: str,
    learner: str,
    features: tuple[str, ...],
    resources: str | None,
    source_tokeniser: str,
    target_tokeniser: str,
    reference: str | None,
    text: str | None,
    seed: int,
    n_threads: int,
    form: str,
    output: str,
) -> None:
    """Choose for each sentence among the outputs of several systems, without a reference.

    \b
      dragoman qe select test.src test.a test.b --train dev.src dev.ref --output-of dev.a --output-of dev.b -m selector
      dragoman qe select new.src new.a new.b -m selector --text best.txt
    """
    from dragoman.errors import DataError
    from dragoman.files import plain_name, read_lines, write_lines
    from dragoman.qe.selection import Selector, SelectorRecipe, evaluate_selection

    texts = [read_lines(path) for path in outputs]
    names = [plain_name(path) for path in outputs]
    if len(set(names)) < len(names):
        raise DataError(f"Two outputs have one name: {', '.join(names)}. Name the files otherwise.")
    if trained is not None:
        if len(train_outputs) != len(outputs):
            raise DataError(f"{len(outputs)} systems need as many --output-of; got {len(train_outputs)}.")
        recipe = SelectorRecipe(method=method, learner=learner, features=tuple(features))
        selector = recipe.train(
            read_lines(trained[0]),
            dict(zip(names, map(read_lines, train_outputs), strict=True)),
            read_lines(trained[1]),
            resources=resources,
            source_tokeniser=source_tokeniser,
            target_tokeniser=target_tokeniser,
            seed=seed,
            n_threads=n_threads,
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
    candidates = dict(zip(names, texts, strict=True))
    selection = selector.select(read_lines(source), candidates, n_threads=n_threads)
    if text is not None:
        write_lines(text, selection.texts)
    if reference is None:
        emit(selection, form, output)
        return
    emit(
        evaluate_selection(
            {selector.recipe.method: selection}, candidates, read_lines(reference), seed=seed, n_threads=n_threads
        ),
        form,
        output,
    )
