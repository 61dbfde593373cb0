"""A translation memory of a million units: matches against comparing with every unit, and the time of everything.

Units are Multi30k and news-commentary-sample recombined: the beginning of one sentence and the end of another that have
a word in common. Half of the queries are sentences that gave no unit, half are units with words changed. Every answer
is compared with that of rapidfuzz. Times are milliseconds, median and 95 % of 200: of the processor, so that other work
on the machine does not count, and of the clock, which a database and its disk need, too.

    python bench/memory.py [DATA [UNITS]]              # by default databases get 50,000 units, the index a million
    python bench/memory.py DATA 1000000 postgresql     # that database alone, nothing of the index

PostgreSQL is started for this, in a folder for a while, and waits for the disk at every commit (fsync) as a real one
does; what a commit costs beside the rest is told by repeating without waiting for the disk (synchronous_commit off).
"""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from random import Random
from typing import TypeVar

import numpy as np
from needs import real_data
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist
from sqlalchemy import event, text

from dragoman.cat.memory import MemoryIndex, MemoryShelf, MemoryUnit, Penalised, tokens
from dragoman.files import read_lines
from dragoman.store import Store
from dragoman.store.audit import COMMAND_LINE
from dragoman.store.translating.memories import Memory, NewUnit, add_units, create_memory

sys.path.insert(0, str(Path(__file__).parents[1]))  # for the database that the tests start

T = TypeVar("T")
R = TypeVar("R")
Pair = tuple[str, str]
N_QUERIES = 200
BATCH = 50_000


def data() -> Path:
    return real_data(sys.argv[1] if len(sys.argv) > 1 else None)


def read_pairs(folder: Path, name: str, langs: tuple[str, str]) -> list[Pair]:
    return list(zip(*(read_lines(folder / f"{name}.{lang}.gz") for lang in langs), strict=True))


def real_pairs(folder: Path) -> tuple[list[Pair], list[Pair]]:
    """Sentence pairs to recombine, and others to ask for."""
    captions, held = (read_pairs(folder / "multi30k", name, ("en", "de")) for name in ("train", "val"))
    news = read_pairs(folder / "news-commentary-sample", "nc-5k", ("en", "fr"))
    return [*captions, *news[:-300]], [*held, *news[-300:]]


