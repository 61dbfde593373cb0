"""Every aligner of the registry keeps the contract of aligners."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from dragoman.align import ALIGNERS, Aligner
from dragoman.errors import ModelError
from dragoman.testing.aligners import ALIGNER, AlignerCase, texts
from tests.fuzz.sealing import reseal

each_aligner = pytest.mark.parametrize("name", ALIGNERS.names())


def case_of(name: str) -> AlignerCase:
    recipe = ALIGNERS.get(name)()
    if name == "sampler":
        return AlignerCase(
            recipe, ALIGNERS.make("sampler:sweeps=2,kept=1,jump_sweeps=0,samplers=1"), follows_order=True
        )
    if name == "ibm1":
        return AlignerCase(recipe, linking=ALIGNERS.make("ibm1:empty=no"), links_terms=False)
    return AlignerCase(recipe)


@each_aligner
def test_it_keeps_the_contract(name: str) -> None:
    ALIGNER.check(case_of(name), name)


@each_aligner
def test_a_table_that_does_not_fit_is_refused(name: str, tmp_path: Path) -> None:
    folder = ALIGNERS.get(name)().train(*texts(), seed=3).save(tmp_path / "model")
    for rows in ([0, 10**6], [0, 5, 3], [-1, 2], []):
        np.save(folder / "forward.rows.npy", np.array(rows, dtype=np.int64))
        reseal(folder)
        with pytest.raises(ModelError, match=r"forward\.rows\.npy does not cut the table of words"):
            Aligner.load(folder)
