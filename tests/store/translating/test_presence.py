"""Who has a project open."""

from __future__ import annotations

from datetime import timedelta

import pytest

from dragoman.store import Store
from dragoman.store.columns import now
from dragoman.store.people.accounts import find_user
from dragoman.store.refusals import NotFound
from dragoman.store.translating import presence, segments
from dragoman.store.translating.presence import announce, people_in


def test_people_come_and_go(store: Store, project: int, monkeypatch: pytest.MonkeyPatch) -> None:
    with store.write() as connection:
        ada, ben = find_user(connection, "ada"), find_user(connection, "ben")
        announce(connection, project, {"k1": ada.id, "k2": ada.id})  # two windows
        announce(connection, project, {"k3": ben.id})
        announce(connection, project, {"k1": ada.id, "k2": ada.id})
        assert people_in(connection, project) == [("ada", None), ("ben", None)]
        first = segments.list_segments(connection, project)[1][0]["id"]
        segments.take_lock(connection, project, first, ben)
        assert people_in(connection, project) == [("ada", None), ("ben", first)]
        segments.free_lock(connection, project, first, ben)
        announce(connection, project, {}, ["k3"])
        assert people_in(connection, project) == [("ada", None)]
        announce(connection, project, {"k1": ada.id}, ["k2"])
        later = now() + timedelta(seconds=presence.PRESENCE_SECONDS + 1)
        monkeypatch.setattr(presence, "now", lambda: later)
        assert people_in(connection, project) == []  # the process was killed
        with pytest.raises(NotFound):
            announce(connection, 999, {"k9": ada.id})
