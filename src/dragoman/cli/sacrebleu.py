"""`dragoman sacrebleu`: sacreBLEU's command lines, and what it prints."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

import click

from dragoman.cli.output import RegistryChoice, cores, emit, output_options
from dragoman.cli.progress import shown_progress
from dragoman.cli.sacrebleu_spellings import FORMS, Spellings
from dragoman.data.parallel import UnequalLengths
from dragoman.data.testset import TestSet
from dragoman.errors import DoubtfulInput
from dragoman.metrics.base import METRICS
from dragoman.text.base import TOKENISERS

if TYPE_CHECKING:
    from dragoman.report import Result

__all__ = ["sacrebleu"]

F = TypeVar("F", bound=Callable[..., Any])

Streams = Mapping[str, Sequence[str]]
_SEVERAL = ("-m", "--metrics", "-i", "--input", "--echo")  # options that take several values


def _flag(text: str) -> dict[str, Any]:
    return {"is_flag": True, "help": text}


def _number(text: str, default: int | None = None, least: int = 0) -> dict[str, Any]:
    return {"type": click.IntRange(min=least), "default": default, "show_default": default is not None, "help": text}


def _no_doubts(_: click.Context, __: click.Parameter, is_given: bool) -> None:
    """Score what looks tokenised without a word."""
    if is_given:
        warnings.simplefilter("ignore", DoubtfulInput)


_OPTIONS: Mapping[str, dict[str, Any]] = {
    "-i --input inputs": {
        "multiple": True,
        "metavar": "FILE...",
        "help": "Systems; without, standard input, where tabs separate systems.",
    },
    "-m --metrics specs": {
        "type": RegistryChoice(METRICS),
        "multiple": True,
        "metavar": "NAME...",
        "default": ("bleu",),
        "show_default": True,
        "help": "Metrics.",
    },
    "-t --test-set test_set": {"metavar": "NAME", "help": "Test set in sacreBLEU's folder ($SACREBLEU, ~/.sacrebleu)."},
    "-l --language-pair pair": {"metavar": "SRC-TGT", "help": "Language pair; also chooses BLEU's tokeniser."},
    "--echo echo": {"multiple": True, "metavar": "FIELD...", "help": "Print src, ref, docid … of the test set."},
    "--list list_all": _flag("List the test sets that are there."),
    "-nr --num-refs num_refs": _number("References in the columns of one file.", 1, 1),
    "-e --encoding encoding": {"default": "utf-8", "show_default": True, "help": "Encoding of the files."},
    "-sl --sentence-level sentence_level": _flag("One line per segment."),
    "-lc --lowercase lowercase": _flag("BLEU: ignore case."),
    "-tok --tokenize tokeniser": {"type": RegistryChoice(TOKENISERS), "metavar": "NAME", "help": "BLEU: tokeniser."},
    "-s --smooth-method smooth_method": {
        "type": click.Choice(["none", "floor", "add-k", "exp"]),
        "help": "BLEU: smoothing.",
    },
    "-sv --smooth-value smooth_value": {"type": float, "help": "BLEU: value of floor or add-k."},
    "-cc --chrf-char-order chrf_char_order": _number("chrF: longest character n-gram."),
    "-cw --chrf-word-order chrf_word_order": _number("chrF: longest word n-gram; 2 is chrF++."),
    "--chrf-beta chrf_beta": {"type": float, "help": "chrF: weight of recall."},
    "--chrf-whitespace chrf_whitespace": _flag("chrF: count white space."),
    "--chrf-lowercase chrf_lowercase": _flag("chrF: ignore case."),
    "--chrf-eps-smoothing chrf_eps_smoothing": _flag("chrF: average F-scores, as chrF++.py."),
    "--ter-case-sensitive ter_case_sensitive": _flag("TER: tell upper from lower case."),
    "--ter-asian-support ter_asian_support": _flag("TER: Chinese and Japanese characters."),
    "--ter-no-punct ter_no_punct": _flag("TER: drop punctuation."),
    "--ter-normalized --ter-normalised ter_normalised": _flag("TER: tercom's normalisation."),
    "-ci --confidence confidence": _flag("Interval of one system."),
    "-cin --confidence-n confidence_n": _number("Samples of the interval.", 1000, 1),
    "-pbs --paired-bs paired_bs": _flag("Paired bootstrap against the first system."),
    "-pbsn --paired-bs-n paired_bs_n": _number("Samples of --paired-bs.", 1000, 1),
    "-par --paired-ar paired_ar": _flag("Approximate randomisation against the first system."),
    "-parn --paired-ar-n paired_ar_n": _number("Trials of --paired-ar.", 10_000, 1),
    "--seed seed": _number("Seed of everything drawn.", 12345),
    "-j --paired-jobs --threads n_threads": {
        "type": click.IntRange(min=0),
        "envvar": "DRAGOMAN_THREADS",
        "default": cores,
        "show_default": "$DRAGOMAN_THREADS, or the cores at hand",
        "help": "Threads; results do not depend on it.",
    },
    "-b --score-only score_only": _flag("The score and nothing else."),
    "-w --width width": _number("Decimals.", 1),
    "-sh --short short": _flag("Short signatures."),
    "-f --format peer_form": {
        "type": click.Choice(FORMS),
        "help": "sacreBLEU's JSON, text or LaTeX; SACREBLEU_FORMAT goes before it.",
    },
    "-q --quiet": {**_flag("No warnings."), "expose_value": False, "callback": _no_doubts},
    "--force": {**_flag("No warning about text that looks tokenised."), "expose_value": False, "callback": _no_doubts},
    "-nc --no-color": {**_flag("No effect: there are no colours."), "expose_value": False},
}


def _sacrebleu_options(command: F) -> F:
    """Add the options of the table; the command gets them by name."""
    for names, settings in reversed(list(_OPTIONS.items())):
        command = click.option(*names.split(), **settings)(command)
    return command


class _SpreadCommand(click.Command):
    """A command that takes several values behind one -m, -i or --echo."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Spread the values, then parse as always."""
        return super().parse_args(ctx, _spread(args))


