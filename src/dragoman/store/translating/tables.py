"""The tables of the translator's workbench: what holds now. What people did is in `events`, stream `project/ID`."""

from __future__ import annotations

import sqlalchemy as sa

from dragoman.store.columns import Json, Moment
from dragoman.store.tables import key_column, metadata, reference

__all__ = ["comments", "issues", "jobs", "presences", "project_files", "projects", "scores", "segments"]

projects = sa.Table(
    "projects",
    metadata,
    key_column(),
    sa.Column("name", sa.String(80), nullable=False, unique=True),
    sa.Column("source_lang", sa.String(35), nullable=False),
    sa.Column("target_lang", sa.String(35), nullable=False),
    sa.Column("engine", sa.String(80)),  # of the server's engines; null: no machine translation
    sa.Column("memories", Json, nullable=False),  # [{"name", "penalty", "writes"}], the most trusted first
    sa.Column("glossary", Json, nullable=False),  # [{"source", "target", "note"}]
    sa.Column("settings", Json, nullable=False),
    reference("users.id", optional=True),  # whose it is; null: made from the command line
    sa.Column("created", Moment, nullable=False),
    sa.Column("n_learnt", sa.Integer, nullable=False),  # pairs that its engine has learnt, and not forgotten
    sqlite_autoincrement=True,  # the number of one that was deleted is never another's: logs and memories name it
)

project_files = sa.Table(
    "project_files",
    metadata,
    key_column(),
    reference("projects.id", index=True),
    sa.Column("place", sa.Integer, nullable=False),  # from 1, within the project
    sa.Column("name", sa.String(200), nullable=False),
    sa.Column("format", sa.String(40), nullable=False),
    sa.Column("digest", sa.String(64), nullable=False),  # SHA-256 of the content
    sa.Column("content", sa.LargeBinary, nullable=False),  # as it was uploaded
    sa.UniqueConstraint("project_id", "name"),
)

segments = sa.Table(
    "segments",
    metadata,
    key_column(),
    reference("projects.id"),
    reference("project_files.id", index=True),
    sa.Column("place", sa.Integer, nullable=False),  # from 1 without gaps, within the project
    sa.Column("unit", sa.Text, nullable=False),  # key of the file's unit, of whose source it is [begin, end)
    sa.Column("begin", sa.Integer, nullable=False),
    sa.Column("end", sa.Integer, nullable=False),
    sa.Column("source", sa.Text, nullable=False),
    sa.Column("words", sa.Integer, nullable=False),  # of the source, at least 1
    sa.Column("codes", Json, nullable=False),  # of the unit: [[text, kind, pair, shown]]
    sa.Column("note", sa.Text, nullable=False),
    sa.Column("max_length", sa.Integer),
    sa.Column(
        "alternatives", Json, nullable=False
    ),  # that the file proposes: [{"text", "origin", "quality", "source"}]
    sa.Column("target", sa.Text),  # null: nothing yet
    sa.Column("state", sa.String(12), nullable=False),
    sa.Column("origin", Json),  # of the suggestion that the target was made from: {"kind", "name", "score", "text"}
    sa.Column("revision", sa.Integer, nullable=False),  # counts changes of the row
    reference("users.id", optional=True),  # who changed it last
    sa.Column("locked_by", sa.ForeignKey("users.id", name="fk_segments_locked_by")),  # who has it open
    sa.Column("locked_until", Moment),
    sa.Index("ix_segments_project_id_place", "project_id", "place"),
    sqlite_autoincrement=True,
)

# A project's segments cut among people: who works on which places, and as what.
jobs = sa.Table(
    "jobs",
    metadata,
    key_column(),
    reference("projects.id", index=True),
    reference("users.id", index=True),
    sa.Column("role", sa.String(12), nullable=False),  # translator, reviewer
    sa.Column("first", sa.Integer, nullable=False),  # places, both included
    sa.Column("last", sa.Integer, nullable=False),
    sa.Column("created", Moment, nullable=False),
    sa.Column("consented", Moment),  # since when keys and other events of theirs may be kept
)

comments = sa.Table(
    "comments",
    metadata,
    key_column(),
    reference("projects.id"),
    reference("segments.id", index=True),
    reference("users.id"),
    sa.Column("key", sa.String(64), nullable=False),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("made", Moment, nullable=False),
    sa.Column("resolved", Moment),
    sa.UniqueConstraint("project_id", "key"),
)

# Revision errors as MQM has them, in the target as it was at a revision.
issues = sa.Table(
    "issues",
    metadata,
    key_column(),
    reference("projects.id"),
    reference("segments.id", index=True),
    reference("users.id"),
    sa.Column("key", sa.String(64), nullable=False),
    sa.Column("revision", sa.Integer, nullable=False),  # of the segment, when it was marked
    sa.Column("target", sa.Text, nullable=False),  # that it was marked in
    sa.Column("span", Json, nullable=False),  # start, end, source_start, source_end, is_omission, severity, category
    sa.Column("note", sa.Text, nullable=False),
    sa.Column("made", Moment, nullable=False),
    sa.Column("withdrawn", Moment),
    sa.UniqueConstraint("project_id", "key"),
)

# How good a segment was when it had a text, as ESA asks: the last word of each reviewer.
scores = sa.Table(
    "scores",
    metadata,
    key_column(),
    reference("projects.id", index=True),
    reference("segments.id"),
    reference("users.id"),
    sa.Column("score", sa.Float, nullable=False),  # 0 to 100
    sa.Column("target", sa.Text, nullable=False),  # that was scored
    sa.Column("made", Moment, nullable=False),
    sa.UniqueConstraint("segment_id", "user_id"),
)

# Who has a project open, in whichever process: a row for each connection, which says now and then that it is there.
presences = sa.Table(
    "presences",
    metadata,
    sa.Column("key", sa.String(32), primary_key=True),
    reference("projects.id", index=True),
    reference("users.id"),
    sa.Column("until", Moment, nullable=False),
)
