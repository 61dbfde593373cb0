"""The effort task of WMT 2012 from beginning to end: quality of 422 translations, from text alone.

    python bench/effort_task.py --work FOLDER [--data DATA] [--text TEXT] [--test]

DATA (`$DRAGOMAN_DATA`, else ../shared/data) holds the task's release, `wmt12-qe`, and what bitext and treebanks there
are; TEXT is a folder of further text that bench/effort_text.py makes of packages: `NAME.en` and `NAME.es`, a sentence
a line, of which `speeches.en` is counted by itself; `truecase.en.tsv`, `words.en.tsv` and `words.es.tsv`. What is not
there is done without, and so is Apertium (`apt-get install apertium-eng-spa`).

All text is brought to one form of punctuation and tokenised, and lines near a sentence to be judged are left out: those
that hold four fifths of the words of a source of either set (English), or of an output, a post-edit or a reference
(Spanish), and all those that have just the words of a shorter one. A pair goes if one of its sides does. Only the
training set itself, with its references and post-edits, is kept, and held out of what its own features are asked of
(`qe resources --post-edited`); what post-editors keep and change is learnt from it and from IWSLT 2019 together.

Everything else are commands of dragoman's; each is printed and then run, and one whose result stands in FOLDER is not
run again. Figures of cross-validation on the training set are shown; the test set is scored only with --test.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tarfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from html import unescape
from math import ceil
from pathlib import Path

from needs import KEPT, real_data

from dragoman.files import read_lines, write_lines
from dragoman.text import TOKENISERS, PunctuationNormaliser
from dragoman.text.conllu import read_conllu

NEAR = 0.8  # of the words of a sentence
SETS = {"train": "training", "test": "test"}
TREEBANKS = {
    "en": ("en_partut-ud-train", "en_lines-ud-train", "en_ewt-ud-dev"),
    "es": ("es_gsd-ud-dev", "es_pud-ud-test"),
}
ENGLISH = (  # text of DATA beside pairs, treebanks and captions
    "news-commentary-sample/nc-5k.en.gz",
    "newstest2013/*-en/*.gz",
    "small-enja/*.en.gz",
    "lm-fixture/text.en.gz",
    "indian/*/*.en.gz",
    "indian/*/*.en.?.gz",
)


def main() -> None:
    """Prepare, build, train and measure."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--work", type=Path)
    options.add_argument("--data", type=Path)
    options.add_argument("--text", type=Path)
    options.add_argument("--threads", default="2")
    options.add_argument("--test", action="store_true")
    asked = options.parse_args()
    asked.work = asked.work or KEPT / "effort-task"
    asked.work.mkdir(parents=True, exist_ok=True)
    data, text = real_data(asked.data).resolve(), asked.text and asked.text.resolve()
    os.chdir(asked.work)

    if not Path("prepared").exists():
        prepare_task(data / "wmt12-qe")
        prepare_text(data, text)
        write_lines("prepared", [])
    threads = ("--threads", asked.threads)
    for lang, names in TREEBANKS.items():
        treebanks = (str(data / "ud" / f"{name}.conllu.gz") for name in names)
        run("syntax", "parser", "train", *treebanks, *threads, makes=f"parser.{lang}")
    engines = translate(data / "wmt12-qe", threads)
    wide, features = wide_corpora(text)
    run(
        "qe",
        "resources",
        "pairs.en",
        "pairs.es",
        "--post-edited",
        "edited",
        "--parts",
        "6",
        "--languages",
        "en-es",
        "--source-text",
        "more.en",
        "--target-text",
        "more.es",
        "--source-parser",
        "parser.en",
        "--target-parser",
        "parser.es",
        *wide,
        *threads,
        makes="resources",
    )
    for part in SETS:
        others = [o for e in engines for o in ("--other", f"{e}={part}.{e}.es", "--back", f"{e}={part}.{e}.en")]
        run(
            "qe",
            "features",
            f"{part}.src",
            f"{part}.mt",
            "--resources",
            "resources",
            "--languages",
            "en-es",
            "-f",
            "black-box+syntax",
            *features,
            *others,
            *threads,
            "--form",
            "tsv",
            makes=f"{part}.tsv",
            option="-o",
        )
    learner = ("--task", "effort", "--learner", "ensemble:members=ridge+svr,scale=ranks")
    if not Path("model").exists():
        run("qe", "train", "train.tsv", "train.effort", *learner, *threads, "-o", "trained.txt", makes="model")
    print("\n".join(read_lines("trained.txt")))
    if asked.test:
        run("qe", "predict", "test.tsv", "-m", "model", makes="predicted.effort", option="--scores")
        write_lines("test.effort", released(data / "wmt12-qe", "test", "effort"))
        run("qe", "evaluate", "test.effort", "predicted.effort", "--task", "effort", "--train", "train.effort")


