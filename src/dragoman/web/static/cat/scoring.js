// How good a translation is on the whole, by each reviewer: a slider, and the same as a number.

import { el, newId } from "../judge/dom.js";
import { newKey } from "../judge/outbox.js";
import { announce, say } from "../judge/page.js";
import { labelText, slider } from "../judge/screens/parts.js";

const QUIET = 600; // ms without a change until a score is sent

/** The scores of a segment; with a `scale` {low, high, labels} also what gives one. */
export function scoring(pane, scores, { api, user, scale }) {
  const others = scores
    .filter((each) => !scale || each.user !== user)
    .map((each) =>
      el(
        "li",
        {},
        el("bdi", {}, each.user),
        ": ",
        el("b", {}, el("bdi", { dir: "ltr" }, String(each.score))),
        each.is_current ? null : el("span", { class: "soft" }, ` ${say("editor.score_older")}`),
      ),
    );
  const list = others.length ? [el("ul", { class: "plain-list scores" }, others)] : [];
  return el(
    "div",
    { class: "scoring" },
    list,
    scale
      ? ownScore(
          pane,
          scores.find((each) => each.user === user),
          { api, scale },
        )
      : null,
  );
}

function ownScore(pane, own, { api, scale }) {
  const { low, high, labels = [] } = scale;
  const question = newId("question");
  const state = el("span", { class: "soft", role: "status" }, own && !own.is_current ? say("editor.score_older") : "");
  let timer = null;
  const send = (score) => {
    clearTimeout(timer);
    timer = setTimeout(async () => {
      const problem = await api.score(pane.row.id, { key: newKey(), score }).then(
        () => "",
        (error) => error.message || say("editor.needs_connection"),
      );
      state.textContent = problem || say("editor.saved");
      if (problem) announce(problem);
    }, QUIET);
  };
  const widget = slider(say("spans.score"), {
    low,
    high,
    value: own?.score ?? null,
    say,
    labelledby: question,
    onChange: (value) => {
      number.value = String(value);
      send(value);
    },
    ticks: labels.map((label) => ({ at: label.at, text: labelText(label, "judge.sqm", say) })),
    ends: [say("spans.low"), say("spans.high")],
  });
  const number = el("input", {
    type: "number",
    min: low,
    max: high,
    step: 1,
    "aria-labelledby": question,
    value: own ? String(own.score) : "",
    onchange: () => {
      if (number.value !== "" && number.checkValidity()) widget.set(Number(number.value));
    },
  });
  return el(
    "div",
    {},
    el("p", { class: "question", id: question }, say("spans.score")),
    widget.element,
    el("p", { class: "points" }, number, " ", state),
  );
}
