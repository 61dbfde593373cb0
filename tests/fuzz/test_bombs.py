"""Small files that would become large or take long: entities, aliases, nesting, patterns; and little memory."""

from __future__ import annotations

import io
import json
import random
import subprocess
import sys
import zipfile
from contextlib import suppress
from functools import partial
from time import process_time

import pytest

from dragoman.cat import FILE_FORMATS, read_srx
from dragoman.errors import DataError, DragomanError, FormatError
from dragoman.web.campaigns.gathering import Upload, unpack
from tests.cat.files.samples import SAMPLES, zipped
from tests.conftest import ROOT
from tests.fuzz.mutator import Trial

ENTITIES = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 12))
LAUGHS = f'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY l0 "lol">{ENTITIES}]>'
ODT = "<office:document-content xmlns:office='o' xmlns:text='t'>{}</office:document-content>"


def srx(before: str) -> bytes:
    return (
        '<srx version="2.0"><header cascade="yes"/><body><languagerules><languagerule languagerulename="x"><rule '
        f'break="yes"><beforebreak>{before}</beforebreak><afterbreak>\\s</afterbreak></rule></languagerule>'
        '</languagerules><maprules><languagemap languagepattern=".*" languagerulename="x"/></maprules></body></srx>'
    ).encode()


def packed(markup: str) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("content.xml", markup)
    return stream.getvalue()


@pytest.mark.parametrize("name", ["odt", "docx", "srx", "xliff", "tmx"])
def test_entities_inside_entities_are_not_written_out(name: str) -> None:
    markup = LAUGHS + "<srx>&l11;</srx>"
    content = markup.encode()
    if name in {"odt", "docx"}:
        entry = {"odt": "content.xml", "docx": "word/document.xml"}[name]
        content = zipped({entry: markup, "[Content_Types].xml": "<x/>"})
    read = read_srx if name == "srx" else FILE_FORMATS.make(name).units
    with pytest.raises(FormatError, match="declares an entity 'l0'; for safety that is not read"):
        read(content)


def test_aliases_of_aliases_are_read_once() -> None:
    lines = ["a0: &a0 [laugh]", *(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 60))]
    begin = process_time()
    units = FILE_FORMATS.make("yaml").units("\n".join(lines).encode())
    assert [unit.source for unit in units] == ["laugh"]
    assert process_time() - begin < 5


@pytest.mark.parametrize("opening", ["[", "{a: ", "- ", "? "])
def test_yaml_in_yaml_is_refused_before_it_is_followed(opening: str) -> None:
    with pytest.raises(FormatError, match=r"deep inside each other|is no YAML"):
        FILE_FORMATS.make("yaml").units((opening * 50_000).encode())


def test_an_odt_that_unpacks_to_much_is_refused() -> None:
    with pytest.raises(FormatError, match="times its size, as only an archive made to do harm does"):
        FILE_FORMATS.make("odt").units(packed(ODT.format("<text:p>" + "a" * (8 << 20) + "</text:p>")))
    deep = ODT.format("<text:span>" * 300 + "</text:span>" * 300)
    with pytest.raises(FormatError, match="nested more than 256 deep"):
        FILE_FORMATS.make("odt").units(zipped({"content.xml": deep}))


@pytest.mark.parametrize("way", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
@pytest.mark.parametrize("name", ["docx", "odt", "xlsx", "campaign"])
def test_archives_that_are_packed_in_any_way_and_damaged_are_refused(name: str, way: int) -> None:
    form = FILE_FORMATS.make(name if name in SAMPLES else "docx")
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(SAMPLES[form.name])) as archive, zipfile.ZipFile(stream, "w", way) as copy:
        for entry in archive.namelist():
            copy.writestr(entry, archive.read(entry) * 20)
    chance, trial = random.Random(f"{name} {way}"), Trial()
    for number in range(60):
        damaged = bytearray(stream.getvalue())
        damaged[chance.randrange(len(damaged))] = chance.randrange(256)
        content = bytes(damaged)
        read = partial(unpack, Upload("x.zip", content)) if name == "campaign" else partial(form.units, content)
        trial.attempt(f"{name}, {way}, {number}", read)
    assert trial.n_refused
    trial.check()


@pytest.mark.parametrize("before", ["(a+)+b", "(a|a)*b", "(.*)*x", r"(\w+\s?)*!"])
def test_rules_with_repeats_inside_repeats_are_stopped(before: str) -> None:
    rules = read_srx(srx(before)).rules("en")
    begin = process_time()
    try:
        rules.breaks("a" * 40 + "?" + "a " * 2000)
    except DataError as error:
        assert "takes more than" in str(error)  # noqa: PT017 - some patterns are quick enough
    assert process_time() - begin < 30


@pytest.mark.parametrize("before", ["(((a{1000}){1000}){1000})", "a{99999999999}", "(" * 900 + ")" * 900, "[" * 5000])
def test_rules_that_grow_when_they_are_understood_are_read_or_refused(before: str) -> None:
    begin = process_time()
    with suppress(DragomanError):
        read_srx(srx(before)).rules("en").breaks("a" * 100)
    assert process_time() - begin < 30


LIMITED = """
import json, resource, sys
from dragoman.cat import FILE_FORMATS
from dragoman.errors import DragomanError
from tests.cat.files.samples import OPTIONS, SAMPLES
from tests.fuzz.test_bombs import large

size, room = int(sys.argv[1]), int(sys.argv[2])
forms = {name: FILE_FORMATS.make(OPTIONS.get(name, name)) for name in SAMPLES}
for name, form in forms.items():  # what is imported and kept is there
    form.units(SAMPLES[name])
contents = {name: large(name, size) for name in forms}
pages = int(open("/proc/self/statm").read().split()[0])
limit = pages * resource.getpagesize() + room
resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
ended = {}
for name, form in forms.items():
    try:
        ended[name] = f"{len(form.units(contents[name])) > 0}"
    except DragomanError:
        ended[name] = "refused"
    except MemoryError:
        ended[name] = "memory"
print(json.dumps(ended))
"""


def large(name: str, size: int) -> bytes:
    """A file of many units, of roughly so many bytes."""
    n = size // 50
    match name:
        case "docx" | "odt" | "xlsx" | "toolkit":
            return SAMPLES[name]
        case "html":
            return b"<p>A line of a text, <b>bold</b> &amp; long.</p>\n" * n
        case "csv" | "tsv":
            return SAMPLES[name] + b"\n" * n
        case "json":
            return json.dumps([f"a text that is the number {k}" for k in range(n)]).encode()
        case "tmx" | "xliff" | "xliff2" | "po" | "srt" | "vtt" | "yaml" | "properties" | "markdown" | "text":
            return SAMPLES[name] + (b"\n\n# a line more with some words in it\n\nand more" * n)
    raise AssertionError(name)


@pytest.mark.skipif(sys.platform != "linux", reason="limits of memory are Linux's")
@pytest.mark.parametrize(
    ("size", "room"),
    [(400_000, 8 << 20), pytest.param(4_000_000, 24 << 20, marks=pytest.mark.slow)],
)
def test_readers_in_little_memory_end_with_an_error_that_has_a_name(size: int, room: int) -> None:
    call = [sys.executable, "-c", LIMITED, str(size), str(room)]
    done = subprocess.run(call, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    ended = json.loads(done.stdout)
    assert set(ended) == set(SAMPLES)
    assert "True" in ended.values()
    assert "memory" in ended.values()  # which the command line tells by its name
