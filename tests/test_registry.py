from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from dragoman.errors import DataError, UnknownName
from dragoman.registry import Registry


@dataclass(frozen=True)
class Thing:
    """Something with options of every kind."""

    word: str | None = None
    plain: bool = True
    size: int = 3
    share: float = 0.5
    marks: tuple[str, ...] = ()


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


def test_case_does_not_matter_where_one_name_is_spelt_so() -> None:
    assert fractions().get("FRACTION").__name__ == "Fraction"
    assert fractions().resolve("Decimal") == "decimal"
    assert "DECIMAL" in fractions()
    both: Registry[object] = Registry("odd thing", {"a": "fractions:Fraction", "A": "decimal:Decimal"})
    assert both.get("A").__name__ == "Decimal"
    three: Registry[object] = Registry("odd thing", {"ab": "fractions:Fraction", "aB": "decimal:Decimal"})
    with pytest.raises(UnknownName, match="No odd thing is called 'AB'"):
        three.get("AB")


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


def things() -> Registry[Thing]:
    return Registry("odd thing", {"thing": f"{__name__}:Thing", "fraction": "fractions:Fraction"})


@pytest.mark.parametrize(
    ("spec", "made"),
    [
        ("thing", Thing()),
        ("thing:", Thing()),
        ("thing:word=x=y", Thing(word="x=y")),
        ("thing:plain=no,size=-7,share=1e-3", Thing(plain=False, size=-7, share=0.001)),
        ("thing:marks=a+b", Thing(marks=("a", "b"))),
    ],
)
def test_entries_are_made_from_a_specification(spec: str, made: Thing) -> None:
    assert things().make(spec) == made


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        (
            "thing:size",
            "The odd thing 'thing': 'size' is no option; write options as name=value. "
            "Known: word, plain, size, share, marks.",
        ),
        ("thing:size=2,word", "'word' in 'thing:size=2,word' is no option; write options as name=value."),
        ("thing:color=red", "The odd thing 'thing' has no option 'color'. Known: word, plain, size, share, marks."),
        ("fraction:x=1", "The odd thing 'fraction' has no option 'x'. Known: none."),
        ("thing:plain=maybe", "The option 'plain' is yes or no, got 'maybe'."),
        ("thing:size=3.5", "The option 'size' is a whole number, got '3.5'."),
        ("thing:share=half", "The option 'share' is a number, got 'half'."),
    ],
)
def test_specifications_that_are_wrong(spec: str, message: str) -> None:
    with pytest.raises(DataError) as caught:
        things().make(spec)
    assert str(caught.value) == message


def test_an_unknown_name_in_a_specification() -> None:
    with pytest.raises(UnknownName, match=r"No odd thing is called 'thong'\. Did you mean 'thing'\?"):
        things().make("thong:size=3")
