"""`dragoman qe evaluate`: estimates beside a gold standard."""

from __future__ import annotations

from typing import Any

import click

from dragoman.cli.output import emit, output_options, seed_option
from dragoman.qe.tasks import TASKS, VARIANTS

__all__ = ["evaluate"]

_LABELS = ("plain", "words", "gaps", "table")


@click.command()
@click.argument("gold_file", metavar="GOLD")
@click.argument("predicted", nargs=-1, required=True, metavar="PREDICTED...")
@click.option(
    "--task",
    type=click.Choice(list(TASKS), case_sensitive=False),
    default="hter",
    show_default=True,
    help="What is estimated.",
)
@click.option(
    "--variant",
    type=click.Choice(list(VARIANTS), case_sensitive=False),
    default="both",
    show_default=True,
    help="Of scores: DeltaAvg and Spearman (ranking), or MAE, RMSE and Pearson (scoring).",
)
@click.option(
    "--against", metavar="NAME", multiple=True, help="Test the others against this prediction, instead of the first."
)
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
    type=click.Choice(_LABELS, case_sensitive=False),
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
    variant: str,
    against: tuple[str, ...],
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
    """Measure estimates against a gold standard.

    They stand beside the oracle and predictors that look at nothing. Scores stand a line a sentence; submissions of
    WMT 2012 (METHOD, SEGMENT, SCORE, RANK) are read as well: ranks order in the variant ranking, where they are given.

    \b
      dragoman qe evaluate test.hter test.predicted
      dragoman qe evaluate test.effort svr.effort ridge.effort --task effort --train train.effort
      dragoman qe evaluate test.effort svr.effort ridge.effort --task effort --variant ranking --against svr.effort
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
        return _read_labels(path, labels) if task == "words" else read_estimates(path, task, variant)

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
        variant=variant,
        against=against,
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

    by_segment = read_labels(path, level)
    if not order:
        order.extend(by_segment)
    if by_segment.keys() != set(order):
        name = min(by_segment.keys() ^ set(order))
        raise DataError(f"{path}: segment {name} is {'not in the gold standard' if name in by_segment else 'missing'}.")
    return [by_segment[segment] for segment in order]
