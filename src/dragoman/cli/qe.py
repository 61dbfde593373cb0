"""`dragoman qe gold|resources|features|evaluate`, and the commands of models."""

from __future__ import annotations

from typing import Any

import click

from dragoman.cli.output import emit, layer_option, output_options, seed_option, threads_option
from dragoman.cli.qe_audit import audit
from dragoman.cli.qe_check import check
from dragoman.cli.qe_classes import classify, documents
from dragoman.cli.qe_models import decide, explain, predict, report
from dragoman.cli.qe_parses import parser_options
from dragoman.cli.qe_select import select
from dragoman.cli.qe_traces import read_traces, trace, trace_options
from dragoman.cli.qe_train import train
from dragoman.cli.qe_trees import trees
from dragoman.cli.qe_words import words
from dragoman.qe.tasks import TASKS

__all__ = ["qe"]

_LABELS = ("plain", "words", "gaps", "table")


@click.group()
def qe() -> None:
    """Estimate the quality of translations without a reference."""


for _command in (
    train,
    predict,
    decide,
    explain,
    report,
    select,
    audit,
    check,
    classify,
    documents,
    trace,
    trees,
    words,
):
    qe.add_command(_command)


@qe.command()
@click.argument("source")
@click.argument("output_file", metavar="MT")
@click.argument("post_edit", metavar="POST_EDIT")
@click.option("--to", "stem", required=True, metavar="STEM", help="Write STEM.src .mt .pe .hter .tags.")
@threads_option
@output_options
def gold(source: str, output_file: str, post_edit: str, stem: str, n_threads: int, form: str, output: str) -> None:
    """Make a gold standard from tokenised outputs and their post-edits: HTER, and a tag for each word and gap.

    \b
      dragoman qe gold dev.src dev.mt dev.pe --to gold/dev
    """
    from dragoman.files import read_lines
    from dragoman.metrics import hter
    from dragoman.qe import QEData, write_qe

    srcs, outputs, post_edits = (tuple(read_lines(path)) for path in (source, output_file, post_edit))
    found = hter(outputs, post_edits, n_threads=n_threads)
    write_qe(QEData(srcs, outputs, post_edits, found.values, found.tags), stem)
    emit(found, form, output)


@qe.command()
@click.argument("source", required=False)
@click.argument("target", required=False)
@click.option("-m", "--model", required=True, type=click.Path(), help="The folder to make.")
@click.option(
    "--post-edited",
    "stem",
    metavar="STEM",
    help="Post-edited translations, STEM.src .pe and .mt: joined to the bitext, and held out in parts.",
)
@click.option(
    "--parts",
    "n_parts",
    type=click.IntRange(min=2),
    default=5,
    show_default=True,
    help="Parts of the post-edited translations; all is built again without each.",
)
@click.option("--source-text", metavar="FILE", help="Further text of the source language, for models and counts.")
@click.option("--target-text", metavar="FILE", help="Further text of the target language, for models and counts.")
@click.option(
    "--source-wide",
    multiple=True,
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False),
    help="A further corpus of the source language, counted by itself: text, or .tsv of n-grams and counts; repeatable.",
)
@click.option(
    "--target-wide",
    multiple=True,
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False),
    help="The same of the target language.",
)
@click.option(
    "--also",
    multiple=True,
    metavar="NAME",
    help="Also build dwl, good-text, long-models, nets, topics, triggers, unaligned, word-bayes, or all; repeatable.",
)
@parser_options
@click.option("--languages", default="", metavar="PAIR", help="The pair, such as en-de: kept, and compared when used.")
@trace_options
@threads_option
@output_options
def resources(
    source: str | None,
    target: str | None,
    model: str,
    stem: str | None,
    n_parts: int,
    source_text: str | None,
    target_text: str | None,
    also: tuple[str, ...],
    source_wide: tuple[str, ...],
    target_wide: tuple[str, ...],
    languages: str,
    traces: tuple[str, ...],
    engine: str | None,
    n_best: int,
    n_threads: int,
    form: str,
    output: str,
    **annotators: Any,
) -> None:
    """Build what the features need from a tokenised bitext, from post-edited translations, or from both.

    \b
      dragoman qe resources train.en train.de -m resources
      dragoman qe resources -m resources --post-edited train
      dragoman qe resources train.en train.de -m resources --also dwl --also topics
      dragoman qe resources train.en train.de -m resources --source-parser parser.en --target-parser parser.de
    """
    from dragoman.errors import DataError
    from dragoman.files import read_lines
    from dragoman.qe import read_qe
    from dragoman.qe.features.traced import add_quartiles
    from dragoman.qe.resources import build_resources

    if source is not None and target is None:
        raise DataError("A bitext has two files, source and target; got one.")
    sources, targets = ((read_lines(path) if path is not None else []) for path in (source, target))
    edited = read_qe(stem) if stem is not None else None
    if (traces or engine) and (edited is None or edited.outputs is None):
        raise click.UsageError("Traces are of post-edited translations: give --post-edited with STEM.mt, too.")
    built = build_resources(
        sources,
        targets,
        model,
        post_edited=edited,
        source_text=read_lines(source_text) if source_text is not None else (),
        target_text=read_lines(target_text) if target_text is not None else (),
        source_wide=source_wide,
        target_wide=target_wide,
        n_parts=n_parts,
        also=also,
        languages=languages,
        n_threads=n_threads,
        **annotators,
    )
    if edited is not None and edited.sources and edited.outputs:
        found = read_traces(edited.sources, edited.outputs, traces, engine, n_best, n_threads)
        if found is not None:
            add_quartiles(model, edited.sources, edited.outputs, found, n_threads=n_threads)
    emit(built, form, output)


