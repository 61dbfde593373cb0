// Below a segment, on demand: what people say about it, the errors in it, what memories have, and the texts it had.

import { el } from "../judge/dom.js";
import { byId, say } from "../judge/page.js";
import { drawErrors } from "./errors.js";
import { commentForm, drawComments, drawHits, drawVersions } from "./panels.js";

/** Draw all of it; what is open stays open. */
export function drawExtras(pane, site) {
  const wasOpen = new Set([...pane.extra.querySelectorAll("details[open]")].map((each) => each.dataset.part));
  const parts = [comments(pane, site), errors(pane, site), memories(pane, site), versions(pane, site)];
  for (const part of parts) part.open = wasOpen.has(part.dataset.part);
  pane.extra.replaceChildren(...parts);
}

/**
 * A part that can be opened; `load(count)` fills it then, or at once: never again under the hands of who chooses there.
 */
function part(name, title, load, { now = false } = {}, ...content) {
  const count = el("span", {});
  const made = el("details", { "data-part": name }, el("summary", {}, title, count), content);
  const fill = () =>
    load((n) => {
      count.textContent = n ? ` (${n})` : "";
    }, made).catch(() => {});
  if (now) fill();
  else made.addEventListener("toggle", () => made.open && fill());
  return made;
}

function comments(pane, { api }) {
  const list = el("ul", { class: "comments plain-list" });
  let reload = null;
  const load = async (count, made) => {
    reload = () => load(count, made);
    const { rows } = await api.comments(pane.row.id);
    if (pane.isClosed) return;
    const open = rows.filter((each) => !each.resolved).length;
    count(open);
    if (open) made.open = true;
    drawComments(list, rows, {
      resolve: async (number, resolved) => {
        await api.resolve(number, resolved);
        await reload();
      },
    });
  };
  const send = async (text, key) => {
    try {
      await api.comment(pane.row.id, { key, text });
      await reload();
      return true;
    } catch {
      return false;
    }
  };
  return part("talk", say("editor.comments"), load, { now: true }, list, commentForm(send));
}

function errors(pane, { api, user }) {
  const root = el("div", {});
  return part(
    "errors",
    say("editor.errors"),
    async (count) => count(await drawErrors(root, pane, { api, user })),
    { now: true },
    root,
  );
}

function memories(pane, { api, project }) {
  const list = el("ul", { class: "plain-list" });
  const field = el("input", { type: "search", id: "look-up", "aria-label": say("editor.concordance"), dir: "auto" });
  const form = el(
    "form",
    {
      class: "comment-form",
      onsubmit: async (event) => {
        event.preventDefault();
        if (!field.value.trim()) return;
        const found = await Promise.all(["source", "target"].map((side) => api.concordance(field.value, side))).catch(
          () => [],
        );
        drawHits(
          list,
          found.flatMap(({ rows, meta }) => rows.map((each) => ({ ...each, side: meta.side }))),
          project,
        );
      },
    },
    field,
    el("button", {}, say("editor.look_up")),
  );
  return part("memories", say("editor.concordance"), async () => {}, {}, form, list);
}

/** Look up what is selected, in the field or elsewhere on the page. */
export function lookUp(pane) {
  const { start, end } = pane.field.selection;
  const text = pane.text.slice(start, end) || String(getSelection());
  byId("look-up").closest("details").open = true;
  byId("look-up").focus();
  if (!text.trim()) return;
  byId("look-up").value = text.trim();
  byId("look-up").form.requestSubmit();
}

function versions(pane, { api, project, restore }) {
  const list = el("ol", { class: "versions plain-list" });
  return part(
    "past",
    say("editor.history"),
    async () => {
      const [found, issues] = await Promise.all([api.history(pane.row.id), api.issues(pane.row.id)]);
      const scores = issues.meta.form.score ? (await api.scores(pane.row.id)).rows : [];
      if (pane.isClosed) return;
      drawVersions(list, found.versions, {
        row: pane.row,
        project,
        restore: pane.site.may ? restore : null,
        issues: issues.rows,
        scores,
      });
    },
    {},
    list,
  );
}
