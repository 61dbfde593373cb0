"""Word alignment by EM over a text in parts: what passes over parts expect is added up exactly.

Expected counts are whole numbers of units (`lexical_table.hpp`), so their sums do not depend on how a text is cut, and
the links are those that `align_ids` gives of the whole. A worker holds one part: its ids, the table of the word pairs
that meet in it, and their probabilities. The sums are made for one range of source words at a time.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeGuard

import numpy as np
from numpy.typing import NDArray

from dragoman import _core
from dragoman.align.base import ALIGNERS, AlignmentRecipe
from dragoman.align.directions import DirectedLinks, Direction
from dragoman.align.hmm import Hmm
from dragoman.align.ibm import IbmModel
from dragoman.align.symmetrisation import join
from dragoman.align.text import PairIds
from dragoman.errors import DataError
from dragoman.parts import Workshop
from dragoman.text.tokens import TokenIds

__all__ = ["align_in_parts", "can_be_parted", "save_ids"]

_RANGE = 8_000_000  # word pairs of all parts whose counts are added up at a time: some 200 MB
_SAMPLED = 16  # parts that say where ranges of words begin
_START = 1e-5  # probability of every pair in the first round, which sees positions alone
_WAYS = ("forward", "backward")


def can_be_parted(recipe: AlignmentRecipe) -> TypeGuard[IbmModel | Hmm]:
    """True if it learns by EM; a sampler draws one word after the other from what all others say."""
    return isinstance(recipe, IbmModel | Hmm)


def save_ids(folder: Path, source: TokenIds, target: TokenIds) -> None:
    """Write a part's ids, and for both directions which words meet."""
    pairs = PairIds.checked(source, target)
    for name, side in (("source", source), ("target", target)):
        np.save(folder / f"{name}.ids.npy", side.ids)
        np.save(folder / f"{name}.offsets.npy", side.offsets)
    for way in _WAYS:
        rows, targets = _core.align.met_pairs(pairs.core(backward=way == "backward"))
        np.save(folder / f"{way}.rows.npy", rows)
        np.save(folder / f"{way}.targets.npy", targets)
    lengths, counts = np.unique(np.stack([source.lengths(), target.lengths()], axis=1), axis=0, return_counts=True)
    np.save(folder / "sizes.npy", np.column_stack([lengths.reshape(-1, 2), counts]).astype(np.int64))


def align_in_parts(shop: Workshop, parts: Sequence[Path], method: str, symmetrisation: str) -> list[Path]:
    """The folders with the links of parts whose ids `save_ids` wrote."""
    recipe = ALIGNERS.make(method).check()
    if not can_be_parted(recipe):
        raise DataError(f"{method} draws its links one after the other; a text cannot be aligned by it in parts.")
    ids = list(map(str, parts))
    ways = shop.together(*(_Way(shop, ids, way, recipe).learn for way in _WAYS))
    return shop.map(
        link_part,
        [
            {"ids": each, "number": number, "ways": ways, "method": method, "symmetrisation": symmetrisation}
            for number, each in enumerate(ids)
        ],
    )


