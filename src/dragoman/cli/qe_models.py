"""`dragoman qe train|predict|decide|explain|report`: models of quality, from text or from tables of features."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

from dragoman.cli.output import RegistryChoice, emit, output_options, seed_option, threads_option
from dragoman.cli.qe_parses import parser_options, parses_options
from dragoman.cli.qe_traces import read_traces, trace_options
from dragoman.qe.learners.base import LEARNERS
from dragoman.qe.learners.selectors.base import SELECTORS
from dragoman.qe.tasks import SCORE_TASKS

if TYPE_CHECKING:
    from dragoman.qe import FeatureTable, QEData, QEModel

__all__ = ["decide", "explain", "predict", "report", "train"]

F = TypeVar("F", bound=Callable[..., Any])

model_option = click.option("-m", "--model", required=True, type=click.Path(), help="A model's folder.")
columns_option = click.option(
    "--columns", metavar="SET", help="The table has no header; its columns are those of this set, such as baseline17."
)
data_option = click.option(
    "--data", "stem", metavar="STEM", help="Text instead of a table: STEM.src and STEM.mt, for a model trained on text."
)
bound_options = [
    click.option("--good", type=float, help="Score good enough to publish [hter .1, effort 4]."),
    click.option("--bad", type=float, help="Score bad enough to translate anew [hter .7, effort 2]."),
    click.option("--risk", type=float, default=0.1, show_default=True, help="Share of wrong decisions, at most."),
]


def bounds(command: F) -> F:
    """Add `--good --bad --risk`."""
    for option in reversed(bound_options):
        command = option(command)
    return command


def _read(path: str, columns: str | None) -> FeatureTable:
    from dragoman.errors import UnknownName
    from dragoman.qe import read_features
    from dragoman.qe.features import FEATURE_SETS

    if columns is not None and columns not in FEATURE_SETS:
        raise UnknownName(f"No set of features is called {columns!r}. Known: {', '.join(FEATURE_SETS)}.")
    return read_features(path, names=FEATURE_SETS[columns] if columns else None)


def _text(stem: str) -> QEData:
    from dragoman.errors import DataError
    from dragoman.qe import read_qe

    data = read_qe(stem)
    if data.sources is None or data.outputs is None:
        raise DataError(f"{stem}.src and {stem}.mt are needed.")
    return data


Asked = tuple[tuple[str, ...], str | None, int]  # traces, engine, its translations


def _features(
    model: QEModel, table: str | None, stem: str | None, columns: str | None, parses: tuple[str | None, str | None],
    asked: Asked, n_threads: int,
) -> FeatureTable:  # fmt: skip
    """What the model is to be asked of."""
    if (table is None) == (stem is None):
        raise click.UsageError("Give a table of features, or text with --data, and not both.")
    if table is not None:
        if any(parses):
            raise click.UsageError("Parses go with text (--data); a table has its features already.")
        return _read(table, columns)
    data = _text(stem or "")
    trace = read_traces(data.sources or (), data.outputs or (), *asked, n_threads)
    return model.features(
        data.sources or (), data.outputs or (), source_parses=parses[0], target_parses=parses[1], trace=trace,
        n_threads=n_threads,
    )  # fmt: skip


@click.command()
@click.argument("table", metavar="[FEATURES", required=False)
@click.argument("scores", metavar="SCORES]", required=False)
@click.option("-m", "--model", required=True, type=click.Path(), help="The model's folder.")
@click.option(
    "--data", "stem", metavar="STEM",
    help="Text instead of a table: STEM.src, STEM.mt, and STEM.hter or the post-edits STEM.pe.",
)  # fmt: skip
@click.option("--scores-file", metavar="FILE", help="With --data: the scores, a line a sentence.")
@click.option("--bitext", nargs=2, metavar="SRC TGT", help="With --data: build resources from this bitext.")
@click.option("--resources", type=click.Path(exists=True), help="With --data: folder that dragoman qe resources made.")
@click.option("--lexicon", type=click.Path(exists=True), help="With --data: a lexical table in place of its own.")
@parser_options
@click.option(
    "--languages", default="", metavar="PAIR", help="With --data: the pair, for the resources that are built."
)
@parses_options
@click.option(
    "-f", "--feature", "features", multiple=True, metavar="NAME",
    help="With --data: a set or a feature; may be repeated [black-box with post-edits, baseline17 with a bitext].",
)  # fmt: skip
@click.option("--source-tokeniser", default="none", show_default=True, metavar="NAME", help="How to cut the source.")
@click.option("--target-tokeniser", default="none", show_default=True, metavar="NAME", help="How to cut the output.")
@click.option(
    "--learner", type=RegistryChoice(LEARNERS), metavar="NAME[:OPTION=VALUE,…]",
    help="How to learn [ridge for the set black-box, else svr].",
)  # fmt: skip
@click.option(
    "--select", type=RegistryChoice(SELECTORS), multiple=True, metavar="NAME[:OPTION=VALUE,…]",
    help="How to select features; may be repeated, one after the other.",
)  # fmt: skip
@click.option("--nested", type=click.IntRange(min=2), help="Folds of nested cross-validation, for honest figures.")
@click.option("--task", type=click.Choice(list(SCORE_TASKS)), default="hter", show_default=True, help="What is scored.")
@click.option("--groups", metavar="FILE", help="A line a sentence: its document. Needs layout=grouped.")
@columns_option
@trace_options
@seed_option
@threads_option
@output_options
def train(
    table: str | None, scores: str | None, model: str, stem: str | None, scores_file: str | None,
    bitext: tuple[str, str] | None, resources: str | None, lexicon: str | None, languages: str,
    source_parses: str | None, target_parses: str | None, features: tuple[str, ...],
    source_tokeniser: str, target_tokeniser: str, learner: str | None, select: tuple[str, ...], nested: int | None,
    task: str, groups: str | None, columns: str | None, traces: tuple[str, ...], engine: str | None, n_best: int,
    seed: int, n_threads: int, form: str, output: str, **annotators: Any,
) -> None:  # fmt: skip
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
    from dragoman.qe import train_model
    from dragoman.qe.features.traced import add_quartiles
    from dragoman.qe.files import read_scores
    from dragoman.qe.train import default_features

    if (stem is None) == (table is None) or (table is None) != (scores is None):
        raise click.UsageError("Give a table of features and its scores, or text with --data, and not both.")
    own = read_lines(groups) if groups is not None else None
    if stem is None:
        recipe = LEARNERS.make(learner or "svr")
        recipe = replace(recipe, select=tuple(select)) if select else recipe
        recipe = recipe if nested is None else replace(recipe, nested=nested)
        trained = recipe.train(
            _read(table or "", columns), read_scores(scores or ""), task=task, seed=seed, groups=own,
            n_threads=n_threads,
        )  # fmt: skip
        trained.save(model)
        emit(trained.training, form, output)
        return
    if bitext and resources is not None:
        raise click.UsageError("Give a bitext to build resources from, or resources, and not both.")
    if resources is not None and any(annotators.values()):
        raise click.UsageError(
            "Parsers, grammars and dictionaries go into the resources when they are built; these are built already."
        )
    data = _text(stem)
    if scores_file is not None:
        data = replace(data, scores=tuple(read_scores(scores_file)), tags=None)
    trace = read_traces(data.sources or (), data.outputs or (), traces, engine, n_best, n_threads)
    with TemporaryDirectory() as folder:
        if resources is None and (bitext or data.post_edits is not None):
            _build(
                bitext, data, f"{folder}/resources", source_tokeniser, target_tokeniser, features, annotators,
                languages, n_threads,
            )  # fmt: skip
            resources = f"{folder}/resources"
            if trace is not None:
                add_quartiles(
                    resources, data.sources or (), data.outputs or (), trace, target_tokeniser=target_tokeniser,
                    n_threads=n_threads,
                )  # fmt: skip
        if nested is not None:
            names = features or (default_features(resources),)
            learner = learner or ("ridge" if any(name.startswith("black-box") for name in names) else "svr")
            learner += f"{',' if ':' in learner else ':'}nested={nested}"
        trained = train_model(
            data, learner=learner, select=select, features=list(features) or None, resources=resources,
            lexicon=lexicon, source_parses=source_parses, target_parses=target_parses, trace=trace, task=task,
            source_tokeniser=source_tokeniser, target_tokeniser=target_tokeniser, groups=own, seed=seed,
            n_threads=n_threads,
        )  # fmt: skip
        trained.save(model)
    emit(trained.training, form, output)


def _build(
    bitext: tuple[str, str] | None, data: QEData, folder: str, source_tokeniser: str, target_tokeniser: str,
    features: Sequence[str], annotators: dict[str, Any], languages: str, n_threads: int,
) -> None:  # fmt: skip
    """Resources of a bitext and of the post-edits to learn from, cut as they are; each sentence's own are held out."""
    from dataclasses import replace

    from dragoman.files import read_lines
    from dragoman.qe.features.base import feature_set
    from dragoman.qe.resources import build_resources, extras_for
    from dragoman.qe.train import bitext_without
    from dragoman.text import TOKENISERS

    def cut(name: str, lines: Sequence[str] | None) -> tuple[str, ...]:
        return tuple(TOKENISERS.make(name).tokenise(list(lines or ()), n_threads=n_threads))

    sides: tuple[Sequence[str], Sequence[str]] = ((), ())
    if bitext:
        sources, targets, left_out = bitext_without(read_lines(bitext[0]), read_lines(bitext[1]), data.sources or ())
        if left_out:
            click.echo(f"{left_out} pairs of the bitext are sentences to learn from and were left out.", err=True)
        sides = cut(source_tokeniser, sources), cut(target_tokeniser, targets)
    post_edited = None
    if data.post_edits is not None:
        post_edited = replace(
            data, sources=cut(source_tokeniser, data.sources), outputs=cut(target_tokeniser, data.outputs),
            post_edits=cut(target_tokeniser, data.post_edits), tags=None,
        )  # fmt: skip
    also = extras_for(need for feature in feature_set(features) for need in feature.needed())
    build_resources(
        *sides, folder, post_edited=post_edited, also=also, n_threads=n_threads,
        languages=languages, **annotators,
    )  # fmt: skip


