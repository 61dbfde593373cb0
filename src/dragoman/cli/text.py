"""`dragoman text tokenize`, `detokenize`, `normalize`, `split-sentences`: lines in, lines out."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from dragoman.cli.output import encoding_option, output_options, threads_option
from dragoman.cli.streaming import stream_lines

if TYPE_CHECKING:
    from dragoman.text import QuoteStyle

__all__ = ["detokenize", "normalize", "split_sentences", "tokenize"]

F = TypeVar("F", bound=Callable[..., Any])


def source_argument(command: F) -> F:
    """Add the file of lines that a command reads, standard input if none is named, and its encoding."""
    source = click.argument("source", metavar="[FILE]", type=click.Path(allow_dash=True), default="-")
    return source(encoding_option(command))


lang_option = click.option("--lang", default="en", show_default=True, metavar="LANG", help="Language of the text.")


@click.command()
@source_argument
@click.option(
    "-t",
    "--tokeniser",
    "--tokenizer",
    "spec",
    default="13a",
    show_default=True,
    metavar="NAME[:OPTION=VALUE,…]",
    help="How to tokenise; dragoman text tokenize --list names the ways.",
)
@click.option("--list", "list_all", is_flag=True, help="List the tokenisers and stop.")
@threads_option
@output_options
def tokenize(source: str, spec: str, list_all: bool, n_threads: int, form: str, output: str) -> None:
    """Cut text into tokens, separated by spaces.

    \b
      dragoman text tokenize samples/testset/source.de -t moses:lang=de
      cat output.en | dragoman text tokenize
    """
    from dragoman.text import TOKENISERS

    if list_all:
        _list(form, output)
        return
    tokeniser = TOKENISERS.make(spec)
    stream_lines(
        lambda lines: tokeniser.tokenise(lines, n_threads=n_threads),
        source,
        form=form,
        output=output,
        made_by={"tokeniser": tokeniser.signature()},
    )


def _list(form: str, output: str) -> None:
    from dragoman.cli.output import emit
    from dragoman.report import Listing
    from dragoman.text import TOKENISERS

    emit(Listing.of_registry(TOKENISERS), form, output)


@click.command()
@source_argument
@lang_option
@threads_option
@output_options
def detokenize(source: str, lang: str, n_threads: int, form: str, output: str) -> None:
    """Join tokens to text again, as Moses does.

    \b
      dragoman text tokenize samples/testset/source.de -t moses:lang=de | dragoman text detokenize --lang de
    """
    from dragoman.text import MosesDetokeniser

    joiner = MosesDetokeniser(lang=lang)
    stream_lines(
        lambda lines: joiner.detokenise(lines, n_threads=n_threads),
        source,
        form=form,
        output=output,
        made_by={"detokeniser": f"moses:lang={lang}"},
    )


@click.command()
@source_argument
@lang_option
@click.option(
    "--unicode",
    "unicode_form",
    type=click.Choice(["NFC", "NFKC", "NFD", "NFKD"], case_sensitive=False),
    help="Normalisation form.",
)
@click.option("--controls", is_flag=True, help="Remove control characters.")
@click.option("--spaces", is_flag=True, help="One space between words, none at the ends.")
@click.option("--punctuation", is_flag=True, help="Punctuation as Moses normalises it.")
@click.option(
    "--quotes",
    type=click.Choice(["directed", "ascii"], case_sensitive=False),
    help="Quotes and apostrophes in one form.",
)
@click.option("--lowercase", is_flag=True, help="Small letters, by the rules of the language.")
@threads_option
@output_options
def normalize(
    source: str,
    lang: str,
    unicode_form: str | None,
    controls: bool,
    spaces: bool,
    punctuation: bool,
    quotes: str | None,
    lowercase: bool,
    n_threads: int,
    form: str,
    output: str,
) -> None:
    """Bring text to one form, by the steps asked for.

    \b
      dragoman text normalize samples/testset/source.de --lang de --unicode NFC --quotes directed

    The steps run in the order of the options below.
    """
    from dragoman import text

    steps: dict[str, Callable[[list[str]], list[str]]] = {}
    if unicode_form:
        steps[f"unicode={unicode_form}"] = lambda lines: text.normalise_unicode(lines, unicode_form)
    if controls:
        steps["controls"] = text.remove_controls
    if spaces:
        steps["spaces"] = text.squeeze_spaces
    if punctuation:
        normaliser = text.PunctuationNormaliser(lang=lang)
        steps["punctuation"] = lambda lines: normaliser.normalise(lines, n_threads=n_threads)
    if quotes:
        style: QuoteStyle = "ascii" if quotes == "ascii" else "directed"
        steps[f"quotes={quotes}"] = lambda lines: text.normalise_quotes(lines, lang, style=style, n_threads=n_threads)
    if lowercase:
        steps["lowercase"] = lambda lines: text.lowercase(lines, lang, n_threads=n_threads)
    if not steps:
        raise click.UsageError("Say what to normalise: --unicode, --controls, --spaces, --punctuation, --quotes …")

    def change(lines: list[str]) -> list[str]:
        for step in steps.values():
            lines = step(lines)
        return lines

    stream_lines(change, source, form=form, output=output, made_by={"steps": list(steps), "lang": lang})


@click.command("split-sentences")
@source_argument
@lang_option
@threads_option
@output_options
def split_sentences(source: str, lang: str, n_threads: int, form: str, output: str) -> None:
    """Cut paragraphs, one a line, into sentences, one a line.

    \b
      dragoman text split-sentences text.de --lang de
    """
    from dragoman.text import SentenceSplitter

    splitter = SentenceSplitter(lang=lang)
    stream_lines(
        lambda lines: [sentence for each in splitter.split(lines, n_threads=n_threads) for sentence in each],
        source,
        form=form,
        output=output,
        made_by={"splitter": f"moses:lang={lang}"},
    )
