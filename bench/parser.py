"""Tagging and parsing: tokens a second of one thread's processor time, memory, training time, accuracy; spaCy beside.

    python bench/parser.py [--train TREEBANK...] [--test TREEBANK] [--peer es_core_news_sm]

Without treebanks those of the real data are taken (Spanish GSD), or the sample's 24 sentences. The peer is a pipeline
of spaCy's that is installed, given the same tokens; it may follow another treebank, so UAS is what to compare.
"""

from __future__ import annotations

import argparse
import resource
import time
from collections.abc import Callable, Sequence
from typing import Any

from needs import data_folder

from dragoman.samples import sample_path
from dragoman.syntax import ParserRecipe, compare_parses, evaluate_parser, merge_multiword_tokens
from dragoman.syntax.evaluation import ParserAccuracy
from dragoman.text.conllu import Sentence, Word, read_conllu

LEAST_TOKENS = 100_000  # the test set is repeated until it has so many


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--train", nargs="+")
    options.add_argument("--test")
    options.add_argument("--peer", help="a pipeline of spaCy's")
    options.add_argument("--threads", type=int, default=2, help="to train with")
    asked = options.parse_args()
    train, test = treebanks(asked.train, asked.test)
    expected = [merge_multiword_tokens(sentence) for sentence in read_conllu(test)]
    lines = [[word.form for word in sentence.words] for sentence in expected]
    times = -(-LEAST_TOKENS // sum(map(len, lines)))
    many = lines * times
    n_tokens = times * sum(map(len, lines))

    sentences = [sentence for path in train for sentence in read_conllu(path)]
    begin, processor = time.perf_counter(), time.process_time()
    parser = ParserRecipe(xpos=False).train(sentences, n_threads=asked.threads)
    print(
        f"trained on {parser.counts['tokens']} tokens in {time.perf_counter() - begin:.1f} s, "
        f"{time.process_time() - processor:.1f} s of processor time"
    )
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    tagging = taken(lambda: parser.annotate(many, trees=False))
    both = taken(lambda: parser.annotate(many))
    objects = taken(lambda: parser.parse(many))
    print(f"tagging            {n_tokens / tagging:10,.0f} tokens/s")
    print(f"parsing alone      {n_tokens / (both - tagging):10,.0f} tokens/s")
    print(f"both               {n_tokens / both:10,.0f} tokens/s")
    print(f"both, as Sentence  {n_tokens / objects:10,.0f} tokens/s")
    more = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    print(f"memory beyond training's peak: {more / 1024:.0f} MB")
    show("ours", evaluate_parser(parser, expected))
    if asked.peer:
        compare(asked.peer, many, n_tokens, expected, both)


def treebanks(train: Sequence[str] | None, test: str | None) -> tuple[list[str], str]:
    data = data_folder() / "ud"
    sample = str(sample_path("treebank.es.conllu"))
    real = data.is_dir()
    return (
        list(train) if train else [str(data / "es_gsd-ud-dev.conllu.gz") if real else sample],
        test or (str(data / "es_gsd-ud-test.conllu.gz") if real else sample),
    )


def taken(work: Callable[[], object]) -> float:
    """Processor seconds, the better of two times."""
    times = []
    for _ in range(2):
        begin = time.process_time()
        work()
        times.append(time.process_time() - begin)
    return min(times)


def compare(name: str, lines: list[list[str]], n_tokens: int, expected: list[Sentence], ours: float) -> None:
    try:
        import spacy
    except ModuleNotFoundError:
        print("spaCy is not installed; no peer to compare with")
        return
    pipeline = spacy.load(name, exclude=["ner", "lemmatizer"])
    few = lines[: max(1, len(lines) // 5)]
    share = sum(map(len, few)) / n_tokens
    seconds = taken(lambda: list(pipeline.pipe(spacy.tokens.Doc(pipeline.vocab, words=line) for line in few))) / share
    print(f"{name}: {n_tokens / seconds:,.0f} tokens/s; ours is {seconds / ours:.1f} times as quick")
    docs = pipeline.pipe(
        spacy.tokens.Doc(pipeline.vocab, words=[word.form for word in sentence.words]) for sentence in expected
    )
    show(name, compare_parses([as_sentence(doc) for doc in docs], expected))


def as_sentence(doc: Any) -> Sentence:
    # spaCy may see several sentences in one; all but the first root hang on the first, as UD would have it.
    roots = [token.i for token in doc if token.head.i == token.i]
    rows = []
    for token in doc:
        head = token.head.i + 1 if token.head.i != token.i else 0 if token.i == roots[0] else roots[0] + 1
        deprel = token.dep_ if token.dep_ != "ROOT" else "root" if head == 0 else "parataxis"
        rows.append(Word(token.i + 1, token.text, upos=token.pos_ or "X", head=head, deprel=deprel or "dep"))
    return Sentence(tuple(rows))


def show(name: str, accuracy: ParserAccuracy) -> None:
    print(name, "  ".join(f"{measure} {accuracy[measure]:.2f}" for measure in ("UPOS", "UFeats", "UAS", "LAS", "CLAS")))


if __name__ == "__main__":
    main()
