"""Figures of speed that README and guides print (`bench/claims.toml`), and the same figures in benchmarks' output."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
CLAIMS = ROOT / "bench" / "claims.toml"


@dataclass(frozen=True)
class Claim:
    """A printed figure: where it stands, and how a benchmark's output shows it."""

    script: str  # of bench/, without its suffix
    document: str
    says: str  # the words of the document
    figure: str  # a pattern of the output: its group is the figure, or the first of two by the second
    claimed: float
    at: str  # `least` or `most`
    slack: float = 0.2  # the share by which a busy machine may miss it

    def measured(self, output: str) -> float | None:
        """Return the figure in a benchmark's output; None if it is not there."""
        shown = re.search(self.figure, output)
        if shown is None:
            return None
        first, *second = (float(group.replace(",", "")) for group in shown.groups())
        return first / second[0] if second else first

    def holds(self, measured: float) -> bool:
        """Whether a measured figure bears the claim out."""
        if self.at == "least":
            return measured >= self.claimed * (1 - self.slack)
        return measured <= self.claimed * (1 + self.slack)


def load_claims(path: Path = CLAIMS) -> dict[str, list[Claim]]:
    """The claims of each script."""
    rows: list[dict[str, Any]] = tomllib.loads(path.read_text(encoding="utf-8"))["claim"]
    claims: dict[str, list[Claim]] = {}
    for row in rows:
        claims.setdefault(row["script"], []).append(Claim(**row))
    return claims


def broken_claims(claims: Iterable[Claim], output: str) -> list[str]:
    """A sentence for each claim that an output does not bear out, with both figures."""
    wrong = []
    for claim in claims:
        measured = claim.measured(output)
        if measured is None:
            wrong.append(f"{claim.document} says {claim.says!r}, and the output has no {claim.figure!r}")
        elif not claim.holds(measured):
            wrong.append(f"{claim.document} says {claim.says!r} ({claim.claimed:g}), measured {measured:g}")
    return wrong
