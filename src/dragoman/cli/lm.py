"""`dragoman lm build|classes|convert|mix|net|score`."""

from __future__ import annotations

from dataclasses import replace

import click

from dragoman.cli.output import emit, output_options, seed_option, threads_option
from dragoman.cli.recipes import recipe_options
from dragoman.cli.text import source_argument
from dragoman.cli.workers import open_shop, pool_options, work_option
from dragoman.lm.heads import HeadsKneserNey
from dragoman.lm.model import Interpolation, KneserNey, LanguageModel
from dragoman.lm.nets.recipe import NetRecipe
from dragoman.lm.storage import Storage

__all__ = ["lm"]

# Options of counting running text, which trees are not.
_OF_TEXT = ("entropy", "fallback", "level", "max_words", "memory", "min_count", "prune")


@click.group()
def lm() -> None:
    """Estimate language models and score text with them."""


@lm.command()
@source_argument
@click.option("-m", "--model", required=True, type=click.Path(), help="The model's folder.")
@recipe_options(KneserNey, skip=("fallback",))
@click.option("--vocabulary", type=click.Path(exists=True), help="Word list; all other words count as <unk>.")
@click.option(
    "--scratch", type=click.Path(), metavar="DIR", help="Where what does not fit goes; else where temporary files go."
)
@click.option("--arpa", type=click.Path(), metavar="FILE", help="Write the model as ARPA, too.")
@click.option("--classes", type=click.Path(exists=True), metavar="FILE", help="Word classes: a model over these.")
@pool_options
@work_option
@threads_option
@output_options
def build(
    source: str,
    model: str,
    recipe: KneserNey,
    vocabulary: str | None,
    scratch: str | None,
    arpa: str | None,
    classes: str | None,
    n_workers: int,
    cluster: str | None,
    part: int,
    work: str,
    n_threads: int,
    form: str,
    output: str,
) -> None:
    """Estimate a language model from tokenised text (modified Kneser–Ney).

    \b
      dragoman lm build tokenised.en -m lm.en --order 5
      dragoman lm build tokenised.en -m lm.en.classes --classes classes.en.tsv
      dragoman lm build tokenised.en -m lm.en --workers 2

    With --workers or --cluster the text is counted in parts; the model is the same.
    """
    from dragoman.files import iter_lines, read_lines
    from dragoman.lm import ClassKneserNey, WordClasses
    from dragoman.lm.parts import train_in_parts
    from dragoman.report import inspect_model

    if (n_workers or cluster) and (classes or vocabulary or arpa or scratch):
        raise click.UsageError("--workers and --cluster go without --classes, --vocabulary, --arpa and --scratch.")
    with open_shop(work, n_workers, cluster) as shop:
        if shop is not None:
            train_in_parts(shop, iter_lines(source), recipe, part=part).save(model)
        elif classes:
            if vocabulary or arpa or scratch or recipe.level != "word" or recipe.max_words or recipe.min_count > 1:
                raise click.UsageError(
                    "--classes goes without --vocabulary, --max-words, --min-count, --arpa, --scratch and --level."
                )
            by_class = ClassKneserNey.from_dict(recipe.to_dict())
            by_class.fit(read_lines(source), WordClasses.read(classes), n_threads=n_threads).save(model)
        else:
            words = [line.split("\t")[0] for line in read_lines(vocabulary)] if vocabulary else None
            lines = iter_lines(source)
            recipe.train(lines, vocabulary=words, arpa=arpa, folder=scratch, n_threads=n_threads).save(model)
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
@click.argument("treebank", type=click.Path())
@click.option("-m", "--model", required=True, type=click.Path(), help="The model's folder.")
@recipe_options(HeadsKneserNey, skip=_OF_TEXT)
@output_options
def heads(treebank: str, model: str, recipe: HeadsKneserNey, form: str, output: str) -> None:
    """Estimate a language model along heads from trees (CoNLL-U): a word's past are the heads above it.

    \b
      dragoman lm heads train.conllu -m heads.en --order 3
    """
    from dragoman.report import inspect_model
    from dragoman.text.conllu import iter_conllu

    recipe.train(iter_conllu(treebank)).save(model)
    emit(inspect_model(model), form, output)


@lm.command()
@click.argument("source", type=click.Path(exists=True))
@click.argument("target", type=click.Path())
@recipe_options(Storage, skip=("level",), argument="storage")
@output_options
def convert(source: str, target: str, storage: Storage, form: str, output: str) -> None:
    """Turn a model (folder or ARPA file) into another structure, a smaller model, or an ARPA file.

    A target that ends in .arpa, .arpa.gz, .arpa.xz or .arpa.zst becomes an ARPA file, any other a folder.

    \b
      dragoman lm convert lm.arpa.gz lm.en --structure trie --p-bits 8 --backoff-bits 8
      dragoman lm convert lm.en lm.small --entropy 1e-7
      dragoman lm convert lm.en lm.arpa.gz
    """
    from dragoman.files import plain_name
    from dragoman.report import inspect_model

    model = LanguageModel.open(source)
    if storage.entropy:
        model = model.pruned(storage.entropy)
    if plain_name(target).endswith(".arpa"):
        model.write_arpa(target)
        return
    model.converted(storage.structure, p_bits=storage.p_bits, backoff_bits=storage.backoff_bits).save(target)
    emit(inspect_model(target), form, output)