@qe.command()
@click.argument("source", required=False)
@click.argument("output_file", metavar="[MT]", required=False)
@click.option(
    "-f",
    "--feature",
    "features",
    multiple=True,
    metavar="NAME",
    default=("surface",),
    show_default=True,
    help="A set (surface, baseline17, black-box, …) or a feature with options; may be repeated.",
)
@click.option("--resources", "folder", type=click.Path(exists=True), help="Folder that dragoman qe resources made.")
@click.option("--lexicon", type=click.Path(exists=True), help="Lines of source word, target word, p(target | source).")
@layer_option
@click.option(
    "--compat", type=click.Choice(["", "wmt12"]), default="", help="wmt12: as in the released files, quirks and all."
)
@click.option("--source-tokeniser", default="none", show_default=True, metavar="NAME", help="How to cut the source.")
@click.option("--target-tokeniser", default="none", show_default=True, metavar="NAME", help="How to cut the output.")
@click.option("--languages", default="", metavar="PAIR", help="The pair; resources of another one are refused.")
@click.option("--check/--no-check", "check_languages", default=True, help="Do the resources know the text's words?")
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
    features: tuple[str, ...],
    folder: str | None,
    lexicon: str | None,
    layers: tuple[str, ...],
    compat: str,
    source_tokeniser: str,
    target_tokeniser: str,
    languages: str,
    check_languages: bool,
    others: tuple[str, ...],
    backs: tuple[str, ...],
    traces: tuple[str, ...],
    engine: str | None,
    n_best: int,
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
        features=features,
        resources=load_resources(folder, lexicon=lexicon, layers=read_layers(layers)),
        trace=read_traces(sources, outputs, traces, engine, n_best, n_threads),
        compat=compat,
        source_tokeniser=source_tokeniser,
        target_tokeniser=target_tokeniser,
        languages=languages,
        check_languages=check_languages,
        cache=cache,
        n_threads=n_threads,
    )
    # Others are of the output's side, translations back of the source's.
    for name, given, own, tokeniser in (
        ("agreement", others, output_file, target_tokeniser),
        ("back", backs, source, source_tokeniser),
    ):
        cut = TOKENISERS.make(tokeniser)
        for label, paths in _by_engine(given).items():
            lines = cut.tokenise(read_lines(own), n_threads=n_threads)
            texts = [cut.tokenise(read_lines(path), n_threads=n_threads) for path in paths]
            full = f"{name}-{label}" if label else name
            table = join_features(table, agreement_features(lines, texts, name=full, n_threads=n_threads))
    emit(table, form, output)


def _by_engine(given: tuple[str, ...]) -> dict[str, list[str]]:
    """Files by the engine that they are named for, `NAME=FILE`; those without a name are together."""
    found: dict[str, list[str]] = {}
    for each in given:
        name, equals, path = each.partition("=")
        named = bool(equals) and "/" not in name
        found.setdefault(name if named else "", []).append(path if named else each)
    return found


