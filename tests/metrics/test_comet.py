"""COMET through its own package: what the package is given, and what is said where there is none."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from dragoman.errors import DataError, ModelError, NotAvailable
from dragoman.metrics import make_metric
from dragoman.metrics.comet import _model

SRCS, HYPS, REFS = ["Der Hund bellt.", "Ja."], ["The dog barks.", "No."], ["The dog is barking.", "Yes."]


@pytest.fixture
def checkpoint(tmp_path: Path) -> Path:
    _model.cache_clear()
    path = tmp_path / "model.ckpt"
    path.write_bytes(b"weights")
    return path


def test_the_package_gets_triples_and_gives_scores(checkpoint: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[tuple[Any, ...]] = []

    def predict(samples: list[dict[str, str]], batch_size: int, gpus: int) -> SimpleNamespace:
        calls.append((samples, batch_size, gpus))
        return SimpleNamespace(scores=[0.25 * number for number in range(len(samples))], system_score=0.0)

    package = SimpleNamespace(load_from_checkpoint=lambda path: SimpleNamespace(predict=predict))
    monkeypatch.setitem(sys.modules, "comet", package)
    metric = make_metric(f"comet:{checkpoint},batch=3")
    assert metric.segments(HYPS, [REFS], SRCS).tolist() == [0, 25]
    assert metric.corpus_value(HYPS, [REFS], SRCS) == 12.5
    assert calls[0] == ([{"src": s, "mt": h, "ref": r} for s, h, r in zip(SRCS, HYPS, REFS, strict=True)], 3, 0)
    assert "|content:" in metric.signature()
    with pytest.raises(DataError, match="needs the sources"):
        metric.segments(HYPS, [REFS])


def test_what_is_missing_is_named(checkpoint: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "comet", None)
    with pytest.raises(NotAvailable, match="pip install unbabel-comet"):
        make_metric(f"comet:{checkpoint}").segments(HYPS, [REFS], SRCS)
    with pytest.raises(DataError, match="needs a checkpoint: comet:FOLDER"):
        make_metric("comet")
    with pytest.raises(ModelError, match=r"no checkpoint nowhere\.ckpt"):
        make_metric("comet:nowhere.ckpt")
