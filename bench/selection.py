"""Selection: is what helps taken first, does an engine gain by it, and how fast and in how much memory.

- hidden: captions (Multi30k) and news commentary hidden among 100,000 other English sentences (small-enja and the
  English side of Indian corpora, half each); precision at k, beside plain perplexity. Settings were settled on
  newstest2013 and small-enja hidden in the same way (`settling` shows these).
- noise: 40 % of 10,000 caption pairs spoilt; precision and recall of what stays. English–French; settled on nothing.
- engine: the better half of captions and news against a random half, French–English engines.
- speed: so many pairs, one thread, a process of its own for each score.

    python bench/selection.py [--data DATA] [hidden] [settling] [noise] [engine] [speed] [--pairs N] [--seeds N]

The guide has a million pairs and three seeds; 100,000 pairs and one seed are the default.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from needs import peak_memory, real_data

from dragoman.corpus.select import SELECTION_SCORES, Cut, Texts, score_pool, select
from dragoman.files import read_lines, write_lines
from dragoman.stats.arrays import Floats

PARTS = ("hidden", "noise", "engine", "speed")
SPEED = ("moore-lewis", "noise", "noise-svm", "model1", "test-like", "retrieve", "infrequent")


def scores(spec: str, pool: Texts, like: Texts, seed: int = 1) -> Floats:
    return score_pool(pool, [SELECTION_SCORES.make(spec)], like=like, seed=seed).joint


class Data:
    """The texts that are used."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def lines(self, path: str) -> list[str]:
        """A file of the data."""
        return read_lines(self.folder / path)

    def captions(self, lang: str) -> list[str]:
        """The training captions."""
        return self.lines(f"multi30k/train.{lang}.gz")

    def short(self) -> list[str]:
        """Short sentences."""
        return self.lines("small-enja/train.en.gz")

    def indian(self) -> list[str]:
        """The English side of three Indian corpora."""
        return [
            line for lang in ("hi", "bn", "ml") for line in self.lines(f"indian/{lang}-en/training.{lang}-en.en.gz")
        ]


def print_precision(name: str, like: list[str], hidden: list[str], other: list[str]) -> None:
    pool, texts = Texts.from_lines([*other, *hidden]), Texts.from_lines(like)
    found = {}
    for spec in ("moore-lewis", "perplexity"):
        top = np.argsort(-scores(spec, pool, texts), kind="stable")[: len(hidden)]
        found[spec] = (top >= len(other)).mean()
    print(
        f"{name}: {len(hidden):,} in {len(other):,}, {len(like):,} lines to be like: precision at k "
        f"{found['moore-lewis']:.3f}, plain perplexity {found['perplexity']:.3f}",
        flush=True,
    )


def hidden(data: Data) -> None:
    other = [*data.short()[:50_000], *data.indian()[:50_000]]
    captions, news = data.captions("en"), data.lines("news-commentary-sample/nc-5k.en.gz")
    print_precision("captions", captions[10_000:], captions[:10_000], other)
    print_precision("news commentary", news[2500:], news[:2500], other)


def settling(data: Data) -> None:
    short, indian = data.short(), data.indian()
    news = data.lines("newstest2013/references/newstest2013.en.gz")
    print_precision("newstest2013", news[1500:], news[:1500], [*short[:50_000], *indian[:50_000]])
    print_precision("small-enja", short[10_000:30_000], short[:10_000], [*data.captions("en"), *indian[:71_000]])


