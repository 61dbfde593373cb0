"""The tables of the database.

What people said and did is appended and never changed: see `answers`, `adjudications`, `audit`, `events`. Those of the
translator's workbench are in `translating.tables`. The shape of the database changes by migrations alone
(`migrations/versions`); a test compares them with these modules.
"""

from __future__ import annotations

import sqlalchemy as sa

from dragoman.store.columns import Json, Moment

__all__ = [
    "adjudications",
    "answers",
    "arrivals",
    "assignments",
    "audit",
    "campaigns",
    "events",
    "invites",
    "items",
    "key_column",
    "limits",
    "managers",
    "materials",
    "media",
    "members",
    "memories",
    "memory_units",
    "metadata",
    "properties",
    "publications",
    "qualifications",
    "reference",
    "sessions",
    "streams",
    "tasks",
    "tokens",
    "users",
]

metadata = sa.MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def key_column() -> sa.Column[int]:
    """A table's own number of a row."""
    return sa.Column("id", sa.Integer, primary_key=True)


def reference(column: str, *, optional: bool = False, index: bool = False) -> sa.Column[int]:
    """The number of a row of another table, which gives the column its name: `users.id` is in `user_id`."""
    table = column.split(".", maxsplit=1)[0]
    return sa.Column(f"{table[:-1]}_id", sa.ForeignKey(column), nullable=optional, index=index)


# Facts of this installation: the secret that signs invitations, and what `probe` writes.
properties = sa.Table(
    "properties", metadata, sa.Column("name", sa.String(40), primary_key=True), sa.Column("value", sa.Text)
)

users = sa.Table(
    "users",
    metadata,
    key_column(),
    sa.Column("name", sa.String(80), nullable=False, unique=True),
    sa.Column("key", sa.String(260), nullable=False, server_default=""),  # `names.name_key`: one account per name
    sa.Column("role", sa.String(12), nullable=False),
    sa.Column("password", sa.String(200)),  # argon2id; null for people from a crowd platform, who come by their link
    sa.Column("platform", Json),  # what the crowd platform said when the person came: {"platform", "worker", …}
    sa.Column("crowd", sa.String(20)),  # of a crowd worker, the platform and the id there: by these they are found
    sa.Column("worker", sa.String(60)),
    sa.Column("lang", sa.String(8)),  # of the interface, where the person chose one
    sa.Column("created", Moment, nullable=False),
    sa.Column("disabled", Moment),
    sa.Column("services", Json),  # that the account may ask (`people.services`); null: those of its role
    sa.Index("uq_users_key", "key", unique=True),
    sa.Index("uq_users_crowd_worker", "crowd", "worker", unique=True),
)

qualifications = sa.Table(
    "qualifications",
    metadata,
    sa.Column("user_id", sa.ForeignKey("users.id"), primary_key=True),
    sa.Column("language", sa.String(35), primary_key=True),  # BCP 47
    sa.Column("granted", Moment, nullable=False),
)

sessions = sa.Table(
    "sessions",
    metadata,
    sa.Column("token", sa.String(64), primary_key=True),  # SHA-256 of what the cookie holds
    reference("users.id", index=True),
    sa.Column("csrf", sa.String(64), nullable=False),
    sa.Column("created", Moment, nullable=False),
    sa.Column("expires", Moment, nullable=False, index=True),
)

# With these programs act for a person.
tokens = sa.Table(
    "tokens",
    metadata,
    key_column(),
    reference("users.id", index=True),
    sa.Column("name", sa.String(80), nullable=False),
    sa.Column("digest", sa.String(64), nullable=False, unique=True),  # SHA-256 of what the program sends
    sa.Column("scopes", Json, nullable=False),
    sa.Column("created", Moment, nullable=False),
    sa.Column("expires", Moment, nullable=False),
    sa.Column("used", Moment),  # the last time, to ten minutes
    sa.Column("revoked", Moment),
    sa.Column("per_minute", sa.Integer),  # requests; null: as many as the account may make
)

