"""Unicode, tokenisers, vocabulary."""

from collections.abc import Sequence
import enum
from typing import Annotated

import numpy
from numpy.typing import NDArray


def count_scripts(lines: object, *, n_threads: int = 1) -> NDArray[numpy.int32]:
    """
    Alphabetic characters of each script in each line: int32 array (lines, scripts).
    """

class CaseRules(enum.Enum):
    """Which language's rules of casing hold."""

    STANDARD = 0

    TURKIC = 1

    GERMAN = 2

    DUTCH = 3

CASE_UNICODE_VERSION: str = '14.0.0'

def lowercase(lines: object, rules: CaseRules, *, n_threads: int = 1) -> list[str]:
    """Each line in lower case."""

def uppercase(lines: object, rules: CaseRules, *, n_threads: int = 1) -> list[str]:
    """Each line in upper case."""

def sentence_case(lines: object, rules: CaseRules, *, n_threads: int = 1) -> list[str]:
    """Each line with a capital at its first letter."""

def cast_case(forms: object, lemmas: object, rules: CaseRules, *, n_threads: int = 1) -> list[str]:
    """Each form with the case of its lemma."""

def recase(lines: object, *, ends: object, openers: object, rules: CaseRules, headlines: Sequence[bool], small_words: object, n_threads: int = 1) -> list[str]:
    """
    Each line with capitals at its sentence starts; headlines with a capital per word.
    """

class CaseCounts:
    """Counts of the forms of words, in tenths of a token."""

    def __init__(self, *, ends: object, openers: object, rules: CaseRules, possibly_use_first_token: bool, moses_starts: bool) -> None: ...

    def add(self, lines: object, *, n_threads: int = 1) -> None:
        """Count the tokens of the lines."""

    def add_table(self, table: bytes) -> None:
        """Add the counts of a table, as `Truecaser.write_table` writes it."""

    def add_form(self, form: str, tenths: int) -> None:
        """Add to the count of one form."""

    def rows(self) -> list[tuple[str, str, int]]:
        """
        (lower-cased word, form, tenths), sorted by word, its most frequent form first.
        """

class CaseModel:
    """Gives words the case they were mostly seen in."""

    def __init__(self, counts: CaseCounts) -> None: ...

    def apply(self, lines: object, *, ignore_case: bool = False, n_threads: int = 1) -> list[str]:
        """Each line in true case."""

class LineBuffer:
    """Lines of UTF-8 bytes, as they lie there."""

    def __init__(self, utf8: bytes) -> None: ...

    def __len__(self) -> int: ...

    def line(self, number: int) -> str:
        """One line, from 0."""

    @property
    def utf8(self) -> bytes:
        """The bytes."""

class Tokeniser:
    """Cuts lines into tokens; further tokenisers derive from it."""

    def tokenise(self, lines: Sequence[str], *, n_threads: int = 1) -> list[str]:
        """Each line with its tokens separated by white space."""

    def batch(self, lines: Sequence[str], *, n_threads: int = 1) -> TokenBatch:
        """All lines as one run of UTF-8 with the places of their tokens."""

def surface_tokeniser(name: str) -> Tokeniser:
    """The tokeniser 13a, intl, zh, char or none."""

def check_lines(lines: Sequence[str]) -> None:
    """Raise if a line is not str or holds a lone surrogate."""

class TokenBatch:
    """
    Tokenised lines in one run of UTF-8, with the places of lines and tokens.
    """

    def __len__(self) -> int: ...

    def lines(self) -> list[str]:
        """The tokenised lines."""

    def tokens(self, line: int) -> list[str]:
        """The tokens of one line."""

    @property
    def text(self) -> bytes:
        """All tokenised lines, one behind the other, in UTF-8."""

    @property
    def line_offsets(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,), writable=False)]:
        """Line i is text[line_offsets[i]:line_offsets[i + 1]]."""

    @property
    def token_offsets(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,), writable=False)]:
        """
        The spans of line i are token_spans[token_offsets[i]:token_offsets[i + 1]].
        """

    @property
    def token_spans(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None, 2), writable=False)]:
        """Begin and end of every token in the text: int64 array (tokens, 2)."""

