"""Phrase extraction in parts: sorted runs by source phrase, merged and scored by range (`extract_parts.hpp`).

A worker holds one part of the text, or one group of the 64 ranges of source phrases, or of the 64 shards of target
phrases. How many make a group depends on how much there is, never on the number of workers.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dragoman import _core
from dragoman.lm.parts import mapped
from dragoman.options import filled
from dragoman.parts import Workshop
from dragoman.smt.phrase_table import PhraseExtraction, PhraseTable
from dragoman.text.vocabulary import Vocabulary

__all__ = ["COUNTS", "add_up_links", "added", "link_counts", "phrases_in_parts", "read_runs", "write_runs"]

_RANGES = _SHARDS = 64  # of source phrases, of target phrases: the kernel's
_GROUP = 32 << 20  # bytes of runs that one worker merges
COUNTS = ("slots", "source_totals", "target_totals")  # the files of counts of links


def phrases_in_parts(
    shop: Workshop, parts: Sequence[Mapping[str, str]], recipe: PhraseExtraction, vocabularies: Sequence[Path]
) -> Path:
    """The folder with the phrase table of a text, as `phrases`. A part names the folders of its `ids` and `links`."""
    options = recipe.to_dict()
    runs = list(map(str, shop.map(collect_part, [{**part, "options": options} for part in parts])))
    links = str(shop.one(add_up_links, parts=runs))
    size = sum(int(np.load(Path(run) / "pairs.npy")[-1]) for run in runs)
    groups = _groups(min(_RANGES, 1 + size // _GROUP))
    merged = [
        str(folder) for folder in shop.map(merge_group, [{"runs": runs, "begin": a, "end": b} for a, b in groups])
    ]
    shop.discard(Path(run) / "pairs.runs" for run in runs)
    whole = str(shop.one(add_up_statistics, groups=merged))
    shards = [
        str(folder)
        for folder in shop.map(
            add_up_group,
            [{"groups": merged, "whole": whole, "options": options, "begin": a, "end": b} for a, b in groups],
        )
    ]
    shop.discard(Path(each) / "targets.runs" for each in merged)
    shared = {"shards": shards, "links": links, "whole": whole, "options": options}
    names = [str(path.resolve()) for path in vocabularies]
    tables = shop.map(
        score_group,
        [{"merged": each, "begin": a, "end": b, **shared} for each, (a, b) in zip(merged, groups, strict=True)],
    )
    shop.discard(Path(each) / "pairs.runs" for each in merged)
    shop.discard(Path(each) / "answers.runs" for each in shards)
    return shop.one(join_groups, tables=list(map(str, tables)), vocabularies=names, options=options)


def _groups(n_groups: int) -> list[tuple[int, int]]:
    return list(pairwise(round(_RANGES * i / n_groups) for i in range(n_groups + 1)))


def _options(options: Mapping[str, Any]) -> _core.phrase.ExtractOptions:
    return filled(_core.phrase.ExtractOptions(), PhraseExtraction.from_dict(options), n_threads=1)


def write_runs(folder: Path, name: str, runs: Sequence[bytes]) -> None:
    """Runs one behind the other, each at a multiple of eight as they all are, and where they begin."""
    with (folder / f"{name}.runs").open("wb") as stream:
        stream.writelines(runs)
    np.save(folder / f"{name}.npy", np.array(list(accumulate(map(len, runs), initial=0)), np.int64))


def read_runs(folder: str | Path, name: str) -> list[memoryview]:
    """What `write_runs` wrote, mapped."""
    starts = np.load(Path(folder) / f"{name}.npy").tolist()
    whole = mapped(Path(folder) / f"{name}.runs")
    return [whole[a:b] for a, b in pairwise(starts)]


def _array(path: Path) -> NDArray[np.uint64]:
    values: NDArray[np.uint64] = np.load(path, mmap_mode="r" if path.stat().st_size > 4096 else None)
    return values


def link_counts(folder: str | Path) -> _core.phrase.LinkCounts:
    """How often words were linked, as a folder has it."""
    return _core.phrase.LinkCounts(*(_array(Path(folder) / f"{name}.npy") for name in COUNTS))


def collect_part(folder: Path, ids: str, links: str, options: Mapping[str, Any]) -> None:
    """The phrase pairs of a part of the text, in runs by range, and how often its words were linked."""
    at = Path(ids)
    runs, counts = _core.phrase.collect_pairs(
        np.load(at / "source.ids.npy"),
        np.load(at / "source.offsets.npy"),
        np.load(at / "target.ids.npy"),
        np.load(at / "target.offsets.npy"),
        np.load(Path(links) / "links.npy"),
        np.load(Path(links) / "offsets.npy"),
        _options(options),
    )
    write_runs(folder, "pairs", runs)
    for name, values in zip(COUNTS, counts, strict=True):
        np.save(folder / f"{name}.npy", values)


def add_up_links(folder: Path, parts: Sequence[str]) -> None:
    """How often words were linked in all parts."""
    counts = _core.phrase.add_up_links([link_counts(part) for part in parts])
    for name, values in zip(COUNTS, counts, strict=True):
        np.save(folder / f"{name}.npy", values)


def merge_group(folder: Path, runs: Sequence[str], begin: int, end: int) -> None:
    """The phrase pairs of some ranges in all parts, and what they tell their target phrases, by range and shard."""
    by_part = [read_runs(run, "pairs") for run in runs]
    pairs, targets, orientations = [], [], np.zeros(6, np.uint64)
    counts = np.zeros(0, np.uint64)
    for number in range(begin, end):
        merged, told, met, turned = _core.phrase.merge_pairs([part[number] for part in by_part])
        pairs.append(merged)
        targets += told
        counts = added(counts, met)
        orientations += np.array(turned, np.uint64)
    write_runs(folder, "pairs", pairs)
    write_runs(folder, "targets", targets)
    np.save(folder / "counts.npy", counts)
    np.save(folder / "orientations.npy", orientations)


def added(a: NDArray[np.uint64], b: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The sum of counts that may end earlier or later."""
    longer, shorter = (a, b) if len(a) >= len(b) else (b, a)
    sums = longer.copy()
    sums[: len(shorter)] += shorter
    return sums


