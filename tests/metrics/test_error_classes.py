"""Error classes: rates, profiles, labelled texts and their page."""

from __future__ import annotations

import re
import time
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given

from dragoman.cli.main import group
from dragoman.errors import DataError, UnknownName
from dragoman.metrics import as_test_set, error_profile, label_words, make_metric, score
from dragoman.metrics.classer import CLASSES, Classified, Words, class_rates
from dragoman.metrics.cut_texts import CutTexts
from dragoman.report.packing import unpack
from tests.metrics.texts import corpora

FAULTS = (Path(__file__).parents[1] / "js" / "accessibility.js").read_text(encoding="utf-8")

HYPS = ["the houses is big", "he yesterday came", "a b c", ""]
REFS = ["the house is large", "he came yesterday", "a c", "gone"]


def labels(hyp: str, ref: str, **options) -> tuple[str, str]:
    """The labels of both sides by their first letter, `-` for correct."""
    segment = label_words([hyp], [[ref]], tokeniser="none", **options).segments[0]
    return tuple(
        "".join(w.label[0] if w.label != "correct" else "-" for w in side) for side in (segment.hyp, segment.ref)
    )


@pytest.mark.parametrize(
    ("hyp", "ref", "expected"),
    [
        ("the houses is big", "the house is large", ("-i-l", "-i-l")),
        ("he yesterday came", "he came yesterday", ("-oo", "-oo")),
        ("a b c", "a c", ("-e-", "--")),
        ("a c", "a b c", ("--", "-m-")),
        ("", "gone", ("", "m")),
        ("more", "", ("e", "")),
        ("", "", ("", "")),
    ],
)
def test_each_class_has_its_example(hyp, ref, expected) -> None:
    assert labels(hyp, ref) == expected


def test_base_forms_can_be_given() -> None:
    assert labels("he went", "he goes") == ("-l", "-l")
    assert labels("he went", "he goes", hyp_bases=["he go"], ref_bases=[["he go"]]) == ("-i", "-i")


STEMS = {"stem": "snowball+lang=en"}


def test_base_forms_can_come_from_an_annotator() -> None:
    pytest.importorskip("snowballstemmer")
    assert labels("he is sing", "he is singing", layers=STEMS) == ("--i", "--i")
    # The first four letters are the same, the stems are not.
    assert labels("international", "interval", layers=STEMS) == ("l", "l")
    assert labels("international", "interval") == ("i", "i")
    assert score({"a": ["he sing"]}, [["he sings"]], metrics=["worderrcats:base=snowball+lang=en"])
    with pytest.raises(UnknownName, match="No annotator is called 'snowbal'"):
        make_metric("worderrcats:base=snowbal")
    with pytest.raises(DataError, match="The annotator function-words gives function_word, not lemma or stem, which"):
        make_metric("worderrcats:base=function-words+lang=en")


def test_of_several_references_the_one_with_fewest_errors_counts() -> None:
    found = label_words(["a b c d", "x y"], {"A": ["a b x y", "p q"], "B": ["a b c x", None]}, tokeniser="none")
    assert [segment.reference for segment in found.segments] == ["B", "A"]
    assert [segment.edits for segment in found.segments] == [1, 2]
    # An absent reference is never the nearest, even to one with an infinite error rate.
    found = label_words(["x"], [[""], [None]])
    assert [segment.reference for segment in found.segments] == ["refs[0]"]


