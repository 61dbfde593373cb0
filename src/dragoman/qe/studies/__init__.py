"""Studies of features and learners: which say the same, what each gives, and every combination in one table."""

from dragoman.qe.studies.ceiling import Ceiling, post_edit_ceiling
from dragoman.qe.studies.census import CorrelationCensus, correlation_census
from dragoman.qe.studies.columns import ColumnReport, column_report
from dragoman.qe.studies.experiment import Experiment, ExperimentRecipe, ScoredFeatures, run_experiment
from dragoman.qe.studies.experiment_file import read_experiment
from dragoman.qe.studies.oracle import OracleGain, oracle_gain
from dragoman.qe.studies.phrase_report import PhraseReport, phrase_report
from dragoman.qe.studies.phrases import PhraseTemplates, TemplateRecipe
from dragoman.qe.studies.profile import ErrorProfile, error_profile

__all__ = [
    "Ceiling",
    "ColumnReport",
    "CorrelationCensus",
    "ErrorProfile",
    "Experiment",
    "ExperimentRecipe",
    "OracleGain",
    "PhraseReport",
    "PhraseTemplates",
    "ScoredFeatures",
    "TemplateRecipe",
    "column_report",
    "correlation_census",
    "error_profile",
    "oracle_gain",
    "phrase_report",
    "post_edit_ceiling",
    "read_experiment",
    "run_experiment",
]
