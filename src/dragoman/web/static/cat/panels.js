// What stands below the field: suggestions, terms, checks, comments, versions.

import { el } from "../judge/dom.js";
import { say } from "../judge/page.js";
import { newKey } from "../judge/outbox.js";
import { drawn } from "./field.js";
import { stateName } from "./list.js";

const inTarget = (project) => ({ lang: project.target_lang, dir: project.target_dir });
const inSource = (project) => ({ lang: project.source_lang, dir: project.source_dir });

/** Suggestions with their percentages and origins, and why none is a machine's; a click takes one. */
export function drawSuggestions(root, suggestions, { row, project, keys, take, problem }) {
  const items = suggestions.map((each, i) =>
    el(
      "li",
      { class: "suggestion" },
      el(
        "button",
        { type: "button", class: "take", onclick: () => take(i) },
        el("span", { class: "text", ...inTarget(project) }, drawn(each.text, row.codes)),
      ),
      el(
        "p",
        { class: "origin" },
        el(
          "span",
          { class: each.score >= 100 ? "badge good" : "badge" },
          el("bdi", { dir: "ltr" }, `${Math.round(each.score)} %`),
        ),
        " ",
        el("span", {}, say(`editor.by_${{ MT: "machine", file: "file" }[each.kind] ?? "memory"}`)),
        " ",
        el("bdi", {}, each.name),
        Number.isFinite(each.effort)
          ? [" · ", el("span", { class: "effort" }, say("editor.effort", { n: Math.round(100 * each.effort) }))]
          : null,
        keys[i] ? [" ", el("kbd", {}, keys[i])] : null,
      ),
      each.edits?.length && each.score < 100
        ? el("p", { class: "text soft", ...inSource(project) }, drawn(each.source, row.codes, changedWords(each)))
        : null,
    ),
  );
  if (!items.length) items.push(el("li", { class: "soft" }, say("editor.no_suggestions")));
  if (problem) items.push(el("li", { class: "missing" }, say("editor.no_machine"), " ", problem));
  root.replaceChildren(...items);
}

/** Words of a match that the segment does not have. */
const changedWords = (match) =>
  (match.edits ?? [])
    .filter((edit) => ["changed", "left_out"].includes(edit.kind))
    .map((edit) => ({ start: edit.match[0], end: edit.match[1], kind: "changed" }));

export function drawTerms(root, terms, { project, insert }) {
  root.parentElement.hidden = !terms.length;
  root.replaceChildren(
    ...terms.map((term) =>
      el(
        "li",
        {},
        el("span", inSource(project), term.source),
        " = ",
        term.status === "forbidden"
          ? el("s", inTarget(project), term.target)
          : el(
              "button",
              { type: "button", class: "plain term", ...inTarget(project), onclick: () => insert(term.target) },
              term.target,
            ),
        term.note ? el("span", { class: "soft", dir: "auto" }, ` ${term.note}`) : null,
      ),
    ),
  );
}

/** Phrases of the source with what memories have for them, and in how many units. */
export function drawFragments(root, fragments, { project, insert }) {
  root.parentElement.hidden = !fragments.length;
  root.replaceChildren(
    ...fragments.map((each) =>
      el(
        "li",
        {},
        el("span", inSource(project), each.source),
        " = ",
        el(
          "button",
          { type: "button", class: "plain term", ...inTarget(project), onclick: () => insert(each.target) },
          each.target,
        ),
        " ",
        el(
          "span",
          { class: "soft" },
          el("bdi", { dir: "ltr" }, `${Math.round(100 * each.confidence)} % · ${each.n_units}×`),
        ),
      ),
    ),
  );
}

const SEVERITIES = {
  error: ["bad", () => say("editor.error")],
  warning: ["warn", () => say("editor.warning")],
  note: ["", () => say("editor.note")],
};

export function drawChecks(root, findings, { go, ignore, fix, text, key, project }) {
  root.parentElement.hidden = !findings.length;
  root.replaceChildren(
    ...findings.map((each, i) => {
      const [tone, name] = SEVERITIES[each.severity] ?? SEVERITIES.note;
      const reason = el("input", {
        required: true,
        maxLength: 2000,
        "aria-label": say("editor.reason"),
        placeholder: say("editor.reason"),
        dir: "auto",
      });
      const form = el(
        "form",
        {
          class: "comment-form",
          hidden: true,
          onsubmit: (event) => {
            event.preventDefault();
            ignore(each, reason.value);
          },
        },
        reason,
        el("button", {}, say("editor.ignore")),
      );
      return el(
        "li",
        {},
        el("span", { class: `badge ${tone}` }, name()),
        " ",
        el("span", { dir: "auto" }, each.said ?? each.message),
        " ",
        each.edits?.length ? drawFix(each, { text, key, project, take: () => fix(i) }) : null,
        each.target.length
          ? el("button", { type: "button", class: "plain", onclick: () => go(i) }, say("editor.show"))
          : null,
        el(
          "button",
          {
            type: "button",
            class: "plain",
            onclick: () => {
              form.hidden = !form.hidden;
              if (!form.hidden) reason.focus();
            },
          },
          say("editor.ignore"),
        ),
        form,
      );
    }),
  );
}

