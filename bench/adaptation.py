"""What text of another field gives an engine: 5,000 pairs of the field and 29,000 captions, in four directions.

For French the field is news (commentary to train on, newstest2013 to tune and test), for German encyclopedic text with
its post-edits (MLQE-PE); captions are Multi30k's. Engines of a direction share alignment and a mixed language model and
differ in their phrase table. Each is tuned with three seeds on 300 segments; BLEU without case on 500 others.

    python bench/adaptation.py [--full] [--data DATA] [--pairs fr-en,en-fr,de-en,en-de] [--modes pooled,…] [--dev]

Without `--full`, which takes hours: French to English, 2,000 pairs of the field, 5,000 captions, one seed.
"""

from __future__ import annotations

import argparse
import tarfile
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, stdev

from needs import real_data

from dragoman.data.bitext import Bitext
from dragoman.data.testset import TestSet
from dragoman.files import read_lines
from dragoman.metrics import score
from dragoman.smt.corpora import Corpora
from dragoman.smt.recipe import EngineRecipe, changed
from dragoman.smt.training import train_engine
from dragoman.smt.tune.engine import tune_engine

MODES = ("pooled", "fill-up", "pooled-entries")
SETTINGS = ("classes.number=0", "features=", "mixture=true", "tune.method=none")
TUNER = ("tune.method=mira:rounds=6", "tune.n_best=50", "tune.pop_limit=50")
LONGEST = 40  # words of a segment that is tuned on or tested with
N_DEV, N_TEST = 300, 500
Lines = list[str]


@dataclass(frozen=True)
class Size:
    """How much is trained on, and how often each engine is tuned."""

    field: int
    captions: int
    seeds: tuple[int, ...]


FULL, SHORT = Size(5000, 29_000, (1, 2, 3)), Size(2000, 5000, (1,))


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--data")
    options.add_argument("--full", action="store_true", help="all text, three seeds, four directions")
    options.add_argument("--pairs")
    options.add_argument("--modes", default=",".join(MODES))
    options.add_argument("--dev", action="store_true", help="measure on the tuning set, to settle choices")
    asked = options.parse_args()
    data = real_data(asked.data)
    modes, size = asked.modes.split(","), FULL if asked.full else SHORT
    pairs = asked.pairs or ("fr-en,en-fr,de-en,en-de" if asked.full else "fr-en")
    print(f"{'pair':6}" + "".join(f"{mode:>20}" for mode in modes) + "   seconds")
    table = []
    for pair in pairs.split(","):
        start = time.process_time()
        runs = _runs(data, pair, modes, size, on_dev=asked.dev)
        table.append([mean(values) for values in runs])
        cells = "".join(f"{mean(values):13.2f} ± {stdev(values) if values[1:] else 0:4.2f}" for values in runs)
        print(f"{pair:6}{cells} {time.process_time() - start:9.0f}", flush=True)
    print(f"{'mean':6}" + "".join(f"{mean(column):13.2f}       " for column in zip(*table, strict=True)))


def _runs(data: Path, pair: str, modes: Sequence[str], size: Size, *, on_dev: bool) -> list[list[float]]:
    """BLEU of each mode with each seed."""
    source, target = pair.split("-")
    field, dev, test = _texts(data, source, target, size.field)
    captions = [read_lines(data / "multi30k" / f"train.{lang}.gz")[: size.captions] for lang in (source, target)]
    corpora = Corpora.of(*(Bitext.from_lines(*text) for text in (field, captions)))
    tuning = TestSet(srcs=dev[0], refs={"ref": dev[1]})
    asked = dev if on_dev else test
    base = changed(EngineRecipe(source_lang=source, target_lang=target), SETTINGS)
    runs = []
    with tempfile.TemporaryDirectory() as folder:
        for mode in modes:
            recipe = changed(base, [f"tables.mode={mode}"])
            engine = train_engine(corpora, recipe, work=folder, dev=tuning).engine
            bleu = []
            for seed in size.seeds:
                tuner = changed(recipe, [*TUNER, f"tune.seeds={seed}"]).tune
                tuned = engine.with_weights(tune_engine(engine, tuning, tuner).best.weights)
                outputs = {"engine": tuned.translate(asked[0])}
                bleu.append(score(outputs, [asked[1]], metrics=["bleu:lowercase=true"]).scores[0][0][0])
            runs.append(bleu)
    return runs


def _texts(data: Path, source: str, target: str, n_field: int) -> tuple[list[Lines], list[Lines], list[Lines]]:
    """The field's training, tuning and test text, both sides of each."""
    other = target if source == "en" else source
    if other == "fr":
        train = [read_lines(data / "news-commentary-sample" / f"nc-5k.{lang}.gz") for lang in (source, target)]
        news = [
            read_lines(data / "newstest2013" / "references" / f"newstest2013.{lang}.gz") for lang in (source, target)
        ]
        held_out = [side[:1500] for side in news], [side[1500:] for side in news]
    else:
        parts = [_post_edits(data / "mlqe-pe", part) for part in ("train", "dev", "test")]
        train, *rest = ([part[lang] for lang in (source, target)] for part in parts)
        held_out = rest[0], rest[1]
    dev, test = (_short(*sides) for sides in held_out)
    return [side[:n_field] for side in train], [side[:N_DEV] for side in dev], [side[:N_TEST] for side in test]


def _post_edits(folder: Path, part: str) -> dict[str, Lines]:
    """Sources and post-edits of one part, by language."""
    texts = {}
    with tarfile.open(folder / f"post-editing.en-de-{part}.tar.gz") as archive:
        names = {name.rpartition("/")[2]: name for name in archive.getnames()}
        for lang, kind in (("en", "src"), ("de", "pe")):
            name = next(names[each] for each in names if each.endswith(f".{kind}"))
            file = archive.extractfile(name)
            assert file is not None
            texts[lang] = file.read().decode().splitlines()
    return texts


def _short(sources: Lines, targets: Lines) -> list[Lines]:
    """The pairs whose sides are not too long."""
    pairs = [each for each in zip(sources, targets, strict=True) if all(len(s.split()) <= LONGEST for s in each)]
    return [list(side) for side in zip(*pairs, strict=True)]


if __name__ == "__main__":
    main()
