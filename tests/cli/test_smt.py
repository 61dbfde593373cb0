"""`dragoman smt` and `dragoman translate` from the door."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from dragoman.cli.main import group
from dragoman.data.bitext import Bitext
from dragoman.data.bitext_files import write_bitext
from dragoman.data.formats.nbest import NBestFormat
from dragoman.errors import DataError, FormatError
from dragoman.files import write_lines
from dragoman.samples import phrasebook


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Training and tuning text, and an engine."""
    folder = tmp_path_factory.mktemp("smt")
    book = phrasebook()
    for lang in ("en", "de"):
        write_lines(folder / f"train.{lang}", book[lang][:540])
        write_lines(folder / f"dev.{lang}", book[lang][540:])
    write_bitext(
        Bitext.from_lines(book["en"][:200], book["de"][:200], source_lang="en", target_lang="de"), folder / "memory.tmx"
    )
    done = run("smt", "train", *training(folder), "-o", folder / "engine")
    assert done.exit_code == 0, done.output
    return folder


def training(folder: Path) -> list[object]:
    return ["--src", folder / "train.en", "--tgt", folder / "train.de"]


def run(*words: object, stdin: str | None = None) -> Result:
    return CliRunner(catch_exceptions=False).invoke(group, [str(word) for word in words], input=stdin)


def test_lines_come_out_in_their_order(folder: Path) -> None:
    done = run("translate", "-m", folder / "engine", stdin="I booked a room for two nights.\n\nGood morning!\n")
    lines = done.stdout.split("\n")
    assert len(lines) == 4
    assert lines[0].endswith("gebucht.")
    assert lines[1] == ""


def test_the_command_and_the_function_agree_whatever_the_threads(folder: Path) -> None:
    from dragoman.smt import Engine

    expected = Engine.load(folder / "engine").translate((folder / "dev.en").read_text().splitlines())
    for threads in (1, 3):
        done = run("translate", folder / "dev.en", "-m", folder / "engine", "--threads", threads)
        assert done.stdout.splitlines() == expected


def test_n_best_lists_are_moses(folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "out.nbest"
    call = ["translate", folder / "dev.en", "-m", folder / "engine", "--nbest", 5, "--alignment", "-o", file]
    assert run(*call).exit_code == 0
    lists = list(NBestFormat().read(file))
    assert [each.segment for each in lists] == list(range(60))
    first = lists[0].candidates[0]
    names = "table word-penalty phrase-penalty distortion unknown before behind lm class-lm"
    assert list(first.features) == names.split()
    assert len(first.features["table"]) == 4
    assert first.alignment
    assert first.text == run("translate", folder / "dev.en", "-m", folder / "engine").stdout.splitlines()[0]


def test_json_has_rows_tokens_and_features(folder: Path) -> None:
    done = run("translate", "-m", folder / "engine", "--json", "--nbest", 2, stdin="Where is the station?\n")
    told = json.loads(done.stdout)
    assert told["kind"] == "translations"
    assert [row["rank"] for row in told["rows"]] == [1, 2]
    details = told["meta"]["details"][0]
    assert details["source_tokens"] == "where is the station ?"
    assert len(details["features"]) == len(told["meta"]["feature_names"])


def test_alignment_stands_behind_the_tokens(folder: Path) -> None:
    done = run("translate", "-m", folder / "engine", "--alignment", "--tokenised", stdin="Where is it?\n")
    text, links = done.stdout.rstrip("\n").split(" ||| ")
    assert text.endswith(" ?")
    assert {int(link.partition("-")[2]) for link in links.split()} == set(range(len(text.split())))


def test_bars_and_markup_in_the_input_are_text(folder: Path) -> None:
    done = run("translate", "-m", folder / "engine", "--nbest", 3, stdin="a ||| b <seg> &lt; [x]\n")
    assert done.exit_code == 0
    assert all(len(line.split(" ||| ")) == 4 for line in done.stdout.splitlines())


def test_training_from_a_memory(folder: Path) -> None:
    call = [
        "smt",
        "train",
        "--bitext",
        folder / "memory.tmx",
        "--lang-src",
        "de",
        "--lang-tgt",
        "en",
        "-o",
        folder / "tm",
    ]
    told = json.loads(run(*call, "--json").stdout)
    assert told["kind"] == "training"
    assert told["rows"][0] == {**told["rows"][0], "step": "tokens", "outcome": "200 pairs", "state": "made"}
    assert told["meta"]["recipe"]["source_lang"] == "de"


def test_the_report_and_its_warnings(folder: Path) -> None:
    for lang in ("en", "de"):
        write_lines(folder / f"seen.{lang}", (folder / f"train.{lang}").read_text().splitlines()[:20])
    done = run(
        "smt",
        "train",
        *training(folder),
        "--dev-src",
        folder / "seen.en",
        "--dev-ref",
        folder / "seen.de",
        "-o",
        folder / "warned",
        "--work",
        folder / "engine.work",
        "--set",
        "tune.method=none",
    )
    assert "beware: 20 of 20 segments of the dev set stand in the training data" in done.stderr
    assert "Ladder" in done.stdout


def test_explain_shows_the_steps_and_does_nothing(folder: Path) -> None:
    done = run(
        "smt", "train", *training(folder), "-o", folder / "new", "--set", "phrases.longest=4", "--explain", "--json"
    )
    rows = json.loads(done.stdout)["rows"]
    assert [row["state"] for row in rows] == ["to do"] * 7
    assert "longest=4" in rows[-1]["settings"]
    assert not (folder / "new").exists()
    assert not (folder / "new.work").exists()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ([], "Name the training text: --src and --tgt, --bitext, or --corpus."),
        (["--src", "a.en"], "Name the training text"),
        (["--src", "a", "--tgt", "b"], "Name the languages with --lang-src and --lang-tgt"),
        (["--src", "a.en", "--tgt", "a.de", "--dev-src", "d"], "A dev set has both --dev-src and --dev-ref"),
    ],
)
def test_wrong_calls_say_how(call: list[str], message: str) -> None:
    done = run("smt", "train", *call, "-o", "model")
    assert done.exit_code == 2
    assert message in done.stderr


