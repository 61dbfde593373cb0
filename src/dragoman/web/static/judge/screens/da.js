// Direct assessment: outputs on a scale from 0 to 100, against the source, the reference or nothing; one segment, all
// of a document and then the document, or several outputs of a segment side by side.

import { changed, el, newId } from "../dom.js";
import {
  besides,
  cell,
  context,
  gradeTold,
  outputCells,
  labelText,
  slider,
  sliderKeys,
  withLanguage,
} from "./parts.js";

export function mount(root, { shown, ask, languages, answer, say }) {
  const question =
    ask.question || { adequacy: say("da.adequacy"), fluency: say("da.fluency") }[ask.attribute] || say("da.adequacy");
  const ticks = (ask.labels ?? []).map((label) => ({ at: label.at, text: labelText(label, "judge.sqm", say) }));
  const heading = withLanguage(say("judge.translation"), languages.target);
  const scale = (value, labelledby) =>
    slider(question, {
      low: ask.low,
      high: ask.high,
      value,
      say,
      labelledby,
      ticks,
      ends: [say("da.low"), say("da.high")],
      onChange: () => changed(root),
    });
  const whole = ask.level === "document";
  const beside = ask.level === "outputs";
  const parts = whole ? shown.segments : beside ? shown.outputs : [shown];
  const nameOf = (part, i) =>
    whole ? say("da.segment", { n: i + 1 }) : beside ? say("judge.output", { place: part.place }) : null;
  if (beside) root.append(context(shown, languages, say));
  const scales = parts.map((part, i) => {
    const id = newId("question");
    const name = nameOf(part, i);
    const made = scale(
      (whole ? answer?.scores?.[i] : beside ? answer?.scores?.[part.place] : answer?.score) ?? null,
      id,
    );
    root.append(
      el(
        "section",
        { class: name ? "segment" : undefined, "aria-label": name ?? undefined },
        el(
          "div",
          { class: "cells" },
          beside ? null : besides(part, languages, say),
          cell("output", beside ? name : heading, part.text, languages.target, say, part.neighbours),
        ),
        el(
          "div",
          { class: "cell ask" },
          el("p", { class: "question", id }, name, name ? " · " : null, question),
          made.element,
        ),
      ),
    );
    return made;
  });
  if (whole) {
    const id = newId("question");
    scales.push(scale(answer?.document ?? null, id));
    root.append(
      el(
        "div",
        { class: "cell ask whole" },
        el("p", { class: "question", id }, say("da.document")),
        scales.at(-1).element,
      ),
    );
  }
  const values = () => scales.map((one) => one.value());
  const open = () => scales.find((one) => one.value() === null);
  const active = () => scales.find((one) => one.input === document.activeElement) ?? open() ?? scales[0];
  const state = () =>
    whole
      ? { scores: values().slice(0, -1), document: values().at(-1) }
      : beside
        ? { scores: Object.fromEntries(parts.map((part, i) => [part.place, values()[i]])) }
        : { score: values()[0] };
  return {
    answer: () => (open() ? null : state()),
    state,
    clean: (saved) =>
      whole
        ? { scores: saved.scores, document: saved.document }
        : beside
          ? { scores: saved.scores }
          : { score: saved.score },
    missing: () => say("judge.move_slider"),
    firstOpen: () => (open() ?? scales[0]).input,
    shortcuts: [
      ...sliderKeys(active, say, ask),
      ...(scales.length > 1
        ? [
            {
              keys: ["ArrowDown", "n"],
              text: say("da.key_down"),
              run: () =>
                scales[
                  Math.min(
                    scales.length - 1,
                    scales.indexOf(active()) + (scales.some((one) => one.input === document.activeElement) ? 1 : 0),
                  )
                ].input.focus(),
            },
            {
              keys: ["ArrowUp", "p"],
              text: say("da.key_up"),
              run: () => scales[Math.max(0, scales.indexOf(active()) - 1)].input.focus(),
            },
          ]
        : []),
    ],
    destroy: () => root.replaceChildren(),
  };
}

/** To be read: what was shown, and an answer to it. */
export function tell({ shown, ask, languages, say, places }) {
  const whole = ask.level === "document";
  const heading = withLanguage(say("judge.translation"), languages.target);
  const grade = (value) => gradeTold(value, ask, "judge.sqm", say);
  if (ask.level === "outputs") {
    const row = (place, score) => el("li", {}, say("judge.output", { place }), " · ", grade(score));
    return {
      texts: [context(shown, languages, say), outputCells(shown.outputs, languages, say, places)],
      said: (answer) => [
        el(
          "ul",
          {},
          shown.outputs.map(({ place }) => row(place, answer.scores[place])),
        ),
      ],
    };
  }
  return {
    texts: (whole ? shown.segments : [shown]).map((part) =>
      el(
        "div",
        { class: "cells" },
        besides(part, languages, say),
        cell("output", heading, part.text, languages.target, say, part.neighbours),
      ),
    ),
    said: (answer) =>
      whole
        ? [
            el(
              "ol",
              {},
              answer.scores.map((score) => el("li", {}, grade(score))),
            ),
            el("p", { class: "label" }, say("da.document")),
            grade(answer.document),
          ]
        : [grade(answer.score)],
  };
}
