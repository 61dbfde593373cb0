"""Sources as pictures: no text leaves the server, and what a font lacks is named."""

from __future__ import annotations

import io
import json
from base64 import b64decode
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from dragoman.data.testset import TestSet
from dragoman.errors import DataError
from dragoman.human.draws import Draws
from dragoman.human.pictures import Painter
from dragoman.human.planning import plan, read_plan, write_plan
from tests.human.protocol_examples import example

SOURCES = tuple(f"Der Zug Nummer {n} kommt um sieben." for n in range(1, 9))
DEJAVU = Path("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf")


def size_of(picture: dict[str, Any]) -> tuple[int, int]:
    from PIL import Image

    image = Image.open(io.BytesIO(b64decode(picture["picture"].removeprefix("data:image/png;base64,"))))
    assert (image.width, image.height) == (2 * picture["width"], 2 * picture["height"])
    return image.width, image.height


def test_the_plan_has_pictures_and_no_text(tmp_path: Path) -> None:
    manifest = example("crowd-translation")
    protocol: Any = manifest.protocol
    manifest = replace(
        manifest,
        protocol=replace(protocol, pictures=True, context=1, task_size=4),
        test_set=TestSet(source_lang="de", srcs=SOURCES),
    )
    planned = plan(manifest)
    for task in planned.tasks:
        for item in task.items:
            shown = json.dumps(dict(item.shown), ensure_ascii=False)
            assert not any(source in shown for source in SOURCES)
            assert item.notes["source"] == SOURCES[item.segment - 1]
            size_of(item.shown["source"])
            answer = protocol.simulate(item, Draws(1, item.id), 1.0)
            assert protocol.record(planned.assignments[0], item, answer)[0]["text"] == answer["text"]
    assert planned.tasks == plan(manifest).tasks  # the same bytes
    read = read_plan(write_plan(planned, tmp_path / "plan").folder)
    assert next(dict(item.notes) for each in read for item in each.task.items) == {"source": SOURCES[0]}


def test_long_texts_are_broken_into_lines() -> None:
    painter = Painter(lang="de")
    one, many = size_of(painter.picture("kurz")), size_of(painter.picture("ein langer Satz " * 20))
    assert one[0] == many[0]
    assert many[1] > 4 * one[1]
    word = size_of(painter.picture("w" * 300))  # inside a word that is wider than the picture
    assert word[1] > 3 * one[1]
    assert size_of(painter.picture("")) == one


def test_a_font_that_lacks_a_letter_or_is_none_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"The font .* has no '\U0001f40d'; name one that has, font = \"FILE\""):
        Painter(lang="en").picture("a \U0001f40d")
    (tmp_path / "x.ttf").write_bytes(b"no font")
    with pytest.raises(DataError, match=r"x\.ttf is no font that can be read"):
        Painter(str(tmp_path / "x.ttf")).picture("a")


@pytest.mark.skipif(not DEJAVU.exists(), reason="no font with Arabic letters is at hand")
def test_text_from_right_to_left_begins_at_the_right() -> None:
    from PIL import Image

    picture = Painter(str(DEJAVU), "ar").picture("سلام")
    image = Image.open(io.BytesIO(b64decode(picture["picture"].partition(",")[2]))).convert("L")
    left, _, right, _ = image.point(lambda value: 255 - value).getbbox() or (0, 0, 0, 0)
    assert left > image.width / 2
    assert right > image.width - 20
