"""The bars of translation files: large XLIFF from elsewhere comes back with all but its targets as it was."""

from __future__ import annotations

import io
import re

import pytest
from translate.storage import xliff as toolkit_xliff

from dragoman.cat.files import FILE_FORMATS, format_of
from dragoman.cat.segments import Alternative, Target, Unit
from dragoman.errors import DataError
from tests.cat.files.samples import XLIFF, XLIFF2

ARABIC = "هذه ترجمة"
TARGET = re.compile(rb"\s*<target\b(?:[^>]*/>|[^>]*>.*?</target>)", re.DOTALL)


def large(n_files: int = 5, n_units: int = 1_000) -> bytes:
    """A file as tools write them: odd spacing, comments, CRLF, nested codes, some targets, some without."""
    parts = [
        '<?xml version="1.0" encoding="utf-8" ?>\r\n',
        '<xliff version="1.2"\txmlns="urn:oasis:names:tc:xliff:document:1.2">',
    ]
    for file in range(n_files):
        parts.append(
            f"\r\n <file original='f{file}.html' source-language=\"en\" target-language='ar' datatype=\"html\"><body>"
        )
        for unit in range(n_units):
            target = ("", "<target></target>", f'<target state="needs-review-translation" >{ARABIC}</target>')[unit % 3]
            parts.append(
                f'\r\n  <trans-unit id="{unit}"  xml:space="preserve">\r\n    <source>Click <g id="1">the <g id="2">'
                f'big {unit}</g><x id="3"/></g> &#x2014; <bpt id="4">&lt;b&gt;</bpt>now<ept id="4">&lt;/b&gt;</ept> '
                f"&quot;or&quot; never</source>{target}<!-- {unit} -->\r\n    <note>N&amp;{unit}</note>"
                "\r\n  </trans-unit>"
            )
        parts.append("\r\n </body></file>")
    return "".join([*parts, "\r\n</xliff>\r\n"]).encode()


def arabic(unit: Unit) -> str:
    """A translation in another order with all codes: what is nested stays nested."""
    return f"{ARABIC} \ue005{ARABIC}\ue006 \ue000\ue001{unit.key}\ue002\ue003\ue004 «»"


def test_five_thousand_segments_come_back_with_all_but_targets_identical() -> None:
    content = large()
    form = format_of("large.xlf", content)
    units = form.units(content)
    assert len(units) == 5_000
    targets = {unit.key: Target(arabic(unit)) for unit in units}
    filled = form.fill(content, targets, langs=("en", "ar"))
    assert TARGET.sub(b"", filled) == TARGET.sub(b"", content)
    assert TARGET.sub(b"", content) != content
    again = {unit.key: unit for unit in form.units(filled)}
    assert all(again[key].target == target.text for key, target in targets.items())
    assert {unit.state for unit in again.values()} == {"translated"}
    foreign = toolkit_xliff.xlifffile.parsestring(filled)
    texts = [str(unit.target) for unit in foreign.units if unit.istranslatable()]
    assert len(texts) == 5_000
    assert all(text.startswith(ARABIC) for text in texts)


def test_nested_codes_are_pairs() -> None:
    unit = FILE_FORMATS.make("xliff").units(XLIFF)[0]
    assert unit.source == "Hello \ue000big \ue001world\ue002\ue003 & all\ue004\ue005"
    assert [(code.text, code.kind, code.pair) for code in unit.codes[:4]] == [
        ('<g id="1">', "open", "g1"),
        ("<g id='2'>", "open", "g2"),
        ("</g>", "close", "g2"),
        ("</g>", "close", "g1"),
    ]
    assert (unit.note, unit.max_length) == ("A greeting", 80)
    assert unit.alternatives == (Alternative("مرحبا \ue004", "memory", None, "Hello"),)


def test_text_inside_a_code_is_translated() -> None:
    unit = FILE_FORMATS.make("xliff").units(XLIFF)[1]
    assert unit.source == "Press \ue000Enter\ue001\ue002a key\ue003"
    assert unit.codes[2].text == '<ph id="4">&lt;img alt="<sub>'
    assert unit.state == "draft"


def test_marked_segments_are_units_and_other_marks_stay_empty() -> None:
    form = FILE_FORMATS.make("xliff")
    units = {unit.key: unit for unit in form.units(XLIFF)}
    assert units["2/1/1"].source == "Two \ue000words\ue001."
    assert not units["2/1/1"].cut
    filled = form.fill(XLIFF, {"2/1/0": Target("Eins.")})
    assert b'</seg-source><target state="translated"><mrk mtype="seg" mid="0">Eins.</mrk> <mrk' in filled
    both = form.fill(filled, {"2/1/1": Target("Zwei \ue000Worte\ue001.")})
    assert b'mid="0">Eins.</mrk> <mrk mtype="seg" mid="1">Zwei <x:odd a="1">Worte</x:odd>.</mrk></target>' in both