@lm.command()
@click.argument("sources", type=click.Path(exists=True), nargs=-1, required=True, metavar="MODEL...")
@click.option("-m", "--model", required=True, type=click.Path(), help="Folder of the model to be made.")
@click.option("--dev", type=click.Path(exists=True), help="Tokenised text that the weights shall suit best.")
@recipe_options(Interpolation, skip=("level",), spellings={"weights": ("--weight",)})
@threads_option
@output_options
def mix(
    sources: tuple[str, ...],
    model: str,
    dev: str | None,
    recipe: Interpolation,
    n_threads: int,
    form: str,
    output: str,
) -> None:
    """Make one model of several, with weights that are given, learnt from a text, or all alike.

    \b
      dragoman lm mix lm.news lm.talks --dev dev.en -m lm.mixed
    """
    from dragoman.files import read_lines
    from dragoman.lm import learn_weights
    from dragoman.report import inspect_model

    if dev and recipe.weights:
        raise click.UsageError("Give --dev or --weight, not both.")
    models = [LanguageModel.open(source) for source in sources]
    if dev:
        weights = learn_weights(models, read_lines(dev), method=recipe.method, n_threads=n_threads)
        recipe = replace(recipe, weights=weights)
    recipe.combine(models).save(model)
    emit(inspect_model(model), form, output)


@lm.command()
@source_argument
@click.option("-m", "--model", required=True, metavar="MODEL", type=click.Path(), help="The model's folder.")
@click.option("--dev", required=True, type=click.Path(exists=True), help="Held-out text that tells when to stop.")
@recipe_options(NetRecipe)
@seed_option
@click.option("--work", metavar="DIR", type=click.Path(), help="Where states are kept.  [default: MODEL.work]")
@threads_option
@output_options
def net(
    source: str,
    model: str,
    dev: str,
    recipe: NetRecipe,
    seed: int,
    work: str | None,
    n_threads: int,
    form: str,
    output: str,
) -> None:
    """Train a continuous-space language model: a net that predicts a word from those before it.

    \b
      dragoman lm net tokenised.en --dev dev.en -m net.en
      dragoman lm net tokenised.en --dev dev.en -m net.en --order 10 --hidden 256 --hidden2 128

    After every epoch all is kept in the work directory: an interrupted training goes on from there.
    """
    from dragoman.cli.progress import shown_progress
    from dragoman.files import read_lines
    from dragoman.lm import train_lm_net

    with shown_progress() as progress:
        _, training = train_lm_net(
            read_lines(source),
            recipe,
            dev=read_lines(dev),
            model=model,
            work=work or f"{model}.work",
            seed=seed,
            n_threads=n_threads,
            progress=progress,
        )
    emit(training, form, output)


@lm.command()
@source_argument
@click.option(
    "-m",
    "--model",
    "models",
    required=True,
    multiple=True,
    type=click.Path(exists=True),
    help="A model's folder, or an ARPA file; several are mixed, word by word.",
)
@click.option("--dev", type=click.Path(exists=True), help="Text that the weights of several models shall suit best.")
@click.option("--segments", is_flag=True, help="One row for each line instead of the whole text.")
@threads_option
@output_options
def score(
    source: str, models: tuple[str, ...], dev: str | None, segments: bool, n_threads: int, form: str, output: str
) -> None:
    """Perplexity of tokenised text under a model, or the probability of every line.

    \b
      dragoman lm score test.en -m lm.en
      dragoman lm score test.en -m lm.en --segments --json
      dragoman lm score test.en -m lm.en -m net.en --dev dev.en
    """
    from dragoman.files import iter_lines, read_lines
    from dragoman.lm import mixture_weights, open_model, perplexity, score_sentences

    if (len(models) > 1) != bool(dev):
        raise click.UsageError("Several models need --dev, which tells their weights; one model needs none.")
    opened = [open_model(each) for each in models]
    mixture = mixture_weights(opened, read_lines(dev), n_threads=n_threads) if dev else None
    if segments:
        emit(score_sentences(mixture or opened[0], read_lines(source), n_threads=n_threads), form, output)
        return
    result = perplexity(mixture or opened[0], iter_lines(source), n_threads=n_threads)
    weights = tuple(zip(models, mixture.weights, strict=True)) if mixture else ()
    emit(replace(result, weights=weights), form, output)