@click.command()
@click.argument("table", metavar="[FEATURES]", required=False)
@model_option
@data_option
@click.option("--interval", "level", type=float, metavar="LEVEL", help="Also intervals, such as 0.9.")
@click.option("--scores", "plain", metavar="FILE", help="Also write the bare scores there, one a line.")
@click.option(
    "--submission", nargs=2, metavar="METHOD FILE", help="Also write a submission of WMT 2012, METHOD being TEAM_NAME."
)
@parses_options
@columns_option
@trace_options
@threads_option
@output_options
def predict(
    table: str | None, model: str, stem: str | None, level: float | None, plain: str | None,
    submission: tuple[str, str] | None, source_parses: str | None, target_parses: str | None, columns: str | None,
    traces: tuple[str, ...], engine: str | None, n_best: int, n_threads: int, form: str, output: str,
) -> None:  # fmt: skip
    """Estimate scores with a trained model.

    \b
      dragoman qe predict --data test -m model --interval 0.9
      dragoman qe predict test.tsv -m model --scores test.predicted
      dragoman qe predict test.tsv -m model --submission TEAM_svr test.submission
    """
    from dragoman.qe import QEModel
    from dragoman.qe.files import write_scores

    loaded = QEModel.load(model)
    found = _features(loaded, table, stem, columns, (source_parses, target_parses), (traces, engine, n_best), n_threads)
    predictions = loaded.predict(found, level=level)
    if plain is not None:
        write_scores(plain, predictions.scores)
    if submission is not None:
        from dragoman.qe.submission import Submission, write_submission

        write_submission(Submission.of(submission[0], predictions.scores, task=loaded.task.name), submission[1])
    emit(predictions, form, output)