def test_a_profile_has_rates_sums_and_both_sides() -> None:
    profile = error_profile(as_test_set({"a": HYPS, "b": REFS}, [REFS]), tokeniser="none")
    assert profile.rates("a") == {
        "inflection": (10.0, 10.0),
        "order": (20.0, 10.0),
        "missing": (10.0, 10.0),
        "extra": (10.0, 10.0),
        "lexical": (10.0, 10.0),
    }
    assert profile.sums("a")["WΣER"] == pytest.approx(60)
    assert set(profile.sums("b").values()) == {0.0}
    rows = profile.to_dict()["rows"]
    assert rows[0] == {
        "system": "a",
        "class": "inflection",
        "words": 1,
        "blocks": 1,
        "word_rate": 10.0,
        "block_rate": 10.0,
    }
    assert len(rows) == 10
    _, sums, ref_side = profile.tables()
    assert sums.column("WER") == [pytest.approx(60.0), 0.0]
    assert sums.column("hyp_words") == [10, 10]
    assert ref_side.column("class")[:4] == ["inflection", "order", "missing", "lexical"]
    meta = profile.meta()
    assert meta.pop("sums") == {"a": profile.sums("a"), "b": profile.sums("b")}
    assert meta == {"tokeniser": "none", "lowercase": False, "base": "prefix", "nrefs": 1, "n_segments": 4}
    (figure,) = profile.figures()
    assert (figure.x, figure.y, figure.series) == ("class", "word_rate", "system")
    with pytest.raises(DataError, match=r"The profile has no system 'c'. Known: a, b"):
        profile.rates("c")


@pytest.mark.parametrize("name", ["worderrcats", "blockerrcats", "wordblockerrcats", "xenerrcats", "enxerrcats"])
def test_metrics_are_the_sums_of_the_profile(name) -> None:
    profile = error_profile(as_test_set({"a": HYPS}, [REFS]))
    sums = dict(
        zip(
            ["worderrcats", "blockerrcats", "wordblockerrcats", "xenerrcats", "enxerrcats"],
            profile.sums("a").values(),
            strict=True,
        )
    )
    assert make_metric(name).corpus_value(HYPS, [REFS]) == pytest.approx(sums[name])


def test_verbose_tells_the_rates() -> None:
    metric = make_metric("wordblockerrcats:tokeniser=none")
    shown = metric.verbose(metric.stats(HYPS, [REFS]).sum(axis=0))
    assert shown == "inflection = 10.0/10.0 order = 20.0/10.0 missing = 10.0/10.0 extra = 10.0/10.0 lexical = 10.0/10.0"


def test_blocks_are_runs_within_a_line() -> None:
    def words(lengths: list[int]) -> Words:
        ids = np.zeros(sum(lengths), dtype=np.int32)
        return Words(ids, ids, np.cumsum([0, *lengths]))

    hyp = words([3, 0, 2])
    labels = np.array([5, 5, 0, 0, 5], dtype=np.uint8)
    split = np.array([2, 5, 5, 5, 2], dtype=np.uint8)
    none = np.zeros(0, dtype=np.uint8)
    for found, blocks in ((labels, [[1], [0], [1]]), (split, [[1], [0], [1]])):
        classified = Classified(hyp, words([0, 0, 0]), found, none, np.zeros(3, dtype=np.int64))
        assert classified.counts(ref_side=False)[1][:, [4]].tolist() == blocks


@given(corpora(max_refs=2))
def test_counts_add_up_whatever_the_text(corpus) -> None:
    hyps, refs = corpus
    found = label_words(hyps, refs)
    side = {name: "ref" if name == "missing" else "hyp" for name in CLASSES}
    counted = Counter(
        (s, word.label) for segment in found.segments for s in ("hyp", "ref") for word in getattr(segment, s)
    )
    rows = found.profile.tables()[0].rows
    assert [row[2] for row in rows] == [counted[side[name], name] for name in CLASSES]
    assert all(blocks <= words for _, _, words, blocks, _, _ in rows)
    assert counted["hyp", "missing"] == counted["ref", "extra"] == 0
    # Reordered words stand on both sides alike.
    for segment in found.segments:
        moved = [Counter(w.word for w in words if w.label == "order") for words in (segment.hyp, segment.ref)]
        assert moved[0] == moved[1]


