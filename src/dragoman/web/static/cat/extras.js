// Below a segment, on demand: what people say about it, and the texts it had.

import { el } from "../judge/dom.js";
import { commentForm, drawComments, drawVersions } from "./panels.js";

/** Draw both; what is open stays open. */
export function drawExtras(pane, { api, project, restore, say }) {
  const { row } = pane;
  const wasOpen = new Set([...pane.extra.querySelectorAll("details[open]")].map((each) => each.dataset.part));
  const [comments, versions] = [el("ul", { class: "comments plain-list" }), el("ol", { class: "versions plain-list" })];
  const count = el("span", {});

  const loadComments = async () => {
    const { rows } = await api.comments(row.id);
    if (pane.isClosed) return;
    const open = rows.filter((each) => !each.resolved).length;
    count.textContent = open ? ` (${open})` : "";
    if (open) talk.open = true;
    drawComments(comments, rows, { resolve: async (number, resolved) => { await api.resolve(number, resolved); await loadComments(); } });
  };
  const loadVersions = async () => {
    const found = await api.history(row.id);
    if (!pane.isClosed) drawVersions(versions, found.versions, { row, project, restore: pane.site.may ? restore : null });
  };
  const send = async (text, key) => {
    try {
      await api.comment(row.id, { key, text });
      await loadComments();
      return true;
    } catch {
      return false;
    }
  };
  const talk = el("details", { "data-part": "talk", open: wasOpen.has("talk") }, el("summary", {}, say("editor.comments"), count), comments, commentForm(send));
  const past = el("details", { "data-part": "past", ontoggle: (event) => event.target.open && loadVersions().catch(() => {}) },
    el("summary", {}, say("editor.history")), versions);
  past.open = wasOpen.has("past");
  pane.extra.replaceChildren(talk, past);
  loadComments().catch(() => {});
}