# Events counted per key and window of time, for throttling that holds across workers.
limits = sa.Table(
    "limits",
    metadata,
    sa.Column("key", sa.String(120), primary_key=True),
    sa.Column("period", sa.Integer, primary_key=True),
    sa.Column("count", sa.Integer, nullable=False),
    sa.Column("expires", Moment, nullable=False, index=True),
)

campaigns = sa.Table(
    "campaigns",
    metadata,
    key_column(),
    sa.Column("name", sa.String(80), nullable=False, unique=True),
    sa.Column("title", sa.Text, nullable=False),
    sa.Column("instructions", sa.Text, nullable=False),
    sa.Column("protocol", sa.String(80), nullable=False),
    sa.Column("options", Json, nullable=False),
    sa.Column("seed", sa.BigInteger, nullable=False),
    sa.Column("source_lang", sa.String(35)),
    sa.Column("target_lang", sa.String(35)),
    sa.Column("state", sa.String(8), nullable=False),  # open, paused, closed
    sa.Column("lease_minutes", sa.Integer, nullable=False),  # how long a task may lie untouched
    sa.Column("code", sa.String(80), nullable=False),  # what a crowd platform asks for at the end
    sa.Column("return_url", sa.Text),  # where a crowd platform wants people back, the code put in for {code}
    sa.Column("qualified", sa.Boolean, nullable=False),  # only people qualified in the target language get tasks
    sa.Column("dynamic", sa.Boolean, nullable=False),  # the next task is chosen by the answers so far
    sa.Column("decisions", sa.Boolean, nullable=False, server_default=sa.false()),  # they take the place of answers
    sa.Column("about", Json, nullable=False),  # how it was planned
    sa.Column("created", Moment, nullable=False),
    sa.Column("revision", sa.Integer, nullable=False),  # counts dealings; the row is the lock of all dealing
)

tasks = sa.Table(
    "tasks",
    metadata,
    key_column(),
    reference("campaigns.id"),
    sa.Column("name", sa.String(200), nullable=False),
    sa.Column("place", sa.Integer, nullable=False),  # order within the campaign
    sa.UniqueConstraint("campaign_id", "name"),
)

# What may reach the browser stands apart from what may not.
items = sa.Table(
    "items",
    metadata,
    key_column(),
    reference("campaigns.id"),
    reference("tasks.id", index=True),
    sa.Column("position", sa.Integer, nullable=False),  # from 1, within the task
    sa.Column("name", sa.String(200), nullable=False),
    sa.Column("shown", Json, nullable=False),
    sa.Column("hidden", Json, nullable=False),  # system, type, segment …: everything of the item but `shown`
    sa.UniqueConstraint("task_id", "name"),  # tasks made for one person each share their items (comprehension)
)

# A task in somebody's hands, or waiting for somebody: one row per task and copy that counts, and rows given up.
assignments = sa.Table(
    "assignments",
    metadata,
    key_column(),
    reference("campaigns.id"),
    reference("tasks.id"),
    sa.Column("copy", sa.Integer, nullable=False),  # 1 … redundancy
    sa.Column("seat", sa.String(80), nullable=False),  # the annotator it was planned for
    reference("users.id", optional=True),
    sa.Column("taken", Moment),
    sa.Column("leased_until", Moment),  # null: theirs for good
    sa.Column("finished", Moment),
    sa.Column("released", Moment),  # given up; its answers stay but do not count
    sa.Index("ix_assignments_campaign_id_user_id", "campaign_id", "user_id"),
    sa.Index(
        "uq_assignments_held",
        "task_id",
        "copy",
        unique=True,
        sqlite_where=sa.text("released IS NULL"),
        postgresql_where=sa.text("released IS NULL"),
    ),
    sa.Index(
        "uq_assignments_person",
        "task_id",
        "user_id",
        unique=True,
        sqlite_where=sa.text("released IS NULL"),
        postgresql_where=sa.text("released IS NULL"),
    ),
)