def spoilt(
    srcs: Sequence[str], tgts: Sequence[str], foreign: Sequence[str], seed: int
) -> tuple[list[str], np.ndarray[tuple[int], np.dtype[np.bool_]]]:
    """Targets of which 40 % are wrong: of another pair, in another language, cut off, links and numbers, the source."""
    draw = np.random.default_rng(seed)
    bad = draw.random(len(srcs)) < 0.4
    targets = list(tgts)
    for place in np.flatnonzero(bad):
        words = tgts[place].split()
        junk = [f"http://www.x{draw.integers(999)}.org/{draw.integers(9999)}", str(draw.integers(10**6))]
        targets[place] = (
            tgts[draw.integers(len(tgts))],
            foreign[place],
            " ".join(words[: max(1, len(words) // 3)]),
            " ".join(draw.choice(junk, draw.integers(2, 9))),
            srcs[place],
        )[draw.integers(5)]
    return targets, bad


def noise(data: Data) -> None:
    sides = {lang: data.captions(lang) for lang in ("en", "fr", "de")}
    part = slice(10_000, 20_000)
    targets, bad = spoilt(sides["en"][part], sides["fr"][part], sides["de"][part], 1)
    like = Texts.from_lines(sides["en"][:10_000], sides["fr"][:10_000])
    pool = Texts.from_lines(sides["en"][part], targets)
    for spec, bars in (("noise", (-1.0, -2.0)), ("noise-svm", (0.0,))):
        values = scores(spec, pool, like)
        for bar in bars:
            kept = values > bar
            precision, recall = (~bad[kept]).mean(), (kept & ~bad).sum() / (~bad).sum()
            print(f"{spec} above {bar:g}: precision {precision:.3f}, recall {recall:.3f}", flush=True)


def engine(data: Data, n_seeds: int) -> None:
    from dragoman.data.bitext import Bitext
    from dragoman.metrics import score
    from dragoman.smt.recipe import EngineRecipe, changed
    from dragoman.smt.training import train_engine

    recipe = changed(EngineRecipe(), ["source_lang=fr", "target_lang=en", "tune.method=none", "lm.order=3"])
    captions = [data.captions(lang) for lang in ("fr", "en")]
    news = [
        data.lines(f"news-commentary-sample/nc-5k.{lang}.gz")
        + data.lines(f"newstest2013/references/newstest2013.{lang}.gz")
        for lang in ("fr", "en")
    ]
    srcs, refs = (data.lines(f"multi30k/test_2016_flickr.{lang}.gz")[:500] for lang in ("fr", "en"))
    like = Texts.from_lines(*(side[:2000] for side in captions))
    for seed in range(1, n_seeds + 1):
        draw = np.random.default_rng(seed)
        own = draw.permutation(np.arange(2000, len(captions[0])))[:8000]
        pool = Texts.from_lines(*([side[i] for i in own] + other for side, other in zip(captions, news, strict=True)))
        half = pool.count() // 2
        best = select(pool, ["moore-lewis"], like=like, cut=Cut(most=half), seed=seed, examples=0).places
        values = {}
        for name, places in {"selected": best, "random": draw.permutation(pool.count())[:half]}.items():
            text = Bitext.from_pairs(list(pool.at(places, pool.count()).bitext))
            with tempfile.TemporaryDirectory() as folder:
                trained = train_engine(text, recipe, work=Path(folder) / "work", n_threads=1)
                hyps = trained.engine.translate(srcs, n_threads=1)
            values[name] = score({"engine": hyps}, [refs], metrics=["bleu"]).score("engine", "bleu").value
        print(
            f"seed {seed}: BLEU {values['selected']:.2f} of the selected half, {values['random']:.2f} of a random one",
            flush=True,
        )


def speed(data: Data, n_pairs: int) -> None:
    english, german = data.captions("en"), data.captions("de")
    draw = np.random.default_rng(1)
    with tempfile.TemporaryDirectory() as folder:
        places = draw.integers(2000, len(english), n_pairs)
        for lang, side in (("en", english), ("de", german)):
            write_lines(
                Path(folder) / f"pool.{lang}", (f"{side[place]} {number % 9973}" for number, place in enumerate(places))
            )
            write_lines(Path(folder) / f"like.{lang}", side[:2000])
        for spec in SPEED:
            subprocess.run([sys.executable, __file__, "--one", spec, "--in", folder], check=True)


def one(spec: str, folder: Path) -> None:
    """One score of the million, in a process of its own, so that its memory is its own."""
    pool, like = (Texts.from_files([folder / f"{name}.en", folder / f"{name}.de"]) for name in ("pool", "like"))
    wall, busy = time.monotonic(), time.process_time()
    result = select(pool, [spec], like=like, cut=Cut(share=0.25), examples=0)
    wall, busy = time.monotonic() - wall, time.process_time() - busy
    peak = peak_memory()
    n_pairs = len(result.scores.joint)
    print(
        f"{spec}: {n_pairs:,} pairs, {60 * n_pairs / busy:,.0f} a minute and core ({wall:.0f} s), peak {peak:.0f} MB",
        flush=True,
    )


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("parts", nargs="*", choices=[*PARTS, "settling", []])
    options.add_argument("--data")
    options.add_argument("--pairs", type=int, default=100_000, help="of `speed`")
    options.add_argument("--seeds", type=int, default=1, help="of `engine`")
    options.add_argument("--one")
    options.add_argument("--in", dest="folder")
    asked = options.parse_args()
    if asked.one:
        one(asked.one, Path(asked.folder))
        return
    folder = real_data(asked.data)
    data = Data(folder)
    for part in asked.parts or PARTS:
        if part == "speed":
            speed(data, asked.pairs)
        elif part == "engine":
            engine(data, asked.seeds)
        else:
            {"hidden": hidden, "settling": settling, "noise": noise}[part](data)


if __name__ == "__main__":
    main()
