"""How long an import takes: `dragoman` under 0.15 s, the command line under 0.25 s.

Each figure is the best of several fresh processes, with what an empty Python needs taken off. The slowest imports are
shown, so that a heavy package at the top of a module is found at once.

    python bench/startup.py
"""

from __future__ import annotations

import subprocess
import sys
import time

BARS = {"import dragoman": 0.15, "import dragoman.cli.main": 0.25}  # seconds
ALSO = ["import dragoman.data", "import dragoman.text", "import dragoman.report"]
ROUNDS = 7


def seconds(code: str) -> float:
    """Wall time of the fastest of several processes that run `code`."""
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        subprocess.run([sys.executable, "-c", code], check=True)
        times.append(time.perf_counter() - start)
    return min(times)


def slowest(code: str, count: int = 5) -> list[str]:
    """The modules that cost most by themselves, from `python -X importtime`."""
    done = subprocess.run([sys.executable, "-X", "importtime", "-c", code], check=True, capture_output=True, text=True)
    rows = [line.removeprefix("import time:").split("|") for line in done.stderr.splitlines()[1:]]
    by_cost = sorted(((int(own), name.strip()) for own, _, name in rows), reverse=True)
    return [f"{name} {own / 1000:.1f} ms" for own, name in by_cost[:count]]


def main() -> int:
    empty = seconds("pass")
    print(f"{'empty Python':28}{empty:7.3f} s")
    failed = False
    for code in [*BARS, *ALSO]:
        cost = seconds(code) - empty
        bar = BARS.get(code)
        failed = failed or (bar is not None and cost >= bar)
        print(f"{code:28}{cost:7.3f} s" + (f"  (bar {bar} s)" if bar else ""))
    code = "import dragoman.cli.main"
    print(f"slowest parts of {code!r}: {', '.join(slowest(code))}")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
