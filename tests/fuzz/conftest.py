"""Packages are brought into the databases of the server's tests."""

from tests.web.conftest import light_store, sqlite_template

__all__ = ["light_store", "sqlite_template"]
