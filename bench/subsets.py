"""Every set of 20 columns by ridge regression, held out in five folds of 1,832 sentences.

python bench/subsets.py [COLUMNS]
"""

from __future__ import annotations

import resource
import sys
import time

from dragoman.learn import Job
from dragoman.learn.selectors.wrappers import _Trial
from dragoman.rng import Stream


def main() -> None:
    """Measure one search."""
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    x = Stream(1, "x").uniform(1832 * n).reshape(1832, n)
    y = x @ Stream(1, "w").uniform(n) + Stream(1, "noise").uniform(1832)
    for criterion in ("mae", "delta-avg") if n <= 16 else ("mae",):
        trial = _Trial(x, y, 5, criterion, Job(tuple(map(str, range(n)))))
        start = time.process_time()
        trial.best_sets(criterion, Job(tuple(map(str, range(n))), n_threads=1))
        seconds = time.process_time() - start
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(
            f"{criterion}: 2^{n} sets in {seconds:.1f} s of one core, {seconds / 2**n * 1e6:.1f} µs each, {peak:.0f} MB"
        )


if __name__ == "__main__":
    main()
