"""Changes under fitting checksums that once ended in tracebacks."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from dragoman.align.base import Aligner
from dragoman.align.hmm import Hmm
from dragoman.errors import ModelError
from dragoman.learn.trees import Trees
from dragoman.samples import phrasebook
from dragoman.smt.tune.base import TUNERS, Tuned
from dragoman.smt.tune.rounds import Round
from dragoman.syntax import Grammar
from tests.fuzz.sealing import reseal
from tests.qe.parsed import tiny_grammar


def test_an_archive_that_says_it_is_patched_or_encrypted_is_refused(tmp_path: Path) -> None:
    folder = tiny_grammar(tmp_path / "grammar")
    whole = (folder / "grammar.npz").read_bytes()
    for flag in (0x01, 0x20):  # encrypted, compressed patched data
        content = bytearray(whole)
        for mark, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):  # in the entry's head, and in the directory
            at = content.index(mark) + place
            content[at] |= flag
        (folder / "grammar.npz").write_bytes(content)
        reseal(folder)
        with pytest.raises(ModelError, match="does not hold what a constituency grammar has"):
            Grammar.load(folder)


@pytest.mark.parametrize(
    "change",
    [
        lambda values: values["rounds"][0]["weights"].append(0.5),
        lambda values: values.update(kept=7),
        lambda values: values.update(kept="0"),
        lambda values: values["rounds"][-1].update(weights=["x"] * len(values["names"])),
        lambda values: values.update(names=[*values["names"], "other"]),
    ],
)
def test_tuned_weights_of_other_features_are_refused(tmp_path: Path, change) -> None:  # type: ignore[no-untyped-def]

    round_ = Round(0, 1.0, None, None, 1.0, 1.0, 0, None, 0.0, 0.1, (0.5, 0.25))
    tuned = Tuned("mira", TUNERS.make("mira"), "bleu", "BLEU", True, ("a", "b"), (round_,), 0, 1)
    folder = tuned.save(tmp_path / "tuned")
    assert Tuned.load(folder).weights == {"a": 0.5, "b": 0.25}
    file = next(path for path in folder.iterdir() if path.name != "manifest.json")
    values = json.loads(file.read_text())
    change(values)
    file.write_text(json.dumps(values))
    reseal(folder)
    with pytest.raises(ModelError):
        Tuned.load(folder)


@pytest.mark.parametrize(
    "damage", [lambda jumps: jumps[:-1], lambda jumps: jumps[:2], lambda jumps: jumps * float("nan")]
)
def test_jumps_that_the_kernel_cannot_follow_are_refused(tmp_path: Path, damage) -> None:  # type: ignore[no-untyped-def]

    source, target = (phrasebook()[lang][:10] for lang in ("en", "de"))
    folder = Hmm().train(source, target, seed=3).save(tmp_path / "aligner")
    path = folder / "backward.jumps.npy"
    np.save(path, damage(np.load(path)))
    reseal(folder)
    with pytest.raises(ModelError, match=r"backward\.jumps\.npy is no array of jumps"):
        Aligner.load(folder)


@pytest.mark.parametrize("roots", [np.array([0, 5], np.int8), np.array([0, -1], np.int32), np.array([0, 99], np.int32)])
def test_trees_that_would_be_walked_for_ever_are_refused(roots: NDArray[np.generic]) -> None:
    left = np.where(np.arange(9) < 8, np.arange(1, 10), -1).astype(np.int32)
    nodes = np.zeros(9, np.int32), np.zeros(9), left, left, np.zeros(9)
    Trees(*nodes, np.array([0, 5], np.int32), np.array(1.0), np.array(0.0)).check(1)
    with pytest.raises(ModelError, match="begin at nodes that are not there"):
        Trees(*nodes, roots, np.array(1.0), np.array(0.0)).check(1)  # type: ignore[arg-type]