# Who takes part in which campaign. Exclusion is a mark: what was said stays.
members = sa.Table(
    "members",
    metadata,
    sa.Column("campaign_id", sa.ForeignKey("campaigns.id"), primary_key=True),
    sa.Column("user_id", sa.ForeignKey("users.id"), primary_key=True),
    sa.Column("joined", Moment, nullable=False),
    sa.Column("max_tasks", sa.Integer),  # null: as many as there are
    sa.Column("excluded", Moment),
    sa.Column("reason", sa.Text),
)

# Sessions of a crowd platform (submission, assignment) in which its workers came to a campaign: what the platform pays.
arrivals = sa.Table(
    "arrivals",
    metadata,
    sa.Column("campaign_id", sa.ForeignKey("campaigns.id"), primary_key=True),
    sa.Column("user_id", sa.ForeignKey("users.id"), primary_key=True),
    sa.Column("session", sa.String(100), primary_key=True),
    sa.Column("at", Moment, nullable=False),  # the first time
)

# Whose campaigns they are, besides the admins'; it counts where the server was started with `--own-campaigns`.
managers = sa.Table(
    "managers",
    metadata,
    sa.Column("campaign_id", sa.ForeignKey("campaigns.id"), primary_key=True),
    sa.Column("user_id", sa.ForeignKey("users.id"), primary_key=True),
    sa.Column("since", Moment, nullable=False),
)

answers = sa.Table(
    "answers",
    metadata,
    key_column(),
    reference("campaigns.id"),
    reference("users.id"),
    reference("items.id"),
    reference("assignments.id", index=True),
    sa.Column("revision", sa.Integer, nullable=False),  # from 1; a correction is a further row
    sa.Column("key", sa.String(64), nullable=False),  # made by the client, so that sending twice saves once
    sa.Column("answer", Json, nullable=False),
    sa.Column("active_seconds", sa.Float),
    sa.Column("started", Moment),  # by the client's clock
    sa.Column("ended", Moment),
    sa.Column("received", Moment, nullable=False),
    sa.UniqueConstraint("campaign_id", "user_id", "key"),
    sa.UniqueConstraint("assignment_id", "item_id", "revision"),
)

# Files that items play or show, each once.
media = sa.Table(
    "media",
    metadata,
    sa.Column("campaign_id", sa.ForeignKey("campaigns.id"), primary_key=True),
    sa.Column("digest", sa.String(64), primary_key=True),  # SHA-256 of the content
    sa.Column("media_type", sa.String(80), nullable=False),
    sa.Column("content", sa.LargeBinary, nullable=False),
)

# What a campaign was planned from: the manifest as it was written, and the test set. Read for exports alone.
materials = sa.Table(
    "materials",
    metadata,
    sa.Column("campaign_id", sa.ForeignKey("campaigns.id"), primary_key=True),
    sa.Column("manifest", sa.Text, nullable=False),
    sa.Column("test_set", Json, nullable=False),
)

# Rankings that everybody may see who has the link. The link is no secret of people's: managers can see it again.
publications = sa.Table(
    "publications",
    metadata,
    key_column(),
    reference("campaigns.id", index=True),
    sa.Column("token", sa.String(64), nullable=False, unique=True),
    sa.Column("made", Moment, nullable=False),
    sa.Column("withdrawn", Moment),
)

invites = sa.Table(
    "invites",
    metadata,
    key_column(),
    reference("campaigns.id", optional=True, index=True),
    sa.Column("role", sa.String(12), nullable=False),
    sa.Column("platform", sa.String(20)),  # prolific, mturk …: comers have no password
    sa.Column("max_uses", sa.Integer),
    sa.Column("uses", sa.Integer, nullable=False),
    sa.Column("max_tasks", sa.Integer),
    sa.Column("languages", Json, nullable=False),  # granted to whoever comes by it
    sa.Column("created", Moment, nullable=False),
    sa.Column("expires", Moment, nullable=False),
    sa.Column("revoked", Moment),
    sa.Column("first", sa.Boolean, nullable=False, server_default=sa.false()),  # void as soon as there is an admin
)

