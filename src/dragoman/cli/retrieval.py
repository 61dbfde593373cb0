"""`dragoman metric retrieval`, `search` and `views`."""

from __future__ import annotations

import click

from dragoman.cli.output import RegistryChoice, emit, output_options, threads_option
from dragoman.cli.recipes import recipe_options
from dragoman.corpus.retrieval import Retrieval
from dragoman.metrics.base import METRICS

__all__ = ["retrieval", "search", "views"]

_qrels = click.option(
    "--qrels",
    required=True,
    type=click.Path(exists=True),
    metavar="FILE",
    help="Relevance judgements: topic, iteration, document, relevance.",
)


@click.command()
@click.argument("runs", metavar="RUN...", nargs=-1, required=True)
@_qrels
@output_options
def retrieval(runs: tuple[str, ...], qrels: str, form: str, output: str) -> None:
    """Score what searches found by relevance judgements.

    \b
      dragoman metric retrieval bm25=bm25.run other.run --qrels topics.qrels

    Runs are TREC's lines: topic, Q0, document, rank, score, tag; measures are trec_eval's, over all judged topics.
    """
    from dragoman.data.retrieval import read_qrels, read_run
    from dragoman.metrics.retrieval import score_runs

    parts = [run.rpartition("=") for run in runs]
    emit(score_runs([read_run(path, name=name) for name, _, path in parts], read_qrels(qrels)), form, output)


@click.command()
@click.argument("queries", metavar="QUERIES...", nargs=-1, required=True)
@click.option(
    "--documents",
    required=True,
    type=click.Path(exists=True),
    metavar="FILE",
    help="A document a line: name, tab, text.",
)
@_qrels
@click.option("-r", "--ref", metavar="FILE", help="Queries by people in the documents' language, to compare with.")
@click.option(
    "--topics", type=click.Path(exists=True), metavar="FILE", help="The queries' topics, a line each; else 1, 2, …"
)
@click.option(
    "-m",
    "--metric",
    type=RegistryChoice(METRICS),
    default="bleu",
    show_default=True,
    metavar="NAME",
    help="Of the queries.",
)
@click.option(
    "--most", type=click.IntRange(min=1), default=1000, show_default=True, help="Documents found for a query."
)
@click.option("--runs", metavar="PREFIX", help="Write what was found: PREFIXNAME.run.")
@recipe_options(Retrieval)
@threads_option
@output_options
def search(
    queries: tuple[str, ...],
    documents: str,
    qrels: str,
    ref: str | None,
    topics: str | None,
    metric: str,
    most: int,
    runs: str | None,
    recipe: Retrieval,
    n_threads: int,
    form: str,
    output: str,
) -> None:
    """Search documents with translated queries, and score it.

    \b
      dragoman metric search atlas.en borealis.en -r queries.en --documents pages.tsv --qrels topics.qrels

    QUERIES are systems' translations, a query a line. With -r they are scored as translations, too, the reference is
    searched with as `reference`, and systems that the two views order differently are named.
    """
    from dragoman.data.assemble import read_systems
    from dragoman.data.retrieval import read_documents, read_qrels, write_run
    from dragoman.files import read_lines
    from dragoman.metrics.retrieval import score_runs
    from dragoman.mining.search import score_queries, search_documents

    systems = {file.name: list(file.lines) for file in read_systems(queries)}
    reference = None if ref is None else read_lines(ref)
    asked = systems if reference is None else {"reference": reference, **systems}
    names = read_lines(topics) if topics else [str(n) for n in range(1, len(next(iter(asked.values()))) + 1)]
    found = search_documents(read_documents(documents), asked, names, recipe=recipe, most=most, n_threads=n_threads)
    if runs is not None:
        for run in found:
            write_run(run, f"{runs}{run.name}.run")
    judged = read_qrels(qrels)
    if reference is None:
        emit(score_runs(found, judged), form, output)
    else:
        emit(score_queries(found, judged, systems, reference, metric=metric, n_threads=n_threads), form, output)


@click.command()
@click.argument("systems", metavar="SYSTEM...", nargs=-1, required=True)
@click.option("-r", "--ref", "refs", multiple=True, required=True, metavar="FILE", help="Reference; may be repeated.")
@click.option("--lang", default="en", show_default=True, metavar="LANG", help="Language, for rules of punctuation.")
@click.option(
    "--trials", type=click.IntRange(min=2), default=1000, show_default=True, help="Resamples of the bootstrap."
)
@click.option("--seed", type=click.IntRange(min=0), default=12345, show_default=True, help="Seed of the resamples.")
@threads_option
@output_options
def views(
    systems: tuple[str, ...],
    refs: tuple[str, ...],
    lang: str,
    trials: int,
    seed: int,
    n_threads: int,
    form: str,
    output: str,
) -> None:
    """Score systems as they are, normalised, and without case.

    \b
      dragoman metric views atlas.en borealis.en -r reference.en

    BLEU and 100 minus TER, PER and CDER with 95 % intervals: what casing and punctuation alone cost.
    """
    from dragoman.data.assemble import read_systems
    from dragoman.metrics.views import score_views

    outputs = {file.name: list(file.lines) for file in read_systems(systems)}
    references = [list(file.lines) for file in read_systems(refs, kind="references")]
    emit(score_views(outputs, references, lang=lang, trials=trials, seed=seed, n_threads=n_threads), form, output)
