"""WMT 2012 quality estimation: what text beside the bitext says of effort, without a score learnt from."""

from __future__ import annotations

import tarfile
from pathlib import Path

import numpy as np
import pytest

from dragoman.files import read_lines, write_lines
from dragoman.qe import Resources, extract_features
from dragoman.qe.recipes import FeatureRecipe
from dragoman.qe.resources.wide import count_wide
from dragoman.text import TOKENISERS

pytestmark = pytest.mark.realdata


def test_unusual_sources_are_hard_to_translate(data_folder: Path, tmp_path: Path) -> None:
    for archive in ("training_set.tar.gz", "training_set_annotations.tar.gz"):
        with tarfile.open(data_folder / "wmt12-qe" / archive) as packed:
            packed.extractall(tmp_path, filter="data")
    cut = TOKENISERS.make("moses:lang=en,escape=no")
    sources = cut.tokenise(list(read_lines(next(tmp_path.rglob("source.eng")))))
    effort = np.array([float(line) for line in read_lines(next(tmp_path.rglob("target_system.effort")))])
    text = [
        *read_lines(data_folder / "newstest2013" / "references" / "newstest2013.en.gz"),
        *read_lines(data_folder / "news-commentary-sample" / "nc-5k.en.gz"),
    ]
    write_lines(tmp_path / "text.en", cut.tokenise(text))
    counts = count_wide(tmp_path / "text.en", without=frozenset(" ".join(line.lower().split()) for line in sources))
    specs = ["wide:length=2,value=unseen", "wide:length=2,value=seen", "wide:value=rarest"]
    found = extract_features(
        sources,
        sources,
        FeatureRecipe(features=tuple(specs), check_languages=False),
        resources=Resources.of(wide_source_1=counts),
    )
    unseen, seen, rarest = (float(np.corrcoef(column, effort)[0, 1]) for column in found.values.T)
    assert unseen < -0.3  # the length of the source alone: −.26
    assert seen > 0.15
    assert rarest > 0.1
