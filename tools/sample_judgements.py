"""Write the sample judgements: `judgements/ranking.csv` and `judgements/da.csv` of the sample test set.

The judgements are SIMULATED: no person made them. Each score comes from the
hand-written adequacy in quality.tsv, bent by the habits of an invented annotator.
They exist to show the file formats and to give quality control something to find:
ann-1 is lenient, ann-2 harsh, ann-3 noisy, ann-4 careless (near random, and fast).

    .venv/bin/python tools/sample_judgements.py        # same seed, same files
"""

from __future__ import annotations

import csv
import random
from pathlib import Path

HERE = Path(__file__).parents[1] / "src" / "dragoman" / "samples" / "testset"
SEED = 2012
SYSTEMS = ["atlas", "borealis", "cobalt", "dune", "ember"]

# top: mean score of a perfect output; slope: what a lost point of adequacy costs; noise: standard
# deviation of a score; care: share of it that depends on the output; pace: median seconds per item.
ANNOTATORS = {
    "ann-1": {"top": 96, "slope": 0.8, "noise": 4, "care": 1.0, "pace": 16},
    "ann-2": {"top": 86, "slope": 1.2, "noise": 5, "care": 1.0, "pace": 22},
    "ann-3": {"top": 92, "slope": 1.0, "noise": 9, "care": 1.0, "pace": 13},
    "ann-4": {"top": 92, "slope": 1.0, "noise": 5, "care": 0.1, "pace": 4},
}
TIE_MARGIN = 7  # outputs perceived closer than this get the same rank


def read_tsv(name):
    """The rows of a TSV file of the test set."""
    with (HERE / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def write_csv(name, header, rows):
    """Write a judgement file."""
    with (HERE / "judgements" / name).open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


def perceive(quality, rng, top, slope, noise, care, **_):
    """The score (0–100, not rounded) this annotator gives to an output of this quality."""
    careful = top - slope * (100 - quality) + rng.gauss(0, noise)
    score = care * careful + (1 - care) * rng.uniform(0, 100)
    return min(100.0, max(0.0, score))


def ranks(scores):
    """Ranks from 1 (best), no gaps; neighbours within TIE_MARGIN of the best of their group tie."""
    result, rank, top = {}, 0, None
    for system in sorted(scores, key=scores.get, reverse=True):
        if top is None or top - scores[system] > TIE_MARGIN:
            rank, top = rank + 1, scores[system]
        result[system] = rank
    return result


def ranking_tasks(quality, docs, outputs, rng):
    """45 tasks per annotator: 20 segments shared by all, 20 from a rotating share, 5 repeats."""
    segments = rng.sample(sorted(quality), len(quality))
    shared, rest = segments[:20], segments[20:]
    for number, (annotator, habits) in enumerate(ANNOTATORS.items()):
        own = [rest[(15 * number + i) % len(rest)] for i in range(20)]
        first = rng.sample([*shared, *own], 40)
        for segment in [*first, *rng.sample(first[:20], 5)]:
            # Identical outputs are shown once, hence always tie.
            text = {s: outputs[s][segment - 1] for s in SYSTEMS}
            perceived = {text[s]: perceive(quality[segment][s], rng, **habits) for s in SYSTEMS}
            rank = ranks({s: perceived[text[s]] for s in SYSTEMS})
            shown = rng.sample(SYSTEMS, 5)
            names = [field for s in shown for field in (SYSTEMS.index(s) + 1, s)]
            yield ["German", "English", segment, docs[segment], segment, annotator, *names, *(rank[s] for s in shown)]


def da_items(quality, docs, rng):
    """100 items per annotator: 68 TGT (20 of them common to all), 12 BAD, 8 REF, 12 CHK."""
    shuffled = [[(segment, s) for segment in rng.sample(sorted(quality), len(quality))] for s in SYSTEMS]
    pairs = [pair for row in zip(*shuffled, strict=True) for pair in row]  # any slice is balanced over the systems
    common, rest = pairs[:20], pairs[20:]
    for number, (annotator, habits) in enumerate(ANNOTATORS.items()):
        real = rng.sample(common + rest[48 * number : 48 * number + 48], 68)
        damaged = rng.sample([(n, s) for n, s in real if quality[n][s] >= 50], 12)
        references = [(n, "reference-A") for n in rng.sample(sorted(quality), 8)]
        control = [("BAD", *p) for p in damaged] + [("REF", *p) for p in references]
        rng.shuffle(control)
        # A repeat always comes in the second half, its original in the first.
        repeats = [("CHK", *p) for p in rng.sample(real[:34], 12)]
        halves = (
            [("TGT", *p) for p in real[:34]] + control[:10],
            [("TGT", *p) for p in real[34:]] + control[10:] + repeats,
        )
        items = [item for half in halves for item in rng.sample(half, len(half))]
        for position, (kind, segment, system) in enumerate(items, 1):
            true = 98 if kind == "REF" else quality[segment][system]
            if kind == "BAD":
                true = max(0, true - rng.uniform(30, 55))
            score = round(perceive(true, rng, **habits))
            seconds = max(1, round(habits["pace"] * rng.lognormvariate(0, 0.4)))
            yield [annotator, position, kind, docs[segment], segment, system, score, seconds]


def main():
    """Write both files."""
    rng = random.Random(SEED)
    quality = {int(row["segment"]): {s: int(row[s]) for s in SYSTEMS} for row in read_tsv("quality.tsv")}
    docs = {int(row["segment"]): row["doc"] for row in read_tsv("documents.tsv")}
    outputs = {s: (HERE / "systems" / f"{s}.en").read_text(encoding="utf-8").split("\n") for s in SYSTEMS}

    tasks = list(ranking_tasks(quality, docs, outputs, rng))
    tasks[50][-1] = tasks[50][-4] = tasks[120][-2] = -1  # -1 as in WMT: shown, but left blank
    columns = [f"system{i}{field}" for i in range(1, 6) for field in ("Number", "Id")]
    write_csv(
        "ranking.csv",
        [
            "srclang",
            "trglang",
            "srcIndex",
            "documentId",
            "segmentId",
            "judgeId",
            *columns,
            *(f"system{i}rank" for i in range(1, 6)),
        ],
        tasks,
    )
    write_csv(
        "da.csv",
        ["annotator", "item", "type", "doc", "segment", "system", "score", "seconds"],
        da_items(quality, docs, rng),
    )


if __name__ == "__main__":
    main()
