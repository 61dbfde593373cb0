"""Matches in phrase tables of several levels (Mehdad, Negri & Federico, WMT 2012), by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from dragoman.align.ibm import Diagonal
from dragoman.data import Bitext
from dragoman.qe.features import extract_features
from dragoman.qe.features.base import feature_set
from dragoman.qe.recipes import FeatureRecipe, ResourceRecipe
from dragoman.qe.resources import Resources, build_resources, load_resources
from dragoman.qe.resources.phrase_levels import collapsed, level_lines, units_of
from dragoman.qe.resources.phrase_tables import PhraseTables, PhraseTablesRecipe

# Each word has one translation, and always stands in its place.
SOURCES = ["the house is big", "the dog is small", "a house is small", "a dog is big", "the house", "a dog"] * 4
TARGETS = [
    "das Haus ist gross",
    "das Tier ist klein",
    "ein Haus ist klein",
    "ein Tier ist gross",
    "das Haus",
    "ein Tier",
] * 4


@pytest.fixture(scope="module")
def tables() -> PhraseTables:
    return PhraseTablesRecipe().train(Diagonal().train(SOURCES, TARGETS), SOURCES, TARGETS)


def row(tables: PhraseTables, source: str, target: str, spec: str, **others: object) -> float:
    found = extract_features(
        [source],
        [target],
        FeatureRecipe(features=(f"phrase-match:{spec}",), check_languages=False),
        resources=Resources.of(phrase_tables=tables, **others),
    )
    return float(found.values[0, 0])


def test_overlapping_phrases_all_count_and_directions_differ(tables: PhraseTables) -> None:
    source, target = "the house is big", "das Haus ist klein und alt"
    # the, house, is; "the house", "house is"; "the house is"
    assert [row(tables, source, target, f"of=source,length={n}") for n in (1, 2, 3, 4)] == pytest.approx(
        [3 / 4, 2 / 3, 1 / 2, 0]
    )
    # das, Haus, ist of six; two of five pairs; one of four
    assert [row(tables, source, target, f"of=target,length={n}") for n in (1, 2, 3)] == pytest.approx(
        [3 / 6, 2 / 5, 1 / 4]
    )
    assert row(tables, "the house", "das Haus", "length=5") == 0
    assert row(tables, "", "", "length=1") == 0


def test_what_is_left_out_and_what_is_added_lowers_the_share_of_its_side(tables: PhraseTables) -> None:
    whole, source = "das Haus ist gross", "the house is big"
    said = [
        row(tables, source, target, f"of={side}") for target in (whole, "das Haus") for side in ("source", "target")
    ]
    assert said == [1, 1, 0.5, 1]
    assert row(tables, source, f"{whole} und ein Tier", "of=target") < 1
    assert row(tables, source, f"{whole} und ein Tier", "of=source") == 1


def test_translations_must_be_as_probable_as_asked(tmp_path: Path) -> None:
    sources, targets = ["bank"] * 10, ["Bank"] * 9 + ["Ufer"]
    made = PhraseTablesRecipe().train(Diagonal().train(sources, targets), sources, targets)
    tables = PhraseTables.load(made.save(tmp_path / "tables"))
    assert tables.sizes == made.sizes
    assert row(tables, "bank", "Ufer", "of=source") == 1
    assert row(tables, "bank", "Ufer", "of=source,least=0.5") == 0
    assert row(tables, "bank", "Ufer", "of=target,least=0.5") == 1  # what Ufer comes from is sure
    assert row(tables, "bank", "Bank", "of=source,least=0.5") == 1


def test_lemmas_and_stems_meet_forms_that_the_table_has_not(tables: PhraseTables) -> None:
    languages = {"source": "en", "target": "de"}
    known = PhraseTablesRecipe().train(Diagonal().train(SOURCES, TARGETS), SOURCES, TARGETS, languages=languages)
    assert known.units["source"]["stem"] == "snowball:en"
    assert [row(known, "houses", "Haus", f"unit={unit}") for unit in ("token", "stem")] == [0, 1]
    # Without a language: small letters, and the first letters of a word.
    assert tables.units["source"] == units_of("", has_names=False)
    assert [row(tables, "The", "Das", f"unit={unit}") for unit in ("token", "lemma", "stem")] == [0, 1, 1]
    assert [row(tables, "the houseboat", "Haus", f"unit={unit}") for unit in ("lemma", "stem")] == [0, 0.5]
    assert units_of("xx", has_names=True)["stem"] == "letters:5"


def test_runs_of_one_label_become_one_token() -> None:
    line = ["Anna", "Maria", "lives", "in", "New", "York", "since", "2001", "and", "2002", "."]
    labels = ["person", "person", "", "", "location", "location", "", "numeric", "", "numeric", ""]
    tokens, places = collapsed(line, labels)
    assert " ".join(tokens) == "<person> lives in <location> since <numeric> and <numeric> ."
    assert places == [0, 0, 1, 2, 3, 3, 4, 5, 6, 7, 8]
    assert collapsed(["a", "b"], ["date", "numeric"])[0] == ["<date>", "<numeric>"]


@dataclass
class Given:
    """A tagger that knows its names."""

    known: dict[str, str]

    @dataclass
    class One:
        start: int
        end: int
        kind: str

    def tag(self, token_lines: Sequence[Sequence[str]], *, n_threads: int = 1) -> list[list[Given.One]]:
        return [
            [Given.One(i, i + 1, self.known[w]) for i, w in enumerate(line) if w in self.known] for line in token_lines
        ]


def test_semantic_tables_know_names_that_they_have_never_seen() -> None:
    names = Given(dict.fromkeys(("Anna", "Maria", "Otto", "Zoe", "Müller"), "PER"))
    sources = ["Anna Maria sleeps", "Otto sleeps", "Otto pays 12 euros", "Anna pays 3,50 euros"] * 5
    targets = ["Anna Maria schläft", "Otto schläft", "Otto zahlt 12 Euro", "Anna zahlt 3,50 Euro"] * 5
    taggers = {"source": names, "target": names}
    tables = PhraseTablesRecipe().train(Diagonal().train(sources, targets), sources, targets, names=taggers)
    new = [["Zoe", "Müller", "pays", "99", "euros"]], [["Zoe", "Müller", "zahlt", "99", "Euro"]]
    found = {unit: tables.match(unit, *new, taggers) for unit in ("token", "semantic")}
    np.testing.assert_array_equal(found["semantic"].matched["source"][0], [4, 3, 2, 1, 0])
    np.testing.assert_array_equal(found["semantic"].total["source"][0], [4, 3, 2, 1, 0])
    assert found["token"].matched["source"][0].tolist() == [2, 0, 0, 0, 0]
    lines = level_lines([["on", "12.03.2012", "at", "5", "%"]], "semantic", units_of("", has_names=False), None)
    assert lines.tokens == [["on", "<date>", "at", "<numeric>", "%"]]


def test_the_papers_set_has_thirty_columns_and_ten_semantic_ones(tmp_path: Path) -> None:
    specs = [feature.spec() for feature in feature_set(["clte-adeq12"]) if feature.name == "phrase-match"]
    assert len([spec for spec in specs if "semantic" not in spec]) == 30
    assert len([spec for spec in specs if "semantic" in spec]) == 10
    recipe = ResourceRecipe(also=("phrase-tables",), languages="en-de")
    build_resources(Bitext.from_lines(SOURCES, TARGETS), tmp_path / "resources", recipe)
    resources = load_resources(tmp_path / "resources")
    assert resources.ask("phrase_tables", PhraseTables).units["target"]["stem"] == "snowball:de"
    found = extract_features(SOURCES[:2], TARGETS[:2], FeatureRecipe(features=tuple(specs)), resources=resources)
    assert found.column("phrase-match").tolist() == [1, 1]
