// Two people have written the same segment: both texts stand there until one of them is chosen.

import { el } from "../judge/dom.js";
import { say } from "../judge/page.js";
import { drawn } from "./field.js";

export function showConflict(root, { mine, theirs, who, row, project }, { keepMine, takeTheirs }) {
  const inTarget = { lang: project.target_lang, dir: project.target_dir };
  const choice = (title, text, name, run, kind = "") =>
    el(
      "div",
      { class: "card" },
      el("h3", {}, title),
      el("p", { class: "text", ...inTarget }, drawn(text, row.codes)),
      el(
        "button",
        {
          type: "button",
          class: kind,
          onclick: () => {
            root.replaceChildren();
            run();
          },
        },
        name,
      ),
    );
  root.replaceChildren(
    el(
      "div",
      { class: "notice warn", role: "group", "aria-label": say("editor.two_texts") },
      el("p", {}, say("editor.conflict", { name: who ?? "—" })),
      el(
        "div",
        { class: "sides" },
        choice(say("editor.theirs", { name: who ?? "—" }), theirs, say("editor.take_theirs"), takeTheirs),
        choice(say("editor.mine"), mine, say("editor.keep_mine"), keepMine),
      ),
    ),
  );
}