@qe.command()
@click.argument("gold_file", metavar="GOLD")
@click.argument("predicted", nargs=-1, required=True, metavar="PREDICTED...")
@click.option("--task", type=click.Choice(list(TASKS)), default="hter", show_default=True, help="What is estimated.")
@click.option("--train", "trained", metavar="FILE", help="Gold standard of the training data: what the mean says.")
@click.option(
    "--length",
    nargs=2,
    metavar="TRAIN_MT TEST_MT",
    help="With --train: show what the length of the output alone says, learnt from these outputs.",
)
@click.option("--groups", metavar="FILE", help="ranking: a line a translation, the name of its source.")
@click.option(
    "--labels",
    type=click.Choice(_LABELS),
    default="plain",
    show_default=True,
    help="words: labels between blanks (plain), the words or gaps of .tags files (predictions may have these alone), "
    "or tables of WMT 2014.",
)
@click.option("--level", default="binary", show_default=True, help="Of tables: error, level-1 or binary.")
@click.option("--trials", type=click.IntRange(min=1), default=1000, show_default=True, help="Bootstrap samples.")
@seed_option
@output_options
def evaluate(
    gold_file: str,
    predicted: tuple[str, ...],
    task: str,
    trained: str | None,
    length: tuple[str, str] | None,
    groups: str | None,
    labels: str,
    level: str,
    trials: int,
    seed: int,
    form: str,
    output: str,
) -> None:
    """Measure estimates against a gold standard, beside the oracle and predictors that look at nothing.

    Scores stand a line a sentence; submissions of WMT 2012 (METHOD, SEGMENT, SCORE, RANK) are read as well.

    \b
      dragoman qe evaluate test.hter test.predicted
      dragoman qe evaluate test.effort svr.effort ridge.effort --task effort --train train.effort
      dragoman qe evaluate test.tags test.predicted.tags --task words --labels words
    """
    from dragoman.errors import DataError
    from dragoman.files import plain_name, read_lines
    from dragoman.qe import evaluate as run
    from dragoman.qe import length_scores
    from dragoman.qe.submission import read_estimates

    names = [plain_name(path) for path in predicted]
    if len(set(names)) < len(names):
        raise DataError(f"Two predictions have one name: {', '.join(names)}. Name the files otherwise.")

    order: list[str] = []

    def read(path: str) -> list[Any]:
        if task == "words" and labels == "table":
            return _read_table(path, level, order)
        return _read_labels(path, labels) if task == "words" else read_estimates(path)

    extra: dict[str, Any] = {}
    if trained is not None and task == "words":
        extra["train_labels"] = _read_table(trained, level, []) if labels == "table" else read(trained)
    elif trained is not None:
        scores = read(trained)
        if not scores:
            raise DataError(f"{trained} has no scores.")
        extra["train_mean"] = sum(scores) / len(scores)
        if length:
            before, here = (read_lines(path) for path in length)
            extra["trivial"] = {"length": length_scores(before, scores, here, task)}
    if length and (trained is None or task in {"words", "ranking"}):
        raise click.UsageError("--length needs the training scores (--train) of a task with scores.")
    gold = read(gold_file)

    def read_said(path: str) -> list[Any]:
        return _read_said(path, labels, gold) if task == "words" and labels in ("words", "gaps") else read(path)

    result = run(
        gold,
        {name: read_said(path) for name, path in zip(names, predicted, strict=True)},
        task=task,
        groups=read_lines(groups) if groups is not None else None,
        trials=trials,
        seed=seed,
        **extra,
    )
    emit(result, form, output)


def _read_labels(path: str, labels: str) -> list[Any]:
    from dragoman.qe.files import read_label_lines, read_tags

    if labels == "plain":
        return list(read_label_lines(path))
    return [list(getattr(tags, labels)) for tags in read_tags(path)]


def _read_said(path: str, labels: str, gold: list[Any]) -> list[Any]:
    """Predicted labels of words or of gaps: a file may have these alone, as a model writes them, or both in turn."""
    from dragoman.qe.files import read_label_lines

    alone = read_label_lines(path)
    if [len(line) for line in alone] == [len(line) for line in gold]:
        return list(alone)
    return _read_labels(path, labels)


def _read_table(path: str, level: str, order: list[str]) -> list[Any]:
    """The labels of the segments in `order`, which the first table gives; others must have the same segments."""
    from dragoman.errors import DataError
    from dragoman.qe.files import read_labels

    found = read_labels(path, level)
    if not order:
        order.extend(found)
    if found.keys() != set(order):
        name = min(found.keys() ^ set(order))
        raise DataError(f"{path}: segment {name} is {'not in the gold standard' if name in found else 'missing'}.")
    return [found[segment] for segment in order]
