"""Word alignment by EM over a text in parts: what passes over parts expect is added up exactly.

Expected counts are whole numbers of units (`lexical_table.hpp`), so their sums do not depend on how a text is cut, and
the links are those that `align_ids` gives of the whole. A worker holds one part: its ids, the table of the word pairs
that meet in it, and their probabilities. The sums are made for one range of source words at a time.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any, TypeGuard

import numpy as np
from numpy.typing import NDArray

from dragoman import _core
from dragoman.align.base import ALIGNERS, AlignmentRecipe
from dragoman.align.directions import DirectedLinks, Direction
from dragoman.align.hmm import Hmm
from dragoman.align.ibm import IbmModel
from dragoman.align.id_parts import encode_in_parts, pair_ids
from dragoman.align.result import AlignmentResult
from dragoman.align.symmetrisation import check_symmetrisation, join
from dragoman.align.text import PairIds
from dragoman.errors import DataError
from dragoman.parts import Cut, Workshop
from dragoman.text.tokens import TokenIds, join_rows

__all__ = [
    "align_in_parts",
    "align_text_in_parts",
    "can_be_parted",
    "join_links",
]

_RANGE = 8_000_000  # word pairs of all parts whose counts are added up at a time: some 200 MB
_SAMPLED = 16  # parts that say where ranges of words begin
_START = 1e-5  # probability of every pair in the first round, which sees positions alone
_WAYS = ("forward", "backward")


def can_be_parted(recipe: AlignmentRecipe) -> TypeGuard[IbmModel | Hmm]:
    """True if it learns by EM; a sampler draws one word after the other from what all others say."""
    return isinstance(recipe, IbmModel | Hmm)


def meet_part(folder: Path, ids: str, first: int) -> None:
    """Which words of a part meet, for both directions, and how long its sentences are."""
    pairs = pair_ids(ids, first)
    for way in _WAYS:
        rows, targets, places = _core.align.met_pairs(pairs.core(backward=way == "backward"))
        for name, values in (("rows", rows), ("targets", targets), ("places", places)):
            np.save(folder / f"{way}.{name}.npy", values)
    both = np.stack([pairs.source.lengths(), pairs.target.lengths()], axis=1)
    lengths, counts = np.unique(both, axis=0, return_counts=True)
    np.save(folder / "sizes.npy", np.column_stack([lengths.reshape(-1, 2), counts]).astype(np.int64))


def align_text_in_parts(
    shop: Workshop, cuts: Sequence[Mapping[str, Cut]], recipe: AlignmentRecipe, symmetrisation: str, threshold: float
) -> AlignmentResult:
    """What `train_and_align` gives of a text, but for what its rounds told."""
    check_symmetrisation(symmetrisation, threshold)
    ids, _ = encode_in_parts(shop, cuts, "<unk>")
    folders = align_in_parts(shop, ids, recipe, symmetrisation, threshold)
    links, offsets = join_rows([(np.load(each / "links.npy"), np.load(each / "offsets.npy")) for each in folders])
    pairs = [pair_ids(str(each)) for each in ids]
    source, target = (
        TokenIds(*join_rows([(side.ids, side.offsets) for side in sides]))
        for sides in ([each.source for each in pairs], [each.target for each in pairs])
    )
    both = {
        name: np.concatenate([np.load(each / f"{name}.npy") for each in folders])
        for name in (f"{way}.{what}" for way in _WAYS for what in ("links", "log_p"))
    }
    return AlignmentResult(
        links=links,
        offsets=offsets,
        source=source,
        target=target,
        forward=both["forward.links"],
        backward=both["backward.links"],
        log_p_forward=both["forward.log_p"],
        log_p_backward=both["backward.log_p"],
        posteriors=None,
        recipe=recipe.to_dict(),
        symmetrisation=symmetrisation,
        threshold=threshold if symmetrisation == "posterior" else None,
    )


def align_in_parts(
    shop: Workshop, parts: Sequence[Path], recipe: AlignmentRecipe, symmetrisation: str, threshold: float = 0.4
) -> list[Path]:
    """The folders with the links of parts, whose ids `encode_part` wrote."""
    recipe.check()
    if not can_be_parted(recipe):
        raise DataError(
            f"{recipe.name} draws its links one after the other; a text cannot be aligned by it in parts. Take "
            "diagonal, hmm or ibm1."
        )
    ids = list(map(str, parts))
    sizes = [len(np.load(part / "source.offsets.npy", mmap_mode="r")) - 1 for part in parts]
    firsts = [0, *accumulate(sizes)][:-1]
    orders = [{"ids": each, "first": first} for each, first in zip(ids, firsts, strict=True)]
    met = list(map(str, shop.map(meet_part, orders)))
    own = [{"ids": each, "met": met[number], "number": number} for number, each in enumerate(ids)]
    ways = shop.together(*(_Way(shop, own, way, recipe).learn for way in _WAYS))
    more = {"ways": ways, "recipe": recipe.to_dict(), "symmetrisation": symmetrisation, "threshold": threshold}
    return shop.map(link_part, [{**each, **more} for each in own])


class _Way:
    """One direction."""

    def __init__(self, shop: Workshop, parts: Sequence[Mapping[str, Any]], way: str, recipe: IbmModel | Hmm) -> None:
        self.shop, self.parts, self.way, self.recipe = shop, parts, way, recipe
        met = [str(part["met"]) for part in parts]
        self.sizes = _sizes(met, backward=way == "backward")
        ranges = _ranges([Path(part) / f"{way}.rows.npy" for part in met])
        orders = [{"parts": met, "way": way, "begin": a, "end": b} for a, b in ranges]
        self.index = list(map(str, shop.map(index_range, orders)))
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
        return self.shop.map(expect, [{**part, **shared} for part in self.parts])

    def _update(self, counts: Sequence[Path], alpha: float) -> int:
        """New probabilities; what the empty word took, in units. The counts and the old ones nobody asks for again."""
        names = list(map(str, counts))
        folders = self.shop.map(update_range, [{"index": each, "counts": names, "alpha": alpha} for each in self.index])
        self.shop.discard([*(each / "counts.npy" for each in counts), *(Path(each) / "p.npy" for each in self.p)])
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
    parts = []
    for number, part in enumerate(counts):
        spans = np.load(Path(part) / "spans.npy")
        first = int(spans[np.flatnonzero(spans[:, 0] == begin)[0], 1])
        own = places[starts[number] : starts[number + 1]]
        parts.append((own, np.load(Path(part) / "counts.npy", mmap_mode="r")[first : first + len(own)]))
    sums = _core.align.add_up(int(rows[-1]), parts)
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


def _part(ids: str, met: str, number: int, way: str, index: Sequence[str], p: Sequence[str]) -> _Part:
    rows, targets = (np.load(Path(met) / f"{way}.{name}.npy", mmap_mode="r") for name in ("rows", "targets"))
    own = np.full(len(targets), _START, np.float32)
    spans = []
    for place, each in enumerate(index):
        begin, end = json.loads((Path(each) / "range.json").read_text())
        first, last = _span(rows, begin, end)
        spans.append((begin, first))
        if p and last > first:
            starts = np.load(Path(each) / "starts.npy")
            places = np.load(Path(each) / "places.npy", mmap_mode="r")[starts[number] : starts[number + 1]]
            own[first:last] = _core.align.take(np.load(Path(p[place]) / "p.npy", mmap_mode="r"), places)
    return _Part(pair_ids(ids), rows, targets, np.array(spans, np.int64), own)


def _places(met: str, way: str) -> NDArray[np.uint32]:
    """Where the word pairs of a part stand in its table, sentence by sentence: kept, as every round asks for them."""
    places: NDArray[np.uint32] = np.load(Path(met) / f"{way}.places.npy", mmap_mode="r")
    return places


def expect_diagonal(
    folder: Path,
    ids: str,
    met: str,
    number: int,
    way: str,
    index: Sequence[str],
    p: Sequence[str],
    places: Mapping[str, Any],
) -> None:
    """A round's pass over a part with IBM model 1 or 2."""
    part = _part(ids, met, number, way, index, p)
    options = _core.align.DiagonalOptions()
    for name, value in places.items():
        setattr(options, name, value)
    core = part.pairs.core(backward=way == "backward")
    counts, distance, log_p = _core.align.expect_diagonal(part.p, _places(met, way), core, options)
    np.save(folder / "counts.npy", counts)
    np.save(folder / "spans.npy", part.spans)
    (folder / "sums.json").write_text(json.dumps({"distance": distance, "log_p": float(log_p.sum())}))