/** What would mend a finding: the old words, the new ones, why, and a button that puts them in. */
function drawFix(finding, { text, key, project, take }) {
  const words = (list) => list.filter(Boolean).join(" … ") || "∅";
  const points = [...text];
  const old = finding.edits.map(([[start, end]]) => points.slice(start, end).join("").trim());
  return el(
    "p",
    { class: "fix" },
    el("del", { ...inTarget(project) }, words(old)),
    " → ",
    el("ins", { ...inTarget(project) }, words(finding.edits.map(([, put]) => put))),
    " ",
    el("button", { type: "button", class: "plain", onclick: take }, say("editor.take_fix")),
    key ? [" ", el("kbd", {}, key)] : null,
    finding.why ? el("span", { class: "soft", lang: "en", dir: "ltr" }, ` ${finding.why}`) : null,
  );
}

/** What memories have of a text, the places marked. */
export function drawHits(root, hits, project) {
  const marks = (each, side) =>
    each.side === side ? each.spans.map(([start, end]) => ({ start, end, kind: "partner" })) : [];
  root.replaceChildren(
    ...(hits.length
      ? hits.map((each) =>
          el(
            "li",
            { class: "sides hit" },
            el("p", { class: "text", ...inSource(project) }, drawn(each.source, [], marks(each, "source"))),
            el(
              "p",
              { class: "text", ...inTarget(project) },
              drawn(each.target, [], marks(each, "target")),
              " ",
              el("bdi", { class: "soft" }, each.memory),
            ),
          ),
        )
      : [el("li", { class: "soft" }, say("editor.nothing_found"))]),
  );
}

export function drawComments(root, comments, { resolve }) {
  root.replaceChildren(
    ...comments.map((each) =>
      el(
        "li",
        { class: each.resolved ? "resolved" : "" },
        el("p", { class: "soft" }, el("bdi", {}, each.user), " · ", when(each.made)),
        el("p", { class: "text", dir: "auto" }, each.text),
        el(
          "button",
          { type: "button", class: "plain", onclick: () => resolve(each.id, !each.resolved) },
          each.resolved ? say("editor.reopen") : say("editor.resolve"),
        ),
      ),
    ),
  );
}

/** The texts that a segment had, with the errors marked in each and the scores of the last. */
export function drawVersions(root, versions, { row, project, restore, issues = [], scores = [] }) {
  const errorsIn = (each) =>
    issues.filter((issue) => issue.revision === each.revision && each.kind !== "refused").length;
  const scoresOf = (each) =>
    each.revision === row.revision && each.kind !== "refused" ? scores.filter((score) => score.is_current) : [];
  root.replaceChildren(
    ...[...versions].reverse().map((each) =>
      el(
        "li",
        { class: each.kind === "refused" ? "refused" : "" },
        el(
          "p",
          { class: "soft" },
          el("bdi", {}, each.user ?? "—"),
          " · ",
          when(each.at),
          " · ",
          each.kind === "refused" ? say("editor.version_refused") : (stateName(each.state) ?? ""),
          errorsIn(each) ? [" · ", say("editor.n_errors", { n: errorsIn(each) })] : null,
          scoresOf(each)
            .map((score) => [" · ", el("bdi", {}, score.user), " ", el("bdi", { dir: "ltr" }, String(score.score))])
            .flat(),
        ),
        el("p", { class: "text", ...inTarget(project) }, drawn(each.target ?? "", row.codes)),
        restore
          ? el("button", { type: "button", class: "plain", onclick: () => restore(each) }, say("editor.restore"))
          : null,
      ),
    ),
  );
}

const when = (moment) =>
  el(
    "time",
    { dateTime: moment },
    new Date(moment).toLocaleString(document.documentElement.lang, { dateStyle: "short", timeStyle: "short" }),
  );

/** A field to say something in; `send(text, key)` tells whether it was taken. */
export function commentForm(send) {
  const field = el("textarea", { rows: 2, "aria-label": say("editor.comment"), maxLength: 10_000, dir: "auto" });
  let key = newKey(); // the same until it was taken: a second try says it once
  const form = el(
    "form",
    {
      class: "comment-form",
      onsubmit: async (event) => {
        event.preventDefault();
        if (!field.value.trim() || !(await send(field.value, key))) return;
        field.value = "";
        key = newKey();
      },
    },
    field,
    el("button", {}, say("editor.send")),
  );
  return form;
}
