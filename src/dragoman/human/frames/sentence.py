"""HMEANT of a sentence: how much of who did what to whom survives in a translation, as marked by people.

Two published definitions stand side by side. They share the numerator: the action of a linked frame counts as one
correct filler, a linked filler of the same role counts 1 if full and ½ if partial.

- `birch13` (Birch et al., WMT 2013, §3.2): every linked frame gives a share of its fillers; the shares are divided by
  *all* frames of the side. This reading gives the means of their Tables 10 and 11 to the third decimal. The print has
  the precision sums in the recall as well; the recall's own are meant. A link of actions without a strength counts.
- `lo12` (Lo, Tumuluru & Wu, WMT 2012, §2): the shares of the linked frames are averaged, each weighted by the tokens
  that its frame covers; frames without a link do not count at all. A link without a strength does not count.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Literal

from dragoman.data.frames import ROLES, ActionLink, Frame, FrameAnnotation, FrameStudy
from dragoman.errors import DataError

__all__ = ["ACTION", "Definition", "SentenceHmeant", "checked_weights", "frequency_weights", "sentence_hmeant"]


Definition = Literal["birch13", "lo12"]

ACTION = "action"  # the key of the action's weight beside those of the roles
_DEFINITIONS = ("birch13", "lo12")


@dataclass(frozen=True)
class SentenceHmeant:
    """Precision, recall and their harmonic mean; 0 where nothing is linked."""

    precision: float
    recall: float

    @property
    def score(self) -> float:
        """HMEANT of the sentence."""
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0


def sentence_hmeant(
    annotation: FrameAnnotation,
    *,
    definition: Definition = "birch13",
    weights: Mapping[str, float] | None = None,
    partial: float = 0.5,
) -> SentenceHmeant:
    """HMEANT of one annotated output. `weights` are those of roles and of `action`; what is not named weighs 1."""
    weight = checked_weights(definition, weights, partial)
    links = [link for link in annotation.action_links if definition == "birch13" or link.strength]
    matches = [_linked(annotation, link, weight, partial) for link in links]
    ref, hyp = ([getattr(annotation, side)[getattr(link, side)] for link in links] for side in ("ref", "hyp"))
    hyp_shares = [_share(value, frame, weight) for value, frame in zip(matches, hyp, strict=True)]
    ref_shares = [_share(value, frame, weight) for value, frame in zip(matches, ref, strict=True)]
    if definition == "birch13":
        return SentenceHmeant(_over(sum(hyp_shares), len(annotation.hyp)), _over(sum(ref_shares), len(annotation.ref)))
    return SentenceHmeant(_by_tokens(hyp_shares, hyp), _by_tokens(ref_shares, ref))


def checked_weights(definition: str, weights: Mapping[str, float] | None, partial: float) -> dict[str, float]:
    """The weight of the action and of every role; what is not a weight is refused."""
    if definition not in _DEFINITIONS:
        raise DataError(f"The definitions of HMEANT are {' and '.join(_DEFINITIONS)}, got {definition!r}.")
    own = dict(weights or {})
    unknown = sorted(set(own) - {ACTION, *ROLES})
    if unknown:
        raise DataError(f"No role is called {', '.join(unknown)}. Known: {', '.join((ACTION, *ROLES))}.")
    if any(not 0 <= value < inf for value in own.values()) or not 0 <= partial <= 1:
        raise DataError("Weights are numbers from 0 on, and a partial link counts from 0 to 1.")
    return {role: float(own.get(role, 1.0)) for role in (ACTION, *ROLES)}


def _linked(annotation: FrameAnnotation, link: ActionLink, weight: Mapping[str, float], partial: float) -> float:
    """What two linked frames have in common: the action and the linked fillers of equal roles."""
    value = weight[ACTION]
    for each in annotation.filler_links:
        (ref, r), (hyp, h) = each.ref, each.hyp
        role = annotation.ref[ref].fillers[r].role
        if (ref, hyp) == (link.ref, link.hyp) and role == annotation.hyp[hyp].fillers[h].role and each.strength:
            value += weight[role] * (1.0 if each.strength == "full" else partial)
    return value


def _share(value: float, frame: Frame, weight: Mapping[str, float]) -> float:
    return _over(value, weight[ACTION] + sum(weight[filler.role] for filler in frame.fillers))


def _by_tokens(shares: Sequence[float], frames: Sequence[Frame]) -> float:
    tokens = [frame.n_tokens for frame in frames]
    return _over(sum(n * share for n, share in zip(tokens, shares, strict=True)), sum(tokens))


def _over(value: float, n: float) -> float:
    return value / n if n else 0.0


def frequency_weights(study: FrameStudy) -> dict[str, float]:
    """Weights without training (Lo & Wu, SSST 2012): the share of each role, and of actions, among reference labels."""
    counts: Counter[str] = Counter()
    for annotation in study.annotations:
        counts[ACTION] += len(annotation.ref)
        counts.update(filler.role for frame in annotation.ref for filler in frame.fillers)
    total = counts.total()
    if not total:
        raise DataError("No reference of the study has a frame; there are no frequencies to take weights from.")
    return {role: counts[role] / total for role in (ACTION, *ROLES)}
