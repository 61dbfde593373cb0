"""Source words in the target's order: crossing links, BLEU of engines that read them so, and what it costs.

    python bench/order.py --work FOLDER [--only en-ja,de-en,ja-en] [--kinds best,lattice] [--pairs N] [--tuner SPEC]

Other kinds of engines: `labels` also orients phrases by labels of the target (ja-en), `layers` reads lattices of words,
parts of compounds and lemmas, `forced` has phrase probabilities of forced decoding of them (de-en).

Parsers, reorderers, engines and translations are kept in the folder: what was done is not done again. Each engine is
tuned on the development set with one seed; BLEU is that of the test set, cased, over characters for Japanese, beside an
engine of the same text as it stands; p by bootstrap resampling. Seconds are of the processor in one thread: to
translate the test set, and of that to annotate and to reorder it.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from needs import real_data, skip

from dragoman.data.bitext import Bitext
from dragoman.data.testset import TestSet
from dragoman.files import read_lines, write_lines
from dragoman.metrics import make_metric
from dragoman.reorder import Reorderer, ReorderRecipe, evaluate_order, learn_order
from dragoman.smt import Engine
from dragoman.smt.preparation import TextSide
from dragoman.smt.recipe import EngineRecipe, changed
from dragoman.smt.training import train_engine
from dragoman.stats import PAIRED_TESTS
from dragoman.syntax import Parser, ParserRecipe
from dragoman.text.conllu import Sentence, Word, iter_conllu

FILES = {
    "en-ja": ("small-enja/train", "small-enja/dev", "small-enja/test"),
    "de-en": ("multi30k/train", "multi30k/val", "multi30k/test_2016_flickr"),
    "ja-en": ("small-enja/train", "small-enja/dev", "small-enja/test"),
}
TREEBANKS = {
    "de": ("de_gsd-ud-dev", "de_gsd-ud-test", "de_pud-ud-test"),
    "en": ("en_lines-ud-train", "en_partut-ud-train", "en_ewt-ud-dev", "en_ewt-ud-test"),
}
ORDERS = {"en-ja": ReorderRecipe(method="tree"), "de-en": ReorderRecipe(method="short+long", tags="xpos")}
KINDS = {
    "plain": [],
    "best": ["reorder.use=best"],
    "lattice": ["reorder.use=lattice"],
    "labels": ["reorder.labels=ccg"],
    "layers": ["alternatives.layers=split+lemma"],
    "forced": ["alternatives.layers=split+lemma", "alternatives.forced=true"],
}
ORDERED = ("best", "lattice")


@dataclass(frozen=True)
class Pair:
    """The texts of a direction, and where its models are."""

    name: str
    data: Path
    work: Path
    n_pairs: int | None
    tuner: str = ""

    @property
    def langs(self) -> tuple[str, str]:
        """Source and target."""
        source, target = self.name.split("-")
        return source, target

    def text(self, part: int) -> tuple[list[str], list[str]]:
        """Source and target of the training text, the development set or the test set."""
        n = self.n_pairs if part == 0 else None
        source, target = (read_lines(self.data / f"{FILES[self.name][part]}.{lang}.gz")[:n] for lang in self.langs)
        return source, target

    def tokens(self, part: int) -> tuple[list[str], list[str]]:
        """The same, cut as engines cut it."""
        recipe = EngineRecipe().text
        pairs = zip(self.langs, self.text(part), strict=True)
        source, target = (TextSide(lang, recipe).tokenise(lines) for lang, lines in pairs)
        return source, target

    def parser(self, side: int = 0) -> Path:
        """A parser of the source or the target, of lower-cased words if the text has no others."""
        lang = self.langs[side]
        folder = self.work / f"parser.{lang}"
        if not folder.exists():
            lower = not any(any(map(str.isupper, line)) for line in self.text(0)[side][:1000])
            banks = [self.data / "ud" / f"{name}.conllu.gz" for name in TREEBANKS[lang]]
            sentences = [each for bank in banks for each in iter_conllu(bank)]
            ParserRecipe().train([lowered(each) for each in sentences] if lower else sentences).save(folder)
        return folder

    @cached_property
    def order(self) -> Path:
        """The reorderer's folder."""
        folder = self.work / f"{self.name}.order"
        if not folder.exists():
            begin = time.process_time()
            learn_order(*self.tokens(0), recipe=ORDERS[self.name], parser=Parser.load(self.parser()), save=folder)
            print(f"{self.name}: order learnt in {time.process_time() - begin:.0f} s", flush=True)
        return folder

    def crossings(self) -> None:
        """Tell how many links cross in the test set."""
        evaluation = evaluate_order(Reorderer.load(self.order), *self.tokens(2), more=zip(*self.tokens(0), strict=True))
        print(f"{self.name}: crossing links {evaluation.before.share:.4f} → {evaluation.after.share:.4f}")
        ways = f"{evaluation.n_monotone} as they stand, {evaluation.n_right} reordered"
        covered = f"{ways}, {evaluation.n_covered} in lattices"
        print(f"{self.name}: of {evaluation.n_sentences} sentences without a crossing: {covered}", flush=True)

    def engine(self, kind: str) -> Engine:
        """An engine that reads text in one way."""
        folder = self.work / f"{self.name}.{kind}"
        if not folder.exists():
            begin, (dev_srcs, dev_refs) = time.process_time(), self.text(1)
            recipe = EngineRecipe(source_lang=self.langs[0], target_lang=self.langs[1])
            told = [*self.told(kind), *KINDS[kind], *([f"tune.method={self.tuner}"] if self.tuner else [])]
            training = train_engine(
                Bitext.from_lines(*self.text(0), source_lang=self.langs[0], target_lang=self.langs[1]),
                changed(recipe, told),
                work=self.work / "work",
                output=folder,
                dev=TestSet(srcs=dev_srcs, refs={"ref": dev_refs}),
                report=False,
            )
            print(f"{self.name} {kind}: trained in {time.process_time() - begin:.0f} s", flush=True)
            for name, outcome, seconds, _ in training.steps:
                if name in ("labels", "layers", "forced", "tune"):
                    print(f"{self.name} {kind}: {name} {outcome}, {seconds:.0f} s", flush=True)
        return Engine.load(folder)

    def told(self, kind: str) -> list[str]:
        """Which models an engine of a kind takes."""
        if kind in ORDERED:
            return [f"reorder.model={self.order}"]
        if kind == "labels":
            return [f"parse.target={self.parser(1)}"]
        if kind == "forced":
            self.engine("layers")
            return [f"alternatives.weights={self.work / f'{self.name}.layers'}"]
        return []


