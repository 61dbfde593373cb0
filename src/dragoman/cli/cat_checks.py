"""`dragoman cat check`, `consistency` and `terms`: looking at translations that are there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from dragoman.cat.checks.base import CHECKS
from dragoman.cli.output import (
    LanguagePair,
    RegistryChoice,
    emit,
    layer_option,
    output_options,
    seed_option,
    threads_option,
)

__all__ = ["check", "consistency", "corrections", "terms"]

if TYPE_CHECKING:
    from dragoman.cat.dictionary import DictionaryEntries
    from dragoman.data import Bitext

_FILES = click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False))
_PAIR = click.option(
    "--pair", metavar="SRC-TGT", type=LanguagePair(), help="Languages, as en-de; needed where the files do not say."
)


@click.command()
@_FILES
@_PAIR
@click.option("--check", "names", multiple=True, type=RegistryChoice(CHECKS), help="Look for this alone; repeatable.")
@click.option("--glossary", type=click.Path(exists=True), metavar="FILE", help="Terms to be used: .tbx, .tsv, .csv.")
@click.option("--dictionaries", type=click.Path(exists=True), metavar="FOLDER", help="Hunspell dictionaries.")
@output_options
def check(
    files: tuple[str, ...],
    pair: str | None,
    names: tuple[str, ...],
    glossary: str | None,
    dictionaries: str | None,
    form: str,
    output: str,
) -> None:
    """Look for mistakes that show without understanding: numbers, marks, terms, spelling, length.

    \b
      dragoman cat check manual.en manual.de
      dragoman cat check memory.tmx --pair en-de --check numbers --check terms --glossary terms.tsv
    """
    from dragoman.cat.checks import CheckReport, Pair
    from dragoman.data import read_bitext

    bitext = read_bitext(files, pair=pair)
    langs = bitext.source_lang or "", bitext.target_lang or ""
    pairs = [Pair(source, target, (), None, *langs) for source, target in bitext]
    options = {"terms": glossary and f"glossary={glossary}"}
    options["spelling"] = dictionaries and f"dictionaries={dictionaries}"
    specs = [f"{name}:{options[name]}" if options.get(name) else name for name in names or CHECKS.names()]
    emit(CheckReport.of(pairs, [CHECKS.make(spec) for spec in specs]), form, output)


@click.command()
@_FILES
@_PAIR
@click.option("--ref", type=click.Path(exists=True), metavar="FILE", help="References: was the translation right?")
@click.option("--documents", type=click.Path(exists=True), metavar="FILE", help="The document of each line; else one.")
@click.option("--longest", type=click.IntRange(1, 10), default=4, show_default=True, help="Words of a phrase.")
@click.option("--phrases", metavar="FOLDER", help="An engine or phrase table: only what it has counts as a phrase.")
@click.option("--html", "page", metavar="FILE", help="Also write a page with the sentences of each place.")
@click.option("--sheet", metavar="FILE", help="Also write the phrases for annotators (see cat corrections).")
@seed_option
@threads_option
@output_options
def consistency(
    files: tuple[str, ...],
    pair: str | None,
    ref: str | None,
    documents: str | None,
    longest: int,
    phrases: str | None,
    page: str | None,
    sheet: str | None,
    seed: int,
    n_threads: int,
    form: str,
    output: str,
) -> None:
    """Find repeated segments and phrases that are not translated alike.

    \b
      dragoman cat consistency manual.en manual.de
      dragoman cat consistency memory.tmx --pair en-de --json
      dragoman cat consistency manual.en output.de --ref manual.de --phrases engine --html consistency.html

    Words are aligned by what the text itself teaches; differences of inflection and of function words do not count.
    """
    from dragoman.cat.consistency import consistency as run
    from dragoman.cat.consistency import consistency_page, phrases_of_engine
    from dragoman.cat.corrections import write_sheet
    from dragoman.data import read_bitext
    from dragoman.files import open_writer, read_lines

    bitext = read_bitext(files, pair=pair)
    srcs, tgts = _sides(bitext)
    result = run(
        srcs,
        tgts,
        refs=read_lines(ref) if ref else None,
        documents=read_lines(documents) if documents else None,
        source_lang=bitext.source_lang or "",
        target_lang=bitext.target_lang or "",
        known=phrases_of_engine(phrases) if phrases else None,
        longest=longest,
        seed=seed,
        n_threads=n_threads,
    )
    if page is not None:
        with open_writer(page) as stream:
            stream.write(consistency_page(result, srcs, tgts))
    if sheet is not None:
        write_sheet(result, sheet)
    emit(result, form, output)


@click.command()
@click.argument("sheet", type=click.Path(exists=True, dir_okay=False))
@output_options
def corrections(sheet: str, form: str, output: str) -> None:
    """Count what annotators say of repeated phrases: false alarms, and which corrections the real ones needed.

    \b
      dragoman cat consistency manual.en output.de --sheet phrases.tsv
      dragoman cat corrections phrases.tsv

    The columns lemma, misaligned, meaning, terminology and style are marked by x.
    """
    from dragoman.cat.corrections import read_sheet

    emit(read_sheet(sheet), form, output)


@click.command()
@_FILES
@_PAIR
@click.option("--background", type=click.Path(exists=True), metavar="FILE", help="Source text of another kind.")
@click.option("--most", type=click.IntRange(1), default=50, show_default=True, help="How many terms.")
@click.option("--glossary", type=click.Path(), metavar="FILE", help="Also write them there: .tbx, .tsv, .csv.")
@click.option("--entries", is_flag=True, help="Entries for a rule-based engine's dictionary, by parts of speech.")
@click.option("--known", type=click.Path(exists=True), metavar="FILE", help="With --entries, what is there already.")
@click.option(
    "--least-frequency", type=click.IntRange(1), default=3, show_default=True, help="With --entries, of a key."
)
@layer_option
@seed_option
@threads_option
@output_options
def terms(
    files: tuple[str, ...],
    pair: str | None,
    background: str | None,
    most: int,
    glossary: str | None,
    entries: bool,
    known: str | None,
    least_frequency: int,
    layers: tuple[str, ...],
    seed: int,
    n_threads: int,
    form: str,
    output: str,
) -> None:
    """Extract candidates for a glossary from a bitext: phrases that are peculiar to it and translated alike.

    \b
      dragoman cat terms manual.en manual.de --background news.en --glossary terms.tbx
      dragoman cat terms manual.en manual.de --entries --layer source.pos=hanta --layer pos=hanta --form csv

    With --entries: noun phrases and verbs with frequency, translation, probability and part of speech, without names
    and dates; --layer says who tags both sides, and who gives base forms (source.lemma, lemma), if anybody.
    """
    from dragoman.cat.term_extraction import ExtractedTerms, extract_terms
    from dragoman.cat.term_files import write_glossary
    from dragoman.data import read_bitext
    from dragoman.files import iter_lines

    bitext = read_bitext(files, pair=pair)
    result: ExtractedTerms | DictionaryEntries
    if entries:
        result = _entries(bitext, layers, known, least_frequency, most, seed, n_threads)
    elif known or layers:
        raise click.UsageError("--known and --layer go with --entries.")
    else:
        srcs, tgts = _sides(bitext)
        result = extract_terms(
            srcs,
            tgts,
            iter_lines(background) if background else (),
            source_lang=bitext.source_lang or "",
            target_lang=bitext.target_lang or "",
            most=most,
            seed=seed,
            n_threads=n_threads,
        )
    if glossary:
        write_glossary(result.glossary(), glossary)
    emit(result, form, output)


def _entries(
    bitext: Bitext,
    specs: tuple[str, ...],
    known: str | None,
    least_frequency: int,
    most: int,
    seed: int,
    n_threads: int,
) -> DictionaryEntries:
    from dragoman.cat.dictionary import Tagging, extract_entries
    from dragoman.cat.term_files import read_glossary
    from dragoman.text.layers import layer_annotator, read_layers

    source_lang, target_lang = bitext.source_lang, bitext.target_lang
    layers = read_layers(specs, source_lang=source_lang, target_lang=target_lang)
    taggers = [layer_annotator(layers, (layer,)) for layer in ("source.pos", "pos")]
    if None in taggers:
        raise click.UsageError("Say who tags both sides: --layer source.pos=ANNOTATOR --layer pos=ANNOTATOR.")
    lemmas = [layer_annotator(layers, (layer,)) for layer in ("source.lemma", "lemma")]
    taggings = [Tagging(tagger, lemma) for tagger, lemma in zip(taggers, lemmas, strict=True) if tagger is not None]
    srcs, tgts = _sides(bitext)
    return extract_entries(
        srcs,
        tgts,
        (taggings[0], taggings[1]),
        known=read_glossary(known, source_lang or "", target_lang or "") if known else None,
        source_lang=source_lang or "",
        target_lang=target_lang or "",
        least_frequency=least_frequency,
        most=most,
        seed=seed,
        n_threads=n_threads,
    )


def _sides(bitext: Bitext) -> tuple[list[str], list[str]]:
    pairs = list(bitext)
    return [source for source, _ in pairs], [target for _, target in pairs]
