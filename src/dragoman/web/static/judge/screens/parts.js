// Parts of several screens: cells with text, a choice in a row, a slider.

import { el, newId, text, TO } from "../dom.js";
import { languageName } from "../languages.js";

/**
 * A heading over a text in its language, in a box. `kind` is source, reference, output or context; `neighbours` stand
 * around it.
 */
export function cell(kind, heading, content, lang, say, neighbours) {
  const id = newId("cell");
  const box = el(
    "div",
    { class: `cell ${kind}`, role: "group", "aria-labelledby": id },
    el("h3", { id }, heading),
    text(content, lang, say),
  );
  if (neighbours) surround(box.querySelector(".text"), neighbours, lang, say);
  return box;
}

/** A heading with the name of the language beside it. */
export function withLanguage(heading, tag) {
  const name = languageName(tag, document.documentElement.lang);
  return name ? `${heading} · ${name}` : heading;
}

/** The segments before and after the judged one, around an element that holds it. */
export function surround(element, shown, lang, say) {
  const around = (lines, where) =>
    lines?.length
      ? [
          el(
            "div",
            { class: `around ${where}` },
            lines.map((line) => text(line, lang, say)),
          ),
        ]
      : [];
  element.classList.add("judged");
  element.before(...around(shown.before, "before"));
  element.after(...around(shown.after, "after"));
}

/** The cells of what is judged against: source and reference, if shown; neighbours are of the first of them. */
export function besides(shown, languages, say) {
  const sides = [
    ["source", say("judge.source"), languages.source],
    ["reference", say("judge.reference"), languages.target],
  ];
  const there = sides.filter(([side]) => typeof shown[side] === "string");
  const cells = there.map(([side, heading, lang]) => cell(side, withLanguage(heading, lang), shown[side], lang, say));
  if (cells.length) surround(cells[0].querySelector(".text"), shown, there[0][2], say);
  return cells;
}

/** The same in a row of their own. */
export const context = (shown, languages, say) => el("div", { class: "cells" }, besides(shown, languages, say));

/** What stands at a place of a scale: in the reader's language, or as the protocol words it, or the bare number. */
export function labelText(label, family, say) {
  const key = label.name ? `judge.${label.name.replaceAll("-", "_")}` : `${family}_${label.at}`;
  return say.has(key) ? say(key) : label.text || String(label.at);
}

/** A scale of whole numbers with labels as options of a choice. */
export function gradeOptions({ low, high, labels = [] }, family, say) {
  return Array.from({ length: high - low + 1 }, (_, i) => {
    const at = low + i;
    const label = labels.find((one) => one.at === at);
    return { value: at, key: String(at), label: labelText(label ?? { at }, family, say) };
  });
}

/** Radio buttons in a row. `options`: [{value, label, key?}]. Gives {element, value(), set(value), focus()}. */
export function choice(
  legend,
  options,
  { value = null, onChange, column = false, hideLegend = false, describedby } = {},
) {
  const name = newId("choice");
  const inputs = options.map((option) =>
    el("input", {
      type: "radio",
      name,
      value: String(option.value),
      checked: option.value === value,
      onchange: () => onChange?.(option.value),
    }),
  );
  const element = el(
    "fieldset",
    { class: column ? "row column" : "row", "aria-describedby": describedby },
    el("legend", { class: hideLegend ? "unseen" : undefined }, legend),
    options.map((option, i) =>
      el(
        "label",
        { class: "pick" },
        inputs[i],
        el("span", {}, option.key ? el("kbd", { "aria-hidden": "true" }, option.key) : null, option.label),
      ),
    ),
  );
  const chosen = () => options[inputs.findIndex((input) => input.checked)]?.value ?? null;
  return {
    element,
    value: chosen,
    set(next) {
      options.forEach((option, i) => {
        inputs[i].checked = option.value === next;
      });
      onChange?.(next);
    },
    focus: () => (inputs.find((input) => input.checked) ?? inputs[0]).focus(),
    first: inputs[0],
  };
}

/** Labels under a slider, each as wide as the part of the scale that is nearest to it. */
function tickList(ticks, low, high) {
  return el(
    "ol",
    { class: "ticks", "aria-hidden": "true" },
    ticks.map((tick, i) => {
      const middle = (a, b) => (a && b ? (a.at + b.at) / 2 : a ? high : low);
      const item = el("li", {}, el("b", {}, String(tick.at)), " ", tick.text);
      item.style.flexGrow = String(middle(tick, ticks[i + 1]) - middle(ticks[i - 1], tick));
      return item;
    }),
  );
}

