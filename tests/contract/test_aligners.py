"""What every aligner of the registry keeps to."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from dragoman.align import ALIGNERS, Aligner, Glossary, Priors, align
from dragoman.errors import DataError, ModelError
from dragoman.samples import phrasebook
from tests.fuzz.sealing import reseal

each_aligner = pytest.mark.parametrize("name", ALIGNERS.names())


def texts() -> tuple[list[str], list[str]]:
    book = phrasebook()
    return [line.lower() for line in book["en"][:120]], [line.lower() for line in book["de"][:120]]


@each_aligner
def test_threads_change_nothing(name: str) -> None:
    source, target = texts()
    results = [align(source, target, method=name, posteriors=True, n_threads=n) for n in (1, 2, 7)]
    for other in results[1:]:
        assert list(other.lines()) == list(results[0].lines())
        assert np.array_equal(other.posteriors, results[0].posteriors)
        assert np.array_equal(other.log_p_forward, results[0].log_p_forward)
        assert other.rounds == results[0].rounds


@each_aligner
def test_the_order_of_sentences_changes_nothing(name: str) -> None:
    source, target = texts()
    order = np.random.default_rng(1).permutation(len(source)).tolist()
    aligner = ALIGNERS.get(name)().train(source, target)
    # A sampler's draws follow one another through the corpus; what it learnt aligns a sentence the same anywhere.
    shuffled = (
        aligner
        if name == "sampler"
        else ALIGNERS.get(name)().train([source[i] for i in order], [target[i] for i in order])
    )
    straight = list(aligner.align(source, target).lines())
    assert list(shuffled.align([source[i] for i in order], [target[i] for i in order]).lines()) == [
        straight[i] for i in order
    ]


@each_aligner
def test_a_saved_model_gives_the_same_alignments(name: str, tmp_path: Path) -> None:
    source, target = texts()
    aligner = ALIGNERS.get(name)().train(source, target, seed=3)
    loaded = Aligner.load(aligner.save(tmp_path / "model"))
    assert loaded.recipe == aligner.recipe
    assert loaded.seed == 3
    new = ["good morning , zebra", *source], ["guten morgen , zebra", *target]
    before, after = (each.align(*new, posteriors=True) for each in (aligner, loaded))
    assert list(after.lines()) == list(before.lines())
    assert np.array_equal(after.posteriors, before.posteriors)
    assert after.rounds == before.rounds
    manifest = json.loads((tmp_path / "model" / "manifest.json").read_text())
    assert manifest["recipe"]["method"] == name


@each_aligner
def test_a_table_that_does_not_fit_is_refused(name: str, tmp_path: Path) -> None:
    folder = ALIGNERS.get(name)().train(*texts(), seed=3).save(tmp_path / "model")
    for rows in ([0, 10**6], [0, 5, 3], [-1, 2], []):
        np.save(folder / "forward.rows.npy", np.array(rows, dtype=np.int64))
        reseal(folder)
        with pytest.raises(ModelError, match=r"forward\.rows\.npy does not cut the table of words"):
            Aligner.load(folder)


@each_aligner
def test_a_model_of_another_version_is_refused(name: str, tmp_path: Path) -> None:
    folder = ALIGNERS.get(name)().train(["a b"], ["x y"]).save(tmp_path / "model")
    path = folder / "manifest.json"
    path.write_text(path.read_text().replace('"format": 1', '"format": 2'))
    with pytest.raises(ModelError, match=r"word aligner of format 2 .* reads format 1\. Build it again"):
        Aligner.load(folder)


@each_aligner
def test_empty_sentences_and_no_text(name: str) -> None:
    result = align(["", "a b", "", "c"], ["x", "", "", "y"], method=name, posteriors=True)
    assert [len(line.split()) for line in result.lines()][:3] == [0, 0, 0]
    assert len(align([], [], method=name)) == 0
    assert align([], [], method=name).to_dict()["rows"][0]["links"] == 0


@each_aligner
def test_sentences_of_a_thousand_words(name: str) -> None:
    source = " ".join(f"s{i % 300}" for i in range(1000))
    target = " ".join(f"t{i % 300}" for i in range(1000))
    recipe = ALIGNERS.make("sampler:sweeps=2,kept=1,jump_sweeps=0,samplers=1" if name == "sampler" else name)
    words = [f"s{i}" for i in range(300)], [f"t{i}" for i in range(300)]
    result = align([source, *words[0]], [target, *words[1]], method=recipe, symmetrisation="intersection")
    links = next(iter(result.alignments)).links
    assert len(links) >= 200
    assert sum(s % 300 == t % 300 for s, t in links) > 0.9 * len(links)
    too_long = " ".join(["w"] * 4097)
    with pytest.raises(DataError, match=r"Line 2 of the target has 4097 words; at most 4096 can be aligned\. Cut it"):
        align(["a", "b"], ["x", too_long], method=name)


@each_aligner
def test_sides_of_different_length_are_named(name: str) -> None:
    with pytest.raises(DataError, match=r"one line per segment, got srcs=2, tgts=1"):
        ALIGNERS.get(name)().train(["a", "b"], ["x"])
    with pytest.raises(DataError, match="srcs=1, tgts=2"):
        ALIGNERS.get(name)().train(["a"], ["x"]).align(["a"], ["x", "y"])
    with pytest.raises(DataError, match="got one str"):
        ALIGNERS.get(name)().train("a", "x")
    with pytest.raises(DataError, match="lone surrogate"):
        ALIGNERS.get(name)().train(["\ud800"], ["x"])


@each_aligner
@pytest.mark.parametrize("symmetrisation", ["intersection", "union", "grow-diag-final-and", "posterior"])
def test_anchors_are_respected(name: str, symmetrisation: str) -> None:
    source, target = ["a b c d", "a b"], ["w x y z", "w x"]
    # Against the diagonal, one word to two, and a second pair without anchors.
    anchors = [[(0, 3), (2, 0), (2, 1)], []]
    result = align(source, target, method=name, anchors=anchors, symmetrisation=symmetrisation, posteriors=True)
    first, _ = result.alignments
    assert set(anchors[0]) <= set(first.links)
    assert not {(s, t) for s, t in first.links if (s in (0, 2) or t in (0, 1, 3))} - set(anchors[0])
    p = result.posterior(0)
    assert p[0, :3].max() == 0
    assert p[:, 3].tolist() == pytest.approx([1, 0, 0, 0], abs=1e-5)


@each_aligner
def test_priors_pull(name: str) -> None:
    # Two words that always come together: nothing in the text tells them apart but order.
    source, target = ["a b"] * 6, ["x y"] * 6
    crossed = Priors((("a", "y", 50.0), ("b", "x", 50.0), ("never", "met", 1.0)))
    method = "ibm1:empty=no" if name == "ibm1" else name
    assert set(align(source, target, method=method, priors=crossed).lines()) == {"0-1 1-0"}


@each_aligner
def test_a_glossary_decides(name: str) -> None:
    source, target = texts()
    glossary = Glossary((("two nights", "zwei nächte"), ("ticket", "fahrkarte"), ("train", "zug")))
    anchors = glossary.anchors(source, target)
    assert any(anchors)
    result = align(source, target, method=name, glossary=glossary)
    for links, known in zip(result.alignments, anchors, strict=True):
        sources, targets = ({link[side] for link in known} for side in (0, 1))
        assert {link for link in links.links if link[0] in sources or link[1] in targets} <= set(known)
        words = {link for link in known if sum(link[0] == s or link[1] == t for s, t in known) == 1}
        assert words <= set(links.links)
        # Of a term of several words all have a partner; which, the text tells.
        assert sources == {s for s, t in links.links if (s, t) in known} or name == "ibm1"


@each_aligner
def test_inputs_are_left_as_they_were(name: str) -> None:
    source, target = texts()
    copies = list(source), list(target)
    align(source, target, method=name)
    assert (source, target) == copies