def _spread(args: Sequence[str]) -> list[str]:
    """`-m bleu chrf -i A B` as click takes it: `-m bleu -m chrf -i A -i B`."""
    spread: list[str] = []
    option, count = "", 0  # whose values may go on, and how many there were
    for place, word in enumerate(args):
        if word.startswith("-") and word != "-":
            _check_values(option, count)
            if word == "--":  # behind it everything is an argument
                return spread + list(args[place:])
            option, count = word if word in _SEVERAL else "", 0
            if not option:
                spread.append(word)
        elif option and (count == 0 or option not in {"-m", "--metrics"} or word.partition(":")[0] in METRICS):
            spread += [option, word]
            count += 1
        else:
            option = ""
            spread.append(word)
    _check_values(option, count)
    return spread


def _check_values(option: str, count: int) -> None:
    if option and count == 0:
        raise click.BadOptionUsage(option, f"Option {option!r} requires an argument.")


@click.command(cls=_SpreadCommand)
@click.argument("refs", metavar="[REFERENCE]...", nargs=-1)
@_sacrebleu_options
@output_options
def sacrebleu(n_threads: int, form: str, output: str, **options: Any) -> None:
    """Take sacreBLEU's command lines, and print what it prints.

    \b
      dragoman sacrebleu reference.en -i a.en b.en -m bleu chrf --paired-bs -f json
      cat output.en | dragoman sacrebleu reference.en -b -w 2

    Files of references, one segment a line, stand in front; with --json or --form the result has our form.
    """
    spelt = Spellings(**options)
    if spelt.list_all or spelt.echo:
        emit(_test_sets(spelt), form, output)
        return
    if spelt.paired_bs and spelt.paired_ar:
        raise click.UsageError("--paired-bs and --paired-ar do not go together.")
    n_threads = max(n_threads, 1)
    refs, systems = spelt.read_refs(n_threads=n_threads), spelt.read_systems(n_threads=n_threads)
    ours = click.get_current_context().get_parameter_source("form") is not click.core.ParameterSource.DEFAULT
    function = _segments if spelt.sentence_level else _report
    from dragoman.metrics.tokenised import warn_of_tokenised

    warn_of_tokenised(spelt.metrics(), systems)
    with warnings.catch_warnings():  # where systems are scored, they are numbers
        warnings.filterwarnings("ignore", r"\d+ lines or more", DoubtfulInput)
        result = function(spelt, _test_set(systems, refs), tuple(systems), ours=ours, n_threads=n_threads)
    if not isinstance(result, str):
        emit(result, form, output)
        return
    from dragoman.files import open_writer

    with open_writer(output) as stream:
        stream.write(result)


