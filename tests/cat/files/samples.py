"""A small file of each format, with what the format has."""

from __future__ import annotations

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

SAMPLES: dict[str, bytes] = {
    "csv": CSV,
    "json": JSON,
    "po": PO,
    "properties": PROPERTIES,
    "srt": SRT,
    "text": TEXT,
    "tmx": TMX,
    "tsv": TSV,
    "vtt": VTT,
    "xliff": XLIFF,
    "xliff2": XLIFF2,
}
OPTIONS = {"tmx": "tmx:target_lang=de"}
