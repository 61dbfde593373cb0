"""`dragoman qe train`: a model of quality from post-edits, or from a table of features and scores."""

from __future__ import annotations

from typing import Any

import click

from dragoman.cli.output import RegistryChoice, emit, layer_option, output_options, seed_option, threads_option
from dragoman.cli.qe_input import columns_option, read_table, read_text
from dragoman.cli.qe_parses import parser_options
from dragoman.cli.qe_traces import read_traces, trace_options
from dragoman.learn.base import LEARNERS
from dragoman.learn.selectors.base import SELECTORS
from dragoman.qe.tasks import SCORE_TASKS

__all__ = ["train"]


@click.command()
@click.argument("table", metavar="[FEATURES", required=False)
@click.argument("scores", metavar="SCORES]", required=False)
@click.option("-m", "--model", required=True, type=click.Path(), help="The model's folder.")
@click.option(
    "--data",
    "stem",
    metavar="STEM",
    help="Text instead of a table: STEM.src, STEM.mt, and STEM.hter or the post-edits STEM.pe.",
)
@click.option("--scores-file", metavar="FILE", help="With --data: the scores, a line a sentence.")
@click.option("--bitext", nargs=2, metavar="SRC TGT", help="With --data: build resources from this bitext.")
@click.option("--resources", type=click.Path(exists=True), help="With --data: folder that dragoman qe resources made.")
@click.option("--lexicon", type=click.Path(exists=True), help="With --data: a lexical table in place of its own.")
@parser_options
@click.option(
    "--languages", default="", metavar="PAIR", help="With --data: the pair, for the resources that are built."
)
@layer_option
@click.option(
    "-f",
    "--feature",
    "features",
    multiple=True,
    metavar="NAME",
    help="With --data: a set or a feature; may be repeated [black-box with post-edits, baseline17 with a bitext].",
)
@click.option("--source-tokeniser", default="none", show_default=True, metavar="NAME", help="How to cut the source.")
@click.option("--target-tokeniser", default="none", show_default=True, metavar="NAME", help="How to cut the output.")
@click.option(
    "--learner",
    type=RegistryChoice(LEARNERS),
    metavar="NAME[:OPTION=VALUE,…]",
    help="How to learn [ridge for the set black-box, else svr].",
)
@click.option(
    "--select",
    type=RegistryChoice(SELECTORS),
    multiple=True,
    metavar="NAME[:OPTION=VALUE,…]",
    help="How to select features; may be repeated, one after the other.",
)
@click.option("--nested", type=click.IntRange(min=2), help="Folds of nested cross-validation, for honest figures.")
@click.option("--task", type=click.Choice(list(SCORE_TASKS)), default="hter", show_default=True, help="What is scored.")
@click.option("--groups", metavar="FILE", help="A line a sentence: its document. Needs layout=grouped.")
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
    bitext: tuple[str, str] | None,
    resources: str | None,
    lexicon: str | None,
    languages: str,
    layers: tuple[str, ...],
    features: tuple[str, ...],
    source_tokeniser: str,
    target_tokeniser: str,
    learner: str | None,
    select: tuple[str, ...],
    nested: int | None,
    task: str,
    groups: str | None,
    columns: str | None,
    traces: tuple[str, ...],
    engine: str | None,
    n_best: int,
    seed: int,
    n_threads: int,
    form: str,
    output: str,
    **annotators: Any,
) -> None:
    """Learn scores from post-edits, or from a table of features; settings are chosen by cross-validation.

    \b
      dragoman qe train --data train --bitext corpus.en corpus.de -m model
      dragoman qe train --data train -m model -f black-box -f glass-box --engine engine
      dragoman qe train --data train --resources resources -m model --learner ensemble:members=svr+extra-trees
      dragoman qe train train.tsv train.effort -m model --task effort --learner ridge --select forward
    """
    from dataclasses import replace
    from tempfile import TemporaryDirectory

    from dragoman.files import read_lines
    from dragoman.qe import learn_scores, train_model
    from dragoman.qe.features.traced import add_quartiles
    from dragoman.qe.files import read_scores
    from dragoman.qe.train import build_training_resources
    from dragoman.text.layers import read_layers

    if (stem is None) == (table is None) or (table is None) != (scores is None):
        raise click.UsageError("Give a table of features and its scores, or text with --data, and not both.")
    own = read_lines(groups) if groups is not None else None
    if stem is None:
        _refuse(
            scores_file=scores_file,
            bitext=bitext,
            resources=resources,
            lexicon=lexicon,
            languages=languages,
            layer=layers,
            feature=features,
            trace=traces,
            engine=engine,
            **annotators,
        )
        recipe = LEARNERS.make(learner or "svr")
        recipe = replace(recipe, select=tuple(select)) if select else recipe
        recipe = recipe if nested is None else replace(recipe, nested=nested)
        trained = learn_scores(
            recipe,
            read_table(table or "", columns),
            read_scores(scores or ""),
            task=task,
            seed=seed,
            groups=own,
            n_threads=n_threads,
        )
        trained.save(model)
        emit(trained.training, form, output)
        return
    if bitext and resources is not None:
        raise click.UsageError("Give a bitext to build resources from, or resources, and not both.")
    if resources is not None and any(annotators.values()):
        raise click.UsageError(
            "Parsers, grammars, taggers and dictionaries go into resources while they are built; these are already."
        )
    data = read_text(stem)
    if scores_file is not None:
        data = replace(data, scores=tuple(read_scores(scores_file)), tags=None)
    trace = read_traces(data.sources or (), data.outputs or (), traces, engine, n_best, n_threads)
    with TemporaryDirectory() as folder:
        if resources is None and (bitext or data.post_edits is not None):
            resources = f"{folder}/resources"
            left_out = build_training_resources(
                data,
                resources,
                bitext=(read_lines(bitext[0]), read_lines(bitext[1])) if bitext else None,
                source_tokeniser=source_tokeniser,
                target_tokeniser=target_tokeniser,
                features=features,
                languages=languages,
                n_threads=n_threads,
                **annotators,
            )
            if left_out:
                click.echo(f"{left_out} pairs of the bitext are sentences to learn from and were left out.", err=True)
            if trace is not None:
                add_quartiles(
                    resources,
                    data.sources or (),
                    data.outputs or (),
                    trace,
                    target_tokeniser=target_tokeniser,
                    n_threads=n_threads,
                )
        trained = train_model(
            data,
            learner=learner,
            select=select,
            features=list(features) or None,
            resources=resources,
            lexicon=lexicon,
            layers=read_layers(layers),
            trace=trace,
            task=task,
            nested=nested,
            source_tokeniser=source_tokeniser,
            target_tokeniser=target_tokeniser,
            groups=own,
            seed=seed,
            n_threads=n_threads,
        )
        trained.save(model)
    emit(trained.training, form, output)


def _refuse(**given: object) -> None:
    """Raise if one of these options was given: they say how features are made, and a table has them already."""
    for name, value in given.items():
        if value:
            option = f"--{name.replace('_', '-')}"
            raise click.UsageError(f"{option} goes with text (--data); a table has its features already.")
