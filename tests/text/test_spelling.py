"""What a dictionary knows: by definition, by hand, and by Hunspell itself where it is installed."""

from __future__ import annotations

import gzip
import os
import tarfile
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.errors import DataError
from dragoman.text import Dictionary
from dragoman.text.annotate.spelling import Spelling
from dragoman.text.hunspell import AffixRule, read_dictionary
from tests.text.hunspell_files import hunspell_knows, hunspell_there, write_dictionary

ENDINGS = """\
PFX U Y 1
PFX U 0 un .
SFX S Y 3
SFX S y ies [^aeiou]y
SFX S 0 s [aeiou]y
SFX S 0 s [^y]
SFX L N 1
SFX L 0 like .
SFX A Y 1
SFX A 0 able/E .
SFX E Y 1
SFX E able ability able
"""
PARTS = "COMPOUNDFLAG c\nCOMPOUNDMIN 2\nONLYINCOMPOUND o\nSFX F Y 1\nSFX F 0 s/cpo .\nCOMPOUNDPERMITFLAG p\n"
PLACES = "COMPOUNDBEGIN b\nCOMPOUNDMIDDLE m\nCOMPOUNDEND e\nCOMPOUNDFORBIDFLAG x\nCOMPOUNDMIN 2\nCOMPOUNDWORDMAX 3\n"

# The name of a case, affix file, words, words that are known, words that are not.
CASES = [
    (
        "affixes",
        ENDINGS,
        "play/USLA\nsky/S\nday/US\nable",
        "play unplay plays unplays playlike playable playability skies undays 1,000.5 7 5- ... . play. days. Play PLAY",
        "unplaylike skys daies dayies playabilitys unsky pla ay un s 1,,2 ,5 pLay unable",
    ),
    (
        "case",
        "KEEPCASE k\nFORBIDDENWORD f\nSFX S Y 1\nSFX S 0 s .\n",
        "kg/k\nOpenOffice\nNATO/S\nParis\nhouse/S\nbad/f\nbads/S\nprof.\nsant'Elia",
        "kg OpenOffice OPENOFFICE NATO NATOs NATOS Paris PARIS House HOUSES prof. Prof. PROF. SANT'ELIA house-Paris",
        "Kg KG Openoffice openoffice Nato paris hOuse bad Bad BAD prof -x- PARIS-hous",
    ),
    (
        "sharp s",
        "CHECKSHARPS\nKEEPCASE k\n",
        "Straße/k\nmüßig/k\nMasse\nFuß",
        "Straße STRASSE Müßig MÜSSIG MASSE FUSS",
        "STRAßE Strasse MAßE",
    ),
    (
        "compounds",
        PARTS,
        "haus/cF\ntür/c\nx/c\nfuge/oc\nboot",
        "haus tür haustür haustürhaus haushaus haustürhaustür fugehaus türfuge Haustür HAUSTÜR haus-tür haustür-boot",
        "hausboot bootshaus xhaus haustürx fuge haust hausTür",
    ),
    (
        "places",
        PLACES,
        "an/b\nin/m\naus/e\nab/bme\nnie/x\n",
        "an anaus abab abinaus abaus",
        "anin inaus anab.b ananaus abababab ausab nieaus",
    ),
    (
        "rules",
        "COMPOUNDRULE 2\nCOMPOUNDRULE n*1t\nCOMPOUNDRULE n?xy*\nCOMPOUNDMIN 1\nONLYINCOMPOUND c\n",
        "0/n\n1/n1\n2/n\nst/tc\nth/tc\nx/x\ny/y",
        "1st 21th 2001st x y xyyy 2xyy",
        "st 2st st1-x 1stst yx 22xy",
    ),
    (
        "checks",
        "COMPOUNDFLAG c\nCHECKCOMPOUNDDUP\nCHECKCOMPOUNDCASE\nCHECKCOMPOUNDTRIPLE\nCHECKCOMPOUNDREP\n"
        "REP 1\nREP oo ou\n",
        "foo/c\nball/c\nlamp/c\nBall/c\noffs/c\nfouball",
        "ballfoo lampball",
        "balllamp foofoo fooball fooffs fooBall lampBall ballllamp",
    ),
    (
        "circumfix",
        "CIRCUMFIX C\nNEEDAFFIX N\nPFX G Y 1\nPFX G 0 ge/C .\nSFX G Y 1\nSFX G 0 t/C .\nSFX P Y 1\nSFX P 0 en .\n",
        "mach/GNP\nsag/GP",
        "gemacht gesagt machen sag gemach",
        "mach macht sagt",
    ),
    (
        "breaks",
        "BREAK 4\nBREAK –\nBREAK ^'\nBREAK '$\nBREAK -\nICONV 2\nICONV ’ '\nICONV ﬁ fi\nIGNORE ·\n"
        "WARN w\nFORBIDWARN\nFULLSTRIP\nSFX A Y 1\nSFX A be is be\n",
        "fi\nan'a\nco·op\nt-shirt\nrare/w\nbe/A",
        "ﬁ an’a coop co·op c·oop t-shirt fi–fi 'fi' ’fi fi-fi fi-t-shirt t-shirt-fi is",
        "rare fi— fi-fo t shirt -fi",
    ),
    ("long flags", "FLAG long\nSFX Aa Y 1\nSFX Aa 0 s .\nNEEDAFFIX Na\n", "dog/Aa\ncat/NaAa", "dog dogs cats", "cat"),
    (
        "numbers as flags",
        "FLAG num\nSFX 1001 Y 1\nSFX 1001 0 s/65000 .\nSFX 65000 Y 1\nSFX 65000 0 y .\n",
        "dog/1001,2",
        "dog dogs dogsy",
        "dogy",
    ),
    ("letters as flags", "FLAG UTF-8\nSFX ä Y 1\nSFX ä 0 s .\n", "dog/ä", "dogs", "dogä"),
    (
        "sets of flags",
        "AF 2\nAF SN\nAF S\nNEEDAFFIX N\nSFX S Y 1\nSFX S 0 s .\n",
        "dog/1 po:noun\ncat/2\tpo:x\na\\/c",
        "dogs cat cats a/c",
        "dog a ca",
    ),
    ("Turkish", "LANG tr_TR\n", "ışık\niz", "IŞIK Işık İz", "ISIK Iz ŞIK"),
]


