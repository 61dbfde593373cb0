"""`dragoman qe predict|decide|explain|report`: what trained models say, of text or of tables of features."""

from __future__ import annotations

import click

from dragoman.cli.output import emit, output_options, seed_option, threads_option
from dragoman.cli.qe_input import Asked, asked_options, columns_option, read_table, read_text
from dragoman.cli.recipes import recipe_options
from dragoman.qe.recipes import DecisionRecipe, ReportRecipe

__all__ = ["decide", "explain", "predict", "report"]


@click.command()
@asked_options
@click.option("--interval", "level", type=float, metavar="LEVEL", help="Also intervals, such as 0.9.")
@click.option("--scores", "plain", metavar="FILE", help="Also write the bare scores there, one a line.")
@click.option(
    "--submission", nargs=2, metavar="METHOD FILE", help="Also write a submission of WMT 2012, METHOD being TEAM_NAME."
)
@output_options
def predict(
    asked: Asked, level: float | None, plain: str | None, submission: tuple[str, str] | None, form: str, output: str
) -> None:
    """Estimate scores with a trained model.

    \b
      dragoman qe predict --data test -m model --interval 0.9
      dragoman qe predict test.tsv -m model --scores test.predicted
      dragoman qe predict test.tsv -m model --submission TEAM_svr test.submission
    """
    from dragoman.qe.files import write_scores

    model, features = asked.load()
    predictions = model.predict(features, level=level)
    if plain is not None:
        write_scores(plain, predictions.scores)
    if submission is not None:
        from dragoman.qe.submission import Submission, write_submission

        write_submission(Submission.of(submission[0], predictions.scores, task=model.task.name), submission[1])
    emit(predictions, form, output)


@click.command()
@asked_options
@recipe_options(DecisionRecipe)
@click.option("--html", "page", metavar="FILE", help="Also write decisions and the curve of risks as one HTML file.")
@output_options
def decide(asked: Asked, recipe: DecisionRecipe, page: str | None, form: str, output: str) -> None:
    """Publish, post-edit or translate anew, at a bounded risk.

    Held-out sentences bound the share of wrong decisions, and say what could be published at which risk.

    \b
      dragoman qe decide --data test -m model --good 0.1 --bad 0.7 --risk 0.1
      dragoman qe decide --data test -m model --html decisions.html
    """
    from dragoman.files import open_writer

    model, features = asked.load()
    decisions = model.decide(features, recipe=recipe)
    if page is not None:
        with open_writer(page) as stream:
            stream.write(decisions.html())
    emit(decisions, form, output)


@click.command()
@asked_options
@click.option("--segment", "segments", type=click.IntRange(min=1), multiple=True, help="Only this one; repeatable.")
@click.option("--top", type=click.IntRange(min=1), default=5, show_default=True, help="Features of each sentence.")
@click.option(
    "--orders",
    type=click.IntRange(min=1),
    default=20,
    show_default=True,
    help="Of models that are no weighted sum: orders of the features drawn, each taken both ways.",
)
@seed_option
@output_options
def explain(asked: Asked, segments: tuple[int, ...], top: int, orders: int, seed: int, form: str, output: str) -> None:
    """Say which features moved each score, and by how much.

    The parts add up to the score.

    \b
      dragoman qe explain --data test -m model --segment 3
    """
    model, features = asked.load()
    emit(model.explain(features, top=top, n_orders=orders, segments=segments, seed=seed), form, output)


@click.command()
@click.argument("stem", metavar="STEM")
@click.option("-m", "--model", "models", required=True, multiple=True, type=click.Path(), help="May be repeated.")
@click.option("--scores", metavar="FILE", help="True scores, a line a sentence [STEM.hter, or from STEM.pe].")
@click.option("--table", metavar="FILE", help="Features, for models that were trained on a table.")
@recipe_options(ReportRecipe, spellings={"n_worst": ("--worst",)})
@click.option("--html", "page", metavar="FILE", help="Also write the report as one HTML file.")
@columns_option
@seed_option
@threads_option
@output_options
def report(
    stem: str,
    models: tuple[str, ...],
    scores: str | None,
    table: str | None,
    recipe: ReportRecipe,
    page: str | None,
    columns: str | None,
    seed: int,
    n_threads: int,
    form: str,
    output: str,
) -> None:
    """Measure models on text with known scores.

    Calibration, intervals, errors by length, decisions, worst cases.

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
    data = read_text(stem)
    reading = next(iter(loaded.values())).reading
    if scores is not None:
        data = data.having(read_scores(scores))
    result = report_model(
        loaded,
        data.having(post_edit_scores(data, target_tokeniser=reading.target_tokeniser if reading else "none")),
        recipe,
        features=None if table is None else read_table(table, columns),
        seed=seed,
        n_threads=n_threads,
    )
    if page is not None:
        with open_writer(page) as stream:
            stream.write(result.html())
    emit(result, form, output)
