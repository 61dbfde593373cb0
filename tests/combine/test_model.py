"""Combinations: search beside looking at everything, tuning, saving, contributions, ablation."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from dragoman.combine import Combiner, CombineRecipe, ablate, evaluate_outputs, interleaved, train_combiner
from dragoman.combine.batch import Batch, start_weights
from dragoman.data import TestSet
from dragoman.data.assemble import assemble
from dragoman.errors import DataError, ModelError
from dragoman.lm.model import KneserNey
from dragoman.samples import copy_samples

RECIPE = CombineRecipe(lang="en", tuner="mira:rounds=2", n_best=20)


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> TestSet:
    folder = tmp_path_factory.mktemp("samples")
    copy_samples(folder)
    systems = [folder / f"testset/systems/{name}.en" for name in ("borealis", "cobalt", "dune")]
    return assemble(refs=[folder / "testset/reference-A.en"], systems=systems)


@pytest.fixture(scope="module")
def combiner(samples: TestSet) -> Combiner:
    return train_combiner(samples, RECIPE)


SYSTEMS = {"x": ["the big cat sat", "we go"], "y": ["a cat sat down", "we went"], "z": ["the cat sits", "go we"]}


def naive_features(batch: Batch, lines: list[str], skeleton: int, path: tuple[str | None, ...]) -> dict[str, float]:
    """What a path is scored by, by the definitions."""
    network = batch.network(0, skeleton)
    values = dict.fromkeys(batch.names, 0.0)
    values[f"skeleton {batch.systems[skeleton]}"] = 1.0
    for word, link in zip(path, network.links, strict=True):
        for name, other in zip(batch.systems, link, strict=True):
            values[f"vote {name}"] += other == word
        values["consensus"] += np.log(sum(other == word for other in link) / len(link))
        values["nulls" if word is None else "words"] += 1
    words = ["<s>", *(word for word in path if word is not None), "</s>"]
    others = [["<s>", *line.split(), "</s>"] for line in lines]
    for n in (2, 3, 4):
        grams = [{tuple(each[i : i + n]) for i in range(len(each) - n + 1)} for each in others]
        for i in range(len(words) - n + 1):
            values[f"support-{n}"] += sum(tuple(words[i : i + n]) in each for each in grams) / len(others)
    return values


def test_the_search_finds_what_looking_at_everything_finds() -> None:
    lm = KneserNey(order=2).train(["the cat sat down", "a cat sits", "the big cat"])
    batch = Batch(SYSTEMS, CombineRecipe(align="iter", lang="en", inputs_order=0, beam=10_000), lm=lm)
    weights = {**start_weights(batch.names), "words": 0.2, "nulls": -0.1, "skeleton y": 0.05}
    lines = [each[0] for each in SYSTEMS.values()]
    best: dict[str, float] = {}
    for skeleton in range(3):
        for path in product(*(tuple(dict.fromkeys(link)) for link in batch.network(0, skeleton).links)):
            text = " ".join(word for word in path if word is not None)
            values = naive_features(batch, lines, skeleton, path)
            values["lm"] = float(lm.score([text])[0]) * np.log(10)
            score = sum(weights[name] * value for name, value in values.items())
            best[text] = max(score, best.get(text, -np.inf))
    vector = np.array([weights[name] for name in batch.names])
    paths = batch.paths(vector, np.array([0]), n_best=10)
    expected = sorted(best.items(), key=lambda each: -each[1])[:10]
    assert paths.scores.tolist() == pytest.approx([score for _, score in expected], abs=1e-4)
    assert paths.texts[0] == expected[0][0]
    assert (paths.features @ vector).tolist() == pytest.approx(paths.scores.tolist(), abs=1e-4)


def test_the_nearest_path_to_a_reference() -> None:
    batch = Batch(SYSTEMS, CombineRecipe(align="iter", lang="en", beam=1000))
    weights = np.array(list(start_weights(batch.names).values()))
    assert batch.oracle(["the cat sat down", "we went home"], weights) == ["the cat sat down", "we went"]


def test_tuning_helps_and_what_is_tuned_is_combined(samples: TestSet, combiner: Combiner) -> None:
    assert combiner.tuned.value > combiner.tuned.rounds[0].value + 5  # the samples' systems are of unequal worth
    combined = combiner.combine(samples)
    measured = evaluate_outputs({"combined": combined.texts}, samples, metric="bleu:tokeniser=none", trials=20)
    assert measured.best == "borealis"
    assert measured.scores["combined"] > measured.scores["cobalt"]
    assert measured.to_dict()["rows"][-1]["output"] == "combined"
    with pytest.raises(DataError, match="no reference to measure against"):
        evaluate_outputs({"combined": combined.texts}, replace(samples, refs={}))


def test_results_do_not_depend_on_threads(samples: TestSet, combiner: Combiner) -> None:
    texts = [combiner.combine(samples, n_threads=n).texts for n in (1, 2, 7)]
    assert texts[0] == texts[1] == texts[2]


def test_what_is_saved_is_loaded(samples: TestSet, tmp_path: Path) -> None:
    lm = KneserNey(order=2).train(["the cat sat down", "a cat sits"])
    combiner = train_combiner(samples, replace(RECIPE, tuner="mira:rounds=1"), lm=lm, seed=3)
    loaded = Combiner.load(combiner.save(tmp_path / "model"))
    assert (loaded.systems, loaded.recipe, loaded.seed, loaded.data) == (
        combiner.systems,
        combiner.recipe,
        3,
        combiner.data,
    )
    assert loaded.combine(samples) == combiner.combine(samples)
    (tmp_path / "model" / "lm" / "lm.bin").unlink()
    with pytest.raises(ModelError, match=r"lm/lm\.bin is missing"):
        Combiner.load(tmp_path / "model")


def test_contributions_add_up(samples: TestSet, combiner: Combiner) -> None:
    combined = combiner.combine(samples, with_networks=True)
    assert sum(each.skeletons for each in combined.contributions) == pytest.approx(1)
    path = combined.paths[0]
    words = [word for word in path.words if word is not None]
    assert " ".join(words).replace(" ", "") == combined.texts[0].replace(" ", "")
    page = combined.html()
    assert "Who contributed what" in page
    assert 'id="segment-1"' in page
    assert f"{combined.contributions[path.skeleton].system} *" in page


def test_a_page_is_safe_for_any_word() -> None:
    systems = {"<i>": ["<script> x"], "b": ["<script> y"]}
    text = TestSet(refs={"r": ["<script> x"]}, systems=systems)
    combined = train_combiner(text, CombineRecipe(tuner="mira:rounds=1")).combine(text, with_networks=True)
    page = combined.html()
    assert "&lt;script&gt; x" in page
    assert "<td><script>" not in page
    assert "<i>" not in page


def test_leaving_systems_out(samples: TestSet) -> None:
    steps: list[str] = []
    found = ablate(
        *interleaved(samples),
        replace(RECIPE, tuner="mira:rounds=1"),
        pairs=True,
        progress=lambda done, total, what: steps.append(f"{done}/{total} {what}"),
    )
    names = [trial.name for trial in found.trials]
    assert names[:2] == ["all", "without borealis"]
    assert names[-1] == "cobalt + dune"
    assert steps[-1] == "7/7 cobalt + dune"
    by_name = {trial.name: trial for trial in found.trials}
    assert by_name["without borealis"].systems == by_name["cobalt + dune"].systems
    assert by_name["without borealis"].score == by_name["cobalt + dune"].score
    assert by_name["without borealis"].score < by_name["all"].score


def test_halves_interleave(samples: TestSet) -> None:
    first, second = interleaved(samples)
    (whole,), (odd,), (even,) = (list(each.refs.values()) for each in (samples, first, second))
    assert [*odd[:2], *even[:2]] == [whole[0], whole[2], whole[1], whole[3]]
    with pytest.raises(DataError, match="Two halves need two segments"):
        interleaved(TestSet(refs={"r": ["a"]}))


@pytest.mark.parametrize(
    ("systems", "refs", "problem"),
    [
        ({"a": ["x"]}, {"r": ["x"]}, "at least two systems are needed, got a"),
        ({"a": ["x"], "b": [" "]}, {"r": ["x"]}, "The output of b has no words at all"),
        ({"a": ["x"], "b": ["y"]}, {}, "tuned towards a reference; give one"),
    ],
)
def test_what_cannot_be_combined_is_named(
    systems: dict[str, list[str]], refs: dict[str, list[str]], problem: str
) -> None:
    with pytest.raises(DataError, match=problem):
        train_combiner(TestSet(refs=refs, systems=systems))


def test_other_systems_than_in_training_are_named(samples: TestSet, combiner: Combiner) -> None:
    other = replace(samples, systems={"a": samples.systems["dune"], "b": samples.systems["cobalt"]})
    with pytest.raises(DataError, match=r"knows the systems borealis, cobalt, dune; got a, b\. Name the outputs"):
        combiner.combine(other)
    with pytest.raises(DataError, match="Leaving one of 2 systems out"):
        ablate(other, other)