def test_the_page_labels_every_word_and_its_counts_add_up() -> None:
    hyps = [*HYPS, '<b>tags</b> & "quotes"', "שלום עולם"]
    refs = [*REFS, "no tags", "שלום לעולם"]
    found = label_words(hyps, [refs], system="A & B", tokeniser="none")
    page = found.html()
    assert "<title>Errors of A &amp; B</title>" in page
    assert "<b>" not in page
    assert not re.search(r'(?:src|href)="(?!#|data:)', page)
    data = unpack(re.findall(r'id="data">([^<]*)<', page)[0])
    names = [each["name"] for each in data["classes"]]
    assert len(data["segments"]) == len(hyps)
    assert data["segments"][-2]["hyp"][0][0] == "<b>tags</b>"
    shown = Counter(
        (side, names[word[1]])
        for segment in data["segments"]
        for side in ("hyp", "ref")
        for word in segment[side]
        if isinstance(word, list)
    )
    table = {row[1]: row[2] for row in found.profile.tables()[0].rows}
    assert table == {name: shown["ref" if name == "missing" else "hyp", name] for name in CLASSES}


def open_page(page: Any, tmp_path: Path, fragment: str = "") -> None:
    hyps = [f"line {number} says <i> this" if number % 3 else "" for number in range(1, 61)]
    refs = [f"line {number} says <i> that" for number in range(1, 61)]
    path = tmp_path / "errors.html"
    path.write_text(label_words(hyps, [refs], tokeniser="none").html(), encoding="utf-8")
    page.goto(path.as_uri() + fragment)
    page.wait_for_selector("#labelled li, #count:not(:empty)")


def segments_of(page: Any) -> list[int]:
    values: list[int] = page.eval_on_selector_all("#labelled > li", "all => all.map((each) => each.value)")
    return values


def test_segments_are_leafed_through_and_filtered(page: Any, tmp_path: Path) -> None:
    open_page(page, tmp_path)
    assert segments_of(page) == list(range(1, 26))
    assert page.inner_text("#count") == "60 of 60 segments · page 1 of 3"
    page.click("#next")
    assert segments_of(page) == list(range(26, 51))
    page.select_option("#kind", label="missing")
    assert segments_of(page) == list(range(3, 61, 3))  # the empty ones
    assert page.is_disabled("#previous")
    page.select_option("#kind", label="any, or none")
    page.fill("#text", "LINE 1")
    assert segments_of(page) == [1, *range(10, 20)]
    page.fill("#least", "3")
    assert segments_of(page) == [12, 15, 18]
    page.reload()  # the address keeps the choice
    page.wait_for_selector("#labelled li")
    assert segments_of(page) == [12, 15, 18]
    page.fill("#text", "<i>")
    page.fill("#least", "0")
    page.select_option("#order", "errors")
    assert segments_of(page)[0] == 3
    assert page.locator("#labelled i").count() == 0  # text stays text


def test_the_class_is_written_above_the_word(page: Any, tmp_path: Path) -> None:
    open_page(page, tmp_path)
    first = page.locator("#labelled > li").first
    assert first.locator("ruby").all_inner_texts() == ["thislex", "thatlex"]
    assert page.evaluate(FAULTS) == []
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_labels_are_rows_too() -> None:
    found = label_words(HYPS[:1], [REFS[:1]], system="a", tokeniser="none").to_dict()
    assert found["kind"] == "error labels"
    assert found["rows"][1] == {"segment": 1, "side": "hyp", "position": 2, "word": "houses", "label": "inflection"}
    assert len(found["rows"]) == 8
    assert found["meta"]["system"] == "a"


def test_rates_of_nothing_are_zero() -> None:
    assert class_rates(np.zeros(12)).tolist() == [0.0] * 10
    assert error_profile(as_test_set({"a": []}, [[]])).sums("a")["WΣER"] == 0
    assert label_words([], [[]]).segments == ()


