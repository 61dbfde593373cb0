"""sacreBLEU's spellings: its options on `dragoman score`, what they mean here, and what they read."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import wraps
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import click

from dragoman.cli.output import RegistryChoice
from dragoman.errors import DataError
from dragoman.metrics.base import METRICS, Metric
from dragoman.metrics.specs import make_metric
from dragoman.text.base import TOKENISERS

if TYPE_CHECKING:
    from dragoman.data.sacrebleu_sets import SacrebleuSet

__all__ = ["SacrebleuCommand", "Spellings", "sacrebleu_options"]

F = TypeVar("F", bound=Callable[..., Any])

_SECTION = "sacreBLEU's spellings"
_FORMS = ("json", "text", "latex")
_SMOOTHING = ("none", "floor", "add-k", "exp")
_TOKENISER_OF = {"zh": "zh", "ja": "ja-mecab", "ko": "ko-mecab"}  # where -l names the target language


@dataclass(frozen=True)
class Spellings:
    """What was said in sacreBLEU's spellings."""

    inputs: tuple[str, ...]
    test_set: str | None
    pair: str | None
    echo: tuple[str, ...]
    num_refs: int
    encoding: str
    sentence_level: bool
    lowercase: bool
    tokeniser: str | None
    smooth_method: str | None
    smooth_value: float | None
    chrf_char_order: int | None
    chrf_word_order: int | None
    chrf_beta: float | None
    chrf_whitespace: bool
    chrf_lowercase: bool
    chrf_eps_smoothing: bool
    ter_case_sensitive: bool
    ter_asian_support: bool
    ter_no_punct: bool
    ter_normalised: bool
    confidence: bool
    confidence_n: int
    paired_bs: bool
    paired_bs_n: int
    paired_ar: bool
    paired_ar_n: int
    jobs: int | None
    score_only: bool
    width: int | None
    short: bool
    peer_form: str | None
    quiet: bool
    force: bool
    no_colour: bool

    def metrics(self, specs: Sequence[str]) -> list[Metric]:
        """The metrics asked for, with the options that were spelt for their kind."""
        return [self._with_options(make_metric(spec)) for spec in specs]

    def _with_options(self, metric: Metric) -> Metric:
        language = (self.pair or "").rpartition("-")[2]
        options: dict[str, dict[str, Any]] = {
            "bleu": {
                "tokeniser": self.tokeniser or _TOKENISER_OF.get(language),
                "lowercase": self.lowercase or None,
                "smoothing": self.smooth_method,
                "smoothing_value": self.smooth_value,
            },
            "chrf": {
                "char_order": self.chrf_char_order,
                "word_order": self.chrf_word_order,
                "beta": self.chrf_beta,
                "lowercase": self.chrf_lowercase or None,
                "whitespace": self.chrf_whitespace or None,
                "eps_smoothing": self.chrf_eps_smoothing or None,
            },
            "ter": {
                "case_sensitive": self.ter_case_sensitive or None,
                "normalised": self.ter_normalised or None,
                "no_punct": self.ter_no_punct or None,
                "asian_support": self.ter_asian_support or None,
            },
        }
        own = options.get(metric.name.rstrip("+"), {})
        return replace(metric, **{name: value for name, value in own.items() if value is not None})

    @property
    def report_form(self) -> str:
        """The form of the report: as the environment says, as asked for, or JSON."""
        wanted = os.environ.get("SACREBLEU_FORMAT", "").lower()
        return wanted if wanted in _FORMS else self.peer_form or "json"

    @property
    def test(self) -> Literal["sacrebleu-bs", "sacrebleu-ar"] | None:
        """The paired test asked for."""
        return "sacrebleu-bs" if self.paired_bs else "sacrebleu-ar" if self.paired_ar else None

    @property
    def trials(self) -> int:
        """Draws of the test, or samples of the interval."""
        return self.paired_bs_n if self.paired_bs else self.paired_ar_n if self.paired_ar else self.confidence_n

    @property
    def asks_for_report(self) -> bool:
        """Whether something was said that only sacreBLEU's report has."""
        shaped = self.peer_form or self.score_only or self.short or self.width is not None
        return bool(shaped or self.sentence_level or self.test or self.confidence)

    def sets(self) -> list[SacrebleuSet]:
        """The test sets that -t names, from sacreBLEU's folder."""
        from dragoman.data.sacrebleu_sets import find_sacrebleu_set

        if self.test_set is None:
            return []
        if self.pair is None:
            raise click.UsageError("A test set (-t) needs a language pair: -l en-de.")
        return [find_sacrebleu_set(name, self.pair) for name in self.test_set.split(",")]

    def read_refs(self, paths: Sequence[str], *, n_threads: int = 1) -> dict[str, Sequence[str]]:
        """The references: files, the columns of one file, or those of test sets, one set behind the other."""
        sets = self.sets()
        if sets:
            if paths or self.num_refs != 1:
                raise click.UsageError("References come from a test set (-t) or from files, not from both.")
            counts = {len(each.references) for each in sets}
            if len(counts) > 1:
                raise DataError(
                    f"The test sets {self.test_set} have different numbers of references; score them apart."
                )
            streams = [[each.read(field) for field in each.references] for each in sets]
            if len(sets) == 1:
                return dict(zip(sets[0].references, streams[0], strict=True))
            joined = zip(*streams, strict=True)
            return {f"ref:{r}": [line for part in parts for line in part] for r, parts in enumerate(joined)}
        if not paths:
            raise click.UsageError("Name a reference, REF -i SYSTEM, or a test set with -t and -l.")
        if self.num_refs == 1:
            return self._read_all(paths, n_threads)
        if len(paths) > 1:
            raise click.UsageError("--num-refs is for references in the columns of one file.")
        return self._columns(paths[0], "ref:{}", self.num_refs)

    def read_systems(self, *, n_threads: int = 1) -> dict[str, Sequence[str]]:
        """The systems: the files of -i, or standard input, where tabs separate systems."""
        if not self.inputs:
            lines: Sequence[str] = () if sys.stdin.isatty() else self.read("-")
            if not lines:
                raise click.UsageError(
                    "Standard input has nothing to score. Name a reference with -r (SYSTEM... -r REF), or systems with "
                    "-i (REF -i SYSTEM...), or send a system's output: dragoman score REF < SYSTEM"
                )
            columns = self._split("standard input", lines, len(lines[0].split("\t")))
            first = 0 if self.test else 1  # with a test, number 0 is the baseline
            return {f"System {s}" if s else "Baseline": column for s, column in enumerate(columns, start=first)}
        doubled = sorted({path for path in self.inputs if self.inputs.count(path) > 1})
        if doubled and not (self.test and doubled == [self.inputs[0]]):  # sacreBLEU skips a baseline that comes again
            raise DataError(f"The system {', '.join(doubled)} is given twice.")
        return self._read_all(self.inputs, n_threads)

    def _read_all(self, paths: Sequence[str], n_threads: int) -> dict[str, Sequence[str]]:
        from concurrent.futures import ThreadPoolExecutor

        own = list(dict.fromkeys(paths))
        with ThreadPoolExecutor(n_threads) as pool:
            return dict(zip(own, pool.map(self.read, own), strict=True))

    def read(self, path: str) -> Sequence[str]:
        """The lines of a file in the encoding that -e names."""
        from dragoman.files import read_bytes
        from dragoman.text.lines import TextLines, read_text_lines

        lines = read_text_lines(path) if self.encoding.lower() in {"utf-8", "utf8"} else None
        if lines is None:
            try:
                lines = TextLines(read_bytes(path).decode(self.encoding).encode())
            except LookupError:
                raise click.UsageError(f"Python knows no encoding {self.encoding!r} (-e).") from None
            except UnicodeDecodeError as error:
                raise DataError(f"{path} is not {self.encoding}: {error.reason} at byte {error.start}.") from None
        # sacreBLEU cuts white space from the end of a line; only chrF with --chrf-whitespace would see it.
        return [line.rstrip() for line in lines] if self.chrf_whitespace else lines

    def _columns(self, path: str, name: str, count: int) -> dict[str, Sequence[str]]:
        columns = self._split(path, self.read(path), count)
        return {name.format(number): column for number, column in enumerate(columns)}

    def _split(self, path: str, lines: Sequence[str], count: int) -> Iterable[Sequence[str]]:
        if count == 1 and not any("\t" in line for line in lines):
            return [lines]
        rows = [line.split("\t") for line in lines]
        for number, row in enumerate(rows, start=1):
            if len(row) != count:
                raise DataError(f"{path}:{number}: expected {count} columns, separated by tabs, found {len(row)}.")
        return zip(*rows, strict=True)


