"""Alembic's entry: migrations run on the connection, and in the transaction, that `Store.migrate` opened."""

from __future__ import annotations

from alembic import context

from dragoman.store.tables import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata, render_as_batch=True)
context.run_migrations()
