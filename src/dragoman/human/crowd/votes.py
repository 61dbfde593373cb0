"""Votes on the best of several translations: how they are counted, what they show, and what is chosen by them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from dragoman.data.crowd import TRANSLATIONS, VotedSegment, Votes, votes_of
from dragoman.data.crowd import VOTES as INDIVIDUAL_VOTES
from dragoman.data.judgements import Judgements
from dragoman.data.judgements.crowd import CROWD_VOTES
from dragoman.errors import DataError
from dragoman.human.analysing import Analysis
from dragoman.human.parts import PartsAnalysis
from dragoman.human.provenance import files_of
from dragoman.notation import parse_json
from dragoman.report import Column, Figure, Result, Sentence, Table
from dragoman.rng import Stream

__all__ = [
    "Selection",
    "VoteSupport",
    "analyse_votes",
    "check_kind",
    "select_translations",
    "tally_votes",
    "vote_support",
    "voter_weights",
    "votes_among",
]


def voter_weights(votes: Judgements) -> dict[str, float]:
    """How far each voter agrees with the others: the share of their votes that match the plurality of the others'.

    Segments without other votes say nothing; a voter of whom nothing is known weighs as much as the mean of the rest.
    """
    check_kind(votes, INDIVIDUAL_VOTES.kind)
    latest = votes.latest()
    by_segment: dict[Any, dict[Any, Any]] = {}
    for voter, segment, choice in zip(latest["annotator"], latest["segment"], latest["translator"], strict=True):
        by_segment.setdefault(segment, {})[voter] = choice
    hits: dict[str, list[float]] = {str(voter): [] for voter in dict.fromkeys(latest["annotator"])}
    for choices in by_segment.values():
        for voter, choice in choices.items():
            others = Counter(other for name, other in choices.items() if name != voter)
            if others:
                best = [c for c, count in others.items() if count == max(others.values())]
                hits[str(voter)].append((choice in best) / len(best))
    means = {voter: sum(shares) / len(shares) for voter, shares in hits.items() if shares}
    rest = sum(means.values()) / len(means) if means else 1.0
    return {voter: means.get(voter, rest) for voter in hits}


def tally_votes(
    translations: Judgements, votes: Judgements, *, weights: Mapping[str, float] | Literal["agreement"] | None = None
) -> Votes:
    """Count individual votes for translations. `weights` are those of the voters; `"agreement"` makes them itself.

    Only translations that are not empty can be voted for; a vote for another raises.
    """
    check_kind(translations, TRANSLATIONS.kind)
    check_kind(votes, INDIVIDUAL_VOTES.kind)
    weight = voter_weights(votes) if weights == "agreement" else None if weights is None else dict(weights)
    texts: dict[Any, dict[Any, str]] = {}
    for row in translations.latest().rows():
        if row["text"]:
            texts.setdefault(row["segment"], {})[row["annotator"]] = str(row["text"])
    counts: dict[Any, dict[Any, float]] = {segment: dict.fromkeys(by, 0.0) for segment, by in texts.items()}
    latest = votes.latest()
    for number, row in enumerate(latest.rows(), start=1):
        segment, translator, voter = row["segment"], row["translator"], str(row["annotator"])
        if translator not in counts.get(segment, {}):
            voters = ", ".join(map(str, counts.get(segment, {}))) or "nobody"
            raise DataError(
                f"Vote {number}: {voter} votes for a translation of segment {segment!r} by {translator!r}, which is "
                f"not there. Translated by: {voters}."
            )
        if weight is not None and voter not in weight:
            raise DataError(f"The voter {voter!r} has no weight.")
        counts[segment][translator] += 1.0 if weight is None else weight[voter]
    return Votes(
        tuple(
            VotedSegment(str(segment), tuple(by.values()), tuple(counts[segment].values()), 0, tuple(map(str, by)))
            for segment, by in texts.items()
        ),
        {
            "files": files_of(translations, votes),
            "n_segments": len(texts),
            "n_votes": len(latest),
            "n_voters": len(set(latest["annotator"])),
            "weights": "equal" if weights is None else "agreement" if weights == "agreement" else "given",
        },
    )


def votes_among(votes: Judgements) -> Votes:
    """Count individual votes that say themselves what could be chosen (`among`)."""
    check_kind(votes, INDIVIDUAL_VOTES.kind)
    texts: dict[str, dict[str, str]] = {}
    counts: Counter[tuple[str, str]] = Counter()
    latest = votes.latest()
    for number, row in enumerate(latest.rows(), start=1):
        try:
            among = parse_json(str(row["among"]))
        except ValueError:
            among = None
        if not isinstance(among, dict) or row["translator"] not in among:
            raise DataError(f"Vote {number} does not say what could be chosen; use tally_votes with the translations.")
        earlier = texts.setdefault(str(row["segment"]), among)
        if earlier != among:
            raise DataError(f"Vote {number} was cast among other translations of segment {row['segment']!r}.")
        counts[str(row["segment"]), str(row["translator"])] += 1
    return Votes(
        tuple(
            VotedSegment(segment, tuple(by.values()), tuple(counts[segment, name] for name in by), 0, tuple(by))
            for segment, by in texts.items()
        ),
        {
            "files": files_of(votes),
            "n_segments": len(texts),
            "n_votes": len(latest),
            "n_voters": len(set(latest["annotator"])),
            "weights": "equal",
        },
    )


def check_kind(judgements: Judgements, kind: str) -> None:
    """Refuse judgements of another kind."""
    if judgements.schema.kind != kind:
        raise DataError(f"These are judgements of kind {judgements.schema.kind!r}; expected {kind!r}.")


@dataclass(frozen=True)
class VoteSupport(Result):
    """On how many translations the votes of a segment fall, and how often the best are tied."""

    kind: ClassVar[str] = "vote-support"

    support: tuple[int, ...]  # segments whose votes fall on exactly 0, 1, 2, … translations
    n_tied: int
    n_absent: float
    mean_winner_share: float | None  # of the votes cast, those for the best translation
    provenance: Mapping[str, Any]

    @property
    def n(self) -> int:
        """Segments with votes."""
        return sum(self.support[1:])

    def share_on(self, most: int) -> float | None:
        """The per cent of voted segments whose votes fall on at most so many translations."""
        return 100 * sum(self.support[1 : most + 1]) / self.n if self.n else None

    def tables(self) -> list[Table]:
        """One row per number of translations with votes."""
        shares = [Column("share", digits=1), Column("at_most", digits=1)]
        rows = [
            (k, count, 100 * count / self.n, self.share_on(k)) for k, count in enumerate(self.support) if k and self.n
        ]
        note = Sentence(
            "share: per cent of the segments whose votes fall on that many translations. {tied} of {n} segments have "
            "no single best translation. Votes for translations that are not there: {absent:g}. Segments without "
            "votes: {without}.",
            tied=self.n_tied,
            n=self.n,
            absent=self.n_absent,
            without=self.support[0],
        )
        return [Table.of("Votes", ["translations", "segments", *shares], rows, note=note)]

    def figures(self) -> list[Figure]:
        """The distribution."""
        return [Figure("Translations that got votes", "bar", self.tables()[0], x="translations", y="share")]

    def meta(self) -> dict[str, Any]:
        """Counts and where they come from."""
        return {
            **self.provenance,
            "n": self.n,
            "n_tied": self.n_tied,
            "n_absent": self.n_absent,
            "n_without_votes": self.support[0],
            "mean_winner_share": self.mean_winner_share,
        }


def vote_support(votes: Votes) -> VoteSupport:
    """How far the voters of each segment agree on a translation."""
    if not votes.segments:
        raise DataError("There are no voted segments.")
    counts = Counter(sum(v > 0 for v in each.votes) for each in votes.segments)
    voted = [each for each in votes.segments if sum(each.votes) > 0]
    shares = [max(each.votes) / sum(each.votes) for each in voted]
    return VoteSupport(
        support=tuple(counts[k] for k in range(max(counts) + 1)),
        n_tied=sum(len(each.winners) > 1 for each in voted),
        n_absent=sum(each.n_absent for each in votes.segments),
        mean_winner_share=sum(shares) / len(shares) if shares else None,
        provenance=votes.provenance,
    )


@dataclass(frozen=True)
class Selection(Result):
    """One translation for every segment."""

    kind: ClassVar[str] = "crowd-selection"

    segments: tuple[str, ...]
    texts: tuple[str, ...]
    votes: tuple[float, ...]  # for the chosen translation
    translators: tuple[str | None, ...]
    how: str
    n_tied: int  # segments where chance decided between the best
    n_without_votes: int
    seed: int
    provenance: Mapping[str, Any]

    def tables(self) -> list[Table]:
        """One row per segment."""
        rows = zip(self.segments, self.votes, self.translators, self.texts, strict=True)
        chosen = Sentence("most votes") if self.how == "votes" else Sentence("chance alone")
        note = Sentence(
            "Chosen by {chosen}. Ties broken by chance (seed {seed}): {tied}. Segments without votes, chosen by "
            "chance: {without}.",
            chosen=chosen,
            seed=self.seed,
            tied=self.n_tied,
            without=self.n_without_votes,
        )
        columns: list[Column | str] = ["segment", Column("votes", digits=2), "translator", Column("text", is_text=True)]
        return [Table.of("Selected translations", columns, rows, note=note)]

    def meta(self) -> dict[str, Any]:
        """How it was chosen."""
        return {
            **self.provenance,
            "how": self.how,
            "seed": self.seed,
            "n": len(self.segments),
            "n_tied": self.n_tied,
            "n_without_votes": self.n_without_votes,
        }


def select_translations(votes: Votes, *, how: Literal["votes", "random"] = "votes", seed: int = 1) -> Selection:
    """The translation of every segment with most votes, ties broken by chance; `random` is the control condition.

    The draw of a segment hangs on the seed and its name, so it does not change when other segments come or go.
    """
    if how not in ("votes", "random"):
        raise DataError(f"Translations are chosen by votes or at random, got {how!r}.")
    if not votes.segments:
        raise DataError("There are no voted segments.")
    chosen = []
    for each in votes.segments:
        best = each.winners if how == "votes" else tuple(range(len(each.translations)))
        draw = float(Stream(seed, f"best of {each.segment}").uniform(1)[0]) if len(best) > 1 else 0.0
        chosen.append(best[int(draw * len(best))])
    pairs = list(zip(votes.segments, chosen, strict=True))
    return Selection(
        segments=tuple(each.segment for each, _ in pairs),
        texts=tuple(each.translations[n] for each, n in pairs),
        votes=tuple(each.votes[n] for each, n in pairs),
        translators=tuple(each.translators[n] if each.translators else None for each, n in pairs),
        how=how,
        n_tied=sum(len(each.winners) > 1 and sum(each.votes) > 0 for each in votes.segments) if how == "votes" else 0,
        n_without_votes=sum(sum(each.votes) == 0 for each in votes.segments),
        seed=seed,
        provenance=votes.provenance,
    )


def analyse_votes(judgements: Judgements, *, seed: int = 1) -> Analysis:
    """On how many translations the votes fall, and the best of each segment; single votes, or counted ones."""
    kind = judgements.schema.kind
    votes = votes_of(judgements) if kind == CROWD_VOTES.kind else votes_among(judgements)
    return PartsAnalysis(
        kind, {"Votes": vote_support(votes), "Best translations": select_translations(votes, seed=seed)}
    )
