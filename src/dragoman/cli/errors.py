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
@click.option(
    "--base",
    "bases",
    metavar="FILE",
    multiple=True,
    help="Base forms of a system, a form a word, in the systems' order.",
)
@click.option("--ref-base", "ref_bases", metavar="FILE", multiple=True, help="Base forms of a reference, likewise.")
@click.option("--pos", metavar="FILE", help="Parts of speech of one system, a tag a word: errors are counted by them.")
@click.option(
    "--ref-pos", "ref_tags", metavar="FILE", multiple=True, help="Parts of speech of a reference; with --pos."
)
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
    bases: tuple[str, ...],
    ref_bases: tuple[str, ...],
    pos: str | None,
    ref_tags: tuple[str, ...],
    layers: tuple[str, ...],
    n_threads: int,
    form: str,
    output: str,
) -> None:
    """Count inflection, order, missing, extra and lexical errors.

    \b
      dragoman errors a.en b.en -r reference.en
      dragoman errors a.de -r reference.de --layer stem=snowball:lang=de --html errors.html
      dragoman errors a.tok -r ref.tok --tokeniser none --base a.base --ref-base ref.base --pos a.pos --ref-pos ref.pos

    Classes and rates are those of CLASSER (Popović, WMT 2012), of words and of blocks of words. Base forms are the
    layer lemma or stem, or given word by word; without either, the first four letters of a word.
    """
    from dragoman.data import assemble
    from dragoman.files import open_writer, read_lines
    from dragoman.metrics import error_profile, label_words

    _check_files(systems, refs, bases, ref_bases, pos, ref_tags)
    test_set = assemble(refs=refs, systems=systems, layers=layers, n_threads=n_threads)
    given = dict(zip(test_set.systems, map(read_lines, bases), strict=False)) if bases else None
    given_refs = [read_lines(path) for path in ref_bases] if ref_bases else None
    if not words and page is None and pos is None:
        profile = error_profile(
            test_set,
            tokeniser=tokeniser,
            lowercase=lowercase,
            hyp_bases=given,
            ref_bases=given_refs,
            n_threads=n_threads,
        )
        emit(profile, form, output)
        return
    if len(test_set.systems) > 1:
        raise click.UsageError("--words, --pos and --html label the words of one system; name one.")
    ((name, hyps),) = test_set.systems.items()
    labels = label_words(
        hyps,
        test_set.refs,
        system=name,
        tokeniser=tokeniser,
        lowercase=lowercase,
        layers=test_set.layers,
        hyp_bases=given[name] if given else None,
        ref_bases=given_refs,
        hyp_tags=read_lines(pos) if pos else None,
        ref_tags=[read_lines(path) for path in ref_tags] if pos else None,
        n_threads=n_threads,
    )
    if page is not None:
        with open_writer(page) as stream:
            stream.write(labels.html())
    emit(labels if words else labels.by_tag() if pos else labels.profile, form, output)


def _check_files(
    systems: tuple[str, ...],
    refs: tuple[str, ...],
    bases: tuple[str, ...],
    ref_bases: tuple[str, ...],
    pos: str | None,
    ref_tags: tuple[str, ...],
) -> None:
    """Each side has its files, or none has."""
    if (bases or ref_bases) and (len(bases), len(ref_bases)) != (len(systems), len(refs)):
        raise click.UsageError(
            f"--base is for each of {len(systems)} systems, --ref-base for each of {len(refs)} references; there are "
            f"{len(bases)} and {len(ref_bases)}."
        )
    if (pos is None) != (not ref_tags) or (pos and len(ref_tags) != len(refs)):
        raise click.UsageError("--pos and a --ref-pos for each reference go together.")