@click.command()
@click.argument("table", metavar="[FEATURES]", required=False)
@model_option
@data_option
@bounds
@click.option("--confidence", type=float, default=0.9, show_default=True, help="That the risk is kept.")
@parses_options
@columns_option
@trace_options
@threads_option
@output_options
def decide(
    table: str | None, model: str, stem: str | None, good: float | None, bad: float | None, risk: float,
    confidence: float, source_parses: str | None, target_parses: str | None, columns: str | None,
    traces: tuple[str, ...], engine: str | None, n_best: int, n_threads: int,
    form: str, output: str,
) -> None:  # fmt: skip
    """Publish, post-edit or translate anew, at a risk that held-out sentences bound.

    \b
      dragoman qe decide --data test -m model --good 0.1 --bad 0.7 --risk 0.1
    """
    from dragoman.qe import QEModel

    loaded = QEModel.load(model)
    found = _features(loaded, table, stem, columns, (source_parses, target_parses), (traces, engine, n_best), n_threads)
    emit(loaded.decide(found, good=good, bad=bad, risk=risk, confidence=confidence), form, output)


@click.command()
@click.argument("table", metavar="[FEATURES]", required=False)
@model_option
@data_option
@click.option("--segment", "segments", type=click.IntRange(min=1), multiple=True, help="Only this one; repeatable.")
@click.option("--top", type=click.IntRange(min=1), default=5, show_default=True, help="Features of each sentence.")
@click.option("--orders", type=click.IntRange(min=1), default=20, show_default=True, help="Orders drawn, twice used.")
@parses_options
@columns_option
@trace_options
@seed_option
@threads_option
@output_options
def explain(
    table: str | None, model: str, stem: str | None, segments: tuple[int, ...], top: int, orders: int,
    source_parses: str | None, target_parses: str | None, columns: str | None, traces: tuple[str, ...],
    engine: str | None, n_best: int, seed: int, n_threads: int, form: str, output: str,
) -> None:  # fmt: skip
    """Say which features moved each score, and by how much; the parts add up to the score.

    \b
      dragoman qe explain --data test -m model --segment 3
    """
    from dragoman.errors import DataError
    from dragoman.qe import FeatureTable, QEModel

    loaded = QEModel.load(model)
    found = _features(loaded, table, stem, columns, (source_parses, target_parses), (traces, engine, n_best), n_threads)
    beyond = [number for number in segments if number > len(found)]
    if beyond:
        raise DataError(f"There is no segment {beyond[0]}; there are {len(found)}.")
    if segments:
        found = FeatureTable.of(found.names, found.values[[number - 1 for number in segments]])
    emit(loaded.explain(found, top=top, n_orders=orders, seed=seed, n_threads=n_threads), form, output)


