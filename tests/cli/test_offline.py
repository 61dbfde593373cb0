"""Nothing is fetched from the network unless a service is named, as the page on security promises."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from tests.conftest import ROOT


def test_no_command_reaches_for_the_network_unless_a_service_is_named(tmp_path: Path) -> None:
    call = [sys.executable, "-m", "tests.cli.offline", str(tmp_path)]
    done = subprocess.run(call, cwd=ROOT, input="", capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["shut"] == "The network is shut."
    assert told["tried"] == {"the shut network": ["create_connection"]}
    assert len(told["calls"]) > 100
    worked = [name for name, each in told["calls"].items() if each["code"] == 0]
    assert len(worked) >= 45, worked  # the calls are calls
    assert "tests/cli/test_offline.py" in (ROOT / "docs/security.md").read_text(encoding="utf-8")


def test_an_engine_of_a_service_would_be_noticed(tmp_path: Path) -> None:
    """What the test above looks for is found where it is."""
    script = (
        "import sys; from pathlib import Path; from tests.cli import base_calls, offline; "
        "base_calls.main = lambda folder: print(__import__('json').dumps({'x': base_calls.call(["
        "'translate', sys.argv[2], '-m', 'deepl:url=http://localhost:9,source=de,target=en', '--json'])})); "
        "offline.main(Path(sys.argv[1]))"
    )
    (tmp_path / "text").write_text("a\n")
    call = [sys.executable, "-c", script, str(tmp_path), str(tmp_path / "text")]
    done = subprocess.run(call, cwd=ROOT, input="", capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert any(name.startswith("translate") for name in told["tried"]), told
