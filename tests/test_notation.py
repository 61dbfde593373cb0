"""JSON, TOML and whole numbers that others wrote: every kind of bad one is refused with a reason."""

from __future__ import annotations

from pathlib import Path

import pytest

from dragoman.errors import DataError, FormatError
from dragoman.notation import parse_json, parse_toml, whole_number

DEEP = 100_000


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{", "Expecting property name"),
        ("[" * DEEP, "more than 100 deep"),
        ('{"a":' * DEEP, "more than 100 deep"),
        ("[" * 101 + "]" * 101, "more than 100 deep"),
        ("[" + "9" * 5000 + "]", "a whole number of 5000 digits is beyond 64 bits"),
        ("-" + "9" * 30, "a whole number of 30 digits is beyond 64 bits"),
        ("18446744073709551616", "beyond 64 bits"),
        (b'"\xff"', "invalid start byte"),
    ],
)
def test_json_that_cannot_be_read_is_refused(text: str | bytes, reason: str) -> None:
    with pytest.raises(DataError, match=reason) as caught:
        parse_json(text)
    assert str(caught.value).startswith("this is no JSON: ")
    with pytest.raises(FormatError, match="file:7: this is no JSON: "):
        parse_json(text, path="file", line=7)


def test_json_is_read() -> None:
    text = '{"a": [1, -2.5, null, true, "é", 18446744073709551615, -9223372036854775808, NaN]}'
    *values, last = parse_json(text)["a"]
    assert values == [1, -2.5, None, True, "é", 2**64 - 1, -(2**63)]
    assert last != last
    assert parse_json("[" * 100 + "]" * 100) is not None
    assert len(parse_json("[" + "[]," * 1000 + "[]]")) == 1001
    with pytest.raises(DataError, match="NaN is no number of JSON's"):
        parse_json(text, finite=True)


@pytest.mark.parametrize(
    ("text", "where", "reason"),
    [
        ("a = 1\nb = ", "file:2: ", "Invalid value"),
        ("a = " + "[" * 50_000, "file: ", "more than 100 deep"),
        ("a = " + "[" * 101 + "]" * 101, "file: ", "more than 100 deep"),
        ("a" + ".a" * 150 + " = 1", "file: ", "more than 100 deep"),
        ("a = " + "9" * 5000, "file: ", "Exceeds the limit"),
        ("a = [1, {b = " + "9" * 30 + "}]", "file: ", "a whole number of 30 digits is beyond 64 bits"),
    ],
)
def test_toml_that_cannot_be_read_is_refused(text: str, where: str, reason: str) -> None:
    with pytest.raises(FormatError, match=reason) as caught:
        parse_toml(text, path=Path("file"))
    assert str(caught.value).startswith(f"{where}this is no TOML: ")
    with pytest.raises(DataError, match=reason):
        parse_toml(text)


def test_toml_is_read() -> None:
    assert parse_toml("a = 9223372036854775807\n[b]\nc = [1.5, {d = 'e'}]") == {
        "a": 2**63 - 1,
        "b": {"c": [1.5, {"d": "e"}]},
    }


@pytest.mark.parametrize("text", ["", "-1", "+1", "1_0", " 1", "1.0", "١", "²", "9" * 19, "9" * 5000])
def test_what_is_no_whole_number(text: str) -> None:
    assert whole_number(text) is None


def test_whole_numbers() -> None:
    assert [whole_number(text) for text in ("0", "007", "9" * 18)] == [0, 7, 10**18 - 1]