def run(*arguments: str, makes: str = "", option: str = "-m") -> None:
    """One command of dragoman's, unless what it makes is there."""
    arguments = (*arguments, option, makes) if makes else arguments
    print("dragoman", *arguments, flush=True)
    if not makes or not Path(makes).exists():
        call = [sys.executable, "-c", "from dragoman.cli.main import main; main()"]
        subprocess.run([*call, *arguments], stdout=subprocess.DEVNULL if makes else None, check=True)


def released(folder: Path, part: str, what: str) -> list[str]:
    """The lines of a file of the release."""
    name = {
        "src": "source.eng",
        "mt": "target_system.spa",
        "pe": "target_postedited.spa",
        "ref": "target_reference.spa",
        "effort": "target_system.effort",
    }[what]
    archive = f"{SETS[part]}_set" + ("" if what in ("src", "mt") else "_annotations")
    with tarfile.open(folder / f"{archive}.tar.gz") as files:
        member = files.extractfile(f"{archive}/{name}")
        assert member is not None
        return member.read().decode("utf-8").rstrip("\n").replace("\r", "").split("\n")


def tokenised(lines: Sequence[str], lang: str) -> list[str]:
    """Quotes and dashes in one form first: a quarter of the test sources have curly ones, of the training set's 1 %."""
    plain = PunctuationNormaliser(lang, quote_commas=False, numbers=False).normalise(lines, n_threads=2)
    return TOKENISERS.make(f"moses:lang={lang},escape=no").tokenise(plain, n_threads=2)


def prepare_task(folder: Path) -> None:
    """Write train.src .mt .pe .effort and test.src .mt."""
    for part, what in (("train", "src"), ("train", "mt"), ("train", "pe"), ("test", "src"), ("test", "mt")):
        write_lines(f"{part}.{what}", tokenised(released(folder, part, what), "en" if what == "src" else "es"))
    write_lines("train.effort", released(folder, "train", "effort"))


class Judged:
    """The sentences to be judged of one language, and whether a line is near one of them."""

    def __init__(self, sentences: Iterable[str]) -> None:
        self.words = list({words(sentence) for sentence in sentences} - {frozenset[str]()})
        counts = Counter(word for sentence in self.words for word in sentence)
        self.by_word: dict[str, list[int]] = defaultdict(list)
        for i, sentence in enumerate(self.words):
            # Who holds ceil(.8 n) of n words holds one of any n - ceil(.8 n) + 1: the rarest are looked for
            rare = sorted(sentence, key=lambda word: (counts[word], word))
            for word in rare[: len(rare) - ceil(NEAR * len(rare)) + 1]:
                self.by_word[word].append(i)

    def near(self, line: str) -> bool:
        """Does the line hold four fifths of the words of one of them, or the very words of one of up to three?"""
        held = words(line)
        for sentence in {self.words[i] for word in held for i in self.by_word.get(word, ())}:
            if held == sentence if len(sentence) < 4 else len(held & sentence) >= NEAR * len(sentence):
                return True
        return False


def words(line: str) -> frozenset[str]:
    return frozenset(word for word in line.lower().split() if any(c.isalnum() for c in word))


def prepare_text(data: Path, text: Path | None) -> None:
    """Write the pairs, what else there is of both languages, and how much of it was left out."""
    of_task = {
        (part, what): tokenised(released(data / "wmt12-qe", part, what), "en" if what == "src" else "es")
        for part in SETS
        for what in ("src", "mt", "pe", "ref")
    }
    judged = {
        "en": Judged(line for (_, what), lines in of_task.items() for line in lines if what == "src"),
        "es": Judged(line for (_, what), lines in of_task.items() for line in lines if what != "src"),
    }
    write_edited(data, of_task, judged)
    tested = Judged(of_task["test", "src"])
    print(sum(map(tested.near, of_task["train", "src"])), "training sources are near test sources, and are kept")

    found = [tokenised(lines, lang) for lines, lang in zip(bitext(data), ("en", "es"), strict=True)]
    bad = [not a or not b or judged["en"].near(a) or judged["es"].near(b) for a, b in zip(*found, strict=True)]
    print(f"pairs: {sum(bad)} of {len(bad):,} near or empty")
    for lang, lines, own in (("en", found[0], "src"), ("es", found[1], "ref")):
        kept = [line for line, out in zip(lines, bad, strict=True) if not out]
        write_lines(f"engine.{lang}", kept)
        write_lines(f"pairs.{lang}", kept + of_task["train", own])  # held out by their sources
        everything = dict.fromkeys(kept)
        for name, further in further_text(data, text, lang):
            cut = dict.fromkeys(tokenised(further, lang))
            good = [line for line in cut if line and not judged[lang].near(line)]
            print(f"{name}.{lang}: {len(cut) - len(good):,} of {len(cut):,} lines near or empty")
            everything.update(dict.fromkeys(good))
            if name in ("more", "speeches"):
                write_lines(f"{name}.{lang}", good)
        write_lines(f"all.{lang}", everything)
        print(f"all.{lang}: {len(everything):,} lines, {sum(len(line.split()) for line in everything):,} words")


