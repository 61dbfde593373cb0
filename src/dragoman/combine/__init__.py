"""Several engines, one answer: confusion networks, choices among whole outputs, and who contributed what."""

from dragoman.combine.ablation import Ablation, ablate
from dragoman.combine.evaluation import CombinationEvaluation, evaluate_outputs, interleaved
from dragoman.combine.model import Combiner, train_combiner
from dragoman.combine.network import Network
from dragoman.combine.recipe import CombineRecipe
from dragoman.combine.result import Combination
from dragoman.combine.selection import Choice, ChoiceRecipe, Chooser, train_chooser

__all__ = [
    "Ablation",
    "Choice",
    "ChoiceRecipe",
    "Chooser",
    "Combination",
    "CombinationEvaluation",
    "CombineRecipe",
    "Combiner",
    "Network",
    "ablate",
    "evaluate_outputs",
    "interleaved",
    "train_chooser",
    "train_combiner",
]
