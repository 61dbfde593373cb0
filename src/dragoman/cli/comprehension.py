"""`dragoman study comprehension plan` and `score`."""

from __future__ import annotations

import click

from dragoman.cli.output import emit, output_options, seed_option

__all__ = ["comprehension"]


@click.group()
def comprehension() -> None:
    """Plan and score tests of what listeners understood."""


@comprehension.command()
@click.argument("passages", metavar="PASSAGE...", nargs=-1, required=True)
@click.option("-a", "--annotator", "annotators", metavar="NAME", multiple=True, help="Who listens; may be repeated.")
@click.option("-n", "--annotators", "n_annotators", type=click.IntRange(min=1), help="How many, if they have no names.")
@click.option(
    "-c",
    "--condition",
    "conditions",
    metavar="NAME",
    multiple=True,
    default=("interpreter", "system"),
    show_default=True,
    help="What is heard; may be repeated.",
)
@seed_option
@output_options
def plan(
    passages: tuple[str, ...],
    annotators: tuple[str, ...],
    n_annotators: int | None,
    conditions: tuple[str, ...],
    seed: int,
    form: str,
    output: str,
) -> None:
    """Deal passages and conditions to listeners.

    \b
      dragoman study comprehension plan harbour bees library train -n 6
      dragoman study comprehension plan talk-1 talk-2 -a ann -a bob -c interpreter -c system --form tsv -o sessions.tsv

    Nobody hears a passage twice; every passage is heard equally often in every condition.
    """
    from dragoman.human.comprehension.plan import plan_listening

    if bool(annotators) == bool(n_annotators):
        raise click.UsageError("Name the listeners with -a, or give their number with -n.")
    emit(plan_listening(passages, n_annotators or annotators, conditions=conditions, seed=seed), form, output)


@comprehension.command()
@click.argument("folder", type=click.Path())
@click.option(
    "--restrict", metavar="CONDITION", help="Show also what comes of questions that this condition let be answered."
)
@output_options
def score(folder: str, restrict: str | None, form: str, output: str) -> None:
    """Score the answers, tell where others were lost, and how far listeners agree.

    \b
      dragoman study comprehension score samples/studies/comprehension --restrict interpreter

    FOLDER holds questions.tsv and answers.tsv, and perhaps ratings.tsv and presence.tsv; one table of the judgement
    kind comprehension will do as well.
    """
    from dragoman.data.questionnaires import read_questionnaire
    from dragoman.human.comprehension.scores import score_comprehension

    emit(score_comprehension(read_questionnaire(folder), restrict_to=restrict), form, output)