class _Way:
    """One direction."""

    def __init__(self, shop: Workshop, parts: Sequence[str], way: str, recipe: IbmModel | Hmm) -> None:
        self.shop, self.parts, self.way, self.recipe = shop, parts, way, recipe
        self.sizes = _sizes(parts, backward=way == "backward")
        ranges = _ranges([Path(part) / f"{way}.rows.npy" for part in parts])
        self.index = [
            str(folder)
            for folder in shop.map(
                index_range, [{"parts": list(parts), "way": way, "begin": a, "end": b} for a, b in ranges]
            )
        ]
        self.p: list[str] = []  # folders of probabilities, by range

    def learn(self) -> dict[str, Any]:
        """All rounds; where the probabilities lie, and what else was learnt."""
        recipe = self.recipe
        if isinstance(recipe, Hmm):
            self._rounds(recipe.start_rounds, {"p_null": -1.0, "tension": 0.0, "learn_tension": False}, recipe.alpha)
            jumps = [1.0] * (2 * recipe.max_jump + 3)
            for _ in range(recipe.rounds):
                jumps = self._hmm_round(jumps, recipe)
            return self._learnt(jumps=jumps)
        options = recipe.options()
        places = {name: getattr(options, name) for name in ("p_null", "tension", "learn_tension")}
        return self._learnt(tension=self._rounds(options.n_rounds, places, options.alpha))

    def _learnt(self, **more: Any) -> dict[str, Any]:
        return {"index": self.index, "p": self.p, **more}

    def _rounds(self, n_rounds: int, places: Mapping[str, Any], alpha: float) -> float:
        """Rounds of IBM models 1 and 2; the tension that they end with."""
        n_words = int((self.sizes[:, 1] * self.sizes[:, 2]).sum())
        tension = float(places["tension"])
        learns = bool(places["learn_tension"]) and tension > 0 and n_words > 0
        for number in range(n_rounds):
            now = {"p_null": places["p_null"], "tension": tension, "learn_tension": learns}
            counts = self._pass(expect_diagonal, {"places": now})
            null = self._update(counts, alpha)
            if learns and number > 0:
                distance = sum(json.loads((each / "sums.json").read_text())["distance"] for each in counts)
                tension = _core.align.next_tension(self.sizes, tension, distance, null)
        return tension

    def _hmm_round(self, jumps: list[float], recipe: Hmm) -> list[float]:
        counts = self._pass(expect_hmm, {"jumps": jumps, "p_null": recipe.p_null})
        self._update(counts, recipe.alpha)
        contexts: dict[int, NDArray[np.uint64]] = {}
        jump_counts = np.zeros(len(jumps), np.uint64)
        for folder in counts:
            jump_counts += np.load(folder / "jumps.npy")
            flat, at = np.load(folder / "contexts.npy"), 0
            for length in np.load(folder / "lengths.npy").tolist():
                met = flat[at : at + length + 1]
                contexts[length] = contexts[length] + met if length in contexts else met
                at += length + 1
        lengths = sorted(contexts)
        flat = np.concatenate([contexts[length] for length in lengths])
        weights = np.array(jumps)
        new: list[float] = _core.align.next_jumps(weights, np.array(lengths, np.int64), jump_counts, flat).tolist()
        return new

    def _pass(self, expect: Any, more: Mapping[str, Any]) -> list[Path]:
        shared = {"way": self.way, "index": self.index, "p": self.p, **more}
        return self.shop.map(
            expect, [{"ids": part, "number": number, **shared} for number, part in enumerate(self.parts)]
        )

    def _update(self, counts: Sequence[Path], alpha: float) -> int:
        """New probabilities; what the empty word took, in units."""
        names = list(map(str, counts))
        folders = self.shop.map(update_range, [{"index": each, "counts": names, "alpha": alpha} for each in self.index])
        self.p = list(map(str, folders))
        return int(json.loads((folders[0] / "sums.json").read_text())["first_row"])


def _sizes(parts: Sequence[str], *, backward: bool) -> NDArray[np.int64]:
    """How many sentence pairs have which numbers of words."""
    rows = np.concatenate([np.load(Path(part) / "sizes.npy") for part in parts])
    lengths, inverse = np.unique(rows[:, :2], axis=0, return_inverse=True)
    counts = np.bincount(inverse.ravel(), weights=rows[:, 2], minlength=len(lengths)).astype(np.int64)
    return np.ascontiguousarray(np.column_stack([lengths[:, ::-1] if backward else lengths, counts]))