@pytest.mark.parametrize(("affixes", "words", "good", "bad"), [case[1:] for case in CASES], ids=[c[0] for c in CASES])
def test_words_known_and_not(affixes: str, words: str, good: str, bad: str, tmp_path: Path) -> None:
    base = write_dictionary(tmp_path, affixes, words)
    dictionary = Dictionary.load(base)
    asked = [*good.split(), *bad.split()]
    expected = [True] * len(good.split()) + [False] * len(bad.split())
    assert dict(zip(asked, dictionary.knows(asked), strict=True)) == dict(zip(asked, expected, strict=True))
    assert dictionary.left_out == ()
    if hunspell_there():
        theirs = hunspell_knows(base, asked)
        assert dict(zip(asked, theirs, strict=True)) == dict(zip(asked, expected, strict=True))


def forms(words: list[tuple[str, str]], affixes: list[AffixRule]) -> set[str]:
    """Every form, by applying each rule to each word that has its flag."""
    found = set()
    for word, flags in words:
        mine = [rule for rule in affixes if chr(rule.flag) in flags]
        made = [(word, True)]
        made += [
            (word.removesuffix(rule.strip) + rule.add, rule.crosses)
            for rule in mine
            if rule.is_suffix and word.endswith(rule.strip) and holds(rule, word)
        ]
        found.update(text for text, _ in made)
        for (text, crosses), rule in product(made, mine):
            if not rule.is_suffix and (text == word or (crosses and rule.crosses)) and holds(rule, text):
                found.add(rule.add + text.removeprefix(rule.strip))
    return found


def holds(rule: AffixRule, text: str) -> bool:
    if rule.condition == ".":
        return True
    end = text[-1:] if rule.is_suffix else text[:1]
    listed = rule.condition.strip("[^]")
    return end != "" and (end in listed) != rule.condition.startswith("[^")


conditions = st.sampled_from([".", "a", "[ab]", "[^a]", "[^bc]"])
texts = st.text("abc", min_size=1, max_size=3)


@given(
    st.lists(st.tuples(texts, st.sampled_from(["", "P", "S", "PS", "PSQ", "SQ"])), min_size=1, max_size=8),
    st.lists(st.tuples(st.sampled_from("PQS"), st.booleans(), texts, conditions), max_size=6),
)
def test_forms_are_those_that_the_rules_make(
    tmp_path_factory: pytest.TempPathFactory, words: list[tuple[str, str]], rules: list[tuple[str, bool, str, str]]
) -> None:
    crosses = {flag: first for flag, first, _, _ in reversed(rules)}
    lines = []
    for flag in sorted(crosses):
        mine = [rule for rule in rules if rule[0] == flag]
        kind = "PFX" if flag == "P" else "SFX"
        lines.append(f"{kind} {flag} {'Y' if crosses[flag] else 'N'} {len(mine)}")
        lines += [f"{kind} {flag} 0 {add} {condition}" for _, _, add, condition in mine]
    folder = tmp_path_factory.mktemp("toy")
    listed = "\n".join(f"{word}/{flags}" if flags else word for word, flags in words)
    base = write_dictionary(folder, "\n".join([*lines, ""]), listed)
    made = forms(words, read_dictionary(base).affixes)
    asked = sorted(made | {"".join(letters) for n in (1, 2, 3) for letters in product("abc", repeat=n)})
    assert Dictionary.load(base).knows(asked) == [word in made for word in asked]


