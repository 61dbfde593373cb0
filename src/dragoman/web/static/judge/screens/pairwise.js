// Pairwise preference: which of two outputs is better, or neither.

import { changed, el } from "../dom.js";
import { choice, chosen, context, outputCells } from "./parts.js";

export function mount(root, { shown, ask, languages, answer, say }) {
  const options = shown.outputs.map(({ place }) => ({
    value: place,
    label: say("pairwise.better", { place }),
    key: place.toLowerCase(),
  }));
  if (ask.ties) options.splice(1, 0, { value: "tie", label: say("pairwise.tie"), key: "0" });
  const question = ask.question || say("pairwise.question");
  const picked = choice(question, options, { value: answer?.choice ?? null, onChange: () => changed(root) });
  root.append(
    context(shown, languages, say),
    outputCells(shown.outputs, languages, say),
    el("div", { class: "cell ask" }, picked.element),
  );
  return chosen(
    root,
    picked,
    say,
    options.map((option, i) => ({
      keys: [option.key, ...(option.value === "tie" ? ["t"] : [String(i === 0 ? 1 : 2)])],
      text: option.label,
      run: () => picked.set(option.value),
    })),
  );
}

/** To be read: what was shown, and an answer to it. */
export function tell({ shown, languages, say, places }) {
  return {
    texts: [context(shown, languages, say), outputCells(shown.outputs, languages, say, places)],
    said: ({ choice: place }) => [
      el("p", { class: "grade" }, place === "tie" ? say("pairwise.tie") : say("pairwise.better", { place })),
    ],
  };
}
