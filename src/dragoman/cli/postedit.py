"""`dragoman postedit`."""

from __future__ import annotations

from dataclasses import replace

import click

from dragoman.cli.output import LanguagePair, emit, output_options, threads_option
from dragoman.cli.recipes import recipe_options
from dragoman.postedit.recipe import PostEditRecipe
from dragoman.postedit.substitution import SubstitutionRecipe

__all__ = ["postedit"]


@click.group()
def postedit() -> None:
    """Post-edit what an engine says, where a model believes in it."""


@postedit.command()
@click.argument("outputs", type=click.Path(), required=False)
@click.option("-r", "--ref", required=True, type=click.Path(), metavar="FILE", help="The references.")
@click.option("-s", "--src", "source", type=click.Path(), metavar="FILE", help="The sources.")
@click.option("--pair", type=LanguagePair(), metavar="SRC-TGT", help="The languages, as es-en.")
@click.option("--lm-text", multiple=True, type=click.Path(), metavar="FILE", help="More text of the target language.")
@recipe_options(PostEditRecipe, skip=("source_lang", "target_lang"))
@click.option("-m", "--model", required=True, type=click.Path(), metavar="MODEL", help="The post-editor's folder.")
@threads_option
@output_options
def train(
    outputs: str | None,
    ref: str,
    source: str | None,
    pair: str | None,
    lm_text: tuple[str, ...],
    recipe: PostEditRecipe,
    model: str,
    n_threads: int,
    form: str,
    output: str,
) -> None:
    """Learn post-editing from an engine's OUTPUTS and their references.

    \b
      dragoman postedit train rules.en -r reference.en -s source.es --pair es-en -m editor
      dragoman postedit train -r reference.en -s source.es --base apertium:spa-eng -m editor
      dragoman postedit train rules.en -r reference.en -s source.es --lm-text news.en --most-changed 0.4 -m editor

    Without OUTPUTS, the engine --base translates the sources; with it the editor is an engine, too:
    dragoman translate -m editor. What a change is worth and how much is enough is learnt on lines that phrases have
    not seen. Numbers, codes, names and unknown words are never lost nor doubled.
    """
    from dragoman.cli.progress import shown_progress
    from dragoman.engines import Translates, load_engine, need
    from dragoman.files import read_lines
    from dragoman.postedit import train_post_editor
    from dragoman.text.languages import parse_pair

    if outputs is None and not (recipe.base and source):
        raise click.UsageError("Name a file of outputs, or the engine and its sources: --base and -s.")
    sources = read_lines(source) if source else None
    base = need(load_engine(recipe.base), Translates) if recipe.base else None
    langs = parse_pair(pair) if pair else base.languages if base else ("", "")
    with shown_progress() as progress:
        if outputs is not None:
            texts = read_lines(outputs)
        else:
            assert base is not None  # noqa: S101, asked for above
            texts = base.translate(sources or [], n_threads=n_threads)
        done = train_post_editor(
            texts,
            read_lines(ref),
            sources,
            replace(recipe, source_lang=langs[0], target_lang=langs[1]),
            more_text=[line for path in lm_text for line in read_lines(path)],
            n_threads=n_threads,
            progress=progress,
        )
    done.editor.save(model)
    emit(done, form, output)


@postedit.command()
@click.argument("outputs", type=click.Path(allow_dash=True))
@click.option("-m", "--model", required=True, type=click.Path(), metavar="MODEL", help="The post-editor's folder.")
@click.option("-s", "--src", "source", type=click.Path(), metavar="FILE", help="The sources.")
@click.option("--explain", is_flag=True, help="Show each change with its evidence, and what was refused.")
@threads_option
@output_options
def apply(outputs: str, model: str, source: str | None, explain: bool, n_threads: int, form: str, output: str) -> None:
    """Post-edit an engine's OUTPUTS, a line each; lines without a change that is believed in stay as they are.

    \b
      dragoman postedit apply rules.en -m editor -s source.es
      dragoman postedit apply rules.en -m editor -s source.es --explain
    """
    from dragoman.files import open_writer, read_lines
    from dragoman.postedit import PostEditor

    sources = read_lines(source) if source else None
    result = PostEditor.load(model).apply(read_lines(outputs), sources, n_threads=n_threads)
    if explain or form != "text":
        emit(result, form, output)
        return
    with open_writer(output) as stream:
        stream.writelines(f"{line}\n" for line in result.lines)


@postedit.command()
@click.argument("template", type=click.Path())
@click.argument("others", nargs=-1, required=True, type=click.Path())
@click.option("-m", "--model", required=True, type=click.Path(), metavar="MODEL", help="What decides.")
@click.option("-r", "--ref", type=click.Path(), metavar="FILE", help="Learn from these references first, and save it.")
@click.option("--lm-text", multiple=True, type=click.Path(), metavar="FILE", help="More text of the target language.")
@recipe_options(SubstitutionRecipe)
@output_options
def substitute(
    template: str,
    others: tuple[str, ...],
    model: str,
    ref: str | None,
    lm_text: tuple[str, ...],
    recipe: SubstitutionRecipe,
    form: str,
    output: str,
) -> None:
    """Put phrases of OTHERS, outputs of other engines, into the sentences of a rule-based engine, the TEMPLATE.

    \b
      dragoman postedit substitute rules.de phrases.de -r reference.de --tagger hanta:lang=de -m substituter
      dragoman postedit substitute rules.de phrases.de -m substituter -o hybrid.de
      dragoman postedit substitute rules.de phrases.de -m substituter --json

    Slots are noun phrases, main verbs and adjectives. --json has every slot with its candidates, their factors and the
    decision. Numbers, codes and names are never lost nor doubled, and nothing is reordered.
    """
    from pathlib import Path

    from dragoman.files import open_writer, read_lines
    from dragoman.postedit.substitution import Substituter, train_substituter

    lines = read_lines(template)
    systems = {Path(path).name: read_lines(path) for path in others}
    if ref is not None:
        more = [line for path in lm_text for line in read_lines(path)]
        train_substituter(lines, systems, read_lines(ref), recipe, more_text=more).save(model)
    result = Substituter.load(model).apply(lines, systems)
    if form != "text":
        emit(result, form, output)
        return
    with open_writer(output) as stream:
        stream.writelines(f"{line}\n" for line in result.lines)
