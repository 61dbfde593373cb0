"""Build a wheel for one Python and run the demo from it by uvx and by pipx: `python tools/wheels.py 3.12`.

The Python is looked for on the path and among those of pyenv; ends with 77 and the reason if it is not installed. Each
run has a new environment: what the wheel needs comes from the package index.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from constraints import ROOT

FOLDER = ROOT / "build" / "wheels"
BUILD_TOOLS = ("scikit-build-core>=0.10", "nanobind>=2.4", "cmake>=3.22", "ninja")
CANNOT_RUN = 77


def candidates(version: str) -> Iterator[Path]:
    """Yield where a Python of this version may be."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    for folder in [*map(Path, os.get_exec_path()), *sorted(pyenv.glob(f"{version}.*/bin"))]:
        yield folder / f"python{version}"


def found_python(version: str) -> Path | None:
    """Return a Python of this version that runs, or None; a shim of pyenv may have nothing behind it."""
    for path in candidates(version):
        if path.is_file():
            words = [str(path), "-c", "import sys; print('%d.%d' % sys.version_info[:2])"]
            if subprocess.run(words, capture_output=True, text=True).stdout.strip() == version:
                return path
    return None


def built_wheel(python: Path, folder: Path) -> Path:
    """Build a wheel with a Python, in an environment of its own."""
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run([python, "-m", "venv", folder / "env"], check=True)
    pip = [folder / "env" / "bin" / "python", "-m", "pip"]
    subprocess.run([*pip, "install", "--quiet", *BUILD_TOOLS], check=True)
    path = f"{folder / 'env' / 'bin'}{os.pathsep}{os.environ['PATH']}"
    words = [*pip, "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", folder, "."]
    subprocess.run(words, cwd=ROOT, check=True, env={**os.environ, "PATH": path})
    (wheel,) = folder.glob("dragoman-*.whl")
    return wheel


def runners(wheel: Path, python: Path) -> dict[str, list[str]]:
    """Return the words before `dragoman` by which each tool runs a wheel."""
    uvx = [sys.executable, "-m", "uv", "tool", "run", "--isolated", "--python", str(python)]
    spec = f"{wheel}[web]"
    return {
        "uvx": [*uvx, "--from", spec],
        "pipx": [*uvx, "pipx", "run", "--no-cache", "--python", str(python), "--spec", spec],
    }


def run_demo(words: Sequence[str]) -> None:
    """Run the demo, which must write its page."""
    with tempfile.TemporaryDirectory() as name:
        command = [*words, "dragoman", "demo", "output", "--json"]
        subprocess.run(command, cwd=name, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=True)
        if not (Path(name) / "output" / "index.html").is_file():
            sys.exit(f"{command[0]} wrote no index.html")


def main() -> int:
    """Build and try the wheel of the Python that is named."""
    (version,) = sys.argv[1:]
    python = found_python(version)
    if python is None:
        print(f"Python {version} is not installed")
        return CANNOT_RUN
    wheel = built_wheel(python, FOLDER / version)
    for name, words in runners(wheel, python).items():
        run_demo(words)
        print(f"{wheel.name}: demo run by {name}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