/** A slider that counts only once it has been moved. Gives {element, value(), set(value), input}. */
export function slider(
  label,
  { low = 0, high = 100, step = 1, value = null, ends = [], ticks = [], say, onChange, labelledby },
) {
  let touched = value !== null && value !== undefined;
  const hint = newId("hint");
  const input = el("input", {
    type: "range",
    min: low,
    max: high,
    step,
    "aria-label": labelledby ? undefined : label,
    "aria-labelledby": labelledby,
    "aria-describedby": hint,
  });
  input.value = String(touched ? value : (low + high) / 2);
  const state = el("p", { class: "state", id: hint }, "");
  const element = el(
    "div",
    { class: "slider" },
    input,
    ticks.length
      ? tickList(ticks, low, high)
      : ends.length
        ? el(
            "div",
            { class: "ends" },
            ends.map((end) => el("span", {}, end)),
          )
        : null,
    state,
  );
  const draw = () => {
    element.classList.toggle("untouched", !touched);
    state.textContent = touched ? "" : say("judge.move_slider");
    input.setAttribute("aria-valuetext", touched ? nearest(Number(input.value)) : say("judge.not_moved"));
  };
  const nearest = (at) => {
    const [tick] = [...ticks].sort((a, b) => Math.abs(a.at - at) - Math.abs(b.at - at));
    return tick ? `${at}, ${tick.text}` : String(at);
  };
  const moved = () => {
    touched = true;
    draw();
    onChange?.(Number(input.value));
  };
  input.addEventListener("input", moved);
  input.addEventListener("pointerup", () => touched || moved()); // a click on the middle changes no value
  input.addEventListener("keydown", (event) => {
    if (!touched && event.key === " ") {
      event.preventDefault();
      moved();
    }
  });
  draw();
  return {
    element,
    input,
    value: () => (touched ? Number(input.value) : null),
    set(next) {
      input.value = String(Math.min(high, Math.max(low, next)));
      moved();
    },
  };
}

/** Digits set tenths of the scale, plus and minus go by one step. */
export function sliderKeys(get, say, { low = 0, high = 100 } = {}) {
  const digits = [..."0123456789"];
  return [
    {
      keys: digits,
      show: ["0", TO, "9"],
      text: say("judge.key_tenths"),
      run: (_, name) => get().set(low + ((high - low) * Number(name)) / 10),
    },
    {
      keys: ["+", "="],
      show: ["+"],
      text: say("judge.key_more"),
      run: () => get().set((get().value() ?? (low + high) / 2) + 1),
    },
    { keys: ["-"], text: say("judge.key_less"), run: () => get().set((get().value() ?? (low + high) / 2) - 1) },
  ];
}

/**
 * Outputs that stand beside each other, each under the name of its place; `places` has the systems, for who may know.
 */
export function outputCells(outputs, languages, say, places = {}) {
  const heading = (place) =>
    places[place] ? `${say("judge.output", { place })} · ${places[place]}` : say("judge.output", { place });
  return el(
    "div",
    { class: "cells" },
    outputs.map(({ place, text: content, neighbours }) =>
      cell("output", heading(place), content, languages.target, say, neighbours),
    ),
  );
}

/** A grade to be read: the number, what it means, and the ends of its scale. */
export function gradeTold(value, { low, high, labels = [] }, family, say) {
  const label = labels.find((one) => one.at === value);
  return el(
    "p",
    { class: "grade" },
    el("b", {}, String(value ?? "–")),
    " ",
    label ? labelText(label, family, say) : null,
    " ",
    el("span", { class: "soft" }, say("judge.on_scale", { low, high })),
  );
}

/** A screen whose answer is one choice. */
export function chosen(root, picked, say, shortcuts) {
  const state = () => ({ choice: picked.value() });
  return {
    answer: () => (picked.value() === null ? null : state()),
    state,
    clean: (saved) => ({ choice: saved.choice }),
    missing: () => say("judge.choose"),
    firstOpen: () => picked.first,
    shortcuts,
    destroy: () => root.replaceChildren(),
  };
}
