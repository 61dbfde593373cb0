"""Preparation of a bitext in parts: tokens, true case, cleaning; together what `pairs` gives of the whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache, partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from dragoman.align.id_parts import SIDES
from dragoman.errors import DataError
from dragoman.parts import Cut, Workshop, cut_file, join_files, read_cut
from dragoman.parts.cuts import write_part
from dragoman.smt.pairs import TokenisedPairs, clean_pairs
from dragoman.smt.preparation import Preparation, TextSide
from dragoman.smt.recipe import EngineRecipe
from dragoman.text import Truecaser, TruecaseRecipe
from dragoman.text.truecase import NothingCased

__all__ = [
    "case_in_parts",
    "clean_in_parts",
    "join_pairs",
    "pair_cuts",
    "sha256_of_lines",
    "tokenise_in_parts",
]

_TABLE, _CASER = "case.tsv", "truecaser"
_CHUNK = 1 << 22


def pair_cuts(folder: Path, part: int) -> list[dict[str, Cut]]:
    """Both sides of a step's pairs, in parts of so many."""
    sides = [cut_file(folder / f"{side}.txt", part) for side in SIDES]
    return [dict(zip(SIDES, pair, strict=True)) for pair in zip(*sides, strict=True)]


def join_pairs(parts: Sequence[Path], folder: Path) -> None:
    """The files of parts as the files of a step."""
    for side in SIDES:
        join_files([part / f"{side}.txt" for part in parts], folder / f"{side}.txt")


def tokenise_in_parts(shop: Workshop, raw: Sequence[Mapping[str, Cut]], recipe: EngineRecipe) -> list[Path]:
    """Raw pairs normalised and tokenised."""
    more = {"langs": [recipe.source_lang, recipe.target_lang], "text": recipe.text.to_dict()}
    return shop.map(tokenise_part, [{**cuts, **more} for cuts in raw])


def tokenise_part(folder: Path, source: Cut, target: Cut, langs: Sequence[str], text: Mapping[str, Any]) -> None:
    """Both sides of a part."""
    recipe = Preparation.from_dict(text)
    for side, cut, lang in zip(SIDES, (source, target), langs, strict=True):
        text_side = TextSide(lang, recipe)
        write_part(folder / f"{side}.txt", text_side.generalised(text_side.tokenise(read_cut(cut))))


def case_in_parts(
    shop: Workshop, tokens: Path, recipe: EngineRecipe, part: int
) -> tuple[list[Path], list[Path | None]]:
    """Tokenised pairs in true case, and the folders of the truecasers of their sides, where they have any."""

    def cased(side: str, lang: str) -> tuple[list[Path], Path | None]:
        cuts = cut_file(tokens / f"{side}.txt", part)
        tables = shop.map(count_case, [{"cut": cut, "lang": lang} for cut in cuts])
        text = sha256_of_lines(tokens / f"{side}.txt")
        merged = shop.one(merge_case, tables=list(map(str, tables)), lang=lang, text=text) / _CASER
        caser = merged if merged.is_dir() else None
        name = str(merged) if caser else None
        return shop.map(apply_case, [{"cut": cut, "caser": name, "side": side} for cut in cuts]), caser

    langs = zip(SIDES, (recipe.source_lang, recipe.target_lang), strict=True)
    (sources, source_caser), (targets, target_caser) = shop.together(*(partial(cased, *each) for each in langs))
    return [path for pair in zip(sources, targets, strict=True) for path in pair], [source_caser, target_caser]


def count_case(folder: Path, cut: Cut, lang: str) -> None:
    """In which case the words of a part were met."""
    try:
        TruecaseRecipe().train(read_cut(cut), lang=lang).write_table(folder / _TABLE)
    except NothingCased:
        (folder / _TABLE).write_bytes(b"")


def merge_case(folder: Path, tables: Sequence[str], lang: str, text: str) -> None:
    """The truecaser of all parts; none where nothing has case."""
    contents = [content for table in tables if (content := (Path(table) / _TABLE).read_bytes())]
    try:
        TruecaseRecipe().merge_tables(contents, lang=lang, text=text).save(folder / _CASER)
    except NothingCased:
        return


def apply_case(folder: Path, cut: Cut, caser: str | None, side: str) -> None:
    """A part of one side in true case."""
    lines = read_cut(cut)
    write_part(folder / f"{side}.txt", _loaded(caser).apply(lines) if caser else lines)


@lru_cache(maxsize=2)  # both sides: a worker has many parts to do, and the folder is named after what it holds
def _loaded(caser: str) -> Truecaser:
    return Truecaser.load(caser)


def clean_in_parts(shop: Workshop, cased: Path, recipe: EngineRecipe, part: int) -> list[Path]:
    """The pairs that the recipe lets pass."""
    return shop.map(clean_part, [{**cuts, "clean": recipe.clean.to_dict()} for cuts in pair_cuts(cased, part)])


def clean_part(folder: Path, source: Cut, target: Cut, clean: Mapping[str, Any]) -> None:
    """What is left of a part."""
    sides = read_cut(source), read_cut(target)
    if len(sides[0]) != len(sides[1]):
        raise DataError(f"{source['path']} and {target['path']} have other numbers of lines. Take the work away.")
    left = clean_pairs(TokenisedPairs(*sides), EngineRecipe.from_dict({"clean": clean}))
    for side, lines in zip(SIDES, (left.source, left.target), strict=True):
        write_part(folder / f"{side}.txt", lines)


def sha256_of_lines(path: Path, *, filled: bool = False) -> str:
    """The SHA-256 of a file's lines with their ends; `filled`, without empty ones."""
    digest = sha256()
    with path.open("rb") as stream:
        if filled:
            for line in stream:
                digest.update(line if line != b"\n" else b"")
        else:
            while block := stream.read(_CHUNK):
                digest.update(block)
    return digest.hexdigest()
