"""`dragoman errors`."""

from __future__ import annotations

import click

from dragoman.cli.output import emit, encoding_option, layer_option, output_options, threads_option

__all__ = ["errors"]


@click.command()
@click.argument("systems", metavar="SYSTEM...", nargs=-1, required=True)
@click.option("-r", "--ref", "refs", metavar="FILE", multiple=True, required=True, help="Reference; may be repeated.")
@click.option("--words", is_flag=True, help="Label every word of one system instead of counting.")
@click.option("--html", "page", metavar="FILE", help="Also write one system's text with every word labelled.")
@click.option("--tokeniser", "--tokenizer", default="13a", show_default=True, help="Cuts words.")
@click.option("--lowercase", is_flag=True, help="Ignore case.")
@layer_option
@threads_option
@encoding_option
@output_options
def errors(
    systems: tuple[str, ...],
    refs: tuple[str, ...],
    words: bool,
    page: str | None,
    tokeniser: str,
    lowercase: bool,
    layers: tuple[str, ...],
    n_threads: int,
    form: str,
    output: str,
) -> None:
    """Count inflection, order, missing, extra and lexical errors.

    \b
      dragoman errors a.en b.en -r reference.en
      dragoman errors a.de -r reference.de --layer stem=snowball:lang=de --html errors.html

    Classes and rates are those of CLASSER (Popović, WMT 2012), of words and of blocks of words. Base forms are the
    layer lemma or stem; without one, the first four letters of a word.
    """
    from dragoman.data import assemble
    from dragoman.files import open_writer
    from dragoman.metrics import error_profile, label_words

    test_set = assemble(refs=refs, systems=systems, layers=layers, n_threads=n_threads)
    if not words and page is None:
        profile = error_profile(test_set, tokeniser=tokeniser, lowercase=lowercase, n_threads=n_threads)
        emit(profile, form, output)
        return
    if len(test_set.systems) > 1:
        raise click.UsageError("--words and --html label the words of one system; name one.")
    ((name, hyps),) = test_set.systems.items()
    labels = label_words(
        hyps,
        test_set.refs,
        system=name,
        tokeniser=tokeniser,
        lowercase=lowercase,
        layers=test_set.layers,
        n_threads=n_threads,
    )
    if page is not None:
        with open_writer(page) as stream:
            stream.write(labels.html())
    emit(labels if words else labels.profile, form, output)