def recombined(pairs: Sequence[Pair], n: int, random: Random) -> Iterator[Pair]:
    """Sources put together at a word that two have, targets at their middles; every pair once as it is."""
    yield from pairs[:n]
    by_word = defaultdict(list)
    cut = [source.split() for source, _ in pairs]
    for number, words in enumerate(cut):
        for place in range(2, len(words) - 2):
            by_word[words[place]].append((number, place))
    for _ in range(n - len(pairs)):
        first = random.randrange(len(pairs))
        while len(cut[first]) < 6:
            first = random.randrange(len(pairs))
        place = random.randrange(2, len(cut[first]) - 2)
        other, there = random.choice(by_word[cut[first][place]])
        targets = [pairs[number][1].split() for number in (first, other)]
        halves = (targets[0][: len(targets[0]) // 2], targets[1][len(targets[1]) // 2 :])
        yield " ".join(cut[first][:place] + cut[other][there:]), " ".join([*halves[0], *halves[1]])


def queries(units: Sequence[Pair], held: Sequence[Pair], random: Random) -> list[str]:
    sources = [source for source, _ in random.sample(held, N_QUERIES // 2)]
    for source, _ in random.sample(units, N_QUERIES // 2):
        words = source.split()
        for _ in range(random.randrange(3)):
            words[random.randrange(len(words))] = random.choice(random.choice(held)[0].split())
        sources.append(" ".join(words))
    return sources


def timed(label: str, work: Callable[[T], R], items: Sequence[T]) -> list[R]:
    answers = []
    times: list[tuple[float, float]] = []
    for item in items:
        begin = time.thread_time(), time.perf_counter()
        answers.append(work(item))
        times.append((time.thread_time() - begin[0], time.perf_counter() - begin[1]))
    shown = [f"{1000 * value:8.2f}" for column in np.array(times).T for value in (*np.percentile(column, [50, 95]),)]
    print(f"{label:42} {' '.join(shown)}", flush=True)
    return answers


@contextmanager
def seconds(label: str) -> Iterator[None]:
    begin = time.perf_counter()
    yield
    print(f"{label:42} {time.perf_counter() - begin:8.1f} s", flush=True)


def brute_force(units: Sequence[Pair], sources: Sequence[str]) -> list[list[tuple[int, float]]]:
    """The best three of each query by comparing with every unit; a token is a character, since those are quick."""
    numbers: dict[str, str] = {}

    def letter(form: str) -> str:
        return numbers.setdefault(form, chr(0x10000 + len(numbers)))

    def read(text: str) -> tuple[str, str]:
        cut = tokens(text)
        return "".join(letter(token.form) for token in cut), "".join(letter(t.form) for t in cut if t.kind == "word")

    texts, words = zip(*(read(source) for source, _ in units), strict=True)
    same_words = defaultdict(list)
    for number, form in enumerate(words):
        same_words[form].append(number)
    lengths = np.array([len(text) for text in texts])
    asked = [read(source) for source in sources]
    scores = np.empty((len(asked), len(units)))
    for begin in range(0, len(units), BATCH):
        end = min(len(units), begin + BATCH)
        distances = cdist([text for text, _ in asked], texts[begin:end], scorer=Levenshtein.distance, dtype=np.int32)
        longer = np.maximum(np.array([[len(text)] for text, _ in asked]), lengths[begin:end])
        scores[:, begin:end] = (longer - distances) / longer
    answers = []
    for row, (source, (_, form)) in zip(scores, zip(sources, asked, strict=True), strict=True):
        for number in same_words.get(form, []):
            row[number] = 1.0 if units[number][0] == source else 0.99
        best: dict[str, tuple[int, float]] = {}
        order = np.flatnonzero(row >= 0.5)
        for number in order[np.lexsort((-order, -row[order]))]:
            best.setdefault(units[number][1], (int(number) + 1, 100 * float(row[number])))
            if len(best) == 3:
                break
        answers.append(list(best.values()))
    return answers


def looked_for(units: Sequence[Pair], side: int, random: Random) -> list[str]:
    """One to three words that some unit has, the last one half."""
    texts = []
    for unit in random.sample(units, N_QUERIES // 2):
        words = unit[side].split()
        begin = random.randrange(len(words))
        part = " ".join(words[begin : begin + random.randint(1, 3)])
        texts.append(part[: max(3, len(part) - random.randrange(3))])
    return texts


@contextmanager
def statements(store: Store) -> Iterator[list[str]]:
    """What is sent to a database meanwhile: each is a round trip, and so are begin and commit."""
    sent: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        sent.append(statement)

    event.listen(store.engine, "before_cursor_execute", note)
    yield sent
    event.remove(store.engine, "before_cursor_execute", note)


def hasty(store: Store, memory: Memory, unit: NewUnit) -> None:
    """Add a unit in a transaction whose commit does not wait for the disk."""
    with store.write() as connection:
        connection.execute(text("SET LOCAL synchronous_commit TO off"))
        add_units(connection, memory, [unit], origin="bench")


def in_store(store: Store, pairs: Sequence[Pair], sources: Sequence[str]) -> None:
    """The same through a database: reading it all, adding, asking."""
    store.migrate()
    with store.write() as connection:
        memory = create_memory(connection, "bench", "en", "de", actor=COMMAND_LINE)
    with seconds(f"{store.dialect}: import"):
        for begin in range(0, len(pairs), BATCH):
            with store.write() as connection:
                batch = [NewUnit(*pair) for pair in pairs[begin : begin + BATCH]]
                add_units(connection, memory, batch, origin="bench")
    shelf = MemoryShelf(store)
    with seconds(f"{store.dialect}: first question reads all"):
        shelf.index(memory)
    asked = [Penalised(memory)]
    timed(f"{store.dialect}: matches", lambda source: shelf.matches(asked, source), sources)
    fresh = [NewUnit(f"{source} once more", source, "", "") for source in sources]
    with statements(store) as sent:
        timed(f"{store.dialect}: confirm a unit", lambda unit: shelf.confirm(memory, unit, origin="bench"), fresh)
    print(f"{f'{store.dialect}: statements a unit':42} {len(sent) / len(fresh):8.1f}", flush=True)
    if store.dialect == "postgresql":
        other = [NewUnit(f"{unit.source}?", unit.target, "", "") for unit in fresh]
        timed(f"{store.dialect}: the same, not waiting for the disk", partial(hasty, store, memory), other)

    def confirm_and_ask(unit: NewUnit) -> None:
        shelf.confirm(memory, unit, origin="bench")
        assert shelf.matches(asked, unit.source)[0].score == 100

    again = [NewUnit(f"{unit.source}!", unit.target) for unit in fresh]
    timed(f"{store.dialect}: confirm, ask, found", confirm_and_ask, again)
    parts = looked_for(pairs, 0, Random(9))
    timed(f"{store.dialect}: concordance", lambda text: shelf.concordance([memory], text), parts)
    store.close()


def main() -> None:
    random = Random(5)
    folder = data()
    n = int(sys.argv[2]) if len(sys.argv) > 2 else 1_000_000
    pairs, held = real_pairs(folder)
    units = list(recombined(pairs, n, random))
    stored = units if sys.argv[2:] else units[:50_000]
    print(f"{len(units):,} units, {np.mean([len(source.split()) for source, _ in units]):.1f} words a source")
    if sys.argv[3:] == ["postgresql"]:
        in_postgresql(units, queries(units, held, random))
        return
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with seconds("index: build"):
        index = MemoryIndex(MemoryUnit(number, *pair) for number, pair in enumerate(units, start=1))
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    print(f"{'index: memory':42} {index.n_bytes / 2**20:8.0f} MB (process grew by {grown:.0f} MB)")
    print(f"{'milliseconds':42} {'median':>8} {'95 %':>8} {'median':>8} {'95 %':>8}  (processor, clock)")
    sources = queries(units, held, random)
    found = timed("index: matches, best 3", index.matches, sources)
    timed("index: concordance, source", index.concordance, looked_for(units, 0, random))
    timed("index: concordance, target", partial(index.concordance, side="target"), looked_for(units, 1, random))
    more = [[MemoryUnit(n + k + 1, f"{source} now", source)] for k, source in enumerate(sources)]
    timed("index: add a unit", index.add, more)
    with seconds("brute force, all queries"):
        wanted = brute_force(units, sources)
    same = [[(m.unit, m.score) for m in matches] == best for matches, best in zip(found, wanted, strict=True)]
    print(f"{sum(same)} of {len(same)} as by brute force; {np.mean(list(map(len, wanted))):.2f} matches a query")
    del index
    with tempfile.TemporaryDirectory() as place:
        in_store(Store(Path(place) / "memory.db"), stored, sources)
    in_postgresql(stored, sources)
    if not all(same):
        sys.exit("Some answers are not those of brute force.")


def in_postgresql(units: Sequence[Pair], sources: Sequence[str]) -> None:
    from tests.web import databases

    programs = databases.programs()
    if programs is not None:
        with databases.cluster(programs, fsync=True) as cluster:
            in_store(Store(cluster.url(cluster.make())), units, sources)


if __name__ == "__main__":
    main()
