// Direct assessment: outputs on a scale from 0 to 100, against the source, the reference or nothing; one segment, or all
// of a document and then the document.

import { changed, el, newId } from "../dom.js";
import { besides, cell, gradeTold, labelText, slider, sliderKeys, withLanguage } from "./parts.js";

export function mount(root, { shown, ask, languages, answer, say }) {
  const question = ask.question || { adequacy: say("da.adequacy"), fluency: say("da.fluency") }[ask.attribute] || say("da.adequacy");
  const ticks = (ask.labels ?? []).map((label) => ({ at: label.at, text: labelText(label, "judge.sqm", say) }));
  const heading = withLanguage(say("judge.translation"), languages.target);
  const scale = (value, labelledby) => slider(question, {
    low: ask.low, high: ask.high, value, say, labelledby, ticks, ends: [say("da.low"), say("da.high")], onChange: () => changed(root),
  });
  const whole = ask.level === "document";
  const parts = whole ? shown.segments : [shown];
  const scales = parts.map((part, i) => {
    const id = newId("question");
    const made = scale((whole ? answer?.scores?.[i] : answer?.score) ?? null, id);
    root.append(el("section", { class: whole ? "segment" : undefined, "aria-label": whole ? say("da.segment", { n: i + 1 }) : undefined },
      el("div", { class: "cells" }, besides(part, languages, say), cell("output", heading, part.text, languages.target, say)),
      el("div", { class: "cell ask" }, el("p", { class: "question", id }, whole ? say("da.segment", { n: i + 1 }) : null, whole ? " · " : null,
        question), made.element)));
    return made;
  });
  if (whole) {
    const id = newId("question");
    scales.push(scale(answer?.document ?? null, id));
    root.append(el("div", { class: "cell ask whole" }, el("p", { class: "question", id }, say("da.document")), scales.at(-1).element));
  }
  const values = () => scales.map((one) => one.value());
  const open = () => scales.find((one) => one.value() === null);
  const active = () => scales.find((one) => one.input === document.activeElement) ?? open() ?? scales[0];
  const state = () => (whole ? { scores: values().slice(0, -1), document: values().at(-1) } : { score: values()[0] });
  return {
    answer: () => (open() ? null : state()),
    state,
    clean: (saved) => (whole ? { scores: saved.scores, document: saved.document } : { score: saved.score }),
    missing: () => say("judge.move_slider"),
    firstOpen: () => (open() ?? scales[0]).input,
    shortcuts: [
      ...sliderKeys(active, say, ask),
      ...(whole ? [
        { keys: ["ArrowDown", "n"], text: say("da.key_down"),
          run: () => scales[Math.min(scales.length - 1, scales.indexOf(active()) + (scales.some((one) => one.input === document.activeElement)
          ? 1 : 0))].input.focus() },
        { keys: ["ArrowUp", "p"], text: say("da.key_up"), run: () => scales[Math.max(0, scales.indexOf(active()) - 1)].input.focus() },
      ] : []),
    ],
    destroy: () => root.replaceChildren(),
  };
}

/** To be read: what was shown, and an answer to it. */
export function tell({ shown, ask, languages, say }) {
  const whole = ask.level === "document";
  const heading = withLanguage(say("judge.translation"), languages.target);
  const grade = (value) => gradeTold(value, ask, "judge.sqm", say);
  return {
    texts: (whole ? shown.segments : [shown]).map((part) => el("div", { class: "cells" }, besides(part, languages, say),
      cell("output", heading, part.text, languages.target, say))),
    said: (answer) => (whole ? [el("ol", {}, answer.scores.map((score) => el("li", {}, grade(score)))), el("p", { class: "label" }, say("da.document")),
      grade(answer.document)] : [grade(answer.score)]),
  };
}
