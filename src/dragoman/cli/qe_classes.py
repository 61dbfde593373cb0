"""`dragoman qe classify|documents`: labels of sentences, scores of documents."""

from __future__ import annotations

import click

from dragoman.cli.output import emit, output_options, seed_option, threads_option
from dragoman.cli.recipes import recipe_options
from dragoman.qe.classes import ClassRecipe

__all__ = ["classify", "documents"]


@click.command()
@click.argument("table", metavar="[FEATURES]", required=False)
@click.option("-m", "--model", required=True, type=click.Path(), help="The classifier's folder.")
@click.option("--train", "trained", nargs=2, metavar="FEATURES LABELS", help="Learn it first: a label a line.")
@recipe_options(ClassRecipe, spellings={"n_folds": ("--folds",)})
@click.option("--directions", is_flag=True, help="Labels are directions of entailment: learn a classifier of each.")
@click.option("--labels", "plain", metavar="FILE", help="Also write the bare labels there, one a line.")
@seed_option
@threads_option
@output_options
def classify(
    table: str | None,
    model: str,
    trained: tuple[str, str] | None,
    recipe: ClassRecipe,
    directions: bool,
    plain: str | None,
    seed: int,
    n_threads: int,
    form: str,
    output: str,
) -> None:
    """Label sentences with the learners of scores.

    Labels are any words: adequate or not, directions of entailment. With --directions these are bidirectional, forward,
    backward and no_entailment; one classifier says whether the source says all that the output says (forward), another
    whether the output says all that the source says (backward), each by the features of the side that may say more.

    \b
      dragoman qe classify --train train.tsv train.labels -m adequacy
      dragoman qe classify test.tsv -m adequacy --labels test.predicted
      dragoman qe classify --train clte.tsv clte.labels -m entailment --directions
      dragoman qe evaluate test.labels test.predicted --task words
    """
    from dragoman.files import read_lines, write_lines
    from dragoman.qe import read_features
    from dragoman.qe.classes import ClassModel
    from dragoman.qe.entailment import EntailmentModel, EntailmentRecipe, load_classifier

    if directions and trained is None:
        raise click.UsageError("--directions goes with --train; a trained classifier knows what it says.")
    if trained is not None:
        labels = [line.strip() for line in read_lines(trained[1])]
        chosen = EntailmentRecipe.from_dict(recipe.to_dict()) if directions else recipe
        loaded: ClassModel | EntailmentModel = chosen.train(
            read_features(trained[0]), labels, seed=seed, n_threads=n_threads
        )
        loaded.save(model)
        if table is None:
            emit(loaded.training, form, output)
            return
    elif table is None:
        raise click.UsageError("Give a table of features to label, or --train, or both.")
    else:
        loaded = load_classifier(model)
    predictions = loaded.predict(read_features(table))
    if plain is not None:
        write_lines(plain, predictions.labels)
    emit(predictions, form, output)


@click.command()
@click.argument("scores")
@click.option("--documents", "names", metavar="FILE", help="The name of each sentence's document, a line a sentence.")
@click.option("--every", type=click.IntRange(min=1), metavar="N", help="Or: runs of N sentences are documents.")
@click.option("--lengths-of", "text", metavar="FILE", help="Weigh sentences by their words in this tokenised text.")
@output_options
def documents(scores: str, names: str | None, every: int | None, text: str | None, form: str, output: str) -> None:
    """Score documents by the scores of their sentences.

    \b
      dragoman qe documents test.predicted --documents test.docids --lengths-of test.mt
      dragoman qe documents test.predicted --every 10
    """
    from dragoman.files import read_lines
    from dragoman.qe.documents import DocumentScores, runs_as_documents
    from dragoman.qe.files import read_scores

    if (names is None) == (every is None):
        raise click.UsageError("Say what the documents are: --documents FILE or --every N.")
    values = read_scores(scores)
    which = read_lines(names) if names is not None else [str(n + 1) for n in runs_as_documents(len(values), every or 1)]
    weights = [len(line.split()) for line in read_lines(text)] if text is not None else None
    emit(DocumentScores.of(values, which, weights=weights), form, output)
