"""`dragoman select`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from dragoman.cli.corpus import bitext_arguments
from dragoman.cli.output import RegistryChoice, emit, output_options, repair_option, seed_option, threads_option
from dragoman.cli.progress import shown_progress
from dragoman.cli.workers import open_shop, pool_options, work_option
from dragoman.corpus.select.base import SELECTION_SCORES

if TYPE_CHECKING:
    from dragoman.corpus.select import Texts

__all__ = ["select"]

_TEXT = click.Path(allow_dash=False)


@click.command()
@click.argument("method", metavar="METHOD", type=RegistryChoice(SELECTION_SCORES))
@bitext_arguments
@click.option(
    "--like",
    "like_paths",
    multiple=True,
    metavar="FILE",
    type=_TEXT,
    help="What the selection shall be like: one text, or twice for both sides.",
)
@click.option(
    "--and",
    "others",
    multiple=True,
    metavar="METHOD",
    type=RegistryChoice(SELECTION_SCORES),
    help="A further score, joined with the first; may be repeated.",
)
@click.option("--weight", "weights", type=float, multiple=True, help="Weight of each score, in their order; 1 if none.")
@click.option(
    "--join",
    type=click.Choice(["ranks", "sums"], case_sensitive=False),
    default="ranks",
    show_default=True,
    help="How several scores become one: weighted mean of ranks, or weighted sum.",
)
@click.option("--most", type=click.IntRange(min=1), help="Take so many.")
@click.option("--share", type=click.FloatRange(0, 1, min_open=True), help="Take such a share of the pool.")
@click.option("--least", type=float, help="Take what scores above this alone.")
@click.option("--match-lengths", is_flag=True, help="Take as many short and long ones as the text of --like has.")
@click.option(
    "--curve", is_flag=True, help="Measure the ranking at several sizes, and say where it turns; needs --dev."
)
@click.option("--dev", "dev_paths", multiple=True, metavar="FILE", type=_TEXT, help="Held-out text to measure by.")
@click.option(
    "--measure",
    type=click.Choice(["perplexity", "bleu"], case_sensitive=False),
    default="perplexity",
    show_default=True,
    help="Measure by language models of what is taken, or by small engines trained on it.",
)
@click.option(
    "--training",
    "training_paths",
    multiple=True,
    metavar="FILE",
    type=_TEXT,
    help="Training text that the selection must not stand in, as a tuning set; one side or twice for both.",
)
@click.option("--force", is_flag=True, help="Take a selection that stands in the training text all the same.")
@click.option("--to", metavar="OUT", help="Write what is selected: a prefix for two files, a .tmx, .tsv …; or a file.")
@click.option("--scores", metavar="FILE", help="Write the score of every line or pair of the pool there.")
@click.option(
    "--examples", type=click.IntRange(min=0), default=2, show_default=True, help="Examples shown of each kind."
)
@pool_options
@work_option
@seed_option
@threads_option
@repair_option
@output_options
def select(
    method: str,
    paths: tuple[str, ...],
    format_: str | None,
    pair: str | None,
    like_paths: tuple[str, ...],
    others: tuple[str, ...],
    weights: tuple[float, ...],
    join: Any,
    most: int | None,
    share: float | None,
    least: float | None,
    match_lengths: bool,
    curve: bool,
    dev_paths: tuple[str, ...],
    measure: str,
    training_paths: tuple[str, ...],
    force: bool,
    to: str | None,
    scores: str | None,
    examples: int,
    n_workers: int,
    cluster: str | None,
    part: int,
    work: str,
    seed: int,
    n_threads: int,
    form: str,
    output: str,
) -> None:
    """Take from a pool of text what helps, and say where to stop.

    \b
      dragoman select moore-lewis pool.de pool.en --like own.de --like own.en --share 0.25 --to chosen
      dragoman select noise crawl.de crawl.en --like clean.de --like clean.en --least -2 --to cleaned
      dragoman select test-like dev.de dev.en --like test.de --most 1500 --match-lengths \\
          --training train.de --training train.en --to tuning
      dragoman select moore-lewis pool.en --like own.en --curve --dev held-out.en
      dragoman select moore-lewis pool.de pool.en --like own.de --curve --measure bleu --dev dev.de --dev dev.en

    Higher scores are taken first. Without --most, --share or --least everything that may be taken is, or with --curve
    as much as measures best. The scores are listed under "Selection scores" in the documentation.
    """
    from dragoman.corpus.select import Cut
    from dragoman.corpus.select import select as run

    if curve != bool(dev_paths):
        raise click.UsageError("--curve and --dev go together: a curve is measured on held-out text.")
    pool = _texts(paths, format_, pair)
    dev = _texts(dev_paths) if dev_paths else None
    given = any(each is not None for each in (most, share, least))
    with open_shop(work, n_workers, cluster) as shop, shown_progress() as progress:
        result = run(
            pool,
            [method, *others],
            like=_texts(like_paths) if like_paths else None,
            weights=weights,
            join=join,
            cut=Cut(most, share, least) if given else None,
            match_lengths=match_lengths,
            **(_measured(measure, dev, pool, method, n_threads) if dev else {}),
            training=_texts(training_paths) if training_paths else None,
            force=force,
            examples=examples,
            seed=seed,
            n_threads=n_threads,
            progress=progress,
            shop=shop,
            part=part,
        )
    if to is not None:
        result.kept.write(to)
    if scores is not None:
        result.write_scores(scores)
    emit(result, form, output)


def _measured(name: str, dev: Texts, pool: Texts, method: str, n_threads: int) -> dict[str, Any]:
    """What a curve is measured by, as `select` takes it."""
    if name == "bleu":
        from dragoman.smt.experiments import bleu_of

        if pool.n_sides != 2:
            raise click.UsageError("--measure bleu trains engines on pairs; name both sides of the pool.")
        shares = (1 / 8, 1 / 4, 1 / 2, 3 / 4, 1.0)  # an engine takes its time
        return {
            "measure": bleu_of(dev, n_threads=n_threads),
            "measure_name": "BLEU",
            "higher_is_better": True,
            "shares": shares,
        }
    from dragoman.corpus.select import perplexity_of

    return {"measure": perplexity_of(dev, pool, SELECTION_SCORES.make(method), n_threads=n_threads)}


def _texts(paths: tuple[str, ...], format_: str | None = None, pair: str | None = None) -> Texts:
    from dragoman.corpus.select import Texts

    if len(paths) > 2:
        raise click.UsageError(f"Name one text, or the two sides of a bitext; got {len(paths)} files.")
    return Texts.from_files(paths, format=format_, pair=pair)
