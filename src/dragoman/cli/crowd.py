"""`dragoman study crowd votes`, `select`, `variants`, `corpus`, `workers`, `controls`, `split` and `bar`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from dragoman.cli.output import LanguagePair, RegistryChoice, emit, output_options, seed_option, threads_option
from dragoman.cli.recipes import recipe_options
from dragoman.human.crowd.corpus import CrowdCorpus
from dragoman.metrics.base import METRICS

if TYPE_CHECKING:
    from dragoman.data.crowd import Votes

__all__ = ["crowd"]

F = TypeVar("F", bound=Callable[..., Any])


@click.group()
def crowd() -> None:
    """Count votes on crowd translations, review the workers."""


def votes_arguments(command: F) -> F:
    """Add what names votes: a file of counts, or individual votes with the translations they are for."""
    options = [
        click.argument("votes", metavar="VOTES", type=click.Path(allow_dash=True)),
        click.option(
            "--translations", metavar="FILE", help="VOTES are single ones (annotator, segment, translator) for these."
        ),
        click.option(
            "--weights",
            type=click.Choice(["equal", "agreement"], case_sensitive=False),
            default="equal",
            show_default=True,
            help="Individual votes: all alike, or by how far a voter agrees with the others.",
        ),
    ]
    for option in reversed(options):
        command = option(command)
    return command


def _votes(votes: str, translations: str | None, weights: str) -> Votes:
    from dragoman.data.crowd import TRANSLATIONS, VOTES, read_votes
    from dragoman.data.judgements import read_judgements
    from dragoman.human.crowd.votes import tally_votes

    if translations is None:
        if weights != "equal":
            raise click.UsageError("Weights belong to individual votes: name the --translations they are for.")
        return read_votes(votes)
    tables = read_judgements(translations, TRANSLATIONS), read_judgements(votes, VOTES)
    return tally_votes(*tables, weights="agreement" if weights == "agreement" else None)


@crowd.command()
@votes_arguments
@output_options
def votes(votes: str, translations: str | None, weights: str, form: str, output: str) -> None:
    """Show on how many translations of a segment the votes fall, and how often the best are tied.

    \b
      dragoman study crowd votes votes.ta.gz
      dragoman study crowd votes samples/studies/crowd/votes.tsv --translations samples/studies/crowd/translations.tsv

    A line of counts is: segment, number of votes, then translation and its votes in turn, by tabs.
    """
    from dragoman.human.crowd.votes import vote_support

    emit(vote_support(_votes(votes, translations, weights)), form, output)


@crowd.command()
@votes_arguments
@click.option("--random", "at_random", is_flag=True, help="Choose by chance alone: the control condition.")
@seed_option
@output_options
def select(
    votes: str, translations: str | None, weights: str, at_random: bool, seed: int, form: str, output: str
) -> None:
    """Choose the translation of every segment that has most votes.

    \b
      dragoman study crowd select votes.ta.gz --seed 7 --form tsv -o best.tsv
      dragoman study crowd select samples/studies/crowd/votes.tsv --translations samples/studies/crowd/translations.tsv
    """
    from dragoman.human.crowd.votes import select_translations

    counts = _votes(votes, translations, weights)
    emit(select_translations(counts, how="random" if at_random else "votes", seed=seed), form, output)


@crowd.command()
@votes_arguments
@click.option("--edits", type=click.IntRange(min=1), default=2, show_default=True, help="Most letters apart.")
@click.option(
    "--shortest", type=click.IntRange(min=2), default=5, show_default=True, help="Letters of a word at least."
)
@click.option("--ratio", type=float, default=5.0, show_default=True, help="How many times rarer a variant must be.")
@click.option("--segments", type=click.IntRange(min=1), default=2, show_default=True, help="Segments that show it.")
@click.option("--top", type=click.IntRange(min=1), default=30, show_default=True, help="How many to list.")
@output_options
def variants(votes: str, translations: str | None, weights: str, form: str, output: str, **more: Any) -> None:
    """List spellings of one word in the translations, and the votes that are split between them.

    \b
      dragoman study crowd variants votes.ur --top 10
    """
    from dragoman.human.crowd.variants import spelling_variants

    emit(spelling_variants(_votes(votes, translations, weights), **more), form, output)


@crowd.command()
@votes_arguments
@click.option(
    "--sources", required=True, type=click.Path(exists=True), metavar="FILE", help="The sources, a line each."
)
@click.option(
    "--segments",
    required=True,
    type=click.Path(exists=True),
    metavar="FILE",
    help="The sources' segments, a name a line.",
)
@click.option(
    "--dictionary",
    nargs=2,
    type=click.Path(exists=True),
    metavar="SRC TGT",
    help="Words and their translations, appended to the pairs.",
)
@click.option("--pair", type=LanguagePair(), metavar="SRC-TGT", help="Languages.")
@recipe_options(CrowdCorpus)
@seed_option
@click.option("--to", metavar="OUT", required=True, help="A prefix for two files, or a .tmx, .tsv or .jsonl.")
@output_options
def corpus(
    votes: str,
    translations: str | None,
    weights: str,
    sources: str,
    segments: str,
    dictionary: tuple[str, str] | None,
    pair: str | None,
    recipe: CrowdCorpus,
    seed: int,
    to: str,
    form: str,
    output: str,
) -> None:
    """Write a training bitext of voted translations: all, those with votes, the best, or one by chance.

    \b
      dragoman study crowd corpus votes.ta.gz --sources train.ta --segments train.seg_ids --choose best --to crowd
    """
    from dragoman.data.bitext_files import read_bitext, write_bitext
    from dragoman.data.parallel import check_parallel
    from dragoman.files import read_lines
    from dragoman.text.languages import parse_pair

    names, lines = read_lines(segments), read_lines(sources)
    check_parallel({"segments": names, "sources": lines})
    entries = read_bitext(dictionary) if dictionary else ()
    by_name = dict(zip(names, lines, strict=True))
    made = recipe.make(_votes(votes, translations, weights), by_name, dictionary=entries, seed=seed)
    write_bitext(made.bitext(*(parse_pair(pair) if pair else (None, None))), to)
    emit(made, form, output)


@crowd.command()
@click.argument("translations", type=click.Path(allow_dash=True))
@click.option("--votes", "votes_path", metavar="FILE", help="Individual votes, to show who won them.")
@click.option("--machine", metavar="FILE", help="Machine translations (segment, text): who pasted them?")
@click.option("--glosses", metavar="FILE", help="Word-for-word renderings (segment, text), to compare with.")
@click.option(
    "--seconds",
    type=click.FloatRange(min=0),
    default=3.0,
    show_default=True,
    help="A task is hasty below this time for each of its segments.",
)
@output_options
def workers(
    translations: str,
    votes_path: str | None,
    machine: str | None,
    glosses: str | None,
    seconds: float,
    form: str,
    output: str,
) -> None:
    """Review the translators: empty, copied, pasted, unrelated or hasty work, the worst first.

    \b
      dragoman study crowd workers samples/studies/crowd/translations.tsv --machine samples/studies/crowd/machine.tsv

    TRANSLATIONS has the columns annotator, segment, text, and perhaps task, seconds, submitted, said_country,
    seen_country.
    """
    from dragoman.data.crowd import TRANSLATIONS
    from dragoman.data.judgements import read_judgements
    from dragoman.human.crowd.workers import review_workers

    table = read_judgements(translations, TRANSLATIONS)
    result = review_workers(
        table,
        machine=None if machine is None else _texts(machine),
        glosses=None if glosses is None else _texts(glosses),
        votes=None if votes_path is None else _votes(votes_path, translations, "equal"),
        seconds_per_segment=seconds,
    )
    emit(result, form, output)


@crowd.command()
@click.argument("answers", type=click.Path(allow_dash=True))
@click.option(
    "--keys", metavar="FILE", required=True, help="Right answers (item, answer), one or several rows an item."
)
@click.option(
    "--threshold", type=click.FloatRange(0, 1), required=True, help="Reject all work of workers below this accuracy."
)
@click.option(
    "--min-controls", type=click.IntRange(min=1), default=1, show_default=True, help="Controls that a verdict needs."
)
@output_options
def controls(answers: str, keys: str, threshold: float, min_controls: int, form: str, output: str) -> None:
    """Check workers by items whose answers are known.

    \b
      dragoman study crowd controls answers.tsv --keys keys.tsv --threshold 0.6

    ANSWERS has the columns annotator, item and answer, controls among the rest.
    """
    from dragoman.data.crowd import CONTROL_ANSWERS
    from dragoman.data.judgements import read_judgements
    from dragoman.human.crowd.controls import check_controls

    right: dict[str, list[str]] = {}
    for item, answer in _columns(keys, "item", "answer"):
        right.setdefault(item, []).append(answer)
    table = read_judgements(answers, CONTROL_ANSWERS)
    emit(check_controls(table, right, threshold=threshold, min_controls=min_controls), form, output)


@crowd.command()
@click.argument("documents", type=click.Path(allow_dash=True))
@click.option(
    "--share",
    "shares",
    metavar="PART=N",
    multiple=True,
    default=("training=7", "dev=1", "devtest=1", "test=1"),
    show_default=True,
    help="A part and its share; may be repeated.",
)
@click.option("--drop-unnamed", is_flag=True, help="Leave out lines without a document id: pages never fetched.")
@click.option("--seed", type=click.IntRange(min=0), help="Deal in a random order; else in the order of the file.")
@output_options
def split(
    documents: str, shares: tuple[str, ...], drop_unnamed: bool, seed: int | None, form: str, output: str
) -> None:
    """Deal documents to training, development and test sets, category by category.

    \b
      dragoman study crowd split ta-en.metadata.gz --share training=7 --share dev=1 --share test=2

    A line of DOCUMENTS is: document, title, English title, category, by tabs.
    """
    from dragoman.data.crowd import read_documents
    from dragoman.human.crowd.splits import split_documents

    parts = [share.partition("=") for share in shares]
    if any(not part or not number.isdigit() for part, _, number in parts):
        raise click.BadParameter("write PART=N, as in training=7.", param_hint="--share")
    numbers = {part: int(number) for part, _, number in parts}
    table = read_documents(documents, unnamed="drop" if drop_unnamed else "error")
    emit(split_documents(table, shares=numbers, seed=seed), form, output)


@crowd.command()
@click.argument("translations", nargs=-1, required=True)
@click.option(
    "-m",
    "--metric",
    metavar="NAME",
    type=RegistryChoice(METRICS),
    default="bleu:lowercase=yes",
    show_default=True,
    help="Metric, perhaps with options.",
)
@threads_option
@output_options
def bar(translations: tuple[str, ...], metric: str, n_threads: int, form: str, output: str) -> None:
    """Score each translator against the others: the mark that people set.

    \b
      dragoman study crowd bar test.ta-en.en.0.gz test.ta-en.en.1.gz test.ta-en.en.2.gz test.ta-en.en.3.gz

    Every file is one translator's, one segment a line; an empty line was not translated.
    """
    from dragoman.data import read_systems
    from dragoman.human.crowd.bar import human_bar

    lines = {file.name: file.lines for file in read_systems(translations, kind="translators")}
    emit(human_bar(lines, metric=metric, n_threads=n_threads), form, output)


def _texts(path: str) -> dict[str, str]:
    return dict(_columns(path, "segment", "text"))


def _columns(path: str, first: str, second: str) -> list[tuple[str, str]]:
    """Two columns of a table, as text."""
    from dragoman.data.judgements import Field, Schema, read_judgements

    table = read_judgements(path, Schema(f"{first} and {second}", (Field(first), Field(second)), key=(first,)))
    return [(str(a), str(b)) for a, b in zip(table[first], table[second], strict=True)]
