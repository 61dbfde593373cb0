"""Engines with grammars beside a phrase engine: BLEU over tuning seeds, rules, glue, words a second.

    python bench/grammars.py --work FOLDER [--only de-en,en-ja,domains,together] [--kinds hiero,…] [--seeds 1,2,3]
        [--pairs N] [--dev N] [--test N] [--pop N] [--tune tune.method=mira:rounds=6,tune.n_best=50,…] [--combine en-ja]

Parsers, engines, weights and translations are kept in the folder: what was done is not done again, and the table tells
what is there. Each kind is trained once and tuned with each seed on the development set; BLEU is that of the test set,
cased, over characters for Japanese. Glue is how often in a sentence parts stand side by side that no rule joins. Words
are source words of the test set by seconds of the processor in one thread, parses of the input included.

- `de-en`: Multi30k, test 2016: phrases, Hiero, gaps for dependency subtrees, GHKM by trees of the target.
- `en-ja`: small-enja: phrases, Hiero, source labels of heads with rules that reorder (HD-HPB), with rules without
  labels beside them, and with labels that are scored and not demanded.
- `domains`: news commentary and captions, French to English, two grammars in one search (SFU12), tested on news.
- `together`: a phrase engine and one with a grammar: least risk over both lists, and confusion networks.
"""

from __future__ import annotations

import argparse
import gzip
import json
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from statistics import mean, stdev

import numpy as np
from needs import real_data, skip

from dragoman.combine import CombineRecipe, train_combiner
from dragoman.data.bitext import Bitext
from dragoman.data.formats.nbest import NBestFormat
from dragoman.data.testset import TestSet
from dragoman.engines import Request
from dragoman.engines.translation import n_best_lists, stream_translations
from dragoman.files import read_lines, write_lines
from dragoman.metrics import make_metric, score
from dragoman.rescoring import CandidateLists, RiskRecipe, merged_lists, read_lists, tune_consensus
from dragoman.smt import Engine
from dragoman.smt.corpora import Corpora, Monolingual
from dragoman.smt.ensemble import search_ensemble
from dragoman.smt.grammar.ensemble import Mixture
from dragoman.smt.ladder import metrics_for
from dragoman.smt.recipe import EngineRecipe, changed
from dragoman.smt.training import train_engine
from dragoman.smt.tune.engine import tune_engine
from dragoman.smt.weights import read_weights, write_weights
from dragoman.stats import PAIRED_TESTS
from dragoman.syntax import ParserRecipe
from dragoman.text.conllu import iter_conllu

HEADS = ("grammar.kind=hiero", "grammar.labels=heads", "grammar.reorder=true", "parse.source={source}")
KINDS: dict[str, dict[str, list[str]]] = {
    "de-en": {
        "phrases": [],
        "hiero": ["grammar.kind=hiero"],
        "dependency": ["grammar.kind=dependency", "parse.source={source}"],
        "ghkm": ["grammar.kind=ghkm", "parse.target={target}"],
    },
    "en-ja": {
        "phrases": [],
        "hiero": ["grammar.kind=hiero"],
        "heads": [*HEADS],
        "heads+x": [*HEADS, "grammar.backoff=true"],
        "heads-soft": [*HEADS, "grammar.soft=5"],
    },
}
TREEBANKS = {
    "de": ("de_gsd-ud-dev", "de_gsd-ud-test", "de_pud-ud-test"),
    "en": ("en_ewt-ud-dev", "en_ewt-ud-test"),  # other English treebanks have other parts of speech
}
FILES = {
    "de-en": ("multi30k/train", "multi30k/val", "multi30k/test_2016_flickr"),
    "en-ja": ("small-enja/train", "small-enja/dev", "small-enja/test"),
}
MIXES = ("prod", "wsum", "wmax", "switch-max", "switch-sum")
LONGEST = 40  # words of news that is tuned on or tested with
N_LIST = 60  # candidates of each engine that least risk looks at
Lines = list[str]


