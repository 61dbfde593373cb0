// What somebody answered to an item before, to be taken up again.

import { el } from "./dom.js";
import { byId, say } from "./page.js";

/** Earlier revisions, each with a button that restores it. */
export function drawPast(item, restore) {
  const past = (item.history ?? []).filter((entry) => entry.revision < item.revision);
  const box = byId("history");
  box.hidden = past.length === 0;
  box.replaceChildren(
    el("summary", {}, say("judge.history", { n: past.length })),
    el(
      "ol",
      {},
      past.map((entry) => {
        const label = entry.received
          ? new Date(entry.received).toLocaleString(document.documentElement.lang)
          : String(entry.revision);
        return el(
          "li",
          {},
          el("bdi", {}, label),
          " ",
          el("button", { type: "button", onclick: () => restore(entry.answer) }, say("judge.restore")),
        );
      }),
    ),
  );
}
