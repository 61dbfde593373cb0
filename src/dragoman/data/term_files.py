"""Terms as files: TBX (versions 2 and 3, Basic and Core), TSV and CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from dragoman.data.terms import Status, Term, TermList
from dragoman.data.xml import Start, Text, attribute, content, events
from dragoman.errors import DataError, FormatError
from dragoman.files import StrPath, open_writer, read_text
from dragoman.spreadsheets import plain_cell, raw_cell, spreadsheet_cell

__all__ = ["read_terms", "write_terms"]

# The elements of version 2 (ISO 30042:2008, TBX-Basic) and version 3 (ISO 30042:2019).
_CONCEPT = {"termEntry", "conceptEntry"}
_LANGUAGE = {"langSet", "langSec"}
_TERM = {"tig", "ntig", "termSec"}
_STATUS: dict[str, Status] = {
    "preferredTerm-admn-sts": "preferred",
    "standardizedTerm-admn-sts": "preferred",
    "admittedTerm-admn-sts": "admitted",
    "deprecatedTerm-admn-sts": "forbidden",
    "supersededTerm-admn-sts": "forbidden",
}
_WRITTEN: dict[Status, str] = {
    "preferred": "preferredTerm-admn-sts",
    "admitted": "admittedTerm-admn-sts",
    "forbidden": "deprecatedTerm-admn-sts",
}
_HEADS = {"source", "target", "status", "note"}
_DELIMITERS = {".csv": ",", ".tsv": "\t", ".txt": "\t"}


def read_terms(path: StrPath, source_lang: str = "", target_lang: str = "") -> TermList:
    """The terms of a file by its ending: .tbx, .tsv, .csv. TBX needs both languages, where it has more than two."""
    suffix = Path(path).suffix.lower()
    if suffix in {".tbx", ".xml"}:
        return _read_tbx(path, source_lang, target_lang)
    if suffix not in _DELIMITERS:
        raise DataError(f"{path} is no glossary that can be read; its name should end in .tbx, .tsv or .csv.")
    return TermList(tuple(_read_table(path, _DELIMITERS[suffix])), source_lang, target_lang)


def write_terms(glossary: TermList, path: StrPath, *, version: int = 3, raw: bool = False) -> None:
    """Write terms by the file's ending; TBX in version 3 (Core) or 2 (Basic).

    In tables, what a spreadsheet would calculate with has a quote before it, which `read_terms` takes off; a `raw` one
    has it as it is.
    """
    suffix = Path(path).suffix.lower()
    if suffix in {".tbx", ".xml"}:
        _write_tbx(glossary, path, version)
    elif suffix in _DELIMITERS:
        _write_table(glossary, path, _DELIMITERS[suffix], raw_cell if raw else spreadsheet_cell)
    else:
        raise DataError(f"{path} names no kind of glossary; let it end in .tbx, .tsv or .csv.")


def _read_table(path: StrPath, delimiter: str) -> Iterator[Term]:
    """Rows of source, target, and perhaps status and note; a first row with these names says their order."""
    order = ["source", "target", "status", "note"]
    rows = csv.reader(io.StringIO(read_text(path), newline=""), delimiter=delimiter, strict=True)
    try:
        for row in rows:
            cells = [plain_cell(cell.strip()) for cell in row]
            if not any(cells) or cells[0].startswith("#"):
                continue
            if rows.line_num == 1 and {"source", "target"} <= {cell.lower() for cell in cells}:
                order = [cell.lower() for cell in cells]
                continue
            values = {name: cell for name, cell in zip(order, cells, strict=False) if name in _HEADS}
            status = values.get("status") or "preferred"
            if not values.get("source") or not values.get("target"):
                raise FormatError(
                    f"expected a source term and a target term, got {delimiter.join(row)[:60]!r}.",
                    path=path,
                    line=rows.line_num,
                )
            if status not in _WRITTEN:
                raise FormatError(
                    f"the status is {status!r}; expected {', '.join(_WRITTEN)}.", path=path, line=rows.line_num
                )
            yield Term(values["source"], values["target"], status, values.get("note", ""))
    except csv.Error as error:
        raise FormatError(f"the table cannot be read ({error}).", path=path, line=rows.line_num) from None


def _write_table(glossary: TermList, path: StrPath, delimiter: str, cell: Callable[[str], str]) -> None:
    with open_writer(path) as stream:
        rows = csv.writer(stream, delimiter=delimiter, lineterminator="\n")
        rows.writerow(("source", "target", "status", "note"))
        rows.writerows(map(cell, (term.source, term.target, term.status, term.note)) for term in glossary.terms)


@dataclass
class _Concept:
    line: int
    terms: dict[str, list[tuple[str, Status]]] = field(default_factory=dict)  # by language
    note: str = ""


def _read_tbx(path: StrPath, source_lang: str, target_lang: str) -> TermList:
    concepts = list(_concepts(path))
    langs = list(dict.fromkeys(lang for concept in concepts for lang in concept.terms))
    source, target = _chosen(langs, source_lang, target_lang, path)
    terms = []
    for concept in concepts:
        for text, _ in concept.terms.get(source, []):
            terms += [Term(text, each, status, concept.note) for each, status in concept.terms.get(target, [])]
    return TermList(tuple(terms), source_lang or source, target_lang or target)


def _chosen(langs: list[str], source: str, target: str, path: StrPath) -> tuple[str, str]:
    """The languages of the file that are meant by two tags; if none is said, the only two, in order."""
    if not source and not target and len(langs) == 2:
        return langs[0], langs[1]
    chosen = []
    for wanted in (source, target):
        fitting = [lang for lang in langs if lang.lower() == wanted.lower()]
        fitting += [lang for lang in langs if lang.lower().split("-")[0] == wanted.lower().split("-")[0]]
        if not wanted or not fitting:
            raise FormatError(
                f"the terms are in {', '.join(langs) or 'no language'}; name two of them, got "
                f"{source or 'none'} and {target or 'none'}.",
                path=path,
            )
        chosen.append(fitting[0])
    return chosen[0], chosen[1]


def _concepts(path: StrPath) -> Iterator[_Concept]:
    """The concepts of a file, one by one."""
    reader = _Reader(path)
    for event in events(path):
        if isinstance(event, Start):
            reader.start(event)
        elif isinstance(event, Text):
            reader.text += event.text
        elif (concept := reader.end(event.tag)) is not None:
            yield concept


class _Reader:
    """Puts a concept together from the elements of either version."""

    def __init__(self, path: StrPath) -> None:
        self.text = ""  # since the last start tag
        self._path = path
        self._root = ""
        self._concept: _Concept | None = None
        self._lang = ""
        self._note = ""  # the kind of a <termNote>
        self._term = ""
        self._status: Status = "preferred"

    def start(self, event: Start) -> None:
        self._root = self._root or event.tag
        if self._root not in {"martif", "tbx"}:
            raise self._error(f"this is no TBX file: it begins with <{self._root}>", event)
        self.text = ""
        if event.tag in _CONCEPT:
            self._concept = _Concept(event.line)
        elif event.tag in _LANGUAGE:
            self._lang = event.attributes.get("xml:lang", "")
            if not self._lang:
                raise self._error(f"<{event.tag}> has no xml:lang", event)
        elif event.tag in _TERM:
            self._term, self._status = "", "preferred"
        elif event.tag == "termNote":
            self._note = event.attributes.get("type", "")

    def end(self, tag: str) -> _Concept | None:
        """What ends with a tag: the whole concept, or None."""
        concept = self._concept
        if concept is None:
            return None
        if tag == "term":
            self._term = self.text.strip()
        elif tag == "termNote" and self._note == "administrativeStatus":
            self._status = _STATUS.get(self.text.strip(), "preferred")
        elif tag in {"note", "descrip"}:
            concept.note = concept.note or self.text.strip()
        elif tag in _TERM and self._term:
            concept.terms.setdefault(self._lang, []).append((self._term, self._status))
        elif tag in _CONCEPT:
            self._concept = None
            return concept
        return None

    def _error(self, message: str, event: Start) -> FormatError:
        return FormatError(f"{message}.", path=self._path, line=event.line)


def _write_tbx(glossary: TermList, path: StrPath, version: int) -> None:
    if not glossary.source_lang or not glossary.target_lang:
        raise DataError("TBX names the language of every term; say the glossary's source_lang and target_lang.")
    if version not in (2, 3):
        raise DataError(f"TBX is written in version 2 or 3, not {version}.")
    names = ("conceptEntry", "langSec", "termSec") if version == 3 else ("termEntry", "langSet", "tig")
    with open_writer(path) as stream:
        stream.write(_HEAD[version].format(lang=attribute(glossary.source_lang)))
        for number, term in enumerate(glossary.terms, start=1):
            stream.write(_entry(number, term, glossary, names))
        stream.write(_FOOT[version])


_HEAD = {
    3: '<?xml version="1.0" encoding="UTF-8"?>\n<tbx style="dca" type="TBX-Core" xml:lang={lang} '
    'xmlns="urn:iso:std:iso:30042:ed-2">\n<tbxHeader><fileDesc><sourceDesc><p>Dragoman</p></sourceDesc></fileDesc>'
    "</tbxHeader>\n<text><body>\n",
    2: '<?xml version="1.0" encoding="UTF-8"?>\n<martif type="TBX-Basic" xml:lang={lang}>\n<martifHeader><fileDesc>'
    "<sourceDesc><p>Dragoman</p></sourceDesc></fileDesc></martifHeader>\n<text><body>\n",
}
_FOOT = {3: "</body></text>\n</tbx>\n", 2: "</body></text>\n</martif>\n"}


def _entry(number: int, term: Term, glossary: TermList, names: tuple[str, str, str]) -> str:
    concept, language, section = names
    note = f"<note>{content(term.note)}</note>" if term.note else ""
    status = f'<termNote type="administrativeStatus">{_WRITTEN[term.status]}</termNote>'
    sides = ((glossary.source_lang, term.source, ""), (glossary.target_lang, term.target, status))
    inner = "".join(
        f"<{language} xml:lang={attribute(lang)}><{section}><term>{content(text)}</term>{more}</{section}></{language}>"
        for lang, text, more in sides
    )
    return f'<{concept} id="c{number}">{note}{inner}</{concept}>\n'
