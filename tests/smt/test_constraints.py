"""Constraints: what is asked of a translation holds, and what cannot be asked has a name."""

from __future__ import annotations

import numpy as np
import pytest

from dragoman.errors import DataError
from dragoman.smt import Constraints, Engine, Lattice, SearchLimits, Term, read_markup

LINE = "where is the station ?"


def tokens(engine: Engine, *lines: str) -> list[str]:
    return engine.source.prepare(list(lines))


def test_a_term_is_translated_as_given_and_only_so(engine: Engine) -> None:
    found = engine.decode([LINE] * 2, constraints=[Constraints(terms=(Term(2, 4, "der Zentralbahnhof"),)), None])
    assert "der Zentralbahnhof" in found.best()[0]
    assert "Zentralbahnhof" not in found.best()[1]
    phrases = found.phrases_of(0).tolist()
    assert [2, 4, 2] in phrases


def test_a_term_that_is_not_exclusive_competes(engine: Engine) -> None:
    offered = Constraints(terms=(Term(3, 4, "Bahnhof Zoo Nord Süd Ost West", exclusive=False),))
    assert engine.decode([LINE], constraints=[offered]).best()[0]


def test_features_of_constrained_translations_add_up(engine: Engine) -> None:
    asked = [Constraints(terms=(Term(2, 4, "der Zentralbahnhof"),)), Constraints(prefix="wo"), Constraints(walls=(2,))]
    found = engine.decode([LINE] * 3, constraints=asked, n_best=5, features=True)
    weights = np.array([engine.weights[name] for name in engine.feature_names])
    np.testing.assert_allclose(found.features @ weights, found.scores, atol=1e-3)


def test_a_prefix_is_kept_and_letters_choose_the_next_word(engine: Engine) -> None:
    free = engine.decode([LINE]).best()[0]
    first, second = free.split()[:2]
    asked = [Constraints(prefix=first), Constraints(prefix=first, begun=second[0]), Constraints(begun=first[0])]
    found = engine.decode([LINE] * 3, constraints=asked).best()
    assert found[0].split()[0] == first
    assert found[1].split()[1].startswith(second[0])
    assert found[2].split()[0].startswith(first[0])


def test_a_prefix_that_no_model_knows_is_inserted_when_allowed(engine: Engine) -> None:
    asked = [Constraints(prefix="Xylophonbude bitte"), Constraints(prefix="Xylophonbude bitte", artificial=True)]
    found = engine.decode([LINE] * 2, constraints=asked)
    assert found.best()[0] == ""
    assert len(found.paths(0)) == 0
    assert found.best()[1].startswith("Xylophonbude bitte")


def test_training_pairs_are_forced(engine: Engine, book: dict[str, list[str]]) -> None:
    srcs = engine.source.prepare(book["en"][:60])
    tgts = engine.target.prepare(book["de"][:60])
    limits = SearchLimits(pop_limit=200, distortion_limit=12)
    plain = engine.decode(srcs, constraints=[Constraints(target=t) for t in tgts], limits=limits)
    helped = engine.decode(srcs, constraints=[Constraints(target=t, artificial=True) for t in tgts], limits=limits)
    assert helped.best() == tgts
    reached = [best == tgt for best, tgt in zip(plain.best(), tgts, strict=True)]
    assert sum(reached) >= 30
    assert all(best in ("", tgt) for best, tgt in zip(plain.best(), tgts, strict=True))


def test_a_word_without_translation_is_asked_about(engine: Engine) -> None:
    line = "where is the zyxwv ?"
    seen: list[str] = []

    def guess(word: str) -> list[str]:
        seen.append(word)
        return ["Ratewort"]

    assert "zyxwv" in engine.decode([line]).best()[0]
    assert "Ratewort" in engine.decode([line], unknown_words=guess).best()[0]
    assert seen == ["zyxwv"]


def test_a_linear_lattice_is_the_sentence(engine: Engine) -> None:
    lattice = Lattice(tuple((i, i + 1, token, 0.0) for i, token in enumerate(LINE.split())))
    found = engine.decode([LINE, ""], constraints=[None, Constraints(lattice=lattice)])
    assert found.best()[0] == found.best()[1]
    assert found.scores[0] == pytest.approx(found.scores[1], abs=1e-4)


def test_a_confusion_network_is_translated_by_what_fits(engine: Engine) -> None:
    network = Lattice.of_confusions(
        [[("where", 0.0)], [("is", 0.0), ("zyxwv", 0.0)], [("the", 0.0), ("", 0.0)], [("station", 0.0)], [("?", 0.0)]]
    )
    best = engine.decode([""], constraints=[Constraints(lattice=network)]).best()[0]
    assert "zyxwv" not in best


