from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.cat import (
    Code,
    Segment,
    SegmentationRules,
    SentenceRules,
    Unit,
    default_srx,
    join,
    merge,
    read_srx,
    segments_of,
    split,
)
from dragoman.cat.srx import SrxRule, SrxRules
from dragoman.errors import DataError, FormatError

BOLD = (Code("<b>", "open", "b"), Code("</b>", "close", "b"), Code("<br/>"))
SOURCES = st.text(st.sampled_from("aB.?! \n\t'\"2。\u00a0\u2028\x00é\ue000\ue001\ue002"), max_size=40)


@dataclass(frozen=True)
class Anywhere:
    """Rules without sense."""

    places: tuple[int, ...]

    def breaks(self, text: str) -> Sequence[int]:
        return self.places


RULES: st.SearchStrategy[SegmentationRules] = st.one_of(
    st.sampled_from([SentenceRules("en"), SentenceRules("zh"), default_srx().rules("de")]),
    st.lists(st.integers(0, 45), max_size=6).map(lambda places: Anywhere(tuple(sorted(places)))),
)


def sources(source: str, rules: SegmentationRules) -> list[str]:
    return [each.source for each in segments_of(Unit("u", source, BOLD), rules)]


@given(SOURCES, RULES)
def test_segments_joined_are_the_unit(source: str, rules: SegmentationRules) -> None:
    unit = Unit("u", source, BOLD)
    segments = segments_of(unit, rules)
    assert join(unit, segments, [each.source for each in segments]) == source
    for each in segments:
        assert each.source == source[each.begin : each.end] == each.source.strip()
    assert all(first.end <= second.begin for first, second in pairwise(segments))
    between = join(unit, segments, ["" for _ in segments])
    assert between.strip() == ""  # text and codes all stand in segments


@given(SOURCES, st.integers(0, 40))
def test_what_is_cut_can_be_merged(source: str, place: int) -> None:
    unit = Unit("u", source, BOLD, cut=False)
    for whole in segments_of(unit, SentenceRules()):
        try:
            first, second = split(whole, place)
        except DataError:
            continue
        assert merge(unit, first, second) == whole
        assert join(unit, [first, second], [first.source, second.source]) == source


def test_codes_go_with_the_sentence_that_they_belong_to() -> None:
    assert sources("One.\ue000 Two. \ue001Three.", SentenceRules()) == ["One.", "\ue000 Two. \ue001", "Three."]
    assert sources("One.\ue002 Two.", SentenceRules()) == ["One.\ue002", "Two."]
    assert sources("\ue002 One. Two. \ue002", SentenceRules()) == ["\ue002 One.", "Two. \ue002"]
    assert sources("Mr.\ue000 Fox\ue001 ran.", SentenceRules()) == ["Mr.\ue000 Fox\ue001 ran."]


def test_a_unit_of_codes_is_one_segment_and_an_empty_one_none() -> None:
    assert sources("\ue002 \ue002", SentenceRules()) == ["\ue002 \ue002"]
    assert sources(" ", SentenceRules()) == []
    whole = Unit("u", "One. Two.", cut=False)
    assert [each.source for each in segments_of(whole, SentenceRules())] == ["One. Two."]


def test_the_script_of_the_target_decides_on_the_blank_between_sentences() -> None:
    chinese = Unit("u", "你好。我们走。")
    segments = segments_of(chinese, SentenceRules("zh"))
    assert [each.source for each in segments] == ["你好。", "我们走。"]
    assert join(chinese, segments, ["Hello.", "Let us go."]) == "Hello. Let us go."
    assert join(chinese, segments, ["こんにちは。", "行こう。"]) == "こんにちは。行こう。"
    assert join(chinese, segments, ["", "Let us go."]) == "Let us go."
    english = Unit("u", "\ue000Hello.\ue001 Let us go.", BOLD)
    segments = segments_of(english, SentenceRules("en"))
    assert join(english, segments, ["\ue000你好。\ue001", "我们走。"]) == "\ue000你好。\ue001我们走。"
    assert join(english, segments, ["\ue000Hallo.\ue001", "Los!"]) == "\ue000Hallo.\ue001 Los!"


