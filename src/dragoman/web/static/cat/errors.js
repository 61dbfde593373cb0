// Review of a segment as it was saved: errors as MQM has them, in the translation, in the source or left out, with the
// marker of the campaigns; and how good the whole is, as ESA asks.

import { arrow, el } from "../judge/dom.js";
import { Marker } from "../judge/marker.js";
import { newKey } from "../judge/outbox.js";
import { announce, say } from "../judge/page.js";
import { slicePoints } from "../judge/spans.js";
import { scoring } from "./scoring.js";

const severityName = (name) =>
  ({
    neutral: say("spans.severity_neutral"),
    minor: say("spans.severity_minor"),
    major: say("spans.severity_major"),
    critical: say("spans.severity_critical"),
  })[name] ?? name;

/** The last part of a category's path, in the reader's language. */
function categoryName(path) {
  const key = `spans.category_${path
    .split("/")
    .at(-1)
    .replaceAll(/[^a-z]+/g, "_")}`;
  return say.has(key) ? say(key) : path;
}

/**
 * Fill `root` with the errors and scores of a segment and, for reviewers, with what marks one. How many errors there
 * are.
 */
export async function drawErrors(root, pane, { api, user }) {
  const { row, site } = pane;
  const { rows, meta } = await api.issues(row.id);
  const scores = meta.form.score ? (await api.scores(row.id)).rows : [];
  if (pane.isClosed) return 0;
  const again = () => drawErrors(root, pane, { api, user });
  const list = el(
    "ul",
    { class: "plain-list errors" },
    rows.map((each) => entry(each, pane, { api, user, again })),
  );
  const may = site.mayReview && row.target;
  root.replaceChildren(
    list,
    ...(may ? [markingTools(pane, meta.form, rows, api, again)] : []),
    scoring(pane, scores, { api, user, scale: may ? meta.form.score : null }),
  );
  return rows.length;
}

function entry(error, { row, site }, { api, user, again }) {
  const { project } = site;
  const quote = (text, start, end, lang, dir) =>
    Number.isInteger(start) ? el("q", { lang, dir }, slicePoints(text, start, end)) : null;
  const source = quote(row.source, error.source_start, error.source_end, project.source_lang, project.source_dir);
  const target = quote(error.target, error.start, error.end, project.target_lang, project.target_dir);
  return el(
    "li",
    { class: `kind-${error.severity}` },
    el("span", { class: "badge" }, severityName(error.severity)),
    " ",
    categoryName(error.category),
    " ",
    error.is_omission ? [el("span", { class: "badge warn" }, say("spans.omission")), " "] : null,
    source,
    source && target ? ` ${arrow()} ` : null,
    target,
    " ",
    el("span", { class: "soft" }, el("bdi", {}, error.user)),
    error.note ? el("span", { dir: "auto" }, ` ${error.note}`) : null,
    " ",
    error.user === user
      ? el(
          "button",
          { type: "button", class: "plain", onclick: () => api.withdraw(error.id).then(again) },
          say("editor.withdraw"),
        )
      : null,
  );
}

function markingTools(pane, form, rows, api, again) {
  const { row, site } = pane;
  const { project } = site;
  const isNow = (each) => each.target === row.target;
  const marker = (text, lang, label, place) => {
    const made = new Marker({ text, lang, label, announce });
    made.setMarks(
      rows
        .filter(isNow)
        .flatMap((each, number) =>
          Number.isInteger(place(each)[0])
            ? [{ start: place(each)[0], end: place(each)[1], kind: each.severity, number }]
            : [],
        ),
    );
    return made;
  };
  const source = marker(row.source, project.source_lang, say("editor.marked_source"), (each) => [
    each.source_start,
    each.source_end,
  ]);
  const target = marker(row.target, project.target_lang, say("editor.marked_text"), (each) => [each.start, each.end]);
  const option = (value) => el("option", { value }, categoryName(value));
  const category = el(
    "select",
    { "aria-label": say("editor.category") },
    el("option", { value: "" }, say("spans.choose_category")),
    form.categories.map((each) =>
      each.subcategories.length
        ? el(
            "optgroup",
            { label: categoryName(each.name) },
            each.subcategories.map((sub) => option(`${each.name}/${sub}`)),
          )
        : option(each.name),
    ),
  );
  const omission = el(
    "button",
    {
      type: "button",
      "aria-pressed": "false",
      onclick: () => setOmission(omission.getAttribute("aria-pressed") !== "true"),
    },
    say("spans.omission"),
  );
  const note = el("input", {
    maxLength: 10_000,
    dir: "auto",
    "aria-label": say("editor.error_note"),
    placeholder: say("editor.error_note"),
  });

  /** Something of the source is not in the translation: there is nothing to mark in the latter. */
  function setOmission(on) {
    omission.setAttribute("aria-pressed", String(on));
    if (!on) return;
    target.clear();
    if (!category.value) category.value = "accuracy/omission";
    source.focus();
  }

  async function mark(severity) {
    const isOmission = omission.getAttribute("aria-pressed") === "true";
    const [here, there] = [isOmission ? null : target.range, source.range];
    if (!here && !there && !isOmission) return announce(say("editor.select_first"));
    if (!category.value) return category.focus();
    const places = {
      ...(here ? { start: here.start, end: here.end } : {}),
      ...(there ? { source_start: there.start, source_end: there.end } : {}),
    };
    await api
      .issue(row.id, {
        key: newKey(),
        ...places,
        is_omission: isOmission,
        severity,
        category: category.value,
        note: note.value.trim(),
      })
      .catch((error) => announce(error.message));
    return again();
  }

  return el(
    "div",
    { class: "review" },
    el(
      "div",
      { class: "sides" },
      el("div", {}, el("h4", {}, say("editor.marked_source")), source.element),
      el("div", {}, el("h4", {}, say("editor.marked_text")), target.element),
    ),
    el(
      "div",
      { class: "marking" },
      omission,
      category,
      note,
      form.severities.map(({ name }) =>
        el("button", { type: "button", class: `severity kind-${name}`, onclick: () => mark(name) }, severityName(name)),
      ),
    ),
  );
}
