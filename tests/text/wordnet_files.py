"""A tiny WordNet in the format of Princeton's database files, written by hand for the tests."""

from __future__ import annotations

from pathlib import Path

# part of speech → sets of synonyms, each with its gloss and its pointers (symbol, part of speech, number of the set)
SETS: dict[str, list[tuple[list[str], str, list[tuple[str, str, int]]]]] = {
    "n": [
        (["car", "auto", "motor_car"], "a motor vehicle", [("@", "n", 2)]),
        (["mouse"], "a small rodent", []),
        (["vehicle"], "a conveyance", []),
        (["car", "railcar"], "a wheeled vehicle on rails", []),
        (["box"], "a container", []),
        (["Paris", "City_of_Light"], "the capital of France", []),
        (["thing"], "what there is", []),
        (["animal"], "a thing that lives", [("@", "n", 6)]),
        (["dog"], "an animal that barks", [("@", "n", 7)]),
        (["cat"], "an animal that purrs", [("@", "n", 7)]),
        (["table"], "a thing to sit at", [("@", "n", 6)]),
    ],
    "v": [(["buy", "purchase"], "obtain for money", []), (["box"], "hit with the fist", [])],
    "a": [(["good", "fine(p)"], "of positive qualities", [("!", "a", 1)]), (["bad"], "of negative qualities", [])],
    "r": [(["well", "good"], "in a good way", [])],
}
EXCEPTIONS = {"n": "mice mouse\n", "v": "bought buy\n", "a": "better good well\n", "r": "better well\nbest well\n"}
SUFFIX = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}
LICENCE = "  1 A tiny WordNet for tests.  \n  2 Lines that begin with two spaces are no entries.  \n"


def write_wordnet(folder: Path) -> Path:
    """Write the files into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    offsets = {pos: _offsets(pos, {}) for pos in SETS}
    for pos, suffix in SUFFIX.items():
        rows = [_data_row(pos, number, offsets) for number in range(len(SETS[pos]))]
        (folder / f"data.{suffix}").write_text(LICENCE + "".join(rows), encoding="utf-8")
        (folder / f"index.{suffix}").write_text(LICENCE + _index(pos, offsets[pos]), encoding="utf-8")
        (folder / f"{suffix}.exc").write_text(EXCEPTIONS[pos], encoding="utf-8")
    return folder


def _offsets(pos: str, known: dict[str, list[int]]) -> list[int]:
    places = []
    place = len(LICENCE)
    for number in range(len(SETS[pos])):
        places.append(place)
        place += len(_data_row(pos, number, known).encode())
    return places


def _data_row(pos: str, number: int, offsets: dict[str, list[int]]) -> str:
    words, gloss, pointers = SETS[pos][number]
    own = offsets[pos][number] if offsets else 0
    listed = " ".join(f"{word} 0" for word in words)
    links = "".join(
        f" {symbol} {offsets[part][target] if offsets else 0:08d} {part} 0000" for symbol, part, target in pointers
    )
    return f"{own:08d} 03 {pos} {len(words):02x} {listed} {len(pointers):03d}{links} | {gloss}  \n"


def _index(pos: str, offsets: list[int]) -> str:
    places: dict[str, list[int]] = {}
    for number, (words, _, _) in enumerate(SETS[pos]):
        for word in words:
            places.setdefault(word.lower().removesuffix("(p)"), []).append(offsets[number])
    rows = [
        f"{word} {pos} {len(found)} 1 @ {len(found)} 0 {' '.join(f'{offset:08d}' for offset in found)}  \n"
        for word, found in places.items()
    ]
    return "".join(sorted(rows))
