from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.data.frames import ROLES, ActionLink, Filler, FillerLink, Frame, FrameAnnotation, FrameStudy
from dragoman.errors import DataError
from dragoman.human import frame_agreement, frequency_weights, hmeant, sentence_hmeant
from dragoman.human.frames.scores import sentence_bleu

roles = st.sampled_from(ROLES[:3])


@st.composite
def frames(draw: st.DrawFn) -> tuple[Frame, ...]:
    made = []
    for n in range(draw(st.integers(0, 3))):
        fillers = [Filler(draw(roles), 10 * n + k + 1, 10 * n + k + 2) for k in range(draw(st.integers(0, 3)))]
        made.append(Frame(10 * n, tuple(fillers)))
    return tuple(made)


@st.composite
def annotations(draw: st.DrawFn, annotator: str = "a", segment: str = "1.1", system: str = "s") -> FrameAnnotation:
    ref, hyp = draw(frames()), draw(frames())
    strengths = st.sampled_from(["full", "partial", None])
    n = min(len(ref), len(hyp))
    order = draw(st.permutations(range(len(hyp)))) if hyp else []
    actions = [ActionLink(k, order[k], draw(strengths)) for k in range(n) if draw(st.booleans())]
    ref_ends = [(f, s) for f, frame in enumerate(ref) for s in range(len(frame.fillers))]
    hyp_ends = draw(st.permutations([(f, s) for f, frame in enumerate(hyp) for s in range(len(frame.fillers))]))
    n = min(len(ref_ends), len(hyp_ends))
    fillers = [
        FillerLink(a, b, draw(strengths))
        for a, b in zip(ref_ends[:n], hyp_ends[:n], strict=True)
        if draw(st.booleans())
    ]
    return FrameAnnotation(annotator, "en", segment, system, ref, hyp, tuple(actions), tuple(fillers))


def naive_birch(annotation: FrameAnnotation) -> Fraction:
    """Birch et al. 2013, §3.2, in exact fractions."""
    sides = []
    for side in ("hyp", "ref"):
        total = Fraction(0)
        for link in annotation.action_links:
            value = Fraction(1)
            for f in annotation.filler_links:
                within = f.ref[0] == link.ref and f.hyp[0] == link.hyp
                same = (
                    annotation.ref[f.ref[0]].fillers[f.ref[1]].role == annotation.hyp[f.hyp[0]].fillers[f.hyp[1]].role
                )
                if within and same:
                    value += {"full": 1, "partial": Fraction(1, 2), None: 0}[f.strength]
            frame = getattr(annotation, side)[getattr(link, side)]
            total += value / (1 + len(frame.fillers))
        n = len(getattr(annotation, side))
        sides.append(total / n if n else Fraction(0))
    p, r = sides
    return 2 * p * r / (p + r) if p + r else Fraction(0)


@given(annotations())
def test_scores_are_those_of_the_definition(annotation: FrameAnnotation) -> None:
    assert sentence_hmeant(annotation).score == pytest.approx(float(naive_birch(annotation)))
    for definition in ("birch13", "lo12"):
        found = sentence_hmeant(annotation, definition=definition)
        assert 0 <= found.precision <= 1 + 1e-12
        assert 0 <= found.recall <= 1 + 1e-12


@given(frames().filter(bool))
def test_a_translation_with_the_references_frames_scores_1(marked: tuple[Frame, ...]) -> None:
    fillers = [(f, s) for f, frame in enumerate(marked) for s in range(len(frame.fillers))]
    links = tuple(ActionLink(k, k) for k in range(len(marked)))
    whole = FrameAnnotation("a", "en", "1.1", "s", marked, marked, links, tuple(FillerLink(e, e) for e in fillers))
    for definition in ("birch13", "lo12"):
        assert sentence_hmeant(whole, definition=definition).score == pytest.approx(1)
        assert sentence_hmeant(
            whole, definition=definition, weights={"agent": 3, "action": 0.2}
        ).score == pytest.approx(1)


@given(annotations("a"), annotations("b"))
def test_agreement_does_not_depend_on_who_comes_first(a: FrameAnnotation, b: FrameAnnotation) -> None:
    renamed = [FrameAnnotation("b", *list(vars(a).values())[1:]), FrameAnnotation("a", *list(vars(b).values())[1:])]
    one, other = frame_agreement(FrameStudy((a, b))), frame_agreement(FrameStudy(tuple(renamed)))
    assert [(s.matches, s.f1) for s in one.stages] == [(s.matches, s.f1) for s in other.stages]
    assert one.confusions == other.confusions
    alone = frame_agreement(FrameStudy((a, FrameAnnotation("b", *list(vars(a).values())[1:]))))
    assert all(s.f1 in (None, 1.0) for s in alone.stages)