class _Option(click.Option):
    """An option that help shows in sacreBLEU's section."""


def sacrebleu_options(command: F) -> F:
    """Add sacreBLEU's options to a command; it gets them together as `spelt`."""

    @wraps(command)
    def wrapped(**given: Any) -> Any:
        spelt = Spellings(**{field.name: given.pop(field.name) for field in fields(Spellings)})
        return command(spelt=spelt, **given)

    made: Any = wrapped
    for names, settings in reversed(list(_OPTIONS.items())):
        made = click.option(*names.split(), cls=_Option, **settings)(made)
    return made  # type: ignore[no-any-return]


def _flag(text: str) -> dict[str, Any]:
    return {"is_flag": True, "help": text}


def _number(text: str, default: int | None = None, least: int = 0) -> dict[str, Any]:
    return {"type": click.IntRange(min=least), "default": default, "show_default": default is not None, "help": text}


_OPTIONS: Mapping[str, dict[str, Any]] = {
    "-i --input inputs": {
        "multiple": True,
        "metavar": "FILE...",
        "help": "Systems; then the arguments in front are references.",
    },
    "-t --test-set test_set": {"metavar": "NAME", "help": "Test set in sacreBLEU's folder ($SACREBLEU, ~/.sacrebleu)."},
    "-l --language-pair pair": {"metavar": "SRC-TGT", "help": "Language pair; also chooses BLEU's tokeniser."},
    "--echo echo": {"multiple": True, "metavar": "FIELD...", "help": "Print src, ref, docid … of the test set."},
    "-nr --num-refs num_refs": _number("References in the columns of one file.", 1, 1),
    "-e --encoding encoding": {"default": "utf-8", "show_default": True, "help": "Encoding of the files."},
    "-sl --sentence-level sentence_level": _flag("One line per segment."),
    "-lc --lowercase lowercase": _flag("BLEU: ignore case."),
    "-tok --tokenize tokeniser": {"type": RegistryChoice(TOKENISERS), "metavar": "NAME", "help": "BLEU: tokeniser."},
    "--smooth-method smooth_method": {"type": click.Choice(_SMOOTHING), "help": "BLEU: smoothing; also -s."},
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
    "-j --paired-jobs jobs": _number("The same as --threads; 0 is 1."),
    "-b --score-only score_only": _flag("The score and nothing else."),
    "-w --width width": _number("Decimals, 1 if not given."),
    "-sh --short short": _flag("Short signatures."),
    "-f --format peer_form": {
        "type": click.Choice(_FORMS),
        "help": "sacreBLEU's JSON, text or LaTeX; SACREBLEU_FORMAT goes before it.",
    },
    "-q --quiet quiet": _flag("No effect: there is no talk."),
    "--force force": _flag("No effect: tokenised text is scored."),
    "-nc --no-color no_colour": _flag("No effect: there are no colours."),
}


