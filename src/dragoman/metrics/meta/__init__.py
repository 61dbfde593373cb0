"""Meta-evaluation: which automatic metric agrees with people, and is the difference between two metrics real?"""

from dragoman.metrics.meta.agreement import Agreement, MetaEvaluation, MetricTests
from dragoman.metrics.meta.average import AverageRow, MetaEvaluations, average_evaluations
from dragoman.metrics.meta.evaluate import meta_evaluate
from dragoman.metrics.meta.inputs import HumanRankings
from dragoman.metrics.meta.reading import ScoreFile, read_rankings, read_score_file
from dragoman.metrics.meta.recipe import MetaRecipe
from dragoman.metrics.meta.score_files import meta_evaluate_files
from dragoman.metrics.meta.task import Task, read_task

__all__ = [
    "Agreement",
    "AverageRow",
    "HumanRankings",
    "MetaEvaluation",
    "MetaEvaluations",
    "MetaRecipe",
    "MetricTests",
    "ScoreFile",
    "Task",
    "average_evaluations",
    "meta_evaluate",
    "meta_evaluate_files",
    "read_rankings",
    "read_score_file",
    "read_task",
]
