"""`dragoman align`."""

from __future__ import annotations

import sys

import click

from dragoman.align.base import ALIGNERS
from dragoman.align.grouping import PRIORS
from dragoman.cli.output import RegistryChoice, emit, form_options, seed_option, threads_option
from dragoman.cli.workers import open_shop, pool_options, work_option

__all__ = ["align"]

_SYMMETRISATIONS = ["intersection", "union", "grow-diag", "grow-diag-final", "grow-diag-final-and", "posterior"]


@click.command()
@click.argument("src", type=click.Path(exists=True, allow_dash=True))
@click.argument("tgt", type=click.Path(exists=True, allow_dash=True))
@click.option("-o", "--output", default="-", metavar="FILE", help="Write the links there (Pharaoh: 0-0 1-2).")
@click.option(
    "--method",
    type=RegistryChoice(ALIGNERS),
    default="sampler",
    show_default=True,
    help="How to learn, with options behind a colon: hmm:rounds=10.",
)
@click.option(
    "--symmetrise",
    "--symmetrize",
    "symmetrisation",
    type=click.Choice(_SYMMETRISATIONS, case_sensitive=False),
    default="grow-diag-final-and",
    show_default=True,
    help="How the two directions become one.",
)
@click.option(
    "--threshold",
    type=click.FloatRange(0, 1, min_open=True),
    default=0.4,
    show_default=True,
    help="For posterior: the geometric mean that a link needs.",
)
@click.option("--model", type=click.Path(exists=True), metavar="FOLDER", help="Align with this model; do not learn.")
@click.option("--save", type=click.Path(), metavar="FOLDER", help="Keep what was learnt, for --model.")
@click.option(
    "--gold",
    type=click.Path(exists=True),
    metavar="FILE",
    help="Reference links of the first pairs; prints AER, precision, recall.",
)
@click.option(
    "--gold-first",
    type=click.IntRange(0, 1),
    default=1,
    show_default=True,
    help="The number of the first word in the reference links.",
)
@click.option("--posteriors", type=click.Path(), metavar="FILE", help="Write posteriors there: 0-0:0.9871.")
@click.option("--anchors", type=click.Path(exists=True), metavar="FILE", help="Links known, Pharaoh, a line a pair.")
@click.option(
    "--glossary",
    type=click.Path(exists=True),
    metavar="FILE",
    help="Terms, `source ||| target` a line, or .tbx or .csv; linked wherever both stand in a pair.",
)
@click.option(
    "--group",
    type=click.Choice(PRIORS, case_sensitive=False),
    help="Take the glossary's terms as one token each; in training they are anchors, counts, or not known of.",
)
@click.option(
    "--priors",
    type=click.Path(exists=True),
    metavar="FILE",
    help="Pseudo-counts of word pairs, `source ||| target ||| weight` a line.",
)
@pool_options
@work_option
@seed_option
@threads_option
@form_options
def align(
    src: str,
    tgt: str,
    output: str,
    method: str,
    symmetrisation: str,
    threshold: float,
    model: str | None,
    save: str | None,
    gold: str | None,
    gold_first: int,
    posteriors: str | None,
    anchors: str | None,
    glossary: str | None,
    group: str | None,
    priors: str | None,
    n_workers: int,
    cluster: str | None,
    part: int,
    work: str,
    seed: int,
    n_threads: int,
    form: str,
) -> None:
    """Link the words of tokenised sentence pairs, a sentence a line.

    \b
      dragoman align train.en train.de -o train.align
      dragoman align train.en train.de -o train.align --method diagonal --save aligner
      dragoman align new.en new.de -o new.align --model aligner --json
      dragoman align train.en train.de -o train.align --method diagonal --workers 2

    With --workers or --cluster, methods that learn by EM (diagonal, hmm, ibm1) work in parts; the links are the same.

    With -o, the result is summed up on standard output; without, the links go there.
    """
    from dragoman.align import Aligner, Glossary, Priors
    from dragoman.align import align as align_pairs
    from dragoman.data.bitext_files import language_of_file
    from dragoman.data.formats.pharaoh import PharaohFormat
    from dragoman.files import read_lines, write_lines

    if output == "-" and form != "text":
        raise click.UsageError("The links go to standard output; name a file for them with -o to see the summary.")
    if model is not None and save is not None:
        raise click.UsageError("--model takes a trained model and --save keeps a new one. Leave one of them out.")
    if group is not None and glossary is None:
        raise click.UsageError("--group needs --glossary, whose terms it takes as tokens.")
    if src == tgt == "-":
        raise click.UsageError("Only one side can come from standard input; name a file for the other.")

    def tell(step: str) -> None:
        if sys.stderr.isatty():
            click.echo(f"… {step}", err=True)

    tell("reading")
    srcs, tgts = read_lines(src), read_lines(tgt)
    links = [item.sure for item in PharaohFormat().read(anchors)] if anchors else None
    langs = [lang for lang in map(language_of_file, (src, tgt)) if lang]
    terms = Glossary.read(glossary, *(langs if len(langs) == 2 else ())) if glossary else None
    weights = Priors.read(priors) if priors else None
    trained = Aligner.load(model) if model else None
    with open_shop(work, n_workers, cluster) as shop:
        result = align_pairs(
            srcs,
            tgts,
            method=method,
            model=trained,
            symmetrisation=symmetrisation,
            threshold=threshold,
            anchors=links,
            glossary=terms,
            group=group,
            priors=weights,
            gold=PharaohFormat(first=gold_first).read(gold) if gold else None,
            posteriors=posteriors is not None,
            save=save,
            seed=seed,
            n_threads=n_threads,
            progress=tell,
            shop=shop,
            part=part,
        )
    write_lines(output, result.lines())
    if posteriors is not None:
        write_lines(posteriors, result.posterior_lines())
    if output != "-":
        emit(result, form, "-")
