"""Markup, walls, lattices and the search of limits from the command line."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from dragoman.cli.main import group
from dragoman.errors import DataError
from dragoman.samples import phrasebook
from dragoman.smt import Constraints, Engine, Lattice
from dragoman.smt.asked import parse_plf, prepared_markup, walls_at_punctuation


def run(*words: str, text: str = "") -> Result:
    return CliRunner().invoke(group, list(words), input=text)


def translated(model: Path, text: str, *words: str) -> list[str]:
    done = run("translate", "-m", str(model), *words, text=text)
    assert done.exit_code == 0, (done.stderr, done.exception)
    return done.stdout.splitlines()


def test_markup_is_obeyed(model: Path) -> None:
    text = (
        'Where is <term translation="die Haltestelle">the station</term>?\n'
        "Where is <keep>ACME 3</keep> ?\n"
        "Where <wall/> is the station?\n"
    )
    first, second, third = translated(model, text, "--markup")
    assert "die Haltestelle" in first
    assert "ACME 3" in second
    assert third
    assert "<wall/>" not in third


def test_markup_is_prepared_but_for_what_is_kept(engine: Engine) -> None:
    tokens, asked = prepared_markup(engine, 'Is it, <keep>Mr.  X</keep>, <term translation="der Zug">the train</term>?')
    assert tokens.split()[:5] == ["is", "it", ",", "Mr.", "X"]
    assert [(term.begin, term.end, term.text) for term in asked.terms] == [(3, 5, "Mr. X"), (6, 8, "der Zug")]
    assert walls_at_punctuation(tokens.split()) == (3, 6)


def test_walls_stand_behind_punctuation(model: Path, engine: Engine) -> None:
    line = "Good morning, where is the station?"
    tokens = engine.source.prepare([line])
    walls = walls_at_punctuation(tokens[0].split())
    assert walls
    expected = engine.decode(tokens, constraints=[Constraints(walls=walls)]).best()
    assert translated(model, f"{line}\n", "--walls", "--tokenised") == expected


PLF = "((('where',1.0,1),),(('is',0.5,1),('is the',0.5,2),),(('the',1.0,1),),(('station',1.0,1),),(('?',1.0,1),),)"


def test_lattices_in_json_and_plf(model: Path, engine: Engine) -> None:
    arcs = [[0, 1, "where", 0], [1, 2, "is", 0], [2, 3, "the", 0], [3, 4, "station", 0], [4, 5, "?", 0]]
    expected = engine.decode([""], constraints=[Constraints(lattice=Lattice.parse(json.dumps(arcs)))]).best()
    assert translated(model, json.dumps(arcs) + "\n", "--lattice", "--tokenised") == expected
    assert parse_plf(PLF).arcs[1][:3] == (1, 2, "is")
    assert parse_plf(PLF).arcs[2] == (1, 3, "is the", pytest.approx(-0.6931, abs=1e-4))
    plain = PLF.replace(",('is the',0.5,2)", "")
    assert translated(model, plain + "\n", "--lattice", "--tokenised") == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(((", "expected a lattice in PLF"),
        ("((('a',0,1),),)", "expected a lattice in PLF"),
        ("((('a',1.0,0),),)", "leads backwards"),
        ("__import__('os')", "expected a lattice in PLF"),
    ],
)
def test_wrong_lattices_are_named(model: Path, text: str, message: str) -> None:
    with pytest.raises(DataError, match=message):
        parse_plf(text)
    done = run("translate", "-m", str(model), "--lattice", text=f"{PLF}\n({text}\n")
    assert "Line 2: " in str(done.exception)


def test_an_engine_may_have_walls_wherever_it_searches(engine: Engine) -> None:
    tokens = engine.source.prepare(["If you want, we can meet there, but I am late."])
    walled = engine.with_weights(engine.weights, search=replace(engine.recipe.search, walls=True))
    expected = engine.decode(tokens, constraints=[Constraints(walls=walls_at_punctuation(tokens[0].split()))])
    assert walled.decode(tokens).best() == expected.best()
    assert walled.decode(tokens).scores.tolist() == expected.scores.tolist()
    assert walled.graph(tokens[0]).n_best(1)[0].text == expected.best()[0]
    lattice = Constraints(lattice=Lattice(((0, 1, ",", 0.0),)))
    assert walled.decode([""], constraints=[lattice]).best() == engine.decode([""], constraints=[lattice]).best()


@pytest.mark.parametrize("words", [["--markup", "--nbest", "2"], ["--lattice", "--markup"], ["--walls", "--mbr"]])
def test_what_does_not_go_together(model: Path, words: list[str]) -> None:
    assert run("translate", "-m", str(model), *words).exit_code == 2


def test_limits_are_searched(model: Path, tmp_path: Path) -> None:
    for lang in ("en", "de"):
        (tmp_path / lang).write_text("".join(f"{line}\n" for line in phrasebook()[lang][540:550]))
    done = run(
        "smt",
        "search",
        "-m",
        str(model),
        "--dev-src",
        str(tmp_path / "en"),
        "--dev-ref",
        str(tmp_path / "de"),
        "-p",
        "distortion_limit=6:0:10",
        "--evaluations",
        "3",
        "-o",
        str(tmp_path / "found"),
        "--json",
    )
    assert done.exit_code == 0, (done.stderr, done.exception)
    limit = json.loads(done.stdout)["meta"]["limits"]["distortion_limit"]
    assert Engine.load(tmp_path / "found").recipe.search.distortion_limit == limit
    wrong = run("smt", "search", "-m", "x", "--dev-src", "x", "--dev-ref", "x", "-p", "lm=a", "-o", "y")
    assert wrong.exit_code in (1, 2)