class Vocabulary:
    """Words and their int32 ids."""

    def __init__(self, *, counted: bool = False) -> None: ...

    def __len__(self) -> int: ...

    @property
    def frozen(self) -> bool: ...

    @property
    def counted(self) -> bool: ...

    @property
    def unk(self) -> int:
        """The id of the word for the unknown, or -1."""

    def find(self, word: str) -> int:
        """The id of a word, or -1."""

    def word(self, id: int) -> str: ...

    def find_words(self, words: Sequence[str]) -> NDArray[numpy.int32]:
        """The ids of words, -1 for those that are not there."""

    def words(self) -> list[str]:
        """All words, in the order of their ids."""

    def counts(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,), writable=False)]:
        """How often each was met."""

    def encode(self, lines: Sequence[str], tokeniser: Tokeniser, *, n_threads: int = 1) -> tuple[NDArray[numpy.int32], NDArray[numpy.int64]]:
        """The ids of all tokens and the offsets of the lines."""

    def encode_batch(self, batch: TokenBatch, *, n_threads: int = 1) -> tuple[NDArray[numpy.int32], NDArray[numpy.int64]]:
        """The ids of all tokens of a batch and the offsets of the lines."""

    def encode_words(self, words: Sequence[str], *, n_threads: int = 1) -> NDArray[numpy.int32]:
        """The ids of words, each string being one."""

    def decode(self, ids: NDArray[numpy.int32], offsets: NDArray[numpy.int64]) -> list[str]:
        """The lines of tokens, separated by spaces."""

    def declare(self, words: Sequence[str], counts: NDArray[numpy.int64] | None = None) -> None:
        """
        Take in words that are not counted as met, perhaps with counts from elsewhere.
        """

    def name_unk(self, word: str) -> None:
        """Make this the word for the unknown; it enters if it is new."""

    def freeze(self) -> None: ...

    def thawed(self) -> Vocabulary:
        """A growing copy."""

    def absorb(self, other: Vocabulary) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), writable=False)]:
        """Take in all words of another vocabulary; the new id of each."""

    def pruned(self, min_count: int) -> tuple[Vocabulary, NDArray[numpy.int32]]:
        """What was met often enough, and the new id of each old word."""

    def serialised(self) -> bytes:
        """The content of a vocabulary file."""

    @staticmethod
    def on_file(file: memoryview) -> Vocabulary:
        """A frozen vocabulary on the mapped content of a file."""

class MosesOptions:
    """Options of the Moses tokeniser; see dragoman.text.moses."""

    def __init__(self) -> None: ...

    @property
    def lang(self) -> str: ...

    @lang.setter
    def lang(self, arg: str, /) -> None: ...

    @property
    def aggressive_dash_splits(self) -> bool: ...

    @aggressive_dash_splits.setter
    def aggressive_dash_splits(self, arg: bool, /) -> None: ...

    @property
    def escape(self) -> bool: ...

    @escape.setter
    def escape(self, arg: bool, /) -> None: ...

    @property
    def split_last(self) -> bool: ...

    @split_last.setter
    def split_last(self, arg: bool, /) -> None: ...

    @property
    def protect(self) -> int: ...

    @protect.setter
    def protect(self, arg: int, /) -> None: ...

class MosesTokeniser(Tokeniser):
    """The Moses tokeniser, ready to run."""

    def __init__(self, options: MosesOptions, prefixes: Sequence[str]) -> None: ...

    def tokenise(self, lines: object, *, n_threads: int = 1) -> list[str]:
        """Each line with its tokens separated."""

    def tokenise_around(self, lines: object, ends: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], places: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], *, n_threads: int = 1) -> list[str]:
        """
        The same with spans to keep whole: int64 arrays of each line's running count of spans, and of begin and end of each span in code points.
        """

class MosesDetokeniser:
    """The Moses detokeniser, ready to run."""

    def __init__(self, *, lang: str, unescape: bool) -> None: ...

    def detokenise(self, lines: object, *, n_threads: int = 1) -> list[str]:
        """The text that each line's tokens make."""

class PunctuationNormaliser:
    """The punctuation normaliser, ready to run."""

    def __init__(self, *, lang: str, penn: bool, quote_commas: bool, numbers: bool, replace_unicode: bool, remove_control: bool) -> None: ...

    def normalise(self, lines: object, *, n_threads: int = 1) -> list[str]:
        """Each line with its punctuation normalised."""

class QuoteNormaliser:
    """The quote normaliser, ready to run."""

    def __init__(self, *, lang: str, ascii: bool, guillemets: bool) -> None: ...

    def normalise(self, lines: object, *, n_threads: int = 1) -> list[str]:
        """Each line with its quotes and apostrophes normalised."""

class SentenceSplitter:
    """The sentence splitter, ready to run."""

    def __init__(self, *, lang: str, list_items: bool, prefixes: Sequence[str]) -> None: ...

    def split(self, paragraphs: object, *, n_threads: int = 1) -> list[list[str]]:
        """The sentences of each paragraph."""

