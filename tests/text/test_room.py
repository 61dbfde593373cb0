"""The text room's door: nothing is imported before it is asked for."""

from __future__ import annotations

import subprocess
import sys


def test_opening_the_room_imports_no_part_of_it() -> None:
    code = "import sys, dragoman.text; print(sorted(m for m in sys.modules if m.startswith('dragoman.text.')))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
