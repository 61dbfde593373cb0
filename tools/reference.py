"""The reference pages, made from the registries and the command line: a hook of mkdocs.

What a page says about an entry is the docstring of its class and the fields it declares, so it cannot drift.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from dataclasses import MISSING, fields, is_dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import click

from dragoman.align import ALIGNERS
from dragoman.cat.checks import CHECKS as TRANSLATION_CHECKS
from dragoman.cat.files import FILE_FORMATS
from dragoman.cat.pen import RECOGNISERS
from dragoman.cli.main import group
from dragoman.corpus import FILTERS, PAIR_SCORERS
from dragoman.corpus.lint import CHECKS
from dragoman.corpus.select import SELECTION_SCORES
from dragoman.data import FORMATS, JUDGEMENT_KINDS
from dragoman.engines import ENGINES
from dragoman.human.direct_assessment import DEGRADERS
from dragoman.human.protocol import PROTOCOLS
from dragoman.learn import LEARNERS, SELECTORS
from dragoman.metrics import METRICS
from dragoman.qe import FEATURES
from dragoman.qe.features import Feature
from dragoman.qe.words import WORD_FEATURES
from dragoman.ranking import RANKINGS
from dragoman.registry import Registry
from dragoman.reorder import METHODS as REORDERING_METHODS
from dragoman.repair import RULES as REPAIR_RULES
from dragoman.rescoring import RESCORING_FEATURES
from dragoman.smt.corpora import CORPUS_ROLES
from dragoman.smt.grammar.labels import LABELLERS
from dragoman.smt.tune import TUNERS
from dragoman.stats import PAIRED_TESTS
from dragoman.text import ANNOTATORS, TOKENISERS
from dragoman.text.encoders import ENCODERS

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files

# page → (registry, title, opening sentence)
REGISTRIES: dict[str, tuple[Registry[Any], str, str]] = {
    "aligners": (
        ALIGNERS,
        "Aligners",
        "What `dragoman align --method NAME` can learn. Options stand behind the name: `--method hmm:rounds=10`.",
    ),
    "annotators": (ANNOTATORS, "Annotators", "What can give a token a stem, a lemma, a part of speech, synonyms."),
    "checks": (CHECKS, "Lint checks", "What `dragoman lint` looks for; `--check NAME` looks for one."),
    "corpus-roles": (
        CORPUS_ROLES,
        "Corpus roles",
        "What a text of `dragoman smt train --corpus ROLE:OPTIONS`, or of a table `[[corpus]]` in a recipe, is for.",
    ),
    "translation-checks": (
        TRANSLATION_CHECKS,
        "Checks of translations",
        "What `dragoman cat check` and the editor look for; `--check NAME:OPTIONS` looks for one.",
    ),
    "degraders": (
        DEGRADERS,
        "Degraders",
        "How direct assessment makes outputs worse, to see who reads what they judge: `degrader = NAME` in a manifest.",
    ),
    "file-formats": (
        FILE_FORMATS,
        "Files for translation",
        "What can be translated and written back with all else as it was. Options stand behind the name: "
        "`csv:source=en,target=de`.",
    ),
    "encoders": (
        ENCODERS,
        "Encoders",
        "What gives tokens and sentences vectors, for metrics (`-m bertscore:ENCODER`) and quality features; "
        "a folder of the `transformers` library may stand without a name.",
    ),
    "engines": (
        ENGINES,
        "Engines",
        "What `dragoman translate -m` and the server open: a model folder, or a name with options behind it.",
    ),
    "filters": (FILTERS, "Filters", "What `dragoman corpus clean --filter NAME` leaves out."),
    "repair-rules": (
        REPAIR_RULES,
        "Rules of repair",
        "What `dragoman repair apply` mends; `--without NAME` leaves one out, `--only NAME` takes it alone.",
    ),
    "formats": (FORMATS, "File formats", "What `dragoman convert` reads and writes."),
    "recognisers": (
        RECOGNISERS,
        "Handwriting recognisers",
        "Who reads pen strokes in the editor: `dragoman serve --recogniser NAME:OPTIONS`.",
    ),
    "judgement-kinds": (
        JUDGEMENT_KINDS,
        "Kinds of judgement",
        "What people can be asked about translations, and what `read_judgements` opens.",
    ),
    "labellers": (
        LABELLERS,
        "Labellers of spans",
        "What the gaps of a grammar are called: `dragoman smt grammar extract --labels NAME:OPTIONS`.",
    ),
    "metrics": (
        METRICS,
        "Metrics",
        "What `dragoman score -m NAME` can use. Options stand behind the name: `-m bleu:tokeniser=zh,lowercase=yes`.",
    ),
    "pair-scorers": (
        PAIR_SCORERS,
        "Pair scorers",
        "What `dragoman corpus filter train --scorer NAME` can learn of a bitext: a score of each pair.",
    ),
    "selection-scores": (
        SELECTION_SCORES,
        "Selection scores",
        "What `dragoman select NAME` can rank a pool by, higher first. Options stand behind the name: `noise:order=3`.",
    ),
    "paired-tests": (
        PAIRED_TESTS,
        "Paired tests",
        "What `dragoman compare --test NAME` can ask: is the difference between two systems on one test set real?",
    ),
    "ranking-methods": (
        RANKINGS,
        "Ranking methods",
        "What `dragoman rank --method NAME` can use. Options stand behind the name: `--method trueskill:runs=100`.",
    ),
    "quality-features": (
        FEATURES,
        "Quality features",
        "What `dragoman qe features -f NAME` computes. Options stand behind the name: `-f translations:threshold=0.1`.",
    ),
    "word-features": (
        WORD_FEATURES,
        "Word features",
        "What word-level quality models know of each word. Options stand behind the name: `lm:model=output_lm,at=1`.",
    ),
    "quality-learners": (
        LEARNERS,
        "Quality learners",
        "What `dragoman qe train --learner NAME` can use. Values to try are joined by a plus: `ridge:alpha=0.1+0.01`.",
    ),
    "quality-selectors": (
        SELECTORS,
        "Selectors of quality features",
        "What `dragoman qe train --select NAME` can use, one after the other: `--select correlation --select forward`.",
    ),
    "protocols": (
        PROTOCOLS,
        "Protocols",
        "Ways of asking people. A campaign's manifest says `protocol = NAME`; the options below may stand beside it.",
    ),
    "reordering-methods": (
        REORDERING_METHODS,
        "Reordering methods",
        "What `dragoman reorder learn --method NAME` can learn. Several are joined by a plus: `short+long:least=3`.",
    ),
    "rescoring-features": (
        RESCORING_FEATURES,
        "Rescoring features",
        "What `dragoman rescore --feature NAME:OPTIONS` knows of the candidates in n-best lists.",
    ),
    "tokenisers": (
        TOKENISERS,
        "Tokenisers",
        "What `dragoman text tokenize --tokeniser NAME` and every metric can use.",
    ),
    "tuners": (TUNERS, "Tuners", "What `dragoman smt tune --method NAME` can use. Options: `--method mert:starts=5`."),
}


def registry_page(registry: Registry[Any], title: str, opening: str) -> str:
    """A page with one section per entry."""
    parts = [f"# {title}\n\n{opening}\n"]
    for name in registry.names():
        entry = registry.get(name)
        parts.append(f"## {name}\n\n{inspect.getdoc(entry) or ''}\n\n{_facts(entry)}{_options(entry)}")
    return "\n".join(parts)


def _facts(entry: type) -> str:
    """Where a feature comes from and what it needs."""
    if not issubclass(entry, Feature):
        return ""
    needs = ", ".join(f"`{need}`" for need in entry.needs) or "nothing"
    return f"{entry.level.capitalize()}, {entry.side}. Needs {needs}. {entry.paper}.\n\n"


def _options(entry: type) -> str:
    if not is_dataclass(entry) or not fields(entry):
        return ""
    rows = ["| option | default | meaning |", "| --- | --- | --- |"]
    told = _field_docstrings(entry)
    for field in fields(entry):
        value = field.default if field.default_factory is MISSING else field.default_factory()
        default = "required" if value is MISSING else f"`{value!r}`"
        meaning = field.metadata.get("text") or told.get(field.name, "")
        rows.append(f"| `{field.name}` | {default} | {meaning} |".replace("\n", " "))
    return "\n".join(rows) + "\n"


def _field_docstrings(entry: type) -> dict[str, str]:
    """The strings that stand behind a class's fields, base classes first."""
    found: dict[str, str] = {}
    for cls in reversed(entry.__mro__[:-1]):
        try:
            body = ast.parse(textwrap.dedent(inspect.getsource(cls))).body[0]
        except (OSError, TypeError):  # a built-in base has no source
            continue
        statements = body.body if isinstance(body, ast.ClassDef) else []
        for field, text in pairwise(statements):
            if isinstance(field, ast.AnnAssign) and isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant):
                found[ast.unparse(field.target)] = inspect.cleandoc(str(text.value.value))
    return found


def commands_page() -> str:
    """The help of every command and subcommand."""
    context = click.Context(group, info_name="dragoman")
    parts = ["# Commands\n\nEvery command takes `--json`, and `--help` says what is said here.\n"]
    return "\n".join([*parts, *_sections_below(group, context)])


def _command_sections(command: click.Command, context: click.Context) -> list[str]:
    sections = [f"## {context.command_path}\n\n```text\n{command.get_help(context)}\n```\n"]
    return sections + (_sections_below(command, context) if isinstance(command, click.Group) else [])


def _sections_below(above: click.Group, context: click.Context) -> list[str]:
    sections = []
    for name in above.list_commands(context):
        command = above.get_command(context, name)
        assert command is not None
        sections += _command_sections(command, click.Context(command, info_name=name, parent=context))
    return sections


def pages() -> dict[str, str]:
    """All generated pages: path below docs/ → Markdown."""
    made = {f"reference/{name}.md": registry_page(*entry) for name, entry in REGISTRIES.items()}
    return {**made, "reference/commands.md": commands_page()}


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """The moment at which mkdocs lets a hook add files."""
    from mkdocs.structure.files import File

    for path, content in pages().items():
        files.append(File.generated(config, path, content=content))
    return files
