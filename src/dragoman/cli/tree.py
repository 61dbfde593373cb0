"""The tree of commands: what `dragoman --help` lists, by what people come for, and the groups below.

A table has for each command where it lives and its line in the help, which a test compares with the command's own.
Commands are imported when they are called, so that `dragoman --help`, completion and the first number stay quick.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

__all__ = ["SECTIONS", "LazyGroup", "SectionedGroup"]

Commands = Mapping[str, tuple[str, str]]

SCORE: Commands = {
    "score": ("dragoman.cli.score:score", "Score systems against references."),
    "compare": ("dragoman.cli.compare:compare", "Test whether systems differ from a baseline, and show where."),
    "report": ("dragoman.cli.report:report", "Write a whole evaluation as one HTML site."),
    "errors": ("dragoman.cli.errors:errors", "Count inflection, order, missing, extra and lexical errors."),
    "gate": ("dragoman.cli.gate:gate", "Fail a build when a system drops below its baseline."),
    "slope": ("dragoman.cli.slope:slope", "Say whether an engine learns while it is used."),
    "metric": ("dragoman.cli.tree:metric", "Look closer: edits, frames, all pairs of lines, tuned metrics."),
    "sacrebleu": ("dragoman.cli.sacrebleu:sacrebleu", "Take sacreBLEU's command lines, and print what it prints."),
}
JUDGE: Commands = {
    "campaign": ("dragoman.cli.campaign:campaign", "Plan how people judge translations, and analyse what they said."),
    "rank": ("dragoman.cli.rank:rank", "Rank systems by what people said of them."),
    "rankings": ("dragoman.cli.tree:rankings", "Compare rankings, and show who beats whom."),
    "agree": ("dragoman.cli.agree:agree", "Tell how far annotators agree, with others and with themselves."),
    "meta": ("dragoman.cli.meta:meta", "Tell which automatic metrics agree with people."),
    "task": ("dragoman.cli.task:task", "Run a shared task: submissions, scores, rankings, findings."),
    "study": ("dragoman.cli.tree:study", "Plan and score studies: comprehension, blind editing, crowds."),
}
QUALITY: Commands = {
    "qe": ("dragoman.cli.qe:qe", "Estimate the quality of translations without a reference."),
    "post-edits": ("dragoman.cli.post_edits:post_edits", "Tell what post-editors did, and what it cost them."),
}
ENGINES: Commands = {
    "smt": ("dragoman.cli.smt:smt", "Train translation engines, and look into them."),
    "neural": ("dragoman.cli.neural:neural", "Train neural translation engines."),
    "combine": ("dragoman.cli.combine:combine", "Make one translation of several systems' outputs."),
    "postedit": ("dragoman.cli.postedit:postedit", "Post-edit what an engine says, where a model believes in it."),
    "repair": ("dragoman.cli.repair:repair", "Mend the grammar of an engine's output, by rules."),
    "deep": ("dragoman.cli.deep:deep", "Look below the surface: content words, formemes, transfer."),
    "translate": ("dragoman.cli.translate:translate", "Translate text, a sentence a line."),
    "rescore": ("dragoman.cli.rescore:rescore", "Choose better among the candidates of n-best lists."),
    "align": ("dragoman.cli.align:align", "Link the words of tokenised sentence pairs, a sentence a line."),
    "reorder": ("dragoman.cli.reorder:reorder", "Put source words into the order of the target language."),
    "terms": ("dragoman.cli.terms:terms", "Find pairs of multi-word terms in a tokenised bitext."),
    "paraphrases": ("dragoman.cli.paraphrases:paraphrases", "Find paraphrases in a text by way of its translation."),
    "lm": ("dragoman.cli.lm:lm", "Estimate language models and score text with them."),
    "inspect": ("dragoman.cli.inspect:inspect", "Show what is in a model folder, or in a file of judgements."),
}
CORPORA: Commands = {
    "corpus": ("dragoman.cli.corpus:corpus", "Count, clean, score, shuffle and split parallel corpora."),
    "select": ("dragoman.cli.select:select", "Take from a pool of text what helps, and say where to stop."),
    "mine": ("dragoman.cli.mine:mine", "Find sentence pairs in texts that are comparable, not parallel."),
    "lint": ("dragoman.cli.lint:lint", "Look over a test set, a bitext or judgements for mistakes."),
    "convert": ("dragoman.cli.convert:convert", "Convert a file or folder into another format."),
    "text": ("dragoman.cli.tree:text", "Tokenise, normalise, split, truecase and annotate text."),
    "compounds": (
        "dragoman.cli.compounds:compounds",
        "Cut compounds into the words they are made of, and merge them.",
    ),
    "inflect": ("dragoman.cli.inflect:inflect", "Learn how words are inflected, and make forms of lemmas."),
    "syntax": ("dragoman.cli.tree:syntax", "Tag, parse and find names, with models that are learnt."),
}
SERVER: Commands = {
    "cat": ("dragoman.cli.cat:cat", "Translate documents with memories, terms and prediction."),
    "serve": ("dragoman.cli.serve:serve", "Run the server: people judge translations in the browser."),
    "demo": ("dragoman.cli.demo:demo", "Run the whole story on the samples, and write a page of it."),
    "samples": ("dragoman.cli.samples:samples", "Write the samples into a folder: a phrasebook and a test set."),
    "completion": ("dragoman.cli.completion:completion", "Print the completion script for your shell."),
}
SECTIONS: Mapping[str, Commands] = {
    "Score and compare": SCORE,
    "Judge and rank": JUDGE,
    "Quality": QUALITY,
    "Engines": ENGINES,
    "Corpora and text": CORPORA,
    "Server and first steps": SERVER,
}

METRIC: Commands = {
    "edits": ("dragoman.cli.edits:edits", "Show the edits from a system's output to the reference."),
    "matrix": ("dragoman.cli.matrix:matrix", "Score every line of one file against every line of another."),
    "hmeant": ("dragoman.cli.hmeant:hmeant", "Score systems by frames that people marked and linked."),
    "coherence": ("dragoman.cli.coherence:coherence", "Tell how coherent texts are, by their discourse relations."),
    "responsiveness": (
        "dragoman.cli.coherence:responsiveness",
        "Tell how well summaries answer, by content and coherence.",
    ),
    "pivots": ("dragoman.cli.pivots:pivots", "Make a table of pivots from a bitext."),
    "train": (
        "dragoman.cli.train_metric:train_metric",
        "Let a metric learn from judgements.",
    ),
    "noref": (
        "dragoman.cli.noref_models:noref_models",
        "Learn from a bitext to score without references.",
    ),
    "retrieval": ("dragoman.cli.retrieval:retrieval", "Score what searches found by relevance judgements."),
    "search": ("dragoman.cli.retrieval:search", "Search documents with translated queries, and score it."),
    "views": (
        "dragoman.cli.retrieval:views",
        "Score systems as they are, normalised, and without case.",
    ),
    "why": ("dragoman.cli.metric_reasons:why", "Say why one output is better than another, error by error."),
    "tune": (
        "dragoman.cli.tune_metric:tune_metric",
        "Tune AMBER's parameters to human judgements.",
    ),
}
RANKINGS: Commands = {
    "head-to-head": (
        "dragoman.cli.head_to_head:head_to_head",
        "Show who beats whom, pair by pair, with exact sign tests.",
    ),
    "compare": (
        "dragoman.cli.head_to_head:compare_rankings",
        "Compare two rankings: how alike they are, and what moved.",
    ),
    "ranges": ("dragoman.cli.head_to_head:ranges", "Rank by adequacy and fluency, with ranges as in 2006."),
}
STUDY: Commands = {
    "comprehension": ("dragoman.cli.comprehension:comprehension", "Plan and score tests of what listeners understood."),
    "understandability": (
        "dragoman.cli.understandability:understandability",
        "Plan and score blind editing: output without its source.",
    ),
    "crowd": ("dragoman.cli.crowd:crowd", "Count votes on crowd translations, review the workers."),
    "proposals": (
        "dragoman.cli.proposals:proposals",
        "Say what became of proposed error spans.",
    ),
}
TEXT: Commands = {
    "tokenize": ("dragoman.cli.text:tokenize", "Cut text into tokens, separated by spaces."),
    "detokenize": ("dragoman.cli.text:detokenize", "Join tokens to text again, as Moses does."),
    "normalize": ("dragoman.cli.text:normalize", "Bring text to one form, by the steps asked for."),
    "split-sentences": ("dragoman.cli.text:split_sentences", "Cut paragraphs, one a line, into sentences, one a line."),
    "truecase": ("dragoman.cli.truecase:truecase", "Learn which words have capitals, and apply or undo it."),
    "subword": ("dragoman.cli.subword:subword", "Train a model of subwords or morphemes; cut text with it."),
    "annotate": ("dragoman.cli.annotate:annotate", "Write lemmas, parts of speech … behind tokens, as factors."),
}
SYNTAX: Commands = {
    "parser": ("dragoman.cli.parser:parser", "Learn to tag and parse from treebanks, and annotate text with it."),
    "grammar": ("dragoman.cli.grammar:grammar", "Learn grammars from treebanks and parse sentences into phrases."),
    "names": ("dragoman.cli.names:names", "Learn to find names of persons, places …, and find them."),
    "functions": (
        "dragoman.cli.functions:functions",
        "Learn grammatical functions, and fill in what trees lack.",
    ),
    "nouns": ("dragoman.cli.nouns:nouns", "Learn to find the arguments of nouns, and find them."),
}


class SectionedGroup(click.Group):
    """A group that lists its commands below headings, in the order of `headings`."""

    def __init__(self, *, headings: Mapping[str, Sequence[str]], **settings: Any) -> None:
        super().__init__(**settings)
        self.headings = headings

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """The names, heading by heading."""
        return [name for names in self.headings.values() for name in names]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """A list below each heading."""
        width = max(map(len, self.list_commands(ctx)))
        for heading, names in self.headings.items():
            with formatter.section(heading):
                room = formatter.width - formatter.current_indent - width - 2
                formatter.write_dl([(f"{name:<{width}}", self.line(name, room)) for name in names])

    def line(self, name: str, room: int) -> str:
        """What a command does, in so many letters."""
        return self.commands[name].get_short_help_str(room)


class LazyGroup(SectionedGroup):
    """A group that imports a command when it is called; `sections` are its tables by heading."""

    def __init__(
        self, *, sections: Mapping[str, Commands], spellings: Mapping[str, str] | None = None, **settings: Any
    ) -> None:
        super().__init__(headings={heading: tuple(commands) for heading, commands in sections.items()}, **settings)
        self.table = {name: entry for commands in sections.values() for name, entry in commands.items()}
        self.spellings = spellings or {}  # another spelling → the name

    def line(self, name: str, room: int) -> str:  # noqa: ARG002 - the table's is short enough
        """The line of the table: the command is not imported."""
        return self.table[name][1]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """The command of a name, imported now."""
        module, _, attribute = self.table.get(self.spellings.get(cmd_name, cmd_name), ("", ""))[0].partition(":")
        return getattr(import_module(module), attribute) if module else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is called; where there is none, the nearest is named, here or in a group below."""
        name = self.spellings.get(args[0], args[0])
        if name not in self.table and not name.startswith("-") and not ctx.resilient_parsing:
            from difflib import get_close_matches

            paths = dict(self._paths())
            near = get_close_matches(name, paths, n=1)
            hint = f" Did you mean {paths[near[0]]!r}?" if near else ""
            ctx.fail(f"There is no command {name!r}.{hint} See: {ctx.command_path} --help")
        return super().resolve_command(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """The names that go on from what was typed, and the options; no command is imported."""
        from click.shell_completion import CompletionItem

        items = [
            CompletionItem(name, help=line) for name, (_, line) in self.table.items() if name.startswith(incomplete)
        ]
        return items + super(click.Group, self).shell_complete(ctx, incomplete)

    def _paths(self) -> Iterator[tuple[str, str]]:
        """Names of commands below and how they are called from here, our own last: of two of one name they count."""
        for name, (place, _) in self.table.items():
            group = globals()[place.partition(":")[2]] if place.startswith(f"{__name__}:") else None
            if isinstance(group, LazyGroup):
                yield from ((below, f"{name} {below}") for below in group.table)
        yield from ((name, name) for name in self.table)


@click.group(cls=LazyGroup, sections={"Commands": METRIC})
def metric() -> None:
    """Look closer: edits, frames, all pairs of lines, tuned metrics."""


@click.group(cls=LazyGroup, sections={"Commands": RANKINGS})
def rankings() -> None:
    """Compare rankings, and show who beats whom."""


@click.group(cls=LazyGroup, sections={"Commands": STUDY})
def study() -> None:
    """Plan and score studies: comprehension, blind editing, crowds."""


# The house writes British English; the commands keep the spelling of the field's tools and answer to both.
_BRITISH = {"detokenise": "detokenize", "normalise": "normalize", "tokenise": "tokenize"}


@click.group(cls=LazyGroup, sections={"Commands": TEXT}, spellings=_BRITISH)
def text() -> None:
    """Tokenise, normalise, split, truecase and annotate text."""


@click.group(cls=LazyGroup, sections={"Commands": SYNTAX})
def syntax() -> None:
    """Tag, parse and find names, with models that are learnt."""
