"""Engines whose rules name source symbols: what is translated is parsed, by a parser of theirs or by somebody else."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from dragoman.cli.main import group
from dragoman.data.bitext import Bitext
from dragoman.errors import DataError, FormatError
from dragoman.files import read_lines, write_lines
from dragoman.smt import Engine, EngineRecipe
from dragoman.smt.recipe import changed
from dragoman.smt.training import train_engine
from dragoman.syntax import Parser, ParserRecipe
from dragoman.text.conllu import Sentence, Word, write_conllu
from tests.syntax.toy import toy_treebank

# A language that says verbs last, as German does in clauses.
WORDS = {
    "the": "der",
    "a": "ein",
    "dog": "Hund",
    "cat": "Kater",
    "bird": "Vogel",
    "house": "Turm",
    "garden": "Garten",
    "child": "Sohn",
    "sees": "sieht",
    "likes": "mag",
    "finds": "findet",
    "watches": "bewacht",
    "old": "alte",
    "small": "kleine",
    "green": "grüne",
    "de": "von",
    "el": "dem",
    ".": ".",
}


def _plain(sentence: Sentence) -> Sentence:
    """Without tokens of several words, of which a translator's tokeniser knows nothing."""
    return Sentence(tuple(row for row in sentence.rows if isinstance(row, Word)))


def _translation(sentence: Sentence) -> str:
    words = [WORDS[word.form] for word in sentence.words if word.upos != "VERB"]
    verb = next(WORDS[word.form] for word in sentence.words if word.upos == "VERB")
    return " ".join([*words[:-1], verb, "."])


TREES = [_plain(sentence) for sentence in toy_treebank(260)]
SOURCES = [" ".join(word.form for word in sentence.words) for sentence in TREES]
TARGETS = [_translation(sentence) for sentence in TREES]
N_TRAIN, N_TEST = 220, 20
PLAIN = ["grammar.kind=hiero", "tune.method=none", "classes.number=0", "text.truecase=false"]


@pytest.fixture(scope="module")
def bitext() -> Bitext:
    return Bitext.from_lines(SOURCES[:N_TRAIN], TARGETS[:N_TRAIN], source_lang="en", target_lang="de")


@pytest.fixture(scope="module")
def parser(made_once: Callable[..., Path]) -> str:
    def train(folder: Path) -> None:
        ParserRecipe(epochs=5, tag_epochs=4, folds=2).train(TREES[:100]).save(folder / "parser")

    return str(made_once("toy-source-parser", train) / "parser")


@pytest.fixture(scope="module")
def model(bitext: Bitext, parser: str, made_once: Callable[..., Path]) -> Path:
    settings = ["grammar.labels=heads", "grammar.reorder=true", f"parse.source={parser}"]

    def train(folder: Path) -> None:
        recipe = changed(EngineRecipe(), [*PLAIN, *settings])
        train_engine(bitext, recipe, work=folder / "work", output=folder / "engine")

    return made_once("toy-heads", train) / "engine"


@pytest.fixture(scope="module")
def engine(model: Path) -> Engine:
    return Engine.load(model)


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "text"
    write_lines(path, SOURCES[-N_TEST:])
    return path


@pytest.fixture
def parses(tmp_path: Path) -> Path:
    path = tmp_path / "text.conllu"
    write_conllu(path, TREES[-N_TEST:])
    return path


def run(*arguments: object) -> tuple[int, str]:
    done = CliRunner().invoke(group, ["translate", *map(str, arguments)])
    return done.exit_code, done.output


def test_the_engine_takes_its_parser_along_and_rules_are_called_by_heads(engine: Engine, model: Path) -> None:
    assert isinstance(engine.models.parser, Parser)
    assert (model / "parser").is_dir()
    assert engine.models.grammar is not None
    assert {"noun", "verb", "verb-det"} <= set(engine.models.grammar.names[0])
    outputs = engine.decode(engine.source.prepare(SOURCES[-N_TEST:])).best()
    same = sum(output == target for output, target in zip(outputs, TARGETS[-N_TEST:], strict=True))
    assert same > N_TEST / 2  # by weights that were not tuned


def test_parses_of_a_file_stand_for_those_of_the_parser(
    engine: Engine, model: Path, text: Path, parses: Path, parser: str, tmp_path: Path
) -> None:
    lines = read_lines(text)
    own = tmp_path / "own.conllu"
    write_conllu(own, [each for each in Parser.load(parser).parse([line.split() for line in lines]) if each])
    assert engine.with_parses(lines, own).translate(lines) == engine.translate(lines)
    given = engine.with_parses(lines, parses)
    assert given.translate(lines[::-1]) == given.translate(lines)[::-1]
    assert run(text, "-m", model, "--parses", parses) == (0, "".join(f"{line}\n" for line in given.translate(lines)))
    with pytest.raises(DataError, match="no parse of 'never seen' among those"):
        given.translate(["never seen"])


def test_labels_say_where_rules_may_stand(engine: Engine, text: Path, tmp_path: Path) -> None:
    """With all words hanging on the first, most spans have other heads: other rules, and more glue."""
    lines = read_lines(text)
    flat = [
        Sentence(tuple(Word(w.id, w.form, xpos="noun", head=min(1, w.id - 1), deprel="dep") for w in each.words))
        for each in TREES[-N_TEST:]
    ]
    write_conllu(tmp_path / "flat.conllu", flat)
    tokens = engine.source.prepare(lines)
    other = engine.with_parses(lines, tmp_path / "flat.conllu")
    assert not (engine.decode(tokens).scores == other.decode(tokens).scores).all()


