from __future__ import annotations

from pathlib import Path

import pytest

from dragoman.data.formats.conllu import ConlluFormat
from dragoman.data.parsed import ParsedText
from dragoman.errors import FormatError
from dragoman.samples import sample_path


def test_the_sample_survives_a_round_trip(tmp_path: Path) -> None:
    path = sample_path("testset/parsed.de.conllu")
    parsed = ConlluFormat().read(path)
    assert len(list(parsed)) == len(list(parsed)) > 0
    ConlluFormat().write(ParsedText(tuple(parsed)), tmp_path / "x.conllu")
    assert (tmp_path / "x.conllu").read_bytes() == path.read_bytes()


def test_errors_name_file_and_line(tmp_path: Path) -> None:
    path = tmp_path / "x.conllu"
    path.write_text("1\ta\n\n")
    with pytest.raises(FormatError, match=r"x\.conllu:1: expected 10 columns, found 2"):
        list(ConlluFormat().read(path))
