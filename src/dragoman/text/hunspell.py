"""Hunspell's dictionaries, the part of them that checking needs: affix file (.aff) and word list (.dic), hunspell(5).

Flags are bytes, pairs of bytes, numbers or characters, as FLAG says; words are text in the encoding that SET names.
Both files are therefore read as bytes. What a file asks for and is not followed is kept by name (`left_out`).

Read here and not by libhunspell, whose bindings carry it under copyleft licences (MPL, LGPL, GPL) and ask it word by
word: on English the answers are the same, 75,000 words take .04 s here, .16 s there (spylls, pure Python: .93 s), and
opening a dictionary .15 s against .04 s.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path

from dragoman.errors import DataError, FormatError
from dragoman.files import StrPath, open_binary
from dragoman.utf8 import text_encoding

__all__ = ["AffixRule", "DictionaryFiles", "dictionary_paths", "read_dictionary"]

# The largest dictionaries in use have 9 MB, 800,000 words and 25,000 affixes; far more is something else, or meant to
# hurt. A word is checked against every line of the smaller tables.
_MOST_BYTES = 1 << 25
_MOST_WORDS = 4_000_000
_MOST_LINES = {
    b"SFX": 1_000_000,
    b"PFX": 1_000_000,
    b"REP": 10_000,
    b"COMPOUNDRULE": 1000,
    b"ICONV": 1000,
    b"BREAK": 100,
}
_TABLE = "expected SFX or PFX, a flag, Y or N, and how many lines follow"
_LONGEST = 255  # characters of an affix or a condition, flags of a rule
_ENCODINGS = {"microsoft-cp1251": "cp1251", "tis620-2533": "tis-620", "iscii-devanagari": ""}
_CONDITION = re.compile(r"(?:\[\^?[^\[\]]+\]|[^\[\]])*")
_MORPHOLOGY = re.compile(rb"\t|(?<! ) +[a-z][a-z]:")
_SLASH = re.compile(rb"(?<=.)(?<!\\)/")

# Options that name a flag, and the rule that it stands for in the core.
_FLAG_OPTIONS = {
    b"FORBIDDENWORD": "forbidden",
    b"NEEDAFFIX": "need_affix",
    b"PSEUDOROOT": "need_affix",
    b"KEEPCASE": "keep_case",
    b"CIRCUMFIX": "circumfix",
    b"WARN": "warn",
    b"COMPOUNDFLAG": "compound",
    b"COMPOUNDBEGIN": "compound_begin",
    b"COMPOUNDMIDDLE": "compound_middle",
    b"COMPOUNDEND": "compound_end",
    b"COMPOUNDLAST": "compound_end",
    b"COMPOUNDPERMITFLAG": "compound_permit",
    b"COMPOUNDFORBIDFLAG": "compound_forbid",
    b"COMPOUNDROOT": "compound_root",
    b"ONLYINCOMPOUND": "only_in_compound",
}
_NUMBER_OPTIONS = {b"COMPOUNDMIN": "compound_min", b"COMPOUNDWORDMAX": "compound_max"}
_SWITCHES = {
    b"FULLSTRIP": "full_strip",
    b"CHECKSHARPS": "sharp_s",
    b"COMPOUNDMORESUFFIXES": "more_suffixes",
    b"CHECKCOMPOUNDDUP": "no_twice",
    b"CHECKCOMPOUNDCASE": "no_capitals",
    b"CHECKCOMPOUNDTRIPLE": "no_triples",
    b"CHECKCOMPOUNDREP": "no_mistakes",
    b"FORBIDWARN": "forbid_warn",
}
# Options that change what is right and are not followed.
_LEFT_OUT = frozenset(
    {
        b"COMPLEXPREFIXES",
        b"CHECKCOMPOUNDPATTERN",
        b"COMPOUNDSYLLABLE",
        b"SIMPLIFIEDTRIPLE",
        b"FORCEUCASE",
        b"SYLLABLENUM",
    }
)


@dataclass(frozen=True)
class AffixRule:
    """One line of a prefix's or suffix's table."""

    is_suffix: bool
    crosses: bool
    flag: int
    strip: str
    add: str
    condition: str
    flags: int  # the number of its set of flags


@dataclass
class DictionaryFiles:
    """What stands in the two files."""

    encoding: str = "ISO8859-1"
    language: str = ""
    flag_sets: list[tuple[int, ...]] = field(default_factory=lambda: [()])  # set 0 is empty
    affixes: list[AffixRule] = field(default_factory=list)
    options: dict[str, int | bool] = field(default_factory=dict)
    ignored: str = ""
    breaks: list[str] = field(default_factory=lambda: ["-", "^-", "-$"])
    conversions: list[tuple[str, str]] = field(default_factory=list)
    mistakes: list[tuple[str, str]] = field(default_factory=list)
    compound_rules: list[list[tuple[int, str]]] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    word_flags: list[int] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)


def read_dictionary(path: StrPath) -> DictionaryFiles:
    """Both files of a dictionary, named by either or by what their names share (`/usr/share/hunspell/es_ES`)."""
    affixes, words = dictionary_paths(path)
    reader = _Reader(affixes)
    reader.read_affixes()
    reader.read_words(words)
    return reader.found


def dictionary_paths(path: StrPath) -> tuple[Path, Path]:
    """The affix file and the word list of a dictionary; raises `DataError` if they are not there."""
    named = Path(path)
    base = named.with_suffix("") if named.suffix in {".aff", ".dic"} else named
    both = base.with_name(f"{base.name}.aff"), base.with_name(f"{base.name}.dic")
    missing = [str(each) for each in both if not each.is_file()]
    if missing:
        raise DataError(
            f"A dictionary is two files, {both[0].name} and {both[1].name}; there is no {' and no '.join(missing)}. "
            "Debian's packages hunspell-en-us, hunspell-es, … put theirs into /usr/share/hunspell."
        )
    return both


class _Reader:
    """Reads the affix file, then words by its rules."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.found = DictionaryFiles()
        self.line = 0
        self._form = b"short"
        self._aliases: list[bytes] = []
        self._sets: dict[bytes, int] = {b"": 0}

    def error(self, message: str) -> FormatError:
        return FormatError(message, path=self.path, line=self.line)

    def read_affixes(self) -> None:
        block = _read(self.path)
        self._read_settings(block)
        tables: dict[bytes, Callable[[list[bytes]], None]] = {
            b"ICONV": self._conversion,
            b"REP": self._mistake,
            b"COMPOUNDRULE": self._compound_rule,
        }
        numbered = iter(enumerate(BytesIO(block), start=1))
        for self.line, line in numbered:
            fields = line.split()
            name = fields[0] if fields else b""
            if name in {b"SFX", b"PFX"}:
                self._affix_table(fields, numbered)
            elif name == b"BREAK":
                self._break_table(fields, numbered)
            elif name in tables:
                for entry in self._table(name, self._value(fields), numbered):
                    tables[name](entry)
            elif name in _FLAG_OPTIONS:
                self.found.options[_FLAG_OPTIONS[name]] = self._flag(self._value(fields))
            elif name in _NUMBER_OPTIONS:
                self.found.options[_NUMBER_OPTIONS[name]] = self._number(self._value(fields))
            elif name in _SWITCHES:
                self.found.options[_SWITCHES[name]] = True
            elif name == b"IGNORE":
                self.found.ignored = self._text(self._value(fields))
            elif name == b"LANG":
                self.found.language = self._text(self._value(fields))
            elif name in _LEFT_OUT and name.decode() not in self.found.left_out:
                self.found.left_out.append(name.decode())
        if not self.found.options.pop("forbid_warn", False):
            self.found.options.pop("warn", None)
        # hunspell(5): a part of a compound has three letters, or as many as are said, and always one.
        self.found.options["compound_min"] = max(1, self.found.options.get("compound_min", 3))

    def read_words(self, path: Path) -> None:
        self.path, found = path, self.found
        lines = BytesIO(_read(path))
        self.line = 1
        first = lines.readline().split()
        if not first or not first[0].isdigit() or len(first[0]) > 9:
            raise self.error("a word list begins with the number of its words.")
        ignored = str.maketrans(dict.fromkeys(found.ignored))
        for self.line, line in enumerate(lines, start=2):
            entry = line.rstrip()
            if not entry or entry.startswith((b"\t", b"#")):
                continue
            if matched := _MORPHOLOGY.search(entry):
                entry = entry[: matched.start()]
            word, *flags = _SLASH.split(entry, maxsplit=1)
            text = self._text(word.replace(b"\\/", b"/"))
            found.words.append(text.translate(ignored) if ignored else text)
            if len(found.words) > _MOST_WORDS:
                raise self.error(f"a dictionary has at most {_MOST_WORDS} words; this one has more.")
            found.word_flags.append(self._set(flags[0].split()[0] if flags and flags[0].strip() else b""))
        # The number is a hint and often off by some, never by half.
        if len(found.words) < int(first[0]) // 2:
            raise self.error(
                f"the list ends after {len(found.words)} words, its first line says {int(first[0])}: is it cut off?"
            )

    def _read_settings(self, block: bytes) -> None:
        """What must be known before anything else can be read: encoding, form of flags, sets of flags by number."""
        aliases: list[bytes] = []
        for self.line, line in enumerate(BytesIO(block), start=1):
            fields = line.split(maxsplit=2)
            if fields[:1] == [b"SET"]:
                self.found.encoding = self._encoding(self._value(fields))
            elif fields[:1] == [b"FLAG"]:
                self._form = self._value(fields)
                if self._form not in {b"long", b"num", b"UTF-8"}:
                    raise self.error(f"FLAG is {_shown(self._form)}; expected long, num or UTF-8.")
            elif fields[:1] == [b"AF"]:
                aliases.append(self._value(fields))
        self._aliases = aliases[1:]  # the first is their number

    def _encoding(self, name: bytes) -> str:
        text = name.decode("ascii", "replace")
        encoding = text_encoding(_ENCODINGS.get(text.lower(), text))
        if encoding is None:
            raise self.error(
                f"the encoding {text!r} (SET) is not known. Convert both files to UTF-8 and say SET UTF-8."
            )
        return encoding

    def _table(self, name: bytes, size: bytes, lines: Iterator[tuple[int, bytes]]) -> Iterator[list[bytes]]:
        """The fields of the lines that a table's first line announces, without the table's name."""
        n, begin = self._number(size), self.line
        if n > _MOST_LINES[name]:
            raise self.error(f"the table {_shown(name)} announces {n} lines; at most {_MOST_LINES[name]} are read.")
        for read in range(n):
            self.line, line = next(lines, (0, b""))
            entry = line.split()
            while self.line and (not entry or entry[0].startswith(b"#")):
                self.line, line = next(lines, (0, b""))
                entry = line.split()
            if entry[:1] != [name]:
                self.line = begin
                raise self.error(f"the table {_shown(name)} announces {n} lines and has {read}: is the file cut off?")
            yield entry[1:]

    def _affix_table(self, fields: list[bytes], lines: Iterator[tuple[int, bytes]]) -> None:
        if len(fields) < 4 or fields[2] not in {b"Y", b"N"}:
            raise self.error(f"{_shown(b' '.join(fields[:4]))} begins no table of affixes: {_TABLE}.")
        kind, flag, crosses = fields[0], self._flag(fields[1]), fields[2] == b"Y"
        for entry in self._table(kind, fields[3], lines):
            if len(entry) < 3:
                raise self.error("an affix has a flag, what it strips, what it adds and a condition.")
            if self._flag(entry[0]) != flag:
                raise self.error(f"the affix has the flag {_shown(entry[0])}, its table {_shown(fields[1])}.")
            add, _, flags = entry[2].partition(b"/")
            condition = self._text(entry[3]) if len(entry) > 3 else "."
            if not _CONDITION.fullmatch(condition):
                raise self.error(f"the condition {condition!r} has brackets that are not closed, or empty ones.")
            strip = "" if entry[1] == b"0" else self._text(entry[1])
            added = "" if add == b"0" else self._text(add).translate(str.maketrans(dict.fromkeys(self.found.ignored)))
            if max(len(strip), len(added), len(condition)) > _LONGEST:
                raise self.error(f"an affix or its condition has more than {_LONGEST} characters.")
            self.found.affixes.append(
                AffixRule(kind == b"SFX", crosses, flag, strip, added, condition, self._set(flags))
            )

    def _break_table(self, fields: list[bytes], lines: Iterator[tuple[int, bytes]]) -> None:
        self.found.breaks = []
        for entry in self._table(fields[0], self._value(fields), lines):
            self.found.breaks += [self._text(entry[0])] if entry else []

    def _conversion(self, entry: list[bytes]) -> None:
        if len(entry) < 2:
            raise self.error("a conversion has two texts.")
        self.found.conversions.append((self._text(entry[0]), self._text(entry[1])))

    def _mistake(self, entry: list[bytes]) -> None:
        if len(entry) > 1:
            wrong, right = self._text(entry[0]), self._text(entry[1])
            self.found.mistakes.append((wrong, right.replace("_", " ")))

    def _compound_rule(self, entry: list[bytes]) -> None:
        coding = "utf-8" if self._form == b"UTF-8" else "latin-1"
        text = entry[0].decode(coding, "replace") if entry else ""
        form = r"\(([^()]+)\)([*?]?)" if self._form in {b"long", b"num"} else r"([^*?])([*?]?)"
        items = re.findall(form, text)
        if not items or len(items) > _LONGEST:
            raise self.error(f"{text[:40]!r} is no rule of compounds: expected flags, each with * or ? or nothing.")
        self.found.compound_rules.append([(self._flag(flag.encode(coding)), times or " ") for flag, times in items])

    def _value(self, fields: list[bytes]) -> bytes:
        if len(fields) < 2:
            raise self.error(f"{_shown(fields[0])} says nothing.")
        return fields[1]

    def _number(self, value: bytes) -> int:
        if not value.isdigit() or len(value) > 9:
            raise self.error(f"{_shown(value)} is no number.")
        return int(value)

    def _text(self, value: bytes) -> str:
        try:
            return value.decode(self.found.encoding)
        except UnicodeDecodeError:
            raise self.error(
                f"{_shown(value)} is not {self.found.encoding}, the encoding that the affix file names (SET)."
            ) from None

    def _flag(self, value: bytes) -> int:
        # Without FLAG UTF-8 a flag is a byte, in a file of UTF-8 too, and a letter beyond ASCII known by its first.
        flags = self._flags(value[:1] if self._form == b"short" else value)
        if len(flags) != 1:
            raise self.error(f"{_shown(value)} is {len(flags)} flags; expected one.")
        return flags[0]

    def _set(self, value: bytes) -> int:
        """The number of the set of flags that a field names."""
        number = self._sets.get(value)
        if number is None:
            named = value
            if self._aliases and value.isdigit():
                if not 1 <= self._number(value) <= len(self._aliases):
                    raise self.error(f"set of flags {int(value)} of {len(self._aliases)} (AF).")
                named = self._aliases[int(value) - 1]
            number = self._sets[value] = len(self.found.flag_sets)
            self.found.flag_sets.append(self._flags(named))
        return number

    def _flags(self, value: bytes) -> tuple[int, ...]:
        if self._form == b"short":
            return tuple(value)
        if self._form == b"long":
            if len(value) % 2:
                raise self.error(f"{_shown(value)} is not made of flags of two characters (FLAG long).")
            return tuple(256 * value[k] + value[k + 1] for k in range(0, len(value), 2))
        if self._form == b"num":
            return tuple(self._number(each) for each in value.split(b",") if each)
        try:
            return tuple(map(ord, value.decode("utf-8")))
        except UnicodeDecodeError:
            raise self.error(f"{_shown(value)} are no flags in UTF-8 (FLAG UTF-8).") from None


def _read(path: Path) -> bytes:
    with open_binary(path) as stream:
        block = stream.read(_MOST_BYTES + 1)
    if len(block) > _MOST_BYTES:
        raise FormatError(f"a dictionary's file has at most {_MOST_BYTES >> 20} MB; this one is longer.", path=path)
    return block.removeprefix(b"\xef\xbb\xbf")


def _shown(value: bytes) -> str:
    return repr(value[:40].decode("utf-8", "replace"))