@click.command()
@click.argument("stem", metavar="STEM")
@click.option("-m", "--model", "models", required=True, multiple=True, type=click.Path(), help="May be repeated.")
@click.option("--scores", metavar="FILE", help="True scores, a line a sentence [STEM.hter, or from STEM.pe].")
@click.option("--table", metavar="FILE", help="Features, for models that were trained on a table.")
@bounds
@click.option("--html", "page", metavar="FILE", help="Also write the report as one HTML file.")
@click.option("--trials", type=click.IntRange(min=1), default=1000, show_default=True, help="Bootstrap samples.")
@columns_option
@seed_option
@threads_option
@output_options
def report(
    stem: str, models: tuple[str, ...], scores: str | None, table: str | None, good: float | None, bad: float | None,
    risk: float, page: str | None, trials: int, columns: str | None, seed: int, n_threads: int, form: str, output: str,
) -> None:  # fmt: skip
    """Measure models on text with known scores: calibration, intervals, errors by length, decisions, worst cases.

    \b
      dragoman qe report test -m svr -m forest --html report.html
    """
    from dragoman.errors import DataError
    from dragoman.files import open_writer, plain_name
    from dragoman.qe import QEModel, report_model
    from dragoman.qe.files import read_scores
    from dragoman.qe.train import post_edit_scores

    names = [plain_name(path) for path in models]
    if len(set(names)) < len(names):
        raise DataError(f"Two models have one name: {', '.join(names)}. Name the folders otherwise.")
    loaded = {name: QEModel.load(path) for name, path in zip(names, models, strict=True)}
    data = _text(stem)
    reading = next(iter(loaded.values())).reading
    if scores is None:
        gold = post_edit_scores(data, target_tokeniser=reading.target_tokeniser if reading else "none")
    else:
        gold = tuple(read_scores(scores))
    result = report_model(
        loaded, gold, features=None if table is None else _read(table, columns), sources=data.sources,
        outputs=data.outputs, good=good, bad=bad, risk=risk, trials=trials, seed=seed, n_threads=n_threads,
    )  # fmt: skip
    if page is not None:
        with open_writer(page) as stream:
            stream.write(result.html())
    emit(result, form, output)
