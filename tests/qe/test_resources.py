"""Resources: built, held out, checked; features kept by content."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from dragoman.align.base import Aligner
from dragoman.data import Bitext
from dragoman.errors import DataError, FormatError
from dragoman.qe import QEData, Resources, extract_features
from dragoman.qe.recipes import FeatureRecipe, ResourceRecipe
from dragoman.qe.resources import build_resources, load_resources

SOURCES = [f"the house number {n} has {n % 4} big rooms with windows" for n in range(40)]
EDITS = [f"das Haus Nummer {n} hat {n % 4} große Zimmer mit Fenstern" for n in range(40)]
OUTPUTS = [edit.replace("hat", "haben") if n % 3 else edit for n, edit in enumerate(EDITS)]
EDITED = QEData.of(tuple(SOURCES), tuple(OUTPUTS), tuple(EDITS))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("built") / "resources"
    built = build_resources(None, path, ResourceRecipe(n_parts=4, languages="en-de"), post_edited=EDITED)
    assert built.meta() == {"folder": str(path), "n_pairs": 40, "n_held_out": 40}
    return path


def test_post_edits_alone_serve_every_feature(folder: Path) -> None:
    resources = load_resources(folder)
    found = extract_features(SOURCES, OUTPUTS, FeatureRecipe(features=("black-box",)), resources=resources, n_threads=2)
    assert len(found) == 40
    assert resources.missing(("source_lm", "indicators", "confidence", "output_lm")) == []


def test_sentences_are_seen_by_resources_that_have_not_seen_them(folder: Path) -> None:
    resources = load_resources(folder)
    # The number of a house stands in one sentence alone: unknown where that sentence is held out.
    unknown = extract_features(
        SOURCES[4:], OUTPUTS[4:], FeatureRecipe(features=("unknown",)), resources=resources
    ).values[:, 0]
    assert unknown.tolist() == [1.0] * 36
    seen = extract_features(
        SOURCES[4:], OUTPUTS[4:], FeatureRecipe(features=("unknown",)), resources=replace(resources, held_out=None)
    ).values[:, 0]
    assert seen.tolist() == [0.0] * 36
    assert resources.held_out is not None
    parts = resources.held_out.part_of([*SOURCES, "a new sentence", f"  {SOURCES[0]} "])
    assert parts.tolist() == [n // 10 for n in range(40)] + [-1, 0]
    mixed = extract_features(
        ["the house", SOURCES[20], SOURCES[5]],
        ["das Haus", OUTPUTS[20], OUTPUTS[5]],
        FeatureRecipe(features=("black-box",)),
        resources=resources,
    ).values
    alone = extract_features(
        [SOURCES[5]], [OUTPUTS[5]], FeatureRecipe(features=("black-box",)), resources=resources
    ).values
    assert mixed[2].tolist() == pytest.approx(alone[0].tolist())


def test_text_of_one_language_serves_models_and_counts(tmp_path: Path) -> None:
    (tmp_path / "more.en").write_text(f"a garden\n{SOURCES[30]}\n")
    (tmp_path / "more.de").write_text("ein Garten\n")
    build_resources(
        Bitext.from_lines(SOURCES[:3], EDITS[:3]),
        tmp_path / "r",
        ResourceRecipe(source_text=tmp_path / "more.en", target_text=tmp_path / "more.de", n_parts=2),
        post_edited=QEData.of(tuple(SOURCES[20:]), None, tuple(EDITS[20:])),
    )
    resources = load_resources(tmp_path / "r")
    assert resources.missing(("confidence", "output_lm")) == ["confidence", "output_lm"]
    found = extract_features(
        ["a garden"],
        ["ein Garten"],
        FeatureRecipe(features=("unknown", "unknown:on=target")),
        resources=resources,
    )
    assert found.values.tolist() == [[0, 0]]
    # A post-edited source stays held out even if it stands in the further text.
    held = extract_features([SOURCES[30]], [EDITS[30]], FeatureRecipe(features=("unknown",)), resources=resources)
    assert held.values.tolist() == [[1]]
    assert "garden" not in resources.ask("aligner", Aligner).vocabularies[0]


def test_columns_are_kept_by_content(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    resources = load_resources(folder)
    first = extract_features(
        SOURCES, OUTPUTS, FeatureRecipe(features=("baseline17",)), resources=resources, cache=tmp_path / "kept"
    )
    kept = sorted((tmp_path / "kept").iterdir())
    assert len(kept) == 17
    monkeypatch.setattr("dragoman.qe.features.extract.Work.values", lambda *_: pytest.fail("computed again"))
    again = extract_features(
        SOURCES, OUTPUTS, FeatureRecipe(features=("baseline17",)), resources=resources, cache=tmp_path / "kept"
    )
    assert (again.values == first.values).all()
    monkeypatch.undo()
    kept[0].write_bytes(b"damaged")
    again = extract_features(
        SOURCES, OUTPUTS, FeatureRecipe(features=("baseline17",)), resources=resources, cache=tmp_path / "kept"
    )
    assert (again.values == first.values).all()
    extract_features(
        SOURCES[1:], OUTPUTS[1:], FeatureRecipe(features=("surface",)), resources=resources, cache=tmp_path / "kept"
    )
    assert len(list((tmp_path / "kept").iterdir())) == 17 + 6
    with pytest.raises(DataError, match="fingerprint of resources, which only those from a folder have"):
        extract_features(["a"], ["b"], resources=replace(resources, fingerprint=""), cache=tmp_path / "kept")


def test_resources_of_another_pair_are_refused(folder: Path) -> None:
    resources = load_resources(folder)
    with pytest.raises(DataError, match=r"resources are of en-de, the text is ro-en\. Build resources of this pair"):
        extract_features(
            SOURCES, OUTPUTS, FeatureRecipe(features=("baseline17",), languages="ro-en"), resources=resources
        )
    with pytest.raises(DataError, match=r"know 0% of the words of the sources on the source side and 100% on the targ"):
        extract_features(EDITS, SOURCES, FeatureRecipe(features=("baseline17",)), resources=resources)
    other = [f"iată o propoziție cu totul diferită despre ceva {n}" for n in range(40)]
    with pytest.raises(DataError, match=r"know 0% of the words of the sources: they are of another pair"):
        extract_features(other, OUTPUTS, FeatureRecipe(features=("baseline17",)), resources=resources)
    with pytest.raises(DataError, match=r"know 0% of the words of the outputs: .* resources are of en-de"):
        extract_features(SOURCES, other, FeatureRecipe(features=("baseline17",)), resources=resources)
    found = extract_features(
        other, OUTPUTS, FeatureRecipe(features=("baseline17",), check_languages=False), resources=resources
    )
    assert np.isfinite(found.values).all()
    assert (
        len(extract_features(other, other, FeatureRecipe(features=("surface",)), resources=resources)) == 40
    )  # asks no resource


def test_what_cannot_be_built_or_opened_is_named(tmp_path: Path, folder: Path) -> None:
    with pytest.raises(DataError, match="no text to build resources from"):
        build_resources(None, tmp_path / "a")
    with pytest.raises(DataError, match=r"need sources and post-edits, .src and .pe"):
        build_resources(None, tmp_path / "a", post_edited=QEData.of(("a",), ("b",)))
    with pytest.raises(DataError, match=r"n_parts. option of ResourceRecipe must be at least 2\. Got 1"):
        build_resources(None, tmp_path / "a", ResourceRecipe(n_parts=1), post_edited=EDITED)
    with pytest.raises(DataError, match="1 different sources are too few for 2 parts"):
        build_resources(
            None,
            tmp_path / "a",
            ResourceRecipe(n_parts=2),
            post_edited=QEData.of(("a", "a"), None, ("b", "c")),
        )
    with pytest.raises(DataError, match="got srcs=1, tgts=0"):
        build_resources(Bitext.from_lines(["a"], []), tmp_path / "a")
    with pytest.raises(DataError, match=r"has no resources.json: it is no folder of dragoman qe resources"):
        load_resources(tmp_path)
    (tmp_path / "resources.json").write_text('{"format": 9, "parts": []}')
    with pytest.raises(FormatError, match="is no description of resources: format 9"):
        load_resources(tmp_path)
    assert load_resources(None).missing(("lexicon",)) == ["lexicon"]
    assert isinstance(load_resources(folder), Resources)