adjudications = sa.Table(
    "adjudications",
    metadata,
    key_column(),
    reference("campaigns.id", index=True),
    reference("items.id"),
    reference("users.id"),
    sa.Column("key", sa.String(64), nullable=False),
    sa.Column("answer", Json, nullable=False),
    sa.Column("note", sa.Text, nullable=False),
    sa.Column("made", Moment, nullable=False),
    sa.UniqueConstraint("campaign_id", "user_id", "key"),
)

audit = sa.Table(
    "audit",
    metadata,
    key_column(),
    sa.Column("at", Moment, nullable=False, index=True),
    sa.Column("who", sa.String(80), nullable=False),  # a name, which outlives the account's row being disabled
    sa.Column("action", sa.String(40), nullable=False),
    sa.Column("subject", sa.String(200), nullable=False),
    sa.Column("details", Json, nullable=False),
    sa.Column("request", sa.String(64)),
)

# Logs of events (`events`): the row of a stream is the lock of all that is appended to it.
streams = sa.Table(
    "streams",
    metadata,
    key_column(),
    sa.Column("name", sa.String(200), nullable=False, unique=True),
    sa.Column("length", sa.Integer, nullable=False),
)

events = sa.Table(
    "events",
    metadata,
    sa.Column("stream_id", sa.ForeignKey("streams.id"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),  # from 1, without gaps, in the order of commits
    sa.Column("key", sa.String(64), nullable=False),  # made by the client, so that sending twice saves once
    sa.Column("kind", sa.String(40), nullable=False),
    sa.Column("subject", sa.String(200), nullable=False),  # what it is about within the stream, such as a segment
    reference("users.id", optional=True),
    sa.Column("at", Moment),  # by the client's clock
    sa.Column("received", Moment, nullable=False),
    sa.Column("data", Json, nullable=False),
    sa.UniqueConstraint("stream_id", "key"),
    sa.Index("ix_events_subject", "stream_id", "subject", "number"),
)

# Translation memories. A memory's row is the lock of all changes of its units, so that ids and deletions come in the
# order of commits: whoever has followed up to an id and a revision misses nothing by asking for what came after.
memories = sa.Table(
    "memories",
    metadata,
    key_column(),
    sa.Column("name", sa.String(80), nullable=False, unique=True),
    sa.Column("source_lang", sa.String(35), nullable=False),  # BCP 47
    sa.Column("target_lang", sa.String(35), nullable=False),
    sa.Column("shared", sa.Boolean, nullable=False),  # everybody may use it, not its owner alone
    reference("users.id", optional=True),  # the owner; null: the house's
    sa.Column("created", Moment, nullable=False),
    sa.Column("revision", sa.Integer, nullable=False),  # counts changes of its units
)

memory_units = sa.Table(
    "memory_units",
    metadata,
    key_column(),
    sa.Column("memory_id", sa.ForeignKey("memories.id"), nullable=False),
    sa.Column("source", sa.Text, nullable=False),
    sa.Column("target", sa.Text, nullable=False),
    sa.Column("previous", sa.Text),  # the source before it; empty: it is the first; null: not known
    sa.Column("next", sa.Text),
    reference("users.id", optional=True),  # who translated it
    sa.Column("origin", sa.String(200), nullable=False),  # a file, a project
    sa.Column("key", sa.String(100)),  # of the segment it was confirmed in: a later unit takes its place
    sa.Column("created", Moment, nullable=False),
    sa.Column("deleted", Moment),
    sa.Column("deletion", sa.Integer),  # the memory's revision at which it was deleted
    sa.Index("ix_memory_units_memory_id_id", "memory_id", "id"),
    *(
        sa.Index(
            f"ix_memory_units_memory_id_{column}",
            "memory_id",
            column,
            sqlite_where=sa.text(f"{column} IS NOT NULL"),
            postgresql_where=sa.text(f"{column} IS NOT NULL"),
        )
        for column in ("key", "deletion")
    ),
)
