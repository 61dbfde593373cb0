"""HTER and word tags of MLQE-PE (Fomicheva et al., LREC 2022), as released: every segment, every word, every gap."""

from __future__ import annotations

import tarfile
from pathlib import Path

import pytest

from dragoman.metrics import hter
from dragoman.qe import QEData, post_edit_gold, read_qe, write_qe


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


@pytest.mark.realdata
def test_the_released_files_are_read_made_and_written(data_folder: Path, tmp_path: Path) -> None:
    with tarfile.open(data_folder / "mlqe-pe" / "post-editing.en-de-dev.tar.gz") as archive:
        archive.extractall(tmp_path, filter="data")
    released = read_qe(tmp_path / "en-de-dev" / "dev")
    assert released.sources is not None
    assert released.outputs is not None
    assert released.post_edits is not None
    made = post_edit_gold(QEData.of(released.sources, released.outputs, released.post_edits))
    assert len(made.text) == 1000
    assert made.tags == released.tags
    assert made.scores == pytest.approx(released.scores, abs=1e-6)
    write_qe(made, tmp_path / "made")
    for suffix in ("src", "mt", "pe", "hter"):
        lines = (tmp_path / f"made.{suffix}").read_text().splitlines()
        assert lines == (tmp_path / "en-de-dev" / f"dev.{suffix}").read_text().splitlines()
