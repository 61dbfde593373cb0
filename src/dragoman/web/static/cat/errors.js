// Errors that reviewers mark in a segment as it was saved: MQM's, with the marker of the campaigns.

import { el } from "../judge/dom.js";
import { Marker } from "../judge/marker.js";
import { newKey } from "../judge/outbox.js";
import { announce, say } from "../judge/page.js";

const severityName = (name) => ({ neutral: say("spans.severity_neutral"), minor: say("spans.severity_minor"), major: say("spans.severity_major"),
  critical: say("spans.severity_critical") })[name] ?? name;

/** The last part of a category's path, in the reader's language. */
function categoryName(path) {
  const key = `spans.category_${path.split("/").at(-1).replaceAll(/[^a-z]+/g, "_")}`;
  return say.has(key) ? say(key) : path;
}

/** Fill `root` with the errors of a segment and, for reviewers, with what marks one. How many there are. */
export async function drawErrors(root, pane, { api, user }) {
  const { row, site } = pane;
  const { rows, meta } = await api.issues(row.id);
  if (pane.isClosed) return 0;
  const again = () => drawErrors(root, pane, { api, user });
  const list = el("ul", { class: "plain-list errors" }, rows.map((each) => el("li", { class: `kind-${each.severity}` },
    el("span", { class: "badge" }, severityName(each.severity)), " ", categoryName(each.category), " ",
    each.start === undefined || each.start === null ? null : el("q", { lang: site.project.target_lang, dir: site.project.target_dir }, [...each.target].slice(each.start, each.end).join("")),
    " ", el("span", { class: "soft" }, el("bdi", {}, each.user)), each.note ? el("span", { dir: "auto" }, ` ${each.note}`) : null, " ",
    each.user === user ? el("button", { type: "button", class: "plain", onclick: () => api.withdraw(each.id).then(again) }, say("editor.withdraw")) : null)));
  root.replaceChildren(list, ...(site.mayReview && row.target ? tools(pane, meta.form, rows, api, again) : []));
  return rows.length;
}

function tools(pane, form, rows, api, again) {
  const { row, site } = pane;
  const marker = new Marker({ text: row.target, lang: site.project.target_lang, label: say("editor.marked_text"), announce });
  marker.setMarks(rows.filter((each) => each.target === row.target && Number.isInteger(each.start))
    .map((each, number) => ({ start: each.start, end: each.end, kind: each.severity, number })));
  const option = (value) => el("option", { value }, categoryName(value));
  const category = el("select", { "aria-label": say("editor.category") }, el("option", { value: "" }, say("spans.choose_category")), form.categories.map((each) => (each.subcategories.length
    ? el("optgroup", { label: categoryName(each.name) }, each.subcategories.map((sub) => option(`${each.name}/${sub}`))) : option(each.name))));
  const mark = async (severity) => {
    const range = marker.range;
    if (!range) return announce(say("editor.select_first"));
    if (!category.value) return category.focus();
    await api.issue(row.id, { key: newKey(), start: range.start, end: range.end, severity, category: category.value });
    return again();
  };
  return [el("p", { class: "soft" }, say("editor.marked_text")), marker.element,
    el("div", { class: "marking" }, category, form.severities.map(({ name }) => el("button", { type: "button", onclick: () => mark(name) }, severityName(name))))];
}
