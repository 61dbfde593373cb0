from __future__ import annotations

import glob
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import pytest

from dragoman.corpus.lint import CHECKS, Check, Finding, Material, lint
from dragoman.corpus.lint import run as run_module
from dragoman.corpus.lint.base import Severity
from dragoman.data import TestSet
from dragoman.data.bitext import Bitext
from dragoman.errors import DataError, UnknownName
from dragoman.files import read_lines
from dragoman.samples import phrasebook, sample_path

BOOK = phrasebook()


def bitext(*pairs: tuple[str, str], langs: tuple[str, str] = ("de", "en"), n: int = 30) -> Bitext:
    """`n` good pairs, then those given."""
    good = list(zip(BOOK["de"], BOOK["en"], strict=True))[:n]
    return Bitext.from_pairs([*good, *pairs], source_lang=langs[0], target_lang=langs[1])


def details(data: TestSet | Bitext, check: str) -> list[tuple[str, int | None, str]]:
    return [(f.stream, f.segment, f.detail) for f in lint(data, checks=[check]).findings]


@pytest.mark.parametrize(
    ("check", "pair", "stream", "detail"),
    [
        ("empty", ("wo", " \u3000"), "target", "the segment is empty"),
        ("control", ("a\x00b\x00", "x"), "source", "U+0000 ×2"),
        ("control", ("wo", "a\x85b\x07"), "target", "U+0007, U+0085"),
        ("invalid", ("wo", "a\ufeff\ufffd"), "target", "U+FEFF, U+FFFD"),
        ("invalid", ("wo", "a\U0001fffe"), "target", "U+1FFFE"),
        ("mojibake", ("FÃ¼nf MÃ¼tter", "x"), "source", "'FÃ¼nf MÃ¼tter'"),
        ("mojibake", ("wo", "It was â€œfineâ€\x9d."), "target", "'It was â€œfineâ€\\x9d.'"),
        ("mixed-alphabet", ("wo", "see pаypal now"), "target", "'pаypal' (U+0430)"),
        ("mixed-alphabet", ("Иcабель", "x"), "source", "'Иcабель' (U+0063)"),
        ("wrong-script", ("wo", "где ты?"), "target", "5 of 5 letters are not Latin: 'где ты?'"),
        (
            "copy",
            ("das ist ein gutes Haus", "das ist ein gutes Haus"),
            "target",
            "the source untranslated: 'das ist ein gutes Haus'",
        ),
        ("duplicate", (BOOK["de"][4], "something else"), "source", f"the same as segment 5: {BOOK['de'][4][:40]!r}"),
        (
            "unbalanced",
            ("Er (der Arzt) kam.", "He (the doctor came."),
            "target",
            "round brackets do not pair: 'He (the doctor came.'",
        ),
        ("unbalanced", ("„Ja“", '"Yes'), "target", "quotation marks do not pair: '\"Yes'"),
        ("long", ("a " * 501, "x"), "source", "1002 characters"),
        ("length-ratio", ("Wo " * 40, "@@"), "target", None),
    ],
)
def test_a_bad_segment_is_found_and_the_good_ones_are_not(
    check: str, pair: tuple[str, str], stream: str, detail: str | None
) -> None:
    (found,) = lint(bitext(pair), checks=[check]).findings
    assert (found.check, found.stream, found.segment) == (check, stream, 31)
    assert found.severity == CHECKS.get(check).severity
    if detail is not None:
        assert found.detail == detail


def test_a_repeated_translation_of_another_source_is_found() -> None:
    long = "This is one and the same sentence again."
    found = details(bitext(("eins", long), ("zwei", long), ("eins", long)), "repeated-output")
    assert found == [("target", 32, f"the same as segment 31: {long[:40]!r}")]


@pytest.mark.parametrize(
    ("check", "lines", "detail"),
    [
        ("tokenised", ["Hello , world ."] * 5 + ["Dr. No"], "10 of 11 commas and full stops have a space before them"),
        ("outer-space", ["a", "b ", "c\u3000"], "2 of 3 segments end with white space (first: 2)"),
        ("outer-space", ["a", " b"], "1 of 2 segments begin with white space (first: 2)"),
        ("normalisation", ["ü", "u\u0308", "x"], "1 segments are not in NFC (first: 2), 1 are (first: 1)"),
    ],
)
def test_what_holds_for_a_stream_is_said_once(check: str, lines: list[str], detail: str) -> None:
    assert details(TestSet(systems={"a": lines}), check) == [("systems[a]", None, detail)]


def test_one_form_of_normalisation_is_as_good_as_another() -> None:
    assert details(TestSet(systems={"a": ["u\u0308", "o\u0308"], "b": ["ü", "ö"]}), "normalisation") == []


def test_identical_streams_are_named() -> None:
    lines = ["one", "two"]
    data = TestSet(srcs=["x", "y"], refs={"A": lines}, systems={"s": lines, "t": ["1", "2"], "u": ["1", "2"]})
    assert details(data, "identical") == [
        ("systems[s]", None, "the same, segment by segment, as refs[A]"),
        ("systems[u]", None, "the same, segment by segment, as systems[t]"),
    ]
    assert details(TestSet(refs={"A": [None, "b"], "B": ["", "b"]}), "identical") == []


