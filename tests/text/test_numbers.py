"""Numbers as languages write them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from dragoman.files import read_lines
from dragoman.text.numbers import join_numbers, localise_number, localise_numbers, number_tag


# LIUM's systems for WMT 2012, section on number rules.
@pytest.mark.parametrize(
    ("text", "langs", "localised"),
    [
        ("0.99", ("en", "fr"), "0,99"),
        ("32,000", ("en", "fr"), "32 000"),
        ("31", ("en", "fr"), "31"),
        ("32 000", ("fr", "en"), "32,000"),
        ("1.234.567,89", ("de", "en"), "1,234,567.89"),
        ("1,234.5", ("en", "de"), "1.234,5"),
        ("2012", ("en", "fr"), "2012"),
        ("1,23,4", ("en", "fr"), "1,23,4"),  # no number
        ("It costs 1,500.50 dollars, not 2.5.", ("en", "fr"), "It costs 1 500,50 dollars, not 2,5."),
        ("version 1.2.3 of B2", ("en", "fr"), "version 1.2.3 of B2"),
    ],
)
def test_numbers_are_written_as_the_target_language_does(text: str, langs: tuple[str, str], localised: str) -> None:
    assert localise_numbers(text, *langs) == localised
    assert localise_numbers(localised, *reversed(langs)) == text


def test_tags() -> None:
    tags = {token: number_tag(token, "en") for token in ("31", "32", "007", "1,000", "0.5", "1,2", "B2", "", "-5")}
    assert tags == {
        "31": None,  # may be a day
        "32": "@@NUM",
        "007": None,
        "1,000": "@@NUM",
        "0.5": "@@DEC",
        "1,2": None,
        "B2": None,
        "": None,
        "-5": None,
    }
    assert number_tag("1,2", "fr") == "@@DEC"
    assert join_numbers("de 32 000 à 1 234 567,5 en 2012 300", "fr") == "de 32_000 à 1_234_567,5 en 2012 300"
    assert join_numbers("32 000", "en") == "32 000"


@pytest.mark.realdata
@pytest.mark.parametrize("target", ["fr", "de", "cs"])
def test_real_numbers_come_back(data_folder: Path, target: str) -> None:
    files = ("news-commentary-sample/nc-5k.en.gz", "newstest2013/references/newstest2013.en.gz")
    lines = [line for file in files for line in read_lines(data_folder / file)]
    numbers = [number for line in lines for number in re.findall(r"(?<![\w.,])\d[\d.,]*(?<=\d)(?!\w)", line)]
    assert len(numbers) >= 1000
    assert sum(number_tag(number, "en") is not None for number in numbers) >= 500
    for number in numbers:
        assert localise_number(localise_number(number, "en", target), target, "en") == number