def test_wrong_cuts_and_merges_are_refused() -> None:
    unit = Unit("u", "One. Two. Three.")
    first, second, third = segments_of(unit, SentenceRules())
    for place in (0, 4, 99, -1):
        with pytest.raises(DataError, match=f"cannot be cut at character {place} of 4"):
            split(first, place)
    with pytest.raises(DataError, match="Only neighbours"):
        merge(unit, first, third)
    with pytest.raises(DataError, match="Only neighbours"):
        merge(unit, second, first)
    with pytest.raises(DataError, match="of one unit"):
        merge(unit, first, Segment("v", 5, 9, "Two."))


def test_rules_are_written_and_read_back() -> None:
    rules = default_srx()
    again = read_srx(rules.to_bytes())
    assert (again.lists, again.maps, again.cascade) == (rules.lists, rules.maps, rules.cascade)
    assert again.to_bytes() == rules.to_bytes()


@pytest.mark.parametrize(
    ("lang", "text", "expected"),
    [
        ("en", "Dr. No came. He left.", ["Dr. No came.", "He left."]),
        ("en-GB", "See No. 5. It is No. Good.", ["See No. 5.", "It is No.", "Good."]),
        ("de", "Das ist z.B. Käse. Ja!", ["Das ist z.B. Käse.", "Ja!"]),
        ("xx", "One. two? three. Four", ["One. two?", "three.", "Four"]),
        ("ja", "はい。いいえ。", ["はい。", "いいえ。"]),
    ],
)
def test_our_rules_cut_sentences(lang: str, text: str, expected: list[str]) -> None:
    assert sources(text, default_srx().rules(lang)) == expected


def test_the_first_rule_that_matches_decides() -> None:
    rules = SrxRules((SrxRule(r"etc\.", r"\s", breaks=False), SrxRule(r"\.", r"\s")))
    assert sources("a etc. b. c", rules) == ["a etc. b.", "c"]
    other = SrxRules((SrxRule(r"\.", r"\s"), SrxRule(r"etc\.", r"\s", breaks=False)))
    assert sources("a etc. b. c", other) == ["a etc.", "b.", "c"]


def srx(rule: str, *, cascade: str = "no", name: str = "Default") -> bytes:
    return (
        f'<?xml version="1.0"?>\n<srx version="2.0"><header segmentsubflows="yes" cascade="{cascade}"/><body>'
        f'<languagerules><languagerule languagerulename="Default">\n{rule}</languagerule></languagerules><maprules>'
        f'<languagemap languagepattern=".*" languagerulename="{name}"/></maprules></body></srx>'
    ).encode()


def test_patterns_of_icu_are_followed() -> None:
    rule = r"<rule><beforebreak>[\p{Lu}\x{2E}]\h</beforebreak><afterbreak>\P{Ll}\p{^Lu}</afterbreak></rule>"
    rules = read_srx(srx(rule)).rules("en")
    assert sources("A. Xx X Yy", rules) == ["A.", "Xx X", "Yy"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"<tmx/>", r"r\.srx:1: column 1: this is no SRX: it begins with <tmx>"),
        (b"<srx>", r"r\.srx:1: column 6: not well-formed XML"),
        (srx("<rule><beforebreak>(</beforebreak></rule>"), r"r\.srx:3: column 1: the pattern .* cannot be followed"),
        (srx(r"<rule><beforebreak>\p{Klingon}</beforebreak></rule>"), "no characters are known as 'Klingon'"),
        (srx("", name="Other"), "names the rules 'Other', which the file does not have"),
    ],
)
def test_wrong_rules_are_named_with_their_place(content: bytes, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read_srx(content, name="r.srx")


@pytest.mark.parametrize("before", ["(?:a|aa|[ab])+", "(?:(?:a|ab|aba)+)+"])
def test_a_pattern_that_would_take_for_ever_is_named(before: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dragoman.cat.srx._SECONDS", 0.1)
    rules = SrxRules((SrxRule(r"\.", r"\s"), SrxRule(before, "$")))
    with pytest.raises(
        DataError, match=r"takes more than 0\.1 seconds on a text of [\d,]+ characters that begins 'aba"
    ):
        rules.breaks("aba" * 200 + "!")
    with pytest.raises(FormatError, match=r"has 100,0\d\d characters; take at most 100,000"):
        read_srx(srx(f"<rule><beforebreak>{'a' * 100_000}</beforebreak></rule>"))
