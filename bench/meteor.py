"""METEOR against the Java tool: its shipped example with its own resources, and processor time for both.

    python bench/meteor.py JAR PARAPHRASES [--data DATA]

JAR is `meteor-1.5.jar`, PARAPHRASES its `data/paraphrase-en.gz`; the list of function words and the synonyms are taken
out of the jar. Both need seconds to read the paraphrases, so times of scoring are without that: Java's on all segments
less that on one.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import tempfile
import time
import zipfile
from collections import Counter
from pathlib import Path

import numpy as np
from needs import real_data, skip

from dragoman.data.formats.sgm import SgmFormat
from dragoman.files import read_lines, write_lines
from dragoman.metrics.meteor import Meteor


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("jar", nargs="?")
    options.add_argument("paraphrases", nargs="?")
    options.add_argument("--data")
    asked = options.parse_args()
    if asked.paraphrases is None:
        skip("name METEOR's jar and its paraphrases")
    data = real_data(asked.data) / "meteor"
    test_set = SgmFormat().read_files([data / "ref.sgm.gz", data / "test.sgm.gz"])
    (hyps,), (refs,) = test_set.systems.values(), test_set.refs.values()
    docs = list(test_set.docs or [])
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        with zipfile.ZipFile(asked.jar) as jar:
            jar.extractall(place, [name for name in jar.namelist() if name.startswith(("function/", "synonym/"))])
        metric = Meteor(
            synonyms=f"wordnet+place={place / 'synonym'}",
            function_words=f"function-words+file={place / 'function' / 'english.words'}",
            paraphrases=asked.paraphrases,
        )
        began = time.process_time()
        metric.stats(hyps[:1], [refs[:1]])
        loading = time.process_time() - began
        began = time.process_time()
        rows = metric.stats(hyps, [refs])
        scoring = time.process_time() - began
        lines = [line or "" for line in refs]
        java_all, java_one = (java(asked.jar, asked.paraphrases, hyps[:n], lines[:n], place) for n in (len(hyps), 1))
    compare(metric, rows, docs, data)
    print(f"Dragoman: reading {loading:.1f} s, scoring {scoring:.2f} s")
    print(f"Java: reading {java_one:.1f} s, scoring {java_all - java_one:.2f} s")
    print(f"Java / Dragoman: scoring {(java_all - java_one) / scoring:.1f}, all {java_all / (loading + scoring):.2f}")


def java(jar: str, paraphrases: str, hyps: list[str], refs: list[str], place: Path) -> float:
    """Processor seconds of the Java tool."""
    write_lines(place / "hyps", hyps)
    write_lines(place / "refs", refs)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = ["java", "-Xmx3G", "-jar", jar, str(place / "hyps"), str(place / "refs"), "-l", "en", "-norm"]
    subprocess.run([*command, "-a", paraphrases], check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def compare(metric: Meteor, rows: np.ndarray, docs: list[str], data: Path) -> None:
    """Print how far segments, documents and the system differ from the shipped scores."""
    cells = [line.split("\t") for line in read_lines(data / "meteor-seg.scr.gz")]
    shipped = {(doc, number): float(score) for _, _, doc, number, score in cells}
    seen: Counter[str] = Counter()
    gaps = []
    for doc, score in zip(docs, metric.values(rows) / 100, strict=True):
        seen[doc] += 1
        gaps.append(abs(score - shipped[doc, str(seen[doc])]))
    print(f"segments within 1e-4: {sum(gap < 1e-4 for gap in gaps)} of {len(gaps)}; largest difference {max(gaps):.4f}")
    by_doc = {
        doc: float(score) for _, _, doc, score in (line.split("\t") for line in read_lines(data / "meteor-doc.scr"))
    }
    names = np.array(docs)
    gaps = [abs(metric.value(rows[names == doc].sum(axis=0)) / 100 - score) for doc, score in by_doc.items()]
    print(
        f"documents within 1e-4: {sum(gap < 1e-4 for gap in gaps)} of {len(gaps)}; largest difference {max(gaps):.4f}"
    )
    system = float(read_lines(data / "meteor-sys.scr")[0].split("\t")[-1])
    print(f"system: {metric.value(rows.sum(axis=0)) / 100:.6f}, shipped {system:.6f}")


if __name__ == "__main__":
    main()