def lowered(sentence: Sentence) -> Sentence:
    """A sentence of a treebank without capitals."""
    rows = (replace(row, form=row.form.lower()) if isinstance(row, Word) else row for row in sentence.rows)
    return Sentence(tuple(rows))


def measure(pair: Pair, kinds: Sequence[str]) -> None:
    """Translate the test set by each engine and print what came of it."""
    sources, references = pair.text(2)
    metric = make_metric("bleu:tokeniser=char" if pair.langs[1] == "ja" else "bleu")
    outputs, rows = {}, {}
    for kind in ("plain", *kinds):
        engine = pair.engine(kind)
        tokens = engine.source.prepare(sources)
        engine.decode(tokens[:3])  # what is mapped is looked up once before time counts
        begin = time.process_time()
        outputs[kind] = engine.target.restore(engine.decode(tokens).best())
        rows[kind] = f"{time.process_time() - begin:8.2f} s"
        reorderer = engine.models.reorderer
        if reorderer is not None:
            begin = time.process_time()
            annotated = reorderer.annotate([line.split() for line in tokens])
            middle = time.process_time()
            for sentence in annotated:
                _ = reorderer.lattice(sentence) if kind == "lattice" else reorderer.order(sentence)
            rows[kind] += f", {middle - begin:.2f} s to annotate, {time.process_time() - middle:.2f} s to reorder"
        write_lines(pair.work / f"{pair.name}.{kind}.txt", outputs[kind])
    stats = {kind: metric.stats(lines, [references]) for kind, lines in outputs.items()}
    values = {kind: metric.value(each.sum(axis=0)) for kind, each in stats.items()}
    for kind, value in values.items():
        beside = ""
        if kind != "plain":
            p = PAIRED_TESTS.make("bootstrap").compare(stats["plain"], stats[kind], metric.values).p
            beside = f"  {value - values['plain']:+.2f}, p = {p:.3f}"
        print(f"{pair.name} {kind:8} BLEU {value:.2f}{beside}  {rows[kind]}", flush=True)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--work", type=Path)
    options.add_argument("--data", type=Path)
    options.add_argument("--only", default="en-ja,de-en")
    options.add_argument("--kinds", default="best,lattice")
    options.add_argument("--pairs", type=int)
    options.add_argument("--tuner", default="")
    asked = options.parse_args()
    data = real_data(asked.data)
    if asked.work is None:
        skip("an experiment of hours; name a folder that keeps models (--work)")
    asked.work.mkdir(parents=True, exist_ok=True)
    for name in asked.only.split(","):
        pair, kinds = Pair(name, data, asked.work, asked.pairs, asked.tuner), list(filter(None, asked.kinds.split(",")))
        if any(kind in ORDERED for kind in kinds):
            pair.crossings()
        measure(pair, kinds)


if __name__ == "__main__":
    main()
