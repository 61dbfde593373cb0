"""How many judgements tell systems apart: a plan in its own order, and tasks chosen by what tells most.

    python bench/dynamic_choice.py --seeds 4

Invented judges (care 0.8) compare pairs of the samples' five systems, two segments a task, every task by two of four
people. Printed is after how many judgements each number of pairs was told apart for the first time, at the level that
a dynamic campaign uses (p ≤ 0.005 by the sign test). Looking again and again finds the same for both orders.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import Any

from dragoman.human import dynamic
from dragoman.human.draws import Draws
from dragoman.human.manifest import read_manifest
from dragoman.human.planning import plan_test_set
from dragoman.human.protocol import Assignment, Task

MANIFEST = Path(__file__).parents[1] / "examples" / "ranking" / "manifest.toml"
PEOPLE = ("ada", "ben", "chloe", "dmitri")


def chosen(protocol: Any, tasks: list[Task], taken: dict[str, list[str]], answers: Any, seed: int) -> Iterator[Any]:
    """Who gets what next, people in turn."""
    idle = 0
    while idle <= len(PEOPLE):
        for who in PEOPLE:
            had = {name: own for name, own in taken.items() if own}
            task = dynamic.next_task(protocol, tasks, had, answers, who, seed=seed).task
            idle = idle + 1 if task is None else 0
            if task is not None:
                yield who, task


def told_apart(seed: int, how: str, care: float) -> tuple[dict[int, int], int]:
    """Judgements when the first, second … pair was told apart, and how many the whole plan has."""
    manifest = read_manifest(MANIFEST)
    protocol = replace(
        manifest.protocol,
        redundancy=2,
        gold=(),
        tutorial=(),
        outputs=2,
        screens=5,
        runs=1,
        consecutive=2,
        repeats=0.0,
        degraded=0.0,
    )
    planned = plan_test_set(manifest.test_set, protocol, PEOPLE, seed=seed)
    tasks = list(planned.tasks)
    taken: dict[str, list[str]] = {task.name: [] for task in tasks}
    answers: dict[tuple[str, str], dict[str, Any]] = {}
    found: dict[int, int] = {}
    static = ((each.annotator, each.task) for each in planned.assignments)
    for number, (who, task) in enumerate(
        static if how == "plan" else chosen(protocol, tasks, taken, answers, seed), start=1
    ):
        taken[task.name].append(who)
        for item in task.items:
            answers[who, item.id] = protocol.simulate(item, Draws(seed, f"{who} {item.id}"), care)
        if number % len(PEOPLE):
            continue
        hands = [Assignment(name, each) for each in tasks for name in taken[each.name]]
        pairs = dynamic.standing(protocol, hands, answers).pairs
        for count in range(len(found) + 1, sum(each.told_apart for each in pairs) + 1):
            found[count] = len(answers)
        if len(found) == len(pairs):
            break
    return found, sum(len(each.task.items) for each in planned.assignments)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=4)
    parser.add_argument("--care", type=float, default=0.8)
    given = parser.parse_args()
    # The question is how many it takes, not when to stop.
    dynamic._decision = lambda *_: (False, False, "")  # type: ignore[assignment]
    told: dict[str, list[dict[int, int]]] = {"plan": [], "dynamic": []}
    for seed in range(1, given.seeds + 1):
        for how, own in told.items():
            found, total = told_apart(seed, how, given.care)
            own.append(found)
    print(f"{given.seeds} campaigns of {total} judgements; mean judgements until so many pairs are told apart")
    for count in range(1, 11):
        cells = []
        for how, own in told.items():
            reached = [found[count] for found in own if count in found]
            cells.append(f"{how} {fmean(reached):.0f} ({len(reached)} of {len(own)})" if reached else f"{how} never")
        print(f"{count:2} pairs: {'; '.join(cells)}")


if __name__ == "__main__":
    main()
