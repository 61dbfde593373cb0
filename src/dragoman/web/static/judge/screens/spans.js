// Error spans (ESA, MQM): places in the output and in the source, linked or alone, with severity and category.

import { arrow, changed, el, newId, text } from "../dom.js";
import { direction } from "../languages.js";
import { Marker, markedPieces } from "../marker.js";
import { slicePoints } from "../spans.js";
import { besides, cell, choice, gradeTold, labelText, slider, surround, withLanguage } from "./parts.js";

const SIDES = ["target", "source"];

/** A span of the answer as the page keeps it: {target, source: ranges or null, omission, severity, category}. */
export function fromAnswer(span) {
  const range = (start, end) => (start === null || start === undefined ? null : { start, end });
  return {
    target: range(span.start, span.end),
    source: range(span.source_start, span.source_end),
    omission: Boolean(span.is_omission),
    severity: span.severity,
    category: span.category ?? null,
    ...(Number.isInteger(span.proposal) ? { proposal: span.proposal } : {}),
  };
}

/** What a model proposed, as errors that know it. */
const proposedErrors = (shown) => (shown.proposals ?? []).map((span, proposal) => fromAnswer({ ...span, proposal }));

/** Whether an error is as it was proposed. */
export function isUntouched(error, proposals = []) {
  const span = proposals[error.proposal];
  return (
    Boolean(span) &&
    error.target?.start === span.start &&
    error.target?.end === span.end &&
    error.severity === span.severity &&
    !error.source &&
    !error.omission
  );
}

export function toAnswer(error) {
  return {
    ...(error.target ? { start: error.target.start, end: error.target.end } : {}),
    ...(error.source ? { source_start: error.source.start, source_end: error.source.end } : {}),
    is_omission: error.omission,
    severity: error.severity,
    ...(error.category ? { category: error.category } : {}),
    ...(Number.isInteger(error.proposal) ? { proposal: error.proposal } : {}),
  };
}

/** In the order of the output, then of the source. */
export function inOrder(errors) {
  const place = (error) => [error.target?.start ?? Infinity, error.source?.start ?? Infinity];
  return [...errors].sort((a, b) => place(a)[0] - place(b)[0] || place(a)[1] - place(b)[1] || 0);
}

const nameOf = (family, name, say) => {
  const key = `spans.${family}_${name.replaceAll(/[^a-z]+/g, "_")}`;
  return say.has(key) ? say(key) : name;
};