@dataclass(frozen=True)
class Bench:
    """What was asked for, and where things are."""

    data: Path
    work: Path
    seeds: tuple[int, ...]
    n_pairs: int | None
    n_dev: int | None
    n_test: int | None
    pop_limit: int | None  # of translating the test set
    tuning: tuple[str, ...]

    def folder(self, name: str) -> Path:
        """Where an experiment's models are; those of fewer pairs are others."""
        return self.work / (name if self.n_pairs is None else f"{name}.{self.n_pairs}")

    @property
    def run(self) -> str:
        """The name of what was tuned and tested with the same settings."""
        told = [*self.tuning, f"dev={self.n_dev}", f"test={self.n_test}", f"pop={self.pop_limit}"]
        return f"run-{sha256(' '.join(told).encode()).hexdigest()[:8]}"

    def parser(self, lang: str) -> Path:
        """A parser of a language, learnt once."""
        path = self.work / f"parser.{lang}"
        if not path.exists():
            banks = [self.data / "ud" / f"{name}.conllu.gz" for name in TREEBANKS[lang]]
            ParserRecipe().train([each for bank in banks for each in iter_conllu(bank)], seed=1).save(path)
        return path


@dataclass(frozen=True)
class Pair:
    """The texts of one direction."""

    bench: Bench
    name: str
    train: tuple[Lines, Lines]
    dev: tuple[Lines, Lines]
    test: tuple[Lines, Lines]

    @classmethod
    def read(cls, bench: Bench, name: str) -> Pair:
        """The files of a direction."""
        langs = name.split("-")
        parts = [[read_lines(bench.data / f"{stem}.{lang}.gz") for lang in langs] for stem in FILES[name]]
        sizes = (bench.n_pairs, bench.n_dev, bench.n_test)
        cut = (_two(side[:n] for side in part) for part, n in zip(parts, sizes, strict=True))
        return cls(bench, name, *cut)

    @property
    def folder(self) -> Path:
        """Where its engines are."""
        return self.bench.folder(self.name)

    @cached_property
    def metric(self) -> str:
        """BLEU as the target language wants it."""
        return metrics_for(self.name.split("-")[1])[0]

    def bleu(self, lines: Sequence[str]) -> float:
        """Of translations of the test set."""
        return score({"engine": list(lines)}, [self.test[1]], metrics=[self.metric]).scores[0][0][0]

    def tuning_set(self) -> TestSet:
        """What weights are tuned on."""
        return TestSet(srcs=self.dev[0], refs={"ref": self.dev[1]})


