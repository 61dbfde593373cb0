"""`dragoman reorder learn|apply|evaluate`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from dragoman.cli.output import emit, output_options, seed_option, threads_option
from dragoman.cli.recipes import recipe_options
from dragoman.cli.text import source_argument
from dragoman.reorder.model import ReorderRecipe

if TYPE_CHECKING:
    from dragoman.data.alignments import Alignment
    from dragoman.reorder.annotation import Annotated

__all__ = ["reorder"]

_pair = [
    click.argument("src", type=click.Path(allow_dash=True)),
    click.argument("tgt", type=click.Path(allow_dash=True)),
]
_model_option = click.option("-m", "--model", required=True, type=click.Path(), help="The reorderer's folder.")
_parses_option = click.option(
    "--parses", type=click.Path(), metavar="FILE", help="The source lines as others tagged and parsed them, CoNLL-U."
)
_links_option = click.option(
    "--links", "given", type=click.Path(), metavar="FILE", help="Links of the words (0-0 1-2); else they are learnt."
)


@click.group()
def reorder() -> None:
    """Put source words into the order of the target language."""


@reorder.command()
@_pair[0]
@_pair[1]
@_model_option
@click.option("--parser", type=click.Path(), metavar="FOLDER", help="A parser of the source, which is kept.")
@_parses_option
@_links_option
@recipe_options(ReorderRecipe, spellings={"links": ("--symmetrise",)})
@seed_option
@threads_option
@output_options
def learn(
    src: str,
    tgt: str,
    model: str,
    parser: str | None,
    parses: str | None,
    given: str | None,
    recipe: ReorderRecipe,
    seed: int,
    n_threads: int,
    form: str,
    output: str,
) -> None:
    """Learn an order from tokenised sentence pairs.

    \b
      dragoman reorder learn train.en train.ja --parser en.parser -m order
      dragoman reorder learn train.de train.en --parser de.parser --method short+long --tags xpos -m order
      dragoman reorder learn train.de train.en --parses train.de.conllu --links train.align -m order

    Methods: tree (orders of heads and dependents), short (sequences of tags), long (tags with a gap between), heads
    (heads last) and clauses (German verbs), which learn nothing; options stand behind a colon: long:least=3.
    """
    from dragoman.files import read_lines
    from dragoman.reorder import learn_order
    from dragoman.syntax import Parser

    if (parser is None) == (parses is None):
        raise click.UsageError("An order is learnt from tagged text: give --parser or --parses, one of them.")
    srcs, tgts = read_lines(src), read_lines(tgt)
    result = learn_order(
        srcs,
        tgts,
        recipe=recipe,
        parser=Parser.load(parser) if parser is not None else None,
        sentences=_annotated(parses, srcs, recipe),
        links=_links(given),
        save=model,
        seed=seed,
        n_threads=n_threads,
    )
    emit(result, form, output)


@reorder.command()
@source_argument
@_model_option
@_parses_option
@click.option(
    "--lattice",
    type=click.Choice(["json", "plf"], case_sensitive=False),
    help="Write all orders of each line, for --lattice.",
)
@click.option("--orders", type=click.Path(), metavar="FILE", help="Also write the places of the words, as read now.")
@threads_option
@output_options
def apply(
    source: str,
    model: str,
    parses: str | None,
    lattice: str | None,
    orders: str | None,
    n_threads: int,
    form: str,
    output: str,
) -> None:
    """Put the words of tokenised lines into the order learnt.

    \b
      dragoman text tokenize test.en -t moses:lang=en | dragoman reorder apply -m order
      dragoman reorder apply test.tok.de -m order --lattice json | dragoman translate --lattice -m engine

    The text can be read by any engine that is trained on text in the same order; `smt train --set reorder.model=order`
    does both. Lines are as many as before, and so are their words.
    """
    from dragoman.files import read_lines, write_lines
    from dragoman.reorder import Reorderer
    from dragoman.reorder import reorder as run
    from dragoman.reorder.application import lattice_lines

    if lattice and (form != "text" or orders):
        raise click.UsageError("--lattice writes a lattice a line; it goes with neither forms nor --orders.")
    loaded = Reorderer.load(model)
    lines = read_lines(source)
    sentences = _annotated(parses, lines, loaded.recipe)
    if lattice:
        write_lines(output, lattice_lines(loaded, lines, lattice, sentences=sentences, n_threads=n_threads))
        return
    result = run(loaded, lines, sentences=sentences, n_threads=n_threads)
    if orders:
        write_lines(orders, (" ".join(map(str, order)) for order in result.orders))
    if form != "text":
        emit(result, form, output)
        return
    write_lines(output, result.lines)


@reorder.command()
@_pair[0]
@_pair[1]
@_model_option
@_parses_option
@_links_option
@click.option(
    "--more",
    nargs=2,
    type=click.Path(),
    metavar="SRC TGT",
    help="Without --links: more text to learn links from, as that of training.",
)
@seed_option
@threads_option
@output_options
def evaluate(
    src: str,
    tgt: str,
    model: str,
    parses: str | None,
    given: str | None,
    more: tuple[str, str] | None,
    seed: int,
    n_threads: int,
    form: str,
    output: str,
) -> None:
    """Tell how many links cross before and after, and how many lattices have the target's order.

    \b
      dragoman reorder evaluate test.en test.ja -m order --more train.en train.ja
    """
    from dragoman.data.parallel import check_parallel
    from dragoman.files import read_lines
    from dragoman.reorder import Reorderer, evaluate_order

    if more and given:
        raise click.UsageError("--more is text to learn links from; with --links they are known.")
    loaded = Reorderer.load(model)
    srcs, tgts = read_lines(src), read_lines(tgt)
    beside: list[tuple[str, str]] = []
    if more:
        sides = [read_lines(path) for path in more]
        check_parallel({"more": sides[0], "its target": sides[1]})
        beside = list(zip(*sides, strict=True))
    result = evaluate_order(
        loaded,
        srcs,
        tgts,
        sentences=_annotated(parses, srcs, loaded.recipe),
        links=_links(given),
        more=beside,
        seed=seed,
        n_threads=n_threads,
    )
    emit(result, form, output)


def _annotated(parses: str | None, lines: Sequence[str], recipe: ReorderRecipe) -> list[Annotated] | None:
    """Lines as a file annotates them."""
    from dragoman.reorder import read_annotated

    if parses is None:
        return None
    return read_annotated(parses, [line.split() for line in lines], xpos=recipe.tags == "xpos")


def _links(path: str | None) -> list[Alignment] | None:
    from dragoman.data.formats.pharaoh import PharaohFormat

    return None if path is None else list(PharaohFormat().read(path))
