"""The weights of edits that SPEDE has without training, learnt from the 734 pairs of SMTeuroparl.train.

The pairs are SemEval 2012's (task 6), with judgements from 0 to 5. The penalty, 0.2, was chosen by five folds of them,
without jumps; with jumps it is the same, and the search ended after 60 rounds. Synonyms and paraphrases were not there
to learn from, and weigh nothing.
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

WITH_JUMPS: tuple[Rows, float] = (
    {
        "": {
            "insert": -1.1938,
            "delete": -2.4823,
            "word": 1.2881,
            "lemma": 0.2391,
            "punctuation": 0.311,
            "jump ahead": -0.3514,
            "jump back": -0.3514,
            "jump on": -0.3514,
            "reference ahead": 0.1828,
            "reference back": 0.1828,
            "reference on": 0.1828,
        },
        "insert": {
            "insert": -3.283,
            "delete": 1.7919,
            "word": 1.2768,
            "lemma": -0.0355,
            "punctuation": -0.5984,
            "jump ahead": -0.03,
            "jump back": -0.0255,
            "jump on": -0.0493,
            "reference ahead": 0.5993,
            "reference back": 0.4269,
        },
        "delete": {
            "insert": 1.968,
            "delete": -1.9317,
            "word": 0.7047,
            "lemma": -0.1269,
            "punctuation": -0.5373,
            "jump ahead": -0.2276,
            "jump back": -0.1737,
            "reference ahead": -0.5209,
            "reference back": -0.272,
            "reference on": -0.5029,
        },
        "word": {
            "insert": -0.2403,
            "delete": -1.2861,
            "word": 1.1541,
            "punctuation": 1.0019,
            "jump back": -0.1594,
            "jump on": -0.2334,
            "reference back": 0.1933,
            "reference on": 0.285,
        },
        "lemma": {"insert": -0.0345, "delete": 0.246},
        "punctuation": {
            "insert": 0.0788,
            "delete": -0.2915,
            "word": -0.2584,
            "jump on": -0.0362,
            "reference on": 0.3916,
        },
        "jump ahead": {"word": -0.3512, "lemma": 0.0303, "punctuation": -0.0305},
        "jump back": {"delete": -0.3016, "word": -0.0151, "punctuation": -0.0169},
        "jump on": {"insert": -0.0434, "delete": -0.2952},
        "reference ahead": {"word": 0.3142, "lemma": -0.1689, "punctuation": 0.0375},
        "reference back": {"insert": 0.454, "word": -0.589, "punctuation": 0.1433},
        "reference on": {"insert": 0.4861, "delete": -0.311},
    },
    4.0425,
)
