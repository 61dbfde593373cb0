"""Gaussian processes over several tasks, such as languages, systems, years or annotators (SHEF-lite, WMT 2014)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import DataError
from dragoman.learn.base import Job, Learner
from dragoman.learn.coregion import COREGIONS, Coregion
from dragoman.learn.gaussian import JITTER, NO_TASK, bells, without_task
from dragoman.learn.predictors import Predictor, in_pieces
from dragoman.learn.preparation import spread_out
from dragoman.options import option
from dragoman.stats.arrays import Floats

__all__ = ["Hyperparameters", "MultitaskProcess", "TaskProcess", "likelihood", "posterior"]

_MOST_TASKS = 100  # more values than that number no tasks

Tasks = NDArray[np.int64]


@dataclass(eq=False)
class TaskProcess(Predictor):
    """The mean of a process over tasks: Σ cᵢ B[t, tᵢ] exp(−|(x − vᵢ)/ℓ|²/2) + mean of the task."""

    form: ClassVar[str] = "task-process"

    vectors: Floats  # divided by the lengths
    coefficients: Floats
    lengths: Floats
    column: Tasks  # which feature tells the task, −1 for none
    task: Tasks  # of each vector
    tasks: Floats  # the values of that feature
    means: Floats  # of each task, and last of all
    between: Floats  # B, and last the row of a task that training has not seen

    def predict(self, x: Floats) -> Floats:
        """The mean; of a task that training has not seen, what all tasks share."""

        def values(part: Floats) -> Floats:
            rest, which = without_task(part, int(self.column), self.tasks)
            kernel = bells(rest / self.lengths, self.vectors) * self.between[which][:, self.task]
            means: Floats = kernel @ self.coefficients + self.means[which]
            return means

        return in_pieces(x, 2 * len(self.vectors), values)

    def size(self) -> dict[str, int]:
        """The sentences it remembers, and the tasks."""
        return {"inducing points": len(self.vectors), "tasks": len(self.tasks)}


@dataclass(frozen=True, eq=False)
class Hyperparameters:
    """What is learnt by marginal likelihood."""

    lengths: Floats  # (features,)
    between: Floats  # (tasks, tasks), the kernel's scale in it
    noise: Floats  # (tasks,) variances
    unknown: Floats  # (tasks,) how a task that was not seen goes with each

    def kernel(self, a: Floats, task_a: Tasks, b: Floats, task_b: Tasks) -> Floats:
        """Covariances of sentences."""
        kernel: Floats = bells(a / self.lengths, b / self.lengths) * self.between[task_a][:, task_b]
        return kernel


@dataclass(frozen=True)
class MultitaskProcess(Learner):
    """One Gaussian process over several tasks, which learns how much each tells of the others.

    Tasks are numbered by a feature. Each has a mean and, unless told otherwise, noise of its own; features have length
    scales that all tasks share. Everything makes the marginal likelihood highest on up to `learn_most` sentences, of
    each task its share. Above `inducing` sentences the process is held at as many of them.
    """

    name: ClassVar[str] = "multitask-gp"

    tasks: str = option("", text="feature that numbers the tasks: languages, systems, annotators; empty for one task")
    between: str = option(
        "free", choices=COREGIONS, text="what tasks share: learnt, one function and their own, all, or nothing"
    )
    rank: int = option(1, low=1, high=20, text="free: functions that tasks mix")
    own_noise: bool = option(True, choices=(True, False), text="does each task have noise of its own?")
    learn_most: int = option(300, low=20, text="sentences that the marginal likelihood is of")
    inducing: int = option(1000, low=20, text="sentences that the process is held at, at most")

    def check_names(self, names: Sequence[str]) -> None:
        """The feature that numbers the tasks must be there, and nothing may bend it or leave it out."""
        if not self.tasks:
            return
        if self.tasks not in names:
            raise DataError(
                f"The tasks are to be told by the feature {self.tasks!r}, which is not there. Name the column that "
                f"numbers them (--learner {self.name}:tasks=NAME). Known: {', '.join(names)}."
            )
        if self.select:
            raise DataError(
                f"Selectors may leave out the feature {self.tasks!r}, which numbers the tasks. Choose columns "
                f"beforehand; the length scales of {self.name} weigh features already."
            )
        if self.scale == "ranks":
            raise DataError(f"Ranks would take a new task for the last one known. {self.name} has scale=standard.")

    def fit(self, x: Floats, y: Floats, setting: dict[str, float], job: Job) -> Predictor:  # noqa: ARG002
        """Lengths, B and noise by marginal likelihood, then the coefficients."""
        # A fold may lie within one task, whose number is then the same everywhere and left out.
        column = job.names.index(self.tasks) if self.tasks in job.names and x.shape[1] > 1 else NO_TASK
        tasks = np.unique(x[:, column]) if column != NO_TASK else np.zeros(1)
        if len(tasks) > _MOST_TASKS:
            raise DataError(
                f"The feature {self.tasks!r} has {len(tasks)} different values; tasks are {_MOST_TASKS} at most. "
                "Does another column number them?"
            )
        rest, which = without_task(x, column, tasks)
        means = np.array([y[which == each].mean() for each in range(len(tasks))] + [y.mean()])
        target = y - means[which]
        by_task = np.argsort(which, kind="stable")
        seen = np.sort(by_task[spread_out(len(y), self.learn_most)])
        coregion = Coregion(self.between if len(tasks) > 1 else "pooled", len(tasks), min(self.rank, len(tasks)))
        hyperparameters = learn(rest[seen], target[seen], which[seen], coregion, own_noise=self.own_noise)
        points = np.sort(by_task[spread_out(len(y), self.inducing)])
        return TaskProcess(
            rest[points] / hyperparameters.lengths,
            posterior(rest, target, which, points, hyperparameters),
            hyperparameters.lengths,
            np.array(column),
            which[points],
            tasks,
            means,
            np.vstack([hyperparameters.between, hyperparameters.unknown]),
        )


def posterior(x: Floats, y: Floats, task: Tasks, points: Tasks, hyperparameters: Hyperparameters) -> Floats:
    """The coefficients of the posterior mean at some sentences: exact where they are all.

    Of fewer it is the subset of regressors (Quiñonero-Candela & Rasmussen 2005), each task with its noise.
    """
    noise = hyperparameters.noise[task]
    at_points = hyperparameters.kernel(x[points], task[points], x[points], task[points])
    if len(points) == len(y):
        inner = at_points + np.diag(noise[points] + JITTER)
        return np.asarray(np.linalg.solve(inner, y[points]), dtype=np.float64)
    across = hyperparameters.kernel(x, task, x[points], task[points])
    weighed = across / noise[:, np.newaxis]
    inner = at_points + across.T @ weighed + JITTER * len(y) * np.eye(len(points))
    return np.asarray(np.linalg.solve(inner, weighed.T @ y), dtype=np.float64)


def likelihood(
    theta: Floats, x: Floats, y: Floats, task: Tasks, coregion: Coregion, *, own_noise: bool
) -> tuple[float, Floats]:
    """The negative log marginal likelihood, less its constant, and its slopes.

    θ: logarithms of lengths, of the scale and of the noise (one, or one a task), then the free numbers of B.
    """
    from scipy.linalg import cho_factor, cho_solve

    n, width = x.shape
    n_noise = coregion.n_tasks if own_noise else 1
    noise = np.exp(theta[width + 1 : width + 1 + n_noise])
    numbers = theta[width + 1 + n_noise :]
    z = x / np.exp(theta[:width])
    plain = np.exp(theta[width]) * bells(z, z)
    kernel = plain * coregion.matrix(numbers)[task][:, task]
    of_sentence = np.minimum(task, n_noise - 1)
    factor = cho_factor(kernel + np.diag(noise[of_sentence] + JITTER), lower=True, check_finite=False)
    inverse = cho_solve(factor, np.eye(n), check_finite=False)
    alpha = inverse @ y
    value = 0.5 * float(y @ alpha) + float(np.log(np.diag(factor[0])).sum())
    outer = inverse - np.outer(alpha, alpha)
    weighted = outer * kernel
    # Σ m(xᵢ − xⱼ)² of every feature at once.
    by_length = np.square(z).T @ weighted.sum(axis=1) - ((weighted @ z) * z).sum(axis=0)
    by_noise = 0.5 * noise * np.bincount(of_sentence, np.diag(outer), minlength=n_noise)
    member = np.eye(coregion.n_tasks)[task]
    by_matrix = 0.5 * member.T @ (outer * plain) @ member
    slopes = [by_length, [0.5 * float(weighted.sum())], by_noise, coregion.slopes(numbers, by_matrix)]
    return value, np.concatenate(slopes)


def learn(x: Floats, y: Floats, task: Tasks, coregion: Coregion, *, own_noise: bool) -> Hyperparameters:
    """Lengths, B and noise with the highest marginal likelihood, by L-BFGS."""
    from scipy.optimize import minimize

    width = x.shape[1]
    n_noise = coregion.n_tasks if own_noise else 1
    start = np.concatenate(
        [np.full(width, np.log(2.0 * np.sqrt(width))), [0.0], np.full(n_noise, np.log(0.5)), coregion.start()]
    )
    scale = (0.0, 0.0) if coregion.scales else (-4.0, 4.0)
    bounds = [(-1.0, 6.0)] * width + [scale] + [(-6.0, 1.0)] * n_noise + coregion.bounds()
    best = minimize(
        lambda theta: likelihood(theta, x, y, task, coregion, own_noise=own_noise),
        start,
        jac=True,
        method="L-BFGS-B",
        bounds=bounds,
        options={"maxiter": 40},
    ).x
    numbers = best[width + 1 + n_noise :]
    between = np.exp(best[width]) * coregion.with_unknown(numbers)
    noise = np.broadcast_to(np.exp(best[width + 1 : width + 1 + n_noise]), coregion.n_tasks).copy()
    return Hyperparameters(np.exp(best[:width]), between[:-1], noise, between[-1])
