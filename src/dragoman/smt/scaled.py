"""The steps of a training that grow with the text, in parts: they leave in the work directory what the others would.

Preparation, alignment, the language model and phrase extraction are done here; the rest (tables of several texts, mixed
language models, word classes, tuning) is done behind it by `training`, which finds these steps done. An aligner
that draws, as the sampler does, or one that takes terms as words sees the whole text as one part.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from dragoman.align.base import ALIGNERS
from dragoman.align.id_parts import SIDES, encode_in_parts, encode_part
from dragoman.align.parts import align_in_parts, can_be_parted, join_links
from dragoman.errors import DataError, DragomanError
from dragoman.files import StrPath
from dragoman.lm import LanguageModel
from dragoman.lm.parts import model_in_parts
from dragoman.parts import PART, KindOfPart, Pool, Workshop, cut_file, cut_lines, join_files, peak_memory, sum_up
from dragoman.smt.cost import TrainingCost
from dragoman.smt.models import Models
from dragoman.smt.pairs import align_pairs, load_casers, load_pairs, save_pairs
from dragoman.smt.phrase_parts import phrases_in_parts
from dragoman.smt.phrase_table import UNKNOWN, PhraseTable
from dragoman.smt.recipe import EngineRecipe
from dragoman.smt.text_parts import (
    case_in_parts,
    clean_in_parts,
    join_pairs,
    pair_cuts,
    sha256_of_lines,
    tokenise_in_parts,
)
from dragoman.smt.training_pieces import split_pairs
from dragoman.smt.training_tables import TrainingText
from dragoman.smt.work import PlannedStep, Work
from dragoman.text import Truecaser

__all__ = ["ScaledSteps"]


# What is done here if nothing else asks for the text: then it is not read again.
_STEPS = ("tokens", "truecase", "clean", "align", "lm", "phrases")


class ScaledSteps:
    """Does the steps of a plan that can be done in parts."""

    def __init__(
        self, recipe: EngineRecipe, steps: Sequence[PlannedStep], work: Work, pool: Pool, *, part: int = PART
    ) -> None:
        self.recipe, self.work, self.part = recipe, work, part
        self.steps = {step.name: step for step in steps}
        self.pool = pool
        self._shops: dict[str, Workshop] = {}  # by step
        self._directing = 0.0  # seconds of processor time

    def run(self, text: TrainingText, *, mixed: bool) -> None:
        """Do what is not done; `mixed`, the language model is made of several."""
        start = time.process_time()
        tokens = self._do("tokens", partial(self._tokens, text), lambda folder: f"{_n_pairs(folder)} pairs")
        cased = self._do("truecase", partial(self._case, tokens), _cased_outcome)
        if "pieces" in self.steps:
            cased = self._do("pieces", partial(self._pieces, cased), lambda folder: load_pairs(folder).outcome)
        whole = _n_pairs(cased)
        clean = self._do(
            "clean", partial(self._clean, cased), lambda folder: f"{_n_pairs(folder)} of {whole} pairs left"
        )
        if not (clean / "source.txt").stat().st_size:
            raise DataError(
                "None of the sentence pairs is left after cleaning. See the limits in the recipe's section [clean], "
                "and whether the two sides are translations of each other."
            )
        alone = len(text.sizes) == 1 and text.weights is None
        alone = alone and not self.recipe.factors
        parted = "phrases" in self.steps and alone and self.recipe.phrases.significance == "none"

        def phrases() -> None:
            links = self._do("align", partial(self._align, clean), _links_outcome)
            if parted:
                self._do("phrases", partial(self._phrases, clean, links), _phrases_outcome)

        def model() -> None:
            if not mixed:
                self._do("lm", partial(self._lm, cased), _lm_outcome)

        Workshop(self.work.folder / "parts", self.pool).together(phrases, model)
        with suppress(OSError):  # not empty: parts of another recipe, which was stopped
            (self.work.folder / "parts").rmdir()
        places = list(self.steps)
        self.work.log.sort(key=lambda row: places.index(row[0].name))  # whoever came first
        self._directing = time.process_time() - start

    def cost(self, n_pairs: int) -> TrainingCost | None:
        """What the parts took, if all were made here: nobody knows what those took that were found."""
        if any(is_kept for *_, is_kept in self.work.log) or any(shop.n_found for shop in self._shops.values()):
            return None
        ordered = [(name, self._shops[name]) for name in self.steps if name in self._shops]
        kinds = [(name, kind) for name, shop in ordered for kind in sum_up(shop.accounts)]
        if self.pool.n_at_once > 1:  # else it did the parts itself
            directs = KindOfPart("direct", 1, self._directing, self._directing, 0, peak_memory(), True)
            kinds.append(("directing", directs))
        return TrainingCost(tuple(kinds), {name: shop.most_bytes for name, shop in ordered}, n_pairs, self.part)

    def models(self) -> tuple[Models, tuple[Truecaser | None, Truecaser | None]] | None:
        """The models of an engine and its truecasers, if all were made here: without the text, which may be large."""
        made = [step.name for step, *_ in self.work.log]
        if made != [name for name in self.steps if name not in ("tune", "report")] or set(made) != set(_STEPS):
            return None
        folders = {name: self.work.folder / self.steps[name].key for name in made}
        try:
            lm = LanguageModel.load(folders["lm"] / "lm", verify=True)
            table = PhraseTable.load(folders["phrases"] / "phrases", verify=True)
            return Models(lm, table), load_casers(folders["truecase"])
        except DragomanError:
            return None  # damaged: whoever reads the text makes it again

    def _do(self, name: str, make: Callable[[Workshop, Path], object], outcome: Callable[[Path], str]) -> Path:
        """The folder of a step; `make` writes it."""
        step = self.steps[name]
        shop = self._shops[name] = Workshop(self.work.folder / "parts" / step.key, self.pool)
        final = self.work.folder.resolve() / step.key
        self.work.do(
            step,
            make=lambda: None,
            save=lambda _, folder: make(shop, folder),
            load=lambda _: None,
            outcome=lambda _: outcome(final),
        )
        shop.clear()
        return final

    def _tokens(self, text: TrainingText, shop: Workshop, folder: Path) -> None:
        raw = shop.folder.parent / f"{shop.folder.name}.raw"
        raw.mkdir(parents=True, exist_ok=True)
        for side, lines in zip(SIDES, (text.sources, text.targets), strict=True):
            with (raw / f"{side}.txt").open("w", encoding="utf-8", newline="\n") as stream:
                for batch in cut_lines(lines, self.part):
                    stream.writelines(f"{line}\n" for line in batch)
        join_pairs(tokenise_in_parts(shop, pair_cuts(raw, self.part), self.recipe), folder)
        for side in SIDES:
            (raw / f"{side}.txt").unlink()
        raw.rmdir()

    def _case(self, tokens: Path, shop: Workshop, folder: Path) -> None:
        if not self.recipe.text.truecase:
            join_pairs([tokens], folder)
            return
        parts, casers = case_in_parts(shop, tokens, self.recipe, self.part)
        for place, (side, caser) in enumerate(zip(SIDES, casers, strict=True)):
            join_files([part / f"{side}.txt" for part in parts[place::2]], folder / f"{side}.txt")
            if caser:
                _copy(caser, folder / f"truecaser.{side}")

    def _pieces(self, cased: Path, shop: Workshop, folder: Path) -> None:  # noqa: ARG002 (done whole: it counts words)
        save_pairs(split_pairs(load_pairs(cased), self.recipe), folder)

    def _clean(self, cased: Path, shop: Workshop, folder: Path) -> None:
        join_pairs(clean_in_parts(shop, cased, self.recipe, self.part), folder)

    def _align(self, clean: Path, shop: Workshop, folder: Path) -> None:
        ids, vocabularies = encode_in_parts(shop, pair_cuts(clean, self.part), UNKNOWN)
        for side, words in zip(SIDES, vocabularies, strict=True):
            _copy(words, folder / f"{side}.vocabulary")
        recipe = self.recipe.align
        copies: list[list[Path]] = []
        for method in map(str.strip, recipe.method.split("+")):
            aligner = ALIGNERS.make(method)
            if can_be_parted(aligner) and not recipe.terms and not recipe.is_annotated:
                copies.append(align_in_parts(shop, ids, aligner, recipe.symmetrisation))
            else:
                terms = str(Path(recipe.terms).resolve()) if recipe.terms else ""
                settings = {**recipe.to_dict(), "method": method, "terms": terms}
                copies.append([shop.one(align_whole, clean=str(clean), settings=settings)])
        join_links([part for copy in copies for part in copy], folder)

    def _lm(self, cased: Path, shop: Workshop, folder: Path) -> None:
        path = cased / "target.txt"
        text = sha256_of_lines(path, filled=True)
        made = model_in_parts(shop, cut_file(path, self.part), self.recipe.lm, text)
        _copy(made / "lm", folder / "lm")

    def _phrases(self, clean: Path, links: Path, shop: Workshop, folder: Path) -> None:
        names = [links / f"{side}.vocabulary" for side in SIDES]
        cuts = pair_cuts(clean, self.part)
        ids = shop.map(encode_part, [{**cut, "vocabularies": list(map(str, names))} for cut in cuts])
        sizes = [len(np.load(part / "source.offsets.npy", mmap_mode="r")) - 1 for part in ids]
        linked = _cut_links(shop, links, sizes)
        copies = len(linked) // len(ids)  # one for each method of alignment
        parts = [{"ids": str(each), "links": str(link)} for each, link in zip([*ids] * copies, linked, strict=True)]
        _copy(phrases_in_parts(shop, parts, self.recipe.phrases, names) / "phrases", folder / "phrases")


def _cased_outcome(folder: Path) -> str:
    casers = [folder / f"truecaser.{side}" for side in SIDES]
    return " and ".join(f"{_n_words(caser)} words" for caser in casers if caser.is_dir()) or "case as it is"


def _links_outcome(folder: Path) -> str:
    return f"{len(np.load(folder / 'links.npy', mmap_mode='r'))} links"


def _lm_outcome(folder: Path) -> str:
    return f"{sum(LanguageModel.load(folder / 'lm').n_ngrams)} n-grams"


def _phrases_outcome(folder: Path) -> str:
    table = PhraseTable.load(folder / "phrases")
    return f"{len(table)} pairs of {table.n_sources} phrases"


def align_whole(folder: Path, clean: str, settings: Mapping[str, Any]) -> None:
    """The links of a text that cannot be aligned in parts."""
    linked = align_pairs(load_pairs(Path(clean)), EngineRecipe.from_dict({"align": settings}), 1)
    np.save(folder / "links.npy", linked.text.links)
    np.save(folder / "offsets.npy", linked.text.link_offsets)


def link_range(folder: Path, links: str, begin: int, end: int) -> None:
    """The links of some pairs."""
    offsets = np.load(Path(links) / "offsets.npy", mmap_mode="r")[begin : end + 1]
    points = np.load(Path(links) / "links.npy", mmap_mode="r")[offsets[0] : offsets[-1]]
    np.save(folder / "links.npy", points)
    np.save(folder / "offsets.npy", offsets - offsets[0])


def _cut_links(shop: Workshop, links: Path, sizes: Sequence[int]) -> list[Path]:
    """The links of an aligned text in parts of so many pairs; it may stand there several times."""
    n_pairs = len(np.load(links / "offsets.npy", mmap_mode="r")) - 1
    ends = np.cumsum([0, *(list(sizes) * (n_pairs // sum(sizes)))]).tolist()
    spans = pairwise(ends)
    return shop.map(link_range, [{"links": str(links), "begin": a, "end": b} for a, b in spans])


def _copy(made: Path, final: Path) -> None:
    """Give a part's file or folder its place in a step's, as a second name where the disk can do that."""
    if made.is_dir():
        shutil.copytree(made, final, copy_function=_link)
    else:
        _link(made, final)


def _link(made: StrPath, final: StrPath) -> None:
    try:
        os.link(made, final)
    except OSError:
        shutil.copyfile(made, final)


def _n_lines(path: Path) -> int:
    with path.open("rb") as stream:
        return sum(block.count(b"\n") for block in iter(lambda: stream.read(1 << 22), b""))


def _n_pairs(folder: Path) -> int:
    return _n_lines(folder / "source.txt")


def _n_words(caser: Path) -> int:
    return _n_lines(caser / "truecase.tsv") - 1