def add_up_statistics(folder: Path, groups: Sequence[str]) -> None:
    """How many phrase pairs were met how often, and their orientations, in the whole text."""
    counts = np.zeros(0, np.uint64)
    orientations = np.zeros(6, np.uint64)
    for group in groups:
        counts = added(counts, np.load(Path(group) / "counts.npy"))
        orientations += np.load(Path(group) / "orientations.npy")
    np.save(folder / "counts.npy", counts)
    (folder / "orientations.json").write_text(json.dumps(orientations.tolist()))


def add_up_group(
    folder: Path, groups: Sequence[str], whole: str, options: Mapping[str, Any], begin: int, end: int
) -> None:
    """What pairs are told of their target phrases, by shard and range, for some shards."""
    told = [run for group in groups for run in read_runs(group, "targets")]  # by range, by shard
    counts = np.load(Path(whole) / "counts.npy")
    answers: list[bytes] = []
    for shard in range(begin, end):
        ranges = [told[number * _SHARDS + shard] for number in range(_RANGES)]
        answers += _core.phrase.add_up_targets(ranges, counts, _options(options))
    write_runs(folder, "answers", answers)


def score_group(
    folder: Path,
    merged: str,
    begin: int,
    end: int,
    shards: Sequence[str],
    links: str,
    whole: str,
    options: Mapping[str, Any],
) -> None:
    """The tables of some ranges."""
    pairs = read_runs(merged, "pairs")
    answers = [run for shard in shards for run in read_runs(shard, "answers")]  # by shard, by range
    counts = np.load(Path(whole) / "counts.npy")
    orientations = json.loads((Path(whole) / "orientations.json").read_text())
    lexicon = link_counts(links)
    tables = [
        _core.phrase.score_pairs(
            pairs[number - begin],
            [answers[shard * _RANGES + number] for shard in range(_SHARDS)],
            lexicon,
            counts,
            orientations,
            _options(options),
        )
        for number in range(begin, end)
    ]
    write_runs(folder, "tables", tables)


def join_groups(folder: Path, tables: Sequence[str], vocabularies: Sequence[str], options: Mapping[str, Any]) -> None:
    """The tables of all ranges as one, written piece by piece."""
    source, target = map(Vocabulary.load, vocabularies)
    parts = [
        _core.phrase.PhraseTable.on_file(content, len(target))
        for group in tables
        for content in read_runs(group, "tables")
    ]
    joined = folder / "joined.bin"
    with joined.open("wb") as stream:
        _core.phrase.write_joined(parts, stream.write)
    core = _core.phrase.PhraseTable.on_file(mapped(joined), len(target))
    table = PhraseTable(core, source, target, PhraseExtraction.from_dict(options), file=joined)
    table.save(folder / "phrases")
    joined.unlink()
