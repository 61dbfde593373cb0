"""`dragoman qe study` and `dragoman qe experiment`: what features say, and which learner says it best."""

from __future__ import annotations

from pathlib import Path

import click

from dragoman.cli.output import emit, output_options, seed_option, threads_option
from dragoman.cli.progress import shown_progress
from dragoman.cli.qe_input import columns_option, read_table
from dragoman.cli.recipes import recipe_options
from dragoman.cli.spellings import bitext_option
from dragoman.qe.studies.phrases import TemplateRecipe
from dragoman.qe.tasks import SCORE_TASKS

__all__ = ["experiment", "study"]

_task_option = click.option(
    "--task",
    type=click.Choice(list(SCORE_TASKS), case_sensitive=False),
    default="hter",
    show_default=True,
    help="What is scored.",
)
_learner_option = click.option("--learner", default="ridge", show_default=True, help="How to learn.")


@click.group()
def study() -> None:
    """Look into features: which say the same, what each gives."""


@study.command()
@click.argument("features")
@click.option("--bar", "bars", multiple=True, type=float, help="Strength that is counted [.9, .8, .7].")
@columns_option
@output_options
def census(features: str, bars: tuple[float, ...], columns: str | None, form: str, output: str) -> None:
    """Count the pairs of features that say nearly the same.

    \b
      dragoman qe study census train.tsv --columns baseline17
    """
    from dragoman.qe.studies import correlation_census
    from dragoman.qe.studies.census import BARS

    emit(correlation_census(read_table(features, columns), bars=bars or BARS), form, output)


@study.command()
@click.argument("features")
@click.argument("scores")
@_learner_option
@_task_option
@columns_option
@seed_option
@threads_option
@output_options
def columns(  # the command's name
    features: str,
    scores: str,
    learner: str,
    task: str,
    columns: str | None,
    seed: int,
    n_threads: int,
    form: str,
    output: str,
) -> None:
    """Say what each feature gives, alone and beside the others.

    \b
      dragoman qe study columns train.tsv train.hter
    """
    from dragoman.learn import LEARNERS
    from dragoman.qe.files import read_scores
    from dragoman.qe.studies import column_report

    table, gold = read_table(features, columns), read_scores(scores)
    with shown_progress() as progress:
        result = column_report(
            LEARNERS.make(learner), table, gold, task=task, seed=seed, n_threads=n_threads, progress=progress
        )
    emit(result, form, output)


@study.command()
@click.argument("gold")
@click.argument("predicted", nargs=-1, required=True, metavar="PREDICTED...")
@_task_option
@output_options
def profile(gold: str, predicted: tuple[str, ...], task: str, form: str, output: str) -> None:
    """Show how far from their right ranks predictions put sentences.

    \b
      dragoman qe study profile test.hter ridge.hter svr.hter
    """
    from dragoman.errors import DataError
    from dragoman.files import plain_name
    from dragoman.qe.studies import error_profile
    from dragoman.qe.submission import read_estimates

    names = [plain_name(path) for path in predicted]
    if len(set(names)) < len(names):
        raise DataError(f"Two predictions have one name: {', '.join(names)}. Name the files otherwise.")
    systems = {name: read_estimates(path) for name, path in zip(names, predicted, strict=True)}
    emit(error_profile(read_estimates(gold), systems, task=task), form, output)


@study.command()
@click.argument("features")
@click.argument("scores")
@click.argument("known")
@_learner_option
@_task_option
@columns_option
@click.option("--train", "n_train", type=click.IntRange(min=2), help="Sentences to learn from [three quarters].")
@click.option("--splits", type=click.IntRange(min=1), default=5, show_default=True, help="Random splits.")
@seed_option
@threads_option
@output_options
def oracle(
    features: str,
    scores: str,
    known: str,
    learner: str,
    task: str,
    columns: str | None,
    n_train: int | None,
    splits: int,
    seed: int,
    n_threads: int,
    form: str,
    output: str,
) -> None:
    """Say what a model would gain by knowing what only a post-edit tells.

    KNOWN has a number a line, such as the HTER of each sentence, where SCORES are people's.

    \b
      dragoman qe study oracle train.tsv train.effort train.hter --task effort --learner forest
    """
    from dragoman.learn import LEARNERS
    from dragoman.qe.files import read_scores
    from dragoman.qe.studies import oracle_gain

    table, gold, hter = read_table(features, columns), read_scores(scores), read_scores(known)
    more = {"task": task, "n_train": n_train, "splits": splits, "seed": seed, "n_threads": n_threads}
    with shown_progress() as progress:
        result = oracle_gain(LEARNERS.make(learner), table, gold, hter, progress=progress, **more)  # type: ignore[arg-type]
    emit(result, form, output)


