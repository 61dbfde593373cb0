"""Controls put among the outputs of a task: as far from their originals as the task allows."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dragoman.errors import DataError
from dragoman.human.draws import Draws
from dragoman.human.protocol import Item

__all__ = ["check_shares", "even", "n_controls", "placed"]


def check_shares(**shares: float) -> None:
    """Shares of a task's outputs that have a control; together at most one half, so that each has an original."""
    for name, share in shares.items():
        if not 0 <= share <= 0.5:
            raise DataError(f"{name} is {share:g}; expected a share from 0 to 0.5.")
    if sum(shares.values()) > 0.5:
        raise DataError(f"{' and '.join(shares)} are {sum(shares.values()):g} together; expected at most 0.5.")


def n_controls(share: float, n_items: int) -> int:
    """How many of so many items have a control: at least one, if any are wanted."""
    return max(1, round(share * n_items)) if share > 0 and n_items > 1 else 0


def even(n: int, size: int) -> list[int]:
    """The lengths of the fewest stretches of at most `size` that make up n, as equal as can be."""
    count = -(-n // size)
    return [n // count + (place < n % count) for place in range(count)] if n else []


def placed(
    blocks: Sequence[Sequence[Item]],
    *,
    repeats: float,
    degraded: float,
    again: Callable[[Item], Item],
    worse: Callable[[Item], Item | None],
    draws: Draws,
) -> tuple[Item, ...]:
    """The blocks in order, with controls between them; what stands in a block stays together.

    `again` makes the repeat of an item, `worse` its degraded copy or nothing. A repeat follows its original, a degraded
    copy stands before or behind; half of the task's blocks lie between the two.
    """
    n = len(blocks)
    between: dict[int, list[Item]] = {}
    found_at = [(number, item) for number, block in enumerate(blocks) for item in block if item.type == "TGT"]
    free = draws.shuffled(found_at)
    n_items = len(free)
    wanted = n_controls(degraded, n_items)
    for number, item in list(free):
        if wanted == 0:
            break
        control = worse(item)
        if control is not None:
            free.remove((number, item))
            between.setdefault(_far_from(number, n, draws), []).append(control)
            wanted -= 1
    if wanted:
        raise DataError(
            f"Too few of a task's {n_items} outputs can be degraded: they are too short. Leave short segments out of "
            "the test set, or set degraded to 0."
        )
    early = [each for each in free if each[0] < (n + 1) // 2] or free
    for number, item in early[: n_controls(repeats, n_items)]:
        between.setdefault(min(n, number + max(1, n // 2) + draws.below((n + 1) // 2)), []).append(again(item))
    items: list[Item] = []
    for number in range(n + 1):
        items += draws.shuffled(between.get(number, []))
        items += blocks[number] if number < n else []
    return tuple(items)


def _far_from(number: int, n: int, draws: Draws) -> int:
    """A gap, 0 before the first block and n behind the last, about half the blocks away from one."""
    half = n // 2
    if number < half or n == 1:
        first = number + max(1, half)
        return first + draws.below(n - first + 1)
    return draws.below(number - half + 1)