@pytest.mark.parametrize("encoding", ["UTF-8", "ISO8859-1", "ISO8859-15", "microsoft-cp1251", "KOI8-R"])
def test_encodings(encoding: str, tmp_path: Path) -> None:
    cyrillic = encoding in {"microsoft-cp1251", "KOI8-R"}
    word, ending = ("дом", "ы") if cyrillic else ("mañana", "ü")
    folder = tmp_path
    base = folder / "toy"
    codec = {"microsoft-cp1251": "cp1251"}.get(encoding, encoding)
    base.with_suffix(".aff").write_bytes(f"SET {encoding}\r\nSFX S Y 1\r\nSFX S 0 {ending} .\r\n".encode(codec))
    base.with_suffix(".dic").write_bytes(f"1\r\n{word}/S\r\n".encode(codec))
    asked = [word, word + ending, word.upper(), "漢字", ending]
    assert Dictionary.load(base.with_suffix(".dic")).knows(asked) == [True, True, True, False, False]


def test_any_string_has_an_answer(tmp_path: Path) -> None:
    dictionary = Dictionary.load(write_dictionary(tmp_path, PARTS, "ab/c\nabc/c\n"))
    odd = ["", "\0", "a\0b", "x" * 1_000_000, "ab" * 50, "ab" * 51, "-" * 90, "\r", " ", "🙂", "e\u0301"]
    known = dictionary.knows(odd)
    assert known == [True, False, False, False, True, False, False, False, False, False, False]
    assert dictionary.knows([]) == []
    for n_threads in (1, 2, 7):
        assert dictionary.knows(odd * 5, n_threads=n_threads) == known * 5
    with pytest.raises(DataError, match=r"Expected words, got one str\. Pass \[word\]\."):
        dictionary.knows("word")
    with pytest.raises(DataError, match="Line 2 holds a lone surrogate"):
        dictionary.knows(["a", "\ud800"])


def test_work_is_bounded(tmp_path: Path) -> None:
    # Every affix leads to the next, every letter is a word, every break makes two: unbounded, each would never end.
    affixes = ["COMPOUNDFLAG c", "COMPOUNDMIN 1", "BREAK 2", "BREAK a", "BREAK ^a", "SFX A Y 3000"]
    affixes += ["SFX A 0 0/ABcp ."] * 3000 + ["SFX B Y 3000"] + ["SFX B 0 a/ABcp ."] * 3000
    affixes += ["COMPOUNDRULE 1", "COMPOUNDRULE " + "c*" * 100, "ICONV 1", "ICONV b " + "b" * 200, ""]
    dictionary = Dictionary.load(write_dictionary(tmp_path, "\n".join(affixes), "c/ABc\nd/c\naa/c\n"))
    assert dictionary.knows(["a" * 99 + "z", "cd" * 40 + "z", "c" * 99 + "e", "b"]) == [False] * 4


def test_options_that_are_not_followed_are_named(tmp_path: Path) -> None:
    base = write_dictionary(tmp_path, "COMPLEXPREFIXES\nSIMPLIFIEDTRIPLE\nCOMPLEXPREFIXES\n", "a")
    assert Dictionary.load(base).left_out == ("COMPLEXPREFIXES", "SIMPLIFIEDTRIPLE")


def test_the_annotator(tmp_path: Path) -> None:
    base = write_dictionary(tmp_path, ENDINGS, "play/US")
    assert Spelling(dictionary=str(base)).annotate([["Unplays", "plaid"], []]) == [[True, False], []]
    with pytest.raises(DataError, match=r"The annotator hunspell needs a dictionary: hunspell:dictionary="):
        Spelling()


@pytest.mark.realdata
@pytest.mark.parametrize(("name", "lang"), [("de_DE", "de"), ("es_ES", "es"), ("en_US", "en")])
def test_agrees_with_hunspell_on_real_words(name: str, lang: str, data_folder: Path) -> None:
    base = Path(os.environ.get("DICPATH", "/usr/share/hunspell")) / name
    if not base.with_suffix(".dic").is_file():
        pytest.skip(f"there is no dictionary {base}")
    words = sorted(
        {
            word
            for line in _text(data_folder, lang)
            for token in line.split()
            for word in (token, token.strip(".,:;!?\"'()"))
        }
        - {""}
    )
    words += [word.upper() for word in words[::5]] + [word.capitalize() for word in words[::5]]
    assert len(words) > 10_000
    ours = Dictionary.load(base).knows(words, n_threads=2)
    theirs = hunspell_knows(base, words)
    assert [word for word, a, b in zip(words, ours, theirs, strict=True) if a != b] == []


def _text(data_folder: Path, lang: str) -> list[str]:
    if lang == "es":
        with tarfile.open(data_folder / "wmt12-qe" / "training_set.tar.gz") as archive:
            stream = archive.extractfile("training_set/target_system.spa")
            assert stream is not None
            return stream.read().decode().splitlines()
    with gzip.open(data_folder / "multi30k" / f"train.{lang}.gz", "rt", encoding="utf-8") as lines:
        return list(lines)
