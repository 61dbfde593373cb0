"""The text room's door: every name it shows is there, and nothing is imported before it is asked for."""

from __future__ import annotations

import subprocess
import sys

import pytest

from dragoman import text


@pytest.mark.parametrize("name", text.__all__)
def test_every_name_leads_to_its_home(name: str) -> None:
    assert getattr(text, name) is not None


def test_the_list_of_names_is_the_table_of_homes() -> None:
    assert sorted(text.__all__) == sorted(text._HOME)


def test_an_unknown_name_is_no_attribute() -> None:
    with pytest.raises(AttributeError, match=r"module 'dragoman\.text' has no attribute 'tokenize'"):
        _ = text.tokenize


def test_opening_the_room_imports_no_part_of_it() -> None:
    code = "import sys, dragoman.text; print(sorted(m for m in sys.modules if m.startswith('dragoman.text.')))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