def test_a_target_stands_behind_its_source_and_states_are_written() -> None:
    form = FILE_FORMATS.make("xliff")
    filled = form.fill(XLIFF, {"1/1": Target("Hallo", "draft"), "1/2": Target("Drücke", "approved")})
    assert b'</source>\n    <target state="needs-review-translation">Hallo</target>\n    <note>' in filled
    assert '<target state="signed-off">Drücke</target>'.encode() in filled
    states = {unit.key: unit.state for unit in form.units(filled)}
    assert (states["1/1"], states["1/2"], states["2/3"]) == ("draft", "approved", "approved")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("\ue000 open", "the code 'g1' is not closed"),
        ("\ue003 closed", "the code '/g1' closes what is not open there"),
        ("\ue000\ue001\ue003\ue002", "the code '/g1' closes what is not open there"),
        ("\ue020", "it has the code number 33, and the unit has 6"),
    ],
)
def test_codes_that_would_break_the_file_are_refused(text: str, reason: str) -> None:
    with pytest.raises(DataError, match=f"a.xlf: the target does not fit its unit '1/1': {reason}"):
        FILE_FORMATS.make("xliff").fill(XLIFF, {"1/1": Target(text)}, name="a.xlf")


def test_pieces_of_one_code_in_the_wrong_order_are_refused() -> None:
    content = XLIFF.replace(b"<sub>a key</sub>", b"<sub>a</sub> b <sub>c</sub>")
    form = FILE_FORMATS.make("xliff")
    unit = form.units(content)[1]
    assert unit.source.endswith("\ue002a\ue003c\ue004")
    assert form.fill(content, {unit.key: Target("\ue002A\ue003C\ue004")})
    with pytest.raises(DataError, match="an order that XML cannot have"):
        form.fill(content, {unit.key: Target("\ue003\ue002A\ue003C\ue004")})


def test_unknown_codes_are_kept_verbatim() -> None:
    content = XLIFF.replace(b"Hello <g", b"Hello <zap:x  y='&lt;'/><zap:z>in</zap:z><g").replace(
        b"<xliff ", b'<xliff xmlns:zap="urn:zap" '
    )
    form = FILE_FORMATS.make("xliff")
    unit = form.units(content)[0]
    assert [code.text for code in unit.codes[:3]] == ["<zap:x  y='&lt;'/>", "<zap:z>", "</zap:z>"]
    filled = form.fill(content, {unit.key: Target("\ue001drin\ue002\ue000")})
    assert b"<zap:z>drin</zap:z><zap:x  y='&lt;'/></target>" in filled


def test_latin_files_stay_latin_and_odd_characters_are_references() -> None:
    content = XLIFF.decode("utf-8-sig").replace('"UTF-8"', '"ISO-8859-1"').encode("latin-1", "xmlcharrefreplace")
    form = FILE_FORMATS.make("xliff")
    filled = form.fill(content, {"1/1": Target(f"é {ARABIC[0]}")})
    assert b"\xe9 &#1607;</target>" in filled
    assert form.units(filled)[0].target == f"é {ARABIC[0]}"


def test_xliff_2_keeps_states_and_gets_its_target_language() -> None:
    form = FILE_FORMATS.make("xliff2")
    units = {unit.key: unit for unit in form.units(XLIFF2)}
    assert units["f1/u1/s1"].source == "Hello \ue000big \ue001world\ue002\ue003 \ue004\ue005 in \ue006"
    assert units["f1/u1/s1"].alternatives == (Alternative("Salut \ue004", "", None, "Hi"),)
    assert units["f1/u2/2"].state == "approved"
    filled = form.fill(XLIFF2, {"f1/u1/s1": Target("Salut"), "f1/u2/1": Target("Un.", "approved")}, langs=("en", "fr"))
    text = filled.decode("utf-16")
    assert '<xliff trgLang="fr" xmlns=' in text
    assert '<segment id="s1" state="translated">\r\n    <source>' in text
    assert "</source>\r\n    <target>Salut</target>\r\n   </segment>" in text
    assert '<segment state="reviewed"><source>One.</source><target>Un.</target>' in text


