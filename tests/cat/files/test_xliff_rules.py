"""Files written are as the specifications of XLIFF want them, by the rules of `xliff_rules`."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.cat.files import FILE_FORMATS
from dragoman.cat.files.inline import misfit
from dragoman.cat.segments import Target, code_char
from tests.cat.files.samples import XLIFF, XLIFF2
from tests.cat.files.test_xliff import PROPOSALS, large
from tests.cat.files.xliff_rules import shortcomings

STATES = ("new", "draft", "translated", "approved", "rejected")
# The sample has an id of a trans-unit twice, which is allowed; PROPOSALS has no namespace and lacks attributes.
NAMED = PROPOSALS.replace(b"<xliff ", b'<xliff xmlns="urn:oasis:names:tc:xliff:document:1.2" ').replace(
    b"<file ", b'<file datatype="plaintext" original="a" '
)


@pytest.mark.parametrize(("name", "sample"), [("xliff", XLIFF), ("xliff", NAMED), ("xliff2", XLIFF2)])
def test_the_samples_keep_the_rules_with_and_without_targets(name: str, sample: bytes) -> None:
    form = FILE_FORMATS.make(name)
    assert [each for each in shortcomings(sample) if "trgLang" not in each] == []
    for state in STATES:
        targets = {unit.key: Target(unit.source, state) for unit in form.units(sample) if unit.translate}  # type: ignore[arg-type]
        filled = form.fill(sample, targets, langs=("en", "ar"))
        assert filled != sample
        assert shortcomings(filled) == []


def test_a_large_file_keeps_the_rules() -> None:
    form, content = FILE_FORMATS.make("xliff"), large()
    filled = form.fill(content, {unit.key: Target(unit.source) for unit in form.units(content)})
    assert shortcomings(filled) == []


@given(st.data())
def test_whatever_a_translator_does_with_codes(data: st.DataObject) -> None:
    """What fits a unit (`misfit`) is written by the rules: codes moved, left out, taken twice."""
    name, sample = data.draw(st.sampled_from([("xliff", XLIFF), ("xliff2", XLIFF2)]))
    form = FILE_FORMATS.make(name)
    units = [unit for unit in form.units(sample) if unit.translate and unit.codes]
    unit = data.draw(st.sampled_from(units))
    codes = st.sampled_from([code_char(place) for place in range(len(unit.codes))])
    text = "".join(data.draw(st.lists(codes | st.sampled_from("ab "), max_size=12)))
    if misfit(text, unit.codes) or not text.strip():
        text = unit.source + data.draw(st.sampled_from(["", unit.source]))
    whole = len({text.count(code_char(place)) for place in range(len(unit.codes))}) == 1
    filled = form.fill(sample, {unit.key: Target(text)}, langs=("en", "ar"))
    wrong = [each for each in shortcomings(filled) if "pair" not in each and "refers" not in each]
    assert wrong == []
    if whole:
        assert shortcomings(filled) == []


def test_a_code_that_stands_twice_gets_an_id_of_its_own() -> None:
    form = FILE_FORMATS.make("xliff2")
    unit = form.units(XLIFF2)[0]
    filled = form.fill(XLIFF2, {unit.key: Target(f"{unit.source} {unit.source}")}, langs=("en", "fr")).decode("utf-16")
    target = filled.partition("<segment")[2].partition("<target>")[2].partition("</target>")[0]
    first, second = target.split("Hello")[1:]
    assert '<sc id="2"/>' in first
    for piece in ('<pc id="1-2"', '<sc id="2-2"/>', '<ec startRef="2-2"/>', '<ph id="3-2"', '<mrk id="m1-2"'):
        assert piece in second


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('datatype="plaintext"', "", "<file> lacks datatype"),
        ('<x id="3"/><!--', "<x/><!--", "<x> lacks id"),
        ("<note>A greeting</note>", "<note>A greeting</note><target>x</target>", "<trans-unit> stand in a wrong order"),
        ('state="needs-review-translation"', 'state="good"', "a target has the state good"),
        ('Enter<ept id="1">&lt;/b&gt;</ept></target>', "Enter</target>", "<bpt> and <ept> do not pair"),
    ],
)
def test_the_rules_find_what_is_wrong(old: str, new: str, message: str) -> None:
    content = XLIFF.decode("utf-8-sig")
    assert old in content
    assert any(message in each for each in shortcomings(content.replace(old, new).encode()))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('srcLang="en"', "", "<xliff> lacks srcLang"),
        ('<unit id="u4">', '<unit id="u2">', "the id 'u2' of a unit stands 2 times"),
        ('<ph id="3" disp', '<ph id="2" disp', "the id '2' of an inline element of a source stands 2 times"),
        ('<ec startRef="2"/>', '<ec startRef="9"/>', "ec refers to 9"),
        ('state="initial"', 'state="translated"', "a segment is translated and has no target"),
    ],
)
def test_the_rules_find_what_is_wrong_in_the_second_version(old: str, new: str, message: str) -> None:
    content = XLIFF2.decode("utf-16")
    assert old in content
    found = shortcomings(content.replace(old, new).encode("utf-16"))
    assert any(message in each for each in found)
