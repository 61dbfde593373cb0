// Post-editing: correct an output with as few changes as needed, then say how much effort it takes.

import { changed, el, newId, text, TO } from "../dom.js";
import { direction } from "../languages.js";
import { besides, cell, choice, gradeOptions, gradeTold, withLanguage } from "./parts.js";

const texts = (shown, ask, languages, say) =>
  el(
    "div",
    { class: "cells" },
    besides(shown, languages, say),
    cell(
      "output",
      withLanguage(say("judge.translation"), languages.target),
      shown.text,
      languages.target,
      say,
      shown.neighbours,
    ),
    ask.edit ? null : cell("output", say("post-edit.edited"), shown.post_edit, languages.target, say),
  );

export function mount(root, { shown, ask, languages, answer, say }) {
  let keystrokes = answer?.keystrokes ?? 0;
  const id = newId("editor");
  const input = ask.edit
    ? el("textarea", { id, lang: languages.target, dir: direction(languages.target), rows: 4, spellcheck: true })
    : null;
  const untouched = () => input.value === shown.text;
  const reset = ask.edit
    ? el(
        "button",
        {
          type: "button",
          onclick: () => {
            input.value = shown.text;
            input.focus();
            redraw();
          },
        },
        say("post-edit.reset"),
      )
    : null;
  const effort = ask.effort
    ? choice(say("post-edit.effort"), gradeOptions(ask.effort, "post-edit.effort", say).reverse(), {
        value: answer?.effort ?? null,
        column: true,
        onChange: () => changed(root),
      })
    : null;
  root.append(
    texts(shown, ask, languages, say),
    ...(input
      ? [
          el(
            "div",
            { class: "cell ask field" },
            el("label", { class: "question", for: id }, ask.question || say("post-edit.question")),
            input,
            el("div", { class: "actions" }, reset),
          ),
        ]
      : ask.question
        ? [el("p", { class: "question" }, ask.question)]
        : []),
    ...(effort ? [el("div", { class: "cell ask" }, effort.element)] : []),
  );
  function redraw() {
    reset.disabled = untouched();
    changed(root);
  }
  if (input) {
    input.value = answer?.post_edit ?? shown.text;
    reset.disabled = untouched();
    input.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) return; // saves, does not write
      if (!["Shift", "Control", "Alt", "Meta", "Tab", "Escape"].includes(event.key)) keystrokes += 1;
    });
    input.addEventListener("input", redraw);
  }
  const state = () => ({
    ...(input ? { post_edit: input.value, keystrokes } : {}),
    ...(effort ? { effort: effort.value() } : {}),
  });
  const whole = () => (!input || input.value.trim() !== "") && (!effort || effort.value() !== null);
  return {
    answer: () => (whole() ? state() : null),
    state,
    clean: (saved) => ({
      ...(input ? { post_edit: saved.post_edit, keystrokes: saved.keystrokes ?? keystrokes } : {}),
      ...(effort ? { effort: saved.effort } : {}),
    }),
    missing: () => (input && !input.value.trim() ? say("post-edit.missing") : say("post-edit.missing_effort")),
    firstOpen: () => (input && !input.value.trim() ? input : (effort?.first ?? input)),
    shortcuts: [
      ...(input
        ? [
            {
              keys: ["t"],
              text: say("post-edit.key_field"),
              run: () => {
                input.focus();
                input.setSelectionRange(input.value.length, input.value.length);
              },
            },
          ]
        : []),
      ...(effort
        ? [
            {
              keys: gradeOptions(ask.effort, "", say).map((option) => option.key),
              show: [String(ask.effort.low), TO, String(ask.effort.high)],
              text: say("post-edit.key_effort"),
              run: (_, name) => effort.set(Number(name)),
            },
          ]
        : []),
    ],
    destroy: () => root.replaceChildren(),
  };
}

/** To be read: what was shown, and an answer to it. */
export function tell({ shown, ask, languages, say }) {
  return {
    texts: [texts(shown, ask, languages, say)],
    said: (answer) => [
      ask.edit ? text(answer.post_edit, languages.target, say) : null,
      ask.effort ? gradeTold(answer.effort, ask.effort, "post-edit.effort", say) : null,
    ],
  };
}
