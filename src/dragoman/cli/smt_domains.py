"""`dragoman smt domains`."""

from __future__ import annotations

import click

from dragoman.cli.output import emit, output_options, threads_option

__all__ = ["domains"]


@click.command()
@click.argument("names", metavar="X Y…", nargs=-1, required=True)
@click.option("--lang-src", metavar="LANG", required=True, help="Language translated from.")
@click.option("--lang-tgt", metavar="LANG", required=True, help="Language translated into.")
@click.option("--dev", metavar="NAME", help="Tuning set: files NAME.LANG.")
@click.option("--test", metavar="NAME", required=True, help="Test set, named likewise.")
@click.option("--recipe", metavar="FILE", type=click.Path(), help="Recipe of all engines, a TOML file.")
@click.option("--set", "settings", metavar="SECTION.OPTION=VALUE", multiple=True, help="Change the recipe; repeatable.")
@click.option(
    "--work", metavar="DIR", required=True, type=click.Path(), help="Where steps are kept; go on with the same one."
)
@threads_option
@output_options
def domains(
    names: tuple[str, ...],
    lang_src: str,
    lang_tgt: str,
    dev: str | None,
    test: str,
    recipe: str | None,
    settings: tuple[str, ...],
    work: str,
    n_threads: int,
    form: str,
    output: str,
) -> None:
    """Say how far texts are from a test set, what an engine loses without each, and which words they help.

    \b
      dragoman smt domains news web --lang-src de --lang-tgt en --test newstest --work work

    Texts are files NAME.LANG, or names with {lang} in them; the first is the one of the right kind.
    """
    from pathlib import Path

    from dragoman.cli.progress import shown_progress
    from dragoman.smt.experiments import compare_domains
    from dragoman.smt.experiments.language_files import read_bitext_of, read_test_set
    from dragoman.smt.recipe import EngineRecipe, changed
    from dragoman.text.languages import parse_language

    langs = parse_language(lang_src), parse_language(lang_tgt)
    base = EngineRecipe.read(recipe) if recipe else EngineRecipe()
    chosen = changed(base, [f"source_lang={langs[0]}", f"target_lang={langs[1]}", *settings])
    labels = [Path(name).name for name in names]
    if len(set(labels)) < len(labels):
        labels = list(names)
    texts = {label: read_bitext_of(name, *langs) for label, name in zip(labels, names, strict=True)}
    tuning = read_test_set(dev, *langs) if dev else None
    with shown_progress() as progress:
        found = compare_domains(
            texts,
            read_test_set(test, *langs),
            chosen,
            work=work,
            dev=tuning,
            n_threads=n_threads,
            progress=progress,
        )
    emit(found, form, output)
