// Translation by people: a source with its neighbours, and a field for the translation.

import { changed, el, newId, text } from "../dom.js";
import { direction } from "../languages.js";
import { pointLength } from "../spans.js";
import { drawnText } from "./drawn.js";
import { besides, withLanguage } from "./parts.js";

/** A source that is a picture, drawn on the server: there is no text of it here. */
function pictured({ picture, width, height }, say) {
  return el("img", {
    class: "pictured",
    src: picture,
    width,
    height,
    alt: say("translate.picture"),
    draggable: "false",
  });
}

export function mount(root, { shown, ask, languages, answer, say }) {
  const field = newId("translation");
  const count = newId("count");
  const input = el("textarea", {
    id: field,
    lang: languages.target,
    dir: direction(languages.target),
    rows: 4,
    spellcheck: true,
    "aria-describedby": count,
  });
  input.value = answer?.text ?? "";
  const counter = el("p", { class: "hint", id: count }, "");
  const heading = newId("cell");
  const drawn = [];
  const line = (content, kind = "") => {
    if (typeof content === "object") return el("div", { class: kind }, pictured(content, say));
    if (ask.copyable !== false || !content.trim()) {
      const made = text(content, languages.source, say);
      if (kind) made.classList.add(kind);
      return made;
    }
    const made = drawnText(content, languages.source);
    drawn.push(made);
    return el("div", { class: kind }, made.element);
  };
  const around = (lines, where) =>
    lines?.length
      ? el(
          "div",
          { class: `around ${where}` },
          lines.map((one) => line(one)),
        )
      : null;
  root.append(
    el(
      "div",
      { class: "cell source", role: "group", "aria-labelledby": heading },
      el("h3", { id: heading }, withLanguage(say("judge.source"), languages.source)),
      around(shown.before, "before"),
      line(shown.source, "judged"),
      around(shown.after, "after"),
    ),
    el(
      "div",
      { class: "cell ask field" },
      el(
        "label",
        { class: "question", for: field },
        ask.question || withLanguage(say("translate.question"), languages.target),
      ),
      input,
      counter,
    ),
  );
  for (const one of drawn) one.start();
  const content = () => input.value.trim();
  const tooLong = () => Boolean(ask.max_length) && pointLength(content()) > ask.max_length;
  const draw = () => {
    counter.textContent = ask.max_length
      ? say("translate.length", { done: pointLength(content()), total: ask.max_length })
      : "";
    input.setAttribute("aria-invalid", String(tooLong()));
  };
  input.addEventListener("input", () => {
    draw();
    changed(root);
  });
  draw();
  return {
    answer: () => (content() && !tooLong() ? { text: content() } : null),
    state: () => ({ text: input.value }),
    clean: (saved) => ({ text: saved.text }),
    missing: () => (tooLong() ? say("translate.too_long") : say("translate.missing")),
    firstOpen: () => input,
    shortcuts: [{ keys: ["t"], text: say("translate.key_field"), run: () => input.focus() }],
    destroy: () => {
      for (const one of drawn) one.stop();
      root.replaceChildren();
    },
  };
}

/** To be read: what was shown, and an answer to it. */
export function tell({ shown, languages, say }) {
  return {
    texts: [
      el(
        "div",
        { class: "cells" },
        typeof shown.source === "object"
          ? el(
              "div",
              { class: "cell source" },
              el("h3", {}, withLanguage(say("judge.source"), languages.source)),
              pictured(shown.source, say),
            )
          : besides(shown, languages, say),
      ),
    ],
    said: (answer) => [text(answer.text, languages.target, say)],
  };
}