def test_another_language_is_noticed() -> None:
    n = 40
    data = TestSet(
        source_lang="de", target_lang="en", srcs=BOOK["de"][:n], systems={"en": BOOK["en"][:n], "de": BOOK["de"][:n]}
    )
    ((stream, segment, detail),) = details(data, "language")
    assert (stream, segment) == ("systems[de]", None)
    assert "segments looked at are not en, mostly de (first: " in detail


def shifted(lines: list[str], lost: int, doubled: int) -> list[str]:
    """The lines without one, and another twice, so that those between have slipped."""
    return [*lines[:lost], *lines[lost + 1 : doubled], lines[doubled - 1], *lines[doubled:]]


@pytest.mark.parametrize("lang", ["de", "es", "fr"])
def test_slipped_segments_are_found_where_they_begin(lang: str) -> None:
    source = BOOK["en"]
    assert details(Bitext.from_lines(source, BOOK[lang]), "misaligned") == []
    # The target has lost a line: a source fits the target before.
    ((stream, segment, detail),) = details(Bitext.from_lines(source, shifted(BOOK[lang], 100, 160)), "misaligned")
    assert stream == "target"
    assert segment is not None
    assert 97 <= segment <= 106
    assert "source fits not this segment but the one before it" in detail
    assert "look for a line lost near here" in detail
    # The source has lost a line: a source fits the target after.
    ((_, segment, detail),) = details(Bitext.from_lines(shifted(source, 200, 260), BOOK[lang]), "misaligned")
    assert segment is not None
    assert 197 <= segment <= 206
    assert "but the one after it" in detail
    assert "a line too many near here" in detail


def test_a_stream_that_slipped_from_beginning_to_end_is_found() -> None:
    lines = [*BOOK["de"][1:], "Ende."]
    ((_, segment, detail),) = details(Bitext.from_lines(BOOK["en"], lines), "misaligned")
    assert segment is not None
    assert segment <= 5
    assert "to segment 5" in detail or "to segment 600" in detail or "to segment 599" in detail


def test_without_sources_targets_are_compared_with_the_first() -> None:
    data = TestSet(refs={"A": BOOK["de"]}, systems={"s": shifted(BOOK["fr"], 100, 160)})
    report = lint(data)
    assert ("misaligned", "systems[s]") in {(f.check, f.stream) for f in report.findings}
    assert report.skipped["copy"] == report.skipped["duplicate"] == "there are no sources"
    assert report.skipped["wrong-script"] == report.skipped["language"] == "no language is known"


@pytest.mark.parametrize(
    ("data", "check", "why"),
    [
        (TestSet(systems={"a": ["x"]}), "misaligned", "there is one stream only"),
        (TestSet(systems={"a": ["x"], "b": ["x"]}), "length-ratio", "fewer than 20 segments"),
        (TestSet(systems={"a": ["x"], "b": ["x"]}), "misaligned", "fewer than 20 segments"),
        (TestSet(systems={"a": ["x"]}), "unbalanced", "there is one stream only"),
        (TestSet(target_lang="x-mine", systems={"a": ["где"]}), "wrong-script", "no language is known"),
    ],
)
def test_what_cannot_be_looked_for_is_said(data: TestSet, check: str, why: str) -> None:
    report = lint(data)
    assert report.skipped[check] == why
    assert check not in report.counts


def test_without_py3langid_the_rest_is_still_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dragoman.corpus.lint.streams.language_guesser_available", lambda: False)
    report = lint(bitext(("", "x")))
    assert report.skipped == {"language": 'not installed; pip install "dragoman[lid]"'}
    assert report.counts["empty"] == 1


def test_missing_references_are_not_empty_ones() -> None:
    assert details(TestSet(refs={"A": [None, "", "x"]}), "empty") == [("refs[A]", 2, "the segment is empty")]


@pytest.mark.parametrize("data", [TestSet(), TestSet(srcs=[]), Bitext.from_pairs([]), TestSet(systems={"a": []})])
def test_nothing_is_wrong_with_nothing(data: TestSet | Bitext) -> None:
    report = lint(data)
    assert report.findings == ()
    assert report.is_clean
    assert report.segments == 0


def test_the_report_counts_all_and_shows_as_many_as_asked() -> None:
    data = bitext(("", ""), ("", "b"), ("", "c"), ("a\x00", "d\ufffd"))
    report = lint(data, limit=2)
    assert [f.check for f in report.findings] == ["invalid", "control", "empty", "empty", "empty"]
    assert report.counts["empty"] == 4
    assert report.severities == {"error": 1, "warning": 5, "note": 0}
    assert not report.is_clean
    answer = report.to_dict()
    assert answer["kind"] == "lint"
    assert answer["rows"][0] == {
        "check": "invalid",
        "severity": "error",
        "stream": "target",
        "segment": 34,
        "detail": "U+FFFD",
    }
    assert answer["meta"]["counts"]["empty"] == 4
    assert answer["meta"]["limit"] == 2
    text = report.render("text")
    assert "1 error, 5 warnings, 0 notes in 34 segments of 2 streams. 5 of 6 findings are shown." in text
    with pytest.raises(DataError, match="At least one finding a check is shown, got limit=0"):
        lint(data, limit=0)