MARKED = (Frame(0, (Filler("agent", 1, 2),)),)
LINKED = FrameAnnotation("a", "en", "1.1", "s", MARKED, MARKED, (ActionLink(0, 0),))


def test_nothing_linked_and_nothing_marked_score_0() -> None:
    bare = FrameAnnotation("a", "en", "1.1", "s", LINKED.ref, LINKED.hyp)
    assert sentence_hmeant(bare).score == 0
    assert sentence_hmeant(FrameAnnotation("a", "en", "1.1", "s", (), ())).score == 0
    assert sentence_hmeant(LINKED, weights={"action": 0, "agent": 0}).score == 0
    assert sentence_hmeant(LINKED).score == pytest.approx(0.5)


def test_a_link_without_strength_counts_in_2013_and_not_in_2012() -> None:
    untyped = FrameAnnotation("a", "en", "1.1", "s", LINKED.ref, LINKED.hyp, (ActionLink(0, 0, None),))
    assert sentence_hmeant(untyped).score == pytest.approx(0.5)
    assert sentence_hmeant(untyped, definition="lo12").score == 0


def test_one_segment_gives_no_interval_and_no_rank() -> None:
    system = hmeant(FrameStudy((LINKED,))).systems[0]
    assert (system.score, system.low, system.high, system.rank_low, system.bleu) == (0.5, None, None, None, None)


def test_systems_are_ranked_only_where_intervals_lie_apart() -> None:
    links = (ActionLink(0, 0),), (FillerLink((0, 0), (0, 0)),)
    good = [FrameAnnotation("a", "en", f"1.{n}", "good", MARKED, MARKED, *links) for n in range(5)]
    bad = [FrameAnnotation("a", "en", f"1.{n}", "bad", LINKED.ref, ()) for n in range(5)]
    result = hmeant(FrameStudy((*bad, *good)))
    assert [(s.system, s.rank_low, s.rank_high) for s in result.systems] == [("good", 1, 1), ("bad", 2, 2)]
    assert "Every system has a place of its own." in result.tables()[0].note


def test_results_repeat_and_carry_their_provenance() -> None:
    study = FrameStudy((LINKED, FrameAnnotation("a", "en", "1.2", "s", LINKED.ref, ())), provenance={"folder": "x"})
    assert hmeant(study, seed=3).to_dict() == hmeant(study, seed=3).to_dict()
    meta = hmeant(study).meta()
    assert (meta["folder"], meta["definition"], meta["resampled"], meta["partial"]) == ("x", "birch13", "segments", 0.5)
    assert len(meta["agreement"]) == 8
    assert [figure.kind for figure in hmeant(study).figures()] == ["interval", "bar"]


def test_frequency_weights_are_shares() -> None:
    weights = frequency_weights(FrameStudy((LINKED,)))
    assert (weights["action"], weights["agent"], weights["modal"], sum(weights.values())) == (0.5, 0.5, 0, 1)
    with pytest.raises(DataError, match="No reference of the study has a frame"):
        frequency_weights(FrameStudy((FrameAnnotation("a", "en", "1.1", "s", (), ()),)))


def test_smoothed_bleu_of_every_order() -> None:
    assert sentence_bleu([], []) == []
    assert sentence_bleu(["a b c d e", ""], ["a b c d e", "a"]) == pytest.approx([1, 0])
    # One of two words: (2/3 · 1/2 · 1 · 1) ** ¼, no brevity.
    assert sentence_bleu(["a x"], ["a b"])[0] == pytest.approx((2 / 3 * 1 / 2) ** 0.25)


def test_what_is_refused() -> None:
    with pytest.raises(DataError, match="nothing to score"):
        hmeant(FrameStudy(()))
    with pytest.raises(DataError, match="The definitions of HMEANT are birch13 and lo12, got 'lo11'"):
        sentence_hmeant(LINKED, definition="lo11")
    with pytest.raises(DataError, match=r"No role is called where. Known: action, agent"):
        sentence_hmeant(LINKED, weights={"where": 1})
    with pytest.raises(DataError, match="Weights are numbers from 0 on"):
        sentence_hmeant(LINKED, weights={"agent": -1})
    with pytest.raises(DataError, match="compat is 'wmt13' or nothing"):
        frame_agreement(FrameStudy((LINKED,)), compat="wmt12")
    with pytest.raises(DataError, match="There is no system 't' in 'en'"):
        hmeant(FrameStudy((LINKED,))).system("en", "t")
    with pytest.raises(DataError, match="There is no agreement on 'x' of links in 'en'"):
        frame_agreement(FrameStudy((LINKED,))).stage("en", "x")
