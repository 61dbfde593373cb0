// The best of several translations.

import { changed, el, text, TO } from "../dom.js";
import { choice, chosen, context, outputCells } from "./parts.js";

export function mount(root, { shown, ask, languages, answer, say }) {
  const question = ask.question || say("vote.question");
  const around = (lines = []) => lines.map((line) => text(line, languages.target, say, "em"));
  const label = ({ text: content, neighbours }) => {
    const own = text(content, languages.target, say, "span");
    return neighbours ? el("bdi", { class: "stack" }, around(neighbours.before), own, around(neighbours.after)) : own;
  };
  const picked = choice(
    question,
    shown.outputs.map((output, i) => ({ value: output.place, key: String(i + 1), label: label(output) })),
    {
      value: answer?.choice ?? null,
      column: true,
      onChange: () => changed(root),
    },
  );
  root.append(context(shown, languages, say), el("div", { class: "cell ask vote" }, picked.element));
  return chosen(root, picked, say, [
    {
      keys: shown.outputs.map((_, i) => String(i + 1)),
      show: ["1", TO, String(shown.outputs.length)],
      text: say("vote.key_choose"),
      run: (_, name) => picked.set(shown.outputs[Number(name) - 1].place),
    },
  ]);
}

/** To be read: what was shown, and an answer to it. */
export function tell({ shown, languages, say, places }) {
  return {
    texts: [context(shown, languages, say), outputCells(shown.outputs, languages, say, places)],
    said: ({ choice: place }) => [el("p", { class: "grade" }, say("judge.output", { place }))],
  };
}
