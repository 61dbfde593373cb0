"""`dragoman qe words labels|train|predict|features|inspect`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from dragoman.cli.output import emit, layer_option, output_options, seed_option, threads_option
from dragoman.cli.qe_traces import Traced, trace_options
from dragoman.cli.recipes import recipe_options
from dragoman.qe.words import WordModel, WordRecipe

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dragoman.qe import QEData

__all__ = ["words"]

_LEVELS = ("binary", "level-1", "error")


@click.group()
def words() -> None:
    """Label the words of translations, or the gaps between.

    Labels are OK and BAD, or classes of errors.
    """


@words.command()
@click.argument("stem", metavar="[STEM]", required=False)
@click.option("--table", metavar="FILE", help="Instead of STEM.mt and STEM.tags: labelled words as in WMT 2014.")
@click.option("--sources", metavar="FILE", help="With --table: its sources, name and text between a tab.")
@click.option(
    "--level",
    type=click.Choice(_LEVELS, case_sensitive=False),
    default="binary",
    show_default=True,
    help="With --table: which labels.",
)
@click.option("-m", "--model", required=True, type=click.Path(), help="The folder to make.")
@click.option("--resources", "folder", type=click.Path(exists=True), help="Folder that dragoman qe resources made.")
@layer_option
@recipe_options(
    WordRecipe, skip=("features", "target_tokeniser"), spellings={"n_folds": ("--folds",), "n_ranges": ("--ranges",)}
)
@click.option("--sentence-scores", metavar="FILE", help="Scores of the sentences as qe train --held-out writes them.")
@trace_options
@seed_option
@threads_option
@output_options
def train(
    stem: str | None,
    table: str | None,
    sources: str | None,
    level: str,
    model: str,
    folder: str | None,
    layers: tuple[str, ...],
    recipe: WordRecipe,
    sentence_scores: str | None,
    traced: Traced,
    seed: int,
    n_threads: int,
    form: str,
    output: str,
) -> None:
    """Learn which words are wrong from outputs whose words are labelled.

    \b
      dragoman qe words train gold/dev -m words --resources resources
      dragoman qe words train --table tgt_ann.train --sources source.train --level level-1 --stacked -m words
      dragoman qe words train gold/dev -m words --learner blstm
    """
    from dragoman.qe.resources import load_resources
    from dragoman.text.layers import read_layers

    if (stem is None) == (table is None) or (table is None) != (sources is None):
        raise click.UsageError("give STEM, or --table with --sources.")
    if table is not None and sources is not None:
        if recipe.unit == "gap":
            raise click.UsageError("a table of WMT 2014 has no labels of gaps.")
        texts, outputs, labels = _read_table(table, sources, level)
    else:
        data = _read_tagged(str(stem))
        texts, outputs = list(data.sources), list(data.outputs)
        labels = [list(tags.words if recipe.unit == "word" else tags.gaps) for tags in data.tags or ()]
    resources = load_resources(folder, layers=read_layers(layers))
    resources = resources.having(trace=traced.index(texts, outputs, n_threads))
    trained = recipe.train(
        texts,
        outputs,
        labels,
        resources,
        sentence_scores=_read_sentence_scores(sentence_scores),
        seed=seed,
        n_threads=n_threads,
    )
    trained.save(model)
    emit(trained.summary(), form, output)


@words.command()
@click.argument("source", required=False)
@click.argument("output_file", metavar="[MT]", required=False)
@click.option("--table", metavar="FILE", help="Instead of SOURCE and MT: words as in WMT 2014, labels passed over.")
@click.option("--sources", metavar="FILE", help="With --table: its sources, name and text between a tab.")
@click.option("-m", "--model", required=True, type=click.Path(exists=True), help="Model of words or of gaps.")
@click.option("--gaps", type=click.Path(exists=True), help="Another model, of gaps: --tags then has both.")
@click.option("--resources", "folder", type=click.Path(exists=True), help="The resources it was trained with.")
@layer_option
@click.option("--sentence-scores", metavar="FILE", help="Scores of the sentences, if the model was trained with some.")
@click.option("--tags", metavar="FILE", help="Also write the labels of each sentence as a line.")
@trace_options
@threads_option
@output_options
def predict(
    source: str | None,
    output_file: str | None,
    table: str | None,
    sources: str | None,
    model: str,
    gaps: str | None,
    folder: str | None,
    layers: tuple[str, ...],
    sentence_scores: str | None,
    tags: str | None,
    traced: Traced,
    n_threads: int,
    form: str,
    output: str,
) -> None:
    """Label the words of translations; a row a word, with the probability that it is wrong.

    \b
      dragoman qe words predict test.src test.mt -m words --resources resources --tags test.tags
      dragoman qe words predict --table tgt_ann.test --sources source.test -m words
    """
    from dragoman.errors import DataError
    from dragoman.files import read_lines, write_lines
    from dragoman.qe.resources import load_resources
    from dragoman.text.layers import read_layers

    if gaps is not None and tags is None:
        raise click.UsageError("--gaps goes with --tags, which then has gap, word, gap, …, gap.")
    if table is not None and sources is not None and source is None:
        texts, outputs = _read_unlabelled(table, sources)
    elif source is not None and output_file is not None and table is None and sources is None:
        texts, outputs = read_lines(source), read_lines(output_file)
    else:
        raise click.UsageError("give SOURCE and MT, or --table with --sources.")
    trace = traced.index(texts, outputs, n_threads)
    resources = None
    if folder or layers or trace:
        resources = load_resources(folder, layers=read_layers(layers)).having(trace=trace)
    predictions = WordModel.load(model).predict(
        texts, outputs, resources, sentence_scores=_read_sentence_scores(sentence_scores), n_threads=n_threads
    )
    lines: list[Sequence[str]] = list(predictions.labels)
    if gaps is not None:
        between = WordModel.load(gaps).predict(texts, outputs, resources, n_threads=n_threads)
        if (predictions.unit, between.unit) != ("word", "gap"):
            raise DataError("The model must label words, and that of --gaps must label gaps.")
        lines = [
            [tag for pair in zip(gap, labels, strict=False) for tag in pair] + [gap[-1]]
            for gap, labels in zip(between.labels, predictions.labels, strict=True)
        ]
    if tags is not None:
        write_lines(tags, (" ".join(line) for line in lines))
    emit(predictions, form, output)


@words.command()
@click.argument("output_file", metavar="MT")
@click.argument("post_edit", metavar="POST_EDIT")
@click.option("--table", metavar="FILE", help="Also write word by word, for qe words train --table.")
@click.option("--tags", metavar="FILE", help="Also write the labels of each sentence as a line.")
@click.option("--binary", is_flag=True, help="With --tags: Keep and Change alone.")
@threads_option
@output_options
def labels(
    output_file: str,
    post_edit: str,
    table: str | None,
    tags: str | None,
    binary: bool,
    n_threads: int,
    form: str,
    output: str,
) -> None:
    """Label words by what post-editing did: Keep, Substitute, Delete.

    \b
      dragoman qe words labels dev.mt dev.pe --table dev.labels
      dragoman qe words train --table dev.labels --sources dev.sources --level error -m words

    Both files are tokenised. Words are aligned with the fewest edits, as in WMT 2013's task 2. The table's level-1 is
    Keep or Change.
    """
    from dragoman.files import read_lines, write_lines
    from dragoman.qe.words.labels import edit_labels

    result = edit_labels(read_lines(output_file), read_lines(post_edit), n_threads=n_threads)
    if table is not None:
        result.write_table(table)
    if tags is not None:
        write_lines(tags, (" ".join(line) for line in (result.binary() if binary else result.labels)))
    emit(result, form, output)


@words.command()
@click.argument("stem")
@click.option("-m", "--model", type=click.Path(exists=True), help="Label STEM.mt by this model of words.")
@click.option("--parts", type=click.IntRange(min=2), help="Learn from STEM.tags; each part by a model of the others.")
@click.option(
    "--learner",
    type=click.Choice(("blstm", "crf", "perceptron"), case_sensitive=False),
    help="With --parts: what learns.",
)
@click.option("--resources", "folder", type=click.Path(exists=True), help="Folder that dragoman qe resources made.")
@layer_option
@seed_option
@threads_option
@output_options
def features(
    stem: str,
    model: str | None,
    parts: int | None,
    learner: str | None,
    folder: str | None,
    layers: tuple[str, ...],
    seed: int,
    n_threads: int,
    form: str,
    output: str,
) -> None:
    """Features of sentences from labels that are predicted of their words.

    \b
      dragoman qe words features train --parts 5 --form tsv -o train.tsv
      dragoman qe words features test -m words --form tsv -o test.tsv

    Sentences that the labels were learnt from are labelled in parts, each by a model that has not seen it.
    """
    from dragoman.qe.features.word_predictions import held_out_word_features, predicted_word_features
    from dragoman.qe.resources import load_resources
    from dragoman.text.layers import read_layers

    if (model is None) == (parts is None) or (learner is not None and parts is None):
        raise click.UsageError(
            "give a model (-m), or --parts to learn from the labels themselves, if need be --learner."
        )
    resources = load_resources(folder, layers=read_layers(layers)) if folder or layers else None
    data = _read_tagged(stem, ("src", "mt") if model is not None else ("src", "mt", "tags"))
    if model is not None:
        loaded = WordModel.load(model)
        table = predicted_word_features(loaded, data.sources, data.outputs, resources, n_threads=n_threads)
    else:
        table = held_out_word_features(
            data.sources,
            data.outputs,
            [tags.words for tags in data.tags or ()],
            resources,
            recipe=WordRecipe() if learner is None else WordRecipe(learner=learner),
            n_parts=parts or 0,
            seed=seed,
            n_threads=n_threads,
        )
    emit(table, form, output)


@words.command()
@click.option("-m", "--model", required=True, type=click.Path(exists=True), help="Model of words or of gaps.")
@click.option("-n", "n", type=click.IntRange(min=1), default=20, show_default=True, help="Features of each label.")
@output_options
def inspect(model: str, n: int, form: str, output: str) -> None:
    """Show what speaks for each label in a model.

    \b
      dragoman qe words inspect -m words -n 5
    """
    from dragoman.report import Only

    loaded = WordModel.load(model)
    emit(Only(loaded.summary(), loaded.weights(n)), form, output)


def _read_sentence_scores(path: str | None) -> Sequence[float] | None:
    from dragoman.qe.files import read_scores

    return None if path is None else read_scores(path)


def _read_tagged(stem: str, needed: Sequence[str] = ("src", "mt", "tags")) -> QEData:
    from dragoman.errors import DataError
    from dragoman.qe import read_qe

    data = read_qe(stem)
    lines = {"src": data.sources, "mt": data.outputs, "tags": data.tags}
    absent = [name for name in needed if not lines[name]]
    if absent:
        first, *others = needed
        listed = f"{', '.join([f'{stem}.{first}', *(f'.{name}' for name in others[:-1])])} and .{others[-1]}"
        raise DataError(f"{stem}.{absent[0]} is not there or empty; {listed} are needed.")
    return data


def _read_table(table: str, sources: str, level: str) -> tuple[list[str], list[str], list[list[str]]]:
    from dragoman.qe.files import read_labels

    return *_read_unlabelled(table, sources), list(read_labels(table, level).values())


def _read_unlabelled(table: str, sources: str) -> tuple[list[str], list[str]]:
    """The sources and the outputs of a table, a line a sentence."""
    from dragoman.errors import FormatError
    from dragoman.files import iter_lines
    from dragoman.qe.files import read_words

    texts: dict[str, str] = {}
    for number, line in enumerate(iter_lines(sources), start=1):
        if not line.strip():
            continue
        name, tab, text = line.partition("\t")
        if not tab:
            raise FormatError("expected a name and a text between a tab.", path=sources, line=number)
        texts[name] = text
    outputs = read_words(table)
    lost = [name for name in outputs if name not in texts]
    if lost:
        raise FormatError(f"there is no source called {lost[0]}, which {table} labels.", path=sources, line=None)
    return [texts[name] for name in outputs], [" ".join(words) for words in outputs.values()]
