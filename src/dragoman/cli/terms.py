"""`dragoman terms`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from dragoman.align.expressions import TermExtraction
from dragoman.cli.output import LanguagePair, emit, layer_option, output_options
from dragoman.cli.recipes import recipe_options

if TYPE_CHECKING:
    from dragoman.align.expressions import Tags

__all__ = ["terms"]


@click.command()
@click.argument("src", type=click.Path(exists=True, allow_dash=True))
@click.argument("tgt", type=click.Path(exists=True, allow_dash=True))
@click.option(
    "--pair", metavar="SRC-TGT", type=LanguagePair(), help="Languages; else those that the files are named after."
)
@layer_option
@click.option(
    "--to",
    type=click.Path(),
    metavar="FILE",
    help="Write them there, as --glossary and align.terms take them; .tbx and .csv for translators' tools.",
)
@recipe_options(TermExtraction)
@output_options
def terms(
    src: str,
    tgt: str,
    pair: str | None,
    layers: tuple[str, ...],
    to: str | None,
    recipe: TermExtraction,
    form: str,
    output: str,
) -> None:
    """Find pairs of multi-word terms in a tokenised bitext.

    \b
      dragoman terms train.fr train.en --to terms.txt
      dragoman terms train.fr train.en --layer source.pos=tagger.fr --layer pos=tagger.en --to terms.tbx
      dragoman align train.fr train.en --glossary terms.txt --group anchors -o train.align
      dragoman smt train --src news.fr --tgt news.en --set align.terms=terms.txt -m engine

    Words that stand together more often than chance, or with --layer noun phrases by parts of speech (pos, source.pos),
    and the n-gram of the other side that they share most lines with, both ways. For the glossary of a translator, see
    `cat terms`, which weighs terms against text of another kind and cuts the text itself.
    """
    from dragoman.data.bitext_files import language_of_file
    from dragoman.files import read_lines

    srcs, tgts = read_lines(src), read_lines(tgt)
    named = pair.split("-", 1) if pair else [language_of_file(src) or "", language_of_file(tgt) or ""]
    languages = named[0], named[1]
    tags = _tags((srcs, tgts), layers, languages) if layers else None
    result = recipe.extract(srcs, tgts, tags=tags, languages=languages)
    if to is not None:
        result.write(to)
    emit(result, form, output)


def _tags(
    sides: tuple[Sequence[str], Sequence[str]], specs: tuple[str, ...], languages: tuple[str, str]
) -> tuple[Tags, Tags]:
    """Parts of speech of both sides' words, by those whom the layers name."""
    from dragoman.text.layers import annotate_once, layer_annotator, read_layers

    layers = read_layers(specs, source_lang=languages[0] or None, target_lang=languages[1] or None)
    taggers = [layer_annotator(layers, (layer,)) for layer in ("source.pos", "pos")]
    found = [
        annotate_once(tagger, [line.split() for line in lines])
        for tagger, lines in zip(taggers, sides, strict=True)
        if tagger is not None
    ]
    if len(found) != 2:
        raise click.UsageError("Say who tags both sides: --layer source.pos=ANNOTATOR --layer pos=ANNOTATOR.")
    return found[0], found[1]