class SacrebleuCommand(click.Command):
    """A command that takes several values behind one -m, -i or --echo, and shows sacreBLEU's options apart."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Spread the values, then parse as always."""
        return super().parse_args(ctx, _spread(args))

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Two lists: ours and sacreBLEU's."""
        for title, peer in (("Options", False), (_SECTION, True)):
            records = [
                record
                for param in self.get_params(ctx)
                if isinstance(param, click.Option)
                and isinstance(param, _Option) == peer
                and (record := param.get_help_record(ctx)) is not None
            ]
            with formatter.section(title):
                formatter.write_dl(records)


def _spread(args: Sequence[str]) -> list[str]:
    """`-m bleu chrf -i A B` as click takes it: `-m bleu -m chrf -i A -i B`; `-s floor` is a smoothing method."""
    spread: list[str] = []
    behind = ""  # the option whose values may go on
    number = 0  # of its values so far
    plain = False  # behind `--` everything is an argument
    for place, word in enumerate(args):
        if plain or word == "--":
            plain, behind = True, ""
        elif word in {"-m", "--metric", "--metrics", "-i", "--input", "--echo"}:
            behind, number = word, 0
            continue
        elif word.startswith("-") and word != "-":
            _check_values(behind, number)
            behind = ""
            if word == "-s" and args[place + 1 : place + 2] and args[place + 1] in _SMOOTHING:
                word = "--smooth-method"
        elif behind and (number == 0 or behind not in {"-m", "--metric", "--metrics"} or _is_metric(word)):
            spread += [behind, word]
            number += 1
            continue
        else:
            behind = ""
        spread.append(word)
    _check_values(behind, number)
    return spread


def _check_values(option: str, number: int) -> None:
    if option and number == 0:
        raise click.BadOptionUsage(option, f"Option {option!r} requires an argument.")


def _is_metric(word: str) -> bool:
    return word.partition(":")[0] in METRICS
