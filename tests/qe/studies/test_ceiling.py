from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from dragoman.cli.main import group
from dragoman.errors import DataError
from dragoman.qe.studies import post_edit_ceiling
from dragoman.qe.studies.ceiling import on_scale

POST_EDITS = [f"a b c d e f g h i {word}" for word in "jklmnopqrs"]
OUTPUTS = [" ".join(["x"] * n + line.split()[n:]) for n, line in enumerate(POST_EDITS)]  # n of ten words changed


def test_post_edits_that_say_all_are_as_good_as_the_scores() -> None:
    effort = [5 - 0.4 * n for n in range(10)]
    found = post_edit_ceiling(OUTPUTS, POST_EDITS, effort)
    assert found["hter"].delta_avg == pytest.approx(found["scores"].delta_avg)
    assert found["hter"].spearman == pytest.approx(1)
    # HTER is n/10; its quantiles at 5% and 95% are .045 and .855, which are mapped to 5 and 1.5.
    said = [5 - 3.5 * min(max(n / 10 - 0.045, 0), 0.81) / 0.81 for n in range(10)]
    assert found["hter"].mae == pytest.approx(np.abs(np.subtract(said, effort)).mean())
    upside_down = post_edit_ceiling(OUTPUTS, POST_EDITS, effort[::-1])
    assert upside_down["hter"].delta_avg == pytest.approx(-found["hter"].delta_avg)


def test_less_may_be_better() -> None:
    seconds = [float(n) for n in range(10)]
    found = post_edit_ceiling(OUTPUTS, POST_EDITS, seconds, task="time")
    assert found["hter"].delta_avg == pytest.approx(found["scores"].delta_avg)
    assert found.ends == pytest.approx((8.55, 0.45))
    assert found["hter"].mae == pytest.approx(0.09)  # the two outermost are .45 off


def test_outliers_stand_at_the_ends() -> None:
    values = np.arange(101.0)
    assert on_scale(values, (1.5, 5), higher_is_better=True)[[0, 5, 50, 95, 100]] == pytest.approx(
        [1.5, 1.5, 3.25, 5, 5]
    )
    assert on_scale(values, (1.5, 5), higher_is_better=False)[[0, 50, 100]] == pytest.approx([5, 3.25, 1.5])


def test_what_says_nothing_is_refused() -> None:
    with pytest.raises(DataError, match="Nine tenths of the values are 0; they say nothing of a scale"):
        post_edit_ceiling(POST_EDITS, POST_EDITS, [1, 2, 3, 4, 5] * 2)
    with pytest.raises(DataError, match="3 sentences cannot be ranked by quantiles"):
        post_edit_ceiling(OUTPUTS[:3], POST_EDITS[:3], [1, 2, 3])


def test_the_command(tmp_path: Path) -> None:
    files = {"mt": OUTPUTS, "pe": POST_EDITS, "effort": [f"{5 - 0.4 * n:.1f}" for n in range(10)]}
    for name, lines in files.items():
        (tmp_path / name).write_text("\n".join(lines) + "\n")
    done = CliRunner().invoke(group, ["qe", "study", "ceiling", *(str(tmp_path / name) for name in files), "--json"])
    assert done.exit_code == 0, done.output
    rows = {row["oracle"]: row for row in json.loads(done.output)["rows"]}
    assert list(rows) == ["scores", "hter", "hbleu"]
    assert rows["hter"]["delta_avg"] == pytest.approx(rows["scores"]["delta_avg"])
