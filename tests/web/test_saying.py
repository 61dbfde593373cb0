"""What results say, on pages in every language: catalogues of sentences, and what stays as it is."""

from __future__ import annotations

import ast
import re
import string
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import dragoman
from dragoman.errors import DataError
from dragoman.human.agreement import agree
from dragoman.human.dynamic import standing
from dragoman.human.planning import plan
from dragoman.human.protocol import Assignment
from dragoman.human.quality import quality_of_annotators
from dragoman.human.simulated import simulate_answers, simulate_judges
from dragoman.metrics.meta import meta_evaluate
from dragoman.report import Column, Figure, Result, Sentence, Table, joined
from dragoman.web.catalogue import LANGUAGES, words_in
from dragoman.web.desk import Job, Upload, checked_options
from dragoman.web.desk.jobs import check_job
from dragoman.web.refusals import sentence_of
from dragoman.web.saying import said
from tests.human.protocol_examples import NAMES, example
from tests.metrics.comparisons import compare

ROOT = Path(dragoman.__file__).parent
OTHERS = [lang for lang in LANGUAGES if lang != "en"]
ROOMS = ("human", "metrics", "ranking", "web")  # whose sentences pages show
# Titles that are names: of a measure, of a method with its language pair.
NAMED = re.compile(r"HMEANT.*|kappa|Agreement: kappa|de-en: .*")


def sections(lang: str) -> dict[str, dict[str, str]]:
    return tomllib.loads((ROOT / "web" / "words" / "sentences" / f"{lang}.toml").read_text(encoding="utf-8"))


@cache
def constants() -> tuple[frozenset[str], frozenset[str]]:
    """All texts in the source, and those that are patterns of sentences."""
    texts, patterns = set(), set()
    for path in ROOT.rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        texts |= {
            node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)
        }
        if path.relative_to(ROOT).parts[0] in ROOMS:
            calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and node.args]
            given = [call.args[0] for call in calls if isinstance(call.func, ast.Name) and call.func.id == "Sentence"]
            patterns |= {each.value for each in given if isinstance(each, ast.Constant)}
    return frozenset(texts), frozenset(patterns)  # type: ignore[arg-type]


def values_of(pattern: str) -> set[str]:
    return {str(name) for _, name, _, _ in string.Formatter().parse(pattern) if name is not None}


@pytest.mark.parametrize("lang", OTHERS)
def test_catalogues_hold_what_the_rooms_say_and_nothing_else(lang: str) -> None:
    texts, patterns = constants()
    known = words_in(lang).sentences
    assert len(known) == sum(map(len, sections(lang).values())), "a pattern stands in two sections"
    assert set(known) == set(words_in(OTHERS[0]).sentences)
    assert set(known) <= texts, "no room says this any more"
    assert patterns <= set(known), "a room says something that the catalogue does not have"
    for pattern, text in known.items():
        assert text.strip()
        assert values_of(text) == values_of(pattern), pattern


def results(name: str) -> Iterator[Result]:
    """What pages show of the example of a protocol, filled by a careful and a careless judge."""
    manifest = example(name)
    protocol = manifest.protocol
    assignments = plan(manifest).assignments
    people = list(dict.fromkeys(each.annotator for each in assignments))
    care = {person: 0.0 if n == 0 else 1.0 for n, person in enumerate(people)}
    yield protocol.analyse(simulate_judges(protocol, assignments, care, seed=1))
    given = simulate_answers(protocol, assignments, care, seed=1)
    answers = {(each.annotator, item.id): answer for each, item, answer in given}
    yield quality_of_annotators(protocol, assignments, answers)
    for share in (1, 20):
        some: list[Assignment] = list(assignments)[::share]
        seen = {(each.annotator, item.id) for each in some for item in each.task.items}
        yield standing(protocol, assignments, {key: answer for key, answer in answers.items() if key in seen})


def sentences(text: str) -> Iterator[Sentence]:
    if isinstance(text, Sentence):
        yield text
        for value in text.values.values():
            if isinstance(value, str):
                yield from sentences(value)


@pytest.mark.parametrize("name", NAMES)
def test_everything_that_a_campaign_says_is_told_in_every_language(name: str) -> None:
    for result in results(name):
        drawn = result.figures()
        for table in [*result.tables(), *(figure.table for figure in drawn)]:
            for cell in (cell for row in table.rows for cell in row if isinstance(cell, str)):
                assert all(words_in(lang).knows(part) for part in sentences(cell) for lang in OTHERS), cell
            assert not table.note or isinstance(table.note, Sentence), f"{table.title}: {table.note}"
            for part in sentences(table.note):
                assert all(words_in(lang).knows(part) for lang in OTHERS), part.pattern
        for title in [*(table.title for table in result.tables()), *(figure.title for figure in drawn)]:
            assert NAMED.fullmatch(title) or all(words_in(lang).knows(title) for lang in OTHERS), title


def test_agreement_says_how_it_was_counted() -> None:
    manifest = example("ranking")
    assignments = plan(manifest).assignments
    care = dict.fromkeys((each.annotator for each in assignments), 1.0)
    note = agree(simulate_judges(manifest.protocol, assignments, care, seed=1)).tables()[0].note
    told = words_in("de").told(note)
    assert re.match(r"\d+ Urteile \(\u2068relative-ranking\u2069\); Zählweise \u2068clean\u2069 \(inter: versch", told)
    assert told.endswith("95%-Intervalle aus 1000 Ziehungen von Segmenten, Startwert 12345.")


