"""Building resources from a bitext and from post-edited translations, and opening the folder they lie in."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Any, ClassVar

from dragoman.align.aligner import Aligner
from dragoman.align.ibm import Diagonal, Ibm1
from dragoman.artifact import Artifact, checksum
from dragoman.data import check_parallel
from dragoman.errors import DataError, FormatError
from dragoman.files import StrPath, read_lines, write_lines
from dragoman.lm import KneserNey, LanguageModel
from dragoman.metrics.hter import WordTags, hter
from dragoman.qe.files import QEData
from dragoman.qe.resources.base import HeldOut, Resources, digest
from dragoman.qe.resources.confidence import ConfidenceRecipe, WordConfidence
from dragoman.qe.resources.extras import EXTRA_ARTIFACTS, Material, build_extras, check_extras
from dragoman.qe.resources.indicators import IndicatorRecipe, PhraseIndicators
from dragoman.qe.resources.lexicon import LexicalTable
from dragoman.qe.resources.ngrams import NgramCounts, NgramRecipe
from dragoman.qe.resources.parses import GivenParses, Parsed
from dragoman.qe.resources.projection import ProjectedDependencies
from dragoman.qe.resources.quartiles import ListQuartiles
from dragoman.qe.resources.sequences import SequenceModels
from dragoman.qe.resources.syntax import build_contrast, build_tags, copy_annotators, load_annotators, parse_lines
from dragoman.qe.resources.tags import TagLexicon
from dragoman.qe.resources.units import UnitModels, UnitRecipe
from dragoman.qe.resources.wide import build_wide, load_wide
from dragoman.report import Column, Result, Table

__all__ = ["BuiltResources", "build_resources", "copy_resources", "load_resources", "with_parses"]

_ABOUT = "resources.json"
_NO_FOLDER = "files"  # fingerprint where all that there is was given as files, which have marks of their own
_WITHOUT = "without-"  # and a part's number: resources that have not seen it
_CORPUS = {"source_corpus": "corpus.source", "target_corpus": "corpus.target"}
_ARTIFACTS: dict[str, type[Artifact]] = {
    "source_lm": LanguageModel,
    "target_lm": LanguageModel,
    "ngrams": NgramCounts,
    "target_ngrams": NgramCounts,
    "source_backward_lm": LanguageModel,
    "target_backward_lm": LanguageModel,
    "ibm1": Aligner,
    "aligner": Aligner,
    "pieces": UnitModels,
    "classes": UnitModels,
    "output_lm": LanguageModel,
    "confidence": WordConfidence,
    "indicators": PhraseIndicators,
    "quartiles": ListQuartiles,
    **EXTRA_ARTIFACTS,
    "source_tag_lm": LanguageModel,
    "target_tag_lm": LanguageModel,
    "source_morph_lm": LanguageModel,
    "target_morph_lm": LanguageModel,
    "source_tag_ngrams": NgramCounts,
    "target_tag_ngrams": NgramCounts,
    "source_tag_lexicon": TagLexicon,
    "target_tag_lexicon": TagLexicon,
    "tag_ibm1": Aligner,
    "morph_ibm1": Aligner,
    "sequences": SequenceModels,
    "projected": ProjectedDependencies,
}


@dataclass(frozen=True)
class BuiltResources(Result):
    """What was built, and of how many entries."""

    kind: ClassVar[str] = "qe resources"

    folder: str
    n_entries: Mapping[str, tuple[int, ...]]  # resource → entries by length of the n-grams
    n_pairs: int
    n_held_out: int  # sentences for which there are resources that have not seen them

    def tables(self) -> list[Table]:
        """A row a resource and length of n-grams."""
        rows = [(name, length, n) for name, sizes in self.n_entries.items() for length, n in enumerate(sizes, start=1)]
        return [Table.of(f"Resources in {self.folder}", ["resource", Column("length"), Column("entries")], rows)]

    def meta(self) -> dict[str, Any]:
        """The folder and how much went in."""
        return {"folder": self.folder, "n_pairs": self.n_pairs, "n_held_out": self.n_held_out}


@dataclass
class _Text:
    """What resources are built from; the post-edited part may be empty."""

    sources: list[str]
    targets: list[str]
    judged: tuple[list[str], list[str]] = field(default_factory=lambda: ([], []))  # sources and outputs
    tags: list[WordTags] = field(default_factory=list)
    scores: list[float] = field(default_factory=list)
    rows: Any = None  # n-grams of the judged pairs, for the indicators
    more: tuple[list[str], list[str]] = field(default_factory=lambda: ([], []))  # of one language
    parsed: dict[str, Parsed] = field(default_factory=dict)  # sources ("source"), targets, outputs of judged sources

    def without(self, held: set[bytes]) -> _Text:
        """What is left without some sources."""
        stay = [digest(source) not in held for source in self.sources]
        places = [place for place, kept in enumerate(stay) if kept]
        keep = [number for number, source in enumerate(self.judged[0]) if digest(source) not in held]
        return _Text(
            [line for line, kept in zip(self.sources, stay, strict=True) if kept],
            [line for line, kept in zip(self.targets, stay, strict=True) if kept],
            ([self.judged[0][number] for number in keep], [self.judged[1][number] for number in keep]),
            [self.tags[number] for number in keep],
            [self.scores[number] for number in keep],
            self.rows[keep] if self.rows is not None else None,
            self.more,
            {name: each.take(keep if name == "outputs" else places) for name, each in self.parsed.items()},
        )


def build_resources(
    sources: Sequence[str],
    targets: Sequence[str],
    folder: StrPath,
    *,
    post_edited: QEData | None = None,
    source_text: Sequence[str] = (),
    target_text: Sequence[str] = (),
    source_wide: Sequence[StrPath] = (),
    target_wide: Sequence[StrPath] = (),
    source_parser: StrPath | None = None,
    target_parser: StrPath | None = None,
    source_grammar: StrPath | None = None,
    target_grammar: StrPath | None = None,
    n_parts: int = 5,
    also: Sequence[str] = (),
    languages: str = "",
    n_threads: int = 1,
) -> BuiltResources:
    """Build what tokenised text gives into a folder.

    Of a bitext: language models of both sides in both directions, counts of n-grams, IBM model 1, a word aligner,
    models of roots and endings and of word classes. `post_edited` (sources, outputs, post-edits) joins the bitext with
    its post-edits, and its outputs give a model of such outputs, the rates in which words are kept, and phrases that go
    with much editing. Its sentences are dealt into `n_parts`, and all is built again without each part: features of a
    sentence in it are computed from resources that have not seen it (see `HeldOut`). `source_text` and `target_text`
    are further text of one language, for language models and counts; lines that are post-edited sources are left out.
    `source_wide` and `target_wide` are files of text or of n-grams with counts (`.tsv`), up to four a side, whose
    n-grams are counted each by itself and not joined to the bitext's: how usual something is in the language at large.
    `also` names what is built only when asked for (`EXTRAS`: `dwl`, `triggers`, `topics`, …, or `all` that the text
    allows).
    Parsers and grammars, folders of trained ones, are copied; text that a parser can read also gives models and counts
    of its tags and, with post-edits, of what becomes of sequences and dependencies. Parsers have not seen the text, and
    serve the held-out parts, too.
    """
    extras = check_extras(also)
    check_parallel({"sources": sources, "targets": targets})
    text = _Text(list(sources), list(targets), more=(list(source_text), list(target_text)))
    parts: list[list[bytes]] = []
    if post_edited is not None:
        parts = _join(text, post_edited, n_parts, n_threads)
    if not text.sources:
        raise DataError("There is no text to build resources from: give a bitext, post-edited translations, or both.")
    final = Path(folder)
    final.mkdir(parents=True, exist_ok=True)
    if "all" in also and not text.scores:
        extras = tuple(name for name in extras if name != "word-bayes")
    annotators = copy_annotators(
        {
            "source_parser": source_parser, "target_parser": target_parser, "source_grammar": source_grammar,
            "target_grammar": target_grammar,
        },
        final,
    )  # fmt: skip
    _parse(text, annotators, n_threads)
    known = frozenset(" ".join(line.lower().split()) for line in text.judged[0])
    wide = build_wide({"source": source_wide, "target": target_wide}, final, without=known)
    made = _build(text, final, extras, {}, n_threads)
    topics = {name: made[name] for name in ("topics",) if name in made}
    sizes = _sizes(made) | _sizes(wide)
    del made
    for number, part in enumerate(parts, start=1):
        rest = text.without(set(part))
        if not rest.sources:
            raise DataError(f"Without part {number} of {len(parts)} no text is left. Give more text or fewer parts.")
        _build(rest, final / f"{_WITHOUT}{number}", extras, topics, n_threads)
    about = {
        "format": 1,
        "languages": languages,
        "parts": [[name.hex() for name in part] for part in parts],
    }
    (final / _ABOUT).write_text(json.dumps(about) + "\n", encoding="utf-8")
    return BuiltResources(str(final), sizes, len(text.sources), sum(map(len, parts)))


def _join(text: _Text, data: QEData, n_parts: int, n_threads: int) -> list[list[bytes]]:
    """Add post-edited translations to the text; their sources by part, neighbours together."""
    if data.sources is None or data.post_edits is None:
        raise DataError("Post-edited translations need sources and post-edits, .src and .pe.")
    if n_parts < 2:
        raise DataError(f"Sentences are held out in at least two parts, got {n_parts}.")
    text.sources += data.sources
    text.targets += data.post_edits
    if data.outputs is not None and len(data.outputs):
        found = hter(data.outputs, data.post_edits, n_threads=n_threads)
        text.judged = (list(data.sources), list(data.outputs))
        text.tags, text.scores = list(found.tags), list(found.values)
        text.rows = IndicatorRecipe().rows(*text.judged)
    names = list(dict.fromkeys(map(digest, data.sources)))
    held = set(names)
    text.more = ([line for line in text.more[0] if digest(line) not in held], text.more[1])
    if len(names) < n_parts:
        raise DataError(f"{len(names)} different sources are too few for {n_parts} parts.")
    return [names[len(names) * part // n_parts : len(names) * (part + 1) // n_parts] for part in range(n_parts)]


def _parse(text: _Text, annotators: Mapping[str, Any], n_threads: int) -> None:
    """Parse all text once; the parts are taken from it."""
    if "source_parser" in annotators:
        text.parsed["source"] = parse_lines(annotators["source_parser"], text.sources, n_threads)
    if "target_parser" in annotators:
        text.parsed["target"] = parse_lines(annotators["target_parser"], text.targets, n_threads)
        text.parsed["outputs"] = parse_lines(annotators["target_parser"], text.judged[1], n_threads)


def _build(
    text: _Text, folder: Path, extras: Sequence[str], whole: Mapping[str, Any], n_threads: int
) -> dict[str, Any]:  # fmt: skip
    sources, targets = text.sources, text.targets
    source_text, target_text = sources + text.more[0], targets + text.more[1]
    made: dict[str, Any] = {
        "source_lm": KneserNey(order=3).train(source_text, n_threads=n_threads),
        "target_lm": KneserNey(order=5).train(target_text, n_threads=n_threads),
        "source_backward_lm": KneserNey(order=3).train(_backward(source_text), n_threads=n_threads),
        "target_backward_lm": KneserNey(order=3).train(_backward(target_text), n_threads=n_threads),
        "ngrams": NgramRecipe(order=5).train(source_text),
        "target_ngrams": NgramRecipe(order=5).train(target_text),
        "ibm1": Ibm1().train(sources, targets, n_threads=n_threads),
        "aligner": Diagonal().train(sources, targets, n_threads=n_threads),
        "pieces": UnitRecipe(unit="piece").train(sources, targets, n_threads=n_threads),
        "classes": UnitRecipe(unit="class").train(sources, targets, n_threads=n_threads),
    }
    if text.scores:
        made["output_lm"] = KneserNey(order=3).train(text.judged[1], n_threads=n_threads)
        made["confidence"] = ConfidenceRecipe().train(text.judged[1], text.tags)
        made["indicators"] = IndicatorRecipe().fit(text.rows, text.scores)
    made.update(
        build_extras(
            extras, Material(sources, targets, source_text, target_text, text.judged, text.tags, made, whole, n_threads)
        )
    )
    made |= build_tags({"source": sources, "target": targets}, text.parsed, n_threads)
    if text.scores and text.parsed:
        # The judged sources and their post-edits are the last of the bitext.
        n = len(text.scores)
        last = range(len(sources) - n, len(sources))
        own = (
            {"outputs": text.parsed["outputs"], "edits": text.parsed["target"].take(last)}
            if "target" in text.parsed
            else {}
        )
        made |= build_contrast(
            text.judged[0],
            {"outputs": text.judged[1], "edits": targets[-n:]},
            text.parsed["source"].take(last) if "source" in text.parsed else None,
            own,
            made["aligner"],
            n_threads,
        )
    for name in _ARTIFACTS:
        if name not in made and (folder / _file(name)).is_dir():  # of resources that were built here before
            shutil.rmtree(folder / _file(name))
    for name, artifact in made.items():
        artifact.save(folder / _file(name))
    for name, lines in (("source_corpus", sources), ("target_corpus", targets)):
        write_lines(folder / _CORPUS[name], dict.fromkeys(lines))
    return made


def _backward(lines: Sequence[str]) -> list[str]:
    return [" ".join(reversed(line.split())) for line in lines]


def _file(name: str) -> str:
    return name.replace("_", "-")


def _sizes(made: Mapping[str, Any]) -> dict[str, tuple[int, ...]]:
    sizes: dict[str, tuple[int, ...]] = {}
    for name, artifact in made.items():
        if isinstance(artifact, LanguageModel):
            sizes[_file(name)] = artifact.n_ngrams
        elif isinstance(artifact, NgramCounts):
            sizes[_file(name)] = tuple(len(keys) for keys, _ in artifact.tables)
        elif isinstance(artifact, Aligner):
            sizes[_file(name)] = (len(artifact.forward.p), len(artifact.backward.p))
        elif isinstance(artifact, UnitModels):
            sizes[_file(name)] = artifact.models["target"].n_ngrams
        elif isinstance(artifact, WordConfidence):
            sizes[_file(name)] = tuple(len(keys) for keys, _, _ in artifact.tables)
        elif name in EXTRA_ARTIFACTS:
            sizes[_file(name)] = artifact.sizes
        elif isinstance(artifact, TagLexicon | SequenceModels | ProjectedDependencies):
            sizes[_file(name)] = (len(artifact),)
        else:
            sizes[_file(name)] = (int((artifact.weights != 0).sum()),)
    return sizes


def load_resources(
    folder: StrPath | None,
    *,
    lexicon: StrPath | None = None,
    source_parses: StrPath | None = None,
    target_parses: StrPath | None = None,
) -> Resources:
    """The resources in a folder that `build_resources` made; a lexical table from a file takes the place of its own.

    Parses of the very text that is to be looked at, CoNLL-U files, take the place of parsers.
    """
    found = _load_folder(folder, LexicalTable.read(lexicon) if lexicon is not None else None)
    if lexicon is not None:
        found = replace(found, given=f"lexicon={checksum(lexicon)};")
    if folder is None and (lexicon or source_parses or target_parses):
        found = replace(found, fingerprint=_NO_FOLDER)
    return with_parses(found, source_parses=source_parses, target_parses=target_parses)


def with_parses(
    resources: Resources, *, source_parses: StrPath | None = None, target_parses: StrPath | None = None
) -> Resources:
    """The resources with parses from CoNLL-U files in place of parsers."""
    for side, path in (("source", source_parses), ("target", target_parses)):
        if path is not None:
            parses = GivenParses.read(path)
            changed: dict[str, Any] = {f"{side}_parser": parses}
            resources = replace(resources, **changed, given=f"{resources.given}{side}={parses.fingerprint};")
    return resources


def _load_folder(folder: StrPath | None, own: LexicalTable | None) -> Resources:
    if folder is None:
        return Resources(lexicon=own)
    path = Path(folder)
    try:
        about = json.loads((path / _ABOUT).read_text(encoding="utf-8"))
        parts = about["parts"]
        if about["format"] != 1:
            raise ValueError(f"format {about['format']}")
        names = {bytes.fromhex(name): number for number, part in enumerate(parts) for name in part}
        read = frozenset(map(bytes.fromhex, about.get("read", [])))
    except FileNotFoundError:
        raise DataError(f"{path} has no {_ABOUT}: it is no folder of dragoman qe resources. Build it again.") from None
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise FormatError(f"is no description of resources: {error}.", path=path / _ABOUT) from None
    folders = [f"{_WITHOUT}{number}" for number in range(1, len(parts) + 1)]
    mark = _fingerprint(path)
    held_out = HeldOut(folders, names, lambda name: _load(path / name, own, {})) if parts else None
    facts = {"held_out": held_out, "languages": about["languages"], "fingerprint": mark, "read_sources": read}
    return _load(path, own, {**facts, **load_annotators(path), **load_wide(path)})


def copy_resources(folder: Path, target: Path) -> None:
    """Copy a folder of resources without those that hold sentences out: new sentences need the whole ones only.

    Which sentences the whole ones have read is kept, so that a score of one of them can be told from a score.
    """
    shutil.copytree(folder, target, ignore=shutil.ignore_patterns(f"{_WITHOUT}*"))
    about = json.loads((target / _ABOUT).read_text(encoding="utf-8"))
    read = sorted({*about.get("read", []), *(name for part in about["parts"] for name in part)})
    (target / _ABOUT).write_text(json.dumps({**about, "parts": [], "read": read}) + "\n", encoding="utf-8")


def _load(folder: Path, own: LexicalTable | None, more: Mapping[str, Any]) -> Resources:
    found: dict[str, Any] = {
        name: kind.load(folder / _file(name)) for name, kind in _ARTIFACTS.items() if (folder / _file(name)).is_dir()
    }
    for name, file in _CORPUS.items():
        found[name] = tuple(read_lines(folder / file))
    if "ibm1" in found:
        found["lexicon"] = LexicalTable.of_lexicon(found["ibm1"].lexicon("forward"))
        found["inverse_lexicon"] = LexicalTable.of_lexicon(found["ibm1"].lexicon("backward"))
    if own is not None:
        found["lexicon"] = own
    return Resources(**found, **more)


def _fingerprint(folder: Path) -> str:
    """A digest of all that was built: manifests hold the digests of their files."""
    whole = sha256()
    for path in sorted([*folder.rglob("manifest.json"), folder / _ABOUT]):
        whole.update(path.read_bytes())
    return whole.hexdigest()