def test_inspecting_an_engine_and_its_phrases(folder: Path) -> None:
    shown = run("smt", "inspect", folder / "engine").stdout
    assert "en → de" in shown
    assert "word-penalty" in shown
    told = json.loads(run("smt", "inspect", folder / "engine", "The station", "Zorgblatt", "--json").stdout)
    assert told["rows"][0]["source"] == "the station"
    assert told["meta"]["missing"] == ["Zorgblatt"]


def test_extracting_from_tokens_and_links(tmp_path: Path) -> None:
    write_lines(tmp_path / "s", ["good morning", "good night"])
    write_lines(tmp_path / "t", ["guten Morgen", "gute Nacht"])
    write_lines(tmp_path / "a", ["0-0 1-1", "0-0 1-1"])
    call = ["smt", "extract", tmp_path / "s", tmp_path / "t", tmp_path / "a", "-m", tmp_path / "table"]
    assert run(*call, "--smoothing", "kneser-ney").exit_code == 0
    told = json.loads(run("smt", "inspect", tmp_path / "table", "good", "--json").stdout)
    assert {row["target"] for row in told["rows"]} == {"guten", "gute"}
    write_lines(tmp_path / "a", ["0-0 1-1", "0-0 1-2"])
    with pytest.raises(FormatError, match=r"a:2: "):
        run(*call)
    write_lines(tmp_path / "a", ["0-0 1-1"])
    with pytest.raises(DataError, match="one line per segment"):
        run(*call)


def test_confidence_stands_behind_the_translation_a_number_for_each_token(folder: Path) -> None:
    done = run("translate", "-m", folder / "engine", "--confidence", "--tokenised", stdin="Where is the station?\n")
    text, numbers = done.stdout.strip().split(" ||| ")
    assert len(numbers.split()) == len(text.split())
    assert all(0 <= float(number) <= 1 for number in numbers.split())
    told = json.loads(
        run("translate", "-m", folder / "engine", "--confidence", "--json", stdin="Good morning!\n").stdout
    )
    (detail,) = told["meta"]["details"]
    assert len(detail["confidence"]) == len(detail["target_tokens"].split())


def test_minimum_risk_gives_one_line_for_each(folder: Path) -> None:
    from dragoman.smt import Engine
    from dragoman.smt.risk import minimum_risk

    engine = Engine.load(folder / "engine")
    lines = (folder / "dev.en").read_text().splitlines()[:5]
    decoded = engine.decode(engine.source.prepare(lines), n_best=100)
    done = run("translate", "-m", folder / "engine", "--mbr", stdin="\n".join(lines))
    assert done.stdout.splitlines() == engine.target.restore(minimum_risk(decoded))
    wrong = run("translate", "-m", folder / "engine", "--mbr", "--nbest", 3, stdin="x\n")
    assert wrong.exit_code == 2
    assert "--mbr gives one plain text for each line" in wrong.output


def test_search_graphs_are_written_a_file_for_each_line(folder: Path, tmp_path: Path) -> None:
    from dragoman.smt.hypergraph import SearchGraph

    done = run(
        "translate", "-m", folder / "engine", "--graph", tmp_path / "graphs", "--tokenised", stdin="Good day!\nHi\n"
    )
    graphs = [SearchGraph.load(tmp_path / "graphs" / f"{n}.graph") for n in (1, 2)]
    assert [graph.n_best(1)[0].text for graph in graphs] == done.stdout.splitlines()


