"""Peak memory of what people run: `compare` of 23 systems, training, translating, and `serve` for each kind of engine.

    python bench/peaks.py [DATA]

Each row is a process of its own, with its children: the largest resident memory of one of them, and the processor time
of all. A server has answered 200 captions over HTTP before it is measured.
"""

from __future__ import annotations

import gzip
import importlib.util
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import httpx
from needs import caption_engine, real_data

PROGRAM = str(Path(sys.executable).with_name("dragoman"))
SETTINGS = {"phrases": (), "hierarchical rules": ("grammar.kind=hiero",), "text without a table": ("index.use=only",)}
CAPTIONS = 200
NEURAL_PAIRS = 2000


def run(name: str, words: list[str], cwd: Path) -> None:
    """Run a command to its end, and print its row."""
    process = subprocess.Popen(words, cwd=cwd, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    assert process.stderr is not None
    told = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    if os.waitstatus_to_exitcode(status):
        sys.exit(f"{name}: {told.decode()[-2000:]}")
    per_mb = 2**20 if sys.platform == "darwin" else 2**10
    row(name, usage.ru_maxrss / per_mb, usage.ru_utime + usage.ru_stime)


def row(name: str, megabytes: float, seconds: float) -> None:
    """Print one row."""
    print(f"{name:44} {megabytes:8.0f} MB {seconds:8.1f} s", flush=True)


def serve(name: str, options: list[str], lines: list[str], cwd: Path) -> None:
    """Start a server, let it translate, and print the row of its largest process."""
    words = [PROGRAM, "serve", "--local", "--json", "--port", "0", "--db", str(cwd / f"{time.time_ns()}.db"), *options]
    server = subprocess.Popen(words, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        assert server.stdout is not None
        address = json.loads(server.stdout.readline())["rows"][0]["address"].rstrip("/")
        with httpx.Client(timeout=60, trust_env=False) as client:
            while True:
                try:
                    client.get(f"{address}/health").raise_for_status()
                    break
                except httpx.HTTPError:
                    time.sleep(0.1)
            for line in lines if options else []:
                asked = {"q": line, "source": "de", "target": "en", "format": "text"}
                client.post(f"{address}/libretranslate/translate", json=asked).raise_for_status()
        megabytes, seconds = zip(*(peak(pid) for pid in tree(server.pid)), strict=True)
        row(name, max(megabytes), sum(seconds))
    finally:
        os.killpg(server.pid, signal.SIGTERM)
        server.wait()


def tree(pid: int) -> list[int]:
    """A process and its descendants."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [pid, *(each for child in children for each in tree(int(child)))]


def peak(pid: int) -> tuple[float, float]:
    """The largest resident memory that a process had, in MB, and its processor time."""
    status = Path(f"/proc/{pid}/status").read_text()
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    high = next(line for line in status.splitlines() if line.startswith("VmHWM"))
    return int(high.split()[1]) / 1024, (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def neural_engine(multi30k: Path, folder: Path) -> Path | None:
    """Train a net for one epoch, which has the size of one that has learned; print the row."""
    if not (importlib.util.find_spec("jax") and importlib.util.find_spec("ctranslate2")):
        print("neural engines: needs JAX and CTranslate2")
        return None
    words = [PROGRAM, "neural", "train", "-o", "net", "--size", "small", "--epochs", "1", "--every", "1"]
    for name, pairs, options in (("train", NEURAL_PAIRS, ("--src", "--tgt")), ("val", 20, ("--dev-src", "--dev-ref"))):
        for lang, option in zip(("de", "en"), options, strict=True):
            lines = gzip.decompress((multi30k / f"{name}.{lang}.gz").read_bytes()).splitlines(keepends=True)
            (folder / f"{name}.{lang}").write_bytes(b"".join(lines[:pairs]))
            words += [option, f"{name}.{lang}"]
    run(f"neural train, {NEURAL_PAIRS:,} captions, one epoch", words, folder)
    return folder / "net"


def main() -> None:
    """Print a row for each kind of work."""
    data = real_data(sys.argv[1] if len(sys.argv) > 1 else None)
    news = data / "newstest2013"
    systems = [str(path) for pair in ("fr-en", "es-en") for path in sorted((news / pair).glob("*.gz"))][:23]
    reference = str(news / "references" / "newstest2013.en.gz")
    captions = [str(data / "multi30k" / f"train.{lang}.gz") for lang in ("de", "en")]
    lines = gzip.decompress((data / "multi30k" / "test_2016_flickr.de.gz").read_bytes()).decode().splitlines()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        run("score, one system", [PROGRAM, "score", systems[0], "-r", reference], folder)
        run(f"compare, {len(systems)} systems", [PROGRAM, "compare", *systems, "-r", reference, "-m", "bleu"], folder)
        bitext = ["--bitext", *captions]
        train = [PROGRAM, "smt", "train", *bitext, "-o", "engine", "--set", "source_lang=de", "--set", "target_lang=en"]
        run("smt train, 29,000 captions, untuned", [*train, "--set", "tune.method=none"], folder)
        if not Path("/proc").is_dir():
            print("serve: measured on Linux alone")
            return
        serve("serve, no engine", [], lines, folder)
        for kind, settings in SETTINGS.items():
            engine = caption_engine(settings=settings)
            serve(f"serve, {kind} (5,000 captions)", ["--engine", f"de-en={engine}"], lines[:CAPTIONS], folder)
        if net := neural_engine(data / "multi30k", folder):
            serve("serve, neural (small)", ["--engine", f"de-en={net}"], lines[:CAPTIONS], folder)


if __name__ == "__main__":
    main()
