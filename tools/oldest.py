"""The quick tests of rooms with the oldest packages that pyproject.toml allows: are the lower bounds true?

    python tools/oldest.py [TESTS …]

Makes an environment under build/oldest, installs the wheel of this tree there, and runs the tests. Tools of the tests
themselves (pytest, ruff, mypy, browsers, peers) stay as they are pinned: only what users install is put back.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib

from constraints import FILE, ROOT, resolved

FOLDER = ROOT / "build" / "oldest"
TESTS = (
    "tests/contract",
    "tests/metrics",
    "tests/data",
    "tests/stats",
    "tests/store",
    "tests/cat",
    "tests/web/test_access.py",
)


def packages_of(lines: list[str]) -> set[str]:
    """The names of requirements, written one way."""
    return {re.split(r"[\[<>=!~; ]", line.strip(), maxsplit=1)[0].lower().replace("_", "-") for line in lines}


def oldest_requirements() -> list[str]:
    """What users install, as old as is allowed; what only tests need, as pinned."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    of_users = packages_of(
        project["dependencies"] + [line for name in extras if name != "test" for line in extras[name]]
    )
    old = {re.split("==", line)[0].strip(): line for line in resolved(oldest=True).splitlines() if "==" in line}
    for line in FILE.read_text(encoding="utf-8").splitlines():
        name = re.split("==", line)[0].strip()
        if name in old and name.lower() not in of_users and name in packages_of(extras["test"]):
            old[name] = line
    return sorted(old.values())


def main() -> int:
    """Make the environment and run the tests."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    (FOLDER / "requirements.txt").write_text("\n".join(oldest_requirements()) + "\n")
    python = FOLDER / "env" / "bin" / "python"
    run = [sys.executable, "-m", "uv"]
    wheels = FOLDER / "wheels"
    pack = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--quiet",
        "--no-deps",
        "--no-build-isolation",
        "--wheel-dir",
        wheels,
        ".",
    ]
    subprocess.run(pack, cwd=ROOT, check=True)
    subprocess.run([*run, "venv", "--quiet", "--clear", "--python", sys.executable, FOLDER / "env"], check=True)
    subprocess.run(
        [*run, "pip", "install", "--quiet", "--python", python, "-r", FOLDER / "requirements.txt"], check=True
    )
    (wheel,) = sorted(wheels.glob("dragoman-*.whl"))[-1:]
    subprocess.run([*run, "pip", "install", "--quiet", "--no-deps", "--python", python, wheel], check=True)
    words = sys.argv[1:] or TESTS
    # An old library warns of what a new Python gave up; that is no fault of ours.
    return subprocess.run(
        [python, "-m", "pytest", "-q", "-m", "not slow", "-W", "default", *words], cwd=ROOT
    ).returncode


if __name__ == "__main__":
    sys.exit(main())