@pytest.fixture(scope="module")
def linked(folder: Path) -> Path:
    """Tokenised text with links, and two tables and an index of it."""
    from dragoman.align import align
    from dragoman.text import MosesTokeniser

    sides = []
    for lang in ("en", "de"):
        sides.append(
            MosesTokeniser(lang=lang, escape=False).tokenise((folder / f"train.{lang}").read_text().splitlines())
        )
        write_lines(folder / f"tok.{lang}", sides[-1])
    found = align(*sides, method="diagonal")
    write_lines(folder / "links", [" ".join(f"{s}-{t}" for s, t in each.sure) for each in found.alignments])
    for name, lines in (("first", slice(0, 300)), ("second", slice(200, 540))):
        for file in ("tok.en", "tok.de", "links"):
            write_lines(folder / f"{name}.{file}", (folder / file).read_text().split("\n")[:-1][lines])
        done = run(
            "smt", "extract", *(folder / f"{name}.{x}" for x in ("tok.en", "tok.de", "links")), "-m", folder / name
        )
        assert done.exit_code == 0, done.output
    return folder


@pytest.mark.parametrize("mode", ["both", "either", "back-off", "fill-up"])
def test_tables_are_combined(linked: Path, mode: str) -> None:
    done = run("smt", "tables", linked / "first", linked / "second", "-m", linked / mode, "--mode", mode)
    assert done.exit_code == 0, done.output
    assert "phrase table" in done.output
    shown = json.loads(run("smt", "inspect", linked / mode, "the", "--json").output)
    assert shown["rows"]


def test_weights_of_interpolation_are_given_or_found(linked: Path) -> None:
    two = [linked / "first", linked / "second"]
    done = run(
        "smt", "tables", *two, "-m", linked / "mixed", "--mode", "interpolated", "--weight", 0.7, "--weight", 0.3
    )
    assert done.exit_code == 0, done.output
    done = run("smt", "tables", *two, "-m", linked / "em", "--mode", "interpolated", "--tune-on", linked / "first")
    assert done.exit_code == 0, done.output
    weights = json.loads((linked / "em" / "manifest.json").read_text())["recipe"]["weights"]
    assert all(first > second for first, second in zip(weights[::2], weights[1::2], strict=True))


def test_text_is_indexed_and_looked_into(linked: Path) -> None:
    files = [linked / name for name in ("tok.en", "tok.de", "links")]
    done = run("smt", "index", *files, "-m", linked / "index", "--samples", 0)
    assert done.exit_code == 0, done.output
    shown = json.loads(run("smt", "inspect", linked / "index", "the room", "nowhere at all", "--json").output)
    assert shown["rows"][0]["source"] == "the room"
    assert shown["meta"]["missing"] == ["nowhere at all"]


def test_a_table_is_pruned_by_its_use(linked: Path) -> None:
    files = [linked / f"first.{name}" for name in ("tok.en", "tok.de", "links")]
    for more in ([], ["--reestimate"]):
        done = run("smt", "prune", linked / "first", *files, "-m", linked / "pruned", "--n-best", 5, "--json", *more)
        assert done.exit_code == 0, done.output
        rows = {row["what"]: row for row in json.loads(done.output)["rows"]}
        assert rows["phrase pairs left"]["share"] < 0.8
        assert rows["sentence pairs translated again"]["n"] == 300


def test_an_engine_of_two_texts_learns_from_the_command_line(folder: Path) -> None:
    texts = [*training(folder), "--extra", folder / "dev.en", folder / "dev.de"]
    shown = run("smt", "train", *texts, "-o", folder / "two", "--set", "tables.mode=back-off", "--explain").output
    assert "phrases-2" in shown
    assert "tables" in shown
    done = run("smt", "train", *texts, "-o", folder / "two", "--set", "index.use=only")
    assert done.exit_code == 0, done.output
    write_lines(folder / "new.en", ["gazumpwurst"])
    write_lines(folder / "new.de", ["Quarkauflauf"])
    done = run("smt", "learn", "-m", folder / "two", "--src", folder / "new.en", "--tgt", folder / "new.de", "--json")
    assert json.loads(done.output)["rows"] == [{"learnt": 1, "pairs": 601}]
    assert run("translate", "-m", folder / "two", stdin="gazumpwurst\n").output == "Quarkauflauf\n"


def test_a_session_is_simulated_in_three_ways(folder: Path) -> None:
    texts = ["--src", folder / "dev.en", "--ref", folder / "dev.de"]
    done = run("cat", "simulate", "-m", folder / "engine", *texts, "--trials", 20, "--json")
    rows = json.loads(done.stdout)["rows"]
    values = {(row["mode"], row["measure"]): row["value"] for row in rows}
    assert values["interactive", "ksmr"] < values["post-edit", "ksmr"] < values["typing", "ksmr"]
    assert all(row["low"] <= row["value"] <= row["high"] for row in rows if not row["measure"].endswith("_ms"))
