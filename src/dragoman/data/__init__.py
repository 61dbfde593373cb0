"""Test sets, bitexts, judgements and their files: read and checked once, frozen afterwards."""

from dragoman.data.assemble import LineFile, assemble, read_system, read_systems
from dragoman.data.convert import Conversion, convert, guess_formats, read_test_set, write_test_set
from dragoman.data.formats.base import FORMATS, Format
from dragoman.data.parallel import check_parallel
from dragoman.data.records import Records
from dragoman.data.testset import TestSet

__all__ = [
    "FORMATS",
    "Conversion",
    "Format",
    "LineFile",
    "Records",
    "TestSet",
    "assemble",
    "check_parallel",
    "convert",
    "guess_formats",
    "read_system",
    "read_systems",
    "read_test_set",
    "write_test_set",
]
