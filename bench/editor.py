"""The editor in a real browser: how long from a key to its prediction on the screen, from a click to an open segment.

    python bench/editor.py ENGINE [--segments 5] [--keys 60]        # an engine's folder, German to English

Headless Chromium opens the editor on a server of one process on one core, at sentences of 40 words, joined captions of
Multi30k, and types their reference with a pause of a tenth of a second. A key's time ends with the frame that shows the
server's answer to it. An opening ends with the frame that shows the field with its caret; `predicted` is when the
first prediction stands in it. The clock is the page's own, so the network, the scripts and the drawing are all in it.
With --strict it fails if a bar is not met.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from needs import caption_engine, real_data
from workbench import captions, prepare, serving, tell

from dragoman.store.people.sessions import COOKIE

# Times of answers by the id of the call; a frame is on the screen when a task behind it runs.
WATCH = """
(() => {
  const times = { key: [], opening: [], predicted: [] };
  const asked = new Map();
  let pressed = 0;
  let clicked = 0;
  const painted = (run) => requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = run;
    port2.postMessage(0);
  });
  addEventListener("keydown", () => { pressed = performance.now(); }, true);
  addEventListener("click", () => { clicked = performance.now(); }, true);
  const Native = WebSocket;
  window.WebSocket = class extends Native {
    constructor(...given) {
      super(...given);
      this.addEventListener("message", ({ data }) => {
        const message = JSON.parse(data);
        const since = asked.get(message.id);
        if (!since || message.data.stale || message.errors?.length) return;
        const [kind, start] = since;
        painted(() => times[kind].push(performance.now() - start));
        if (kind === "predicted") clicked = 0;
      });
    }
    send(text) {
      const { id, name } = JSON.parse(text);
      if (name === "setPrefix" && clicked) asked.set(id, ["predicted", clicked]);
      else if (name === "setPrefix" && pressed) asked.set(id, ["key", pressed]);
      pressed = 0;
      super.send(text);
    }
  };
  document.addEventListener("focusin", (event) => {
    const start = clicked;
    if (!start || !event.target.matches(".pane textarea[lang]")) return;
    painted(() => times.opening.push(performance.now() - start));
  });
  window.watched = times;
})();
"""


def measure(page: Any, references: list[str], keys: int) -> dict[str, list[float]]:
    """Open segment after segment and type; times in milliseconds."""
    for place, text in enumerate(references, 1):
        page.click(f".row[data-place='{place}'] .place")
        page.wait_for_selector(f".row.active[data-place='{place}'] .ghost")
        page.wait_for_selector(".pane .suggestions li")
        for letter in text[:keys]:
            page.keyboard.type(letter)
            page.wait_for_timeout(100)
        page.keyboard.press("Control+a")
        page.keyboard.press("Delete")
        page.wait_for_timeout(500)
    return dict(page.evaluate("window.watched"))


def main() -> int:
    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engine", nargs="?", help="an engine's folder; else one is trained on captions")
    parser.add_argument("--segments", type=int, default=5)
    parser.add_argument("--keys", type=int, default=60, help="letters typed in each segment")
    parser.add_argument("--learn", action="store_true", help="the engine may learn, as a project's own does")
    parser.add_argument("--data")
    parser.add_argument("--strict", action="store_true", help="fail if a bar is not met")
    given = parser.parse_args()
    given.engine = str(caption_engine(given.engine))
    pairs = captions(real_data(given.data), 40)[: given.segments + 1]
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        team = prepare(str(Path(folder) / "load.db"), pairs, 1)
        chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        db = str(Path(folder) / "load.db")
        with serving(db, given.engine, Path(folder), workers=1, learns=given.learn) as address:
            context = browser.new_context(viewport={"width": 1280, "height": 900})
            context.add_cookies([{"name": COOKIE, "value": team.sessions[0].token, "url": address}])
            page = context.new_page()
            page.add_init_script(WATCH)
            page.goto(f"{address}/cat/projects/{team.project}/edit")
            page.set_default_timeout(120_000)
            last = len(team.segments[0])  # is open while the engine is read, which is no part of a working day
            page.click(f".row[data-place='{last}'] .place")
            page.wait_for_selector(f".row.active[data-place='{last}'] .ghost")
            page.evaluate("Object.values(window.watched).forEach((times) => { times.length = 0; })")
            references = [team.references[segment] for segment in team.segments[0][: given.segments]]
            times = measure(page, references, given.keys)
        browser.close()
    print(f"{len(references)} segments of 40+ words, {given.keys} keys each; load average {os.getloadavg()[0]:.1f}")
    met = [tell(name, [each / 1000 for each in times[name]]) for name in ("key", "opening", "predicted")]
    return int(given.strict and not all(met))


if __name__ == "__main__":
    sys.exit(main())
