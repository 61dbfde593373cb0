"""Scoring and cleaning of corpora in parts, each pair by itself: what comes out is that of the whole."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np

from dragoman.corpus.clean import Cleaning, FilterCount, clean
from dragoman.corpus.filters import FILTERS, Filter, Learnt
from dragoman.corpus.scorers import PairScorer, PairScores
from dragoman.data.bitext import Bitext
from dragoman.errors import DataError
from dragoman.parts import Cut, Workshop, keep_text, read_cut
from dragoman.text.entities import without_entities

__all__ = ["clean_in_parts", "score_in_parts", "text_in_parts"]

_SIDES = ("source", "target")


def text_in_parts(shop: Workshop, bitext: Bitext, part: int) -> list[dict[str, Cut]]:
    """A bitext of any format as files of lines beside the results, cut into parts of so many pairs."""
    return keep_text(shop.folder, _SIDES, ((batch.srcs, batch.tgts) for batch in bitext.batches()), part)


def score_in_parts(bitext: Bitext, model: Path, shop: Workshop, *, part: int) -> PairScores:
    """The scores of all pairs of a bitext by the scorer in a folder."""
    scorer = PairScorer.load(model)
    cuts = text_in_parts(shop, bitext, part)
    folders = shop.map(score_part, [{**each, "model": str(model.resolve())} for each in cuts])
    scores = np.concatenate([np.load(folder / "scores.npy") for folder in folders])
    return PairScores(scores, scorer.recipe.name, scorer.bar())


def score_part(folder: Path, source: Cut, target: Cut, model: str) -> None:
    """The scores of a part."""
    np.save(folder / "scores.npy", PairScorer.load(model).score(read_cut(source), read_cut(target)))


def clean_in_parts(
    bitext: Bitext,
    filters: Sequence[str],
    shop: Workshop,
    *,
    part: int,
    keep_entities: bool = False,
    examples: int = 3,
) -> Cleaning:
    """What `clean` gives; refuses filters that look at other pairs, too."""
    chosen = [FILTERS.make(each) for each in filters]
    if wide := next((each for each in chosen if each.remembers), None):
        raise DataError(
            f"The filter {wide.signature()} compares pairs with each other, so it cannot work in parts. Clean with the "
            "others first, then with it, without --workers and --cluster."
        )
    shared = {
        "langs": [bitext.source_lang, bitext.target_lang],
        "filters": [_anywhere(each).signature() for each in chosen],
        "keep_entities": keep_entities,
        "examples": examples,
    }
    folders = shop.map(clean_part, [{**each, **shared} for each in text_in_parts(shop, bitext, part)])
    keep = b"".join((folder / "keep.bin").read_bytes() for folder in folders)
    counts = [json.loads((folder / "counts.json").read_text(encoding="utf-8")) for folder in folders]
    starts = list(accumulate((each["pairs"] for each in counts), initial=0))
    steps = []
    left = len(keep)
    for number, each in enumerate(chosen):
        own = [count["steps"][number] for count in counts]
        removed = sum(step["removed"] for step in own)
        left -= removed
        shown = [(start + n, *pair) for step, start in zip(own, starts, strict=False) for n, *pair in step["examples"]]
        steps.append(FilterCount(each.signature(), removed, left, tuple(shown[:examples])))
    plain = bitext if keep_entities else bitext.mapped(without_entities)
    return Cleaning(tuple(steps), len(keep), plain.choose(keep), sum(count["mended"] for count in counts), keep)


def _anywhere(each: Filter) -> Filter:
    """A filter that does not depend on where a worker was started."""
    return replace(each, model=str(Path(each.model).resolve())) if isinstance(each, Learnt) and each.model else each


def clean_part(folder: Path, source: Cut, target: Cut, langs: Sequence[str | None], **how: Any) -> None:
    """What filters say of a part."""
    text = Bitext.from_lines(read_cut(source), read_cut(target), source_lang=langs[0], target_lang=langs[1])
    result = clean(text, how.pop("filters"), **how)
    (folder / "keep.bin").write_bytes(result.flags)
    counts: Mapping[str, Any] = {
        "pairs": result.pairs,
        "mended": result.mended,
        "steps": [asdict(step) for step in result.steps],
    }
    (folder / "counts.json").write_text(json.dumps(counts, ensure_ascii=False), encoding="utf-8")
