"""Post-edits as campaigns export them, and text that is not in tokens."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from dragoman.cli.qe import qe
from dragoman.data.judgements import Judgements
from dragoman.data.judgements.own import JudgementTable
from dragoman.data.judgements.scales import EFFORT
from dragoman.errors import DataError
from dragoman.qe import QEData, QEModel, train_model
from dragoman.qe.post_edited import read_post_edited
from dragoman.qe.recipes import QERecipe
from dragoman.qe.train import is_raw

RAW = [f"Die Nummer {n}, bitte; sie {'sehr ' * (n % 5)}fehlt." for n in range(40)]
RAW_OUTPUTS = [f"The number {n}, please; it is {'very ' * (n % 5)}missing." for n in range(40)]
SCORES = [(n % 5) / 5 for n in range(40)]
SURFACE = QERecipe(features=("surface",), learner="ridge")


def exported(folder: Path, *rows: dict[str, object]) -> Path:
    place = {"system": "kestrel", "effort": 4}
    judgements = Judgements.of(EFFORT, [place | row for row in rows])  # type: ignore[misc]
    JudgementTable().write(judgements, folder / "post-edits.csv")
    return folder / "post-edits.csv"


def row(annotator: str, segment: int, edit: str | None, source: str | None = "Es regnet .") -> dict[str, object]:
    texts = {"source": source, "output": "It are raining .", "post_edit": edit}
    return {"annotator": annotator, "item": f"i{segment}", "segment": segment, **texts}


def test_each_output_is_there_once_with_the_post_edit_that_changes_least(tmp_path: Path) -> None:
    path = exported(
        tmp_path,
        row("ada", 1, "Rain falls ."),
        row("ben", 1, "It is raining ."),
        row("ada", 2, "It rains .", "Regnet es ?"),
        row("ben", 3, None),
    )
    data = read_post_edited(path)
    assert list(data.sources) == ["Es regnet .", "Regnet es ?"]
    assert list(data.outputs) == ["It are raining ."] * 2
    assert list(data.post_edits) == ["It is raining .", "It rains ."]


@pytest.mark.parametrize(
    ("rows", "missing"),
    [([row("ada", 1, "It rains .", None)], "source"), ([row("ada", 1, None)], "post_edit")],
)
def test_a_table_that_lacks_something_is_refused(tmp_path: Path, rows: list[dict[str, object]], missing: str) -> None:
    with pytest.raises(DataError, match=f"post-edits.csv has no {missing} in any row.*campaign export NAME -o"):
        read_post_edited(exported(tmp_path, *rows))


def test_text_that_is_not_in_tokens_is_recognised() -> None:
    assert is_raw(RAW)
    assert is_raw(["Dr. Müller kommt, sagt er.", "Nein!"])
    assert not is_raw(["Dr. Müller kommt , sagt er .", "Nein !"])
    assert not is_raw(["ohne Zeichen", ""])
    assert not is_raw([])


def test_a_model_keeps_the_tokeniser_that_was_chosen_and_is_asked_of_raw_text(tmp_path: Path) -> None:
    data = QEData.of(RAW, RAW_OUTPUTS, scores=SCORES)
    model = train_model(data, SURFACE)
    assert model.reading is not None
    assert (model.reading.source_tokeniser, model.reading.target_tokeniser) == ("13a", "13a")
    model.save(tmp_path / "model")
    again = QEModel.load(tmp_path / "model")
    cut = [
        [line.replace(".", " .").replace(",", " ,").replace(";", " ;") for line in side] for side in (RAW, RAW_OUTPUTS)
    ]
    assert again.predict(RAW, RAW_OUTPUTS) == again.predict(*cut)
    in_tokens = train_model(QEData.of(cut[0], cut[1], scores=SCORES), SURFACE)
    assert in_tokens.reading is not None
    assert (in_tokens.reading.source_tokeniser, in_tokens.reading.target_tokeniser) == ("none", "none")
    assert in_tokens.predict(*cut).scores == pytest.approx(model.predict(RAW, RAW_OUTPUTS).scores)


def test_the_commands_tell_what_they_cut_and_could_publish(tmp_path: Path) -> None:
    for suffix, lines in (("src", RAW), ("mt", RAW_OUTPUTS), ("hter", map(str, SCORES))):
        (tmp_path / f"raw.{suffix}").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    words = ["train", "--data", str(tmp_path / "raw"), "-m", str(tmp_path / "model"), "-f", "surface"]
    told = CliRunner().invoke(qe, [*words, "--learner", "ridge", "--target-tokeniser", "none"])
    assert told.exit_code == 0, told.output
    assert "The source text is not in tokens. It is cut by 13a" in told.stderr
    assert "The target text" not in told.stderr
    model = QEModel.load(tmp_path / "model")
    assert model.reading is not None
    assert (model.reading.source_tokeniser, model.reading.target_tokeniser) == ("13a", "none")
    page = tmp_path / "decisions.html"
    words = ["decide", "--data", str(tmp_path / "raw"), "-m", str(tmp_path / "model"), "--html", str(page), "--json"]
    decided = CliRunner().invoke(qe, words)
    assert decided.exit_code == 0, decided.output
    curve = json.loads(decided.stdout)["meta"]["curve"]
    assert [step["risk"] for step in curve] == sorted(step["risk"] for step in curve)
    assert "What could be published" in page.read_text(encoding="utf-8")
