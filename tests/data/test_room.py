"""The public names of the room."""

from __future__ import annotations

import subprocess
import sys

import pytest

import dragoman.data


def test_every_public_name_is_there() -> None:
    assert dragoman.data.__all__ == sorted(dragoman.data.__all__, key=lambda name: (not name.isupper(), name))
    for name in dragoman.data.__all__:
        assert name in ("FORMATS", "JUDGEMENT_KINDS") or getattr(dragoman.data, name).__name__ == name
    with pytest.raises(AttributeError, match="has no attribute 'Bitex'"):
        dragoman.data.Bitex  # noqa: B018


def test_importing_the_room_does_not_import_numpy() -> None:
    code = "import sys, dragoman.data; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
