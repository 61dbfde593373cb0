"""`dragoman qe train`: a model of quality from post-edits, or from a table of features and scores."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from dragoman.cli.output import emit, layer_option, output_options, seed_option, threads_option
from dragoman.cli.qe_input import columns_option, read_table, read_text, resource_options
from dragoman.cli.qe_traces import Traced, trace_options
from dragoman.cli.recipes import recipe_options
from dragoman.cli.spellings import bitext_option
from dragoman.options import changed_options, options_of
from dragoman.qe.recipes import QERecipe, ResourceRecipe, TextRecipe

if TYPE_CHECKING:
    from dragoman.qe import QEModel

__all__ = ["train"]


@click.command()
@click.argument("table", metavar="[FEATURES", required=False)
@click.argument("scores", metavar="SCORES]", required=False)
@click.option("-m", "--model", required=True, type=click.Path(), help="The model's folder.")
@click.option(
    "--data",
    "stem",
    metavar="STEM",
    help="Text instead of a table: STEM.src, STEM.mt, and STEM.hter or the post-edits STEM.pe; or the table that a "
    "campaign of post-editing exports.",
)
@click.option("--scores-file", metavar="FILE", help="With --data: the scores, a line a sentence.")
@bitext_option("With --data: build resources from this.")
@click.option("--resources", type=click.Path(exists=True), help="With --data: folder that dragoman qe resources made.")
@click.option("--lexicon", type=click.Path(exists=True), help="With --data: a lexical table in place of its own.")
@recipe_options(QERecipe, spellings={"features": ("-f", "--feature")})
@resource_options()
@layer_option
@click.option("--groups", metavar="FILE", help="A line a sentence: its document. Needs layout=grouped.")
@click.option(
    "--held-out",
    "held_out",
    metavar="FILE",
    help="Also write a score for each sentence by a model that has not seen it (qe words train --sentence-scores).",
)
@columns_option
@trace_options
@seed_option
@threads_option
@output_options
def train(
    table: str | None,
    scores: str | None,
    model: str,
    stem: str | None,
    scores_file: str | None,
    bitext: tuple[str, ...] | None,
    resources: str | None,
    lexicon: str | None,
    recipe: QERecipe,
    building: ResourceRecipe,
    layers: tuple[str, ...],
    groups: str | None,
    held_out: str | None,
    columns: str | None,
    traced: Traced,
    seed: int,
    n_threads: int,
    form: str,
    output: str,
) -> None:
    """Learn scores from post-edits, or from a table of features.

    Settings are chosen by cross-validation.

    \b
      dragoman qe train --data post-edits.csv -m model
      dragoman qe train --data train --bitext corpus.en corpus.de -m model
      dragoman qe train --data train -m model -f black-box -f glass-box --engine engine
      dragoman qe train --data train --resources resources -m model --learner ensemble:members=svr+extra-trees
      dragoman qe train train.tsv train.effort -m model --task effort --learner ridge --select forward
    """
    from tempfile import TemporaryDirectory

    from dragoman.data.bitext_files import read_bitext
    from dragoman.files import read_lines
    from dragoman.qe import build_training_resources, learn_scores, train_model
    from dragoman.qe.files import read_scores
    from dragoman.qe.train import having_tokenisers
    from dragoman.text.layers import read_layers

    if (stem is None) == (table is None) or (table is None) != (scores is None):
        raise click.UsageError("Give a table of features and its scores, or text with --data, and not both.")
    by_group = read_lines(groups) if groups is not None else None
    common: dict[str, Any] = {
        "groups": by_group,
        "seed": seed,
        "n_threads": n_threads,
        "hold_out": held_out is not None,
    }
    if stem is None:
        _refuse_options_of_text()
        columned, gold = read_table(table or "", columns), read_scores(scores or "")
        trained = learn_scores(recipe.make_learner(), columned, gold, task=recipe.task, **common)
        trained.save(model)
        _write_held_out(trained, held_out)
        emit(trained.training, form, output)
        return
    if bitext and resources is not None:
        raise click.UsageError("Give a bitext to build resources from, or resources, and not both.")
    if resources is not None and changed_options(replace(building, languages="")):
        raise click.UsageError(
            "Parsers, grammars, taggers and dictionaries go into resources while they are built; these are already."
        )
    data = read_text(stem)
    if scores_file is not None:
        data = data.having(read_scores(scores_file))
    recipe = _tell_tokenisers(recipe, having_tokenisers(recipe, data))
    trace = traced.index(data.sources, data.outputs, n_threads)
    with TemporaryDirectory() as folder:
        if resources is None and (bitext or data.has("pe")):
            resources = f"{folder}/resources"
            left_out = build_training_resources(
                data,
                resources,
                recipe,
                building,
                bitext=read_bitext(bitext) if bitext else None,
                trace=trace,
                n_threads=n_threads,
            )
            if left_out:
                click.echo(f"{left_out} pairs of the bitext are sentences to learn from and were left out.", err=True)
        trained = train_model(
            data, recipe, resources=resources, lexicon=lexicon, layers=read_layers(layers), trace=trace, **common
        )
        trained.save(model)
    _write_held_out(trained, held_out)
    emit(trained.training, form, output)


def _write_held_out(model: QEModel, path: str | None) -> None:
    from dragoman.files import write_lines

    if path is not None:
        write_lines(path, (f"{score:.6f}" for score in model.held_out or ()))


def _tell_tokenisers(asked: QERecipe, chosen: QERecipe) -> QERecipe:
    """Say where text was recognised as not tokenised; the recipe to go on with."""
    for side, before, after in zip(("source", "target"), asked.tokenisers, chosen.tokenisers, strict=True):
        if before != after and after != "none":
            click.echo(
                f"The {side} text is not in tokens. It is cut by {after}, and the model keeps that: ask it of text as "
                f"it is (--{side}-tokeniser none: do not cut).",
                err=True,
            )
    return chosen


def _refuse_options_of_text() -> None:
    """Raise if an option was given that says how features are made: a table has them already."""
    of_text = {"scores_file", "bitext", "resources", "lexicon", "layers", "features", *options_of(TextRecipe)}
    of_text |= {*options_of(ResourceRecipe), *options_of(Traced)}
    context = click.get_current_context()
    for option in context.command.params:
        asked = context.get_parameter_source(str(option.name)) is ParameterSource.COMMANDLINE
        if asked and option.name in of_text:
            raise click.UsageError(f"{option.opts[-1]} goes with text (--data); a table has its features already.")
