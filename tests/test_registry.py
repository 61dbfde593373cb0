from __future__ import annotations

import sys
from pathlib import Path

import pytest

from dragoman.errors import UnknownName
from dragoman.registry import Registry


def fractions() -> Registry[object]:
    return Registry("odd thing", {"fraction": "fractions:Fraction", "decimal": "decimal:Decimal"})


@pytest.fixture
def plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A distribution installed on sys.path that offers two odd things, one under a name of ours."""
    info = tmp_path / "stranger-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: stranger\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[dragoman.odd_thing]\nguest = stranger_module:Guest [some-extra]\ndecimal = stranger_module:Thief\n"
        "[dragoman.even_thing]\nother = stranger_module:Guest\n"
    )
    (tmp_path / "stranger_module.py").write_text("class Guest: pass\nclass Thief: pass\n")
    monkeypatch.syspath_prepend(tmp_path)
    yield tmp_path
    sys.modules.pop("stranger_module", None)


def test_names_are_sorted_and_classes_found() -> None:
    registry = fractions()
    assert registry.names() == ["decimal", "fraction"]
    assert registry.get("fraction").__name__ == "Fraction"
    assert "fraction" in registry
    assert "guest" not in registry
    assert 3 not in registry


def test_an_entry_is_imported_when_it_is_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "late_module.py").write_text("class Late: pass\n")
    monkeypatch.syspath_prepend(tmp_path)
    registry: Registry[object] = Registry("odd thing", {"late": "late_module:Late", "never": "no_such_module:Never"})
    assert registry.names() == ["late", "never"]
    assert "late_module" not in sys.modules
    assert registry.get("late").__name__ == "Late"
    with pytest.raises(ModuleNotFoundError, match="no_such_module"):
        registry.get("never")
    sys.modules.pop("late_module")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("fractoin", "No odd thing is called 'fractoin'. Did you mean 'fraction'? Known: decimal, fraction."),
        ("zzz", "No odd thing is called 'zzz'. Known: decimal, fraction."),
        ("", "No odd thing is called ''. Known: decimal, fraction."),
    ],
)
def test_an_unknown_name_gets_the_nearest_and_all(name: str, message: str) -> None:
    with pytest.raises(UnknownName) as caught:
        fractions().get(name)
    assert str(caught.value) == message


@pytest.mark.usefixtures("plugin")
def test_other_packages_join_but_cannot_take_over() -> None:
    registry = fractions()
    assert registry.names() == ["decimal", "fraction", "guest"]
    assert registry.get("guest").__module__ == "stranger_module"
    assert registry.get("decimal").__module__ == "decimal"


def test_the_table_given_is_not_kept() -> None:
    entries = {"fraction": "fractions:Fraction"}
    registry: Registry[object] = Registry("odd thing", entries)
    entries["decimal"] = "decimal:Decimal"
    assert registry.names() == ["fraction"]
