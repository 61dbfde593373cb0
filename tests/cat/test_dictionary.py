"""Entries for a rule-based engine's dictionary: which phrases, how likely, and what is known already."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

import pytest
from click.testing import CliRunner

from dragoman.cat.dictionary import DictionaryEntries, Tagging, extract_entries
from dragoman.cat.term_files import read_glossary, write_glossary
from dragoman.cat.terms import Glossary, Term
from dragoman.cli.main import group
from dragoman.samples import phrasebook
from dragoman.text.annotate.base import TypeAnnotator

TAGS = (
    {"automaker": "NOUN", "peace": "NOUN", "agreement": "NOUN", "global": "ADJ", "accord": "NOUN", "de": "ADP"}
    | {"paix": "NOUN", "constructeur": "NOUN", "automobile": "ADJ", "fabricant": "NOUN", "envisager": "VERB"}
    | {"contemplate": "VERB", "penser": "VERB", "paris": "PROPN", "2012": "NUM", "the": "DET", "le": "DET"}
)


class ByTable(TypeAnnotator[str]):
    """Tags of a table."""

    name: ClassVar[str] = "by-table"
    layers: ClassVar[tuple[str, ...]] = ("pos",)

    def _annotate_types(self, words: Sequence[str]) -> list[str]:
        return [TAGS.get(word.lower(), "X") for word in words]


def entries(pairs: list[tuple[str, str]], **options: object) -> DictionaryEntries:
    links = [[(n, n) for n in range(min(len(s.split()), len(t.split())))] for s, t in pairs]
    tagging = Tagging(ByTable())
    srcs, tgts = [s for s, _ in pairs], [t for _, t in pairs]
    return extract_entries(srcs, tgts, (tagging, tagging), links=links, **options)  # type: ignore[arg-type]


def test_probability_is_the_count_of_the_pair_by_the_frequency_of_the_key() -> None:
    # PROMT, WMT 2012: automaker 7, constructeur automobile 3 of 7; contemplate 452, envisager 181 of 452 = 0.400442.
    pairs = [("automaker", "constructeur")] * 3 + [("automaker", "fabricant")] * 2 + [("automaker", "le")] * 2
    pairs += [("contemplate", "envisager")] * 181 + [("contemplate", "penser")] * 271
    rows = [(e.key, e.frequency, e.translation, round(e.probability, 6), e.pos) for e in entries(pairs).entries]
    assert rows == [
        ("contemplate", 452, "penser", round(271 / 452, 6), "v"),
        ("contemplate", 452, "envisager", 0.400442, "v"),
        ("automaker", 7, "constructeur", 0.428571, "n"),
    ]


def test_noun_phrases_are_entries_and_names_numbers_and_ends_are_not() -> None:
    links = [[(0, 3), (1, 2), (2, 0), (2, 1)]] * 3
    tagging = Tagging(ByTable())
    found = extract_entries(
        ["global peace agreement"] * 3, ["accord de paix global"] * 3, (tagging, tagging), links=links
    )
    assert ("global peace agreement", "accord de paix global") in {(e.key, e.translation) for e in found.entries}
    others = entries([("Paris", "Paris")] * 5 + [("2012", "2012")] * 5 + [("the automaker", "le fabricant")] * 5)
    assert [(e.key, e.translation) for e in others.entries] == [("automaker", "fabricant")]
    assert not entries([("automaker", "envisager")] * 5).entries  # a noun is not translated by a verb here


def test_what_the_dictionary_has_is_left_out_and_other_translations_are_variants(tmp_path: Path) -> None:
    pairs = [("automaker", "constructeur")] * 3 + [("automaker", "fabricant")] * 3 + [("peace", "paix")] * 3
    known = Glossary((Term("Automaker", "Fabricant"),), "en", "fr")
    found = entries(pairs, known=known, source_lang="en", target_lang="fr")
    assert [(e.key, e.translation, e.is_variant) for e in found.entries] == [
        ("automaker", "constructeur", True),
        ("peace", "paix", False),
    ]
    for name in ("terms.tbx", "terms.csv"):
        write_glossary(found.glossary(), tmp_path / name)
        back = read_glossary(tmp_path / name, "en", "fr").terms
        assert [(t.source, t.target, t.status) for t in back] == [
            ("automaker", "constructeur", "admitted"),
            ("peace", "paix", "preferred"),
        ]


def test_rare_and_unsure_ones_are_left_out() -> None:
    assert not entries([("automaker", "constructeur")] * 2).entries
    assert not entries([("automaker", "constructeur")] * 2 + [("automaker", "le")] * 5).entries
    assert len(entries([("automaker", "constructeur")] * 2, least_frequency=2).entries) == 1


def test_the_command_asks_who_tags_and_writes_entries(tmp_path: Path) -> None:
    for lang in ("en", "de"):
        (tmp_path / f"book.{lang}").write_text("\n".join(phrasebook()[lang]) + "\n")
    files = ["cat", "terms", str(tmp_path / "book.en"), str(tmp_path / "book.de")]
    done = CliRunner().invoke(group, [*files, "--entries"])
    assert (done.exit_code, "Say who tags both sides: --layer source.pos=" in done.output) == (2, True)
    refused = CliRunner().invoke(group, [*files, "--layer", "pos=hanta"])
    assert (refused.exit_code, "--known and --layer go with --entries" in refused.output) == (2, True)
    pytest.importorskip("HanTa")
    layers = ["--layer", "source.pos=hanta", "--layer", "pos=hanta", "--glossary", str(tmp_path / "terms.csv")]
    done = CliRunner().invoke(group, [*files, "--entries", *layers, "--form", "csv"])
    assert done.exit_code == 0, done.output
    first, *rows = done.output.splitlines()
    assert first == "key,frequency,translation,probability,pos,state"
    assert any(row.startswith("train,") and ",zug," in row for row in rows)
    assert len(read_glossary(tmp_path / "terms.csv", "en", "de").terms) == len(rows)