@study.command()
@click.argument("output_text", metavar="MT")
@click.argument("post_edits", metavar="PE")
@click.argument("scores")
@click.option(
    "--task",
    type=click.Choice(list(SCORE_TASKS), case_sensitive=False),
    default="effort",
    show_default=True,
    help="What people scored.",
)
@click.option("--target-tokeniser", default="none", show_default=True, help="How to cut outputs and post-edits.")
@threads_option
@output_options
def ceiling(
    output_text: str,
    post_edits: str,
    scores: str,
    task: str,
    target_tokeniser: str,
    n_threads: int,
    form: str,
    output: str,
) -> None:
    """Say how well post-edits themselves tell people's scores.

    Sentences are ranked and scored by the TER and BLEU of MT against PE.

    \b
      dragoman qe study ceiling test.mt test.pe test.effort --target-tokeniser moses:lang=es,escape=no
    """
    from dragoman.files import read_lines
    from dragoman.qe.files import read_scores
    from dragoman.qe.studies import post_edit_ceiling

    result = post_edit_ceiling(
        read_lines(output_text),
        read_lines(post_edits),
        read_scores(scores),
        task=task,
        tokeniser=target_tokeniser,
        n_threads=n_threads,
    )
    emit(result, form, output)


@study.command()
@click.argument("source")
@click.argument("output_text", metavar="MT")
@click.argument("scores")
@click.option("--post-edits", metavar="FILE", help="Post-edits: what people replaced are phrases, too.")
@click.option("--references", metavar="FILE", help="References: their phrases.")
@click.option("--back", metavar="FILE", help="Outputs translated back: what the source has and they have not.")
@bitext_option("Tokenised text: source pairs that it splits, pairs with a short word that it lacks.")
@click.option("--table", metavar="FILE", help="A phrase table as Moses writes it: phrases alike those found join them.")
@recipe_options(TemplateRecipe)
@click.option("--most", type=click.IntRange(min=1), default=10, show_default=True, help="Phrases shown of each kind.")
@_learner_option
@_task_option
@seed_option
@threads_option
@output_options
def phrases(
    source: str,
    output_text: str,
    scores: str,
    post_edits: str | None,
    references: str | None,
    back: str | None,
    bitext: tuple[str, ...] | None,
    table: str | None,
    recipe: TemplateRecipe,
    most: int,
    learner: str,
    task: str,
    seed: int,
    n_threads: int,
    form: str,
    output: str,
) -> None:
    """List the phrases that go with bad and with good translations.

    \b
      dragoman qe study phrases train.src train.mt train.hter --post-edits train.pe
      dragoman qe study phrases train.src train.mt train.hter --back train.back --bitext corpus.en corpus.de
    """
    from dragoman.data.bitext_files import read_bitext
    from dragoman.files import read_lines
    from dragoman.learn import LEARNERS
    from dragoman.qe.files import read_scores
    from dragoman.qe.studies import phrase_report
    from dragoman.qe.studies.phrase_material import PhraseMaterial, read_table_phrases

    post_edited, referred, returned = (
        None if path is None else read_lines(path) for path in (post_edits, references, back)
    )
    beside = PhraseMaterial(post_edited, referred, returned, table=read_table_phrases(table) if table else {})
    if bitext:
        beside = beside.having_corpus(read_bitext(bitext), n_threads=n_threads)
    result = phrase_report(
        LEARNERS.make(learner),
        read_lines(source),
        read_lines(output_text),
        read_scores(scores),
        recipe,
        beside=beside,
        task=task,
        most=most,
        seed=seed,
        n_threads=n_threads,
    )
    emit(result, form, output)


@click.command()
@click.argument("file")
@click.option(
    "--keep", type=click.Path(file_okay=False), help="Folder of figures; what lies there is not computed again."
)
@seed_option
@threads_option
@output_options
def experiment(file: str, keep: str | None, seed: int, n_threads: int, form: str, output: str) -> None:
    """Try every set of features with every selector and learner.

    FILE is TOML: [data] with train, train_scores (and test, test_scores, columns), [features] with patterns of columns,
    [selectors], [learners].

    \b
      dragoman qe experiment grid.toml --keep figures
    """
    from dragoman.qe.studies import read_experiment, run_experiment

    asked = read_experiment(file)
    with shown_progress() as progress:
        result = run_experiment(
            asked.recipe,
            asked.train,
            asked.test,
            folder=Path(keep) if keep is not None else None,
            seed=seed,
            n_threads=n_threads,
            progress=progress,
        )
    emit(result, form, output)
