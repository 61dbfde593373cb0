"""A small file of each format, with what the format has."""
# ruff: noqa: E501 - mark-up as files have it

from __future__ import annotations

import io
import zipfile


def zipped(files: dict[str, str]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(zipfile.ZipInfo(name), text.encode())
    return stream.getvalue()


XLIFF = """\ufeff<?xml version='1.0'   encoding="UTF-8"?>
<!-- from a test -->
<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2" xmlns:x="urn:other">
<file original='a.html' source-language="en" target-language="ar" datatype="html"><header/><body>
 <group id="g">
  <trans-unit  id="1" resname="head" maxwidth="80" size-unit="char">
    <source>Hello <g id="1">big <g id='2'>world</g></g> &amp; all<x id="3"/><!-- why --></source>
    <note>A greeting</note>
    <alt-trans origin="memory"><source>Hello</source><target>مرحبا <x id="3"/></target></alt-trans>
  </trans-unit>
  <trans-unit id="2"><source>Press <bpt id="1">&lt;b&gt;</bpt>Enter<ept id="1">&lt;/b&gt;</ept><ph id="4">&lt;img \
alt="<sub>a key</sub>"/&gt;</ph></source><target state="needs-review-translation">Drücke <bpt id="1">&lt;b&gt;</bpt>\
Enter<ept id="1">&lt;/b&gt;</ept></target></trans-unit>
  <trans-unit id="2" translate="no"><source>© 2013</source></trans-unit>
 </group>
</body></file>
<file original="b.txt" source-language="en" datatype="plaintext"><body>\r
  <trans-unit id="1"><source>One. Two.</source><seg-source><mrk mtype="seg" mid="0">One.</mrk> <mrk mtype="seg" \
mid="1">Two <x:odd a="1">words</x:odd>.</mrk></seg-source></trans-unit>
  <trans-unit id="2"><source><![CDATA[a < b]]></source><target/></trans-unit>
  <trans-unit id="3" approved="yes"><source>\ue000 Done</source><target state='final' >\ue000 Fertig</target>\
</trans-unit>
</body></file></xliff>
""".encode()

TEXT = "\ufeffThe first line.\r\n\r\n  The second, indented.  \r\n\ue123 private\r\nlast line without an end".encode()

XLIFF2 = """<?xml version="1.0" encoding="UTF-16"?>
<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.1" srcLang="en"
  xmlns:mtc="urn:oasis:names:tc:xliff:matches:2.0">
 <file id="f1">
  <unit id="u1">
   <mtc:matches><mtc:match ref="#m"><source>Hi</source><target>Salut <ph id="3"/></target></mtc:match></mtc:matches>
   <notes><note>A greeting</note></notes>
   <originalData><data id="d1">&lt;b&gt;</data></originalData>
   <segment id="s1" state="initial">
    <source>Hello <pc id="1" dataRefStart="d1">big <sc id="2"/>world</pc><ec startRef="2"/> <ph id="3" disp="%s"/>\
<cp hex="001A"/> in <mrk id="m1" translate="no">Python</mrk></source>
   </segment>
  </unit>
  <unit id="u2" canResegment="no"><segment><source>One.</source><target>Eins.</target></segment><ignorable><source> \
</source></ignorable><segment state="final" subState="x:y"><source>Two.</source><target>Zwei.</target></segment></unit>
  <group id="g" translate="no"><unit id="u3"><segment><source>Kept</source></segment></unit></group>
  <unit id="u4"><segment id='a'><source>Last</source><target/></segment></unit>
 </file>
</xliff>
""".replace("\n", "\r\n").encode("utf-16")

TMX = """<?xml version="1.0" encoding="ISO-8859-1"?>
<!DOCTYPE tmx SYSTEM "tmx14.dtd">
<tmx version="1.4"><header srclang="en-US" adminlang="en" segtype="sentence" datatype="html" o-tmf="x" creationtool="y"
  creationtoolversion="1"/>
<body>
  <tu tuid="a"><note>caf\xe9</note>
    <tuv xml:lang="en-US"><seg>The <bpt i="1">&lt;b&gt;</bpt>cat<ept i="1">&lt;/b&gt;</ept> &amp; <hi>dog\
</hi></seg></tuv>
  </tu>
  <tu><tuv xml:lang="EN-us"><seg>A house</seg></tuv>\
<tuv xml:lang="de"><prop type="x">y</prop><seg>Ein H\xe4uschen</seg></tuv></tu>
  <tu><tuv xml:lang="fr"><seg>rien</seg></tuv></tu>
</body></tmx>
""".encode("latin-1")

PO = rb"""# Translators
msgid ""
msgstr ""
"Content-Type: text/plain; charset=UTF-8\n"
"Plural-Forms: nplurals=2; plural=n != 1;\n"

#. Shown at start
#: main.c:12
#, fuzzy, c-format
#| msgid "Hello"
msgid "Hello %s <b>there</b>\n"
msgstr "Hallo %s\n"

msgctxt "menu"
msgid "Open"
msgstr "\xc3\x96ffnen \"hier\""

#, python-brace-format
msgid "{n} file"
msgid_plural "{n} files"
msgstr[0] ""
msgstr[1] ""

msgid ""
"A long "
"text."
msgstr ""
"Ein langer "
"Text."

#~ msgid "Old"
#~ msgstr "Alt"
"""

CSV = (
    'id;source;target;note\r\n1;Hello "you";Hallo;a greeting\r\n2;"Two\r\nlines; ""x""";\r\n3;<b>Bold</b>\r\n4;;\r\n'
).encode("utf-8-sig")
TSV = b"source\ttarget\nOne\tEins\nTwo\t\n"

SRT = b"""1
00:00:01,000 --> 00:00:02,500
{\\an8}<i>Hello,</i>
you there.

2
00:00:03,000 --> 00:00:04,000

3
00:00:05,000 --> 00:00:06,000
- Bye.
- Bye."""

VTT = b"""WEBVTT - some title

NOTE a comment

STYLE
::cue { color: red }

intro
00:01.000 --> 00:02.000 line:0
<v Ada>Hello &amp; <c.loud>welcome</c>

00:03.000 --> 00:04.000
1 &lt; 2 <00:03.500>indeed
"""

JSON = rb"""{
  "@@locale": "en", "title" : "Hello {name}",
  "menu": {"open": "Open\u2026", "items": ["One", "", 3, "<b>Two</b> \"x\""], "open": "again"},
  "@title": {"description": "a greeting"}
}
"""

PROPERTIES = rb"""# A greeting
hello = Hello, {0}!
! other
multi.line: one \
    two\n three
caf\u00e9=caf\u00e9 100%
empty=
bare
"""

HTML = """<!DOCTYPE html>
<html lang=en><head><meta charset="iso-8859-1"><title>A caf\xe9 &amp; more</title>
<meta name="description" content="About &quot;it&quot;"><style>p { color: red }</style></head>
<body class=x>
<h1>Hello <b>big <i>world</i></b>!</h1>
<p>
  A picture: <img src="a.png" alt="A cat" title='A "cat"'> and<br>some <code>x &lt; 1</code> with
  <a href="b.html" title=Link>a link</a>&nbsp;here.<!-- no -->
</p>
<script>if (a < b) alert("no")</script><pre>  kept  </pre>
<ul><li>One<li>Two <span translate="no">Kept</span> <span>text</span></ul>
<input type="submit" value="Send"><input value="kept"> 1 < 2 &copy; <p hidden></p>
</body></html>
""".encode("latin-1")

MARKDOWN = b"""---
title: kept
---

# A *title* here #

Some text with `code`,
**bold** and [a link](http://example.org "title").\x20\x20
A hard break \\* and ![a picture](x.png).

> A quotation
> of two lines
>
> - item _one_
> - item two

1. first
2. second

   ```python
   kept()
   ```

| Name | Value |
| --- | ---: |
| a \\| b | **c** |

<div>
kept
</div>

Setext <b>heading</b>
---------------------

[ref]: http://example.org

See [the reference][ref] or <http://example.org>.
"""

YAML = """# Strings
en: &all
  title: Hello, %{name}!   # a comment
  'quoted': 'It''s "here"'
  double: "Tab\\tand é"
  number: 12
  yes: true
  block: |
    Two lines
      of text

  folded: >-
    One
    line
  list: [one, "two", {three: four}]
  alias: &x text
other: *all
""".encode()

W = (
    'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
)
DOCX_BODY = f"""<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<w:document {W}><w:body>
<w:p w:rsidR="00A1"><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:bookmarkStart w:id="0" w:name="x"/><w:r><w:t>A title</w:t></w:r>\
<w:bookmarkEnd w:id="0"/></w:p>
<w:p><w:r><w:t xml:space="preserve">Some </w:t></w:r><w:proofErr w:type="spellStart"/><w:r w:rsidR="00A2"><w:rPr>\
<w:lang w:val="en-GB"/></w:rPr><w:t xml:space="preserve">text, </w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t>bo</w:t></w:r><w:r>\
<w:rPr><w:b/><w:noProof/></w:rPr><w:t>ld</w:t></w:r><w:r><w:t xml:space="preserve"> &amp; </w:t></w:r>\
<w:hyperlink r:id="rId9"><w:r><w:rPr><w:rStyle w:val="Hyperlink"/></w:rPr><w:t>a link</w:t></w:r></w:hyperlink>\
<w:del w:id="3"><w:r><w:delText>gone</w:delText></w:r></w:del><w:ins w:id="4"><w:r><w:t>new</w:t></w:r></w:ins>\
<w:r><w:tab/><w:t>Page</w:t></w:r><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>PAGE</w:instrText></w:r>\
<w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>1</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>
<w:tbl><w:tblGrid><w:gridCol/><w:gridCol/></w:tblGrid><w:tr><w:tc><w:p><w:r><w:t>Cell</w:t></w:r></w:p></w:tc><w:tc><w:p/></w:tc></w:tr></w:tbl>
<w:p><w:r><w:t>Before </w:t></w:r><w:r><w:pict><w:txbxContent><w:p><w:r><w:t>In a box</w:t></w:r></w:p></w:txbxContent></w:pict>\
</w:r><w:r><w:t xml:space="preserve"> behind</w:t></w:r></w:p>
<w:sectPr/></w:body></w:document>"""
DOCX_PARTS = {
    "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default '
    'Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName='
    '"/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/>'
    "</Types>",
    "_rels/.rels": '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship '
    'Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target='
    '"word/document.xml"/></Relationships>',
    "word/document.xml": DOCX_BODY,
    "word/header1.xml": f"<w:hdr {W}><w:p><w:r><w:t>A header</w:t></w:r></w:p></w:hdr>",
    "word/footnotes.xml": f"<w:footnotes {W}><w:footnote><w:p><w:r><w:footnoteRef/></w:r><w:r><w:t>A note</w:t></w:r></w:p>"
    "</w:footnote></w:footnotes>",
    "word/media/image.png": "not really",
}
DOCX = zipped(DOCX_PARTS)

S = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
XLSX = zipped(
    {
        "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default '
        'Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName='
        '"/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>'
        '<Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.'
        'spreadsheetml.worksheet+xml"/><Override PartName="/xl/worksheets/sheet2.xml" ContentType="application/vnd.'
        'openxmlformats-officedocument.spreadsheetml.worksheet+xml"/><Override PartName="/xl/sharedStrings.xml" '
        'ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"/></Types>',
        "_rels/.rels": '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship '
        'Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target='
        '"xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook {S} xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">'
        '<sheets><sheet name="Texts" sheetId="1" r:id="rId1"/><sheet name="Other" sheetId="2" r:id="rId2"/></sheets>'
        "</workbook>",
        "xl/_rels/workbook.xml.rels": '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
        '<Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" '
        'Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="http://schemas.openxmlformats.org/officeDocument/2006/'
        'relationships/worksheet" Target="worksheets/sheet2.xml"/><Relationship Id="rId3" Type="http://schemas.openxmlformats'
        '.org/officeDocument/2006/relationships/sharedStrings" Target="sharedStrings.xml"/></Relationships>',
        "xl/sharedStrings.xml": f"<sst {S}><si><t>Source</t></si><si><t>Target</t></si><si><t>Hello &amp; you</t></si>"
        "<si><r><t>Rich </t></r><r><rPr><b/></rPr><t>text</t></r></si><si><t>Hallo</t></si></sst>",
        "xl/worksheets/sheet1.xml": f'<worksheet {S}><sheetData><row r="1"><c r="A1" t="s"><v>0</v></c><c r="C1" t="s"><v>1</v>'
        '</c></row><row r="2"><c r="A2" t="s"><v>2</v></c><c r="C2" t="s"><v>4</v></c></row><row r="3"><c r="A3" t="s"><v>3'
        '</v></c><c r="B3"><f>1+1</f><v>2</v></c><c r="D3"><v>9</v></c></row><row r="5"><c r="A5" t="inlineStr"><is><t>Inline'
        '</t></is></c></row><row r="6"><c r="B6"><v>1</v></c></row></sheetData></worksheet>',
        "xl/worksheets/sheet2.xml": f"<worksheet {S}><sheetData/></worksheet>",
    }
)

OFFICE = (
    'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" '
    'xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" xmlns:xlink="http://www.w3.org/1999/xlink"'
)
ODT = zipped(
    {
        "mimetype": "application/vnd.oasis.opendocument.text",
        "content.xml": f'<?xml version="1.0"?><office:document-content {OFFICE}><office:body><office:text><text:h>A title</text:h>'
        '<text:p>Some <text:span text:style-name="T1">bold<text:s/></text:span>text<text:note><text:note-body><text:p>A note'
        '</text:p></text:note-body></text:note><office:annotation><text:p>A remark</text:p></office:annotation> and <text:a xlink:href="x">a link</text:a></text:p><text:p/>'
        "</office:text></office:body></office:document-content>",
        "styles.xml": f"<office:document-styles {OFFICE}><text:p>A header</text:p></office:document-styles>",
        "Pictures/a.png": "not really",
    }
)

QT = b"""<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de"><context><name>Main</name>
<message><source>Hello %1 &lt;b&gt;x&lt;/b&gt;</source><translation type="unfinished"></translation></message>
<message><source>Bye</source><comment>at the end</comment><translation>Ade</translation></message>
</context></TS>
"""

SAMPLES: dict[str, bytes] = {
    "csv": CSV,
    "docx": DOCX,
    "html": HTML,
    "json": JSON,
    "markdown": MARKDOWN,
    "odt": ODT,
    "po": PO,
    "properties": PROPERTIES,
    "srt": SRT,
    "text": TEXT,
    "tmx": TMX,
    "toolkit": QT,
    "tsv": TSV,
    "vtt": VTT,
    "xliff": XLIFF,
    "xliff2": XLIFF2,
    "xlsx": XLSX,
    "yaml": YAML,
}
OPTIONS = {"tmx": "tmx:target_lang=de"}
