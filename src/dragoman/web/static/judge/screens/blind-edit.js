// Blind editing: an output is corrected without its source, among neighbours from other systems, or given up.

import { changed, el, newId, text } from "../dom.js";
import { direction } from "../languages.js";
import { withLanguage } from "./parts.js";

const around = (lines, where, languages, say) =>
  lines?.length
    ? el(
        "div",
        { class: `around ${where}` },
        lines.map((line) => text(line, languages.target, say)),
      )
    : null;

export function mount(root, { shown, ask, languages, answer, say }) {
  let keystrokes = answer?.keystrokes ?? 0;
  const id = newId("editor");
  const heading = newId("cell");
  const input = el("textarea", {
    id,
    lang: languages.target,
    dir: direction(languages.target),
    rows: 4,
    spellcheck: true,
  });
  const given = el("input", { type: "checkbox", checked: Boolean(answer?.gave_up), onchange: redraw });
  const reset = el(
    "button",
    {
      type: "button",
      onclick: () => {
        input.value = shown.text;
        input.focus();
        redraw();
      },
    },
    say("blind-edit.reset"),
  );
  root.append(
    el(
      "div",
      { class: "cell output", role: "group", "aria-labelledby": heading },
      el("h3", { id: heading }, withLanguage(say("judge.translation"), languages.target)),
      around(shown.before, "before", languages, say),
      el("div", { class: "judged" }, text(shown.text, languages.target, say)),
      around(shown.after, "after", languages, say),
    ),
    el(
      "div",
      { class: "cell ask field" },
      el("label", { class: "question", for: id }, ask.question || say("blind-edit.question")),
      input,
      el("div", { class: "actions" }, reset),
      el("label", { class: "choice" }, given, say("blind-edit.give_up")),
    ),
  );
  function redraw() {
    input.disabled = given.checked;
    reset.disabled = given.checked || input.value === shown.text;
    changed(root);
  }
  input.value = answer?.edit ?? shown.text;
  input.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) return; // saves, does not write
    if (!["Shift", "Control", "Alt", "Meta", "Tab", "Escape"].includes(event.key)) keystrokes += 1;
  });
  input.addEventListener("input", redraw);
  input.disabled = given.checked;
  reset.disabled = given.checked || input.value === shown.text;
  const result = () => (given.checked ? { gave_up: true, keystrokes } : { edit: input.value, keystrokes });
  return {
    answer: () => (given.checked || input.value.trim() ? result() : null),
    state: result,
    clean: (saved) =>
      saved.gave_up
        ? { gave_up: true, keystrokes: saved.keystrokes ?? keystrokes }
        : { edit: saved.edit, keystrokes: saved.keystrokes ?? keystrokes },
    missing: () => say("blind-edit.missing"),
    firstOpen: () => input,
    shortcuts: [
      { keys: ["t"], text: say("blind-edit.key_field"), run: () => input.focus() },
      {
        keys: ["x"],
        text: say("blind-edit.give_up"),
        run: () => {
          given.checked = !given.checked;
          redraw();
        },
      },
    ],
    destroy: () => root.replaceChildren(),
  };
}

/** To be read: what was shown, and an answer to it. */
export function tell({ shown, languages, say }) {
  return {
    texts: [
      around(shown.before, "before", languages, say),
      text(shown.text, languages.target, say),
      around(shown.after, "after", languages, say),
    ].filter(Boolean),
    said: (answer) => [
      answer.gave_up ? el("p", {}, say("blind-edit.give_up")) : text(answer.edit, languages.target, say),
    ],
  };
}