def _ranges(rows: Sequence[Path]) -> list[tuple[int, int]]:
    """Ranges of rows with about `_RANGE` word pairs of all parts each. Which they are changes no number."""
    n_rows = max(len(np.load(path, mmap_mode="r")) - 1 for path in rows)
    met = np.zeros(n_rows, np.int64)
    for path in rows[:_SAMPLED]:
        sizes = np.diff(np.load(path))
        met[: len(sizes)] += sizes
    share = max(1, _RANGE * min(len(rows), _SAMPLED) // len(rows))
    ends = np.searchsorted(np.cumsum(met), np.arange(share, met.sum(), share), side="left") + 1
    return list(pairwise(sorted({0, n_rows, *ends.tolist()})))


def _span(rows: NDArray[np.int64], begin: int, end: int) -> tuple[int, int]:
    """Where the pairs of rows [begin, end) stand in a part's table."""
    last = len(rows) - 1
    return int(rows[min(begin, last)]), int(rows[min(end, last)])


def index_range(folder: Path, parts: Sequence[str], way: str, begin: int, end: int) -> None:
    """The word pairs of all parts in a range of rows, and where in it those of each part stand."""
    tables, starts = [], [0]
    for part in parts:
        rows = np.load(Path(part) / f"{way}.rows.npy", mmap_mode="r")
        tables.append((rows, np.load(Path(part) / f"{way}.targets.npy", mmap_mode="r")))
        first, last = _span(rows, begin, end)
        starts.append(starts[-1] + last - first)
    rows, places = _core.align.unite_rows(tables, begin, end)
    np.save(folder / "rows.npy", rows)
    np.save(folder / "places.npy", places)
    np.save(folder / "starts.npy", np.array(starts, np.int64))
    (folder / "range.json").write_text(json.dumps([begin, end]))


def update_range(folder: Path, index: str, counts: Sequence[str], alpha: float) -> None:
    """The probabilities of a range from what passes over all parts counted."""
    at = Path(index)
    rows, starts = np.load(at / "rows.npy"), np.load(at / "starts.npy")
    places = np.load(at / "places.npy", mmap_mode="r")
    begin, _ = json.loads((at / "range.json").read_text())
    sums = np.zeros(int(rows[-1]), np.uint64)
    for number, part in enumerate(counts):
        spans = np.load(Path(part) / "spans.npy")
        first = int(spans[np.flatnonzero(spans[:, 0] == begin)[0], 1])
        own = places[starts[number] : starts[number + 1]]
        sums[own] += np.load(Path(part) / "counts.npy", mmap_mode="r")[first : first + len(own)]
    np.save(folder / "p.npy", _core.align.estimate(rows, sums, alpha))
    first_row = int(sums[: int(rows[1])].sum()) if begin == 0 else 0
    (folder / "sums.json").write_text(json.dumps({"first_row": first_row}))


@dataclass(frozen=True)
class _Part:
    """A part in one direction: its ids, its table, and where ranges begin in it."""

    pairs: PairIds
    rows: NDArray[np.int64]
    targets: NDArray[np.int32]
    spans: NDArray[np.int64]  # begin of a range, its first pair here
    p: NDArray[np.float32]


def _part(ids: str, number: int, way: str, index: Sequence[str], p: Sequence[str]) -> _Part:
    folder = Path(ids)
    sides = [
        TokenIds(np.load(folder / f"{name}.ids.npy"), np.load(folder / f"{name}.offsets.npy"))
        for name in ("source", "target")
    ]
    rows, targets = np.load(folder / f"{way}.rows.npy"), np.load(folder / f"{way}.targets.npy")
    own = np.full(len(targets), _START, np.float32)
    spans = []
    for place, each in enumerate(index):
        begin, end = json.loads((Path(each) / "range.json").read_text())
        first, last = _span(rows, begin, end)
        spans.append((begin, first))
        if p and last > first:
            starts = np.load(Path(each) / "starts.npy")
            places = np.load(Path(each) / "places.npy", mmap_mode="r")[starts[number] : starts[number + 1]]
            own[first:last] = np.load(Path(p[place]) / "p.npy", mmap_mode="r")[places]
    return _Part(PairIds.checked(sides[0], sides[1]), rows, targets, np.array(spans, np.int64), own)


def expect_diagonal(
    folder: Path, ids: str, number: int, way: str, index: Sequence[str], p: Sequence[str], places: Mapping[str, Any]
) -> None:
    """A round's pass over a part with IBM model 1 or 2."""
    part = _part(ids, number, way, index, p)
    options = _core.align.DiagonalOptions()
    for name, value in places.items():
        setattr(options, name, value)
    table = _core.align.Table(part.rows, part.targets, part.p)
    counts, distance, log_p = _core.align.expect_diagonal(table, part.pairs.core(backward=way == "backward"), options)
    np.save(folder / "counts.npy", counts)
    np.save(folder / "spans.npy", part.spans)
    (folder / "sums.json").write_text(json.dumps({"distance": distance, "log_p": float(log_p.sum())}))


def expect_hmm(
    folder: Path,
    ids: str,
    number: int,
    way: str,
    index: Sequence[str],
    p: Sequence[str],
    jumps: Sequence[float],
    p_null: float,
) -> None:
    """A round's pass over a part with the hidden Markov model."""
    part = _part(ids, number, way, index, p)
    table = _core.align.Table(part.rows, part.targets, part.p)
    core = part.pairs.core(backward=way == "backward")
    counts, uses, lengths, contexts, _ = _core.align.expect_hmm(table, np.array(jumps), core, p_null)
    for name, values in (("counts", counts), ("jumps", uses), ("lengths", lengths), ("contexts", contexts)):
        np.save(folder / f"{name}.npy", values)
    np.save(folder / "spans.npy", part.spans)


def link_part(
    folder: Path, ids: str, number: int, ways: Sequence[Mapping[str, Any]], method: str, symmetrisation: str
) -> None:
    """The links of a part, both directions made one."""
    recipe = ALIGNERS.make(method)
    links: list[DirectedLinks] = []
    for way, learnt in zip(_WAYS, ways, strict=True):
        part = _part(ids, number, way, learnt["index"], learnt["p"])
        direction = Direction(
            part.rows,
            part.targets,
            part.p,
            arrays={"jumps": np.array(learnt["jumps"])} if "jumps" in learnt else {},
            values={"tension": learnt["tension"]} if "tension" in learnt else {},
        )
        core = part.pairs.core(backward=way == "backward")
        links.append(recipe.find(direction, core, key=0, posteriors=False, n_threads=1))
    joined = join(part.pairs, (links[0], links[1]), symmetrisation, 0.4, False, 1)
    np.save(folder / "links.npy", joined.links)
    np.save(folder / "offsets.npy", joined.offsets)
