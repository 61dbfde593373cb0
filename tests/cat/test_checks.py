"""Checks of translations: what each finds, and where."""

from __future__ import annotations

from pathlib import Path

import pytest

from dragoman.cat.checks import CHECKS, CheckReport, Pair, check_pair, check_pairs
from dragoman.cat.segments import Code

CODES = (Code("<b>", "open", "b", "b"), Code("</b>", "close", "b", "/b"), Code("<br/>", shown="br"))

CASES = [
    # check, source, target, message, spans in the source, spans in the target
    ("codes", "a\ue000b\ue001", "a\ue000b", "Missing codes: /b.", ["\ue001"], []),
    ("codes", "ab\ue002", "a\ue002b\ue002", "Codes that the source has not, or not so often: br.", [], ["\ue002"] * 2),
    ("code-pairs", "\ue000a\ue001", "\ue001a\ue000", "Codes that open and close do not fit: b, /b.", [], None),
    ("code-pairs", "\ue000a\ue001", "\ue000a", "Codes that open and close do not fit: b.", [], ["\ue000"]),
    ("code-order", "\ue000a\ue001\ue002", "\ue002\ue000a\ue001", "The codes stand in another order.", None, None),
    ("code-spaces", "a \ue002 b", "a\ue002b", "Other spaces around codes than in the source: br.", None, ["\ue002"]),
    ("numbers", "1,000 of 12", "1.000 von 13", "The translation lacks numbers: 12.", ["12"], []),
    ("numbers", "a ١٢", "a 12 13", "The source has no such numbers: 13.", [], ["13"]),
    ("placeholders", "%1$s of {name}", "{nom} von %1$s", "The translation lacks placeholders: {name}.", ["{name}"], []),
    ("placeholders", "see it", "https://x.org/a", "The source has no such placeholders: https://x.org/a.", [], None),
    ("end-mark", "Really?", "Wirklich.", "The source ends with '?', the translation ends with '.'.", ["?"], ["."]),
    ("end-mark", "Done", "Fertig。", "The source has no mark at its end, the translation ends with '.'.", [], ["。"]),
    ("brackets", "(a) b", "(a b", "A bracket is not closed, or not opened.", [], ["("]),
    ("symbols", "R&D = 5 %", "FuE = 5", "Not as often as in the source: & %.", ["&", "%"], []),
    ("spaces", "a ", "a", "Space at the end on one side alone.", [" "], []),
    ("spaces", "a\nb", "a b", "The source has 1 line breaks, the translation 0.", [], []),
    ("spaces", "a b", "a  b", "Several spaces in a row.", [], ["  "]),
    ("capital", "The", "die", "The first letters differ in case.", ["T"], ["d"]),
    ("untranslated", "Open file 3", "open FILE 3", "The translation is the source.", None, None),
    ("double-words", "in the house", "in in dem Haus", "A word stands twice: in in.", [], ["in in"]),
    ("length", "x" * 30, "yy", "The translation is 15.0 times shorter than the source.", [], []),
]


@pytest.mark.parametrize(("name", "source", "target", "message", "in_source", "in_target"), CASES)
def test_what_a_check_finds(
    name: str, source: str, target: str, message: str, in_source: list[str] | None, in_target: list[str] | None
) -> None:
    findings = check_pair(Pair(source, target, CODES), [CHECKS.make(name)])
    finding = next(each for each in findings if each.message == message)
    for text, spans, wanted in ((source, finding.source, in_source), (target, finding.target, in_target)):
        assert wanted is None or [text[begin:end] for begin, end in spans] == wanted


@pytest.mark.parametrize(
    ("source", "target", "langs"),
    [
        ("It costs $1,250.50 (plus 7%).", "Es kostet 1.250,50 $ (plus 7 %).", ("en", "de")),
        ("Is it?", "Είναι;", ("en", "el")),
        ("He left.", "他走了。", ("en", "zh")),
        ("Wait...", "Warte …", ("en", "de")),
        ("He said “go.”", "Er sagte „geh“.", ("en", "de")),
        ("OK", "OK", ("en", "de")),
        ("that that is", "was was ist", ("en", "de")),
    ],
)
def test_what_languages_write_differently_is_no_mistake(source: str, target: str, langs: tuple[str, str]) -> None:
    findings = check_pair(Pair(source, target, CODES, None, *langs))
    assert [each for each in findings if each.check != "capital"] == []


def test_what_a_unit_allows() -> None:
    (finding,) = check_pair(Pair("File", "Datei öffnen", max_length=5), [CHECKS.make("length")])
    assert finding.message == "The translation has 12 characters; 5 are allowed."
    assert (finding.severity, finding.target) == ("error", ((5, 12),))


def test_terms_of_a_glossary(tmp_path: Path) -> None:
    path = tmp_path / "terms.tsv"
    path.write_text("hard disk\tFestplatte\ndisk\tDiskette\tforbidden\n")
    check = CHECKS.make(f"terms:glossary={path}")
    pairs = [
        Pair("Hard disks fail.", "Platten versagen.", source_lang="en", target_lang="de"),
        Pair("a disk", "eine Diskette", source_lang="en", target_lang="de"),
    ]
    (missing,), (forbidden,) = check_pairs(pairs, [check])
    assert (missing.message, missing.source) == ("'Hard disks' should be 'Festplatte'.", ((0, 10),))
    assert (forbidden.message, forbidden.target) == ("'disk' must not be 'Diskette'.", ((5, 13),))


def test_spelling_by_a_dictionary(tmp_path: Path) -> None:
    (tmp_path / "de_DE.aff").write_text("SET UTF-8\nSFX A Y 1\nSFX A 0 s .\n")
    (tmp_path / "de_DE.dic").write_text("3\nHaus\ndas\nAuto/A\n")
    for where, lang in ((tmp_path, "de"), (tmp_path, "de-AT"), (tmp_path / "de_DE.dic", "de")):
        check = CHECKS.make(f"spelling:dictionaries={where}")
        (finding,) = check_pair(Pair("ACME cars", "das Hauss, Autos ACME", target_lang=lang), [check])
        assert (finding.message, finding.target) == ("Not in the dictionary: Hauss.", ((4, 9),))
    assert check_pair(Pair("a", "Hauss", target_lang="fr"), [CHECKS.make(f"spelling:dictionaries={tmp_path}")]) == []


def test_the_same_source_with_several_targets() -> None:
    texts = [("a \ue000b", "x\ue000"), ("a \ue003b", "x\ue003"), ("a \ue000b", "y\ue000"), ("a \ue000b", "")]
    pairs = [Pair(*each) for each in texts]
    findings = check_pairs(pairs, [CHECKS.make("unlike")])
    assert [[each.message for each in some] for some in findings] == [
        ["Translated otherwise in segment 3: y…"],
        ["Translated otherwise in segment 3: y…"],
        ["Translated otherwise in segment 1: x…"],
        [],
    ]


def test_errors_come_first_and_the_report_counts() -> None:
    pair = Pair("The 3 cats.", "die 4 Katzen")
    assert [each.severity for each in check_pair(pair)] == ["error", "error", "warning", "note"]
    report = CheckReport.of([pair, Pair("A cat.", "Eine Katze.")])
    assert report.to_dict()["meta"]["clean"] == 1
    assert report.tables()[0].rows[0][:4] == (1, "error", "numbers", "The translation lacks numbers: 3.")
    assert ("numbers", 2) in report.tables()[1].rows
