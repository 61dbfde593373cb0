"""The steps of a training that grow with the text, in parts: they leave in the work directory what the others would.

Preparation, alignment, the language model and phrase extraction are done here; the rest (tables of several texts, mixed
language models, word classes, tuning) is done behind it by `training`, which finds these steps done. An aligner
that draws, as the sampler does, or one that takes terms as words sees the whole text as one part.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from dragoman.align.base import ALIGNERS
from dragoman.align.parts import align_in_parts, can_be_parted, save_ids
from dragoman.errors import DataError
from dragoman.files import StrPath
from dragoman.lm import LanguageModel
from dragoman.lm.parts import model_in_parts
from dragoman.parts import PART, Cut, Pool, Workshop, cut_file, cut_lines, join_files, read_cut
from dragoman.smt.pairs import align_pairs, encode, load_pairs, save_pairs
from dragoman.smt.phrase_parts import phrases_in_parts
from dragoman.smt.phrase_table import UNKNOWN, PhraseTable
from dragoman.smt.recipe import EngineRecipe
from dragoman.smt.text_parts import (
    SIDES,
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
from dragoman.text.vocabulary import Vocabulary

__all__ = ["ScaledSteps"]


class ScaledSteps:
    """Does the steps of a plan that can be done in parts."""

    def __init__(
        self, recipe: EngineRecipe, steps: Sequence[PlannedStep], work: Work, pool: Pool, *, part: int = PART
    ) -> None:
        self.recipe, self.work, self.part = recipe, work, part
        self.steps = {step.name: step for step in steps}
        self.pool = pool

    def run(self, text: TrainingText, *, mixed: bool) -> None:
        """Do what is not done; `mixed`, the language model is made of several."""
        tokens = self._do("tokens", partial(self._tokens, text))
        cased = self._do("truecase", partial(self._case, tokens))
        if "pieces" in self.steps:
            cased = self._do("pieces", partial(self._pieces, cased))
        clean = self._do("clean", partial(self._clean, cased))
        if not (clean / "source.txt").stat().st_size:
            raise DataError(
                "None of the sentence pairs is left after cleaning. See the limits in the recipe's section [clean], "
                "and whether the two sides are translations of each other."
            )
        alone = len(text.sizes) == 1 and text.weights is None
        alone = alone and not self.recipe.factors
        parted = "phrases" in self.steps and alone and self.recipe.phrases.significance == "none"

        def phrases() -> None:
            links = self._do("align", partial(self._align, clean))
            if parted:
                self._do("phrases", partial(self._phrases, clean, links))

        def model() -> None:
            if not mixed:
                self._do("lm", partial(self._lm, cased))

        Workshop(self.work.folder / "parts", self.pool).together(phrases, model)
        with suppress(OSError):  # not empty: parts of another recipe, which was stopped
            (self.work.folder / "parts").rmdir()
        places = list(self.steps)
        self.work.log.sort(key=lambda row: places.index(row[0].name))  # whoever came first

    def _do(self, name: str, make: Callable[[Workshop, Path], str]) -> Path:
        """The folder of a step; `make` writes it and says what it did."""
        step = self.steps[name]
        shop = Workshop(self.work.folder / "parts" / step.key, self.pool)
        outcomes: list[str] = []

        def save(_: None, folder: Path) -> None:
            outcomes.append(make(shop, folder))

        if not self.work.has(step):
            self.work.do(step, make=lambda: None, save=save, load=lambda _: None, outcome=lambda _: outcomes[0])
            shop.clear()
        return self.work.folder.resolve() / step.key

    def _tokens(self, text: TrainingText, shop: Workshop, folder: Path) -> str:
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
        return f"{len(text.sources)} pairs"

    def _case(self, tokens: Path, shop: Workshop, folder: Path) -> str:
        if not self.recipe.text.truecase:
            join_pairs([tokens], folder)
            return "case as it is"
        parts, casers = case_in_parts(shop, tokens, self.recipe, self.part)
        for place, (side, caser) in enumerate(zip(SIDES, casers, strict=True)):
            join_files([part / f"{side}.txt" for part in parts[place::2]], folder / f"{side}.txt")
            if caser:
                _copy(caser, folder / f"truecaser.{side}")
        return " and ".join(f"{_n_words(caser)} words" for caser in casers if caser) or "case as it is"

    def _pieces(self, cased: Path, shop: Workshop, folder: Path) -> str:  # noqa: ARG002 (done whole: it counts words)
        pairs = split_pairs(load_pairs(cased), self.recipe)
        save_pairs(pairs, folder)
        return pairs.outcome

    def _clean(self, cased: Path, shop: Workshop, folder: Path) -> str:
        join_pairs(clean_in_parts(shop, cased, self.recipe, self.part), folder)
        left, whole = (_n_lines(each / "source.txt") for each in (folder, cased))
        return f"{left} of {whole} pairs left"

    def _align(self, clean: Path, shop: Workshop, folder: Path) -> str:
        ids = self._ids(clean, shop, folder)
        recipe = self.recipe.align
        copies: list[list[Path]] = []
        for method in map(str.strip, recipe.method.split("+")):
            if can_be_parted(ALIGNERS.make(method)) and not recipe.terms and not recipe.is_annotated:
                copies.append(align_in_parts(shop, ids, method, recipe.symmetrisation))
            else:
                terms = str(Path(recipe.terms).resolve()) if recipe.terms else ""
                settings = {**recipe.to_dict(), "method": method, "terms": terms}
                copies.append([shop.one(align_whole, clean=str(clean), settings=settings)])
        return f"{_join_links([part for copy in copies for part in copy], folder)} links"

    def _ids(self, clean: Path, shop: Workshop, folder: Path) -> list[Path]:
        """The parts as ids, by the vocabularies of the whole, which are written into the folder."""
        cuts = pair_cuts(clean, self.part)
        names = []
        for side in SIDES:
            words = shop.map(find_words, [{"cut": cut[side]} for cut in cuts])
            merged = shop.one(merge_words, parts=list(map(str, words))) / "words.vocabulary"
            _copy(merged, folder / f"{side}.vocabulary")
            names.append(str(merged))
        return shop.map(encode_part, [{**cut, "vocabularies": names} for cut in cuts])

    def _lm(self, cased: Path, shop: Workshop, folder: Path) -> str:
        path = cased / "target.txt"
        text = sha256_of_lines(path, filled=True)
        made = model_in_parts(shop, cut_file(path, self.part), self.recipe.lm, text)
        _copy(made / "lm", folder / "lm")
        return f"{sum(LanguageModel.load(folder / 'lm').n_ngrams)} n-grams"

    def _phrases(self, clean: Path, links: Path, shop: Workshop, folder: Path) -> str:
        names = [links / f"{side}.vocabulary" for side in SIDES]
        cuts = pair_cuts(clean, self.part)
        ids = shop.map(encode_part, [{**cut, "vocabularies": list(map(str, names))} for cut in cuts])
        sizes = [len(np.load(part / "source.offsets.npy", mmap_mode="r")) - 1 for part in ids]
        linked = _cut_links(shop, links, sizes)
        copies = len(linked) // len(ids)  # one for each method of alignment
        parts = [{"ids": str(each), "links": str(link)} for each, link in zip([*ids] * copies, linked, strict=True)]
        _copy(phrases_in_parts(shop, parts, self.recipe.phrases, names) / "phrases", folder / "phrases")
        table = PhraseTable.load(folder / "phrases")
        return f"{len(table)} pairs of {table.n_sources} phrases"


def find_words(folder: Path, cut: Cut) -> None:
    """The words of a part, in the order in which they are met."""
    words = Vocabulary(unk=UNKNOWN)
    encode(words, read_cut(cut))
    words.save(folder / "words.vocabulary")


def merge_words(folder: Path, parts: Sequence[str]) -> None:
    """The words of all parts, in the order in which the whole text has them."""
    first, *others = (Vocabulary.load(Path(part) / "words.vocabulary") for part in parts)
    first.merge(*others).vocabulary.save(folder / "words.vocabulary")


def encode_part(folder: Path, source: Cut, target: Cut, vocabularies: Sequence[str]) -> None:
    """A part as ids."""
    ids = [
        encode(Vocabulary.load(words), read_cut(cut)) for words, cut in zip(vocabularies, (source, target), strict=True)
    ]
    save_ids(folder, ids[0], ids[1])


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


def _join_links(parts: Sequence[Path], folder: Path) -> int:
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


def _n_words(caser: Path) -> int:
    return _n_lines(caser / "truecase.tsv") - 1
