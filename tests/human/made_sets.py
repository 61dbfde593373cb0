"""Test sets made for the tests of this room."""

from __future__ import annotations

from dragoman.data import TestSet


def made_set(n_systems: int = 5, n_segments: int = 40, *, words: int = 8) -> TestSet:
    """A test set whose texts say what they are, without naming a system."""

    def line(kind: str, number: int) -> str:
        return " ".join(f"{kind}{number}.{word}" for word in range(words))

    return TestSet(
        name="made",
        source_lang="de",
        target_lang="en",
        srcs=[line("q", i) for i in range(n_segments)],
        refs={"A": [line("r", i) for i in range(n_segments)]},
        systems={f"sys-{s}": [line(f"o{s}x", i) for i in range(n_segments)] for s in range(n_systems)},
        docs=[f"doc-{i // 10}" for i in range(n_segments)],
    )
