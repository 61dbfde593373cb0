"""The sentence splitter: hard cases for each language, and real text put together and taken apart."""

from __future__ import annotations

import gzip
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.errors import DataError, UnknownName
from dragoman.text.sentences import SentenceSplitter


# A bar marks where one sentence ends and the next begins.
@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("en", 'Mr. Smith went to Washington.|He said: "Hello there."|Then he left.'),
        ("en", "The U.S. Senate met at 5 p.m. on Monday.|Nobody came!|Really?|(Yes, really.)|Well..."),
        ("en", "See No. 5 and pp. 3–4.|No.|Five is enough."),
        ("en", "I met Dr. “Bones” McCoy.|“You did?”|'Yes.'|He smiled."),
        ("en", "He paid $3.50 for 2.5 kg, i.e. too much, e.g. at home.|It was odd."),
        ("en", "Well…|He came.|What?!|So what…|And then."),
        ("en", "iPhone sales rose. iPad sales fell."),
        ("en", "J. R. R. Tolkien wrote it.|It sold."),
        ("de", "Am 3. Oktober kam Dr. Meier bzw. Prof. Dr. Schulz.|„Das ist gut.“|Er ging.|»Nein!«|Doch."),
        ("de", "Das kostet ca. 3,50 Euro.|Ende."),
        ("fr", "M. Dupont est là.|« Oui ! »|Il part.|Et alors ?|Rien."),
        ("es", "El Sr. López llegó.|¿Qué pasó?|¡Nada!|Ud. lo sabe."),
        ("cs", "Přišel Ing. Novák, tj. šéf.|„Ano.“|Odešel.|Bylo to např. Brno."),
        ("it", "Il Sig. Rossi e il Dott. Bianchi.|Ecco!"),
        ("nl", "Dhr. de Vries kwam.|Hij ging."),
        ("pl", "Mieszka przy ul. Długiej.|Prof. Nowak pisze."),
        ("pt", "O Sr. Silva chegou.|A Sra. Costa saiu."),
        ("ru", "Он родился в 1970 г. в г. Москве.|Так!|«Да.»|И ушёл."),
        ("hi", "यह एक वाक्य है।|डॉ. शर्मा आए॥|क्या?|हाँ."),
        ("bn", "এটি বাক্য।|আর একটি।"),
        ("ta", "இது வாக்கியம்.|திரு. குமார் வந்தார்."),
        ("te", "ఇది వాక్యం.|ఇది మరొకటి!|శ్రీ. రావు వచ్చారు."),
        ("ur", "یہ جملہ ہے۔|کیا یہ سچ ہے؟|ہاں۔"),
        ("ar", "هل هذا سؤال؟|نعم هذا جواب.|حسنا!"),
        ("he", "זה משפט.|וזה עוד אחד?|כן."),
        ("hy", "Սա նախադասություն է։|Սա ևս։"),
        ("am", "ይህ ነው።|ሌላ ነው።"),
        ("ko", "이것은 문장입니다.|정말요?|네."),
        ("th", "นี่คือประโยค. นี่ก็ด้วย".replace(". ", ".|")),
    ],
)
def test_hard_paragraphs(lang: str, text: str) -> None:
    assert SentenceSplitter(lang).split([text.replace("|", " ")]) == [text.split("|")]


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("zh", "你好。|今天是3.5度！|真的吗？|“是的。”|他说了Hello.|然后走了。"),
        ("ja", "これは文です。|本当？！|「はい。」|と言った。|圧力は３．５です。"),
        ("yue", "係呀。|真㗎？"),
    ],
)
def test_scripts_without_blanks(lang: str, text: str) -> None:
    assert SentenceSplitter(lang).split([text.replace("|", "")]) == [text.split("|")]
    assert SentenceSplitter(lang).split([text.replace("|", " \n")]) == [text.split("|")]


def test_quotes_between_blanks() -> None:
    splitter = SentenceSplitter()
    assert splitter.split(['He said : " Yes . " Then he left .']) == [['He said : " Yes . "', "Then he left ."]]
    assert splitter.split(['He left . " Yes " , she said .']) == [["He left .", '" Yes " , she said .']]


