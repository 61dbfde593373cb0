"""`dragoman deep`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from dragoman.cli.output import LanguagePair, emit, output_options, seed_option, threads_option

if TYPE_CHECKING:
    from dragoman.text.conllu import Sentence

__all__ = ["deep"]

_lang = click.option("--lang", required=True, metavar="LANG", help="The trees' language: cs, de, en, es or fr.")
_pair = click.option("--pair", required=True, type=LanguagePair(), metavar="SRC-TGT", help="The languages, as de-es.")


@click.group()
def deep() -> None:
    """Look below the surface: content words, formemes, transfer."""


@deep.command()
@click.argument("trees", type=click.Path())
@_lang
@click.option("--conllu", is_flag=True, help="Write the trees with Formeme= in MISC instead of a summary.")
@output_options
def annotate(trees: str, lang: str, conllu: bool, form: str, output: str) -> None:
    """Give the content words of dependency trees their formemes.

    \b
      dragoman deep annotate de_pud-ud-test.conllu --lang de
      dragoman deep annotate de_pud-ud-test.conllu --lang de --conllu > deep.conllu

    --json has a row for each content word: its form, lemma, parent in the deep tree, and formeme.
    """
    from dragoman.deep import annotate as annotate_trees
    from dragoman.deep import annotated
    from dragoman.files import open_writer
    from dragoman.text.conllu import iter_conllu

    if not conllu:
        emit(annotate_trees(iter_conllu(trees), lang), form, output)
        return
    with open_writer(output) as stream:
        for sentence in annotated(iter_conllu(trees), lang):
            stream.writelines(line + "\n" for line in sentence.lines())


@deep.command()
@click.argument("first", type=click.Path())
@click.argument("second", type=click.Path())
@_pair
@click.option("--links", type=click.Path(), metavar="FILE", help="Links of words (Pharaoh); else they are learnt.")
@click.option("--merge", multiple=True, metavar="OLD=NEW", help="Also without telling OLD from NEW. May be repeated.")
@seed_option
@threads_option
@output_options
def information(
    first: str,
    second: str,
    pair: str,
    links: str | None,
    merge: tuple[str, ...],
    seed: int,
    n_threads: int,
    form: str,
    output: str,
) -> None:
    """Tell how much the formemes of one language tell about those of another, in bits.

    \b
      dragoman deep information de_pud-ud-test.conllu es_pud-ud-test.conllu --pair de-es
      dragoman deep information de.conllu es.conllu --pair de-es --merge v:rc=v:fin

    The files have the same sentences in the same order.
    """
    from dragoman.data.formats.pharaoh import PharaohFormat
    from dragoman.deep import formeme_information
    from dragoman.text.conllu import read_conllu
    from dragoman.text.languages import parse_pair

    result = formeme_information(
        read_conllu(first),
        read_conllu(second),
        parse_pair(pair),
        links=None if links is None else [each.links for each in PharaohFormat().read(links)],
        merges=[_merge(text) for text in merge],
        seed=seed,
        n_threads=n_threads,
    )
    emit(result, form, output)


@deep.command(name="round-trip")
@click.argument("trees", type=click.Path())
@click.option(
    "--learn", multiple=True, required=True, type=click.Path(), metavar="TREEBANK", help="Forms come from it."
)
@_lang
@output_options
def round_trip(trees: str, learn: tuple[str, ...], lang: str, form: str, output: str) -> None:
    """Take trees down to content words with formemes and make sentences of them again.

    \b
      dragoman deep round-trip es_pud-ud-test.conllu --learn es_gsd-ud-dev.conllu --lang es

    BLEU against the sentences as they were says how much the deep trees keep.
    """
    from dragoman.deep import round_trip as make_round_trip
    from dragoman.text.conllu import read_conllu

    emit(make_round_trip(read_conllu(trees), _all(learn), lang), form, output)


@deep.command()
@click.argument("trees", type=click.Path())
@click.option("--src", "first", required=True, type=click.Path(), metavar="TREEBANK", help="Trees to learn from.")
@click.option(
    "--tgt", "second", required=True, type=click.Path(), metavar="TREEBANK", help="Their translations' trees."
)
@click.option(
    "--learn", multiple=True, type=click.Path(), metavar="TREEBANK", help="More trees of the target language."
)
@click.option("-r", "--ref", type=click.Path(), metavar="TREEBANK", help="Trees of the references: tells BLEU.")
@click.option(
    "--dictionary",
    type=click.Choice(["maxent", "counts"], case_sensitive=False),
    default="maxent",
    show_default=True,
    help="Translations in their context, or the most frequent ones.",
)
@_pair
@seed_option
@threads_option
@output_options
def transfer(
    trees: str,
    first: str,
    second: str,
    learn: tuple[str, ...],
    ref: str | None,
    pair: str,
    dictionary: str,
    seed: int,
    n_threads: int,
    form: str,
    output: str,
) -> None:
    """Translate deep trees node by node, by a dictionary of lemmas and formemes from parallel trees.

    \b
      dragoman deep transfer test.de.conllu --src train.de.conllu --tgt train.es.conllu --pair de-es -r test.es.conllu
    """
    from dragoman.deep import learn_transfer
    from dragoman.text.conllu import read_conllu
    from dragoman.text.languages import parse_pair

    model = learn_transfer(
        read_conllu(first),
        read_conllu(second),
        parse_pair(pair),
        more=_all(learn),
        dictionary=dictionary,
        seed=seed,
        n_threads=n_threads,
    )
    emit(model.translate(read_conllu(trees), read_conllu(ref) if ref else None), form, output)


def _all(paths: tuple[str, ...]) -> list[Sentence]:
    from dragoman.text.conllu import iter_conllu

    return [sentence for path in paths for sentence in iter_conllu(path)]


def _merge(text: str) -> dict[str, str]:
    old, sign, new = text.partition("=")
    if not (old and sign and new):
        raise click.BadParameter(f"{text!r} is no OLD=NEW, such as v:rc=v:fin.", param_hint="--merge")
    return {old: new}
