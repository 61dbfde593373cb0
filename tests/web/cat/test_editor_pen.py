"""The pen area in the browser: gestures over words, strokes undone, handwriting that the writer has taught."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from tests.web.cat.desks import Office, Person
from tests.web.test_access import shortcomings

Sit = Callable[..., Person]
Points = Sequence[tuple[float, float]]


def _switch_on(person: Person) -> None:
    person.page.click("#open-settings")
    person.page.set_checked("#settings [name=pen]", True)
    person.press("Escape")
    person.page.wait_for_selector(".pen canvas")


def _draw(person: Person, points: Points) -> None:
    mouse = person.page.mouse
    mouse.move(*points[0])
    mouse.down()
    for point in points[1:]:
        mouse.move(*point, steps=8)
    mouse.up()


def _box(person: Person, word: int) -> dict[str, float]:
    found = person.page.locator(f".pen-text [data-word='{word}']")
    found.scroll_into_view_if_needed()
    return dict(found.bounding_box())


def test_gestures_delete_move_and_accept(office: Office, sit: Sit) -> None:
    project = office.project()
    ada = sit("ada", project)
    ada.agree()
    assert ada.page.locator(".pen").count() == 0  # nobody has it who has not asked for it
    _switch_on(ada)
    ada.type("The dog dog sleeps.")
    assert shortcomings(ada.page) == []
    ada.page.set_viewport_size({"width": 1280, "height": 900})
    word = _box(ada, 2)
    middle = word["y"] + word["height"] / 2
    _draw(ada, [(word["x"] - 2, middle), (word["x"] + word["width"] + 2, middle)])
    ada.shows("The dog sleeps.")
    ada.page.get_by_role("button", name="Undo", exact=True).click()
    ada.shows("The dog dog sleeps.")
    ada.page.clock.install()
    ada.page.clock.pause_at(time.time() + 60)  # so that no time passes until the stroke is taken back
    _draw(ada, [(word["x"] - 2, middle), (word["x"] + word["width"] + 2, middle)])
    ada.page.get_by_role("button", name="Undo", exact=True).click()
    ada.page.clock.run_for(10_000)
    assert ada.text == "The dog dog sleeps."
    ada.page.clock.resume()
    ada.press("Control+a")
    ada.type("sleeps dog The")
    first, last = _box(ada, 0), _box(ada, 2)
    y, x = first["y"] + first["height"] / 2, first["x"] + first["width"] / 2
    end = last["x"] + last["width"] / 2
    _draw(ada, [(x, y), (end, y), (end - 40, y - 25), (end, y), (end - 40, y + 25)])  # an arrow
    ada.shows("dog The sleeps")
    area = ada.page.locator(".pen-area").bounding_box()
    x, y = area["x"] + area["width"] * 0.7, area["y"] + 20
    _draw(ada, [(x, y + 40), (x + 20, y + 80), (x + 70, y)])  # a tick
    office.saved(project, 1, "dog The sleeps", "translated")
    frames = office.get(f"{project}/replay", "ada")["frames"]
    assert [frame["data"]["name"] for frame in frames if frame["kind"] == "gesture"] == ["delete", "move", "accept"]
    assert {"stroke", "strokeUndone"} <= {frame["kind"] for frame in frames}
    assert "pen" in {frame["data"]["by"] for frame in frames if frame["kind"] == "text"}


def test_without_a_pen_buttons_do_the_same_and_strokes_can_be_taught(office: Office, sit: Sit) -> None:
    ada = sit("ada", office.project())
    _switch_on(ada)
    ada.type("The big dog")
    ada.press("ArrowLeft", "ArrowLeft", "ArrowLeft", "ArrowLeft", "ArrowLeft")
    ada.page.get_by_role("button", name="Move the word on").click()
    ada.shows("The dog big")
    ada.page.get_by_role("button", name="Delete the word").click()
    ada.shows("The dog")
    area = ada.page.locator(".pen-area").bounding_box()
    x, y = area["x"] + area["width"] * 0.7, area["y"] + 20
    shape = [(x, y + 60), (x, y), (x + 60, y), (x + 60, y + 60), (x + 20, y + 60), (x + 20, y + 20), (x + 40, y + 30)]
    _draw(ada, shape)
    ada.page.fill(".pen-message input", "sleeps")
    ada.press("Enter")
    ada.shows("The dog sleeps")
    ada.press("Control+a")
    ada.type("The cat")
    _draw(ada, shape)
    ada.shows("The cat sleeps")
