"""`dragoman lm build|classes|convert|mix|score`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from dragoman.cli.output import emit, output_options, threads_option
from dragoman.cli.text import source_argument

__all__ = ["lm"]


def storage_options(command: Callable[..., None]) -> Callable[..., None]:
    """The options that say what a model keeps its n-grams in, and which of them."""
    for add in reversed(
        (
            click.option(
                "--structure",
                type=click.Choice(["hash", "trie"]),
                default="hash",
                show_default=True,
                help="hash: quickest; trie: half the size, quantised a quarter.",
            ),
            click.option("--p-bits", type=int, default=0, help="Bits of a probability in a trie; 0: not quantised."),
            click.option("--backoff-bits", type=int, default=0, help="Bits of a back-off weight in a trie."),
            click.option(
                "--entropy",
                type=click.FloatRange(min=0),
                default=0.0,
                metavar="SHARE",
                help="Leave out n-grams that change perplexity by a smaller share, as 1e-7 (Stolcke 1998).",
            ),
        )
    ):
        command = add(command)
    return command


@click.group()
def lm() -> None:
    """Estimate language models and score text with them."""


@lm.command()
@source_argument
@click.option("-m", "--model", required=True, type=click.Path(), help="The model's folder.")
@click.option("--order", type=click.IntRange(1, 9), default=5, show_default=True, help="Length of the longest n-grams.")
@click.option(
    "--prune",
    type=int,
    multiple=True,
    metavar="N",
    help="By order, from 1 on: n-grams met at most so often are left out. Repeat it; the last one goes on.",
)
@click.option("--vocabulary", type=click.Path(exists=True), help="Word list; all other words count as <unk>.")
@click.option("--max-words", type=click.IntRange(min=0), default=0, help="Keep the most frequent words only; 0: all.")
@click.option("--min-count", type=click.IntRange(min=1), default=1, help="Keep words met at least so often only.")
@click.option("--memory", default="1g", show_default=True, help="For sorting; what does not fit goes to disk.")
@click.option("--scratch", type=click.Path(), metavar="DIR", help="Where it goes; else where temporary files go.")
@click.option("--arpa", type=click.Path(), metavar="FILE", help="Write the model as ARPA, too.")
@click.option(
    "--level",
    type=click.Choice(["word", "char", "tag"]),
    default="word",
    show_default=True,
    help="What is counted; tag takes tokens as word|tag.",
)
@click.option("--classes", type=click.Path(exists=True), metavar="FILE", help="Word classes: a model over these.")
@storage_options
@threads_option
@output_options
def build(
    source: str,
    model: str,
    order: int,
    prune: tuple[int, ...],
    vocabulary: str | None,
    max_words: int,
    min_count: int,
    memory: str,
    scratch: str | None,
    arpa: str | None,
    level: str,
    classes: str | None,
    structure: str,
    p_bits: int,
    backoff_bits: int,
    entropy: float,
    n_threads: int,
    form: str,
    output: str,
) -> None:
    """Estimate a language model from tokenised text (modified Kneser–Ney).

    \b
      dragoman lm build tokenised.en -m lm.en --order 5
      dragoman lm build tokenised.en -m lm.en.classes --classes classes.en.tsv
    """
    from dragoman.files import iter_lines, read_lines
    from dragoman.lm import ClassKneserNey, KneserNey, WordClasses
    from dragoman.report import inspect_model

    shape: dict[str, Any] = {
        "structure": structure,
        "p_bits": p_bits,
        "backoff_bits": backoff_bits,
        "level": level,
        "entropy": entropy,
        "order": order,
        "prune": prune,
        "memory": memory,
        "max_words": max_words,
        "min_count": min_count,
    }
    if classes:
        if vocabulary or arpa or scratch or level != "word" or max_words or min_count > 1:
            raise click.UsageError(
                "--classes goes without --vocabulary, --max-words, --min-count, --arpa, --scratch and --level."
            )
        table = WordClasses.read(classes)
        by_class = ClassKneserNey(**shape)
        by_class.fit(read_lines(source), table, n_threads=n_threads).save(model)
    else:
        words = [line.split("\t")[0] for line in read_lines(vocabulary)] if vocabulary else None
        recipe = KneserNey(**shape)
        made = recipe.train(iter_lines(source), vocabulary=words, arpa=arpa, folder=scratch, n_threads=n_threads)
        made.save(model)
    emit(inspect_model(model), form, output)


@lm.command()
@source_argument
@click.option("-n", "--number", type=click.IntRange(min=1), default=50, show_default=True, help="How many classes.")
@click.option("--rounds", type=click.IntRange(min=1), default=20, show_default=True, help="At most so many rounds.")
@threads_option
@output_options
def classes(source: str, number: int, rounds: int, n_threads: int, form: str, output: str) -> None:
    """Word classes of tokenised text, by the exchange algorithm: word, tab, class.

    \b
      dragoman lm classes tokenised.en -n 50 -o classes.en.tsv
    """
    from dragoman.files import read_lines
    from dragoman.lm import cluster_words

    emit(cluster_words(read_lines(source), number, max_rounds=rounds, n_threads=n_threads), form, output)


@lm.command()
@click.argument("source", type=click.Path(exists=True))
@click.argument("target", type=click.Path())
@storage_options
@output_options
def convert(
    source: str, target: str, structure: str, p_bits: int, backoff_bits: int, entropy: float, form: str, output: str
) -> None:
    """Turn a model (folder or ARPA file) into another structure, a smaller model, or an ARPA file.

    A target that ends in .arpa, .arpa.gz, .arpa.xz or .arpa.zst becomes an ARPA file, any other a folder.

    \b
      dragoman lm convert lm.arpa.gz lm.en --structure trie --p-bits 8 --backoff-bits 8
      dragoman lm convert lm.en lm.small --entropy 1e-7
      dragoman lm convert lm.en lm.arpa.gz
    """
    from dragoman.files import plain_name
    from dragoman.lm import LanguageModel
    from dragoman.report import inspect_model

    model = LanguageModel.open(source)
    if entropy:
        model = model.pruned(entropy)
    if plain_name(target).endswith(".arpa"):
        model.write_arpa(target)
        return
    model.converted(structure, p_bits=p_bits, backoff_bits=backoff_bits).save(target)
    emit(inspect_model(target), form, output)


@lm.command()
@click.argument("sources", type=click.Path(exists=True), nargs=-1, required=True, metavar="MODEL...")
@click.option("-m", "--model", required=True, type=click.Path(), help="Folder of the model to be made.")
@click.option("--dev", type=click.Path(exists=True), help="Tokenised text that the weights shall suit best.")
@click.option("--weight", "weights", type=float, multiple=True, metavar="W", help="One for each model, in their order.")
@click.option(
    "--method",
    type=click.Choice(["linear", "log-linear"]),
    default="linear",
    show_default=True,
    help="Sum or normalised product of probabilities.",
)
@storage_options
@threads_option
@output_options
def mix(
    sources: tuple[str, ...],
    model: str,
    dev: str | None,
    weights: tuple[float, ...],
    method: str,
    structure: str,
    p_bits: int,
    backoff_bits: int,
    entropy: float,
    n_threads: int,
    form: str,
    output: str,
) -> None:
    """Make one model of several, with weights that are given, learnt from a text, or all alike.

    \b
      dragoman lm mix lm.news lm.talks --dev dev.en -m lm.mixed
    """
    from dragoman.files import read_lines
    from dragoman.lm import Interpolation, LanguageModel, learn_weights
    from dragoman.report import inspect_model

    if dev and weights:
        raise click.UsageError("Give --dev or --weight, not both.")
    models = [LanguageModel.open(source) for source in sources]
    if dev:
        weights = learn_weights(models, read_lines(dev), method=method, n_threads=n_threads)
    recipe = Interpolation(
        structure=structure, p_bits=p_bits, backoff_bits=backoff_bits, entropy=entropy, weights=weights, method=method
    )
    recipe.combine(models).save(model)
    emit(inspect_model(model), form, output)


@lm.command()
@source_argument
@click.option("-m", "--model", required=True, type=click.Path(exists=True), help="A model's folder, or an ARPA file.")
@click.option("--segments", is_flag=True, help="One row for each line instead of the whole text.")
@threads_option
@output_options
def score(source: str, model: str, segments: bool, n_threads: int, form: str, output: str) -> None:
    """Perplexity of tokenised text under a model, or the probability of every line.

    \b
      dragoman lm score test.en -m lm.en
      dragoman lm score test.en -m lm.en --segments --json
    """
    from dragoman.files import iter_lines, read_lines
    from dragoman.lm import open_model, perplexity, score_sentences

    loaded = open_model(model)
    if segments:
        emit(score_sentences(loaded, read_lines(source), n_threads=n_threads), form, output)
    else:
        emit(perplexity(loaded, iter_lines(source), n_threads=n_threads), form, output)
