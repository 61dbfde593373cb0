from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import pytest

from dragoman import __version__
from dragoman.artifact import MANIFEST, Artifact, Manifest, checksum, read_manifest
from dragoman.errors import DataError, ModelError
from dragoman.options import Recipe, option


@dataclass(frozen=True)
class CounterRecipe(Recipe):
    order: int = option(3, low=1, high=9, text="longest n-gram")
    share: float = option(0.5, low=0)
    form: str = option("plain", choices=("plain", "fancy"))
    marks: tuple[str, ...] = option((".", "!"))
    note: str = ""


@dataclass(frozen=True)
class Counter(Artifact):
    kind: ClassVar[str] = "counter"
    format: ClassVar[int] = 2

    recipe: CounterRecipe = CounterRecipe()
    counts: tuple[int, ...] = (1, 2, 3)
    seed: int | None = 7
    data: Any = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "data", {"train": "ab12"})

    def _write(self, folder: Path) -> None:
        (folder / "counts.txt").write_text(" ".join(map(str, self.counts)), encoding="utf-8")
        (folder / "more").mkdir()
        (folder / "more" / "empty.txt").write_text("")

    @classmethod
    def _read(cls, folder: Path, manifest: Manifest) -> Counter:
        counts = tuple(map(int, (folder / "counts.txt").read_text(encoding="utf-8").split()))
        return cls(CounterRecipe.from_dict(manifest.recipe), counts)


class Clock(Counter):
    kind: ClassVar[str] = "clock"


class NewerCounter(Counter):
    format: ClassVar[int] = 3


class Interrupted(Counter):
    def _write(self, folder: Path) -> None:
        super()._write(folder)
        raise KeyboardInterrupt


def edit_manifest(folder: Path, **changes: Any) -> None:
    values = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    (folder / MANIFEST).write_text(json.dumps({**values, **changes}), encoding="utf-8")


def refused(folder: Path, kind: type[Artifact] = Counter) -> str:
    with pytest.raises(ModelError) as caught:
        kind.load(folder)
    return str(caught.value)


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    return Counter(CounterRecipe(order=5, marks=("?",))).save(tmp_path / "model")


def test_a_saved_artifact_is_loaded_as_it_was(tmp_path: Path, saved: Path) -> None:
    assert Counter.load(saved) == Counter(CounterRecipe(order=5, marks=("?",)))
    assert [path.name for path in tmp_path.iterdir()] == ["model"]


def test_the_manifest_says_what_it_is_and_how_it_was_made(saved: Path) -> None:
    manifest = read_manifest(saved)
    assert (manifest.kind, manifest.format, manifest.seed) == ("counter", 2, 7)
    assert manifest.recipe == {"order": 5, "share": 0.5, "form": "plain", "marks": ["?"], "note": ""}
    assert manifest.data == {"train": "ab12"}
    assert manifest.dragoman == __version__
    assert manifest.files == {
        "counts.txt": checksum(saved / "counts.txt"),
        "more/empty.txt": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    }


def test_missing_folders_are_made_and_an_older_model_is_replaced_whole(tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "down" / "model"
    Counter(counts=(9,)).save(folder)
    (folder / "stray.txt").write_text("of the old model")
    Counter(counts=(8,)).save(folder)
    assert Counter.load(folder).counts == (8,)
    assert not (folder / "stray.txt").exists()
    assert [path.name for path in folder.parent.iterdir()] == ["model"]


def test_an_interrupted_save_leaves_nothing_or_the_old_model(tmp_path: Path) -> None:
    folder = tmp_path / "model"
    with pytest.raises(KeyboardInterrupt):
        Interrupted().save(folder)
    assert list(tmp_path.iterdir()) == []
    Counter(counts=(4, 2)).save(folder)
    with pytest.raises(KeyboardInterrupt):
        Interrupted(counts=(0,)).save(folder)
    assert Counter.load(folder).counts == (4, 2)
    assert [path.name for path in tmp_path.iterdir()] == ["model"]


def test_what_a_model_may_not_replace(tmp_path: Path) -> None:
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "chapter.tex").write_text("x")
    with pytest.raises(DataError) as caught:
        Counter().save(tmp_path / "thesis")
    assert str(caught.value) == f"{tmp_path}/thesis exists and is not a model folder; name another folder."
    with pytest.raises(DataError) as caught:
        Counter().save(tmp_path / "thesis" / "chapter.tex")
    assert (
        str(caught.value)
        == f"{tmp_path}/thesis/chapter.tex is a file; a model is saved as a folder. Name another path."
    )
    assert (tmp_path / "thesis" / "chapter.tex").read_text() == "x"


def test_another_kind(saved: Path) -> None:
    assert refused(saved, Clock) == f"{saved} is a counter (format 2), not a clock."


def test_another_version(saved: Path) -> None:
    assert refused(saved, NewerCounter) == (
        f"{saved} is a counter of format 2 (made by Dragoman {__version__}); this version reads format 3. "
        "Build it again."
    )


