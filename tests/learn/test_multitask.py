"""Gaussian processes over several tasks, against the plain definition of their posterior."""

from __future__ import annotations

from math import exp
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from dragoman.cli.main import group
from dragoman.errors import DataError
from dragoman.learn import LEARNERS, Job
from dragoman.learn.coregion import COREGIONS, Coregion
from dragoman.learn.multitask import Hyperparameters, TaskProcess, learn, likelihood, posterior
from dragoman.qe import FeatureTable, learn_scores

JOB = Job(("a", "b", "language"), seed=1)


def invented(n: int, n_tasks: int, seed: int, width: int = 2) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    task = rng.permutation(np.arange(n) % n_tasks)
    x = rng.normal(size=(n, width))
    y = np.sin(x[:, 0]) * (1 + 0.5 * task) + 0.1 * rng.normal(size=n)
    return x, y, task


def drawn(n_tasks: int, width: int, seed: int) -> Hyperparameters:
    rng = np.random.default_rng(seed)
    root = rng.normal(size=(n_tasks, n_tasks))
    between = root @ root.T + 0.1 * np.eye(n_tasks)
    noise = rng.uniform(0.05, 0.5, n_tasks)
    return Hyperparameters(rng.uniform(0.5, 2, width), between, noise, between.mean(axis=0))


def plain_mean(
    found: Hyperparameters, x: np.ndarray, y: np.ndarray, task: np.ndarray, new: np.ndarray, new_task: np.ndarray
) -> list[float]:
    """k(x*, X) (K + Σ)⁻¹ y, an entry at a time."""

    def k(a: np.ndarray, s: int, b: np.ndarray, t: int) -> float:
        far = sum(((p - q) / length) ** 2 for p, q, length in zip(a, b, found.lengths, strict=True))
        return float(found.between[s, t]) * exp(-far / 2)

    places = range(len(y))
    whole = np.array(
        [[k(x[i], task[i], x[j], task[j]) + (found.noise[task[i]] if i == j else 0) for j in places] for i in places]
    )
    weights = np.linalg.inv(whole) @ y
    return [
        sum(k(a, s, x[i], task[i]) * weights[i] for i in places) for a, s in zip(new, new_task.tolist(), strict=True)
    ]


def process(x: np.ndarray, y: np.ndarray, task: np.ndarray, points: np.ndarray, found: Hyperparameters) -> TaskProcess:
    """The predictor of features whose last column is the task."""
    n_tasks = len(found.noise)
    return TaskProcess(
        x[points] / found.lengths,
        posterior(x, y, task, points, found),
        found.lengths,
        np.array(x.shape[1]),
        task[points],
        np.arange(float(n_tasks)),
        np.zeros(n_tasks + 1),
        np.vstack([found.between, found.unknown]),
    )


@given(st.integers(4, 14), st.integers(1, 3), st.integers(1, 3), st.integers(0, 10**6))
def test_the_mean_is_the_posteriors(n: int, n_tasks: int, width: int, seed: int) -> None:
    x, y, task = invented(n, n_tasks, seed, width)
    new, _, new_task = invented(5, n_tasks, seed + 1, width)
    found = drawn(n_tasks, width, seed)
    made = process(x, y, task, np.arange(n), found).predict(np.column_stack([new, new_task]))
    np.testing.assert_allclose(made, plain_mean(found, x, y, task, new, new_task), rtol=1e-5, atol=1e-6)


@given(st.integers(6, 14), st.integers(2, 3), st.integers(0, 10**6))
def test_independent_tasks_are_processes_of_their_own(n: int, n_tasks: int, seed: int) -> None:
    x, y, task = invented(n, n_tasks, seed)
    new, _, new_task = invented(6, n_tasks, seed + 1)
    free = drawn(n_tasks, 2, seed)
    scales = np.diag(free.between)
    found = Hyperparameters(free.lengths, np.diag(scales), free.noise, np.zeros(n_tasks))
    together = process(x, y, task, np.arange(n), found).predict(np.column_stack([new, new_task]))
    for each in range(n_tasks):
        own, asked = task == each, new_task == each
        alone = Hyperparameters(free.lengths, scales[[each]][:, None], free.noise[[each]], np.zeros(1))
        zeros = np.zeros(int(own.sum()), dtype=np.int64)
        single = process(x[own], y[own], zeros, np.arange(len(zeros)), alone)
        expected = single.predict(np.column_stack([new[asked], np.zeros(int(asked.sum()))]))
        np.testing.assert_allclose(together[asked], expected, rtol=1e-6, atol=1e-8)