class SpellingRules:
    """
    What an affix file says beyond its affixes; see dragoman.text.spelling.
    """

    def __init__(self) -> None: ...

    @property
    def forbidden(self) -> int: ...

    @forbidden.setter
    def forbidden(self, arg: int, /) -> None: ...

    @property
    def need_affix(self) -> int: ...

    @need_affix.setter
    def need_affix(self, arg: int, /) -> None: ...

    @property
    def keep_case(self) -> int: ...

    @keep_case.setter
    def keep_case(self, arg: int, /) -> None: ...

    @property
    def circumfix(self) -> int: ...

    @circumfix.setter
    def circumfix(self, arg: int, /) -> None: ...

    @property
    def warn(self) -> int: ...

    @warn.setter
    def warn(self, arg: int, /) -> None: ...

    @property
    def compound(self) -> int: ...

    @compound.setter
    def compound(self, arg: int, /) -> None: ...

    @property
    def compound_begin(self) -> int: ...

    @compound_begin.setter
    def compound_begin(self, arg: int, /) -> None: ...

    @property
    def compound_middle(self) -> int: ...

    @compound_middle.setter
    def compound_middle(self, arg: int, /) -> None: ...

    @property
    def compound_end(self) -> int: ...

    @compound_end.setter
    def compound_end(self, arg: int, /) -> None: ...

    @property
    def compound_permit(self) -> int: ...

    @compound_permit.setter
    def compound_permit(self, arg: int, /) -> None: ...

    @property
    def compound_forbid(self) -> int: ...

    @compound_forbid.setter
    def compound_forbid(self, arg: int, /) -> None: ...

    @property
    def compound_root(self) -> int: ...

    @compound_root.setter
    def compound_root(self, arg: int, /) -> None: ...

    @property
    def only_in_compound(self) -> int: ...

    @only_in_compound.setter
    def only_in_compound(self, arg: int, /) -> None: ...

    @property
    def compound_min(self) -> int: ...

    @compound_min.setter
    def compound_min(self, arg: int, /) -> None: ...

    @property
    def compound_max(self) -> int: ...

    @compound_max.setter
    def compound_max(self, arg: int, /) -> None: ...

    @property
    def full_strip(self) -> bool: ...

    @full_strip.setter
    def full_strip(self, arg: bool, /) -> None: ...

    @property
    def sharp_s(self) -> bool: ...

    @sharp_s.setter
    def sharp_s(self, arg: bool, /) -> None: ...

    @property
    def more_suffixes(self) -> bool: ...

    @more_suffixes.setter
    def more_suffixes(self, arg: bool, /) -> None: ...

    @property
    def no_twice(self) -> bool: ...

    @no_twice.setter
    def no_twice(self, arg: bool, /) -> None: ...

    @property
    def no_capitals(self) -> bool: ...

    @no_capitals.setter
    def no_capitals(self, arg: bool, /) -> None: ...

    @property
    def no_triples(self) -> bool: ...

    @no_triples.setter
    def no_triples(self, arg: bool, /) -> None: ...

    @property
    def no_mistakes(self) -> bool: ...

    @no_mistakes.setter
    def no_mistakes(self, arg: bool, /) -> None: ...

    @property
    def case_rules(self) -> CaseRules: ...

    @case_rules.setter
    def case_rules(self, arg: CaseRules, /) -> None: ...

    @property
    def ignored(self) -> str: ...

    @ignored.setter
    def ignored(self, arg: str, /) -> None: ...

    @property
    def breaks(self) -> list[str]: ...

    @breaks.setter
    def breaks(self, arg: Sequence[str], /) -> None: ...

    @property
    def conversions(self) -> list[tuple[str, str]]: ...

    @conversions.setter
    def conversions(self, arg: Sequence[tuple[str, str]], /) -> None: ...

    @property
    def mistakes(self) -> list[tuple[str, str]]: ...

    @mistakes.setter
    def mistakes(self, arg: Sequence[tuple[str, str]], /) -> None: ...

    @property
    def compound_rules(self) -> list[list[tuple[int, str]]]: ...

    @compound_rules.setter
    def compound_rules(self, arg: Sequence[Sequence[tuple[int, str]]], /) -> None: ...

class Speller:
    """Says which words a Hunspell dictionary knows."""

    def __init__(self, rules: SpellingRules, flags: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], affix_texts: object, affix_numbers: Annotated[NDArray[numpy.uint32], dict(shape=(None, None), order='C', device='cpu', writable=False)], words: object, word_flags: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def knows(self, words: object, n_threads: int = 1) -> NDArray[numpy.bool_]: ...
