"""`dragoman qe`: a table of commands, each imported when it is called."""

from __future__ import annotations

import click

from dragoman.cli.tree import LazyGroup

__all__ = ["qe"]

_MODELS = {
    "train": ("dragoman.cli.qe_train:train", "Learn scores from post-edits, or from a table of features."),
    "predict": ("dragoman.cli.qe_models:predict", "Estimate scores with a trained model."),
    "decide": ("dragoman.cli.qe_models:decide", "Publish, post-edit or translate anew, at a bounded risk."),
    "explain": ("dragoman.cli.qe_models:explain", "Say which features moved each score, and by how much."),
    "evaluate": ("dragoman.cli.qe_evaluate:evaluate", "Measure estimates against a gold standard."),
    "report": ("dragoman.cli.qe_models:report", "Measure models on text with known scores."),
}
_FEATURES = {
    "gold": ("dragoman.cli.qe_text:gold", "Make a gold standard from outputs and their post-edits."),
    "resources": ("dragoman.cli.qe_resources:resources", "Build what features need from a bitext or post-edits."),
    "features": ("dragoman.cli.qe_resources:features", "Compute features of translations, a row a sentence."),
    "trace": ("dragoman.cli.qe_traces:trace", "Make traces of what Moses wrote of its translations."),
    "audit": ("dragoman.cli.qe_text:audit", "Compare the quotation marks, dashes and spaces of texts."),
    "check": ("dragoman.cli.qe_text:check", "Look for breaches of grammar in tokenised text."),
}
_STUDIES = {
    "experiment": ("dragoman.cli.qe_studies:experiment", "Try every set of features with every selector and learner."),
    "study": (
        "dragoman.cli.qe_studies:study",
        "Look into features: which say the same, what each gives.",
    ),
}
_TASKS = {
    "words": ("dragoman.cli.qe_words:words", "Label the words of translations, or the gaps between."),
    "select": ("dragoman.cli.qe_select:select", "Choose for each sentence among several systems' outputs."),
    "trees": ("dragoman.cli.qe_trees:trees", "Estimate quality from the syntax of both sides."),
    "classify": ("dragoman.cli.qe_classes:classify", "Label sentences with the learners of scores."),
    "documents": ("dragoman.cli.qe_classes:documents", "Score documents by the scores of their sentences."),
}


@click.group(
    cls=LazyGroup,
    sections={"Scores": _MODELS, "Text and features": _FEATURES, "Studies": _STUDIES, "Further tasks": _TASKS},
)
def qe() -> None:
    """Estimate the quality of translations without a reference."""
