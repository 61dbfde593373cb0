"""What the README promises: a campaign with three people, who of them is careless, and a ranking page for everybody.

Commands and pages as they are: `campaign new`, `serve`, the links that they print, three browsers with a keyboard.
"""

from __future__ import annotations

import os
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.web.client import PASSWORD
from tests.web.running import Running

SAMPLES = Path(__file__).parents[2] / "src" / "dragoman" / "samples" / "testset"
QUALITY = {"atlas": 9, "cobalt": 7, "ember": 5}  # of ten; degraded copies deserve nothing
# Tasks of 40, a quarter of each degraded copies: what one task tells of a person in the README's 100 items.
MANIFEST = """
name = "three"
protocol = "da"
redundancy = 2
seed = 1
annotators = 3
section_size = 4
controls = {bad = 0.25}

[test_set]
source_lang = "de"
target_lang = "en"
srcs = "source.de"
refs = {A = "reference-A.en"}
systems = ["systems/atlas.en", "systems/cobalt.en", "systems/ember.en"]
"""


def judge(page: Any, name: str, care: Callable[[str], int]) -> None:
    """Join by the link and judge a task, each output by one digit."""
    page.fill("#name", name)
    page.fill("#password", PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_selector("#screen .screen")
    for n in range(1, 41):
        page.wait_for_function(f"() => /\\b{n}\\b.*\\b40\\b/.test(document.querySelector('main').innerText)")
        page.keyboard.press(str(care(page.inner_text(".cell.output .text").strip())))
        page.keyboard.press("Control+Enter")
    page.wait_for_function("() => document.getElementById('save-state').dataset.state === 'saved'")


def worked(server: Running) -> float:
    """Seconds of processor time that a server has had."""
    words = Path(f"/proc/{server.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def test_three_people_one_careless_and_a_public_ranking(tmp_path: Path, open_page: Callable[..., Any]) -> None:
    shutil.copytree(SAMPLES, tmp_path / "set")
    (tmp_path / "set" / "three.toml").write_text(MANIFEST, encoding="utf-8")
    deserved = {
        line.strip(): mark
        for system, mark in QUALITY.items()
        for line in (SAMPLES / "systems" / f"{system}.en").read_text(encoding="utf-8").splitlines()
    }
    begun = os.times()
    command = [str(Path(sys.executable).with_name("dragoman")), "campaign", "new", "set/three.toml"]
    made = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    link = re.search(r"http://127\.0\.0\.1:8000(/join/\S+)", made.stderr)
    assert link is not None
    with Running("dragoman.db", log=tmp_path / "log.txt") as server:
        chance, clicks = random.Random(3), random.Random(1)
        people: dict[str, Callable[[str], int]] = {
            "carla": lambda text: deserved.get(text, 0),
            "anton": lambda text: max(0, min(9, deserved.get(text, 1) + chance.choice((-1, 0, 0, 1)))),
            "rudi": lambda _: clicks.randrange(10),
        }
        for name, care in people.items():
            page = open_page(f"{server.address}{link[1]}")
            if name == "carla":
                # What the machine works from the first command to the form of the first annotator.
                spent = os.times()
                made_in = spent.children_user + spent.children_system - begun.children_user - begun.children_system
                assert made_in + worked(server) < 60
            judge(page, name, care)
            page.context.close()
        boss = open_page(server.opening["first_admin"])
        boss.fill("#name", "boss")
        boss.fill("#password", PASSWORD)
        boss.keyboard.press("Enter")
        boss.wait_for_url("**/campaigns")
        boss.click("main >> text=three")
        boss.click("nav.tabs >> text=Quality")
        boss.wait_for_url("**/three/quality")
        verdicts = dict(re.findall(r"(carla|anton|rudi) (careful|careless|undecided)", boss.inner_text(".cards")))
        assert verdicts == {"carla": "careful", "anton": "careful", "rudi": "careless"}
        card = boss.locator(".cards > li", has_text="rudi")
        card.locator("summary").click()
        card.locator("input[name=renew]").check()
        card.locator("button").click()
        boss.wait_for_selector("text=Count again")
        boss.click("nav.tabs >> text=Ranking")
        boss.click("text=Publish the ranking")
        boss.wait_for_selector("#public")
        guest = open_page(boss.input_value("#public"))
        told = guest.inner_text("main")
        assert re.findall(r"^(atlas|cobalt|ember)\t", told, re.MULTILINE)[:3] == ["atlas", "cobalt", "ember"]
        assert not re.search(r"\b(carla|anton|rudi|boss)\b", guest.inner_text("body"))
        assert "data" in told  # enough or not, it is said
