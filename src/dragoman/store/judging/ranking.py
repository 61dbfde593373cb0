"""How the systems of a campaign stand now, and whether that says anything yet; with or without people's names."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import sqlalchemy as sa

from dragoman.data.judgements.spans import ERROR_SPANS, looks
from dragoman.errors import DataError
from dragoman.human.agreement import Agreement, AgreementRecipe, agree
from dragoman.human.analysing import Analysis
from dragoman.human.direct_assessment.analysis import DirectAnalysis
from dragoman.human.dynamic import Standing
from dragoman.human.quality import leave_out
from dragoman.report import Column, Figure, Table
from dragoman.report.result import Result
from dragoman.store import tables
from dragoman.store.judging.campaigns import find_campaign
from dragoman.store.judging.deciding import decisions_that_count
from dragoman.store.judging.remembering import remembered
from dragoman.store.judging.results import campaign_judgements
from dragoman.store.judging.state import EXCLUDED, campaign_standing, left_out
from dragoman.store.people.invented import is_invented

__all__ = ["LiveRanking", "campaign_agreement", "live_ranking"]


@dataclass(frozen=True)
class LiveRanking(Result):
    """The systems by the judgements so far. `enough` and `stop` are the standing's, `reason` its words."""

    kind: ClassVar[str] = "campaign-ranking"

    campaign: str
    title: str
    protocol: str
    source_lang: str | None
    target_lang: str | None
    state: str
    simulated: bool  # whether invented judges filled it
    analysis: Analysis | None  # None where there is nothing to analyse yet
    standing: Standing
    agreement: Agreement | None
    enough: bool
    stop: bool
    reason: str
    n_judgements: int
    n_annotators: int
    last: str | None  # when the last answer came
    n_decided: int = 0  # items on which a decision takes the place of the answers
    # Annotator, how many judgements, why: those that the ranking does not use; the headline counts the others.
    left_out: tuple[tuple[str, int, str], ...] = ()
    is_public: bool = False
    of_people: bool = False  # whether what is ranked may be people: those who translated what is voted on

    def tables(self) -> list[Table]:
        """The ranking first; without people, if it is for everybody."""
        shown = [] if self.analysis is None else self._shown(self.analysis.tables())
        return [*(shown or [self._so_far()]), *self._shown(self._not_counted())]

    def _not_counted(self) -> list[Table]:
        columns = [Column("annotator"), Column("judgements"), Column("why_not", "not counted because")]
        return [Table.of("Not counted", columns, self.left_out)] if self.left_out else []

    @property
    def n_not_counted(self) -> int:
        """How many judgements the ranking does not use."""
        return sum(n for _, n, _ in self.left_out)

    def _so_far(self) -> Table:
        """The systems by the standing alone: there is no analysis yet, or none that says anything but of people."""
        system = Column("system", is_person=self.of_people)
        columns = [system, Column("value", digits=3), Column("uncertainty", digits=3), Column("n")]
        rows = () if self.is_public and self.of_people else self.standing.systems
        return Table.of("Systems so far", columns, rows, note=self.reason)

    def _shown(self, tables: list[Table]) -> list[Table]:
        if not self.is_public:
            return tables
        return [public for table in tables if (public := table.public()) is not None]

    def figures(self) -> list[Figure]:
        """The figures of the analysis."""
        if self.analysis is None:
            return []
        return [each for each in self.analysis.figures() if not (self.is_public and each.table.names_people)]

    @property
    def agreements(self) -> list[Table]:
        """How far people agree, if it could be measured."""
        return [] if self.agreement is None else self._shown(self.agreement.tables())

    def public(self) -> LiveRanking:
        """The same for everybody: without what names people."""
        return replace(self, is_public=True)

    def meta(self) -> dict[str, Any]:
        """What it rests on, and whether it is enough."""
        analysis = {} if self.analysis is None else self.analysis.meta()
        if self.is_public:
            analysis = {key: value for key, value in analysis.items() if isinstance(value, str | int | float | bool)}
        return {
            "campaign": self.campaign,
            "title": self.title,
            "protocol": self.protocol,
            "source": self.source_lang,
            "target": self.target_lang,
            "state": self.state,
            "simulated": self.simulated,
            "enough": self.enough,
            "stop": self.stop,
            "decided": self.n_decided,
            "reason": self.reason,
            "judgements": self.n_judgements,
            "people": self.n_annotators,
            "not_counted": {"judgements": self.n_not_counted, "people": len(self.left_out)},
            "last": self.last,
            "share_done": self.standing.share_done,
            "analysis": analysis,
        }


def campaign_agreement(connection: sa.Connection, name: str, *, by: Any = None) -> Agreement:
    """How far the annotators agree whose answers count, with each other and with themselves, by what they said."""
    said = campaign_judgements(connection, name, as_said=True)
    counted = leave_out(said, left_out(connection, name))
    if len(said) and not len(counted):
        raise DataError(
            "No judgement counts yet: quality control keeps none of the annotators "
            f"('dragoman campaign quality {name}' says why)."
        )
    return agree(counted, AgreementRecipe(by=by))


def live_ranking(connection: sa.Connection, name: str) -> LiveRanking:
    """The ranking by the answers so far. It is made anew when something was said or marked, and remembered else."""
    campaign = find_campaign(connection, name)
    ranking = remembered(connection, campaign, "ranking", lambda: _ranking(connection, name))
    return replace(ranking, title=campaign.title, state=campaign.state)


def _ranking(connection: sa.Connection, name: str) -> LiveRanking:
    campaign = find_campaign(connection, name)
    received = tables.answers.c.received
    last = connection.scalar(sa.select(sa.func.max(received)).where(tables.answers.c.campaign_id == campaign.id))
    everything, out = campaign_judgements(connection, name, excluded=True), left_out(connection, name)
    judgements = leave_out(everything, (who for who, why in out.items() if why == EXCLUDED))
    standing = campaign_standing(connection, name)
    n_decided = len(decisions_that_count(connection, campaign))
    analysis = agreement = None
    enough, stop, reason = standing.enough, standing.stop, standing.reason
    try:
        analysis = campaign.protocol.analyse(judgements, seed=1)
        if isinstance(analysis, DirectAnalysis):
            analysis = replace(analysis, advises=not enough)  # one verdict, not two that contradict each other
    except DataError as error:
        enough, stop, reason = False, False, error.args[0]
    with suppress(DataError):  # the kind has no agreement, or nobody judged what another did; the page says so
        agreement = campaign_agreement(connection, name) if n_decided else agree(leave_out(judgements, out))
    people = set(judgements["annotator"])
    judged = looks(everything) if everything.kind == ERROR_SPANS.kind else everything
    counts = Counter(map(str, judged["annotator"]))
    not_used = tuple((who, counts[who], why) for who, why in sorted(out.items()) if counts[who])
    platform = sa.select(tables.users.c.platform).where(tables.users.c.name.in_(sorted(map(str, people))))
    simulated = any(map(is_invented, connection.scalars(platform)))
    return LiveRanking(
        name,
        campaign.title,
        campaign.protocol.name,
        campaign.source_lang,
        campaign.target_lang,
        campaign.state,
        simulated,
        analysis,
        standing,
        agreement,
        enough,
        stop,
        reason,
        sum(n for who, n in counts.items() if who not in out),
        len(people - out.keys()),
        None if last is None else last.isoformat(timespec="seconds"),
        n_decided,
        not_used,
        of_people="translator" in {field.name for field in campaign.protocol.schema.fields},
    )
