"""What every aligner promises."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from dragoman.align import ALIGNERS, Aligner, AlignmentRecipe, Glossary, Priors, align
from dragoman.errors import DataError, ModelError
from dragoman.samples import phrasebook
from dragoman.testing.contract import Contract, raises

__all__ = ["ALIGNER", "AlignerCase", "check_aligner"]


@dataclass(frozen=True)
class AlignerCase:
    """The recipe of an aligner, and what it is excused from."""

    recipe: AlignmentRecipe
    quick: AlignmentRecipe | None = None  # for sentences of a thousand words
    linking: AlignmentRecipe | None = None  # the same where every word is to have a link
    follows_order: bool = False  # training draws, sentence after sentence
    links_terms: bool = True  # every word of a term that the glossary knows gets a link


ALIGNER: Contract[AlignerCase] = Contract("aligner")


def check_aligner(recipe: AlignmentRecipe | str, *, follows_order: bool = False) -> None:
    """Check the recipe of an aligner, given as an object or by its name and options."""
    recipe = ALIGNERS.make(recipe) if isinstance(recipe, str) else recipe
    ALIGNER.check(AlignerCase(recipe, follows_order=follows_order), type(recipe).__name__)


def texts() -> tuple[list[str], list[str]]:
    book = phrasebook()
    return [line.lower() for line in book["en"][:120]], [line.lower() for line in book["de"][:120]]


@ALIGNER.rule
def threads_change_nothing(case: AlignerCase) -> None:
    source, target = texts()
    results = [align(source, target, method=case.recipe, posteriors=True, n_threads=n) for n in (1, 2, 7)]
    for other in results[1:]:
        assert list(other.lines()) == list(results[0].lines())
        np.testing.assert_array_equal(other.posteriors, results[0].posteriors)
        assert np.array_equal(other.log_p_forward, results[0].log_p_forward)
        assert other.rounds == results[0].rounds


@ALIGNER.rule
def the_order_of_sentences_changes_nothing(case: AlignerCase) -> None:
    source, target = texts()
    order = np.random.default_rng(1).permutation(len(source)).tolist()
    aligner = case.recipe.train(source, target)
    other = [source[i] for i in order], [target[i] for i in order]
    # Draws that follow one another through the corpus know an order; what was learnt knows none.
    shuffled = aligner if case.follows_order else case.recipe.train(*other)
    straight = list(aligner.align(source, target).lines())
    assert list(shuffled.align(*other).lines()) == [straight[i] for i in order]


@ALIGNER.rule
def a_saved_model_gives_the_same_alignments(case: AlignerCase) -> None:
    source, target = texts()
    aligner = case.recipe.train(source, target, seed=3)
    with TemporaryDirectory() as folder:
        loaded = Aligner.load(aligner.save(Path(folder) / "model"))
        manifest = json.loads((Path(folder) / "model" / "manifest.json").read_text())
    assert loaded.recipe == aligner.recipe
    assert loaded.seed == 3
    new = ["good morning , zebra", *source], ["guten morgen , zebra", *target]
    before, after = (each.align(*new, posteriors=True) for each in (aligner, loaded))
    assert list(after.lines()) == list(before.lines())
    np.testing.assert_array_equal(after.posteriors, before.posteriors)
    assert after.rounds == before.rounds
    assert ALIGNERS.get(manifest["recipe"]["method"]) is type(case.recipe)


@ALIGNER.rule
def a_model_of_another_version_is_refused(case: AlignerCase) -> None:
    with TemporaryDirectory() as parent:
        folder = case.recipe.train(["a b"], ["x y"]).save(Path(parent) / "model")
        path = folder / "manifest.json"
        path.write_text(path.read_text().replace('"format": 1', '"format": 2'))
        with raises(ModelError, match=r"word aligner of format 2 .* reads format 1\. Build it again"):
            Aligner.load(folder)


@ALIGNER.rule
def empty_sentences_and_no_text(case: AlignerCase) -> None:
    result = align(["", "a b", "", "c"], ["x", "", "", "y"], method=case.recipe, posteriors=True)
    assert [len(line.split()) for line in result.lines()][:3] == [0, 0, 0]
    assert len(align([], [], method=case.recipe)) == 0
    assert align([], [], method=case.recipe).to_dict()["rows"][0]["links"] == 0


@ALIGNER.rule
def sentences_of_a_thousand_words(case: AlignerCase) -> None:
    source = " ".join(f"s{i % 300}" for i in range(1000))
    target = " ".join(f"t{i % 300}" for i in range(1000))
    words = [f"s{i}" for i in range(300)], [f"t{i}" for i in range(300)]
    result = align(
        [source, *words[0]], [target, *words[1]], method=case.quick or case.recipe, symmetrisation="intersection"
    )
    links = next(iter(result.alignments)).links
    assert len(links) >= 200
    assert sum(s % 300 == t % 300 for s, t in links) > 0.9 * len(links)
    too_long = " ".join(["w"] * 4097)
    with raises(DataError, match=r"Line 2 of the target has 4097 words; at most 4096 can be aligned\. Cut it"):
        align(["a", "b"], ["x", too_long], method=case.recipe)


@ALIGNER.rule
def sides_of_different_length_are_named(case: AlignerCase) -> None:
    with raises(DataError, match=r"one line per segment, got srcs=2, tgts=1"):
        case.recipe.train(["a", "b"], ["x"])
    with raises(DataError, match="srcs=1, tgts=2"):
        case.recipe.train(["a"], ["x"]).align(["a"], ["x", "y"])
    with raises(DataError, match="got one str"):
        case.recipe.train("a", "x")
    with raises(DataError, match="lone surrogate"):
        case.recipe.train(["\ud800"], ["x"])


@ALIGNER.rule
def anchors_are_respected(case: AlignerCase) -> None:
    for symmetrisation in ("intersection", "union", "grow-diag-final-and", "posterior"):
        anchors_are_respected_by(case.recipe, symmetrisation)


def anchors_are_respected_by(recipe: AlignmentRecipe, symmetrisation: str) -> None:
    source, target = ["a b c d", "a b"], ["w x y z", "w x"]
    # Against the diagonal, one word to two, and a second pair without anchors.
    anchors = [[(0, 3), (2, 0), (2, 1)], []]
    result = align(source, target, method=recipe, anchors=anchors, symmetrisation=symmetrisation, posteriors=True)
    first, _ = result.alignments
    assert set(anchors[0]) <= set(first.links)
    assert not {(s, t) for s, t in first.links if (s in (0, 2) or t in (0, 1, 3))} - set(anchors[0])
    p = result.posterior(0)
    assert p[0, :3].max() == 0
    np.testing.assert_allclose(p[:, 3], [1, 0, 0, 0], rtol=0, atol=1e-5)


@ALIGNER.rule
def priors_pull(case: AlignerCase) -> None:
    # Two words that always come together: nothing in the text tells them apart but order.
    source, target = ["a b"] * 6, ["x y"] * 6
    crossed = Priors((("a", "y", 50.0), ("b", "x", 50.0), ("never", "met", 1.0)))
    assert set(align(source, target, method=case.linking or case.recipe, priors=crossed).lines()) == {"0-1 1-0"}


@ALIGNER.rule
def a_glossary_decides(case: AlignerCase) -> None:
    source, target = texts()
    glossary = Glossary((("two nights", "zwei nächte"), ("ticket", "fahrkarte"), ("train", "zug")))
    anchors = glossary.anchors(source, target)
    assert any(anchors)
    result = align(source, target, method=case.recipe, glossary=glossary)
    for links, known in zip(result.alignments, anchors, strict=True):
        sources, targets = ({link[side] for link in known} for side in (0, 1))
        assert {link for link in links.links if link[0] in sources or link[1] in targets} <= set(known)
        words = {link for link in known if sum(link[0] == s or link[1] == t for s, t in known) == 1}
        assert words <= set(links.links)
        # Of a term of several words all have a partner; which, the text tells.
        assert sources == {s for s, t in links.links if (s, t) in known} or not case.links_terms


@ALIGNER.rule
def inputs_are_left_as_they_were(case: AlignerCase) -> None:
    source, target = texts()
    copies = list(source), list(target)
    align(source, target, method=case.recipe)
    assert (source, target) == copies
