"""TESLA-CELAB (Liu & Ng, ACL 2012): the ten scores that its authors publish, and the paper's examples."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from dragoman.files import read_lines
from dragoman.metrics.celab import Celab

pytestmark = pytest.mark.realdata

# Liu & Ng, ACL 2012, section 5, the sample sentences: with Cilin, without.
SAMPLES = [
    ("下周。", "下星期。", 1.0, 0.294118),
    ("我有一个女儿。", "我有个闺女。", 0.613208, 0.283019),
    ("你在这儿工作吗？", "您在这里上班吗？", 0.469231, 0.230769),
]


@pytest.fixture
def with_cilin(data_folder: Path) -> Celab:
    return Celab(synonyms=f"thesaurus+lang=zh+file={data_folder / 'tesla-celab' / 'cilin.utf8.gz'}")


def test_the_ten_oracle_scores_of_the_authors_testdata(data_folder: Path, with_cilin: Celab) -> None:
    folder = data_folder / "tesla-celab"
    hyps, refs = read_lines(folder / "sys-tch.txt"), read_lines(folder / "ref.txt")
    expected = [float(line) for line in read_lines(folder / "scores-output")]
    assert len(expected) == 10
    np.testing.assert_allclose(with_cilin.segments(hyps, [refs]) / 100, expected, rtol=0, atol=1e-6)
    joined = [line.replace(" ", "") for line in hyps]
    np.testing.assert_array_equal(with_cilin.segments(joined, [refs]), with_cilin.segments(hyps, [refs]))
    # Derived from the paper's linear program without a dictionary.
    bare = [0.420792, 0.284553, 1, 0.813253, 0.563380, 0.632530, 0.051020, 0.245928, 0.524691, 0.400763]
    np.testing.assert_allclose(Celab().segments(hyps, [refs]) / 100, bare, rtol=0, atol=1e-6)
    only_synonyms = Celab(synonyms=with_cilin.synonyms + "+kinds==")
    np.testing.assert_allclose(only_synonyms.segments(hyps, [refs]) / 100, expected, rtol=0, atol=1e-6)


@pytest.mark.parametrize(("ref", "hyp", "with_dictionary", "without"), SAMPLES)
def test_the_sample_sentences_of_section_5(
    with_cilin: Celab, ref: str, hyp: str, with_dictionary: float, without: float
) -> None:
    assert with_cilin.segments([hyp], [[ref]])[0] / 100 == pytest.approx(with_dictionary, abs=1e-6)
    assert Celab().segments([hyp], [[ref]])[0] / 100 == pytest.approx(without, abs=1e-6)


def test_a_shorter_code_of_cilin_makes_more_synonyms(with_cilin: Celab) -> None:
    ref, hyp, _, _ = SAMPLES[2]
    nearer = Celab(synonyms=with_cilin.synonyms + "+code=5")
    assert nearer.segments([hyp], [[ref]])[0] / 100 == pytest.approx(0.738462, abs=1e-6)
