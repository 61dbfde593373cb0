"""Pin the packages that the tests run with: `make constraints` writes `.ci/constraints.txt` from pyproject.toml.

The newest releases that fit, for every Python and platform in one file, without the addresses of indexes. Nothing is
installed: look at the differences, run the tests with them, and commit the file with what had to change.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
FILE = ROOT / ".ci" / "constraints.txt"
BUILD_TOOLS = ("scikit-build-core", "nanobind", "cmake", "ninja", "pip", "setuptools", "wheel")


def resolved(*, oldest: bool = False) -> str:
    """The versions of all packages of the tests and the build, a line each."""
    command = [sys.executable, "-m", "uv", "pip", "compile", "pyproject.toml", "-", "--extra", "test", "--quiet"]
    command += [
        "--python-version",
        "3.11",
        "--no-header",
        "--no-annotate",
        "--no-emit-index-url",
        "--no-emit-find-links",
    ]
    command += ["--resolution", "lowest-direct"] if oldest else ["--universal"]
    tools = "" if oldest else "".join(f"{name}\n" for name in BUILD_TOOLS)
    # Settings of a machine's own (find-links, further indexes) would pin what nobody else finds.
    own = {name: value for name, value in os.environ.items() if name not in ("UV_FIND_LINKS", "PIP_FIND_LINKS")}
    done = subprocess.run(command, cwd=ROOT, env=own, input=tools, capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr)
    return done.stdout


def main() -> None:
    """Write the file."""
    versions = resolved()
    FILE.write_text(
        "# Versions that the tests run with, written by `make constraints`; bounds for users are in pyproject.toml.\n"
        + versions
    )
    print(f"{FILE.relative_to(ROOT)}: {len(versions.splitlines())} packages")


if __name__ == "__main__":
    main()
