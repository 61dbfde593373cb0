"""What of a segment is not language, found in its text: placeholders, addresses, code, tags, line breaks.

Together with the inline codes of its file they go around an engine as units, byte for byte (`cat.translating`). A
unit that is found becomes a further code, after those of the file. Walls are what an engine would lose or misread
between two texts: line breaks after a sentence or before an item, tabs, the grammar of an ICU message. The texts
between them are translated one by one; a line break within a sentence is a code like any other.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

from dragoman.cat.segments import MOST_CODES, Code, code_char, code_place, plain

__all__ = ["Part", "Passage", "has_units", "is_break", "protected"]

_C = "\ue000-\uf8ff"
_WIDE = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"  # where words touch
_NO_URL = rf"\s<>\"'`«»“”„‘’|\\^{_C}、。，！？：；「」『』（）【】《》"
_LETTER = rf"[^\W{_WIDE}]"
_CONVERSION = r"(?:hh|h|ll|l|L|q|j|z|t)?[diouxXeEfFgGaAcpns@]"
_PRINTF = (
    r"%(?:\(\w{1,99}\)|<\w{1,99}>)[-+#0]{0,5}\d{0,9}(?:\.\d{1,9})?[a-zA-Z]"  # %(name)s, %<name>d of Ruby
    r"|%(?:\d{1,9}\$)?#@\w{1,60}@"  # %#@files@ of Apple
    rf"|%(?!{_CONVERSION}%[%\w@(.])[A-Za-z_]\w{{0,40}}%"  # %name%, not two as in %s%s
    r"|%(?:\d{1,9}\$)?[-+#0']{0,5}(?:\d{1,9}|\*)?(?:\.(?:\d{1,9}|\*))?(?:hh|h|ll|l|L|q|j|z|t)?"
    r"(?:[ds@]|[iouxXeEfFgGaAcpn](?![A-Za-z]))"  # 100%ige is a word
    r"|%L?\d{1,2}(?!\d)"  # of Qt
)
_HOST = r"[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){0,4}"
_DOMAINS = (  # of addresses without anything else; those that are words of a language may begin a sentence
    "com|org|net|edu|gov|mil|info|biz|io|dev|eu|de|fr|uk|ch|cz|sk|pl|nl|dk|se|fi|pt|gr|hu|ru|ua|br|ca|au|jp|cn|kr"
)
_ENDINGS = (  # of files
    "json|ya?ml|toml|xml|html?|css|[jt]sx?|py|txt|md|csv|tsv|pdf|docx?|xlsx?|pptx?|odt|ods|png|jpe?g|gif|svg|mp[34]|wav"
    "|zip|gz|exe|dll|ini|conf|cfg|log|sh|bat|sql|php|java|po|xliff|xlf|tmx|srt|vtt|apk|iso"
)
_ADDRESS = (
    r"(?:(?<![A-Za-z0-9_])(?:jdbc:)?[A-Za-z][A-Za-z0-9+.-]{1,30}://|(?<![A-Za-z0-9_.])www\."
    rf"|(?<![A-Za-z0-9_.-])(?:{_HOST}\.[A-Za-z]{{2,24}}(?::\d{{2,5}})?"  # example.org/a
    r"|(?:localhost|\d{1,3}(?:\.\d{1,3}){3}):\d{2,5})/)"
    rf"[^{_NO_URL}]*[^{_NO_URL}.,;:!?…]"
    rf"|(?<![A-Za-z0-9_.-])(?:localhost|{_HOST}\.(?:[A-Za-z]{{2,24}}|\d{{1,3}})):\d{{2,5}}(?![\d:])"
    rf"|(?<![A-Za-z0-9_.-])(?:[A-Za-z0-9-]{{2,63}}\.){{1,4}}(?:{_DOMAINS})(?![A-Za-z0-9_-]|\.[A-Za-z0-9])"
)
_NAME = rf"(?:{_LETTER}|[.@+-])"
_PATH = (
    rf"(?<![\w/:.<])(?:(?:~|\.{{1,2}})(?:/{_NAME}{{1,255}}){{1,20}}|(?:/{_NAME}{{1,255}}){{2,20}})(?<![.,])/?"
    rf"|(?<![\w/.<-])(?:{_LETTER}|-){{1,60}}(?:/(?:{_LETTER}|-){{1,60}}){{1,10}}\.[A-Za-z][A-Za-z0-9]{{0,4}}(?!\w)"
    rf"|(?<![\w/.<-])(?:(?:{_LETTER}|-){{1,60}}\.){{1,6}}(?:{_ENDINGS})(?![A-Za-z0-9_-]|\.[A-Za-z0-9])"  # config.json
    rf"|(?<!\w)(?:[A-Za-z]:\\|\\\\(?={_LETTER}))[^{_NO_URL.replace(chr(92) * 2, '')}]{{0,255}}"
    rf"[^{_NO_URL.replace(chr(92) * 2, '')}.,;:!?…]"
)
_IDENTIFIER = (  # snake_case, SNAKE_CASE, __name__, camelCase, call()
    rf"(?<!{_LETTER})(?<!&)"
    r"(?:(?:[a-z0-9]{1,60}(?:_{1,3}[a-z0-9]{1,60}){1,20}|[A-Z0-9]{1,60}(?:_{1,3}[A-Z0-9]{1,60}){1,20}"
    r"|__[A-Za-z]\w{0,60}__|[a-z]{2,30}(?:[A-Z][a-z0-9]{1,30}){1,6})(?:\(\))?|[A-Za-z_][A-Za-z0-9_.]{0,60}\(\))"
    rf"(?!{_LETTER})"
)
_MAIL = (
    rf"(?<!{_LETTER})(?<![.+-])(?:mailto:)?(?:{_LETTER}|[.+-]){{1,64}}"
    rf"@(?:{_LETTER}|-){{1,63}}(?:\.(?:{_LETTER}|-){{1,63}}){{1,8}}"
)
_INSIDE = r"[^{}\n]{0,200}(?:\{[^{}\n]{0,100}\}[^{}\n]{0,100}){0,5}"  # braces may have others in them
_VALUES = r"(?:\s{1,9}[\w:@.-]{1,60}\s?=\s?(?:\"[^\"<\n]{0,300}\"|'[^'<\n]{0,300}')){1,20}"  # > may be in quotes
_WORD = r"[^\W\d_]"
_TECHNICAL = (
    r"(?:cite|nocite)[a-z]{0,10}|(?:eq|page|auto|c|C|name)?ref|label|url|href|input|include[a-z]{0,10}|begin|end"
    r"|usepackage|documentclass|bibliography[a-z]{0,10}|[vh]space"
)
_LATEX = (  # \cite{name}, \LaTeX, \%, $x^2$; `_wraps` has commands with a text
    rf"(?<![\w\\])\\(?:(?:{_TECHNICAL})\*?(?:\[[^\[\]\n]{{0,100}}\]){{0,2}}\{{[^{{}}\n]{{0,200}}\}}"
    r"|(?![nrtux])[A-Za-z][A-Za-z]{1,30}(?![A-Za-z{_\\])|[%&#_$](?!\w))"
    r"|\$(?=[^$\n]{0,200}[\\^_=])[^\s${][^$\n]{0,200}(?<!\s)\$(?![\w{])"
)
_ANSI = r"(?:\x1b|\\(?:u001[bB]|x1[bB]|0?33|e))\[[\d;?]{0,20}[A-Za-z]"  # colours of terminals
_MNEMONIC = (  # E&xit, &File
    rf"(?<![\w&;])(?:{_WORD}{{1,30}}&{_WORD}{{1,60}}(?![\w;&])|&(?={_WORD})(?!\w{{1,31}};))"
)
_QUOTED = r"```[^`\n]{1,200}```|``(?:(?!'')[^`\n]){0,199}[^`\s]``|`[^`\n]{0,199}[^`\s]`"  # ``quoted'' is language
_UNIT = re.compile(
    rf"(?P<url><(?:{_ADDRESS}|{_MAIL})>|{_ADDRESS}|{_MAIL})"
    rf"|(?P<code>{_QUOTED})"
    rf"|(?P<ansi>{_ANSI})"
    rf"|(?P<latex>{_LATEX})"
    r"|(?P<erb><%[^<>%\n]{0,200}%>|<!--[^<>\n]{0,200}-->|<\?[^<>\n]{0,200}\?>)"
    rf"|(?P<tag><[A-Za-z][\w:.-]{{0,60}}{_VALUES}\s?/?>"
    r"|</?(?:[A-Za-z][\w:.-]{0,60}(?:\s[^<>\n]{0,500})?|\d{1,3})/?>|</?>)"
    r"|(?P<bbcode>\[/?(?i:b|i|u|s|url|img|quote|code|color|size|font|list|center|spoiler|\*)(?:=[^\[\]\n]{0,200})?\])"
    rf"|(?P<braces>\{{\{{\{{{_INSIDE}\}}\}}\}}|\{{\{{{_INSIDE}\}}\}}|[$#%@]?\{{{_INSIDE}\}}|\$t\([^()\n]{{0,200}}\))"
    r"|(?P<name>(?<![\w%])(?<!\d\s)%[a-z][a-z_]{2,40}(?![\w%]))"  # %name of Drupal; `100 %ige` is a word
    rf"|(?P<printf>(?<!\d)(?:{_PRINTF})|%%[A-Za-z_]\w{{0,40}}%%|%%)"
    rf"|(?P<path>{_PATH})"
    # Written as two characters; \new may be a folder, but not behind the end of a sentence.
    r"|(?P<escape>(?<![:\\])(?:\\r)?\\[nrt](?:(?![a-z0-9_])|(?<=[.!?,;)]\\[nrt])|(?<=[.!?,;)]\\r\\n))[ \t]*)"
    r"|(?P<variable>(?<![\w$])\$[A-Za-z_]\w{0,40}|\\\([\w.]{1,60}\)"  # $name, \(name) of Swift
    r"|(?<![\w:]):(?:[a-z][a-z0-9_+-]{0,40}|[+-]1):(?![\w:])"  # :smile:
    rf"|(?<![\w&#])#(?![\d_]){_LETTER}{{1,60}}"  # #name
    r"|(?<![\w@.])@[A-Za-z_]\w{0,40}|(?<![^\s(\"'>]):[a-z_][a-z0-9_]{1,40}(?![\w:]))"  # @name, :name of Laravel
    rf"|(?P<identifier>{_IDENTIFIER})"
    r"|(?P<escaped>&lt;/?[A-Za-z][\w:.-]{0,60}(?:\s(?:[^<>&\n]|&(?!gt;)){0,300})?/?&gt;)"
    rf"|(?P<mnemonic>{_MNEMONIC})"
    r"|(?P<entity>&(?:[A-Za-z]\w{1,31}|\#\d{1,7}|\#x[0-9A-Fa-f]{1,6});)"
)
_LINE_END = r"(?:\r\n|[\n\r\v\f\x85\u2028\u2029])"
_BREAK = re.compile(rf"{_LINE_END}(?:[ \t]*{_LINE_END})*[ \t]*")
_TAB = re.compile(r"\t[ \t]*")
_RUN = re.compile(f"[{_C}]{{1,200}}")
_SENTENCE = re.compile(r"(?:[^\W\d_]{2}|\d|[)\]])[.!?…][\"'”’»)]{0,3}\Z")  # `U.` and `z.` are no ends
_ITEM = re.compile(r"(?:[-–—*•‣]|\d{1,3}[.)])[ \t]+")
_ENDS = ".!?:;…。！？：；"
_CLOSERS = "\"'”’»)]"
_BREAK_TAG = re.compile(rf"{_LINE_END}|<(?:\w+:)?(?:br|cr|lb|line-break|tab)\b|^(?:\\r)?\\[nrt][ \t]*$", re.IGNORECASE)
_BLOCK_TAG = re.compile(  # what stands on its two sides is no one sentence
    r"</?(?:address|article|aside|blockquote|body|button|caption|dd|details|dialog|div|dl|dt|fieldset|figcaption|figure"
    r"|footer|form|h[1-6]|head|header|hr|html|legend|li|main|nav|ol|optgroup|option|p|pre|section|select|summary|table"
    r"|tbody|td|textarea|tfoot|th|thead|title|tr|ul)(?=[\s/>])",
    re.IGNORECASE,
)
_CHOICE = re.compile(r"\{\s*[\w.]{1,60}\s*,\s*(plural|selectordinal|select)\s*,\s*(?:offset:\d{1,6}\s*)?")
_BRANCH = re.compile(r"\s*(?:=\d{1,6}|[\w-]{1,60})\s*\{")
_ENDING = re.compile(r"\s*\}")
_COMMAND = re.compile(rf"(?<![\w\\])\\(?!(?:{_TECHNICAL})\b)[A-Za-z]{{2,30}}\*?(?:\[[^\[\]\n]{{0,100}}\])?\{{")
_STRONG = re.compile(r"\*\*(?=[^\s*])[^*\n]{1,500}(?<=\S)\*\*")
_LINK = re.compile(r"(?<!!)\[([^\[\]\n]{1,300})\]\([^()\s]{1,500}(?:\s\"[^\"\n]{0,100}\")?\)")
_QUOTES = re.compile(_QUOTED)
_DEEPEST = 3  # messages inside each other
_PAIRS = {")": "(", "]": "[", "}": "{"}
_FAR = 10  # characters before halves of pairs in which a sentence ends
_NEAR = 200  # characters around a line break that tell whether a sentence runs on over it


def is_break(code: Code) -> bool:
    """Whether a code breaks a line."""
    return code.kind == "alone" and _BREAK_TAG.search(code.text) is not None


@dataclass(frozen=True)
class Part:
    """A text between walls, with the wall behind it; codes in it are those of its passage."""

    text: str
    wall: str = ""

    @cached_property
    def has_words(self) -> bool:
        """Whether there is anything to translate."""
        return any(char.isalpha() for char in plain(self.text))


@dataclass(frozen=True)
class Passage:
    """A segment whose units are codes, cut at its walls."""

    source: str
    codes: tuple[Code, ...]  # those of the file, then those that were found
    n_own: int  # of the file
    parts: tuple[Part, ...]  # the first has no text where the passage begins with a wall

    def written(self, text: str) -> str:
        """A text in which units that were found are text again."""
        return "".join(
            char if (place := code_place(char)) is None or place < self.n_own else self.codes[place].text
            for char in text
        )


def protected(source: str, codes: Sequence[Code], *, by_line: bool = False) -> Passage:
    """A segment with all that is not language in it as codes and walls; `by_line`: each line is a text of its own."""
    n_own = max([len(codes), *((code_place(char) or 0) + 1 for char in source if code_place(char) is not None)])
    finder = _Finder(source, (*codes, *[Code("")] * (n_own - len(codes))))
    finder.read()
    everything = (*finder.own, *finder.found)
    text = "".join(finder.pieces)
    walls = sorted(_walls(text, everything, finder.walls, by_line=by_line))
    return Passage(source, everything, n_own, tuple(_parts(text, walls)))


def has_units(text: str) -> bool:
    """Whether anything in a text is not language."""
    passage = protected(text, ())
    return len(passage.codes) > passage.n_own or len(passage.parts) > 1


@dataclass(frozen=True)
class _Span:
    begin: int
    end: int
    is_wall: bool = False
    kind: Literal["open", "close", "alone"] = "alone"
    pair: str = ""


@dataclass
class _Finder:
    """A segment read from left to right: its text with each unit as one character."""

    source: str
    own: tuple[Code, ...]
    found: list[Code] = field(default_factory=list)
    pieces: list[str] = field(default_factory=list)
    walls: set[int] = field(default_factory=set)  # numbers of codes that are
    _tags: list[tuple[str, int]] = field(default_factory=list)  # that are open

    def read(self) -> None:
        """All of it."""
        done = 0
        for span in _choices(self.source) or _wraps(self.source):
            self._read(done, span.begin)
            if span.is_wall:
                self.walls.add(len(self.own) + len(self.found))
            self._add(Code(self.source[span.begin : span.end], span.kind, span.pair))
            done = span.end
        self._read(done, len(self.source))

    def _read(self, begin: int, end: int) -> None:
        for match in _UNIT.finditer(self.source, begin, end):
            unit = _alone_part(match[0], self.own)
            if unit:
                self._read_breaks(begin, match.start())
                if match["tag"] or match["escaped"]:
                    self._read_tag(unit)
                else:
                    self._add(Code(unit))
                begin = match.start() + len(unit)
        self._read_breaks(begin, end)

    def _read_breaks(self, begin: int, end: int) -> None:
        for match in _BREAK.finditer(self.source, begin, end):
            self.pieces.append(self.source[begin : match.start()])
            self._add(Code(match[0]))
            begin = match.end()
        self.pieces.append(self.source[begin:end])

    def _read_tag(self, markup: str) -> None:
        """A tag; one that closes what is open is its pair."""
        if self._is_full:
            self.pieces.append(markup)
            return
        tag = markup.replace("&lt;", "<").replace("&gt;", ">")
        names = [each for each, _ in self._tags]
        name = names[-1] if tag == "</>" and names else (tag.strip("</>").split() or [""])[0].lower()
        if tag.startswith("</") and name in names:
            at = len(names) - 1 - names[::-1].index(name)
            opening = self._tags[at][1]
            pair = f"found{opening}"
            self.found[opening] = replace(self.found[opening], kind="open", pair=pair)
            del self._tags[at:]
            self._add(Code(markup, "close", pair))
            return
        if not tag.startswith("</") and not tag.endswith("/>"):
            self._tags.append((name, len(self.found)))
        self._add(Code(markup))

    @property
    def _is_full(self) -> bool:
        return len(self.own) + len(self.found) >= MOST_CODES

    def _add(self, code: Code) -> None:
        if self._is_full:
            self.pieces.append(code.text)  # what is more stays text
            return
        self.pieces.append(code_char(len(self.own) + len(self.found)))
        self.found.append(code)


def _choices(source: str) -> list[_Span]:
    """The grammar of ICU messages: what stands around the texts of their branches, and the numbers in them."""
    if "{" not in source or _CHOICE.search(source) is None:
        return []
    ends = _closing(source)
    spans: list[_Span] = []
    place = 0
    while (opening := _CHOICE.search(source, place)) is not None:
        if opening.start() not in ends:
            return spans
        spans += _choice(source, opening, ends, 0) or ()
        place = ends[opening.start()] + 1
    return spans


def _wraps(source: str) -> list[_Span]:
    """Mark-up around a text: a command of LaTeX, **strong** words and [a link](address) of Markdown."""
    found = [(match.start(), match.end(), match.end() - 2, match.end(), 2) for match in _STRONG.finditer(source)]
    found += [(match.start(), match.end(), match.end(1), match.end(), 1) for match in _LINK.finditer(source)]
    if "\\" in source:
        ends = _closing(source)
        for match in _COMMAND.finditer(source):
            end = ends.get(match.end() - 1)
            if end is not None:
                found.append((match.start(), end + 1, end, end + 1, len(match[0])))
    if not found:
        return []
    taken = [match.span() for match in _QUOTES.finditer(source)]
    spans: list[_Span] = []
    around: list[int] = []  # where the texts end that are open
    for begin, end, last, _, width in sorted(found):
        while around and around[-1] <= begin:
            around.pop()
        if (around and end > around[-1]) or any(a < end and begin < b for a, b in taken):
            continue
        around.append(last)
        pair = f"wrap{len(spans)}"
        spans += [_Span(begin, begin + width, kind="open", pair=pair), _Span(last, end, kind="close", pair=pair)]
    return sorted(spans, key=lambda each: each.begin)


def _closing(source: str) -> dict[int, int]:
    """Where each brace is closed."""
    ends: dict[int, int] = {}
    waiting: list[int] = []
    for place, char in enumerate(source):
        if char == "{":
            waiting.append(place)
        elif char == "}" and waiting:
            ends[waiting.pop()] = place
    return ends


def _choice(source: str, opening: re.Match[str], ends: Mapping[int, int], depth: int) -> list[_Span] | None:
    """The grammar of a message, in order; None if it is none."""
    spans: list[_Span] = []
    wall, place = opening.start(), opening.end()
    while (branch := _BRANCH.match(source, place)) is not None:
        brace = branch.end() - 1
        if brace not in ends:
            return None
        spans += [_Span(wall, branch.end(), is_wall=True), *_branch(source, branch.end(), ends, opening[1], depth)]
        wall, place = ends[brace], ends[brace] + 1
    ending = _ENDING.match(source, place)
    if ending is None or not spans:
        return None
    return [*spans, _Span(wall, ending.end(), is_wall=True)]


def _branch(source: str, place: int, ends: Mapping[int, int], kind: str, depth: int) -> Iterator[_Span]:
    """Numbers and messages in the text of a branch, up to the brace that closes it."""
    while place < len(source) and source[place] != "}":
        if source[place] == "#" and kind != "select":
            yield _Span(place, place + 1)
        if source[place] == "{":
            if place not in ends:
                return
            inner = _CHOICE.match(source, place) if depth < _DEEPEST else None
            yield from (_choice(source, inner, ends, depth + 1) or ()) if inner is not None else ()
            place = ends[place]
        place += 1


def _alone_part(unit: str, own: Sequence[Code]) -> str:
    """A unit, if no code in it is half of a pair or breaks the line; of an address what stands before such a code.

    A bracket at the end of an address that was not opened in it is the sentence's.
    """
    while unit[-1:] in _PAIRS and unit.count(unit[-1]) > unit.count(_PAIRS[unit[-1]]):
        unit = unit[:-1].rstrip(".,;:!?…")
    for place, char in enumerate(unit):
        number = code_place(char)
        if number is not None and (own[number].kind != "alone" or is_break(own[number])):
            return unit[:place] if "://" in unit[:place] else ""
    return unit


def _walls(
    text: str, codes: Sequence[Code], fixed: Container[int], *, by_line: bool = False
) -> Iterator[tuple[int, int]]:
    """Where walls stand in the text, with the space around them."""
    places = [(place, number) for place, char in enumerate(text) if (number := code_place(char)) is not None]
    first = _ITEM.match(text)
    if first and any(is_break(codes[number]) for _, number in places):
        yield first.span()
    for match in _TAB.finditer(text):
        yield match.span()
    yield from (run.span() for run in _RUN.finditer(text) if _parts_texts(text, run, codes))
    for place, number in places:
        begin, end = _with_space(text, place)
        if number in fixed or _BLOCK_TAG.match(codes[number].text):
            yield begin, end
        elif is_break(codes[number]) and (by_line or _is_hard(text, place, codes[number].text)):
            item = _ITEM.match(text, end)
            yield begin, item.end() if item else end


def _parts_texts(text: str, run: re.Match[str], codes: Sequence[Code]) -> bool:
    """Whether halves of pairs, as `</p><p>`, are between sentences or items that no blank keeps apart."""
    if not text[run.end() : run.end() + 1].isupper():
        return False
    kinds = [codes[code_place(char) or 0].kind for char in run[0]]
    if "alone" in kinds:
        return False
    is_next = "close" in kinds and "open" in kinds[kinds.index("close") :] and text[run.start() - 1].islower()
    return is_next or _SENTENCE.search(text, max(run.start() - _FAR, 0), run.start()) is not None


def _is_hard(text: str, place: int, markup: str) -> bool:
    """Whether no sentence runs on over a line break."""
    if len(re.findall(_LINE_END, markup)) > 1 or re.search(r"[\n\r](?: {2}|\t)", markup):
        return True
    before = plain(text[max(place - _NEAR, 0) : place]).rstrip().rstrip(_CLOSERS)
    behind = plain(text[place + 1 : place + _NEAR]).lstrip()
    return not before or not behind or before[-1] in _ENDS or _ITEM.match(behind) is not None


def _with_space(text: str, place: int) -> tuple[int, int]:
    begin, end = place, place + 1
    while begin and text[begin - 1] in " \t":
        begin -= 1
    while end < len(text) and text[end] in " \t":
        end += 1
    return begin, end


def _parts(text: str, walls: Sequence[tuple[int, int]]) -> Iterator[Part]:
    done = 0
    for begin, end in walls:
        if end > done:
            begin = max(begin, done)
            yield Part(text[done:begin], text[begin:end])
            done = end
    if done < len(text) or not walls:
        yield Part(text[done:])
