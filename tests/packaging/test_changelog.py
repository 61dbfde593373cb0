"""The changelog: versions newest first, sections in one order, old spellings listed until they go."""

from __future__ import annotations

import re

from dragoman import __version__
from tests.conftest import ROOT

TEXT = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
SECTIONS = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Numbers"]


def versions() -> list[tuple[str, str]]:
    """Each heading of a version, and what is below it."""
    parts = re.split(r"^## (.+)$", TEXT, flags=re.MULTILINE)
    return list(zip(parts[1::2], parts[2::2], strict=True))


def test_versions_are_dated_and_newest_first() -> None:
    (unreleased, _), *released = versions()
    assert unreleased == "[Unreleased]"
    found = [re.fullmatch(r"\[(\d+)\.(\d+)\.(\d+)\] - (\d{4}-\d\d-\d\d)", title) for title, _ in released]
    assert all(found)
    keys = [(tuple(map(int, match.groups()[:3])), match[4]) for match in found if match]
    assert keys == sorted(keys, reverse=True)


def test_what_is_not_released_has_no_released_version() -> None:
    """Signatures and models record the version: two that differ in scores must not record the same."""
    (_, unreleased), (newest, _), *_ = versions()
    released = newest[1:].partition("]")[0]
    if not unreleased.strip():
        assert __version__ == released
    else:
        number, dev, rest = __version__.partition(".dev")
        assert (dev, rest) == (".dev", "0")
        assert [int(each) for each in number.split(".")] > [int(each) for each in released.split(".")]


def test_what_moves_a_score_is_listed_where_it_is_looked_for() -> None:
    assert [line for line in TEXT.splitlines() if line.startswith("- *Numbers*")] == []


def test_sections_are_known_and_in_one_order() -> None:
    for title, text in versions():
        names = re.findall(r"^### (.+)$", text, flags=re.MULTILINE)
        assert names == [name for name in SECTIONS if name in names], title


def test_no_line_is_listed_twice() -> None:
    lines = [line for line in TEXT.splitlines() if line.startswith("- ")]
    assert sorted(set(lines)) == sorted(lines)


def test_old_spellings_are_listed_as_deprecated() -> None:
    listed = "".join(re.findall(r"^### Deprecated\n(.+?)(?=^##)", TEXT, flags=re.MULTILINE | re.DOTALL))
    spelt = [
        (path.stem, *match)
        for path in sorted((ROOT / "src" / "dragoman" / "cli").glob("*.py"))
        for match in re.findall(r'^@old_spelling\("([^"]+)", "([^"]+)"', path.read_text("utf-8"), flags=re.MULTILINE)
    ]
    assert spelt
    for command, old, new in spelt:
        assert re.search(rf"`dragoman {command} {re.escape(old)}\b.*`{re.escape(new)}\b", listed), (command, old)