@dataclass(frozen=True)
class Kind:
    """One kind of engine of a direction: trained once, tuned and tested by seed."""

    pair: Pair
    name: str
    settings: tuple[str, ...]
    corpora: Corpora | None = None  # where it is not the pair's own text

    @property
    def folder(self) -> Path:
        """Where the engine, its weights and its translations are."""
        return self.pair.folder / self.name

    @cached_property
    def engine(self) -> Engine:
        """The engine before tuning."""
        if not (self.folder / "engine").exists():
            source, target = self.pair.name.split("-")
            parsers = {
                side: str(self.pair.bench.parser(lang))
                for side, lang in (("source", source), ("target", target))
                if any(f"{{{side}}}" in setting for setting in self.settings)
            }
            base = EngineRecipe(source_lang=source, target_lang=target)
            recipe = changed(base, ["tune.method=none", *(each.format(**parsers) for each in self.settings)])
            text = self.corpora or Corpora.of(Bitext.from_lines(*self.pair.train))
            begin = time.process_time()
            # With the tuning set, since a mixture of language models is learnt on it.
            train_engine(
                text,
                recipe,
                work=self.pair.folder / "work",
                output=self.folder / "engine",
                dev=self.pair.tuning_set() if self.corpora else None,
                report=False,
            )
            print(f"  {self.pair.name} {self.name}: trained in {time.process_time() - begin:.0f} s", flush=True)
        return Engine.load(self.folder / "engine")

    @cached_property
    def run(self) -> Path:
        """Where weights and translations are."""
        path = self.folder / self.pair.bench.run
        path.mkdir(parents=True, exist_ok=True)
        return path

    def tuned(self, seed: int) -> Engine:
        """The engine with the weights of one seed."""
        path = self.run / f"weights.{seed}.tsv"
        if not path.exists():
            tuning = changed(EngineRecipe(), [*self.pair.bench.tuning, f"tune.seeds={seed}"]).tune
            engine, begin = self.engine, time.process_time()
            best = tune_engine(engine, self.pair.tuning_set(), tuning).best
            write_weights(path, best.weights)
            spent = time.process_time() - begin
            print(f"  {self.pair.name} {self.name}: seed {seed} tuned in {spent:.0f} s, {best.value:.2f}", flush=True)
        tuned = self.engine.with_weights(read_weights(path))
        return tuned.with_pop_limit(self.pair.bench.pop_limit) if self.pair.bench.pop_limit else tuned

    def tested(self, seed: int) -> dict[str, float]:
        """What the engine of one seed makes of the test set."""
        path = self.run / f"test.{seed}.json"
        if not path.exists():
            engine = self.tuned(seed)
            tokens = engine.source.prepare(self.pair.test[0])
            engine.decode(tokens[:3])  # what is mapped is looked up once before time counts
            begin = time.process_time()
            decoded = engine.decode(tokens, features=True)
            seconds = time.process_time() - begin
            lines = engine.target.restore(decoded.best())
            write_lines(self.run / f"test.{seed}.txt", lines)
            first = decoded.features[decoded.offsets[:-1]]
            glue = -first[:, engine.feature_names.index("glue")].mean() if "glue" in engine.feature_names else np.nan
            about = {
                "bleu": self.pair.bleu(lines),
                "glue": float(abs(glue)),
                "words": sum(len(line.split()) for line in tokens),
                "seconds": seconds,
            }
            path.write_text(json.dumps(about) + "\n", encoding="utf-8")
        return dict(json.loads(path.read_text(encoding="utf-8")))

    def n_rules(self) -> tuple[int, int | None]:
        """Rules or phrases, and how many have gaps."""
        grammar = self.engine.models.grammar
        if grammar is None:
            table = self.engine.models.table
            return (0 if table is None else len(table)), None
        return len(grammar), sum(count for n_gaps, _, _, count in grammar.core.kinds() if n_gaps)

    def row(self) -> str:
        """A line of the table."""
        runs = [self.tested(seed) for seed in self.pair.bench.seeds]
        bleu = [run["bleu"] for run in runs]
        n_rules, n_gapped = self.n_rules()
        glue = mean(run["glue"] for run in runs)
        speed = sum(run["words"] for run in runs) / sum(run["seconds"] for run in runs)
        gapped = "" if n_gapped is None else f"{n_gapped:,}"
        glued = "" if np.isnan(glue) else f"{glue:.2f}"
        return f"{self.name:12}{spread(bleu):>15}{n_rules:>13,}{gapped:>13}{glued:>7}{speed:>9.0f}"


def spread(values: Sequence[float]) -> str:
    """Mean and standard deviation over seeds."""
    return f"{mean(values):.2f} ± {stdev(values):.2f}" if len(values) > 1 else f"{values[0]:.2f}"


def kinds_of(pair: Pair, named: Sequence[str]) -> Iterator[Kind]:
    """The kinds of engines of a direction that were asked for."""
    for name, settings in KINDS[pair.name].items():
        if not named or name in named:
            yield Kind(pair, name, tuple(settings))


def compare_kinds(pair: Pair, named: Sequence[str]) -> None:
    """The table of one direction."""
    rows = [kind.row() for kind in kinds_of(pair, named)]
    sizes = f"{len(pair.train[0]):,} pairs, {len(pair.dev[0]):,} to tune on, {len(pair.test[0]):,} to test"
    print(f"\n{pair.name}, {sizes}, seeds {', '.join(map(str, pair.bench.seeds))}")
    print(f"{'':12}{'BLEU':>15}{'rules':>13}{'with gaps':>13}{'glue':>7}{'words/s':>9}")
    print("\n".join(rows), flush=True)


