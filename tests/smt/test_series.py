"""Factored setups of several searches, one behind the other, with lattices between them."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest

from dragoman.data.bitext import Bitext
from dragoman.data.testset import TestSet
from dragoman.engines import Request
from dragoman.errors import DataError
from dragoman.smt import Engine, EngineRecipe
from dragoman.smt.constraints import Constraints, Lattice
from dragoman.smt.factors import FactorSection
from dragoman.smt.inspection import inspect_engine
from dragoman.smt.recipe import changed
from dragoman.smt.series import lattice_phrases, passed_on
from dragoman.smt.training import train_engine
from dragoman.text.conllu import Sentence, write_conllu

PLAIN = ["tune.method=none", "classes.number=0", "features=", "align.method=diagonal", "lm.order=3", "text.related=no"]
STEMS = "factors.target=L=snowball:lang=de"


@pytest.fixture(scope="module")
def small(book: dict[str, list[str]]) -> Bitext:
    return Bitext.from_lines(book["en"][:200], book["de"][:200], source_lang="en", target_lang="de")


def recipe(*settings: str) -> EngineRecipe:
    return changed(EngineRecipe(source_lang="en", target_lang="de"), [*PLAIN, *settings])


@pytest.fixture(scope="module")
def inflecting(small: Bitext, tmp_path_factory: pytest.TempPathFactory) -> tuple[Engine, Path]:
    """tF-L=tL-F, both searches tuned for two rounds, with where it is saved."""
    folder = tmp_path_factory.mktemp("inflecting")
    sources, targets = zip(*list(small)[:30], strict=True)
    dev = TestSet(srcs=sources, refs={"ref": targets})
    asked = recipe("factors.setup=tF-L=tL-F", STEMS, "tune.method=mira:rounds=2")
    done = train_engine(small, asked, work=folder / "work", output=folder / "engine", dev=dev, report=False)
    assert [name for name, *_ in done.steps][-5:] == ["lm.lm-L", "search-1", "tune-1", "search-2", "tune"]
    return done.engine, folder / "engine"


def ways(lattice: Lattice) -> dict[str, float]:
    following: dict[int, list[tuple[int, str, float]]] = defaultdict(list)
    for begin, end, token, score in lattice.arcs:
        following[begin].append((end, token, score))
    last = max(end for _, end, _, _ in lattice.arcs)
    found: dict[str, float] = {}

    def walk(node: int, tokens: list[str], total: float) -> None:
        if node == last:
            found[" ".join(tokens)] = total
        for end, token, score in following[node]:
            walk(end, [*tokens, token], total + score)

    walk(0, [], 0.0)
    return found


def test_a_lattice_has_the_translations_of_the_search_before_and_their_scores(
    small: Bitext, inflecting: tuple[Engine, Path]
) -> None:
    first = inflecting[0].before
    assert first is not None
    decoded = first.decode(first.source.prepare([source for source, _ in small][:20]), n_best=7)
    for sentence, asked in enumerate(passed_on(decoded)):
        assert asked.lattice is not None
        paths = decoded.paths(sentence)
        best = float(decoded.scores[paths[0]])
        expected = {decoded.texts[path]: float(decoded.scores[path]) - best for path in paths}
        assert ways(asked.lattice) == pytest.approx(expected, abs=1e-6)
        assert len(asked.lattice.places) == len(asked.lattice.arcs)


def test_phrases_of_a_lattice() -> None:
    lattice = Lattice(((0, 1, "a", 0.0), (0, 2, "b", 0.0), (1, 3, "c", 0.0), (2, 3, "d", 0.0)))
    assert sorted(lattice_phrases(lattice, 2)) == ["a c", "b d", "c", "d"]
    assert sorted(lattice_phrases(lattice, 1)) == ["a", "b", "c", "d"]


def test_a_second_search_that_changes_nothing_gives_what_the_first_one_does(small: Bitext, tmp_path: Path) -> None:
    (tmp_path / "none.aff").write_text("SET UTF-8\n")
    (tmp_path / "none.dic").write_text("0\n")
    constant = f"factors.target=X=hunspell:dictionary={tmp_path / 'none'}"
    lines = [source for source, _ in small][:60]
    plain = train_engine(small, recipe(), work=tmp_path / "work").engine
    asked = recipe("factors.setup=tF-FaX=tFaX-F", constant, "factors.modelled=none", "factors.passed=1")
    series = train_engine(small, asked, work=tmp_path / "work").engine
    assert series.translate([*lines, "", "xyzzy"]) == [*plain.translate(lines), "", "Xyzzy"]


def test_stems_are_inflected_saved_and_linked(small: Bitext, inflecting: tuple[Engine, Path]) -> None:
    engine, folder = inflecting
    assert "lattice" in engine.weights
    lines = [source for source, _ in small][:30]
    output = engine.translate(lines)
    loaded = Engine.load(folder)
    assert loaded.translate(lines) == output
    first = loaded.before
    assert first is not None
    stems = first.decode(first.source.prepare(lines)).best()
    assert stems != [line.lower() for line in output]
    answer = engine.translations(lines[:1], Request(alignment=True))[0].candidates[0]
    tokens = engine.source.prepare(lines[:1])[0].split()
    assert answer.alignment
    assert {source for source, _ in answer.alignment} <= set(range(len(tokens)))
    parts = dict(inspect_engine(folder).tables()[0].rows)
    assert (parts["factors before"], parts["factors"]) == ("tF-L=tL-F, search 1", "tF-L=tL-F, search 2")
    assert "pairs of" in parts["phrases before"]
    with pytest.raises(DataError, match="is told nothing of a translation but its source"):
        engine.decode(["a"], constraints=[Constraints()])


def test_a_middle_of_two_factors_with_a_path_that_ignores_one(small: Bitext, tmp_path: Path) -> None:
    makers = "factors.target=L=snowball:lang=de+X=snowball:lang=en"
    asked = recipe("factors.setup=tF-LaX=tLaX-F:tL-F", makers)
    engine = train_engine(small, asked, work=tmp_path).engine
    assert {"path1.tLaX-F.1", "path2.tL-F.1", "lattice"} <= set(engine.weights)
    assert engine.before is not None
    assert {"lm", "lm-X"} <= set(engine.before.weights)
    assert not any("￨" in line for line in engine.translate([source for source, _ in small][:20]))


def test_w12_cub_middle_factors_are_made_of_lemmas_and_tags(tmp_path: Path) -> None:
    rows = [("lidé", "člověk", "NNMP1-----A---1"), ("by", "být", "Vc-------------")]
    forms, lemmas, tags = map(list, zip(*rows, strict=True))
    write_conllu(tmp_path / "tags.conllu", [Sentence.of(forms, lemmas=lemmas, xpos=tags)])
    file = tmp_path / "tags.conllu"
    section = FactorSection(
        setup="tF-LOF.MOT=tLOF.MOT-F", target=(f"L=conllu:{file},give=lemma", f"T=conllu:{file},give=xpos")
    ).check()
    assert section.values("target", ["lidé by"], ["LOF.MOT"]) == [[["člověk+NMP1-A", "by+V-----"]]]
    assert [each.given for each in section.searches] == [("LOF.MOT",), ("F",)]
    with pytest.raises(DataError, match="The factor T of the target has no maker"):
        FactorSection(setup="tF-LOF.MOT=tLOF.MOT-F", target=(f"L=conllu:{file},give=lemma",)).check()
