from __future__ import annotations

import copy
import pickle
from pathlib import Path

import pytest

from dragoman import errors
from dragoman.errors import DataError, DragomanError, FormatError, ModelError, NotAvailable, UnknownName


@pytest.mark.parametrize("name", errors.__all__)
def test_everything_raised_on_purpose_is_one_tree(name: str) -> None:
    assert issubclass(getattr(errors, name), DragomanError)


@pytest.mark.parametrize(
    ("kind", "also"), [(DataError, ValueError), (FormatError, DataError), (UnknownName, LookupError)]
)
def test_what_else_an_error_is(kind: type[Exception], also: type[Exception]) -> None:
    assert issubclass(kind, also)


def test_a_model_error_is_no_data_error() -> None:
    assert not issubclass(ModelError, DataError)


def test_a_format_error_opens_with_the_place() -> None:
    error = FormatError("a rank is 'x'.", path=Path("a/b.csv"), line=417)
    assert str(error) == "a/b.csv:417: a rank is 'x'."
    assert (error.path, error.line) == ("a/b.csv", 417)
    assert str(FormatError("empty.", path="b.csv")) == "b.csv: empty."


@pytest.mark.parametrize("again", [copy.copy, lambda error: pickle.loads(pickle.dumps(error))])
def test_a_format_error_can_leave_a_worker_process(again: object) -> None:
    error = again(FormatError("bad.", path="a", line=3))  # type: ignore[operator]
    assert type(error) is FormatError
    assert (str(error), error.path, error.line) == ("a:3: bad.", "a", 3)


def test_a_missing_package_comes_with_its_install_line() -> None:
    error = NotAvailable.package("Reading Parquet", package="pyarrow", extra="parquet")
    assert str(error) == 'Reading Parquet needs the package pyarrow. Install it with: pip install "dragoman[parquet]"'
