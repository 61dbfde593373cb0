"""Files of lines, cut into parts that are read by themselves, and put together again."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import TypedDict

__all__ = ["PART", "Cut", "cut_file", "cut_lines", "join_files", "keep_text", "read_cut", "write_part"]

PART = 50_000  # sentence pairs, where nobody says else; what comes out does not depend on it
_BOM = b"\xef\xbb\xbf"
_CHUNK = 1 << 22


class Cut(TypedDict):
    """Whole lines of a file of UTF-8: the bytes [begin, end)."""

    path: str
    begin: int
    end: int


def cut_file(path: Path, n_lines: int) -> list[Cut]:
    """A file in parts of so many lines, the last with what is left; at least one."""
    cuts: list[Cut] = []
    begin = end = count = 0
    with path.open("rb") as stream:
        while block := stream.read(_CHUNK):
            at = 0
            while count + block.count(b"\n", at) >= n_lines:
                for _ in range(n_lines - count):
                    at = block.index(b"\n", at) + 1
                cuts.append({"path": str(path), "begin": begin, "end": end + at})
                begin, count = end + at, 0
            count += block.count(b"\n", at)
            end += len(block)
    if end > begin or not cuts:
        cuts.append({"path": str(path), "begin": begin, "end": end})
    return cuts


def read_cut(cut: Cut) -> list[str]:
    """The lines of a part, as `write_part` and `dragoman.files.write_lines` write them."""
    with Path(cut["path"]).open("rb") as stream:
        stream.seek(cut["begin"])
        content = stream.read(cut["end"] - cut["begin"])
    if cut["begin"] == 0:
        content = content.removeprefix(_BOM)  # the one that stands before a text that has one itself
    return content.decode().split("\n")[:-1]


def cut_lines(lines: Iterable[str], n_lines: int) -> Iterator[list[str]]:
    """Lines in parts of so many."""
    waiting = iter(lines)
    while part := list(islice(waiting, n_lines)):
        yield part


def keep_text(
    folder: Path, sides: Sequence[str], batches: Iterable[Sequence[Sequence[str]]], n_lines: int
) -> list[dict[str, Cut]]:
    """A text as files of lines in a folder, one for each side, cut into parts of so many lines; batches have all sides.

    The files are named after what they hold: so are the results of what is done with them.
    """
    folder.mkdir(parents=True, exist_ok=True)
    written = [folder / f"{side}.txt" for side in sides]
    digest = sha256()
    with ExitStack() as stack:
        streams = [stack.enter_context(path.open("wb")) for path in written]
        for batch in batches:
            for stream, lines in zip(streams, batch, strict=True):
                block = "".join(f"{line}\n" for line in lines).encode()
                if stream.tell() == 0 and block.startswith(_BOM):
                    stream.write(_BOM)  # readers drop the first one; the second is the text's own
                stream.write(block)
                digest.update(block)
    named = [path.rename(path.with_stem(f"{path.stem}-{digest.hexdigest()[:20]}")) for path in written]
    cuts = [cut_file(path, n_lines) for path in named]
    return [dict(zip(sides, each, strict=True)) for each in zip(*cuts, strict=True)]


def write_part(path: Path, lines: Sequence[str]) -> None:
    """Write the lines of a part."""
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="\n")


def join_files(parts: Sequence[Path], path: Path) -> int:
    """Write parts one behind the other, as one file of lines; how many lines there are."""
    n_lines = 0
    with path.open("wb") as whole:
        for part in parts:
            with part.open("rb") as stream:
                while block := stream.read(_CHUNK):
                    if whole.tell() == 0 and block.startswith(_BOM):
                        whole.write(_BOM)  # readers drop the first one; the second is the text's own
                    n_lines += block.count(b"\n")
                    whole.write(block)
    shutil.copymode(parts[0], path)
    return n_lines
