"""`dragoman qe resources|features`: what features look things up in, and the features themselves."""

from __future__ import annotations

import click

from dragoman.cli.output import emit, layer_option, output_options, threads_option
from dragoman.cli.qe_input import resource_options
from dragoman.cli.qe_traces import Traced, trace_options
from dragoman.cli.recipes import recipe_options
from dragoman.qe.recipes import FeatureRecipe, ResourceRecipe

__all__ = ["features", "resources"]


@click.command()
@click.argument("source", required=False)
@click.argument("target", required=False)
@click.option("-m", "--model", required=True, type=click.Path(), help="The folder to make.")
@click.option(
    "--post-edited",
    "stem",
    metavar="STEM",
    help="Post-edited translations, STEM.src .pe and .mt: joined to the bitext, and held out in parts.",
)
@resource_options()
@trace_options
@threads_option
@output_options
def resources(
    source: str | None,
    target: str | None,
    model: str,
    stem: str | None,
    building: ResourceRecipe,
    traced: Traced,
    n_threads: int,
    form: str,
    output: str,
) -> None:
    """Build what features need from a bitext or post-edits.

    The bitext is tokenised; post-edited translations may stand in its place, or beside it.

    \b
      dragoman qe resources train.en train.de -m resources
      dragoman qe resources -m resources --post-edited train
      dragoman qe resources train.en train.de -m resources --also dwl --also topics
      dragoman qe resources train.en train.de -m resources --source-parser parser.en --target-parser parser.de
    """
    from dragoman.data import Bitext
    from dragoman.errors import DataError
    from dragoman.qe import read_qe
    from dragoman.qe.features.traced import add_quartiles
    from dragoman.qe.resources import build_resources

    if source is not None and target is None:
        raise DataError("A bitext has two files, source and target; got one.")
    edited = read_qe(stem) if stem is not None else None
    if traced.asked and (edited is None or not edited.has("mt")):
        raise click.UsageError("Traces are of post-edited translations: give --post-edited with STEM.mt, too.")
    bitext = Bitext.from_files(source, target) if source is not None and target is not None else None
    built = build_resources(bitext, model, building, post_edited=edited, n_threads=n_threads)
    if edited is not None and edited.has("mt"):
        trace = traced.index(edited.sources, edited.outputs, n_threads)
        if trace is not None:
            add_quartiles(model, edited.sources, edited.outputs, trace, n_threads=n_threads)
    emit(built, form, output)


@click.command()
@click.argument("source", required=False)
@click.argument("output_file", metavar="[MT]", required=False)
@recipe_options(FeatureRecipe, spellings={"features": ("-f", "--feature"), "check_languages": ("--check",)})
@click.option("--resources", "folder", type=click.Path(exists=True), help="Folder that dragoman qe resources made.")
@click.option("--lexicon", type=click.Path(exists=True), help="Lines of source word, target word, p(target | source).")
@layer_option
@click.option(
    "--other",
    "others",
    multiple=True,
    metavar="[NAME=]FILE",
    help="Another engine's translations of the sources, tokenised: also features of agreement, a named engine's by "
    "themselves; repeatable.",
)
@click.option(
    "--back",
    "backs",
    multiple=True,
    metavar="[NAME=]FILE",
    help="The outputs translated back, tokenised: also features of their agreement with the sources; repeatable.",
)
@trace_options
@click.option("--cache", metavar="FOLDER", help="Keep columns there by content; asked for again they are read.")
@click.option("--list", "list_all", is_flag=True, help="List all features, sets and resources, and do nothing else.")
@threads_option
@output_options
def features(
    source: str | None,
    output_file: str | None,
    recipe: FeatureRecipe,
    folder: str | None,
    lexicon: str | None,
    layers: tuple[str, ...],
    others: tuple[str, ...],
    backs: tuple[str, ...],
    traced: Traced,
    cache: str | None,
    list_all: bool,
    n_threads: int,
    form: str,
    output: str,
) -> None:
    """Compute features of translations, a row a sentence.

    \b
      dragoman qe features dev.src dev.mt --form tsv -o dev.tsv
      dragoman qe features dev.src dev.mt -f black-box --resources resources --cache kept --form tsv -o dev.tsv
      dragoman qe features dev.src dev.mt --other second-engine.txt --back back.txt --form tsv -o dev.tsv
      dragoman qe features dev.src dev.mt -f glass-box --engine engine --form tsv -o dev.tsv
      dragoman qe features --list
    """
    from dragoman.errors import DataError
    from dragoman.files import read_lines
    from dragoman.qe import extract_features
    from dragoman.qe.features import describe_features
    from dragoman.qe.features.agreement import agreement_features, join_features
    from dragoman.qe.resources import load_resources
    from dragoman.text import TOKENISERS
    from dragoman.text.layers import read_layers

    if list_all:
        emit(describe_features(), form, output)
        return
    if source is None or output_file is None:
        raise DataError(
            "Features need two files, sources and translations. dragoman qe features --list shows them all."
        )
    sources, outputs = read_lines(source), read_lines(output_file)
    table = extract_features(
        sources,
        outputs,
        recipe,
        resources=load_resources(folder, lexicon=lexicon, layers=read_layers(layers)),
        trace=traced.index(sources, outputs, n_threads),
        cache=cache,
        n_threads=n_threads,
    )
    # Others are of the output's side, translations back of the source's.
    for name, files, own, tokeniser in (
        ("agreement", others, outputs, recipe.target_tokeniser),
        ("back", backs, sources, recipe.source_tokeniser),
    ):
        cut = TOKENISERS.make(tokeniser)
        for label, paths in _by_engine(files).items():
            lines, *texts = (cut.tokenise(each, n_threads=n_threads) for each in (own, *map(read_lines, paths)))
            full = f"{name}-{label}" if label else name
            table = join_features(table, agreement_features(lines, texts, name=full, n_threads=n_threads))
    emit(table, form, output)


def _by_engine(files: tuple[str, ...]) -> dict[str, list[str]]:
    """Files by the engine that they are named for, `NAME=FILE`; those without a name are together."""
    by_engine: dict[str, list[str]] = {}
    for each in files:
        name, equals, path = each.partition("=")
        named = bool(equals) and "/" not in name
        by_engine.setdefault(name if named else "", []).append(path if named else each)
    return by_engine
