"""docs/metrics.md has every metric of the registry: measured, or named with the reason why it was not."""

from __future__ import annotations

import re
from pathlib import Path

from dragoman.metrics import METRICS

PAGE = Path(__file__).parents[2] / "docs" / "metrics.md"


def test_every_metric_is_there() -> None:
    text = PAGE.read_text(encoding="utf-8")
    measured = {re.split("[:,]", cell)[0] for cell in re.findall(r"^\| ([^|]+) \|", text, re.MULTILINE)}
    named = set(re.findall(r"`([^`:,]+)[^`]*`", text))
    assert set(METRICS.names()) <= measured | named, sorted(set(METRICS.names()) - measured - named)
