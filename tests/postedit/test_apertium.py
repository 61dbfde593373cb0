"""A post-editor behind the real Apertium, where it is installed."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from dragoman.cli.main import group
from dragoman.engines import Translates, load_engine, need
from dragoman.metrics import score
from dragoman.samples import phrasebook
from dragoman.testing.engines import check_engine
from tests.engines.test_apertium import _modes

needs_pair = pytest.mark.skipif("spa-eng" not in _modes(), reason="Apertium with the pair spa-eng is not installed")


@needs_pair
def test_rules_with_a_post_editor_are_an_engine_that_is_better_than_rules_alone(tmp_path: Path) -> None:
    book = phrasebook()
    order = sorted(range(len(book["es"])), key=lambda place: (place % 5, place))
    srcs, refs = ([book[lang][place] for place in order] for lang in ("es", "en"))
    (tmp_path / "text.es").write_text("\n".join(srcs[:480]) + "\n")
    (tmp_path / "text.en").write_text("\n".join(refs[:480]) + "\n")
    sides = ["-s", str(tmp_path / "text.es"), "-r", str(tmp_path / "text.en")]
    model = str(tmp_path / "editor")
    done = CliRunner().invoke(group, ["postedit", "train", *sides, "--base", "apertium:spa-eng", "-m", model])
    assert done.exit_code == 0, done.output
    rules, engine = (need(load_engine(spec), Translates) for spec in ("apertium:spa-eng", f"postedit:{model}"))
    assert engine.languages == ("es", "en")
    check_engine(engine, [srcs[480], "", "¿Dónde está el zorgblatt 12?"])
    outputs, edited = rules.translate(srcs[480:]), engine.translate(srcs[480:])
    sheet = score({"rules": outputs, "edited": edited}, [refs[480:]], metrics=["bleu"])
    before, after = sheet.values[:, 0, 0]
    assert after > before + 1
