"""Tuning: weights under which a decoder's output scores well."""

from dragoman.smt.tune.base import TUNERS, HeldOut, Tuned, Tuner
from dragoman.smt.tune.command import CommandDecoder
from dragoman.smt.tune.direct import Parameter, search_parameters
from dragoman.smt.tune.engine import EngineDecode, tune_engine
from dragoman.smt.tune.limits import EngineSearch, JointSearch, search_engine
from dragoman.smt.tune.list_tuner import ListTuner
from dragoman.smt.tune.matrix import TuneMatrix, tune_matrix
from dragoman.smt.tune.objective import Objective
from dragoman.smt.tune.pool import Candidates, Decode, Lists, Pool
from dragoman.smt.tune.racing import Output, Racing, RacingEvaluator
from dragoman.smt.tune.rounds import Round
from dragoman.smt.tune.seeds import Tunings, tune_seeds

__all__ = [
    "TUNERS",
    "Candidates",
    "CommandDecoder",
    "Decode",
    "EngineDecode",
    "EngineSearch",
    "HeldOut",
    "JointSearch",
    "ListTuner",
    "Lists",
    "Objective",
    "Output",
    "Parameter",
    "Pool",
    "Racing",
    "RacingEvaluator",
    "Round",
    "TuneMatrix",
    "Tuned",
    "Tuner",
    "Tunings",
    "search_engine",
    "search_parameters",
    "tune_engine",
    "tune_matrix",
    "tune_seeds",
]
