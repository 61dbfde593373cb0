// Adequacy and fluency, or any scales of whole numbers with labels.

import { changed, el, TO } from "../dom.js";
import { besides, cell, choice, gradeOptions, gradeTold, withLanguage } from "./parts.js";

const titleOf = (name, say) => ({ adequacy: say("scales.adequacy"), fluency: say("scales.fluency") })[name] ?? name;

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
  );

export function mount(root, { shown, ask, languages, answer, say }) {
  const scales = ask.scales.map((scale) => ({
    name: scale.name,
    picked: choice(
      scale.question || titleOf(scale.name, say),
      gradeOptions(scale, `scales.${scale.name}`, say).reverse(),
      {
        value: answer?.[scale.name] ?? null,
        column: true,
        onChange: () => changed(root),
      },
    ),
  }));
  root.append(
    texts(shown, languages, say),
    ...(ask.question ? [el("p", { class: "question" }, ask.question)] : []),
    el(
      "div",
      { class: "cells" },
      scales.map((scale) => el("div", { class: "cell ask" }, scale.picked.element)),
    ),
  );
  const open = () => scales.find((scale) => scale.picked.value() === null);
  const active = () =>
    scales.find((scale) => scale.picked.element.contains(document.activeElement)) ?? open() ?? scales[0];
  const state = () => Object.fromEntries(scales.map((scale) => [scale.name, scale.picked.value()]));
  const digits = [...new Set(ask.scales.flatMap((scale) => gradeOptions(scale, "", say).map((option) => option.key)))];
  return {
    answer: () => (open() ? null : state()),
    state,
    clean: (saved) => Object.fromEntries(scales.map((scale) => [scale.name, saved[scale.name]])),
    missing: () => say("judge.choose"),
    firstOpen: () => (open() ?? scales[0]).picked.first,
    shortcuts: [
      {
        keys: digits,
        show: [digits[0], TO, digits.at(-1)],
        text: say("scales.key_grade"),
        run: (_, name) => {
          active().picked.set(Number(name));
          open()?.picked.focus();
        },
      },
    ],
    destroy: () => root.replaceChildren(),
  };
}

/** To be read: what was shown, and an answer to it. */
export function tell({ shown, ask, languages, say }) {
  return {
    texts: [texts(shown, languages, say)],
    said: (answer) =>
      ask.scales.flatMap((scale) => [
        el("p", { class: "label" }, scale.question || titleOf(scale.name, say)),
        gradeTold(answer[scale.name], scale, `scales.${scale.name}`, say),
      ]),
  };
}