def test_a_damaged_file(saved: Path) -> None:
    (saved / "counts.txt").write_text("1 2 4")
    assert refused(saved) == (f"{saved}: counts.txt is damaged or was edited (checksum differs). Build it again.")


def test_a_file_of_another_size(saved: Path) -> None:
    (saved / "counts.txt").write_text("1 2 3 4")
    assert refused(saved) == (
        f"{saved}: counts.txt is damaged or was edited (7 bytes, not 5). Build it again or copy it whole."
    )


def test_a_large_file_is_read_only_to_be_verified(tmp_path: Path) -> None:
    folder = Counter(counts=(1,) * 40_000).save(tmp_path / "model")
    text = (folder / "counts.txt").read_text()
    (folder / "counts.txt").write_text("2" + text[1:])
    assert Counter.load(folder).counts[:2] == (2, 1)
    with pytest.raises(ModelError, match=r"counts.txt is damaged or was edited \(checksum differs\)"):
        Counter.load(folder, verify=True)


def test_a_manifest_without_sizes_is_of_an_older_version_and_checked_by_hash(tmp_path: Path) -> None:
    folder = Counter(counts=(1,) * 40_000).save(tmp_path / "model")
    values = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    del values["sizes"]
    (folder / MANIFEST).write_text(json.dumps(values), encoding="utf-8")
    assert Counter.load(folder).counts == (1,) * 40_000
    (folder / "counts.txt").write_text("2" + (folder / "counts.txt").read_text()[1:])
    assert "checksum differs" in refused(folder)


def test_a_missing_file(saved: Path) -> None:
    (saved / "counts.txt").unlink()
    assert refused(saved) == f"{saved} is incomplete: counts.txt is missing. Build it again or copy it whole."


@pytest.mark.parametrize("name", ["../outside.txt", "/etc/passwd", "more/../../outside.txt"])
def test_a_manifest_that_reaches_out_of_its_folder(tmp_path: Path, saved: Path, name: str) -> None:
    (tmp_path / "outside.txt").write_text("secret")
    edit_manifest(saved, files={name: checksum(tmp_path / "outside.txt")})
    assert refused(saved) == f"{saved}/manifest.json names a file outside the folder: {name!r}."


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{", "Expecting property name"),
        ("[1]", "argument after \\*\\* must be a mapping"),
        ('{"kind": "counter"}', "missing 6 required positional arguments"),
        ("[" * 100_000, "more than 100 deep"),
        ('{"format": ' + "9" * 5000 + "}", "a whole number of 5000 digits is beyond 64 bits"),
        ("\udcff", "can't decode byte 0xff"),
    ],
)
def test_what_is_no_manifest(saved: Path, text: str, reason: str) -> None:
    (saved / MANIFEST).write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(ModelError, match=rf"manifest.json is not a manifest of Dragoman's: .*{reason}"):
        Counter.load(saved)


def test_a_manifest_of_wrong_types(saved: Path) -> None:
    edit_manifest(saved, files=["counts.txt"], format="2")
    assert refused(saved) == (
        f"{saved}/manifest.json is not a manifest of Dragoman's: format, files of another type than a manifest's."
    )


def test_what_is_no_model_folder(tmp_path: Path) -> None:
    assert refused(tmp_path / "none") == f"There is no model folder {tmp_path}/none."
    assert refused(tmp_path) == f"{tmp_path} is not a model folder: it has no manifest.json."


# Recipes


def test_all_broken_rules_are_listed_at_once() -> None:
    with pytest.raises(DataError) as caught:
        CounterRecipe(order=12, share=-1.0, form="odd").check()
    assert str(caught.value) == (
        "The 'order' option of CounterRecipe must be at least 1 and at most 9. Got 12 instead. "
        "The 'share' option of CounterRecipe must be at least 0. Got -1.0 instead. "
        "The 'form' option of CounterRecipe must be one of 'plain', 'fancy'. Got 'odd' instead."
    )


@pytest.mark.parametrize("value", [float("nan"), "3", None])
def test_what_is_no_number_is_out_of_every_range(value: object) -> None:
    with pytest.raises(DataError, match="The 'order' option"):
        CounterRecipe(order=value).check()  # type: ignore[arg-type]


def test_a_recipe_survives_json() -> None:
    recipe = CounterRecipe(order=1, marks=())
    assert CounterRecipe.from_dict(json.loads(json.dumps(recipe.to_dict()))) == recipe
    assert recipe.check() is recipe


def test_unknown_options_are_refused() -> None:
    with pytest.raises(DataError) as caught:
        CounterRecipe.from_dict({"ordre": 2})
    assert str(caught.value) == "CounterRecipe has no option ordre. Known: order, share, form, marks, note."


def test_a_mutable_default_is_a_mistake_of_ours() -> None:
    with pytest.raises(TypeError, match="must be immutable"):
        option([])
