"""`dragoman score`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from dragoman.cli.output import (
    RegistryChoice,
    cache_option,
    emit,
    layer_option,
    output_options,
    repair_option,
    threads_option,
)
from dragoman.cli.progress import shown_progress
from dragoman.cli.sacrebleu import SacrebleuCommand, Spellings, sacrebleu_options
from dragoman.metrics.base import METRICS, Metric
from dragoman.metrics.specs import make_metrics

if TYPE_CHECKING:
    from dragoman.metrics.results import Level

__all__ = ["score"]

Streams = Mapping[str, Sequence[Any]]


@click.command(cls=SacrebleuCommand)
@click.argument("arguments", metavar="[SYSTEM]...", nargs=-1)
@click.option("-r", "--ref", "refs", metavar="FILE", multiple=True, help="Reference; may be repeated.")
@click.option("-s", "--src", metavar="FILE", help="Source, for metrics that ask for it.")
@click.option(
    "-m",
    "--metric",
    "--metrics",
    "metrics",
    metavar="NAME...",
    type=RegistryChoice(METRICS),
    multiple=True,
    default=("bleu",),
    show_default=True,
    help="Metric, perhaps with options (bleu:tokeniser=zh); may be repeated.",
)
@click.option("--segments", is_flag=True, help="One score per segment.")
@click.option("--documents", is_flag=True, help="One score per document; needs --docs.")
@click.option("--docs", metavar="FILE", help="Document of each segment, or a documents.tsv.")
@click.option("--resegment", is_flag=True, help="Cut the output into the references' segments first (minimum WER).")
@click.option("--by-reference", is_flag=True, help="Score with each reference alone, and count where each is best.")
@click.option("--ci", is_flag=True, help="95 % intervals by bootstrap.")
@click.option(
    "--trials", type=click.IntRange(min=1), default=1000, show_default=True, help="Bootstrap samples of --ci."
)
@click.option("--seed", type=click.IntRange(min=0), default=12345, show_default=True, help="Seed of everything drawn.")
@click.option("--list", "list_all", is_flag=True, help="List the metrics; with -t or -l, sacreBLEU's test sets; stop.")
@layer_option
@cache_option
@threads_option
@repair_option
@output_options
@sacrebleu_options
def score(
    arguments: tuple[str, ...],
    refs: tuple[str, ...],
    src: str | None,
    metrics: tuple[str, ...],
    segments: bool,
    documents: bool,
    docs: str | None,
    resegment: bool,
    by_reference: bool,
    ci: bool,
    trials: int,
    seed: int,
    list_all: bool,
    layers: tuple[str, ...],
    use_cache: bool,
    n_threads: int,
    form: str,
    output: str,
    spelt: Spellings,
) -> None:
    """Score systems against references.

    \b
      dragoman score output.en -r reference.en
      dragoman score A=a.en B=b.en -r reference-1.en -r reference-2.en -m bleu chrf ter --ci
      cat output.en | dragoman score -r reference.en -m bleu:tokeniser=intl

    Systems are files, one segment a line, as PATH or NAME=PATH; without any, standard input is scored.

    \b
    sacreBLEU's command lines work too, and print what sacreBLEU prints:
      dragoman score reference.en -i a.en b.en -m bleu chrf --paired-bs -f json
      cat output.en | dragoman score reference.en -b -w 2
    """
    if list_all or spelt.echo:
        _show_sets_or_metrics(spelt, list_all, form, output)
        return
    parts = {"--segments": segments, "--documents": documents, "--resegment": resegment, "--by-reference": by_reference}
    asked = [name for name, given in parts.items() if given]
    if ci and asked:
        raise click.UsageError(f"--ci is for the score of the whole corpus; leave {', '.join(asked)}.")
    if len(asked) > 1:
        raise click.UsageError(f"{' and '.join(asked)} do not go together.")
    context = click.get_current_context()
    shaped = context.get_parameter_source("form") is not click.core.ParameterSource.DEFAULT
    peer = bool(spelt.inputs or spelt.test_set or (arguments and not refs))
    chosen = _with_layers(spelt.metrics(metrics), layers, spelt.pair)
    n_threads = spelt.jobs or n_threads
    from dragoman.data import assemble

    systems: Streams
    sides: Streams
    test_set = None
    if peer:
        sides = spelt.read_refs([*arguments, *refs], n_threads=n_threads)
        systems = spelt.read_systems(n_threads=n_threads)
    elif not refs:
        raise click.UsageError("Name a reference with -r.")
    elif resegment:
        from dragoman.data import read_systems

        systems = {file.name: file.lines for file in read_systems(arguments or ("-",), n_threads=n_threads)}
        sides = {file.name: file.lines for file in read_systems(refs, kind="references", n_threads=n_threads)}
    else:
        test_set = assemble(srcs=src, refs=refs, systems=arguments or ("-",), docs=docs, n_threads=n_threads)
        systems, sides = test_set.systems, test_set.refs
    srcs = test_set.srcs if test_set else spelt.read(src) if src else None
    from dragoman.metrics import ScoreCache, best_reference, score_with_intervals
    from dragoman.metrics import score as run

    with shown_progress() as progress:
        work: dict[str, Any] = {
            "cache": ScoreCache() if use_cache else None,
            "progress": progress,
            "n_threads": n_threads,
        }
        if spelt.test or spelt.confidence or ((peer or spelt.asks_for_report) and not (shaped or asked or ci)):
            _report(spelt, systems, sides, srcs, chosen, seed, form if shaped else None, output, work)
            return
        if by_reference:
            if len(chosen) > 1:
                raise click.UsageError("--by-reference takes one metric at a time.")
            emit(best_reference(systems, sides, srcs, metric=chosen[0], n_threads=n_threads), form, output)
            return
        if ci:
            sheet = score_with_intervals(systems, sides, srcs, metrics=chosen, trials=trials, seed=seed, **work)
        else:
            level: Level = "segment" if segments or spelt.sentence_level else "document" if documents else "corpus"
            own_docs = test_set.docs if test_set else assemble(docs=docs).docs if docs else None
            sheet = run(systems, sides, srcs, metrics=chosen, level=level, docs=own_docs, resegmented=resegment, **work)
    emit(sheet, form, output)


def _with_layers(metrics: list[Metric], layers: tuple[str, ...], pair: str | None) -> list[Metric]:
    if not layers:
        return metrics
    from dragoman.text.layers import read_layers

    source, _, target = (pair or "").partition("-")
    return make_metrics(metrics, read_layers(layers, source_lang=source or None, target_lang=target or None))


def _report(
    spelt: Spellings,
    systems: Streams,
    refs: Streams,
    srcs: Sequence[str] | None,
    metrics: list[Metric],
    seed: int,
    form: str | None,
    output: str,
    work: Mapping[str, Any],
) -> None:
    """What sacreBLEU would print, in its forms or in one of ours."""
    from dragoman.files import open_writer
    from dragoman.metrics.sacrebleu import sacrebleu_report, sacrebleu_segments

    shape: dict[str, Any] = {
        "width": 1 if spelt.width is None else spelt.width,
        "score_only": spelt.score_only,
        "short": spelt.short,
    }
    if spelt.sentence_level:
        if len(systems) > 1 or len(metrics) > 1 or spelt.test or spelt.confidence:
            raise click.UsageError("-sl takes one system and one metric, without a test or an interval.")
        (hyps,) = systems.values()
        found = sacrebleu_segments(hyps, refs, srcs, metric=metrics[0], n_threads=work["n_threads"])
        text = "".join(each.line(**shape) + "\n" for each in found)
    else:
        if spelt.paired_bs and spelt.paired_ar:
            raise click.UsageError("--paired-bs and --paired-ar do not go together.")
        if spelt.test is None:  # as sacreBLEU does; a paired test keeps the order asked for
            metrics = sorted(metrics, key=lambda metric: metric.name)
        report = sacrebleu_report(
            systems,
            refs,
            srcs,
            metrics=metrics,
            test=spelt.test,
            confidence=spelt.confidence,
            trials=spelt.trials,
            seed=seed,
            **work,
        )
        if form is not None:
            emit(report, form, output)
            return
        text = report.as_sacrebleu(spelt.report_form, **shape)
    with open_writer(output) as stream:
        stream.write(text)


def _show_sets_or_metrics(spelt: Spellings, list_all: bool, form: str, output: str) -> None:
    from dragoman.report import Lines, Listing

    if spelt.echo:
        lines = []
        for each in spelt.sets():
            fields = list(each.files) if spelt.echo == ("all",) else list(spelt.echo)
            lines += ["\t".join(row) for row in zip(*map(each.read, fields), strict=True)]
        emit(Lines(tuple(lines)), form, output)
    elif list_all and (spelt.test_set or spelt.pair):
        from dragoman.data.sacrebleu_sets import list_sacrebleu_sets

        entries = tuple(
            (f"{each.name} {each.pair}", ", ".join(each.files))
            for each in list_sacrebleu_sets()
            if spelt.test_set in {None, each.name} and spelt.pair in {None, each.pair}
        )
        emit(Listing("test set", entries), form, output)
    else:
        emit(Listing.of_registry(METRICS), form, output)
