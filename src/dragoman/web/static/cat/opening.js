// Going from segment to segment: which one is open, and the way to the next.

import { el } from "../judge/dom.js";
import { announce, byId, say } from "../judge/page.js";
import { OPEN_STATES } from "./desk.js";
import { drawExtras } from "./extras.js";
import { Pane } from "./pane.js";

export class Opening {
  /** `saving` and `together` are the desk's; `keys` says what keys do. */
  constructor(desk, { saving, together, keys }) {
    Object.assign(this, { desk, saving, together, keys });
    this.closed = null; // the segment that is open again when the list is there
    this.turn = 0; // counts openings, so that a late answer does not open an older segment
  }

  async open(id, { push = true } = {}) {
    const { desk } = this;
    const { api, list } = desk;
    if (desk.pane?.row.id === id) return desk.pane.field.area.focus();
    const mine = (this.turn += 1);
    this.closed = null;
    this.leave();
    let row = list.find(id);
    if (!row) {
      row = await desk.insist(() => api.segment(id));
      if (mine !== this.turn) return undefined;
      this.closed = row; // a list that comes meanwhile opens it
      list.filter = {};
      byId("filters").reset();
      if (!(await desk.insist(() => list.start(row.place))) || mine !== this.turn) return undefined;
      this.closed = null;
      row = list.find(id) ?? row;
    }
    this.#mount(row);
    if (push && location.hash !== `#${id}`) history.pushState({}, "", `#${id}`);
    return undefined;
  }

  #mount(row) {
    const { box, list } = this.desk;
    const draft = box.draft(row.id);
    const unsent = box.unsent(String(row.id));
    const isOlder = draft && draft.revision < row.revision && !unsent && draft.text !== (row.target ?? "");
    const pane = new Pane(row, draft?.text ?? unsent ?? row.target ?? "", this.#site(row));
    this.desk.pane = pane;
    pane.origin = draft?.origin ?? null;
    const fresh = el(
      "li",
      { class: "row active", "data-segment": String(row.id), "data-place": String(row.place), "data-state": row.state },
      pane.element,
    );
    list.item(row.id).replaceWith(fresh);
    fresh.scrollIntoView({ block: "nearest" });
    pane.field.area.focus({ preventScroll: true });
    pane.begin();
    this.drawExtras();
    if (isOlder) this.saving.conflict(draft.text, row);
    else if (draft) {
      pane.isTouched = true;
      this.saving.edited(pane);
    }
    this.together.lock();
    announce(say("editor.segment", { n: row.place }));
    this.together.drawLocks();
  }

  drawExtras() {
    const { api, pane, project, user } = this.desk;
    drawExtras(pane, { api, project, user, restore: (version) => this.saving.restore(version) });
  }

  /** What a pane shares with the page. */
  #site(row) {
    const { api, list, project, recorder, rules, settings, socket, templates } = this.desk;
    return {
      project,
      api,
      socket,
      rules,
      templates,
      settings: settings.values,
      may: this.desk.mayEdit(row),
      mayReview: this.desk.mayReview(row),
      next: list.rows.find((each) => each.place === row.place + 1),
      edited: (pane) => this.saving.edited(pane),
      act: this.keys.act,
      keysOf: this.keys.keysOf,
      record: (kind, segment, data) => recorder.record(kind, segment, data),
    };
  }

  leave() {
    const { list, pane } = this.desk;
    if (!pane) return;
    this.saving.saveTouched();
    pane.close();
    this.desk.pane = null;
    list.item(pane.row.id)?.classList.remove("active");
    list.redraw(pane.row);
  }

  async go(by) {
    const { list, pane } = this.desk;
    if (!pane) return list.rows.length ? this.open(list.rows[0].id) : undefined;
    if (by > 0 && !list.beside(pane.row.id, 1) && list.hasMore) await this.desk.insist(() => list.later());
    const beside = list.beside(pane.row.id, by);
    return beside ? this.open(beside.id) : undefined;
  }

  /** The next segment that is not done; the first ones again behind the last. */
  async goOpen() {
    const { api, list, pane } = this.desk;
    const place = pane?.row.place ?? 0;
    const near = list.rows.find(
      (row) => row.place > place && OPEN_STATES.includes(row.state) && this.desk.mayEdit(row),
    );
    if (near) return this.open(near.id);
    for (const first of [place + 1, 1]) {
      const found = await Promise.all(
        OPEN_STATES.map((state) => this.desk.insist(() => api.segments({ state, first, limit: 1 }))),
      );
      const rows = found
        .flatMap((each) => each.segments)
        .filter((row) => row.id !== pane?.row.id)
        .sort((a, b) => a.place - b.place);
      if (rows.length) return this.open(rows[0].id);
    }
    return announce(say("editor.all_done"));
  }

  /**
   * The list is another one because segments were split or joined: load it, and open what was open, or was opened while
   * it came.
   */
  async reload(row = this.desk.pane?.row ?? this.closed) {
    const { list } = this.desk;
    this.turn += 1;
    this.closed = row;
    this.leave();
    if (!(await this.desk.insist(() => list.start(row?.place)))) return;
    this.drawCount();
    this.desk.recount();
    const open = this.desk.pane?.row ?? this.closed;
    this.leave(); // its pane went with the old list
    if (open && list.find(open.id)) await this.open(open.id, { push: false });
  }

  async filter() {
    const { list } = this.desk;
    this.leave();
    list.filter = Object.fromEntries(new FormData(byId("filters")));
    if (await this.desk.insist(() => list.start())) this.drawCount();
  }

  drawCount() {
    byId("count").textContent = say("cat.n_segments", { n: this.desk.list.total });
  }
}
