"""Data, engines and peers of benchmarks. A script that cannot run here ends with code 77 and the reason."""

from __future__ import annotations

import os
import resource
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

CANNOT_RUN = 77
ROOT = Path(__file__).parents[1]
KEPT = ROOT / "build" / "bench"  # what is trained for several scripts


def skip(reason: str) -> NoReturn:
    """End the script: it cannot run here, and nothing is wrong."""
    print(f"{Path(sys.argv[0]).stem}: {reason}")
    raise SystemExit(CANNOT_RUN)


def data_folder(named: str | Path | None = None) -> Path:
    """The folder of real data, there or not: as named, `DRAGOMAN_DATA`, or `../shared/data` beside the checkout."""
    return Path(named or os.environ.get("DRAGOMAN_DATA") or ROOT.parent / "shared" / "data")


def real_data(named: str | Path | None = None) -> Path:
    """The folder of real data; without it the script ends."""
    data = data_folder(named)
    if not (data / "multi30k").is_dir():
        skip(f"no real data at {data}; set DRAGOMAN_DATA to the folder that holds it")
    return data


def peak_memory() -> float:
    """Return the largest resident set of this process in MB; `ru_maxrss` begins with what the parent had."""
    status = Path("/proc/self/status")
    if not status.exists():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20  # macOS counts bytes
    fields = dict(line.split(":", 1) for line in status.read_text().splitlines())
    return int(fields["VmHWM"].split()[0]) / 1024


def caption_engine(named: str | None = None, *, settings: Sequence[str] = (), pairs: int = 5000) -> Path:
    """A German-English engine: the named folder, or one trained on captions, untuned, and kept for other scripts."""
    if named:
        return Path(named)
    from dragoman.data.bitext import Bitext
    from dragoman.files import read_lines
    from dragoman.smt.recipe import EngineRecipe, changed
    from dragoman.smt.training import train_engine

    data = real_data() / "multi30k"
    folder = KEPT / "-".join(["engine", str(pairs), *(setting.replace("=", ".") for setting in settings)])
    if not (folder / "manifest.json").exists():
        print(f"{Path(sys.argv[0]).stem}: training an engine on {pairs:,} captions", file=sys.stderr)
        text = Bitext.from_lines(*(list(read_lines(data / f"train.{lang}.gz"))[:pairs] for lang in ("de", "en")))
        recipe = changed(EngineRecipe(), ["source_lang=de", "target_lang=en", "tune.method=none", *settings])
        train_engine(text, recipe, work=KEPT / "work", output=folder, n_threads=2)
    return folder
