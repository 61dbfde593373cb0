"""Metrics and reports on layers: every sentence is annotated once, and who annotated stands in the signature."""

from __future__ import annotations

import json
import pickle
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import pytest
from click.testing import CliRunner

from dragoman.cli.main import group
from dragoman.data import assemble
from dragoman.errors import DataError
from dragoman.metrics import ScoreCache, as_test_set, error_profile, score
from dragoman.metrics.references import ScoredText
from dragoman.metrics.signature import metric_of_signature
from dragoman.metrics.specs import make_metrics
from dragoman.options import option
from dragoman.text import ANNOTATORS
from dragoman.text.annotate import Annotator
from dragoman.text.layers import make_annotator
from tests.metrics.comparisons import compare

SYSTEMS = {"a": ["he goes home", "we sing", "same"], "b": ["he went home", "we sing", "same"]}
REFS = [["he goes home", "we sang", "same"]]
BASES = {"goes": "go", "went": "go", "sang": "sing"}
worked_on: Counter[str] = Counter()


@dataclass(frozen=True)
class Bases(Annotator[str]):
    """Base forms in context, as far as anybody can tell."""

    name: ClassVar[str] = "bases"
    layers: ClassVar[tuple[str, ...]] = ("lemma", "pos")

    lang: str = option("en", positional=True, text="")
    give: str = option("pos", text="")
    trained: ClassVar[str] = "once"

    def fingerprint(self) -> str:
        return f"{self.signature()} {self.trained}"

    def _annotate(self, token_lines: Sequence[Sequence[str]]) -> list[list[str]]:
        worked_on.update(f"{self.give}: {' '.join(tokens)}" for tokens in token_lines)
        return [[BASES.get(token, token) for token in tokens] for tokens in token_lines]


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    worked_on.clear()
    make_annotator.cache_clear()
    monkeypatch.setattr(ANNOTATORS, "_all", ANNOTATORS._entries() | {"bases": f"{__name__}:Bases"})
    yield
    make_annotator.cache_clear()


LAYERS = {"lemma": "bases+lang=en", "pos": "bases+lang=en"}


def test_several_metrics_and_systems_annotate_each_sentence_once() -> None:
    names = ["worderrcats:base=lemma", "blockerrcats:base=lemma"]
    sheet = score(SYSTEMS, REFS, metrics=make_metrics(names, LAYERS))
    assert set(worked_on.values()) == {1}
    assert len(worked_on) == len({line for lines in (*SYSTEMS.values(), *REFS) for line in lines})
    assert sheet.metrics == ("worderrcats:base=bases+lang=en", "blockerrcats:base=bases+lang=en")
    assert "|base:bases+lang=en|" in sheet.signatures[0]
    assert metric_of_signature(sheet.signatures[0]) == make_metrics(names[0], LAYERS)[0]
    # went and goes have one base form, which the first letters do not tell.
    assert error_profile(as_test_set(SYSTEMS, REFS, layers=LAYERS)).rates("b")["inflection"][0] > 0
    assert error_profile(as_test_set(SYSTEMS, REFS)).rates("b")["lexical"][0] > 0


def test_a_comparison_annotates_each_sentence_once_for_all_its_tables() -> None:
    found = compare(SYSTEMS, REFS, metrics=["worderrcats:base=lemma"], layers=LAYERS, trials=20)
    assert {text for text, times in worked_on.items() if times > 1} == set()
    assert {text.partition(":")[0] for text in worked_on} == {"lemma", "pos"}
    assert found.errors is not None
    assert found.errors.options["base"] == "bases+lang=en"


def test_what_nobody_makes_is_named_before_work() -> None:
    for ask in (lambda m: score(SYSTEMS, REFS, metrics=m), lambda m: compare(SYSTEMS, REFS, metrics=m, layers={})):
        with pytest.raises(DataError, match="worderrcats asks for the layer lemma, which nobody makes: --layer"):
            ask(["bleu", "worderrcats:base=lemma"])
    assert not worked_on


def test_a_model_that_was_trained_anew_makes_other_scores(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = ScoreCache(tmp_path, least_seconds=0.0)
    (metric,) = make_metrics("worderrcats:base=lemma", LAYERS)
    keys = set()
    for trained in ("once", "again"):
        monkeypatch.setattr(Bases, "trained", trained)
        keys.add(cache.key(metric, SYSTEMS["a"], ScoredText.of(as_test_set(SYSTEMS, REFS))))
    assert len(keys) == 2


def test_a_test_set_carries_who_makes_its_layers(tmp_path: Path) -> None:
    for name, lines in (("a.en", SYSTEMS["a"]), ("ref.en", REFS[0])):
        (tmp_path / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    given = {"refs": [tmp_path / "ref.en"], "systems": [tmp_path / "a.en"], "layers": ["lemma=bases"]}
    found = assemble(**given, target_lang="en")
    assert found.layers == {"lemma": "bases+lang=en"}
    assert pickle.loads(pickle.dumps(found)).layers == found.layers
    with pytest.raises(TypeError):
        found.layers["lemma"] = "other"  # type: ignore[index]
    with pytest.raises(DataError, match="of which language"):
        assemble(**given)


def test_the_command_line_gives_layers_to_metrics(tmp_path: Path) -> None:
    for name, lines in (("b.en", SYSTEMS["b"]), ("ref.en", REFS[0])):
        (tmp_path / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    call = ["score", str(tmp_path / "b.en"), "-r", str(tmp_path / "ref.en"), "-m", "worderrcats:base=lemma", "--json"]
    done = CliRunner().invoke(group, [*call, "--layer", "lemma=bases:en"])
    assert done.exit_code == 0, done.output
    (row,) = json.loads(done.output)["rows"]
    assert (
        row["score"]
        == score({"b": SYSTEMS["b"]}, REFS, metrics=make_metrics(row["metric"])).score("b", row["metric"]).value
    )
    assert "asks for the layer lemma" in str(CliRunner().invoke(group, call).exception)
    (tmp_path / "a.en").write_text("\n".join(SYSTEMS["a"]) + "\n", encoding="utf-8")
    gate = ["gate", str(tmp_path / "b.en"), str(tmp_path / "a.en"), *call[2:]]
    passed = CliRunner().invoke(group, [*gate, "--layer", "lemma=bases:en"])
    assert passed.exit_code == 0, passed.output
    assert json.loads(passed.output)["rows"][0]["metric"] == "worderrcats:base=bases+lang=en"
