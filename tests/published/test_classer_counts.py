"""Counts of error classes on texts with given base forms (Popović, WMT 2012; Popović & Ney, CL 2011)."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from dragoman._core import classer
from dragoman.cli.main import group
from dragoman.files import read_lines

# words, then blocks: inflection, reordering, missing, extra, lexical; word error rate in per cent.
COUNTS = {
    "ar-en-1": ([26, 72, 60, 102, 133], [26, 52, 48, 67, 100], 30.27),
    "ar-en-2": ([19, 41, 84, 64, 110], [19, 33, 72, 45, 90], 18.87),
    "cn-en": ([39, 174, 213, 96, 192], [38, 117, 140, 65, 141], 35.05),
}


def blocks(labels: np.ndarray, offsets: np.ndarray, label: int) -> int:
    """Runs of a label, sentence by sentence."""
    starts = (labels == label) & np.concatenate([[True], labels[1:] != labels[:-1]])
    starts[offsets[:-1][offsets[:-1] < len(labels)]] = labels[offsets[:-1][offsets[:-1] < len(labels)]] == label
    return int(starts.sum())


@pytest.mark.realdata
@pytest.mark.parametrize("name", COUNTS)
def test_counts_with_the_given_base_forms(name: str, data_folder: Path) -> None:
    ids: dict[str, int] = {}

    def encode(file: str) -> tuple[np.ndarray, np.ndarray]:
        lines = [line.split() for line in read_lines(data_folder / "error-labels" / name / f"{file}.gz")]
        words = [ids.setdefault(word, len(ids)) for line in lines for word in line]
        return np.array(words, dtype=np.int32), np.cumsum([0, *map(len, lines)]).astype(np.int64)

    (hyp, hyp_offsets), (hyp_base, _) = encode("hyp.full"), encode("hyp.base")
    (ref, ref_offsets), (ref_base, _) = encode("ref.full"), encode("ref.base")
    hyp_labels, ref_labels, edits = classer.classify(hyp, hyp_base, hyp_offsets, ref, ref_base, ref_offsets)
    sides = [(hyp_labels, hyp_offsets)] * 2 + [(ref_labels, ref_offsets)] + [(hyp_labels, hyp_offsets)] * 2
    words = [int((labels == label).sum()) for label, (labels, _) in enumerate(sides, start=1)]
    runs = [blocks(labels, offsets, label) for label, (labels, offsets) in enumerate(sides, start=1)]
    assert (words, runs, round(100 * edits.sum() / len(ref), 2)) == COUNTS[name]


@pytest.mark.realdata
@pytest.mark.parametrize("name", COUNTS)
def test_the_command_counts_with_files_of_base_forms(name: str, data_folder: Path) -> None:
    folder = data_folder / "error-labels" / name
    files = [str(folder / f"{file}.gz") for file in ("hyp.full", "ref.full", "hyp.base", "ref.base")]
    words = ["errors", files[0], "-r", files[1], "--base", files[2], "--ref-base", files[3], "--tokeniser", "none"]
    done = CliRunner().invoke(group, [*words, "--json"])
    assert done.exit_code == 0, done.output
    rows = json.loads(done.stdout)["rows"]
    assert ([row["words"] for row in rows], [row["blocks"] for row in rows]) == COUNTS[name][:2]


HJERSON = {"x": "correct", "infl": "inflection", "reord": "order", "miss": "missing", "ext": "extra", "lex": "lexical"}


@pytest.mark.realdata
def test_words_with_parts_of_speech_of_hjersons_example(data_folder: Path, tmp_path: Path) -> None:
    """`example.pos.cats` has each word of two sentences with its tag and class."""
    folder = data_folder / "hjerson"
    for name in ("hyp", "ref", "hyp.base", "ref.base", "hyp.pos", "ref.pos"):
        (tmp_path / name).write_text("".join(f"{line}\n" for line in read_lines(folder / f"example.{name}")[:2]))
    words = ["errors", f"s={tmp_path / 'hyp'}", "-r", f"r={tmp_path / 'ref'}", "--tokeniser", "none", "--words"]
    for option, name in (
        ("--base", "hyp.base"),
        ("--ref-base", "ref.base"),
        ("--pos", "hyp.pos"),
        ("--ref-pos", "ref.pos"),
    ):
        words += [option, str(tmp_path / name)]
    rows = json.loads(CliRunner().invoke(group, [*words, "--json"]).stdout)["rows"]
    ours = [(row["segment"], row["side"], row["word"], row["tag"], row["label"]) for row in rows]
    theirs = []
    for line in filter(str.strip, read_lines(folder / "example.pos.cats")):
        head, *items = line.split()
        number, side = head.removesuffix("-err-cats:").split("::")
        for item in items:
            word, _, rest = item.rpartition("#")
            tag, _, label = rest.partition("~~")
            theirs.append((int(number), side, word, tag, HJERSON[label]))
    assert sorted(ours) == sorted(theirs)