def test_options() -> None:
    text = "1. First point. 2. Second one (2). iv. Third, see 5. 6 is last."
    assert SentenceSplitter().split([text]) == [
        ["1.", "First point.", "2.", "Second one (2). iv.", "Third, see 5.", "6 is last."]
    ]
    assert SentenceSplitter(list_items=True).split([text]) == [
        ["1. First point.", "2. Second one (2). iv.", "Third, see 5.", "6 is last."]
    ]
    assert SentenceSplitter(prefixes=("Foo",)).split(["Foo. Bar. Mr. X"]) == [["Foo. Bar.", "Mr.", "X"]]


def test_white_space_and_paragraphs() -> None:
    splitter = SentenceSplitter()
    assert splitter.split(["", " \n\t", "One\nline.\r\nTwo  lines.", "No stop\n \nnew paragraph", "nul\x00 A."]) == [
        [],
        [],
        ["One line.", "Two lines."],
        ["No stop", "new paragraph"],
        ["nul\x00 A."],
    ]
    assert splitter.split([]) == []


@given(st.text(st.characters(exclude_categories=["Cs"])), st.sampled_from(["en", "de", "hi", "zh", "ja", "ar"]))
def test_nothing_is_lost(text: str, lang: str) -> None:
    [sentences] = SentenceSplitter(lang).split([text])
    assert "".join("".join(sentences).split()) == "".join(text.split())
    assert all(sentence == " ".join(sentence.split()) != "" for sentence in sentences)


# Precision and recall of the places where lines were joined, eight lines to a paragraph. Many lines of the news hold
# two sentences or have no full stop; the figures are those of sentence-splitter 1.4 or a little better.
@pytest.mark.realdata
@pytest.mark.parametrize(
    ("path", "lang", "precision", "recall"),
    [
        ("newstest2013/references/newstest2013.en.gz", "en", 0.991, 0.950),
        ("newstest2013/references/newstest2013.de.gz", "de", 0.976, 0.943),
        ("newstest2013/references/newstest2013.fr.gz", "fr", 0.982, 0.942),
        ("newstest2013/references/newstest2013.cs.gz", "cs", 0.978, 0.945),
        ("newstest2013/references/newstest2013.ru.gz", "ru", 0.991, 0.945),
        ("newstest2013/references/newstest2013.es.gz", "es", 0.974, 0.940),
        ("indian/hi-en/dev.hi-en.hi.gz", "hi", 0.979, 0.716),
        ("indian/bn-en/dev.bn-en.bn.gz", "bn", 0.983, 0.806),
    ],
)
def test_joined_lines_are_found_again(data_folder: Path, path: str, lang: str, precision: float, recall: float) -> None:
    with gzip.open(data_folder / path, "rt", encoding="utf-8") as file:
        lines = [" ".join(line.split()) for line in file if line.strip()]
    paragraphs = [lines[i : i + 8] for i in range(0, len(lines), 8)]

    def ends(sentences: list[str]) -> set[int]:
        places, place = set(), 0
        for sentence in sentences:
            place += len(sentence.replace(" ", ""))
            places.add(place)
        return places

    found = SentenceSplitter(lang).split([" ".join(paragraph) for paragraph in paragraphs])
    pairs = [(ends(a), ends(b)) for a, b in zip(paragraphs, found, strict=True)]
    right = sum(len(a & b) for a, b in pairs)
    assert right / sum(len(b) for _, b in pairs) >= precision
    assert right / sum(len(a) for a, _ in pairs) >= recall


@pytest.mark.parametrize("n_threads", [1, 2, 7])
def test_threads_change_nothing(n_threads: int) -> None:
    paragraphs = [f"One {i}. Two.{' Three!' * (i % 4)}" for i in range(50)] + ["", "日本。"]
    splitter = SentenceSplitter()
    assert splitter.split(paragraphs, n_threads=n_threads) == [splitter.split([p])[0] for p in paragraphs]


@pytest.mark.parametrize("piece", ["A. ", '" ', "。", "a", "''' ", "U.S. "])
def test_a_paragraph_of_a_megabyte_takes_its_time_and_no_more(piece: str) -> None:
    start = time.process_time()
    for lang in ("en", "zh"):
        SentenceSplitter(lang).split([piece * (1_000_000 // len(piece))])
    assert time.process_time() - start < 3


def test_bad_input_is_named() -> None:
    with pytest.raises(DataError, match=r"Line 1 holds a lone surrogate"):
        SentenceSplitter().split(["\ud83d"])
    with pytest.raises(UnknownName, match=r"'x' is no language tag"):
        SentenceSplitter("x")
    with pytest.raises(DataError, match=r"'' is no abbreviation"):
        SentenceSplitter(prefixes=("",))
