"""WordNet: sets of synonyms, from the database files wherever they are.

Princeton's database format (wndb(5WN), versions 3.0 and 3.1) is read directly: `index.*` is searched by bisection,
`data.*` at the offsets it names; `*.exc` and the rules of morphy(7WN) lead from inflected forms to base forms. The
files may stand in a folder or in NLTK's zip. Where there are none, a lexicon of the package `wn` serves as well, which
has other languages, too; it cannot take the place of the reader, for it does not read the files that distributions
ship, only what it downloaded into a database of its own.
"""

from __future__ import annotations

import os
import re
import sys
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, Protocol

from dragoman.errors import DataError, FormatError, NotAvailable, UnknownName
from dragoman.files import StrPath, read_bytes
from dragoman.text.languages import base_language
from dragoman.text.synset_files import find_synset_files

__all__ = [
    "Synonyms",
    "Synset",
    "WnLexicon",
    "WordNet",
    "find_wordnet",
    "open_synonyms",
    "wordnet_at",
    "wordnet_places",
]

_FILES = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}  # part of speech → suffix of its files

# morphy(7WN): endings and what they are replaced by.
_ENDINGS = {
    "n": (
        ("s", ""),
        ("ses", "s"),
        ("xes", "x"),
        ("zes", "z"),
        ("ches", "ch"),
        ("shes", "sh"),
        ("men", "man"),
        ("ies", "y"),
    ),
    "v": (("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", "")),
    "a": (("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
    "r": (),
}


class Synonyms(Protocol):
    """Whatever can say which sets of synonyms a word is in."""

    def synset_ids(self, word: str) -> tuple[str, ...]:
        """The ids of the sets that the word, or a base form of it, is in; two words share one if they can mean it."""
        ...

    def synonyms(self, word: str) -> tuple[str, ...]:
        """The other words of those sets, sorted."""
        ...


@dataclass(frozen=True)
class Synset:
    """A set of synonyms with one meaning."""

    id: str  # offset and part of speech, `02084071-n`
    pos: str  # n, v, a (satellites too), r
    words: tuple[str, ...]
    gloss: str
    pointers: tuple[tuple[str, str], ...]  # symbol (`@` is a hypernym, `!` an antonym, …) and id


class WordNet:
    """The database files of WordNet 3.x."""

    def __init__(self, place: StrPath) -> None:
        self.place = Path(place)
        missing = [name for name in self._names() if not self._has(name)]
        if missing:
            raise DataError(
                f"{self.place} holds no WordNet database: {', '.join(missing)} missing. Expected {_where()}."
            )

    def synsets(self, word: str, pos: str | None = None) -> tuple[Synset, ...]:
        """The sets of synonyms a word is in, by way of its base forms, the most frequent sense first."""
        places = dict.fromkeys(
            (part, offset)
            for part in self._parts(pos)
            for base in self.base_forms(word, part)
            for offset in self._offsets(base, part)
        )
        return tuple(self._synset(part, offset) for part, offset in places)

    def synset(self, name: str) -> Synset:
        """The set of synonyms with this id."""
        matched = re.fullmatch(r"([0-9]{8})-([nvar])", name)
        if not matched:
            raise DataError(f"{name!r} is no id of a synset; expected eight digits and a part of speech: 02084071-n.")
        return self._synset(matched[2], int(matched[1]))

    def synset_ids(self, word: str) -> tuple[str, ...]:
        """The ids of the sets that the word, or a base form of it, is in."""
        return tuple(synset.id for synset in self.synsets(word))

    def synonyms(self, word: str) -> tuple[str, ...]:
        """The words that share a set with the word, sorted; the word itself and its base forms are left out."""
        own = {base for part in _FILES for base in self.base_forms(word, part)}
        others = {other.lower().replace(" ", "_") for synset in self.synsets(word) for other in synset.words}
        return tuple(sorted(other.replace("_", " ") for other in others - own))

    def base_forms(self, word: str, pos: str) -> tuple[str, ...]:
        """The word and its base forms, as far as the database has them as `pos`: `mice` → `mouse`."""
        key = word.lower().replace(" ", "_")
        if not key:
            return ()
        irregular = self._exceptions[pos].get(key)
        if irregular is None:
            endings = _ENDINGS[pos]
            irregular = tuple(key.removesuffix(end) + new for end, new in endings if key.endswith(end) and key != end)
        return tuple(form for form in dict.fromkeys((key, *irregular)) if self._index_line(form, pos) is not None)

    def words(self, pos: str) -> Iterator[str]:
        """All words that the database has as `pos`."""
        for line in self._index[pos].splitlines():
            if not line.startswith(b"  "):
                yield line.partition(b" ")[0].decode()

    def all_synsets(self, pos: str) -> Iterator[Synset]:
        """All sets of synonyms that the database has as `pos`, in the order of their ids."""
        place = 0
        for line in self._data[pos].splitlines(keepends=True):
            if not line.startswith(b"  "):
                yield self._synset(pos, place)
            place += len(line)

    def _offsets(self, key: str, pos: str) -> list[int]:
        line = self._index_line(key, pos)
        if line is None:
            return []
        # lemma pos synset_cnt p_cnt [symbol …] sense_cnt tagsense_cnt offset …
        fields = line.split()
        try:
            return [int(field) for field in fields[6 + int(fields[3]) :]]
        except (IndexError, ValueError):
            raise FormatError(
                f"the entry of {key!r} is damaged: {line[:60]!r}.", path=self._path(pos, "index")
            ) from None

    def _index_line(self, key: str, pos: str) -> bytes | None:
        """The line of the index that begins with `key`, by bisection: the file is sorted by its bytes."""
        index, wanted = self._index[pos], key.encode(errors="surrogatepass") + b" "
        low, high = 0, len(index)
        while low < high:
            start = index.rfind(b"\n", low, (low + high) // 2) + 1 or low
            end = index.find(b"\n", start)
            end = len(index) if end < 0 else end
            line = index[start:end]
            if line.startswith(wanted):
                return line
            if line < wanted:
                low = end + 1
            else:
                high = start
        return None

    def _synset(self, pos: str, offset: int) -> Synset:
        data = self._data[pos]
        end = data.find(b"\n", offset)
        line = data[offset : len(data) if end < 0 else end].decode(errors="replace")
        path = self._path(pos, "data")
        if not line.startswith(f"{offset:08d} "):
            raise FormatError(
                f"no synset at byte {offset}: index and data are not of one version, or a file was edited.", path=path
            )
        head, _, gloss = line.partition("|")
        fields = head.split()
        try:
            n_words = int(fields[3], 16)
            words = tuple(
                # Adjectives may carry their position in brackets: galore(ip).
                re.sub(r"\((?:a|p|ip)\)$", "", fields[4 + 2 * i]).replace("_", " ")
                for i in range(n_words)
            )
            rest = fields[4 + 2 * n_words :]
            pointers = tuple(
                (rest[1 + 4 * i], f"{rest[2 + 4 * i]}-{rest[3 + 4 * i].replace('s', 'a')}") for i in range(int(rest[0]))
            )
        except (IndexError, ValueError):
            raise FormatError(f"the synset at byte {offset} is damaged: {line[:60]!r}.", path=path) from None
        return Synset(f"{offset:08d}-{pos}", pos, words, gloss.strip(), pointers)

    @cached_property
    def _index(self) -> dict[str, bytes]:
        return {pos: self._read(f"index.{suffix}") for pos, suffix in _FILES.items()}

    @cached_property
    def _data(self) -> dict[str, bytes]:
        return {pos: self._read(f"data.{suffix}") for pos, suffix in _FILES.items()}

    @cached_property
    def _exceptions(self) -> dict[str, dict[str, tuple[str, ...]]]:
        tables = {}
        for pos, suffix in _FILES.items():
            lines = (line.split() for line in self._read(f"{suffix}.exc").decode().splitlines())
            tables[pos] = {form: tuple(bases) for form, *bases in (fields for fields in lines if fields)}
        return tables

    @staticmethod
    def _names() -> Iterator[str]:
        for suffix in _FILES.values():
            yield from (f"index.{suffix}", f"data.{suffix}", f"{suffix}.exc")

    @staticmethod
    def _parts(pos: str | None) -> tuple[str, ...]:
        if pos is not None and pos not in _FILES:
            raise UnknownName(f"No part of speech of WordNet's is called {pos!r}. Known: {', '.join(_FILES)}.")
        return tuple(_FILES) if pos is None else (pos,)

    def _path(self, pos: str, kind: str) -> Path:
        return self.place / f"{kind}.{_FILES[pos]}"

    @cached_property
    def _zipped(self) -> dict[str, str] | None:
        """File name → name inside the archive, if the place is one."""
        if not (self.place.is_file() and zipfile.is_zipfile(self.place)):
            return None
        with zipfile.ZipFile(self.place) as archive:
            return {name.rpartition("/")[2]: name for name in archive.namelist()}

    def _has(self, name: str) -> bool:
        return name in self._zipped if self._zipped is not None else (self.place / name).is_file()

    def _read(self, name: str) -> bytes:
        if self._zipped is None:
            return read_bytes(self.place / name)
        with zipfile.ZipFile(self.place) as archive:
            return archive.read(self._zipped[name])


class WnLexicon:
    """A lexicon that the package `wn` has in its own database, for any language it has."""

    def __init__(self, lang: str = "en") -> None:
        try:
            import wn
            from wn.morphy import Morphy
        except ImportError:
            raise NotAvailable("This needs the package wn. Install it with: pip install wn") from None
        self.lang = base_language(lang)
        if not Path(wn.config.database_path).is_file() or not wn.lexicons(lang=self.lang):
            raise NotAvailable(
                f"The package wn has no lexicon for {self.lang!r}. Install one with: {_wn_download(self.lang)}"
            )
        self._morphy = Morphy() if self.lang == "en" else None
        self._wordnet = wn.Wordnet(lang=self.lang, lemmatizer=self._morphy)

    def synset_ids(self, word: str) -> tuple[str, ...]:
        """The ids of the sets that the word, or a base form of it, is in."""
        return tuple(dict.fromkeys(str(synset.id) for synset in self._synsets(word)))

    def synonyms(self, word: str) -> tuple[str, ...]:
        """The words that share a set with the word, sorted; the word itself and its base forms are left out."""
        own = {word.lower()}
        if self._morphy is not None:
            own = own.union(*self._morphy(word.lower()).values())
        others = {str(other).lower() for synset in self._synsets(word) for other in synset.lemmas()}
        return tuple(sorted(others - own))

    def _synsets(self, word: str) -> list[Any]:
        return list(self._wordnet.synsets(word) or self._wordnet.synsets(word.lower()))


def wordnet_places() -> list[Path]:
    """Where database files are looked for, in this order: environment, Debian, Princeton's own installs, NLTK."""
    environment = os.environ
    places = []
    if environment.get("WNSEARCHDIR"):
        places.append(Path(environment["WNSEARCHDIR"]))
    if environment.get("WNHOME"):
        places.append(Path(environment["WNHOME"]) / "dict")
    places += [Path("/usr/share/wordnet"), Path("/usr/local/WordNet-3.0/dict"), Path("/usr/local/share/wordnet")]
    prefix = Path(sys.prefix)
    roots = [Path(part) for part in environment.get("NLTK_DATA", "").split(os.pathsep) if part]
    roots += [
        Path.home() / "nltk_data",
        prefix / "nltk_data",
        prefix / "share" / "nltk_data",
        prefix / "lib" / "nltk_data",
    ]
    roots += [Path(name) / "nltk_data" for name in ("/usr/share", "/usr/local/share", "/usr/lib", "/usr/local/lib")]
    for root in roots:
        places += [root / "corpora" / name for name in ("wordnet", "wordnet.zip", "wordnet31", "wordnet31.zip")]
    return places


def find_wordnet() -> Path | None:
    """The first of `wordnet_places` that holds a database, or None."""
    for place in wordnet_places():
        if place.suffix == ".zip" and place.is_file():
            return place
        if (place / "index.noun").is_file():
            return place
    return None


def open_synonyms(place: StrPath | None = None, lang: str = "en") -> Synonyms:
    """The synonyms of a language: database files at `place` or where they usually are, else a lexicon of `wn`'s.

    A place may hold METEOR's files of English synonym sets instead (`dragoman.text.synset_files`).
    """
    if place is not None:
        return _synonyms_at(str(place))
    folder = find_wordnet() if base_language(lang) == "en" else None
    if folder is not None:
        return wordnet_at(str(folder))
    try:
        return WnLexicon(lang)
    except NotAvailable:
        if base_language(lang) != "en":
            raise
        raise NotAvailable(
            f"Synonyms need a WordNet database. Install it with: {synonyms_install(lang)}. Looked in {_where()}."
        ) from None


def synonyms_install(lang: str = "en") -> str:
    """The line that installs synonyms of a language."""
    language = base_language(lang)
    if language == "en":
        return "apt install wordnet-base (Debian, Ubuntu), or: python -m nltk.downloader wordnet"
    return f"pip install wn && {_wn_download(language)}"


def _wn_download(language: str) -> str:
    lexicon = "oewn:2024" if language == "en" else f"omw-{language}:1.4"
    return f"python -m wn download {lexicon}"


@lru_cache(maxsize=4)
def _synonyms_at(place: str) -> Synonyms:
    return find_synset_files(place) or wordnet_at(place)


@lru_cache(maxsize=4)
def wordnet_at(place: str) -> WordNet:
    """The database files at a place, opened once."""
    return WordNet(place)


def _where() -> str:
    return "the folders named by WNSEARCHDIR, WNHOME, NLTK_DATA, Debian's /usr/share/wordnet and NLTK's data folders"
