"""Every format of files for translation keeps the contract of such formats."""

from __future__ import annotations

import pytest

from dragoman.cat.files import FILE_FORMATS
from dragoman.testing import check_file_format
from dragoman.testing.file_formats import FILE_FORMAT, FileFormatCase
from tests.cat.files.samples import OPTIONS, SAMPLES


@pytest.mark.parametrize("name", FILE_FORMATS.names())
def test_it_keeps_the_contract(name: str) -> None:
    FILE_FORMAT.check(FileFormatCase(FILE_FORMATS.make(OPTIONS.get(name, name)), SAMPLES[name]), name)


def test_the_check_takes_a_name() -> None:
    check_file_format("text:paragraphs=yes", b"One\ntwo.\n\nThree.\n")
