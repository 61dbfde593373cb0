"""Rule extraction in parts: sorted runs by source side, merged and scored by range (`score_parts.hpp`).

A worker holds one part of the text, or one range of source sides, or some of the 64 shards of target sides. Where
ranges begin depends on the rules that there are, never on the number of workers, and no number depends on it.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from dragoman import _core
from dragoman.data.parallel import check_parallel
from dragoman.errors import DataError
from dragoman.files import StrPath, atomic_folder, open_writer
from dragoman.lm.parts import mapped
from dragoman.options import filled
from dragoman.parts import PART, Workshop
from dragoman.smt.aligned_text import AlignedText
from dragoman.smt.grammar.extraction import ExtractedRules, GrammarExtraction, SpanLabels
from dragoman.smt.grammar.tree_extraction import TreeExtraction, Trees
from dragoman.smt.phrase_parts import COUNTS, add_up_links, added, link_counts, read_runs, write_runs
from dragoman.text.tokens import TokenIds
from dragoman.text.vocabulary import Vocabulary

__all__ = ["TreeCounts", "hiero_in_parts", "trees_in_parts"]

_GROUP = 128 << 20  # bytes of runs, or of what rules tell their target sides, that one worker takes
_SHARDS = 64  # of target sides: the kernel's
_TEXT = ("source", "target")
# Scores that a rule has by itself.
_OF_RULES = {"penalty", "rarity", "once", "twice", "thrice", "hierarchical", "boundary", "swap", "unaligned-source",
             "unaligned-target"}  # fmt: skip

Names = Sequence[Sequence[str]]  # the labels of either side
Write = Callable[[bytes], object]


@dataclass(frozen=True)
class PartedCounts:
    """What was counted of rules in parts."""

    n_instances: int
    n_rules: int
    n_written: int
    n_lexical: int
    n_sources: int


@dataclass(frozen=True)
class TreeCounts:
    """What was counted of rules of trees, and of the trees."""

    rules: PartedCounts
    n_trees: int
    n_nodes: int
    n_frontier: int
    n_cut: int


def hiero_in_parts(
    shop: Workshop,
    recipe: GrammarExtraction,
    text: AlignedText,
    source: Vocabulary,
    target: Vocabulary,
    output: StrPath,
    *,
    source_labels: SpanLabels | None = None,
    target_labels: SpanLabels | None = None,
    test: TokenIds | None = None,
    part: int = PART,
) -> ExtractedRules:
    """What `GrammarExtraction.extract` does, by workers."""
    recipe.check_text(text, source_labels, target_labels)
    given = {side: each for side, each in zip(_TEXT, (source_labels, target_labels), strict=True) if each is not None}
    more = {f"{side}_labels": (each.spans, each.offsets) for side, each in given.items()}
    names = [recipe.names(source_labels), recipe.names(target_labels)]
    uses = {side: list(each.uses) for side, each in given.items()}
    how = {"recipe": recipe.to_dict(), "names": names, "uses": uses}
    parted = PartedText(text, source, target, names, more, test)
    counts, _ = _in_parts(shop, parted, output, collect_hiero, recipe.to_dict(), how, part)
    return ExtractedRules.of(output, counts)


def trees_in_parts(
    shop: Workshop,
    recipe: TreeExtraction,
    text: AlignedText,
    source: Vocabulary,
    target: Vocabulary,
    trees: Trees,
    output: StrPath,
    *,
    scoring: GrammarExtraction,
    test: TokenIds | None = None,
    part: int = PART,
) -> TreeCounts:
    """What `TreeExtraction.extract` does, by workers."""
    recipe.check()
    check_parallel({"source": text.source, "target": text.target, "trees": trees.offsets[1:]})
    names = trees.names_of_sides()
    how = {"recipe": recipe.to_dict(), "scoring": scoring.to_dict(), "side": trees.side, "names": names}
    parted = PartedText(text, source, target, names, {"trees": (trees.nodes, trees.offsets)}, test)
    counts, folders = _in_parts(shop, parted, output, collect_trees, scoring.to_dict(), how, part)
    seen = np.sum([json.loads((folder / "trees.json").read_text()) for folder in folders], axis=0).tolist()
    return TreeCounts(counts, *seen)


@dataclass(frozen=True, eq=False)
class PartedText:
    """An aligned bitext with its vocabularies, and arrays with rows for sentences: `name`, its rows, their offsets."""

    text: AlignedText
    source: Vocabulary
    target: Vocabulary
    names: Names
    more: Mapping[str, tuple[NDArray[Any], NDArray[np.int64]]]
    test: TokenIds | None = None

    def arrays(self) -> dict[str, tuple[NDArray[Any], NDArray[np.int64]]]:
        """All of it that has rows and offsets."""
        if self.text.weights is not None:
            raise DataError("Rules of weighted sentence pairs are not extracted in parts. Leave out --workers.")
        sides = {"source": self.text.source, "target": self.text.target}
        tests = {"test": self.test} if self.test is not None else {}
        ids = {name: (each.ids, each.offsets) for name, each in (sides | tests).items()}
        return ids | {"links": (self.text.links, self.text.link_offsets)} | dict(self.more)

    def save(self, shop: Workshop) -> Path:
        """Write it beside the results, named after what it holds."""
        arrays = self.arrays()
        digest = sha256(json.dumps(self.names).encode())
        for name, pair in arrays.items():
            digest.update(name.encode())
            for array in pair:
                digest.update(np.ascontiguousarray(array).data)
        for words in (self.source, self.target):
            digest.update("\n".join(words).encode())
        final = shop.folder / f"text-{digest.hexdigest()[:20]}"
        if not final.is_dir():
            shop.folder.mkdir(parents=True, exist_ok=True)
            with atomic_folder(final) as folder:
                for name, (rows, offsets) in arrays.items():
                    np.save(folder / f"{name}.npy", rows)
                    np.save(folder / f"{name}.offsets.npy", offsets)
                for side, words in zip(_TEXT, (self.source, self.target), strict=True):
                    words.save(folder / f"{side}.vocabulary")
        return final


@dataclass(frozen=True, eq=False)
class RulePart:
    """Some sentence pairs of a text that `PartedText` wrote."""

    folder: Path
    begin: int
    end: int

    def rows(self, name: str) -> tuple[NDArray[Any], NDArray[np.int64]]:
        """The rows of these sentences, and their offsets from 0 on."""
        offsets = np.load(self.folder / f"{name}.offsets.npy", mmap_mode="r")[self.begin : self.end + 1]
        rows = _rows(self.folder / f"{name}.npy")[offsets[0] : offsets[-1]]
        return np.ascontiguousarray(rows), np.ascontiguousarray(offsets - offsets[0])

    def text(self) -> tuple[NDArray[Any], ...]:
        """Ids, offsets and links, as kernels take them."""
        return tuple(array for name in (*_TEXT, "links") for array in self.rows(name))


def _rows(path: Path) -> NDArray[Any]:
    rows: NDArray[Any] = np.load(path, mmap_mode="r" if path.stat().st_size > 4096 else None)  # none may be empty
    return rows


def _in_parts(
    shop: Workshop,
    text: PartedText,
    output: StrPath,
    collect: Callable[..., object],
    scoring: Mapping[str, Any],
    how: Mapping[str, Any],
    part: int,
) -> tuple[PartedCounts, list[Path]]:
    """Write the rules of a text; what was counted, and the folders of `collect(folder, text, begin, end, **how)`.

    `scoring` is the recipe of `GrammarExtraction`.
    """
    if asked := [name for name in scoring["features"] if name not in _OF_RULES]:
        raise DataError(
            f"The score {asked[0]} of rules asks for the whole text. Leave it out of the features, or extract without "
            "--workers and --cluster."
        )
    folder = str(text.save(shop))
    n_pairs = len(text.text.source)
    spans = pairwise([*range(0, max(1, n_pairs), part), n_pairs])
    collected = shop.map(collect, [{"text": folder, "begin": a, "end": b, **how} for a, b in spans])
    runs = list(map(str, collected))
    shared = {"text": folder, "names": [list(names) for names in text.names]}
    ranges = [
        {"runs": runs, "begin": a, "end": b, "tested": text.test is not None, **shared} for a, b in _ranges(collected)
    ]
    merged = shop.map(merge_range, ranges)
    links, whole = shop.one(add_up_links, parts=runs), shop.one(add_up_rules, ranges=list(map(str, merged)))
    size = sum((each / "targets.runs").stat().st_size for each in merged)
    shards = shop.map(
        add_up_shards,
        [
            {"ranges": list(map(str, merged)), "whole": str(whole), "scoring": scoring, "begin": a, "end": b}
            for a, b in _shard_groups(min(_SHARDS, 1 + size // _GROUP))
        ],
    )
    known = {"shards": list(map(str, shards)), "links": str(links), "whole": str(whole), "scoring": scoring, **shared}
    tables = shop.map(score_lines, [{"merged": str(each), "number": n, **known} for n, each in enumerate(merged)])
    with open_writer(output) as stream:
        for table in tables:
            with (table / "rules.txt").open("rb") as lines:
                _copy(lines, stream.buffer.write)
    counts = np.load(whole / "counts.npy")
    written = np.sum([json.loads((table / "statistics.json").read_text()) for table in tables], axis=0).tolist()
    n_instances = int((counts * np.arange(len(counts), dtype=np.uint64)).sum())
    return PartedCounts(n_instances, int(counts.sum()), *written), collected


def _copy(stream: BinaryIO, write: Write) -> None:
    while block := stream.read(1 << 22):
        write(block)


def _shard_groups(n_groups: int) -> list[tuple[int, int]]:
    return list(pairwise(round(_SHARDS * i / n_groups) for i in range(n_groups + 1)))


def _ranges(runs: Sequence[Path]) -> list[tuple[list[int], list[int] | None]]:
    """Ranges of keys with about `_GROUP` bytes of runs each, by the keys that runs have marked; the last is open."""
    size = sum((run / "rules.run").stat().st_size for run in runs)
    marks = np.concatenate([np.load(run / "marks.npy")[:, :2] for run in runs])
    marks = np.unique(marks, axis=0)
    places = [len(marks) * i * _GROUP // max(size, 1) for i in range(1, 1 + size // _GROUP)]
    borders = [[0, 0], *marks[sorted({each for each in places if 0 < each < len(marks)})].tolist()]
    return list(zip(borders, [*borders[1:], None], strict=True))


def collect_hiero(
    folder: Path,
    text: str,
    begin: int,
    end: int,
    recipe: Mapping[str, Any],
    names: Names,
    uses: Mapping[str, Sequence[bool]],
) -> None:
    """The hierarchical rules of a part of a text, unscored."""
    extraction, part = GrammarExtraction.from_dict(recipe), RulePart(Path(text), begin, end)
    labels = {f"{side}_labels": (*part.rows(f"{side}_labels"), *use) for side, use in uses.items()}

    def extract(words: Sequence[_core.text.Vocabulary], scoring: _core.grammar.ScoreOptions, write: Write) -> Any:
        kernel: Any = _core.grammar.extract_hiero
        return kernel(*part.text(), *words, *map(list, names), extraction.options(), scoring, write, **labels)

    _collect(folder, part, extraction, extract)


def collect_trees(
    folder: Path,
    text: str,
    begin: int,
    end: int,
    recipe: Mapping[str, Any],
    scoring: Mapping[str, Any],
    side: str,
    names: Names,
) -> None:
    """The rules of the trees of a part of a text, unscored."""
    part = RulePart(Path(text), begin, end)
    options = filled(_core.grammar.TreeExtractOptions(), TreeExtraction.from_dict(recipe))

    def extract(words: Sequence[_core.text.Vocabulary], score: _core.grammar.ScoreOptions, write: Write) -> Any:
        kernel: Any = _core.grammar.extract_trees
        trees = part.rows("trees")
        return kernel(*part.text(), *words, *map(list, names), *trees, side == "source", options, score, write)

    found = _collect(folder, part, GrammarExtraction.from_dict(scoring), extract)
    (folder / "trees.json").write_text(json.dumps([found.n_trees, found.n_nodes, found.n_frontier, found.n_cut]))


def _collect(folder: Path, part: RulePart, scoring: GrammarExtraction, extract: Callable[..., Any]) -> Any:
    """Write the run of a part, and how often its words were linked; what `extract(words, options, write)` says."""
    vocabularies = [Vocabulary.load(part.folder / f"{side}.vocabulary").core for side in _TEXT]
    with tempfile.TemporaryDirectory(prefix="dragoman") as scratch, (folder / "rules.run").open("wb") as stream:
        options = scoring.scoring(scratch, 1)
        options.as_run = True
        found = extract(vocabularies, options, stream.write)
    np.save(folder / "marks.npy", getattr(found, "rules", found).marks)
    for name, values in zip(COUNTS, _core.phrase.count_links(*part.text()), strict=True):
        np.save(folder / f"{name}.npy", values)
    return found


def merge_range(
    folder: Path, runs: Sequence[str], begin: list[int], end: list[int] | None, text: str, names: Names, tested: bool
) -> None:
    """The rules of a range in all parts, and what they tell their target sides, by shard."""
    opened = [(mapped(Path(run) / "rules.run"), np.load(Path(run) / "marks.npy")) for run in runs]
    test = (np.load(Path(text) / "test.npy"), np.load(Path(text) / "test.offsets.npy")) if tested else None
    with (folder / "rules.run").open("wb") as stream:
        targets, counts, n_kept = _core.grammar.merge_rules(
            opened,
            (begin[0], begin[1]),
            (end[0], end[1]) if end else None,
            *_symbols(text, names),
            write=stream.write,
            test=test,
        )
    write_runs(folder, "targets", targets)
    np.save(folder / "counts.npy", counts)
    (folder / "kept.json").write_text(json.dumps(n_kept))


def _symbols(text: str, names: Names) -> tuple[Any, Any, list[str], list[str]]:
    source, target = (Vocabulary.load(Path(text) / f"{side}.vocabulary").core for side in _TEXT)
    return source, target, list(names[0]), list(names[1])


def add_up_rules(folder: Path, ranges: Sequence[str]) -> None:
    """How many rules were met how often, and how many of them each range has kept."""
    counts = np.zeros(0, np.uint64)
    for each in ranges:
        counts = added(counts, np.load(Path(each) / "counts.npy"))
    np.save(folder / "counts.npy", counts)
    kept = [json.loads((Path(each) / "kept.json").read_text()) for each in ranges]
    np.save(folder / "kept.npy", np.array(kept, np.uint64))


def _scoring(scoring: Mapping[str, Any]) -> _core.grammar.ScoreOptions:
    return GrammarExtraction.from_dict(scoring).scoring(tempfile.gettempdir(), 1)


def add_up_shards(
    folder: Path, ranges: Sequence[str], whole: str, scoring: Mapping[str, Any], begin: int, end: int
) -> None:
    """What rules are told of their target sides, by shard and range, for some shards."""
    told = [read_runs(each, "targets") for each in ranges]
    counts, kept = np.load(Path(whole) / "counts.npy"), np.load(Path(whole) / "kept.npy")
    answers: list[bytes] = []
    for shard in range(begin, end):
        answers += _core.grammar.add_up_rule_targets([each[shard] for each in told], kept, counts, _scoring(scoring))
    write_runs(folder, "answers", answers)


def score_lines(
    folder: Path,
    merged: str,
    number: int,
    shards: Sequence[str],
    links: str,
    whole: str,
    scoring: Mapping[str, Any],
    text: str,
    names: Names,
) -> None:
    """The lines of a range."""
    kept = np.load(Path(whole) / "kept.npy")
    answers = [run for shard in shards for run in read_runs(shard, "answers")]  # by shard, by range
    before = list(accumulate(kept.tolist(), initial=0))[number]
    with (folder / "rules.txt").open("wb") as stream:
        found = _core.grammar.score_range(
            mapped(Path(merged) / "rules.run"),
            answers[number :: len(kept)],
            before,
            link_counts(links),
            *_symbols(text, names),
            np.load(Path(whole) / "counts.npy"),
            _scoring(scoring),
            stream.write,
        )
    (folder / "statistics.json").write_text(json.dumps([found.n_written, found.n_lexical, found.n_sources]))
