"""The weights of edits that SPEDE has without training, learnt from the 734 pairs of SMTeuroparl.train.

The pairs are SemEval 2012's (task 6), with judgements from 0 to 5. The penalty, 0.2, was chosen by five folds of them,
without jumps. Synonyms and paraphrases were not there to learn from, and weigh nothing.
"""

from __future__ import annotations

__all__ = ["WITHOUT_JUMPS", "WITH_JUMPS"]

Rows = dict[str, dict[str, float]]  # of each edit; then, by the edit before, of each behind it

WITHOUT_JUMPS: tuple[Rows, float] = (
    {
        "": {"insert": -1.3642, "delete": -2.1697, "word": 1.3268, "lemma": 0.1346, "punctuation": 0.3051},
        "insert": {"insert": -3.0108, "delete": 1.8344, "word": 1.6445, "lemma": -0.0508, "punctuation": -0.5166},
        "delete": {"insert": 1.9226, "delete": -2.5097, "word": 0.3835, "lemma": -0.1212, "punctuation": -0.6391},
        "word": {"insert": -0.0556, "delete": -0.9952, "word": 1.1585, "punctuation": 1.2103},
        "lemma": {"insert": 0.0164, "delete": -0.0385},
        "punctuation": {"insert": 0.0502, "delete": -0.3346, "word": -0.5319},
    },
    4.0333,
)

# The same; jumps were not learnt: each costs as much as an edit or two.
WITH_JUMPS: tuple[Rows, float] = (
    WITHOUT_JUMPS[0] | {"": WITHOUT_JUMPS[0][""] | {"jump ahead": -2.0, "reference ahead": -2.0}},
    WITHOUT_JUMPS[1],
)
