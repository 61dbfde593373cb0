"""The command `dragoman`: a table of subcommands, each imported when it is called."""

from __future__ import annotations

import errno
import sys
import warnings
from importlib import import_module
from typing import TextIO

import click

from dragoman import __version__
from dragoman.errors import DragomanError, MendedInput

__all__ = ["COMMANDS", "main"]

# name → where the command lives, and its line in `dragoman --help` (a test compares it with the command's own).
COMMANDS: dict[str, tuple[str, str]] = {
    "agree": ("dragoman.cli.agree:agree", "Tell how far annotators agree with each other and with themselves."),
    "align": ("dragoman.cli.align:align", "Link the words of tokenised sentence pairs, a sentence a line."),
    "annotate": (
        "dragoman.cli.annotate:annotate",
        "Write stems, lemmas, parts of speech … behind the tokens, as factors.",
    ),
    "campaign": ("dragoman.cli.campaign:campaign", "Plan how people judge translations, and analyse what they said."),
    "cat": ("dragoman.cli.cat:cat", "Translate documents with memories, terms and prediction, and tell what it cost."),
    "compare": ("dragoman.cli.compare:compare", "Test whether systems differ from a baseline, and show where."),
    "compare-rankings": (
        "dragoman.cli.head_to_head:compare_rankings",
        "Compare two rankings: how alike they are, what moved, and what the judgements say.",
    ),
    "completion": ("dragoman.cli.completion:completion", "Print the completion script for your shell."),
    "comprehension": (
        "dragoman.cli.comprehension:comprehension",
        "Plan and score comprehension tests: what listeners could answer.",
    ),
    "convert": ("dragoman.cli.convert:convert", "Convert a file or folder into another format."),
    "corpus": ("dragoman.cli.corpus:corpus", "Count, clean, score, shuffle and split parallel corpora."),
    "crowd": ("dragoman.cli.crowd:crowd", "Count votes on crowd translations, choose the best, review the workers."),
    "demo": ("dragoman.cli.demo:demo", "Run the whole story on the samples and write a page that shows it."),
    "detokenize": ("dragoman.cli.text:detokenize", "Join tokens to text again, as Moses does."),
    "edits": ("dragoman.cli.edits:edits", "Show the edits that turn a system's output into the reference."),
    "errors": ("dragoman.cli.errors:errors", "Count inflection, order, missing, extra and lexical errors."),
    "gate": ("dragoman.cli.gate:gate", "Fail a build when a system drops below its baseline."),
    "grammar": ("dragoman.cli.grammar:grammar", "Learn grammars from treebanks and parse sentences into phrases."),
    "head-to-head": (
        "dragoman.cli.head_to_head:head_to_head",
        "Show who beats whom, pair by pair, with exact sign tests.",
    ),
    "hmeant": ("dragoman.cli.hmeant:hmeant", "Score systems by semantic frames that people marked and linked."),
    "inspect": (
        "dragoman.cli.inspect:inspect",
        "Show what is in a model folder and whether it is whole, or what is in a file of judgements.",
    ),
    "lint": (
        "dragoman.cli.lint:lint",
        "Look a test set, a bitext or judgements over for what is probably wrong with them.",
    ),
    "lm": ("dragoman.cli.lm:lm", "Estimate language models and score text with them."),
    "matrix": ("dragoman.cli.matrix:matrix", "Score every line of one file against every line of another."),
    "meta": ("dragoman.cli.meta:meta", "Tell which automatic metrics agree with people."),
    "names": (
        "dragoman.cli.names:names",
        "Learn to find names of persons, places, organisations … from annotated text, and find them.",
    ),
    "normalize": (
        "dragoman.cli.text:normalize",
        "Bring text to one form; the steps asked for run in the order of the options below.",
    ),
    "parser": ("dragoman.cli.parser:parser", "Learn to tag and parse from treebanks, and annotate text with it."),
    "post-edits": (
        "dragoman.cli.post_edits:post_edits",
        "Tell what post-editors did, what it cost them, and where the two disagree.",
    ),
    "qe": ("dragoman.cli.qe:qe", "Estimate the quality of translations without a reference."),
    "rank": ("dragoman.cli.rank:rank", "Rank systems by what people said of them."),
    "report": ("dragoman.cli.report:report", "Write a whole evaluation as one HTML site."),
    "sacrebleu": (
        "dragoman.cli.sacrebleu:sacrebleu",
        "Take sacreBLEU's command lines, and print what sacreBLEU prints.",
    ),
    "samples": ("dragoman.cli.samples:samples", "Write the sample data into a folder: a phrasebook and a test set."),
    "score": ("dragoman.cli.score:score", "Score systems against references."),
    "serve": ("dragoman.cli.serve:serve", "Run the server: people judge translations in the browser."),
    "slope": (
        "dragoman.cli.slope:slope",
        "Say whether an engine learns while it is used: the percentage slope of its errors.",
    ),
    "smt": ("dragoman.cli.smt:smt", "Train translation engines, and look into them."),
    "split-sentences": ("dragoman.cli.text:split_sentences", "Cut paragraphs, one a line, into sentences, one a line."),
    "subword": ("dragoman.cli.subword:subword", "Train a model of subwords or morphemes and cut text with it."),
    "tokenize": ("dragoman.cli.text:tokenize", "Cut text into tokens, separated by spaces."),
    "translate": ("dragoman.cli.translate:translate", "Translate text, a sentence a line."),
    "truecase": (
        "dragoman.cli.truecase:truecase",
        "Learn which words have capitals of their own, and apply or undo it.",
    ),
    "tune-metric": (
        "dragoman.cli.tune_metric:tune_metric",
        "Tune AMBER's parameters to human judgements by downhill simplex.",
    ),
    "understandability": (
        "dragoman.cli.understandability:understandability",
        "Plan and score blind editing: can output be understood without the source?",
    ),
}