def compare_domains(bench: Bench) -> None:
    """Two grammars in one search: news and captions, tested on news."""
    news, captions, dev, test = _fields(bench)
    pair = Pair(bench, "fr-en", news, dev, test)
    folder = bench.folder(pair.name)
    folder.mkdir(parents=True, exist_ok=True)
    fields = {"news": news, "captions": captions}
    kinds = {}
    for name, text in fields.items():
        (other,) = (each[1] for field, each in fields.items() if field != name)
        path = folder / f"beside-{name}.en.gz"
        if not path.exists():
            path.write_bytes(gzip.compress("".join(f"{line}\n" for line in other).encode(), mtime=0))
        corpora = Corpora((Bitext.from_lines(*text),), (True,), (Monolingual(str(path)),))
        kinds[name] = Kind(pair, name, ("grammar.kind=hiero",), corpora)
    rows = [kind.row() for kind in kinds.values()]
    print(f"\nfr-en, {len(news[0]):,} pairs of news, {len(captions[0]):,} captions; tested on news")
    print(f"{'':12}{'BLEU':>15}{'rules':>13}{'with gaps':>13}{'glue':>7}{'words/s':>9}")
    print("\n".join(rows), flush=True)
    for mix in MIXES:
        bleu, shares = zip(*(_mixed(pair, kinds, mix, seed) for seed in bench.seeds), strict=True)
        shown = "; ".join(" ".join(f"{share:.2f}" for share in each) for each in shares)
        print(f"{mix:12}{spread(bleu):>15}   shares {shown}", flush=True)


def _mixed(pair: Pair, kinds: Mapping[str, Kind], mix: str, seed: int) -> tuple[float, list[float]]:
    """BLEU of the test set and shares of one ensemble, searched on the tuning set."""
    path = pair.folder / f"{pair.bench.run}.{mix}.{seed}.json"
    if not path.exists():
        engines = [kind.tuned(seed) for kind in kinds.values()]
        found = search_ensemble(engines, pair.tuning_set(), Mixture(mix), evaluations=10, seed=seed)
        value = pair.bleu(found.engine.translate(pair.test[0]))
        path.write_text(json.dumps([value, list(found.mixture.of(len(engines)))]) + "\n", encoding="utf-8")
    value, shares = json.loads(path.read_text(encoding="utf-8"))
    return value, shares


def _fields(bench: Bench) -> tuple[tuple[Lines, Lines], ...]:
    """News commentary, captions, and news to tune and test on, French and English of each."""
    news = _two(read_lines(bench.data / "news-commentary-sample" / f"nc-5k.{lang}.gz") for lang in ("fr", "en"))
    captions = _two(read_lines(bench.data / "multi30k" / f"train.{lang}.gz") for lang in ("fr", "en"))
    held = _two(read_lines(bench.data / "newstest2013/references" / f"newstest2013.{lang}.gz") for lang in ("fr", "en"))
    short = [pair for pair in zip(*held, strict=True) if all(len(side.split()) <= LONGEST for side in pair)]
    dev, test = (
        _two(map(list, zip(*part, strict=True)))
        for part in (short[: bench.n_dev or 300], short[-(bench.n_test or 500) :])
    )
    n = bench.n_pairs
    return (news[0][:n], news[1][:n]), (captions[0][:n], captions[1][:n]), dev, test


def _two(sides: Iterator[Lines]) -> tuple[Lines, Lines]:
    source, target = sides
    return source, target


