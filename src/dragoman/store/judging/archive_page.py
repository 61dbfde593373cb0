"""The page of an archive: what was said so far, for a reader without a server. What cannot be computed says why."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace

import sqlalchemy as sa

from dragoman import __version__
from dragoman.errors import DataError
from dragoman.report import Section, page
from dragoman.report.figure import Figure
from dragoman.store.judging.campaigns import Campaign
from dragoman.store.judging.results import analyse_campaign, campaign_progress
from dragoman.store.judging.state import campaign_quality

__all__ = ["archive_page"]

_LOGGER = logging.getLogger(__name__)
_INVENTED = "Invented judges took part: this is a simulation, and no judgement of anything. "


def archive_page(connection: sa.Connection, campaign: Campaign, *, simulated: bool) -> str:
    """A page that needs no server: the analysis, who judged with care, how far it came."""
    about = (_INVENTED if simulated else "") + (
        f"Protocol {campaign.protocol.name}, {campaign.source_lang} → {campaign.target_lang}; Dragoman {__version__}."
    )
    parts: dict[str, Callable[[sa.Connection, str], Section]] = {
        "Systems": _systems,
        "Annotators": _annotators,
        "Progress": _progress,
    }
    sections = [_section(heading, part, connection, campaign.name) for heading, part in parts.items()]
    sections.append(Section("How this was made", about))
    title = f"{campaign.title} (simulated)" if simulated else campaign.title
    try:
        return page(title, sections)
    except Exception as error:  # figures are drawn here; their tables stand beside them
        _LOGGER.warning("archive of %s without figures", campaign.name, exc_info=error)
        return page(title, [*map(_without_figures, sections), Section("Left out", f"The figures: {error}")])


def _section(
    heading: str, part: Callable[[sa.Connection, str], Section], connection: sa.Connection, name: str
) -> Section:
    try:
        return part(connection, name)
    except DataError as error:
        return Section(heading, f"Not enough data yet: {error}")
    except Exception as error:
        _LOGGER.warning("archive of %s without %s", name, heading, exc_info=error)
        return Section(heading, f"Left out: {type(error).__name__}: {error}")


def _without_figures(section: Section) -> Section:
    return replace(section, items=tuple(item for item in section.items if not isinstance(item, Figure)))


def _systems(connection: sa.Connection, name: str) -> Section:
    return Section.of("Systems", analyse_campaign(connection, name))


def _annotators(connection: sa.Connection, name: str) -> Section:
    quality = campaign_quality(connection, name)
    (table,) = quality.tables()[:1]
    # Sentences are no cells: they would be cut off where the table is wider than the window.
    kept = [n for n, column in enumerate(table.columns) if column.name not in ("reason", "why_not")]
    reasons = "; ".join(
        f"{row['annotator']}: {row[told]}" for told in ("reason", "why_not") for row in table.records() if row[told]
    )
    narrow = replace(
        table,
        columns=tuple(table.columns[n] for n in kept),
        rows=tuple(tuple(row[n] for n in kept) for row in table.rows),
    )
    return Section("Annotators", f"{reasons}." if reasons else "", (narrow, *quality.tables()[1:]))


def _progress(connection: sa.Connection, name: str) -> Section:
    return Section.of("Progress", campaign_progress(connection, name))
