// Others in the same project: who is there, who has which segment, and what they have just saved.

import { el } from "../judge/dom.js";
import { byId, say } from "../judge/page.js";

export class Together {
  /** `opening` and `saving` are the desk's. */
  constructor(desk) {
    this.desk = desk;
    this.held = []; // segments that others have open, as they were drawn last
  }

  /** The socket is there, for the first time or again. */
  async greet() {
    byId("live").dataset.state = "here";
    byId("live").textContent = "";
    this.lock();
    await this.desk.rules.send();
    this.desk.pane?.predictor.start();
    this.refresh();
  }

  away() {
    byId("live").dataset.state = "away";
    byId("live").textContent = say("editor.alone");
  }

  async lock() {
    const { pane, socket } = this.desk;
    if (!pane || !pane.site.may) return;
    const { id } = pane.row;
    const answer = await socket.call("open", { segment: id }).catch(() => null);
    if (!answer || this.desk.pane?.row.id !== id) return;
    byId("live").textContent = answer.locked ? "" : say("editor.held", { name: answer.holder ?? "—" });
  }

  /** What was missed while the socket was away. */
  async refresh() {
    const { api, box, list } = this.desk;
    const found = await api
      .segments({ ...list.filter, offset: list.offset, limit: Math.max(1, Math.min(1000, list.rows.length)) })
      .catch(() => null);
    for (const fresh of found?.segments ?? []) {
      const row = list.find(fresh.id);
      if (row && fresh.revision > row.revision && !box.waiting(row.id).length)
        this.#hearChange({ ...fresh, segment: fresh.id, user: fresh.changed_by, kind: "saved" });
    }
  }

  hear(name, data) {
    const { list, user } = this.desk;
    if (name === "presence") {
      const others = data.people.filter((each) => each.user !== user);
      list.people = new Map(others.filter((each) => each.segment).map((each) => [each.segment, each.user]));
      byId("people").replaceChildren(...others.map((each) => el("span", { class: "badge" }, el("bdi", {}, each.user))));
      this.drawLocks();
    } else if (name === "changed") this.#hearChange(data);
  }

  drawLocks() {
    const { list } = this.desk;
    const now = [...list.people.keys()];
    for (const id of new Set([...this.held, ...now])) {
      const row = list.find(id);
      if (row) list.redraw(row);
    }
    this.held = now;
  }

  #hearChange(data) {
    const { box, list, opening, pane, saving } = this.desk;
    if (["split", "merged"].includes(data.kind)) {
      // Whoever has just done so has the list already.
      if (Boolean(list.find(data.second)) !== (data.kind === "split")) opening.reload().catch(() => {});
      return;
    }
    if (["comment", "issue", "scored"].includes(data.kind)) {
      // Who moves the slider just now keeps it.
      const isOwnScore = data.kind === "scored" && data.user === this.desk.user;
      if (pane?.row.id === data.segment && !isOwnScore) opening.drawExtras();
      return;
    }
    const row = list.find(data.segment);
    if (!row || data.revision === undefined || data.revision <= row.revision || box.waiting(row.id).length) return;
    const isOpen = pane?.row === row;
    const isChanged = isOpen && pane.text !== (row.target ?? "");
    this.desk.become(row, data);
    if (!isOpen) return;
    if (isChanged && pane.isTouched && pane.text !== data.target) saving.conflict(pane.text, data);
    else {
      pane.field.load(data.target ?? "");
      byId("live").textContent = say("editor.changed_by", { name: data.user ?? "—" });
    }
  }
}
