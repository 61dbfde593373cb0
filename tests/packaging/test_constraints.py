"""The packages of the tests are pinned: all that is asked for, within its bounds, and nothing of a machine's own."""

from __future__ import annotations

import re
import tomllib

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.conftest import ROOT

LINES = (ROOT / ".ci" / "constraints.txt").read_text(encoding="utf-8").splitlines()
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PINNED = {canonicalize_name(each.name): each for each in map(Requirement, LINES[1:])}


def required() -> list[Requirement]:
    """What the package, its extras in the tests and the build ask for."""
    extras = PROJECT["project"]["optional-dependencies"]
    left, found = ["test"], [*PROJECT["project"]["dependencies"], *PROJECT["build-system"]["requires"]]
    while left:
        for line in extras[left.pop()]:
            own = re.fullmatch(r"dragoman\[(.+)\]", line)
            left += own[1].split(",") if own else []
            found += [] if own else [line]
    return [Requirement(line) for line in found]


def test_all_that_the_tests_need_is_pinned_within_its_bounds() -> None:
    names = {canonicalize_name(each.name): each for each in required()}
    assert len(names) > 40
    assert names.keys() - PINNED.keys() == set()
    for name, each in names.items():
        (pin,) = PINNED[name].specifier
        assert pin.operator == "==", name
        assert each.specifier.contains(pin.version, prereleases=True), name


def test_no_address_of_an_index_is_in_the_file() -> None:
    assert [line for line in LINES[1:] if "://" in line or line.startswith("-") or " @ " in line] == []


def test_what_builds_is_pinned_too() -> None:
    """By name in the file, and in the Makefile where the environment of the tests is made."""
    recipe = (ROOT / "Makefile").read_text(encoding="utf-8").partition("\n$(VENV)/.built:")[2].partition("\n\n")[0]
    installs = [line for line in recipe.splitlines() if "pip install" in line or "$(INSTALL)" in line]
    assert len(installs) == 2
    assert all("--constraint $(CONSTRAINTS)" in each for each in installs)
    for tool in ("scikit-build-core", "nanobind", "cmake", "ninja", "pip", "setuptools", "wheel"):
        assert tool in installs[0].split()
        assert tool in PINNED