def test_a_line_without_a_parse_is_translated_by_rules_called_x_and_glue(
    engine: Engine, text: Path, tmp_path: Path
) -> None:
    lines = read_lines(text)
    bare = [Sentence(tuple(Word(w.id, w.form) for w in each.words)) for each in TREES[-N_TEST:]]
    write_conllu(tmp_path / "bare.conllu", bare)
    outputs = engine.with_parses(lines, tmp_path / "bare.conllu").translate(lines)
    assert all(outputs)


def test_rules_without_labels_stand_in_for_those_that_do_not_fit(
    bitext: Bitext, engine: Engine, parser: str, text: Path, tmp_path: Path
) -> None:
    """Where nothing is parsed, labelled rules are of no use: glue does the work, unless there are plain ones."""
    recipe = changed(EngineRecipe(), [*PLAIN, "grammar.labels=heads", "grammar.backoff=true", f"parse.source={parser}"])
    both = train_engine(bitext, recipe, work=tmp_path / "work").engine
    lines = read_lines(text)
    bare = [Sentence(tuple(Word(w.id, w.form) for w in each.words)) for each in TREES[-N_TEST:]]
    write_conllu(tmp_path / "bare.conllu", bare)
    plain, labelled = (each.with_parses(lines, tmp_path / "bare.conllu") for each in (both, engine))
    assert _glue(plain, lines) < _glue(labelled, lines)
    tokens = both.source.prepare(lines)
    assert both.decode(tokens).scores.mean() >= plain.decode(tokens).scores.mean()  # there are more ways to say a line


def test_soft_labels_forbid_nothing(bitext: Bitext, parser: str, text: Path, tmp_path: Path) -> None:
    """Without parses the engine is Hiero's, to the score; with them there are more ways to say a line."""
    settings = ["grammar.labels=heads", "grammar.soft=1", f"parse.source={parser}"]
    soft, hiero = (
        train_engine(bitext, changed(EngineRecipe(), [*PLAIN, *more]), work=tmp_path / "work").engine
        for more in (settings, [])
    )
    lines = read_lines(text)
    bare = [Sentence(tuple(Word(w.id, w.form) for w in each.words)) for each in TREES[-N_TEST:]]
    write_conllu(tmp_path / "bare.conllu", bare)
    tokens = soft.source.prepare(lines)
    plain = hiero.decode(tokens)
    assert soft.with_parses(lines, tmp_path / "bare.conllu").decode(tokens).scores == pytest.approx(plain.scores)
    assert (soft.decode(tokens).scores >= plain.scores - 1e-4).all()
    named = soft.with_weights({**soft.weights, "named-gap": -2.0}).decode(tokens, features=True)
    assert (named.features[:, soft.feature_names.index("named-gap")] < 0).any()  # a penalty that is a gain


def _glue(engine: Engine, lines: list[str]) -> float:
    decoded = engine.decode(engine.source.prepare(lines), features=True)
    return float(abs(decoded.features[:, engine.feature_names.index("glue")]).sum())


@pytest.mark.parametrize(
    ("damage", "error", "message"),
    [
        (lambda trees: trees[:-1], DataError, "no parse for line 20 of the text"),
        (lambda trees: [*trees, trees[0]], FormatError, "a parse too many: the text has 20 lines"),
        (lambda trees: [trees[0], _short(trees[1]), *trees[2:]], FormatError, "the parse of line 2 has 1 tokens"),
        (lambda trees: [_hung(trees[0], (2, 1)), *trees[1:]], FormatError, "sentence 1: .*circle"),
        (lambda trees: [_hung(trees[0], (0, 0)), *trees[1:]], FormatError, "sentence 1: .*root"),
        (lambda trees: [_renamed(each) for each in trees], DataError, "No label of the parses is one of the grammar's"),
    ],
    ids=["missing", "too many", "tokens", "circle", "two roots", "labels"],
)
def test_parses_that_do_not_fit_are_refused(
    damage: Callable[[list[Sentence]], list[Sentence]],
    error: type[DataError],
    message: str,
    engine: Engine,
    model: Path,
    text: Path,
    tmp_path: Path,
) -> None:
    path = tmp_path / "odd.conllu"
    write_conllu(path, damage(TREES[-N_TEST:]))
    with pytest.raises(error, match=message):
        engine.with_parses(read_lines(text), path)
    done = CliRunner().invoke(group, ["translate", str(text), "-m", str(model), "--parses", str(path)])
    assert isinstance(done.exception, error)


def _short(sentence: Sentence) -> Sentence:
    return Sentence((Word(1, sentence.words[0].form, head=0, deprel="root"),))


def _hung(sentence: Sentence, heads: tuple[int, int]) -> Sentence:
    """The first two words hang elsewhere."""
    words = [
        Word(w.id, w.form, upos=w.upos, xpos=w.xpos, head=heads[w.id - 1] if w.id <= 2 else w.head, deprel=w.deprel)
        for w in sentence.words
    ]
    return Sentence(tuple(words))


def _renamed(sentence: Sentence) -> Sentence:
    return Sentence(tuple(Word(w.id, w.form, xpos=f"Q{w.xpos}", head=w.head, deprel=w.deprel) for w in sentence.words))


def test_parses_for_engines_that_ask_for_none_are_refused(
    bitext: Bitext, text: Path, parses: Path, tmp_path: Path
) -> None:
    recipe = changed(EngineRecipe(), [*PLAIN, "grammar.span=5"])
    done = train_engine(bitext, recipe, work=tmp_path / "work", output=tmp_path / "engine")
    with pytest.raises(DataError, match="asks for no parses of what it translates"):
        done.engine.with_parses(read_lines(text), parses)
    code, told = run("-", "-m", tmp_path / "engine", "--parses", parses)
    assert code == 2
    assert "--parses stand beside the lines of a file" in told