export function mount(root, { shown, ask, languages, answer, say }) {
  let errors = answer?.spans ? answer.spans.map(fromAnswer) : inOrder(proposedErrors(shown));
  const severities = ask.severities.map((one) => one.name);
  const categories = ask.categories ?? [];
  const severityName = (name) => nameOf("severity", name, say);
  const heard = el("p", { class: "unseen", "aria-live": "polite" });
  const hint = newId("hint");
  const marker = (side, content, heading) =>
    new Marker({
      text: content,
      lang: languages[side],
      label: heading,
      describedby: hint,
      empty: say("judge.empty"),
      onSelect: drawTools,
      onOpen: (number) => open(marked(side)[number].error),
      announce: (words) => {
        heard.textContent = words;
      },
    });
  const headings = {
    target: withLanguage(say("judge.translation"), languages.target),
    source: withLanguage(say("judge.source"), languages.source),
  };
  const markers = {
    target: marker("target", shown.text, headings.target),
    ...(ask.source_spans && typeof shown.source === "string"
      ? { source: marker("source", shown.source, headings.source) }
      : {}),
  };
  const box = (side, kind) => el("div", { class: `cell ${kind}` }, el("h3", {}, headings[side]), markers[side].element);

  const list = el("ol", { class: "errors", "aria-label": say("spans.errors") });
  const omission = ask.omissions
    ? el(
        "button",
        {
          type: "button",
          "aria-pressed": "false",
          onclick: () => setOmission(omission.getAttribute("aria-pressed") !== "true"),
        },
        el("kbd", { "aria-hidden": "true" }, "o"),
        say("spans.omission"),
      )
    : null;
  const buttons = severities.map((name, i) =>
    el(
      "button",
      { type: "button", class: `severity kind-${name}`, onclick: () => add(name) },
      el("kbd", { "aria-hidden": "true" }, String(i + 1)),
      severityName(name),
    ),
  );
  const adjust = [
    ["[", say("spans.shorter")],
    ["]", say("spans.longer")],
  ].map(([key, label]) =>
    el(
      "button",
      { type: "button", class: "plain", onclick: () => press(key) },
      el("kbd", { "aria-hidden": "true" }, key),
      label,
    ),
  );
  const tools = el("div", { class: "tools", role: "group", "aria-label": say("spans.mark_as") });
  const chosen = el("p", { class: "chosen", "aria-hidden": "true" });
  const clean = el("input", {
    type: "checkbox",
    checked: Boolean(answer?.none || (answer?.spans?.length === 0 && !answer?.draft)),
    onchange: () => changed(root),
  });
  const none = el("label", { class: "choice" }, clean, say("spans.none"));
  const scoreId = newId("question");
  const score = ask.score
    ? slider(say("spans.score"), {
        low: ask.score.low,
        high: ask.score.high,
        value: answer?.score ?? null,
        say,
        labelledby: scoreId,
        onChange: () => changed(root),
        ticks: (ask.score.labels ?? []).map((label) => ({ at: label.at, text: labelText(label, "judge.sqm", say) })),
        ends: [say("spans.low"), say("spans.high")],
      })
    : null;

  tools.append(chosen, el("div", { class: "row" }, buttons, omission, el("span", { class: "pair" }, adjust)));
  root.append(
    el("p", { class: "question" }, ask.question || say("spans.question")),
    el("p", { class: "hint", id: hint }, say("spans.how")),
    ...(shown.proposals
      ? [el("p", { class: "hint proposals" }, say("spans.proposals", { n: shown.proposals.length }))]
      : []),
    el(
      "div",
      { class: "cells" },
      markers.source
        ? box("source", "source")
        : typeof shown.source === "string"
          ? cell("source", headings.source, shown.source, languages.source, say)
          : null,
      typeof shown.reference === "string"
        ? cell(
            "reference",
            withLanguage(say("judge.reference"), languages.target),
            shown.reference,
            languages.target,
            say,
          )
        : null,
      box("target", "output"),
    ),
    el("div", { class: "cell ask" }, tools, list, none),
    ...(score
      ? [
          el(
            "div",
            { class: "cell ask" },
            el("p", { class: "question", id: scoreId }, say("spans.score")),
            score.element,
          ),
        ]
      : []),
    heard,
  );

  const source = root.querySelector(".cell.source .text");
  if (source) surround(source, shown, languages.source, say);
  if (shown.neighbours) surround(markers.target.element, shown.neighbours, languages.target, say);

  const pending = () => ({ target: isOmission() ? null : markers.target.range, source: markers.source?.range ?? null });
  const isOmission = () => omission?.getAttribute("aria-pressed") === "true";
  const full = () => ask.max_spans > 0 && errors.length >= ask.max_spans;
  const ready = () => !full() && (pending().target || pending().source || (isOmission() && !markers.source));

  function setOmission(on) {
    omission.setAttribute("aria-pressed", String(on));
    if (on) markers.target.clear();
    if (on && markers.source && !markers.source.range) markers.source.focus();
    drawTools();
  }

  function press(key) {
    const side = SIDES.find((one) => markers[one]?.range);
    markers[side]?.element.dispatchEvent(new KeyboardEvent("keydown", { key, cancelable: true }));
  }

  function drawTools() {
    const marked = pending();
    const quote = (side) => (marked[side] ? `\u2068${markers[side].of(marked[side])}\u2069` : null);
    chosen.textContent = full()
      ? say("spans.full", { n: ask.max_spans })
      : [quote("source"), quote("target")].filter(Boolean).join(` ${arrow()} `) ||
        (isOmission() ? say("spans.mark_omission") : say("spans.mark_first"));
    for (const button of buttons) button.disabled = !ready();
    for (const button of adjust) button.disabled = !(marked.target || marked.source);
    for (const entry of list.querySelectorAll("[data-attach]")) entry.hidden = !marked[entry.dataset.attach];
  }

  function add(severity) {
    if (!ready()) {
      heard.textContent = full() ? say("spans.full", { n: ask.max_spans }) : say("spans.mark_first");
      return;
    }
    const error = { ...pending(), omission: isOmission(), severity, category: null };
    errors = inOrder([...errors, error]);
    const side = error.target ? "target" : "source";
    settle();
    heard.textContent = say("spans.added", { severity: severityName(severity), n: errors.length });
    if (categories.length) open(error);
    else (markers[side] ?? markers.target).focus();
  }

  function remove(error) {
    errors = errors.filter((one) => one !== error);
    settle();
    heard.textContent = say("spans.removed");
    markers.target.focus();
  }

  function attach(error, side) {
    error[side] = markers[side].range;
    if (side === "target") error.omission = false;
    settle();
    open(error);
  }

  /** After every change: selections gone, marks and list drawn anew. */
  function settle() {
    if (errors.length) clean.checked = false;
    for (const side of SIDES) markers[side]?.select(null, { silent: true });
    omission?.setAttribute("aria-pressed", "false");
    draw();
    changed(root);
  }

  const marked = (side) =>
    errors.flatMap((error) =>
      error[side]
        ? [{ ...error[side], kind: error.severity, proposed: isUntouched(error, shown.proposals), error }]
        : [],
    );

  function draw() {
    for (const side of SIDES) markers[side]?.setMarks(marked(side));
    list.replaceChildren(...errors.map(entry));
    none.hidden = errors.length > 0 || Boolean(score);
    drawTools();
  }

  const told = (error) => (isUntouched(error, shown.proposals) ? say("spans.proposed") : say("spans.proposed_changed"));

  function entry(error, number) {
    const part = (side) =>
      error[side] && markers[side]
        ? el(
            "q",
            { class: "text", lang: languages[side], dir: markers[side].element.dir },
            markers[side].of(error[side]),
          )
        : null;
    const select = categories.length ? categoryField(error, number) : null;
    const badge = Number.isInteger(error.proposal) ? el("span", { class: "badge proposed" }, told(error)) : null;
    const severity = choice(
      say("spans.severity_of", { n: number + 1 }),
      severities.map((name) => ({ value: name, label: severityName(name) })),
      {
        value: error.severity,
        hideLegend: true,
        onChange: (name) => {
          error.severity = name;
          for (const side of SIDES) markers[side]?.setMarks(marked(side));
          if (badge) badge.textContent = told(error);
          changed(root);
        },
      },
    );
    const link = (side, words) =>
      markers[side] && !error[side] && !(side === "target" && error.omission)
        ? el("button", { type: "button", "data-attach": side, onclick: () => attach(error, side) }, words)
        : null;
    const item = el(
      "li",
      { class: `kind-${error.severity}` },
      el(
        "p",
        { class: "places" },
        error.omission ? el("span", { class: "badge" }, say("spans.omission")) : null,
        part("source"),
        error.source && error.target ? arrow() : null,
        part("target"),
        badge,
      ),
      el(
        "div",
        { class: "row controls" },
        severity.element,
        select,
        link("source", say("spans.link_source")),
        link("target", say("spans.link_target")),
        el(
          "button",
          {
            type: "button",
            class: "danger",
            "aria-label": say("spans.remove", { n: number + 1 }),
            onclick: () => remove(error),
          },
          "✕",
        ),
      ),
    );
    item.addEventListener("keydown", (event) => {
      if (event.key === "Escape") markers.target.focus();
      else if (event.key === "Delete") remove(error);
      else return;
      event.preventDefault();
    });
    return item;
  }

  function categoryField(error, number) {
    const name = (path) => nameOf("category", path, say);
    const option = (value, label) => el("option", { value, selected: error.category === value }, label);
    return el(
      "select",
      {
        class: "category",
        "aria-label": say("spans.category_of", { n: number + 1 }),
        onchange: (event) => {
          error.category = event.target.value || null;
          changed(root);
        },
      },
      option("", say("spans.choose_category")),
      categories.map((category) =>
        category.subcategories?.length
          ? el(
              "optgroup",
              { label: name(category.name) },
              category.subcategories.map((sub) => option(`${category.name}/${sub}`, name(sub))),
            )
          : option(category.name, name(category.name)),
      ),
    );
  }

  /** Put the focus on what is next to say about an error. */
  function open(error) {
    const item = list.children[errors.indexOf(error)];
    (item?.querySelector("select") ?? item?.querySelector("input:checked") ?? item?.querySelector("input"))?.focus();
  }

  function digit(number) {
    if (score && document.activeElement === score.input)
      score.set(ask.score.low + ((ask.score.high - ask.score.low) * number) / 10);
    else if (severities[number - 1]) add(severities[number - 1]);
  }

  draw();
  const uncategorised = () => categories.length > 0 && errors.find((error) => !error.category);
  const deliberate = () => errors.length > 0 || clean.checked || Boolean(score);
  const result = () => ({ spans: errors.map(toAnswer), ...(score ? { score: score.value() } : {}) });
  const side = (name) => ({
    keys: [name === "source" ? "s" : "t"],
    text: name === "source" ? say("spans.key_source") : say("spans.key_target"),
    run: () => markers[name].focus(),
  });
  return {
    answer: () => (deliberate() && !uncategorised() && (!score || score.value() !== null) ? result() : null),
    state: () => ({ ...result(), draft: true, none: clean.checked }),
    clean: (saved) => ({
      spans: inOrder((saved.spans ?? []).map(fromAnswer)).map(toAnswer),
      ...(score ? { score: saved.score } : {}),
    }),
    missing: () =>
      !deliberate()
        ? say("spans.missing")
        : uncategorised()
          ? say("spans.missing_category", { n: errors.indexOf(uncategorised()) + 1 })
          : say("judge.move_slider"),
    firstOpen: () =>
      !deliberate()
        ? markers.target.element
        : uncategorised()
          ? list.children[errors.indexOf(uncategorised())].querySelector("select")
          : score.input,
    shortcuts: [
      side("target"),
      ...(markers.source ? [side("source")] : []),
      { keys: [], show: ["ArrowLeft", "ArrowRight"], text: say("judge.key_word"), run: () => {} },
      { keys: [], show: ["Shift+ArrowRight", "[", "]"], text: say("judge.key_extend"), run: () => {} },
      { keys: [], show: ["Alt+ArrowRight"], text: say("spans.key_letter"), run: () => {} },
      // On the slider digits are scores, everywhere else severities.
      {
        keys: [..."0123456789"],
        show: severities.map((_, i) => String(i + 1)),
        text: say("spans.key_severity"),
        run: (_, name) => digit(Number(name)),
      },
      ...(omission ? [{ keys: ["o"], text: say("spans.key_omission"), run: () => setOmission(!isOmission()) }] : []),
      ...(score
        ? [{ keys: ["g"], text: say("spans.key_score"), run: () => score.input.focus() }]
        : [
            {
              keys: ["n"],
              text: say("spans.none"),
              run: () => {
                clean.checked = errors.length === 0;
                changed(root);
              },
            },
          ]),
      { keys: [], show: ["Delete"], text: say("spans.key_delete"), run: () => {} },
    ],
    destroy: () => root.replaceChildren(),
  };
}