def test_lattices_are_read_from_json() -> None:
    assert Lattice.parse('[[1, 2, "man", 0], [0, 1, "a", -0.5]]').arcs == ((0, 1, "a", -0.5), (1, 2, "man", 0.0))
    with pytest.raises(DataError, match=r"a list of \[from, to, token, score\]; found 'nonsense'"):
        Lattice.parse("nonsense")


def test_markup_is_read_only_when_asked_for() -> None:
    line = 'go <wall/> to <term translation="dem Bahnhof"> the station </term> of <keep> ACME 3 </keep> < now'
    plain, asked = read_markup(line)
    assert plain == "go to the station of ACME 3 < now"
    assert asked.terms == (Term(2, 4, "dem Bahnhof"), Term(5, 7, "ACME 3"))
    assert asked.walls == (1,)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("<term> a </term>", "needs translation="),
        ("<keep> a", "<keep> is not closed"),
        ("<b> a </b>", "Unexpected markup '<b>'"),
        ("<keep> </keep> a", "markup around nothing"),
        ("<keep> <keep> a </keep> </keep>", "not nested"),
    ],
)
def test_broken_markup_is_named(line: str, message: str) -> None:
    with pytest.raises(DataError, match=message):
        read_markup(line)


def test_what_cannot_be_asked_is_named(engine: Engine) -> None:
    with pytest.raises(DataError, match="by a whole target or by a prefix, not by both"):
        Constraints(target="a", prefix="b")
    with pytest.raises(DataError, match="Sentence 1: A given translation has the source span 4 to 9"):
        engine.decode([LINE], constraints=[Constraints(terms=(Term(4, 9, "x"),))])
    with pytest.raises(DataError, match=r"A term needs source tokens, got \[2, 2\) for 'x'"):
        engine.decode([LINE], constraints=[Constraints(terms=(Term(2, 2, "x"),))])
    with pytest.raises(DataError, match="lines=1, constraints=2"):
        engine.decode([LINE], constraints=[None, None])
    with pytest.raises(DataError, match="must lead forward"):
        engine.decode([""], constraints=[Constraints(lattice=Lattice(((1, 1, "a", 0.0),)))])


@pytest.mark.parametrize("n_threads", [2, 7])
def test_constraints_do_not_depend_on_threads(engine: Engine, book: dict[str, list[str]], n_threads: int) -> None:
    srcs = engine.source.prepare(book["en"][:40])
    asked = [Constraints(terms=(Term(0, 1, "Fremdwort"),)) if i % 3 == 0 else None for i in range(40)]
    once = engine.decode(srcs, constraints=asked, n_best=3, confidence=True)
    again = engine.decode(srcs, constraints=asked, n_best=3, confidence=True, n_threads=n_threads)
    assert once.texts == again.texts
    np.testing.assert_array_equal(once.confidences, again.confidences)


@pytest.mark.parametrize("hierarchy", ["approximate", "two-reducing", "star-reducing"])
@pytest.mark.parametrize("itg", [False, True])
def test_every_kind_of_hierarchy_translates(engine: Engine, hierarchy: str, itg: bool) -> None:
    found = engine.decode([LINE], limits=SearchLimits(hierarchy=hierarchy, itg=itg, distortion_exponent=1.5))
    assert found.best()[0]


def test_lattices_that_are_none_are_named(engine: Engine) -> None:
    for text, message in [
        ('[[-1, 1, "a", 0]]', "nodes and places are counted from 0"),
        ('[[0, 1, "a", 0, 1, 2]]', "an arc has 4 or 5 values, not 6"),
        ('[[0, 1, "a", 0, 0], [1, 2, "b", 0]]', "others have none"),
    ]:
        with pytest.raises(DataError, match=message):
            Lattice.parse(text)
    long = Lattice(tuple((i, i + 1, "a", 0.0) for i in range(65_535)))
    unreached = Lattice(((0, 2, "a", 0.0), (1, 2, "b", 0.0)))
    for lattice, message in [
        (long, "A lattice has at most 65535 nodes, this one has 65536"),
        (unreached, "Node 1 of a lattice lies on no way from the beginning to the end"),
        (Lattice(((0, 1, "a", 0.0), (1, 1, "b", 0.0), (1, 2, "a", 0.0))), "must lead forward"),
    ]:
        with pytest.raises(DataError, match=message):
            engine.decode([""], constraints=[Constraints(lattice=lattice)])


def test_links_of_a_lattice_name_the_places_of_its_words(engine: Engine) -> None:
    arcs = ((0, 1, "where", 0.0), (1, 2, "is", 0.0), (2, 3, "the", 0.0), (3, 4, "station", 0.0), (4, 5, "?", 0.0))
    places = (9, 7, 5, 3, 1)
    plain = engine.decode([""], constraints=[Constraints(lattice=Lattice(arcs))])
    placed = engine.decode([""], constraints=[Constraints(lattice=Lattice(arcs, places))])
    assert placed.best() == plain.best()
    assert placed.links_of(0).tolist() == [[places[s], t] for s, t in plain.links_of(0).tolist()]
