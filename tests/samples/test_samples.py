from __future__ import annotations

import csv
import re
import unicodedata
from collections import Counter
from pathlib import Path

import pytest

from dragoman.errors import DataError, UnknownName
from dragoman.files import read_lines
from dragoman.samples import PHRASEBOOK_LANGS, copy_samples, phrasebook, sample_path

TESTSET_STREAMS = [
    "source.de",
    "reference-A.en",
    "reference-B.en",
    *(f"systems/{s}.en" for s in ["atlas", "borealis", "cobalt", "dune", "ember"]),
]


def test_the_phrasebook_is_parallel_and_without_repeats() -> None:
    columns = phrasebook()
    assert list(columns) == ["id", "domain", *PHRASEBOOK_LANGS]
    assert len(columns["en"]) == 600
    assert Counter(columns["domain"]) == {"travel": 150, "office": 150, "software": 150, "news": 150}
    for name in ("id", *PHRASEBOOK_LANGS):
        assert len(set(columns[name])) == 600
        assert all(text and text == text.strip() and unicodedata.is_normalized("NFC", text) for text in columns[name])


def test_the_phrasebooks_words_recur_so_that_an_engine_can_learn() -> None:
    for lang in PHRASEBOOK_LANGS:
        words = Counter(word for line in phrasebook()[lang] for word in re.findall(r"\w+", line.lower()))
        seen_once = sum(1 for count in words.values() if count == 1)
        assert seen_once / words.total() < 0.13  # of running words
        assert words.total() / len(words) > 3


def test_the_phrasebook_keeps_each_languages_punctuation() -> None:
    columns = phrasebook()
    for spanish in columns["es"]:
        assert spanish.count("¿") == spanish.count("?")
        assert spanish.count("¡") == spanish.count("!")
    for french in columns["fr"]:
        assert not re.search(r"[^\u00a0\u202f?!»][;?!»]", french), french
        assert "'" not in french


@pytest.mark.parametrize("name", TESTSET_STREAMS)
def test_the_test_set_has_80_segments_everywhere(name: str) -> None:
    lines = read_lines(sample_path(f"testset/{name}"))
    assert len(lines) == 80
    assert [i for i, line in enumerate(lines, start=1) if not line] == ([63] if "ember" in name else [])


def test_the_judgements_name_systems_and_segments_that_exist() -> None:
    systems = {Path(name).stem for name in TESTSET_STREAMS if name.startswith("systems/")}
    with sample_path("testset/judgements/ranking.csv").open(encoding="utf-8") as stream:
        tasks = list(csv.DictReader(stream))
    assert len(tasks) == 180
    for task in tasks:
        assert {task[f"system{i}Id"] for i in range(1, 6)} == systems
        assert all(task[f"system{i}rank"] in {"-1", "1", "2", "3", "4", "5"} for i in range(1, 6))
        assert 1 <= int(task["segmentId"]) <= 80
    with sample_path("testset/judgements/da.csv").open(encoding="utf-8") as stream:
        items = list(csv.DictReader(stream))
    assert Counter(item["type"] for item in items) == {"TGT": 272, "BAD": 48, "CHK": 48, "REF": 32}
    assert {item["system"] for item in items} == systems | {"reference-A"}
    assert all(0 <= int(item["score"]) <= 100 for item in items)


def test_copying_writes_every_sample_and_says_what_it_is(tmp_path: Path) -> None:
    result = copy_samples(tmp_path / "s")
    names = {row["file"] for row in result.to_dict()["rows"]}
    on_disk = {p.relative_to(tmp_path / "s").as_posix() for p in (tmp_path / "s").rglob("*") if p.is_file()}
    assert names == on_disk
    package = sample_path("phrasebook.tsv").parent
    assert {p.relative_to(package).as_posix() for p in package.rglob("*.*") if p.suffix not in {".py", ".pyc"}} <= names
    assert read_lines(tmp_path / "s" / "phrasebook.fr") == phrasebook()["fr"]
    assert copy_samples(tmp_path / "s") == result


def test_wrong_names_and_places_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match=r"There is no sample 'testset/source\.fr'\. Known: .*testset/source\.de"):
        sample_path("testset/source.fr")
    (tmp_path / "file").touch()
    with pytest.raises(DataError, match="is a file; name a folder"):
        copy_samples(tmp_path / "file")


@pytest.mark.parametrize("name", ["interpolated", "selected", "numbers", "queries"])
def test_the_medical_recipes_are_recipes_with_texts_beside_them(name: str) -> None:
    from dragoman.smt.corpora import read_corpus_tables
    from dragoman.smt.recipe import EngineRecipe

    path = sample_path(f"recipes/medical-{name}.toml")
    recipe, corpora = EngineRecipe.read(path).check(), read_corpus_tables(path)
    assert (recipe.source_lang, recipe.target_lang) == ("de", "en")
    assert [corpus.role for corpus in corpora].count("tune") == 1
    assert all(corpus.check() for corpus in corpora)
