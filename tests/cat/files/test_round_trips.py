"""Whatever a translator writes stands in the file afterwards, and nothing else has moved."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.cat.files import FILE_FORMATS, FileFormat
from dragoman.cat.files.inline import written
from dragoman.cat.segments import Target, Unit, plain
from tests.cat.files.samples import OPTIONS, SAMPLES

# Line breaks are blanks where a line is a unit, and where a format has no more than one blank anyway.
LOOSE = {"docx", "html", "markdown", "odt", "srt", "text", "vtt"}
TEXTS = st.text(st.sampled_from("aZé ش😀\u00a0<>&\"'\\{}%$s|*_`#[]()!;,:=@-.0\n\t"), max_size=12)
STATES = st.sampled_from(["draft", "translated", "approved", "rejected"])


def form(name: str) -> FileFormat:
    return FILE_FORMATS.make(OPTIONS.get(name, name))


def markup(text: str, unit: Unit, name: str) -> str:
    """A text with its codes written out: what was typed may be read as a code."""
    if name in {"docx", "odt"}:  # breaks and tabs become codes, and what codes hold are units of their own
        return "".join(plain(text).split())
    text = written(text, unit.codes)
    if name == "markdown":  # where text looks like a block, a backslash says that it is none
        text = re.sub(r"\\(?=[!-/:-@\[-`{-~])", "", text)
    if name == "html":  # descriptions inside a code are units of their own
        text = re.sub(r"""\b(alt|title)=("[^"]*"|'[^']*'|[^\s>]+)""", r"\1", text)
    return " ".join(text.replace("-->", "→").split()) if name in LOOSE else text


@st.composite
def translations(draw: st.DrawFn, name: str) -> Mapping[str, Target]:
    """Some of the units with random words between all their codes."""
    targets = {}
    for unit in form(name).units(SAMPLES[name]):
        if unit.translate and draw(st.booleans()):
            codes = re.findall("[\ue000-\uf8ff]", unit.source)
            text = "".join([piece for code in codes for piece in (draw(TEXTS), code)]) + draw(TEXTS)
            if name in LOOSE:  # codes at the edge of a paragraph are left outside when it is read
                text = f"w{text}w"
            if text.strip():
                targets[unit.key] = Target(text, draw(STATES))
    return targets


@pytest.mark.parametrize("name", FILE_FORMATS.names())
@given(st.data())
def test_targets_are_in_the_file_and_the_rest_is_as_it_was(name: str, data: st.DataObject) -> None:
    if name == "toolkit":
        return
    content = SAMPLES[name]
    targets = data.draw(translations(name))
    before = form(name).units(content)
    filled = form(name).fill(content, targets, langs=("en", "de"))
    after = form(name).units(filled)
    assert [unit.key for unit in after] == [unit.key for unit in before]
    for old, new in zip(before, after, strict=True):
        if form(name).bilingual:
            assert (new.source, new.note, new.translate) == (old.source, old.note, old.translate)
        text = new.target if form(name).bilingual else new.source
        if old.key in targets:
            assert markup(text or "", new, name) == markup(targets[old.key].text, old, name)
        elif form(name).bilingual:
            assert (new.target or None) == (old.target or None)
        else:
            assert new.source == old.source
    own = {unit.key: Target(unit.target or "", unit.state) for unit in after if unit.translate and unit.target}
    same = own if form(name).bilingual else {unit.key: Target(unit.source) for unit in after if unit.translate}
    assert form(name).fill(filled, same) == filled


@pytest.mark.parametrize("begin", [">", "# w", "- w", "1. w", "===", "---", "```", "  > w", "<div>"])
def test_no_line_of_a_markdown_paragraph_begins_a_block(begin: str) -> None:
    content = b"one\\\ntwo\n\nthree\n"
    source = form("markdown").units(content)[0].source
    target = source.replace("two", begin)
    filled = form("markdown").fill(content, {"1": Target(target)}, langs=("en", "de"))
    assert len(form("markdown").units(filled)) == 2, filled
    assert b"\\\n" in filled  # the break is still there


@pytest.mark.parametrize("name", ["csv", "po", "properties", "srt", "text", "text:paragraphs=yes", "tsv", "vtt"])
def test_line_ends_that_were_converted_twice_end_one_line(name: str) -> None:
    """CR CR LF: subtitles had no cue, catalogues no strings, and values of several lines only their first."""
    reader = FILE_FORMATS.make(name)
    once = SAMPLES[name.partition(":")[0]].replace(b"\r\n", b"\n")
    twice = once.replace(b"\n", b"\r\r\n")
    units = reader.units(once)
    assert [unit.source for unit in reader.units(twice)] == [unit.source for unit in units]
    unit = next(each for each in units if each.translate)
    gap = "\n" if name in {"po", "srt", "vtt"} else " "
    written_once, written_twice = (
        reader.fill(content, {unit.key: Target(f"{unit.source}{gap}zwei", "approved")}) for content in (once, twice)
    )
    assert written_twice == written_once.replace(b"\n", b"\r\r\n")
    assert written_once != once
