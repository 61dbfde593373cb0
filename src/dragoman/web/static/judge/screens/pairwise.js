// Pairwise preference: which of two outputs is better, or neither.

import { changed, el } from "../dom.js";
import { cell, choice, chosen, context } from "./parts.js";

export function mount(root, { shown, ask, languages, answer, say }) {
  const options = shown.outputs.map(({ place }) => ({ value: place, label: say("pairwise.better", { place }), key: place.toLowerCase() }));
  if (ask.ties) options.splice(1, 0, { value: "tie", label: say("pairwise.tie"), key: "0" });
  const question = ask.question || say("pairwise.question");
  const picked = choice(question, options, { value: answer?.choice ?? null, onChange: () => changed(root) });
  const outputs = shown.outputs.map(({ place, text }) => cell("output", say("judge.output", { place }), text, languages.target, say));
  root.append(context(shown, languages, say), el("div", { class: "cells" }, outputs), el("div", { class: "cell ask" }, picked.element));
  return chosen(root, picked, say, options.map((option, i) => ({
    keys: [option.key, ...(option.value === "tie" ? ["t"] : [String(i === 0 ? 1 : 2)])],
    text: option.label, run: () => picked.set(option.value),
  })));
}