def expect_hmm(
    folder: Path,
    ids: str,
    met: str,
    number: int,
    way: str,
    index: Sequence[str],
    p: Sequence[str],
    jumps: Sequence[float],
    p_null: float,
) -> None:
    """A round's pass over a part with the hidden Markov model."""
    part = _part(ids, met, number, way, index, p)
    core = part.pairs.core(backward=way == "backward")
    counts, uses, lengths, contexts, _ = _core.align.expect_hmm(
        part.p, _places(met, way), np.array(jumps), core, p_null
    )
    for name, values in (("counts", counts), ("jumps", uses), ("lengths", lengths), ("contexts", contexts)):
        np.save(folder / f"{name}.npy", values)
    np.save(folder / "spans.npy", part.spans)


def link_part(
    folder: Path,
    ids: str,
    met: str,
    number: int,
    ways: Sequence[Mapping[str, Any]],
    recipe: Mapping[str, Any],
    symmetrisation: str,
    threshold: float,
) -> None:
    """The links of a part, of each direction and both made one."""
    aligner = ALIGNERS.get(recipe["method"]).from_dict(recipe)
    posteriors = symmetrisation == "posterior"
    links: list[DirectedLinks] = []
    for way, learnt in zip(_WAYS, ways, strict=True):
        part = _part(ids, met, number, way, learnt["index"], learnt["p"])
        direction = Direction(
            part.rows,
            part.targets,
            part.p,
            arrays={"jumps": np.array(learnt["jumps"])} if "jumps" in learnt else {},
            values={"tension": learnt["tension"]} if "tension" in learnt else {},
        )
        core = part.pairs.core(backward=way == "backward")
        links.append(aligner.find(direction, core, key=0, posteriors=posteriors, n_threads=1))
        np.save(folder / f"{way}.links.npy", links[-1].links)
        np.save(folder / f"{way}.log_p.npy", links[-1].log_p)
    joined = join(part.pairs, (links[0], links[1]), symmetrisation, threshold, posteriors, 1)
    np.save(folder / "links.npy", joined.links)
    np.save(folder / "offsets.npy", joined.offsets)


def join_links(parts: Sequence[Path], folder: Path) -> int:
    """The links of parts as those of the whole; how many there are."""
    loaded = [np.load(part / "links.npy", mmap_mode="r") for part in parts]
    n_links = sum(map(len, loaded))
    whole = np.lib.format.open_memmap(folder / "links.npy", mode="w+", dtype=np.uint16, shape=(n_links, 2))
    offsets, at = [np.zeros(1, np.int64)], 0
    for part, links in zip(parts, loaded, strict=True):
        whole[at : at + len(links)] = links
        offsets.append(np.load(part / "offsets.npy")[1:] + at)
        at += len(links)
    whole.flush()
    np.save(folder / "offsets.npy", np.concatenate(offsets))
    return n_links