def compare_together(pair: Pair, named: Sequence[str]) -> None:
    """A phrase engine and one with a grammar as one, by least risk and confusion networks, with the first seed."""
    kinds = {kind.name: kind for kind in kinds_of(pair, ()) if kind.name in ("phrases", *(named or ("hiero",)))}
    seed = pair.bench.seeds[0]
    dev, test = (_lists(kinds, part, seed) for part in ("dev", "test"))
    outputs = {name: read_lines(kind.run / f"test.{seed}.txt") for name, kind in kinds.items() if kind.tested(seed)}
    risk = tune_consensus(dev, [pair.dev[1]], list(kinds), RiskRecipe(metric=pair.metric))
    outputs["least risk"] = risk.consensus.choose(test)
    tuning, tested = (
        TestSet(srcs=text[0], refs={"ref": text[1]}, systems={name: _best(lists, name) for name in kinds})
        for text, lists in ((pair.dev, dev), (pair.test, test))
    )
    recipe = CombineRecipe(lang=pair.name.split("-")[1])
    outputs["networks"] = list(train_combiner(tuning, recipe, seed=seed).combine(tested).texts)
    bleu = make_metric(pair.metric)
    rows = {name: bleu.stats(lines, [pair.test[1]]) for name, lines in outputs.items()}
    values = {name: bleu.value(each.sum(axis=0)) for name, each in rows.items()}
    single = max(kinds, key=lambda name: values[name])
    print(f"\n{pair.name}, several engines as one, seed {seed}")
    for name, value in values.items():
        p = PAIRED_TESTS.make("bootstrap").compare(rows[single], rows[name], bleu.values).p if name != single else None
        print(f"{name:12}{value:8.2f}" + ("" if p is None else f"  {value - values[single]:+.2f}, p = {p:.4f}"))


def _lists(kinds: Mapping[str, Kind], part: str, seed: int) -> CandidateLists:
    """The lists of all engines as one."""
    lists = {}
    for name, kind in kinds.items():
        sources: Lines = getattr(kind.pair, part)[0]
        path = kind.run / f"{part}.{seed}.nbest"
        if not path.exists():
            engine = kind.tuned(seed)
            translated = stream_translations(engine, sources, Request(N_LIST, features=True))
            NBestFormat().write(n_best_lists(translated, engine.feature_names), path)
        lists[name] = read_lists(path, sources)
    return merged_lists(lists)


def _best(lists: CandidateLists, name: str) -> list[str]:
    """An engine's own first choice."""
    return lists.best(np.where(lists.column(name) > 0, lists.column(f"{name}.score"), -np.inf))


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--data", type=Path)
    options.add_argument("--work", type=Path, help="keeps parsers, engines, weights and translations")
    options.add_argument("--only", default="de-en,en-ja,domains,together")
    options.add_argument("--kinds", default="", help="of those that an experiment has; else all")
    options.add_argument("--seeds", default="1,2,3")
    options.add_argument("--pairs", type=int, help="so many sentence pairs of each training text")
    options.add_argument("--dev", type=int, help="so many segments of each tuning set")
    options.add_argument("--test", type=int, help="so many segments of each test set")
    options.add_argument("--pop", type=int, help="the pop limit while the test set is translated")
    options.add_argument("--tune", default="", help="settings of tuning, with commas between them")
    options.add_argument("--combine", default="en-ja", help="the direction of `together`")
    asked = options.parse_args()
    data = real_data(asked.data)
    if asked.work is None:
        skip("an experiment of hours; name a folder that keeps models (--work)")
    seeds = tuple(int(seed) for seed in asked.seeds.split(","))
    tuning = tuple(filter(None, asked.tune.split(",")))
    bench = Bench(data, asked.work, seeds, asked.pairs, asked.dev, asked.test, asked.pop, tuning)
    named = list(filter(None, asked.kinds.split(",")))
    for experiment in asked.only.split(","):
        if experiment == "domains":
            compare_domains(bench)
        elif experiment == "together":
            compare_together(Pair.read(bench, asked.combine), named)
        else:
            compare_kinds(Pair.read(bench, experiment), named)


if __name__ == "__main__":
    main()
