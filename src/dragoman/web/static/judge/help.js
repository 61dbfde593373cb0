// The sheet of keys.

import { el, keyCaps } from "./dom.js";

/** Fill the dialog with groups of shortcuts, and the switch for single keys. */
export function fillHelp(dialog, groups, say, { singles, onSingles }) {
  const box = el("input", { type: "checkbox", checked: singles, onchange: (event) => onSingles(event.target.checked) });
  dialog.replaceChildren(
    el("h2", { id: "help-title" }, say("judge.help_title")),
    ...groups
      .filter((group) => group.shortcuts.length)
      .map((group) =>
        el(
          "section",
          {},
          el("h3", {}, group.title),
          el(
            "dl",
            { class: "shortcuts" },
            group.shortcuts.map((shortcut) =>
              el("div", {}, el("dt", {}, keyCaps(shortcut.show ?? shortcut.keys)), el("dd", {}, shortcut.text)),
            ),
          ),
        ),
      ),
    el("label", { class: "choice" }, box, say("judge.single_keys")),
    el(
      "form",
      { method: "dialog", class: "actions" },
      el("button", { class: "primary", autofocus: true }, say("judge.close")),
    ),
  );
}
