"""Selection among systems of WMT 2013, learnt from one half of newstest2013 and measured on the other."""

from __future__ import annotations

from pathlib import Path

import pytest

from dragoman.data import TestSet
from dragoman.files import read_lines
from dragoman.qe.selection import SelectorRecipe, evaluate_selection

SYSTEMS = ("uedin-wmt13", "online-B", "online-A", "PROMT", "Stanford")


@pytest.mark.realdata
def test_selection_beats_the_best_single_system_of_en_de(data_folder: Path) -> None:
    folder = data_folder / "newstest2013"
    sources, references = (list(read_lines(folder / f"references/newstest2013.{lang}.gz")) for lang in ("en", "de"))
    outputs = {
        name: list(read_lines(next((folder / "en-de").glob(f"newstest2013.en-de.{name}*.gz")))) for name in SYSTEMS
    }
    half = len(sources) // 2
    first, second = (
        TestSet(
            srcs=sources[part],
            systems={name: lines[part] for name, lines in outputs.items()},
            refs={"A": references[part]},
        )
        for part in (slice(half), slice(half, None))
    )
    chosen = {}
    for method in ("regression", "classify"):
        recipe = SelectorRecipe("moses:lang=en,escape=no", "moses:lang=de,escape=no", method=method, learner="ridge")
        chosen[method] = recipe.train(first).select(second)
    found = evaluate_selection(chosen, second)
    assert found.best == "online-B"
    assert f"{found.bleu['online-B']:.2f}" == "23.36"
    assert found.bleu["regression"] == pytest.approx(24.40, abs=0.05)
    assert found.bleu["classify"] == pytest.approx(24.06, abs=0.05)
    assert found.p["regression"] < 0.01
    assert found.p["classify"] < 0.01
    assert found.bleu["oracle"] == pytest.approx(30.41, abs=0.01)
    assert found.divergence["regression"] < 2