def test_runs_of_a_bitext_number_their_segments_through(monkeypatch: pytest.MonkeyPatch) -> None:
    data = bitext(("", "x"), *[("ja , gut .", "yes , good .")] * 30, ("", "y"), n=10)
    whole = lint(data, checks=["empty", "tokenised"])
    monkeypatch.setattr(run_module, "_RUN", 21)
    parts = lint(data, checks=["empty", "tokenised"], n_threads=7)
    assert [f.segment for f in parts.findings if f.check == "empty"] == [11, 42]
    assert [f.segment for f in whole.findings if f.check == "empty"] == [11, 42]
    # The second run looks tokenised and says so, the third does not repeat it.
    assert parts.counts["tokenised"] == 2
    assert parts.segments == whole.segments == 42


def test_a_check_of_ones_own_is_handed_over() -> None:
    @dataclass(frozen=True)
    class Shouting(Check):
        """A segment is in capitals."""

        name: ClassVar[str] = "shouting"
        severity: ClassVar[Severity] = "note"

        def find(self, material: Material) -> Iterator[Finding]:
            for stream in material.streams:
                for place, line in enumerate(stream.lines):
                    if line.isupper():
                        yield self.finding(stream, place, "not so loud")

    report = lint(TestSet(systems={"a": ["x", "NO"]}), checks=[Shouting()])
    assert report.findings == (Finding("shouting", "note", "systems[a]", 2, "not so loud"),)
    assert "shouting  note" in report.render("text")


@pytest.mark.parametrize("name", CHECKS.names())
def test_every_check_says_what_it_looks_for(name: str) -> None:
    check = CHECKS.get(name)
    assert check.name == name
    assert check.severity in ("error", "warning", "note")
    assert check.__doc__


def test_unknown_checks_are_answered_with_the_nearest() -> None:
    with pytest.raises(UnknownName, match=r"No lint check is called 'mojibak'\. Did you mean 'mojibake'\?"):
        lint(TestSet(), checks=["mojibak"])


def test_the_sample_test_set_is_clean() -> None:
    folder = sample_path("testset/source.de").parent
    data = TestSet(
        source_lang="de",
        target_lang="en",
        srcs=read_lines(folder / "source.de"),
        refs={name: read_lines(folder / f"reference-{name}.en") for name in "AB"},
        systems={path.stem: read_lines(path) for path in sorted((folder / "systems").iterdir())},
    )
    report = lint(data)
    assert {(f.check, f.stream, f.segment) for f in report.findings if f.severity == "error"} == set()


@pytest.mark.realdata
def test_a_shared_task_is_looked_over_with_few_false_alarms(data_folder: Path) -> None:
    folder = data_folder / "newstest2013"
    names = sorted(glob.glob(str(folder / "en-de" / "*")))
    data = TestSet(
        source_lang="en",
        target_lang="de",
        srcs=read_lines(folder / "references/newstest2013.en.gz"),
        refs={"A": read_lines(folder / "references/newstest2013.de.gz")},
        systems={name.split(".")[2]: read_lines(name) for name in names},
    )
    report = lint(data)
    assert (len(names), report.segments) == (21, 3000)
    # All of these are real: U+FFFD in one output, DEL and C1 controls in two, a German umlaut read as Cyrillic …
    assert report.severities["error"] == 1
    assert report.severities["warning"] <= 30
    assert report.counts["misaligned"] == 0
    assert report.counts["mojibake"] == 0
    assert ("systems[KIT_primary]", 680) in {
        (f.stream, f.segment) for f in report.findings if f.check == "mixed-alphabet"
    }


@pytest.mark.realdata
@pytest.mark.parametrize("lang", ["cs", "ru"])
def test_twenty_slipped_lines_of_news_are_found(data_folder: Path, lang: str) -> None:
    folder = data_folder / "newstest2013/references"
    source, target = (read_lines(folder / f"newstest2013.{each}.gz") for each in ("en", lang))
    for lost in (300, 1200, 2500):
        ((_, segment, _),) = details(Bitext.from_lines(source, shifted(target, lost, lost + 20)), "misaligned")
        assert segment is not None
        assert abs(segment - 1 - lost) <= 3


def test_thresholds_are_options_and_are_checked() -> None:
    assert lint(TestSet(systems={"a": ["x" * 30]}), checks=["long:characters=20"]).counts == {"long": 1}
    with pytest.raises(DataError, match=r"The 'characters' option of LongSegment must be at least 1\. Got 0 instead"):
        lint(TestSet(), checks=["long:characters=0"])
