"""The alignment step of a training: any aligner, or several that pool their phrases."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from dragoman.align import align_ids
from dragoman.data.bitext import Bitext
from dragoman.errors import DataError, UnknownName
from dragoman.parts import InProcess
from dragoman.smt import EngineRecipe
from dragoman.smt.pairs import encode
from dragoman.smt.recipe import changed
from dragoman.smt.training import train_engine
from dragoman.smt.training_plan import plan_training
from dragoman.smt.tuning import Tuning
from dragoman.smt.word_alignment import WordAlignment, repeated
from dragoman.text.annotate.base import ANNOTATORS
from dragoman.text.tokens import TokenIds
from dragoman.text.vocabulary import Vocabulary

EN_DE = EngineRecipe(source_lang="en", target_lang="de", tune=Tuning(method="none"))


@pytest.fixture(scope="module")
def ids(book: dict[str, list[str]]) -> tuple[TokenIds, TokenIds]:
    return encode(Vocabulary(), book["en"]), encode(Vocabulary(), book["de"])


@pytest.mark.parametrize("method", ["diagonal", "diagonal:rounds=2", "hmm", "ibm1", "sampler:samplers=1"])
def test_links_are_those_of_the_method(ids: tuple[TokenIds, TokenIds], method: str) -> None:
    found = WordAlignment(method=method).align(*ids)
    links, offsets = align_ids(*ids, method=method)
    np.testing.assert_array_equal(found.links, links)
    np.testing.assert_array_equal(found.link_offsets, offsets)


def test_several_methods_align_the_text_once_each(ids: tuple[TokenIds, TokenIds]) -> None:
    both = WordAlignment(method="diagonal + hmm").align(*ids)
    n = len(ids[0])
    assert len(both) == 2 * n
    for part, method in ((0, "diagonal"), (n, "hmm")):
        links, offsets = align_ids(*ids, method=method)
        begin, end = both.link_offsets[part], both.link_offsets[part + n]
        np.testing.assert_array_equal(both.links[begin:end], links)
        np.testing.assert_array_equal(both.link_offsets[part : part + n + 1] - begin, offsets)
        np.testing.assert_array_equal(both.source[part + 3], ids[0][3])
        np.testing.assert_array_equal(both.target[part + n - 1], ids[1][n - 1])
    assert len(repeated(ids[0], 3)) == 3 * n


def test_pooled_alignments_are_kept_and_loaded(bitext: Bitext, tmp_path: Path) -> None:
    pooled = replace(EN_DE, align=WordAlignment(method="diagonal+hmm"))
    first = train_engine(bitext, pooled, work=tmp_path)
    shorter = replace(pooled, phrases=replace(pooled.phrases, longest=3))
    train_engine(bitext, shorter, work=tmp_path)
    [table] = [path for path in tmp_path.glob("phrases-*") if f"-{path.name}" and "longest" in _told(path, 7)]
    for file in table.rglob("phrases.bin"):
        file.unlink()  # so that it is made again from the alignment on disk
    again = train_engine(bitext, pooled, work=tmp_path)
    assert {name: kept for name, _, _, kept in again.steps}["align"]
    assert again.engine.models.phrases.core.serialised() == first.engine.models.phrases.core.serialised()


def _told(step: Path, longest: int) -> str:
    text = (step / "step.json").read_text(encoding="utf-8")
    return text if f'"longest": {longest}' in text else ""


@pytest.mark.parametrize(
    ("method", "message"),
    [("giza", "giza"), ("hmm+", "aligner"), ("hmm:speed=3", "speed"), ("hmm:rounds=-1", "rounds")],
)
def test_unknown_methods_are_named_before_work(method: str, message: str) -> None:
    with pytest.raises((UnknownName, DataError), match=message):
        WordAlignment(method=method).check()


def test_terms_are_linked_as_a_whole(tmp_path: Path) -> None:
    srcs, tgts = ["the point of view", "a point", "the view"], ["der Standpunkt", "ein Punkt", "die Sicht"]
    (tmp_path / "terms").write_text("point of view ||| Standpunkt\n", encoding="utf-8")
    pairs = encode(Vocabulary(), srcs), encode(Vocabulary(), tgts)
    found = WordAlignment(method="ibm1+hmm", terms=str(tmp_path / "terms")).align_lines(srcs, tgts, pairs)
    first = found.links[: found.link_offsets[1]].tolist()
    assert {(1, 1), (2, 1), (3, 1)} <= {(s, t) for s, t in first}
    assert len(found.link_offsets) == 7  # once for each method
    plain = WordAlignment(method="ibm1")
    np.testing.assert_array_equal(plain.align_lines(srcs, tgts, pairs).links, plain.align(*pairs).links)


def test_other_terms_are_another_training(tmp_path: Path) -> None:
    bitext = Bitext.from_lines(["the point of view"] * 3, ["der Standpunkt"] * 3, source_lang="en", target_lang="de")
    (tmp_path / "terms").write_text("point of view ||| Standpunkt\n", encoding="utf-8")
    recipe = replace(EN_DE, align=WordAlignment(method="ibm1", terms=str(tmp_path / "terms")))
    before = plan_training(bitext, recipe, work=tmp_path / "work").step("align").key
    (tmp_path / "terms").write_text("view ||| Standpunkt\n", encoding="utf-8")
    assert plan_training(bitext, recipe, work=tmp_path / "work").step("align").key != before


def test_words_are_linked_by_their_stems(book: dict[str, list[str]]) -> None:
    lines = book["en"][:80], book["de"][:80]
    ids = encode(Vocabulary(), lines[0]), encode(Vocabulary(), lines[1])
    recipe = WordAlignment(method="diagonal", target_words="snowball:lang=de")
    stems = ANNOTATORS.make("snowball:lang=de").annotate([line.split() for line in lines[1]])
    links, offsets = align_ids(ids[0], encode(Vocabulary(), [" ".join(line) for line in stems]), method="diagonal")
    found = recipe.align_lines(*lines, ids)
    np.testing.assert_array_equal(found.links, links)
    np.testing.assert_array_equal(found.link_offsets, offsets)
    np.testing.assert_array_equal(found.target.ids, ids[1].ids)  # phrases are of words


def test_stems_link_in_parts_too_and_work_of_before_stays_good(bitext: Bitext, tmp_path: Path) -> None:
    plain = replace(EN_DE, align=WordAlignment(method="diagonal"))
    stems = replace(plain, align=WordAlignment(method="diagonal", target_words="snowball:lang=de"))
    assert "target_words" not in plan_training(bitext, plain, work=tmp_path).step("align").settings
    keys = [plan_training(bitext, each, work=tmp_path).step("align").key for each in (plain, stems)]
    assert keys[0] != keys[1]
    whole = train_engine(bitext, stems, work=tmp_path / "a", output=tmp_path / "one")
    train_engine(bitext, stems, work=tmp_path / "b", output=tmp_path / "two", pool=InProcess(), part=200)
    assert whole.engine.models.table is not None
    table = "phrases/phrases.bin"
    assert (tmp_path / "one" / table).read_bytes() == (tmp_path / "two" / table).read_bytes()


def test_stems_beside_terms_or_an_index_are_refused() -> None:
    stems = WordAlignment(target_words="snowball:lang=de")
    with pytest.raises(DataError, match=r"align\.terms goes without source_words"):
        replace(stems, terms="terms.txt").check()
    with pytest.raises(DataError, match="An engine that learns links words as they are"):
        changed(replace(EN_DE, align=stems), ["index.use=only"])
