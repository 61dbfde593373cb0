"""Files cut into parts and put together again."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from dragoman.files import read_lines, write_lines
from dragoman.parts import cut_file, join_files, read_cut
from dragoman.parts.cuts import write_part

texts = st.lists(st.text(st.characters(exclude_characters="\r\n", exclude_categories=["Cs"]), max_size=5), max_size=9)


@given(texts, st.integers(1, 4))
def test_parts_are_the_lines_of_the_whole_and_make_the_same_file(lines: list[str], n: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        whole = Path(name) / "whole.txt"
        write_lines(whole, lines)
        parts = [read_cut(cut) for cut in cut_file(whole, n)]
        assert [line for part in parts for line in part] == lines
        assert all(len(part) == n for part in parts[:-1])
        files = []
        for number, part in enumerate(parts):
            files.append(Path(name) / f"{number}.txt")
            write_part(files[-1], part)
        joined = Path(name) / "joined.txt"
        assert join_files(files, joined) == len(lines)
        assert joined.read_bytes() == whole.read_bytes()
        assert read_lines(joined) == lines