def test_held_at_every_sentence_the_sparse_mean_is_the_exact_one() -> None:
    x, y, task = invented(12, 2, 3)
    found = drawn(2, 2, 4)
    twice = np.concatenate([np.arange(12), np.arange(12)])  # each sentence twice, and held at the first half
    sparse = process(x[twice], y[twice], task[twice], np.arange(12), found)
    exact = process(x[twice], y[twice], task[twice], np.arange(24), found)
    asked = np.column_stack([x, task])
    np.testing.assert_allclose(sparse.predict(asked), exact.predict(asked), rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("own_noise", [True, False])
@pytest.mark.parametrize(("form", "rank"), [*((form, 1) for form in COREGIONS), ("free", 2)])
def test_the_slopes_of_the_likelihood_are_its_differences(form: str, rank: int, own_noise: bool) -> None:
    x, y, task = invented(12, 3, 5)
    coregion = Coregion(form, 3, rank)
    n_theta = 2 + 1 + (3 if own_noise else 1) + len(coregion.start())
    theta = np.random.default_rng(6).normal(size=n_theta) * 0.3
    value, slopes = likelihood(theta, x, y, task, coregion, own_noise=own_noise)
    for place in range(n_theta):
        step = np.eye(n_theta)[place] * 1e-5
        up, down = (
            likelihood(each, x, y, task, coregion, own_noise=own_noise)[0] for each in (theta + step, theta - step)
        )
        assert slopes[place] == pytest.approx((up - down) / 2e-5, abs=1e-5 * max(1.0, abs(value)))


def test_what_tasks_share_is_learnt() -> None:
    # The third task is the first turned upside down, the second has nothing to do with them.
    rng = np.random.default_rng(8)
    x, task = rng.normal(size=(150, 2)), np.arange(150) % 3
    y = np.choose(task, [np.sin(x[:, 0]), np.sin(2 * x[:, 1]), -np.sin(x[:, 0])]) + 0.05 * rng.normal(size=150)
    between = learn(x, y, task, Coregion("free", 3, 2), own_noise=True).between
    spread = np.sqrt(np.diag(between))
    correlation = between / spread / spread[:, np.newaxis]
    assert correlation[0, 2] < -0.9
    assert abs(correlation[0, 1]) < 0.5


def test_a_task_with_few_sentences_gains_by_the_others() -> None:
    rng = np.random.default_rng(11)
    x = rng.uniform(-2, 2, size=(100, 1))
    language = (np.arange(100) % 20 == 0).astype(float)
    y = np.where(language == 1, -0.5, 1.0) * np.sin(2 * x[:, 0]) + 0.05 * rng.normal(size=100)
    asked = np.linspace(-2, 2, 50)
    error = {}
    for between in ("free", "independent", "pooled"):
        learner = LEARNERS.make(f"multitask-gp:tasks=language,between={between}")
        made = learner.fit(np.column_stack([x, language]), y, {}, Job(("a", "language"), seed=1))
        scores = made.predict(np.column_stack([asked, np.ones(50)]))
        error[between] = np.abs(scores + 0.5 * np.sin(2 * asked)).mean()
    assert error["free"] < 0.5 * error["independent"]
    assert error["free"] < 0.5 * error["pooled"]


def test_an_unknown_task_has_what_all_share() -> None:
    x, y, task = invented(60, 2, 12)
    made = LEARNERS.make("multitask-gp:tasks=language,between=independent").fit(np.column_stack([x, task]), y, {}, JOB)
    assert made.size() == {"inducing points": 60, "tasks": 2}
    assert made.predict(np.array([[0.3, 0.1, 7.0]])) == pytest.approx([y.mean()])  # nothing is shared
    pooled = LEARNERS.make("multitask-gp:tasks=language,between=pooled").fit(np.column_stack([x, task]), y, {}, JOB)
    known, unknown = pooled.predict(np.array([[0.3, 0.1, 0.0], [0.3, 0.1, 7.0]]))
    assert unknown - known == pytest.approx(y.mean() - y[task == 0].mean())


def test_tasks_that_cannot_be_told_are_named() -> None:
    x, y, _ = invented(120, 2, 13)
    table = FeatureTable.of(["a", "b"], x)
    for options, message in [
        ("tasks=judge", r"told by the feature 'judge', which is not there. .*:tasks=NAME.* Known: a, b"),
        ("tasks=a", r"The feature 'a' has 1\d\d different values; tasks are 100 at most"),
        ("tasks=a,select=cfs", "Selectors may leave out the feature 'a', which numbers the tasks"),
        ("tasks=a,scale=ranks", "Ranks would take a new task for the last one known"),
    ]:
        with pytest.raises(DataError, match=message):
            learn_scores(LEARNERS.make(f"multitask-gp:{options},search_most=120,n_folds=10"), table, y, task="score")
    for holder in ("ensemble:members=ridge+{}", "consistent:of={}"):
        with pytest.raises(DataError, match="told by the feature 'judge'"):
            learn_scores(LEARNERS.make(holder.format("gp:tasks=judge")), table, y, task="score")


def test_the_column_of_tasks_is_said_on_the_command_line(tmp_path: Path) -> None:
    x, y, task = invented(40, 2, 14)
    rows = [f"{a:.6f}\t{b:.6f}\t{t}" for (a, b), t in zip(x.tolist(), task.tolist(), strict=True)]
    (tmp_path / "train.tsv").write_text("\n".join(["a\tb\tlanguage", *rows]) + "\n")
    (tmp_path / "train.score").write_text("".join(f"{value:.6f}\n" for value in y))
    grid = 'task = "score"\n[data]\ntrain = "train.tsv"\ntrain_scores = "train.score"\n[features]\nall = ["*"]\n'
    grid += '[learners]\nmany = "multitask-gp:tasks=language,learn_most=20"\none = "gp:learn_most=20"\n'
    (tmp_path / "grid.toml").write_text(grid)
    run = CliRunner()
    learner = "multitask-gp:tasks=language,learn_most=20"
    model = str(tmp_path / "model")
    files = [str(tmp_path / "train.tsv"), str(tmp_path / "train.score")]
    done = run.invoke(group, ["qe", "train", *files, "-m", model, "--task", "score", "--learner", learner])
    assert done.exit_code == 0, done.output
    assert "2 tasks" in done.output
    done = run.invoke(group, ["qe", "experiment", str(tmp_path / "grid.toml"), "--json"])
    assert done.exit_code == 0, done.output
    assert '"many"' in done.output