# The house writes British English; the commands keep the spelling of the field's tools and answer to both.
ALIASES = {"detokenise": "detokenize", "normalise": "normalize", "tokenise": "tokenize"}


class _LazyGroup(click.Group):
    """A group whose commands are imported on first use, so that `dragoman --help` and completion stay quick."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        cmd_name = ALIASES.get(cmd_name, cmd_name)
        if cmd_name not in COMMANDS:
            return None
        module, _, attribute = COMMANDS[cmd_name][0].partition(":")
        command: click.Command = getattr(import_module(module), attribute)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS.keys() | ALIASES.keys() and not args[0].startswith("-"):
            from difflib import get_close_matches

            near = get_close_matches(args[0], COMMANDS, n=1)
            hint = f" Did you mean {near[0]!r}?" if near else ""
            ctx.fail(f"There is no command {args[0]!r}.{hint} See: dragoman --help")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl([(name, COMMANDS[name][1]) for name in sorted(COMMANDS)])


@click.command(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="dragoman", message="%(prog)s %(version)s")
@click.pass_context
def group(ctx: click.Context) -> None:
    """The machine-translation workbench.

    \b
    Try it on the samples that come with it:
      dragoman demo demo-output
    """
    ctx.with_resource(warnings.catch_warnings())
    warnings.simplefilter("always", MendedInput)
    warnings.showwarning = _show_warning


def _show_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,  # noqa: ARG001 - Python's signature
    line: str | None = None,
) -> None:
    """Our own warnings as a line, others as Python shows them."""
    if issubclass(category, MendedInput):
        click.echo(f"dragoman: beware: {message}", err=True)
    else:
        click.echo(warnings.formatwarning(message, category, filename, lineno, line), err=True, nl=False)


# The disk is full, the user's share of it, or the largest file that is allowed.
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def main() -> None:
    """Run the command line. Exit codes: 0 done, 1 the input is wrong, 2 the call is wrong."""
    try:
        group.main(prog_name="dragoman", standalone_mode=True)
    except DragomanError as error:
        _stop(str(error))
    except BrokenPipeError:
        # The reader of our output left (`| head`); what it wanted, it has.
        sys.stderr.close()
        sys.exit(0)
    except OSError as error:
        if error.errno in _NO_ROOM:
            _stop(f"There is no room on the disk ({error}). Nothing was left half-written: make room and run it again.")
        _stop(str(error))
    except MemoryError:
        _stop(
            "There is not enough memory for this; nothing was left half-written. Take less text at a time, fewer "
            "--threads or, for language models, less --memory."
        )


def _stop(message: str) -> None:
    click.echo(f"dragoman: {message}", err=True)
    sys.exit(1)