/** To be read: what was shown, and an answer to it, its errors marked in the output and listed. */
export function tell({ shown, ask, languages, say, answered }) {
  const texts = { target: shown.text, source: shown.source };
  const quote = (error, side) =>
    error[side]
      ? el(
          "q",
          { class: "text", lang: languages[side], dir: direction(languages[side]) },
          slicePoints(texts[side], error[side].start, error[side].end),
        )
      : null;
  const entry = (error) =>
    el(
      "li",
      { class: `kind-${error.severity}` },
      el(
        "p",
        { class: "places" },
        el("b", {}, nameOf("severity", error.severity, say)),
        error.category ? nameOf("category", error.category.split("/").at(-1), say) : null,
        error.omission ? el("span", { class: "badge" }, say("spans.omission")) : null,
        quote(error, "source"),
        error.source && error.target ? arrow() : null,
        quote(error, "target"),
      ),
    );
  const marked = (errors) =>
    el(
      "p",
      { class: "text", lang: languages.target, dir: direction(languages.target) },
      markedPieces(
        shown.text,
        errors.flatMap((error) => (error.target ? [{ ...error.target, kind: error.severity }] : [])),
      ),
    );
  const heading = withLanguage(say("judge.translation"), languages.target);
  return {
    texts: [
      el(
        "div",
        { class: "cells" },
        besides(shown, languages, say),
        answered ? null : cell("output", heading, shown.text, languages.target, say, shown.neighbours),
      ),
    ],
    said(answer) {
      const errors = inOrder(answer.spans.map(fromAnswer));
      return [
        shown.text.trim() ? marked(errors) : text("", languages.target, say),
        errors.length ? el("ol", { class: "errors" }, errors.map(entry)) : el("p", {}, say("spans.none")),
        ask.score ? gradeTold(answer.score, ask.score, "judge.sqm", say) : null,
      ];
    },
  };
}
