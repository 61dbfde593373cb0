"""Test sets, bitexts, judgements and their files: read and checked once, frozen afterwards."""

from dragoman.data.formats.base import FORMATS, Format
from dragoman.data.parallel import check_parallel
from dragoman.data.records import Records
from dragoman.data.testset import TestSet

__all__ = ["FORMATS", "Format", "Records", "TestSet", "check_parallel"]
