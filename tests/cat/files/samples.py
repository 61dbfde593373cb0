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

SAMPLES: dict[str, bytes] = {"text": TEXT, "xliff": XLIFF}
