"""Structural learning (ASO) beside the same linear learner without it: kinds of errors of translated words, WMT 2014.

    python bench/structure.py [--data FOLDER] [--rows 12000]

Words of the English–Spanish training set are learnt from, those of the test set labelled; one problem for each kind of
error, the best one counts. Auxiliary problems: the kinds themselves, or what the word behind is (observable).
McNemar's test, exact, says whether the two learners differ.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from needs import real_data
from scipy.sparse import csr_matrix, diags
from scipy.stats import binomtest

from dragoman.files import iter_lines
from dragoman.learn.aso import fit_structure

LEAST = 20  # words of a kind of error, or of a feature, below which it is left out
PENALTY = 1e-4


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--data")
    options.add_argument("--rows", type=int, default=12_000, help="words to learn from")
    asked = options.parse_args()
    data = real_data(asked.data)
    train, test = ([*words(data / "wmt14-word-qe", part)] for part in ("train", "test"))
    train = train[: asked.rows]
    kinds = [kind for kind, count in Counter(kind for kind, _ in train).most_common() if count >= LEAST]
    names = {n: i for i, n in enumerate(n for n, c in Counter(n for _, f in train for n in f).items() if c >= LEAST)}
    x, held = matrix([f for _, f in train], names), matrix([f for _, f in test], names)
    targets = signs([kind for kind, _ in train], kinds)
    behind = [next(n for n in f if n.startswith("+1")) for _, f in train]
    frequent = [name for name, _ in Counter(behind).most_common(100)]
    masked = x @ diags([float(not name.startswith("+1")) for name in names])
    right = np.array([kind for kind, _ in test])
    said = {"linear": label(x, targets, None, 0, held, kinds)}
    said["ASO, kinds"] = label(x, targets, None, len(kinds), held, kinds)
    said["ASO, word behind"] = label(x, targets, signs(behind, frequent), 50, held, kinds, masked)
    print(f"{len(train)} words, {len(names)} features, {len(kinds)} kinds; {len(test)} words tested")
    for name, labels in said.items():
        only, other = (labels == right) & (said["linear"] != right), (labels != right) & (said["linear"] == right)
        n = int(only.sum() + other.sum())
        p = binomtest(int(only.sum()), n).pvalue if n else 1.0
        f1, share = macro_f1(labels, right, kinds), np.mean(labels == right)
        print(f"  {name:18} macro-F1 {f1:.4f}  right {share:.4f}  p {p:.3f}")


def words(folder: Path, part: str) -> Any:
    """The kind of error and the features of each word."""
    sentences: dict[str, list[tuple[str, str]]] = {}
    for line in iter_lines(folder / f"EN_ES.tgt_ann.{part}.gz"):
        number, _, word, kind, *_ = line.split("\t")
        sentences.setdefault(number, []).append((word, kind))
    for sentence in sentences.values():
        forms = ["<s>", *(word.lower() for word, _ in sentence), "</s>"]
        for place, (word, kind) in enumerate(sentence, start=1):
            last, here, after = forms[place - 1 : place + 2]
            yield kind, (f"0 {here}", f"-1 {last}", f"+1 {after}", f"end {here[-3:]}", f"pair {last} {here}",
                         f"case {word[:1].isupper()}", "1")  # fmt: skip


def matrix(rows: Sequence[Sequence[str]], names: dict[str, int]) -> Any:
    places = [(r, names[name]) for r, row in enumerate(rows) for name in row if name in names]
    ones = np.ones(len(places))
    return csr_matrix((ones, tuple(zip(*places, strict=True))), shape=(len(rows), len(names)))


def signs(values: Sequence[str], kinds: Sequence[str]) -> Any:
    return np.where(np.array(values)[:, np.newaxis] == np.array(kinds), 1.0, -1.0)


def label(x: Any, targets: Any, problems: Any, h: int, held: Any, kinds: Sequence[str], masked: Any = None) -> Any:
    from dragoman.learn.aso import fit_huber, shared_subspace

    if masked is None:
        weights, _ = fit_structure(x, targets, problems, h=h, penalty=PENALTY)
    else:  # what is predicted is no feature of the auxiliary problems
        theta = shared_subspace(np.stack([fit_huber(masked, each, PENALTY)[0] for each in problems.T], axis=1), h)
        found = [fit_huber(x, each, PENALTY, theta) for each in targets.T]
        weights = np.stack([w + theta.T @ v for w, v in found], axis=1)
    return np.array(kinds)[np.argmax(held @ weights, axis=1)]


def macro_f1(labels: Any, right: Any, kinds: Sequence[str]) -> float:
    values = []
    for kind in kinds:
        both, ours, theirs = ((labels == kind) & (right == kind)).sum(), (labels == kind).sum(), (right == kind).sum()
        values.append(2 * both / (ours + theirs) if ours + theirs else 0.0)
    return float(np.mean(values))


if __name__ == "__main__":
    main()
