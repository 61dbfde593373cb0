"""Readers take time by the length of a document, whatever stands in it: four times as much takes four times as long."""

from __future__ import annotations

import gc
import io
import time
import zipfile
from collections.abc import Callable

import pytest

from dragoman.cat.reading import read_file

_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def docx(body: str) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("word/document.xml", f"<w:document {_W}><w:body>{body}</w:body></w:document>")
    return stream.getvalue()


def sentences(n: int) -> bytes:
    return ("A word stood here. " * n).encode()


def sentences_of_one_paragraph(n: int) -> bytes:
    return docx(f"<w:p><w:r><w:t>{'It rained. ' * n}</w:t></w:r></w:p>")


def tabs_of_one_paragraph(n: int) -> bytes:
    text = "<w:r><w:t>x</w:t></w:r>"
    return docx(f"<w:p>{text}{'<w:r><w:tab/></w:r>' * n}{text}</w:p>")


def links_around_runs(n: int) -> bytes:
    inside = "<w:r><w:t>x</w:t></w:r>" * n
    return docx(f"<w:p>{'<w:ins>' * 100}{inside}{'</w:ins>' * 100}</w:p>")


def links_after_each_other(n: int) -> bytes:
    return docx(f"<w:p>{'<w:ins><w:r><w:t>x</w:t></w:r></w:ins>' * min(n, 3000)}</w:p>")


CASES: list[tuple[str, Callable[[int], bytes], int]] = [
    ("a.txt", sentences, 10_000),
    ("a.docx", sentences_of_one_paragraph, 10_000),
    ("a.docx", tabs_of_one_paragraph, 10_000),
    ("a.docx", links_around_runs, 3_000),
    ("a.docx", links_after_each_other, 700),
]


def seconds(name: str, content: bytes) -> float:
    """The processor time of reading, the least of two; the collector would look through what other tests left."""
    times = []
    gc.disable()
    try:
        for _ in range(2):
            begun = time.process_time()
            assert read_file(name, content, ("en", "de")).rows
            times.append(time.process_time() - begun)
    finally:
        gc.enable()
    return min(times)


@pytest.mark.parametrize(("name", "make", "n"), CASES, ids=[make.__name__ for _, make, _ in CASES])
def test_time_grows_with_the_length_alone(name: str, make: Callable[[int], bytes], n: int) -> None:
    small, large = seconds(name, make(n)), seconds(name, make(4 * n))
    assert large < 8 * small + 0.2, f"{n}: {small:.2f} s, {4 * n}: {large:.2f} s"
