"""Small texts that models are made of and asked about, all from the package's samples."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from tests.upgrade.asking import run

__all__ = ["write_texts"]

LANGUAGES = ("de", "en", "es")
N_SEGMENTS = 30
WORSE = {"the": "a", "for": "to", "I": "we", "is": "are", "to": "at"}
DIRECTIONS = ("bidirectional", "forward", "backward", "no_entailment")
TREES = [
    "( (S (NP-SBJ (NP (NP (NNP Rome) (POS 's)) (NN destruction)) (PP (IN of) (NP (NNP Carthage))) (PP-TMP (IN in) "
    "(NP (CD 146)))) (VP (VBD was) (ADJP-PRD (JJ complete))) (. .)))",
    "( (S (NP-SBJ (NP (NP (NNP Spain) (POS 's)) (NN translation)) (PP (IN of) (NP (NNS books))) (PP-TMP (IN in) "
    "(NP (CD 1200)))) (VP (VBD was) (ADJP-PRD (JJ famous))) (. .)))",
]


def write_texts(folder: Path) -> None:
    """Write all texts into a folder."""
    run(["samples", "samples"], folder)
    _phrases(folder)
    _test_set(folder)
    _trees(folder)
    _edited(folder)
    _lines(folder / "compounds.de", ["der Hotelschlüssel", "die Zimmertür und der Bahnhof"])
    slots = ("Gender=Fem|Number=Plur", "Mood=Ind|Number=Sing|Person=3|Tense=Pres|VerbForm=Fin")
    _lines(folder / "slots.tsv", [f"llave\tNOUN\t{slots[0]}", f"abrir\tVERB\t{slots[1]}"])
    _lines(folder / "en.aff", ["SET UTF-8", "SFX S Y 1", "SFX S 0 s ."])
    _lines(folder / "en.dic", ["5", "the", "hotel/S", "room/S", "is", "we"])
    _lines(folder / "pairs.toml", ["[[models]]", 'name = "pairs"', 'kind = "bilingual"', "order = 2"])


def _phrases(folder: Path) -> None:
    for lang in LANGUAGES:
        book = _read(folder / "samples" / f"phrasebook.{lang}")
        _lines(folder / f"raw.{lang}", book[:60])
        _lines(folder / f"raw-test.{lang}", book[120:126])
        for name in ("raw", "raw-test"):
            out = name.replace("raw-", "").replace("raw", "train")
            run(["text", "tokenize", f"{name}.{lang}", "-o", f"{out}.{lang}", "-t", f"moses:lang={lang}"], folder)
        train = _read(folder / f"train.{lang}")
        _lines(folder / f"few.{lang}", train[:12])
        _lines(folder / f"tiny.{lang}", train[:4])
        _lines(folder / f"raw-few.{lang}", book[:12])
    for name in ("train", "test"):
        lines = _read(folder / f"{name}.en")
        _lines(
            folder / f"worse.{name}.en", [" ".join(WORSE.get(word, word) for word in each.split()) for each in lines]
        )


def _test_set(folder: Path) -> None:
    test_set = folder / "samples" / "testset"
    names = {"source.de": "src.de", "reference-A.en": "ref.en"} | {
        f"systems/{name}.en": f"{letter}.en" for name, letter in (("atlas", "a"), ("ember", "b"))
    }
    for source, name in names.items():
        _lines(folder / name, _read(test_set / source)[:N_SEGMENTS])
    scores = [float(line.split("\t")[5]) for line in _read(test_set / "quality.tsv")[1 : N_SEGMENTS + 1]]
    _lines(folder / "scores.txt", [f"{score:g}" for score in scores])
    _lines(folder / "shares.txt", [f"{score / 100:g}" for score in scores])
    _lines(folder / "labels.txt", ["adequate" if score > 60 else "poor" for score in scores])
    _lines(folder / "directions.txt", [DIRECTIONS[int(score) // 7 % 4] for score in scores])
    run(["qe", "features", "src.de", "b.en", "-f", "surface", "--form", "tsv", "-o", "features.tsv"], folder)
    for letter in ("A", "B"):
        lines = _read(test_set / f"reference-{letter}.en")
        _lines(folder / f"texts-{letter}.en", [" ".join(lines[first : first + 5]) for first in range(0, 60, 5)])
    _lines(folder / "ratings.txt", [str(1 + place * 7 % 5) for place in range(12)])


def _trees(folder: Path) -> None:
    samples = folder / "samples"
    for name, path, n in (
        ("en", "testset/parsed.en.conllu", 20),
        ("de", "testset/parsed.de.conllu", 20),
        ("es", "treebank.es.conllu", 1000),
    ):
        sentences = (samples / path).read_text(encoding="utf-8").strip().split("\n\n")[:n]
        (folder / f"{name}.conllu").write_text("\n\n".join(sentences) + "\n\n", encoding="utf-8")
    n_trees = len((folder / "en.conllu").read_text(encoding="utf-8").strip().split("\n\n"))
    _lines(folder / "tree-shares.txt", _read(folder / "shares.txt")[:n_trees])
    _lines(folder / "trees.mrg", TREES)
    _lines(folder / "names.bio", _read(samples / "names.en.bio")[:400])
    run(["inflect", "verbs", "simplify", "es.conllu", "-o", "simple.es"], folder)
    _lines(folder / "simple.es", _read(folder / "simple.es")[:6])
    forms = [_forms(each) for each in (folder / "es.conllu").read_text(encoding="utf-8").strip().split("\n\n")]
    _lines(folder / "order.es", map(" ".join, forms))
    _lines(folder / "order.xx", [" ".join(reversed(each)) for each in forms])
    links = [" ".join(f"{i}-{len(each) - 1 - i}" for i in range(len(each))) for each in forms]
    _lines(folder / "order.links", links)


def _edited(folder: Path) -> None:
    """Translations with post-edits and labels: a fifth of the words, and all long ones, are bad."""
    few = {lang: _read(folder / f"train.{lang}")[30:44] for lang in ("de", "en")}
    tags = [
        ["BAD" if len(word) > 6 or (i + j) % 5 == 0 else "OK" for j, word in enumerate(line.split())]
        for i, line in enumerate(few["en"])
    ]
    _lines(folder / "edited.src", few["de"])
    _lines(folder / "edited.mt", few["en"])
    _lines(folder / "edited.pe", [" ".join(w for j, w in enumerate(line.split()) if j % 4) for line in few["en"]])
    _lines(folder / "edited.tags", [" ".join(["OK", *(f"{tag} OK" for tag in each)]) for each in tags])
    for end, lang in (("src", "de"), ("mt", "en")):
        _lines(folder / f"new.{end}", _read(folder / f"test.{lang}"))


def _forms(sentence: str) -> list[str]:
    rows = [line.split("\t") for line in sentence.splitlines() if line[:1].isdigit()]
    return [row[1] for row in rows if row[0].isdigit()]


def _read(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def _lines(path: Path, lines: Iterable[str]) -> None:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
