"""Learning from numbers: regressors, selectors of features, rankers, linear chains, tree kernels.

Nothing here knows what the numbers mean: arrays go in, functions made of arrays come out.
"""

from dragoman.learn.base import LEARNERS, Job, Learner
from dragoman.learn.selectors.base import SELECTORS, Selector

__all__ = ["LEARNERS", "SELECTORS", "Job", "Learner", "Selector"]
