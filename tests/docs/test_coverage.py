"""Nothing is undocumented: every registry has a page, every entry says what it is, every command is in a guide."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import pytest

import dragoman
from dragoman.cli.main import group
from dragoman.cli.tree import LazyGroup
from dragoman.registry import Registry
from tests.cli.commands import every_command

ROOT = Path(__file__).parents[2]

spec = importlib.util.spec_from_file_location("reference", ROOT / "tools" / "reference.py")
assert spec is not None
assert spec.loader is not None
reference = importlib.util.module_from_spec(spec)
spec.loader.exec_module(reference)

COMMANDS = [
    f"{above} {name}".strip()
    for above, command in [("", group), *every_command()]
    if isinstance(command, LazyGroup)
    for name in command.table
]
ENTRIES = [(registry, name) for registry, _, _ in reference.REGISTRIES.values() for name in registry.names()]


def test_every_registry_of_the_package_has_a_page() -> None:
    registries = set()
    for module in pkgutil.walk_packages(dragoman.__path__, "dragoman."):
        if not module.name.startswith("dragoman._core"):
            found = vars(importlib.import_module(module.name)).values()
            registries |= {id(value) for value in found if isinstance(value, Registry)}
    assert registries == {id(registry) for registry, _, _ in reference.REGISTRIES.values()}


@pytest.mark.parametrize(("registry", "name"), ENTRIES, ids=[f"{r.kind}-{n}" for r, n in ENTRIES])
def test_every_entry_says_what_it_is(registry: Registry[object], name: str) -> None:
    entry = registry.get(name)
    base = {inspect.getdoc(parent) for parent in entry.__mro__[1:]}
    assert entry.__doc__, f"{registry.kind} {name} has no docstring"
    assert inspect.getdoc(entry) not in base, f"{registry.kind} {name} only has its base's docstring"
    assert len(entry.__doc__.split()) >= 8


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_stands_in_the_readme_or_a_guide(name: str) -> None:
    texts = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    assert any(re.search(rf"dragoman {name}\b", path.read_text(encoding="utf-8")) for path in texts)


def test_the_site_builds(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path / "site")],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert (tmp_path / "site" / "reference" / "tokenisers" / "index.html").is_file()