def _test_set(systems: Streams, refs: Streams) -> TestSet:
    """The test set; files may lie anywhere, and a path is no name there, so that streams are numbered."""
    numbered = [{str(number): lines for number, lines in enumerate(side.values(), 1)} for side in (refs, systems)]
    try:
        return TestSet(refs=numbered[0], systems=numbered[1])
    except UnequalLengths as error:
        paths = {f"refs[{number}]": path for number, path in enumerate(refs, 1)}
        raise error.renamed(paths | {f"systems[{number}]": path for number, path in enumerate(systems, 1)}) from None


def _report(spelt: Spellings, test_set: TestSet, names: tuple[str, ...], *, ours: bool, n_threads: int) -> Result | str:
    """The scores of whole systems: our result, or sacreBLEU's text."""
    from dragoman.metrics.sacrebleu import sacrebleu_report

    with shown_progress() as progress:
        report = sacrebleu_report(
            test_set,
            spelt.metrics(),
            test=spelt.test,
            confidence=spelt.confidence,
            trials=spelt.trials,
            seed=spelt.seed,
            progress=progress,
            n_threads=n_threads,
        )
    report = replace(report, systems=names)
    if ours:
        return report
    return report.as_sacrebleu(spelt.report_form, width=spelt.width, score_only=spelt.score_only, short=spelt.short)


def _segments(
    spelt: Spellings, test_set: TestSet, names: tuple[str, ...], *, ours: bool, n_threads: int
) -> Result | str:
    """The scores of the segments of one system: our result, or sacreBLEU's text."""
    from dragoman.metrics import ScoreRecipe, score_test_set
    from dragoman.metrics.sacrebleu import sacrebleu_segments

    if len(test_set.systems) > 1 or len(spelt.specs) > 1 or spelt.test or spelt.confidence:
        raise click.UsageError("-sl takes one system and one metric, without a test or an interval.")
    if ours:
        recipe = ScoreRecipe(metrics=tuple(spelt.metrics()), level="segment")
        return replace(score_test_set(test_set, recipe, n_threads=n_threads), systems=names)
    (metric,) = spelt.metrics()
    scores = sacrebleu_segments(test_set, metric, n_threads=n_threads)
    return "".join(
        each.line(width=spelt.width, score_only=spelt.score_only, short=spelt.short) + "\n" for each in scores
    )


def _test_sets(spelt: Spellings) -> Result:
    """Fields of the test sets that -t names, or a list of those that are there."""
    from dragoman.data.sacrebleu_sets import list_sacrebleu_sets
    from dragoman.report import Lines, Listing

    if spelt.echo:
        lines: list[str] = []
        for each in spelt.sets():
            fields = list(each.files) if spelt.echo == ("all",) else list(spelt.echo)
            lines += ["\t".join(row) for row in zip(*map(each.read, fields), strict=True)]
        return Lines(tuple(lines))
    entries = tuple(
        (f"{each.name} {each.pair}", ", ".join(each.files))
        for each in list_sacrebleu_sets()
        if spelt.test_set in {None, each.name} and spelt.pair in {None, each.pair}
    )
    return Listing("test set", entries)
