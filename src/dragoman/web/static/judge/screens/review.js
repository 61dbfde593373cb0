// Review of blind edits: whether an edit is right, by source and reference; only then it may be changed.

import { changed, el, newId, text } from "../dom.js";
import { direction } from "../languages.js";
import { besides, cell, choice, withLanguage } from "./parts.js";

const VERDICTS = ["good", "almost", "bad"];

const texts = (shown, languages, say) =>
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
    cell("output", say("review.edit"), shown.edit, languages.target, say),
  );

export function mount(root, { shown, ask, languages, answer, say }) {
  const id = newId("editor");
  const there = shown.edit.trim() !== "";
  const offered = there ? VERDICTS : ["bad"];
  const words = {
    good: say("review.good"),
    almost: say("review.almost"),
    bad: there ? say("review.bad") : say("review.empty"),
  };
  const verdict = choice(
    ask.question || say("review.question"),
    offered.map((value, i) => ({ value, key: String(i + 1), label: words[value] })),
    {
      value: answer?.verdict ?? null,
      column: true,
      onChange: redraw,
    },
  );
  const input = el("textarea", {
    id,
    lang: languages.target,
    dir: direction(languages.target),
    rows: 4,
    spellcheck: true,
  });
  const field = el(
    "div",
    { class: "cell ask field" },
    el("label", { class: "question", for: id }, say("review.mend")),
    input,
    el(
      "div",
      { class: "actions" },
      el(
        "button",
        {
          type: "button",
          onclick: () => {
            input.value = shown.text;
            input.focus();
            changed(root);
          },
        },
        say("review.restart"),
      ),
    ),
  );
  input.value = answer?.review ?? shown.edit;
  input.addEventListener("input", () => changed(root));
  root.append(texts(shown, languages, say), el("div", { class: "cell ask" }, verdict.element), field);

  function redraw() {
    field.hidden = !verdict.value() || verdict.value() === "good";
    changed(root);
  }
  field.hidden = !verdict.value() || verdict.value() === "good";
  const mended = () => input.value.trim() !== "" && input.value.trim() !== shown.edit.trim();
  const result = () =>
    verdict.value() === "good" ? { verdict: "good" } : { verdict: verdict.value(), review: input.value.trim() };
  return {
    answer: () => (verdict.value() === "good" || (verdict.value() && mended()) ? result() : null),
    state: () => ({ verdict: verdict.value(), review: input.value }),
    clean: (saved) =>
      saved.verdict === "good" ? { verdict: "good" } : { verdict: saved.verdict, review: saved.review },
    missing: () => (verdict.value() ? say("review.missing_text") : say("review.missing")),
    firstOpen: () => (verdict.value() ? input : verdict.first),
    shortcuts: [
      {
        keys: offered.map((_, i) => String(i + 1)),
        text: say("review.key_verdict"),
        run: (_, name) => verdict.set(offered[Number(name) - 1]),
      },
      {
        keys: ["t"],
        text: say("review.key_field"),
        run: () => {
          if (!field.hidden) input.focus();
        },
      },
    ],
    destroy: () => root.replaceChildren(),
  };
}

/** To be read: what was shown, and an answer to it. */
export function tell({ shown, languages, say }) {
  return {
    texts: [texts(shown, languages, say)],
    said: (answer) => [
      el("p", { class: "grade" }, say(`review.${answer.verdict}`)),
      answer.verdict === "good" ? null : text(answer.review, languages.target, say),
    ],
  };
}
