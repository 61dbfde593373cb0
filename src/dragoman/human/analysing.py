"""Judgements of any kind analysed: the kind says how."""

from __future__ import annotations

from abc import abstractmethod
from importlib import import_module
from inspect import signature
from typing import Any

from dragoman.data.judgements import Judgements
from dragoman.errors import DataError
from dragoman.report import Result

__all__ = ["ANALYSES", "Analysis", "analyse"]

# kind of judgement → the function that analyses it, imported when it is asked for
ANALYSES = {
    "adequacy-fluency": "dragoman.human.scales:analyse_scales",
    "blind-edit": "dragoman.human.blind_editing.edits:analyse_edits",
    "blind-edit-review": "dragoman.human.blind_editing.edits:analyse_reviews",
    "comprehension": "dragoman.human.comprehension.scores:analyse_comprehension",
    "crowd-choice": "dragoman.human.crowd.votes:analyse_votes",
    "crowd-translation": "dragoman.human.crowd.workers:analyse_translations",
    "crowd-votes": "dragoman.human.crowd.votes:analyse_votes",
    "direct-assessment": "dragoman.human.direct_assessment.analysis:analyse_direct",
    "error-spans": "dragoman.human.error_spans:analyse_spans",
    "post-editing-effort": "dragoman.human.post_edits:analyse_effort",
    "relative-ranking": "dragoman.human.rankings:analyse_rankings",
    "semantic-frames": "dragoman.human.frames.scores:analyse_frames",
}


class Analysis(Result):
    """What judgements of one kind say: tables, figures and a page."""

    @abstractmethod
    def html(self, *, title: str = "") -> str:
        """The whole analysis as one page."""

    def segment_scores(self) -> Result:
        """The scores of single outputs, where the kind of judgement gives any."""
        raise DataError(f"An analysis of the kind {self.kind!r} has no scores of single outputs.")


def analyse(judgements: Judgements, *, seed: int = 1, **options: Any) -> Analysis:
    """Analyse judgements by their kind; the options are those of the kind's own function, see `ANALYSES`.

    An option that is None counts as not given; one that the kind has no use for is refused, but for the seed: an
    analysis that draws nothing is the same with any.
    """
    kind = judgements.schema.kind
    if kind not in ANALYSES:
        raise DataError(f"There is no analysis of judgements of the kind {kind!r}. Known: {', '.join(ANALYSES)}.")
    module, _, name = ANALYSES[kind].partition(":")
    function = getattr(import_module(module), name)
    values = {option: value for option, value in options.items() if value is not None}
    names = list(signature(function).parameters)[1:]
    strange = [option for option in values if option not in names]
    if strange:
        raise DataError(f"The analysis of {kind} has no option {strange[0]!r}. Known: {', '.join(names) or 'none'}.")
    if "seed" in names:
        values["seed"] = seed
    analysis: Analysis = function(judgements, **values)
    return analysis
