"""Every codec of Python as a file's declared encoding: read, or refused with an error of Dragoman's."""

from __future__ import annotations

import codecs
import encodings
import pkgutil
from encodings.aliases import aliases
from pathlib import Path

import pytest

from dragoman.cat import FILE_FORMATS
from dragoman.cat.files.document import Document
from dragoman.errors import DataError, FormatError
from dragoman.files import read_lines
from dragoman.text.hunspell import read_dictionary
from dragoman.utf8 import reading_in, text_encoding
from tests.fuzz.mutator import Trial

CODECS = sorted(module.name for module in pkgutil.iter_modules(encodings.__path__))
NOT_OF_FILES = ("idna", "punycode", "undefined", "unicode_escape", "raw_unicode_escape", "charmap", "rot13", "base64")
BODIES = (b"a. b.. x", b"caf\xe9 \xff\xfe", b"\\u12 \\x \\N{x} xn--a-\xff", bytes(range(256)), b"." * 100)

HEADS = {
    "html": "<meta charset={}><p>",
    "po": 'msgid ""\nmsgstr "Content-Type: text/plain; charset={}\\n"\n\n#',
    "xliff": '<?xml version="1.0" encoding="{}"?><xliff version="1.2">',
    "tmx": '<?xml version="1.0" encoding="{}"?><tmx>',
}


# Codecs that are asked anything warn of what they would not write.
@pytest.mark.filterwarnings("ignore")
def test_every_codec_as_a_declared_encoding(tmp_path: Path) -> None:
    trial = Trial()
    for codec in CODECS:
        for body in BODIES:
            for name, head in HEADS.items():
                content = head.format(codec).encode() + body
                trial.attempt(
                    f"{name} in {codec}", lambda name=name, content=content: FILE_FORMATS.make(name).units(content)
                )  # type: ignore[misc]
            trial.attempt(f"text in {codec}", lambda codec=codec, body=body: Document.of(body, "x", declared=codec))  # type: ignore[misc]
            trial.attempt(f"lines in {codec}", lambda codec=codec, body=body: lines_in(codec, body, tmp_path))  # type: ignore[misc]
            trial.attempt(f"words in {codec}", lambda codec=codec, body=body: words_in(codec, body, tmp_path))  # type: ignore[misc]
    assert trial.n_read > len(CODECS)
    assert trial.n_refused > len(CODECS)
    trial.check()


def lines_in(codec: str, body: bytes, folder: Path) -> None:
    (folder / "lines").write_bytes(body + b"\n")
    with reading_in(codec):
        read_lines(folder / "lines")


def words_in(codec: str, body: bytes, folder: Path) -> None:
    (folder / "x.aff").write_bytes(f"SET {codec}\n".encode())
    (folder / "x.dic").write_bytes(b"1\n" + body + b"\n")
    read_dictionary(folder / "x")


@pytest.mark.parametrize("codec", NOT_OF_FILES)
def test_what_is_no_encoding_of_files_is_refused_by_name(codec: str) -> None:
    assert text_encoding(codec) is None
    with pytest.raises(FormatError, match=f"declares the encoding '{codec}', which is not known"):
        FILE_FORMATS.make("html").units(f"<meta charset={codec}><p>x".encode())
    with pytest.raises(DataError, match=f"Unknown encoding '{codec}'"), reading_in(codec):
        pass


def test_encodings_of_files_are_known_by_any_of_their_names() -> None:
    assert [text_encoding(name) for name in ("latin1", "UTF8", "Shift_JIS", "\0", "klingon")] == [
        "iso8859-1",
        "utf-8",
        "shift_jis",
        None,
        None,
    ]


def test_names_that_strangers_make_up_are_not_remembered() -> None:
    """Python keeps every name that it knows no codec of; a name may be as long as the header of a request."""
    kept: dict[str, object] = vars(encodings)["_cache"]
    names = [f"no-{number}{'x' * (number * 100)}" for number in range(20)]
    before = len(kept)
    assert [text_encoding(name) for name in names] == [None] * len(names)
    assert len(kept) == before


def test_the_names_that_python_knows_are_known() -> None:
    for name in (*aliases, *CODECS):
        for written in (name, name.upper(), name.replace("_", "-")):
            try:
                codec = codecs.lookup(written)
            except LookupError:  # a module that is no codec, or one of another system
                continue
            assert (text_encoding(written) is None) == (text_encoding(codec.name) is None), written
