"""The public names of the room."""

from __future__ import annotations

import subprocess
import sys
from inspect import ismodule

import pytest

from dragoman import human
from dragoman.human import direct_assessment


@pytest.mark.parametrize("room", [human, direct_assessment], ids=["human", "direct_assessment"])
def test_public_names_are_there_and_are_no_modules(room) -> None:  # type: ignore[no-untyped-def]
    for name in room.__all__:
        assert not ismodule(getattr(room, name)), name
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        room.nothing  # noqa: B018


def test_the_room_opens_without_numpy() -> None:
    code = "import sys, dragoman.human, dragoman.human.direct_assessment; print('numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