def write_edited(data: Path, of_task: dict[tuple[str, str], list[str]], judged: dict[str, Judged]) -> None:
    """Write edited.src .mt .pe: the training set, then outputs of IWSLT 2019, each with the first of its post-edits."""
    rows = post_edits(data)
    source, *spanish = (
        tokenised([row[what] for row in rows], "en" if what == "S" else "es") for what in ("S", "MT", "PE", "REF")
    )
    found = dict[tuple[str, str], str]()
    for line, (output, edit, reference) in zip(source, zip(*spanish, strict=True), strict=True):
        near = judged["en"].near(line) or any(map(judged["es"].near, (output, edit, reference)))
        if line and output and edit and not near:
            found.setdefault((line, output), edit)
    print(f"edited: {len(found):,} outputs of IWSLT 2019 beside the training set")
    write_lines("edited.src", of_task["train", "src"] + [line for line, _ in found])
    write_lines("edited.mt", of_task["train", "mt"] + [output for _, output in found])
    write_lines("edited.pe", of_task["train", "pe"] + list(found.values()))


def post_edits(data: Path) -> list[dict[str, str]]:
    """The rows of IWSLT 2019: S, REF, MT, PE, five post-editors one after the other."""
    names = [name.strip("<>") for name in read_lines(data / "iwslt2019-pe/header.gz")[0].split("\t")]
    files = sorted((data / "iwslt2019-pe").glob("ann*.gz"))
    return [
        dict(zip(names, unescape(unescape(line)).split("\t"), strict=True)) for f in files for line in read_lines(f)
    ]


def bitext(data: Path) -> tuple[list[str], list[str]]:
    """Translations of newstest2013; references and post-edits of IWSLT 2019."""
    sides = [read_lines(data / f"newstest2013/references/newstest2013.{lang}.gz") for lang in ("en", "es")]
    pairs = dict[tuple[str, str], None]()
    for row in post_edits(data):
        pairs |= {(row["S"], row["PE"]): None, (row["S"], row["REF"]): None}
    return sides[0] + [a for a, _ in pairs], sides[1] + [b for _, b in pairs]


def further_text(data: Path, text: Path | None, lang: str) -> Iterator[tuple[str, list[str]]]:
    """Text of one language by name; `more` is that of treebanks and captions."""
    treebanks = sorted((data / "ud").glob(f"{lang}_*"))
    captions = read_lines(data / "multi30k/train.en.gz") if lang == "en" else []
    yield "more", [sentence.text for file in treebanks for sentence in read_conllu(file)] + captions
    if lang == "en":
        for pattern in ENGLISH:
            yield pattern.split("/")[0], [line for file in sorted(data.glob(pattern)) for line in read_lines(file)]
    for file in sorted(text.glob(f"*.{lang}")) if text else ():
        yield file.stem, read_lines(file)


def wide_corpora(text: Path | None) -> tuple[list[str], list[str]]:
    """Options that name the corpora to be counted by themselves, and the features that ask them."""
    options, features = list[str](), list[str]()
    for side, lang in (("source", "en"), ("target", "es")):
        listed = [str(text / f"{name}.{lang}.tsv") for name in ("truecase", "words")] if text else []
        files = [file for file in (f"speeches.{lang}", f"all.{lang}", *listed) if Path(file).exists()]
        for i, file in enumerate(files, 1):
            options += [f"--{side}-wide", file]
            features += ["-f", f"wide-{side}-{'words-' * Path(file).name.startswith('words')}{i}"]
    return options, features


def translate(task: Path, threads: tuple[str, str]) -> list[str]:
    """Sources translated and outputs translated back, by our engine and, where it is there, by Apertium."""
    for name, source, target in (("forward", "en", "es"), ("backward", "es", "en")):
        files = ("--src", f"engine.{source}", "--tgt", f"engine.{target}", "--lang-src", source, "--lang-tgt", target)
        if not Path(name).exists():
            run("smt", "train", *files, *threads, makes=name, option="-o")
        for part in SETS:
            text = f"{part}.{'src' if source == 'en' else 'mt'}"
            how = ("-m", name, "--tokenised", "--pop-limit", "100")
            run("translate", text, *how, *threads, makes=f"{part}.own.{target}", option="-o")
    if not shutil.which("apertium"):
        print("apertium is not installed: agreement with our engine alone")
        return ["own"]
    for part in SETS:
        for what, mode, lang in (("src", "eng-spa", "es"), ("mt", "spa-eng", "en")):
            lines = "".join(f"{line.strip()}\n" for line in released(task, part, what))
            said = subprocess.run(["apertium", mode], input=lines, text=True, capture_output=True, check=True).stdout
            # * marks unknown words, # and @ what could not be inflected or transferred
            plain = [re.sub(r"[*#@](?=\w)", "", line) for line in said.rstrip("\n").split("\n")]
            write_lines(f"{part}.apertium.{lang}", tokenised(plain, lang))
    return ["apertium", "own"]


if __name__ == "__main__":
    main()