def test_what_does_not_fit_is_named() -> None:
    with pytest.raises(DataError, match="There are no systems; give at least one"):
        error_profile(as_test_set({}, [REFS]))
    with pytest.raises(DataError, match=r"one line per segment, got refs.Reference 1.=4, systems.a.=3"):
        error_profile(as_test_set({"a": HYPS[:3]}, [REFS]))
    with pytest.raises(DataError, match=r"must be given for both sides or for neither: .* each of the 1 references"):
        label_words(HYPS, [REFS], hyp_bases=HYPS)
    with pytest.raises(DataError, match="must be given for both sides"):
        label_words(HYPS, [REFS], hyp_bases=HYPS, ref_bases=[REFS, REFS])
    with pytest.raises(DataError, match="hyp_bases has no base forms of b"):
        error_profile(
            as_test_set({"a": HYPS, "b": HYPS}, [REFS]), hyp_bases={"a": HYPS}, ref_bases=[REFS], tokeniser="none"
        )
    with pytest.raises(DataError, match=r"Line 2 of system has 3 words and 2 base forms; there must be one per word"):
        label_words(HYPS, [REFS], hyp_bases=[HYPS[0], "two forms", *HYPS[2:]], ref_bases=[REFS], tokeniser="none")
    with pytest.raises(DataError, match=r"refs\[0\] has 4 lines, its base forms 3"):
        label_words(HYPS, [REFS], hyp_bases=HYPS, ref_bases=[REFS[:3]], tokeniser="none")
    long = "a " * 60_000
    with pytest.raises(DataError, match="Segment 2 is too long to classify: 60000 words against 60000"):
        label_words(["a", long], [["a", long]], tokeniser="none")


def test_ten_thousand_pairs_take_less_than_three_seconds() -> None:
    hyps = [" ".join(f"w{(i * 7 + k * k) % 300}" for k in range(25)) for i in range(10_000)]
    refs = [" ".join(f"w{(i * 7 + k * k + k % 3) % 300}" for k in range(24)) for i in range(10_000)]
    begin = time.process_time()
    make_metric("wordblockerrcats").stats(hyps, [refs])
    assert time.process_time() - begin < 3


@pytest.mark.parametrize("layers", [{}, {"stem": "snowball:lang=en"}])
def test_texts_that_were_cut_before_are_classified_alike(layers: dict[str, str]) -> None:
    refs = {"one": [*REFS, "a b"], "two": [*reversed(REFS), None]}
    test_set = as_test_set({"a": [*HYPS, "b"], "b": [*reversed(HYPS), "a"]}, refs, layers=layers)
    cut = error_profile(test_set, texts=CutTexts.of(test_set))
    np.testing.assert_array_equal(cut.totals, error_profile(test_set).totals)
    np.testing.assert_array_equal(cut.ref_totals, error_profile(test_set).ref_totals)
    assert cut.to_dict() == error_profile(test_set).to_dict()


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"hyp_tags": ["A"]}, "Parts of speech must be given for both sides"),
        ({"hyp_tags": ["A B"], "ref_tags": []}, "There are 1 references and parts of speech of 0"),
        ({"hyp_tags": ["A B", "C"], "ref_tags": [["A B"]]}, "Parts of speech of system: 2 lines for 1 segments"),
        ({"hyp_tags": ["A"], "ref_tags": [["A B"]]}, "line 1: 1 tags for 2 words. Give the text as it was tagged"),
    ],
)
def test_wrong_parts_of_speech_are_named(more: dict[str, Any], message: str) -> None:
    with pytest.raises(DataError, match=message):
        label_words(["a b"], [["a c"]], tokeniser="none", **more)


def test_files_of_one_side_alone_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("a b\n")
    file = str(tmp_path / "a")
    for more, message in ((["--base", file], "--base is for each of 1 systems"), (["--pos", file], "go together")):
        done = CliRunner().invoke(group, ["errors", file, "-r", file, *more])
        assert done.exit_code == 2
        assert message in " ".join(done.output.replace("│", " ").split())