@pytest.mark.parametrize(("name", "sample", "other"), [("xliff", XLIFF2, "xliff2"), ("xliff2", XLIFF, "xliff")])
def test_the_versions_are_told_apart(name: str, sample: bytes, other: str) -> None:
    assert format_of("a.xlf", sample).name == other
    with pytest.raises(DataError, match=other):
        FILE_FORMATS.make(name).units(sample)


def test_prefixed_elements_are_the_same() -> None:
    text = XLIFF.decode("utf-8-sig").replace("xmlns=", "xmlns:xlf=")
    content = re.sub(r"(</?)(?=[a-z-]+[ />])(?!x:)", r"\1xlf:", text).encode()
    form = FILE_FORMATS.make("xliff")
    plain, prefixed = form.units(XLIFF), form.units(content)
    assert [unit.source for unit in prefixed] == [unit.source for unit in plain]
    assert prefixed[1].codes[0].text == '<xlf:bpt id="1">&lt;b&gt;</xlf:bpt>'
    filled = form.fill(content, {"1/1": Target("Hallo")})
    assert b'</xlf:source>\n    <xlf:target state="translated">Hallo</xlf:target>' in filled


def test_zero_segments() -> None:
    content = b'<xliff version="1.2"><file><body/></file></xliff>'
    assert FILE_FORMATS.make("xliff").units(content) == []
    assert io.BytesIO(FILE_FORMATS.make("xliff").fill(content, {})).read() == content


PROPOSALS = b"""<xliff version="1.2"><file source-language="en" target-language="de-AT"><body>
<trans-unit id="1"><source>A <g id="1">cat</g>.</source>
 <alt-trans match-quality="87.5%" origin="old"><source>A <g id="1">dog</g>.</source>
  <target xml:lang="de">Ein <g id="1">Hund</g><x id="9"/>.</target><target xml:lang="fr">Un chien.</target></alt-trans>
 <alt-trans match-quality="exact" tool-id="t"><target>Eine Katze.</target></alt-trans>
 <alt-trans alttranstype="rejected"><target>Weg.</target></alt-trans>
 <alt-trans mid="7"><target>Teil.</target></alt-trans></trans-unit>
<trans-unit id="2"><source>One. Two.</source>
 <seg-source><mrk mtype="seg" mid="1">One.</mrk> <mrk mtype="seg" mid="2">Two.</mrk></seg-source>
 <alt-trans><target><mrk mtype="seg" mid="2">Zwei.</mrk></target></alt-trans>
 <alt-trans mid="1" match-quality="101"><target>Eins.</target></alt-trans><alt-trans><target>Alles.</target></alt-trans>
</trans-unit></body></file></xliff>"""


def test_what_a_file_proposes_has_origin_and_quality_and_belongs_to_its_segment() -> None:
    units = {unit.key: unit for unit in FILE_FORMATS.make("xliff").units(PROPOSALS)}
    assert units["1/1"].alternatives == (
        Alternative("Ein \ue000Hund\ue001\ue002.", "old", 87.5, "A \ue000dog\ue001."),
        Alternative("Eine Katze.", "t"),  # whatever "exact" is in per cent
    )
    assert units["1/1"].codes[2].text == '<x id="9"/>'
    assert units["1/2/1"].alternatives == (Alternative("Eins."),)  # 101 is no share
    assert units["1/2/2"].alternatives == (Alternative("Zwei."),)


def test_candidates_of_xliff_2_belong_to_what_they_refer_to() -> None:
    content = b"""<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.0" srcLang="en" trgLang="de"
     xmlns:mtc="urn:oasis:names:tc:xliff:matches:2.0"><file id="f"><unit id="u"><mtc:matches>
     <mtc:match ref="#b" similarity="80" matchQuality="20" origin="mt"><source>Two</source><target>Zwei<ph
      id="9"/></target></mtc:match>
     <mtc:match ref="#m" matchQuality="66.5"><source>One</source><target>Eins</target></mtc:match>
     <mtc:match ref="#b" reference="yes"><source>Two</source><target>Deux</target></mtc:match></mtc:matches>
     <segment id="a"><source><mrk id="m" type="mtc:match">One.</mrk></source></segment>
     <segment id="b"><source>Two.</source></segment></unit></file></xliff>"""
    first, second = FILE_FORMATS.make("xliff2").units(content)
    assert first.alternatives == (Alternative("Eins", "", 66.5, "One"),)
    assert second.alternatives == (Alternative("Zwei\ue000", "mt", 80.0, "Two"),)
    assert second.codes[0].text.split() == ["<ph", 'id="9"/>']
