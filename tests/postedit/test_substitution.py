"""Phrases of other engines in the slots of a template."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from dragoman.cli.main import group
from dragoman.errors import DataError
from dragoman.metrics import score
from dragoman.postedit.substitution import FACTORS, Substituter, SubstitutionRecipe, train_substituter
from dragoman.samples import phrasebook

pytest.importorskip("HanTa")
RECIPE = SubstitutionRecipe(target_lang="en", tagger="hanta:lang=en")


def mistaken(word: str) -> str:
    """About half of the longer words are wrong in the template, always in the same way."""
    return f"{word[:-1]}umb" if word.isalpha() and word.islower() and len(word) > 4 and len(word) % 2 else word


def texts(n: int) -> tuple[list[str], dict[str, list[str]], list[str]]:
    """Templates with wrong words, two other outputs that know better but are worse elsewhere, and references."""
    book = phrasebook()["en"]
    refs = [book[place] for place in sorted(range(len(book)), key=lambda place: (place % 5, place))][:n]
    template = [" ".join(map(mistaken, line.split(" "))) for line in refs]
    other = [line.replace(" the ", " a ") for line in refs]
    return template, {"one": other, "two": [line.replace(" is ", " be ") for line in other]}, refs


TEMPLATE, OTHERS, REFS = texts(600)


def part(begin: int, end: int) -> tuple[list[str], dict[str, list[str]], list[str]]:
    return TEMPLATE[begin:end], {name: side[begin:end] for name, side in OTHERS.items()}, REFS[begin:end]


@pytest.fixture(scope="module")
def substituter(tmp_path_factory: pytest.TempPathFactory) -> Substituter:
    trained = train_substituter(*part(0, 450), RECIPE)
    return Substituter.load(trained.save(tmp_path_factory.mktemp("substituter") / "model"))


def test_slots_are_filled_from_others_on_lines_that_were_not_seen(substituter: Substituter) -> None:
    template, others, refs = part(450, 600)
    done = substituter.apply(template, others)
    sheet = score({"template": template, "hybrid": done.lines}, [refs], metrics=["bleu", "ter"])
    assert sheet.values[1, 0, 0] > sheet.values[0, 0, 0]
    assert sheet.values[1, 1, 0] < sheet.values[0, 1, 0]
    chosen = [each for each in done.slots if each.chosen]
    assert chosen
    for each in chosen:
        assert each.worth > 0
        assert tuple(name for name, _ in each.factors) == FACTORS
        assert each.candidate in done.lines[each.line - 1]
        assert each.template in template[each.line - 1]
        assert each.candidate in OTHERS[each.system][450 + each.line - 1]


def test_the_share_of_equal_candidates_counts_the_template_too(substituter: Substituter) -> None:
    done = substituter.apply(["The coach is late."], {"one": ["The bus is late."], "two": ["The bus is late."]})
    factors = {each.candidate: dict(each.factors) for each in done.slots}
    assert factors["The bus"]["frequency"] == pytest.approx(2 / 3)
    assert factors["The bus"]["context tags"] == 1.0
    assert {each.system for each in done.slots} == {"one"}  # the same phrase is a candidate once


def test_numbers_and_names_stay_and_lines_without_a_candidate_are_what_they_were(substituter: Substituter) -> None:
    lines = ["Room 12  is free.", "", "Anna sees {name}.", "nothing alike"]
    others = {"one": ["Room 13 is free.", "", "Eva sees {other}.", "xyz"]}
    assert substituter.apply(lines, others).lines == tuple(lines)


def test_what_is_missing_is_named(substituter: Substituter) -> None:
    with pytest.raises(DataError, match="say who gives them: --tagger hanta:lang=de"):
        train_substituter(*part(0, 20), SubstitutionRecipe())
    with pytest.raises(DataError, match="There is no other output to take phrases from"):
        substituter.apply(["a"], {})


def test_the_command_learns_applies_and_logs_every_decision(tmp_path: Path) -> None:
    template, others, refs = part(0, 300)
    for name, side in {"rules": template, "ref": refs, **others}.items():
        (tmp_path / name).write_text("\n".join(side) + "\n")
    files = [str(tmp_path / name) for name in ("rules", "one", "two")]
    model = ["-m", str(tmp_path / "model")]
    learn = ["-r", str(tmp_path / "ref"), "--tagger", "hanta:lang=en", "--learner", "ridge", "--target-lang", "en"]
    done = CliRunner().invoke(group, ["postedit", "substitute", *files, *model, *learn])
    assert done.exit_code == 0, done.output
    again = CliRunner().invoke(group, ["postedit", "substitute", *files, *model])
    assert again.output == done.output
    assert len(again.output.splitlines()) == 300
    log = json.loads(CliRunner().invoke(group, ["postedit", "substitute", *files, *model, "--json"]).output)
    assert {"line", "begin", "end", "template", "system", "candidate", "factors", "chosen"} <= log["meta"]["slots"][
        0
    ].keys()
