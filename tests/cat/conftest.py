"""Tests of the workbench run on the databases of the server's tests."""

from tests.web.conftest import cluster, database, light_store, postgres_template, sqlite_template, store

__all__ = ["cluster", "database", "light_store", "postgres_template", "sqlite_template", "store"]
