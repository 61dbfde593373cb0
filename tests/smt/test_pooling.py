"""What another text gives to a table: the identities of Haddow and Koehn's A, W and E, and features of domains."""

from __future__ import annotations

from math import exp
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

from dragoman.data.bitext import Bitext
from dragoman.errors import DataError
from dragoman.lm import Interpolation
from dragoman.smt import Engine, EngineRecipe, PhraseExtraction, PhraseTable, TableCombination
from dragoman.smt.corpora import Corpora
from dragoman.smt.recipe import changed
from dragoman.smt.training import train_engine
from dragoman.smt.training_plan import plan_training
from tests.examples import examples
from tests.smt.test_extraction import Sentence, aligned
from tests.smt.test_tables import close, pairs_of, table_of, two_texts

Two = tuple[list[Sentence], list[Sentence]]


@given(two_texts)
def test_scores_are_the_pools_and_entries_are_added_from_it(two: Two) -> None:
    tables, pool = [table_of(text) for text in two], table_of([*two[0], *two[1]])
    own, whole = pairs_of(tables[0]), pairs_of(pool)
    made = {mode: pairs_of(TableCombination(mode=mode).combine(tables, pool=pool)) for mode in
            ("pooled", "pooled-links", "pooled-scores", "pooled-entries")}  # fmt: skip
    assert made["pooled"] == whole
    assert made["pooled-links"] == own
    assert made["pooled-scores"] == {pair: whole[pair] for pair in own}
    entries = made["pooled-entries"]
    assert set(entries) == set(whole)
    for pair, (scores,) in entries.items():
        assert scores[:4] == (own[pair] if pair in own else whole[pair])[0][:4]
        assert scores[4:10] == whole[pair][0][4:10]  # orientations are those of all texts


@given(two_texts)
def test_without_the_pools_text_its_probabilities_are_made_of_summed_counts(two: Two) -> None:
    tables, whole = [table_of(text) for text in two], pairs_of(table_of([*two[0], *two[1]]))
    found = pairs_of(TableCombination(mode="pooled").combine(tables))
    assert set(found) == set(whole)
    for pair, (scores,) in found.items():
        expected = whole[pair][0]
        assert close((scores[0], scores[2]), (expected[0], expected[2]))
        assert scores[-3:] == expected[-3:]
        own = [pairs_of(table)[pair][0] for table in tables if pair in pairs_of(table)]
        for f in (1, 3):
            mean = sum(s[-3] * exp(s[f]) for s in own) / sum(s[-3] for s in own)
            assert exp(scores[f]) == pytest.approx(mean, rel=1e-4)


@given(two_texts)
@examples(15)
def test_domains_say_of_which_texts_a_pair_is(two: Two) -> None:
    tables = [table_of(text) for text in two]
    counts = [{pair: scores[0][-3] for pair, scores in pairs_of(table).items()} for table in tables]
    made = {
        kind: TableCombination(mode="pooled", domains=kind).combine(tables) for kind in ("indicator", "ratio", "subset")
    }
    assert made["subset"].features[4:] == ("domain.1", "domain.2", "domain.1+2")
    values = {kind: pairs_of(table) for kind, table in made.items()}
    for pair, (scores,) in values["indicator"].items():
        met = [each.get(pair, 0.0) for each in counts]
        assert scores[4:6] == tuple(float(n > 0) for n in met)
        assert values["ratio"][pair][0][4:6] == pytest.approx([n / sum(met) for n in met])
        inside = [met[0] > 0 and met[1] == 0, met[1] > 0 and met[0] == 0, min(met) > 0]
        assert values["subset"][pair][0][4:7] == tuple(map(float, inside))


def test_what_cannot_be_pooled_is_refused() -> None:
    text: list[Sentence] = [(["a"], ["A"], frozenset({(0, 0)}))]
    plain = table_of(text)
    either = TableCombination(mode="either").combine([plain, plain])
    with pytest.raises(DataError, match="Only extracted tables with counts can be pooled"):
        TableCombination(mode="pooled").combine([either, either])
    with pytest.raises(DataError, match="Features of domains go with the modes pooled"):
        TableCombination(mode="fill-up", domains="ratio").combine([plain, plain])
    with pytest.raises(DataError, match="13 scores a pair, the pool 17"):
        TableCombination(mode="pooled-scores").combine([plain], pool=either)
    bare = PhraseExtraction(orientation="none").extract(*aligned(text))
    with pytest.raises(DataError, match="orientations of different kinds"):
        TableCombination(mode="pooled-scores").combine([plain], pool=bare)
    with pytest.raises(DataError, match="a weight of 0 or more for each of 2 tables"):
        TableCombination(mode="interpolated", weights=(1.0, float("nan"))).combine([plain, plain])


@pytest.fixture(scope="module")
def corpora(book: dict[str, list[str]]) -> Corpora:
    return Corpora.of(
        *(
            Bitext.from_lines(book["en"][a:b], book["de"][a:b], source_lang="en", target_lang="de")
            for a, b in ((0, 60), (60, 300))
        )
    )


def test_an_engine_of_each_pooled_mode_keeps_the_steps_they_share(corpora: Corpora, tmp_path: Path) -> None:
    base = changed(
        EngineRecipe(source_lang="en", target_lang="de"),
        ["tune.method=none", "classes.number=0", "phrases.translations_per_phrase=0"],
    )
    keys: dict[str, set[tuple[str, str]]] = {}
    for mode in ("pooled", "pooled-links", "pooled-scores", "pooled-entries"):
        recipe = changed(base, [f"tables.mode={mode}"])
        done = train_engine(corpora, recipe, work=tmp_path / "w", output=tmp_path / mode)
        keys[mode] = set(_keys(done.engine.models.table, corpora))
        assert plan_training(corpora, recipe, work=tmp_path / "w").done == (True,) * len(done.steps)
    assert keys["pooled-scores"] == keys["pooled-links"] < keys["pooled-entries"] == keys["pooled"]
    recipe = changed(base, ["tables.mode=pooled-entries", "tables.domains=indicator"])
    done = train_engine(corpora, recipe, work=tmp_path / "w", output=tmp_path / "domains")
    assert [name for name, *_ in done.steps][5:] == ["phrases", "phrases-2", "phrases-all", "tables"]
    loaded = Engine.load(tmp_path / "domains")
    assert {"domain.1", "domain.2"} < set(loaded.feature_names)
    lines = ["Good morning."]
    assert loaded.translate(lines) == Engine.load(tmp_path / "pooled-entries").translate(lines)  # untuned: weight 0


def _keys(table: PhraseTable | None, corpora: Corpora) -> list[tuple[str, str]]:
    assert table is not None
    words = sorted({word for bitext in corpora.bitexts for src, _ in bitext for word in src.lower().split()})
    return [(pair.source, pair.target) for word in words for pair in table.translations(word)]


def test_a_language_model_of_each_text_is_mixed_if_the_recipe_says_so(
    corpora: Corpora, dev: object, tmp_path: Path
) -> None:
    recipe = changed(EngineRecipe(source_lang="en", target_lang="de"), ["tune.method=none", "mixture=true"])
    with pytest.raises(DataError, match="mixed by weights that are learnt on a tuning set"):
        plan_training(corpora, recipe, work=tmp_path)
    lm = train_engine(corpora, recipe, work=tmp_path, dev=dev).engine.models.lm  # type: ignore[arg-type]
    assert isinstance(lm.recipe, Interpolation)
    assert np.sum(lm.recipe.weights) == pytest.approx(1)