def test_a_sentence_is_told_with_its_values() -> None:
    reason = Sentence("but {what}", what=Sentence("the same answer {n} times running", n=8))
    flags = joined([reason, Sentence("under {seconds:g} s an item", seconds=3.0)], "{first}; {rest}")
    assert flags == "but the same answer 8 times running; under 3 s an item"
    assert words_in("de").told(flags) == "aber dieselbe Antwort 8-mal hintereinander; unter 3 s je Stück"
    assert words_in("ar").told(flags) == "لكن الإجابة نفسها 8 مرة متتالية؛ أقل من 3 ث للعنصر"
    assert words_in("en").told(flags) == flags
    assert words_in("en").knows(flags)
    names = Sentence("Without a place of their own: {names}.", names="أطلس {x}")
    assert words_in("es").told(names) == "Sin puesto propio: \u2068أطلس {x}\u2069."
    strange = Sentence("{n} things nobody has translated", n=2)
    assert words_in("de").told(strange) == "2 things nobody has translated"
    assert not words_in("de").knows(strange)


def test_names_and_what_people_wrote_stay() -> None:
    """A system called `screen`, and a reason that a manager typed."""
    rows = [("screen", "careless", "screen", Sentence("agrees with the others"), 1.5, None)]
    columns = ["system", "verdict", "reason", "flags", Column("value", digits=1), "lost"]
    table = Table.of("Annotators", columns, rows, note=Sentence("{said}.", said="x"))
    told = said(table, words_in("es"))
    assert told.rows == (("screen", "sin cuidado", "screen", "coincide con los demás", 1.5, None),)
    assert [column.label for column in told.columns][2:] == ["motivo", "avisos", "valor", "perdidas"]
    assert told.columns[4].digits == 1
    assert (told.title, told.note) == ("Evaluadores", "\u2068x\u2069.")
    figure = said(Figure("p of the difference", "bar", table, x="system", y="value"), words_in("es"))
    assert (figure.title, figure.heading("value")) == ("p de la diferencia", told.columns[4].label)
    assert said(table, words_in("en")).rows == table.rows


SYSTEMS = {name: [f"{name} says {n}" for n in range(8)] for name in ("a", "b", "c", "d", "e")}
REFS = {"one": [f"a says {n}" for n in range(8)], "two": [f"b said {n}" for n in range(8)]}


def test_notes_of_the_desk_are_told_in_every_language() -> None:
    scores = {
        "bleu": dict(zip("abcdef", range(6), strict=True)),
        "odd": dict(zip("abcdef", range(6, 0, -1), strict=True)),
    }
    people = dict(zip("abcdef", (1.0, 3.0, 2.0, 4.0, 6.0, 5.0), strict=True))
    compared = compare(SYSTEMS, REFS, metrics=["bleu", "ter"], trials=20)
    notes = [
        *(table.note for table in (compared.pair_table(), compared.score_table(), *compared.matrices())),
        *(table.note for table in meta_evaluate(scores, people).tables()),
    ]
    assert all(notes)
    for note in notes:
        assert isinstance(note, Sentence), note
        for part in sentences(note):
            assert all(words_in(lang).knows(part) for lang in OTHERS), part.pattern


@pytest.mark.parametrize("lang", OTHERS)
@pytest.mark.parametrize(
    ("task", "options"),
    [
        ("score", {"metrics": "bleu " * 1 + " ".join(f"m{n}" for n in range(12))}),
        ("score", {"metrics": "nothing"}),
        ("score", {"metrics": "../x"}),
        ("score", {"level": "word"}),
        ("score", {"trials": "many"}),
        ("score", {"trials": "0"}),
        ("compare", {"alpha": "small"}),
        ("meta", {"pair": "?"}),
    ],
)
def test_errors_at_forms_are_told_in_every_language(lang: str, task: str, options: dict[str, str]) -> None:
    with pytest.raises(DataError) as caught:
        checked_options(task, options)
    said = sentence_of(caught.value)
    assert said == str(caught.value)
    assert words_in(lang).knows(said)
    assert words_in(lang).told(said) != said


@pytest.mark.parametrize("lang", OTHERS)
@pytest.mark.parametrize(
    "files",
    [
        {},
        {"systems": [Upload("a", b"x")]},
        {"systems": [Upload(f"a{n}", b"x") for n in range(60)]},
        {"systems": [Upload("a", b"x")] * 2},
        {"systems": [Upload("a/b", b"x"), Upload("c", b"x")]},
        {"systems": [Upload("a", b"PK\x03\x04"), Upload("c", b"x")]},
        {"systems": [Upload("a", b" "), Upload("c", b"x")]},
    ],
)
def test_errors_at_files_are_told_in_every_language(lang: str, files: dict[str, list[Upload]]) -> None:
    with pytest.raises(DataError) as caught:
        check_job(Job("compare", files, {}))
    assert words_in(lang).told(sentence_of(caught.value)) != str(caught.value)
