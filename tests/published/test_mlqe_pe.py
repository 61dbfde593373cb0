"""HTER and word tags of MLQE-PE (Fomicheva et al., LREC 2022), as released: every segment, every word, every gap."""

from __future__ import annotations

import tarfile
from pathlib import Path

import pytest

from dragoman.metrics import hter


@pytest.mark.realdata
@pytest.mark.parametrize("part", ["train", "dev", "test"])
@pytest.mark.parametrize("pair", ["en-de", "ro-en"])
def test_hter_and_tags_are_the_released_ones(data_folder: Path, pair: str, part: str) -> None:
    with tarfile.open(data_folder / "mlqe-pe" / f"post-editing.{pair}-{part}.tar.gz") as archive:
        files = {}
        for member in archive.getmembers():
            stream = archive.extractfile(member)
            if stream is not None:
                files[member.name.rpartition(".")[2]] = stream.read().decode().splitlines()
    result = hter(files["mt"], files["pe"])
    assert [f"{value:.6f}" for value in result.values] == [f"{float(value):.6f}" for value in files["hter"]]
    assert [" ".join(tags.interleaved()) for tags in result.tags] == [line.strip() for line in files["tags"]]
