// The list of segments: a window of it is on the page, which grows at both ends.

import { el } from "../judge/dom.js";
import { say } from "../judge/page.js";
import { drawn } from "./field.js";

const WINDOW = 100; // segments of a request

export const stateName = (state) =>
  ({
    new: say("cat.state_new"),
    draft: say("cat.state_draft"),
    translated: say("cat.state_translated"),
    approved: say("cat.state_approved"),
    rejected: say("cat.state_rejected"),
  })[state];

export class SegmentList {
  /** `known(row)` brings a row from the server up to what this browser knows of it. */
  constructor(root, api, project, { open, known = () => {} }) {
    Object.assign(this, { root, api, project, open, known });
    this.filter = {};
    this.rows = [];
    this.offset = 0;
    this.total = 0;
    this.asked = 0; // counts windows asked for, so that a late answer does not draw an older list
    this.people = new Map(); // segment id → who has it open
  }

  /**
   * Load the window around a place of the project, or the beginning of what the filter leaves. False if another was
   * asked for meanwhile: that one is drawn.
   */
  async start(place = 1) {
    const mine = (this.asked += 1);
    const isWhole = !Object.values(this.filter).some(Boolean);
    const offset = isWhole ? Math.max(0, place - 1 - Math.floor(WINDOW / 4)) : 0;
    const found = await this.api.segments({ ...this.filter, offset, limit: WINDOW });
    if (mine !== this.asked) return false;
    this.offset = offset;
    this.rows = found.segments;
    this.rows.forEach(this.known);
    this.total = found.total;
    this.draw();
    return true;
  }

  get hasMore() {
    return this.offset + this.rows.length < this.total;
  }

  async later() {
    const found = await this.api.segments({ ...this.filter, offset: this.offset + this.rows.length, limit: WINDOW });
    this.#add(found, [...this.rows, ...this.#fresh(found)]);
  }

  async earlier() {
    const offset = Math.max(0, this.offset - WINDOW);
    const found = await this.api.segments({ ...this.filter, offset, limit: this.offset - offset });
    this.offset = offset;
    this.#add(found, [...this.#fresh(found), ...this.rows]);
  }

  #fresh(found) {
    const known = new Set(this.rows.map((row) => row.id));
    const rows = found.segments.filter((row) => !known.has(row.id));
    rows.forEach(this.known);
    return rows;
  }

  #add(found, rows) {
    this.total = found.total;
    const old = new Set(this.rows.map((row) => row.id));
    this.rows = rows;
    const below = this.root.lastElementChild;
    const first = this.root.firstElementChild;
    for (const row of rows.filter((each) => !old.has(each.id))) {
      const item = this.#item(row);
      if (below && row.place > this.rows[0].place && !(first && row.place < Number(first.dataset.place)))
        this.root.append(item);
      else if (first) first.before(item);
      else this.root.append(item);
    }
  }

  find(id) {
    return this.rows.find((row) => row.id === id);
  }

  /** The row before or behind another in the list. */
  beside(id, by) {
    return this.rows[this.rows.findIndex((row) => row.id === id) + by];
  }

  item(id) {
    return this.root.querySelector(`[data-segment="${id}"]`);
  }

  draw() {
    this.root.replaceChildren(...this.rows.map((row) => this.#item(row)));
  }

  /** Draw one again, unless it is the one with the pane. */
  redraw(row) {
    const item = this.item(row.id);
    if (!item) return;
    if (item.classList.contains("active")) item.dataset.state = row.state;
    else item.replaceWith(this.#item(row));
  }

  #item(row) {
    const { source_lang: from, target_lang: to, source_dir: fromDir, target_dir: toDir } = this.project;
    const who = this.people.get(row.id);
    const isEmpty = !row.target;
    return el(
      "li",
      {
        class: "row",
        "data-segment": String(row.id),
        "data-place": String(row.place),
        "data-state": row.state,
        onclick: () => getSelection().isCollapsed && this.open(row.id),
      },
      el(
        "a",
        {
          class: "place",
          href: `#${row.id}`,
          onclick: (event) => {
            event.preventDefault();
            event.stopPropagation();
            this.open(row.id);
          },
        },
        el("span", { class: "unseen" }, say("editor.open"), " "),
        String(row.place),
      ),
      el("p", { class: "text", lang: from, dir: fromDir }, drawn(row.source, row.codes)),
      el(
        "p",
        { class: isEmpty ? "text nothing" : "text", lang: isEmpty ? undefined : to, dir: isEmpty ? undefined : toDir },
        isEmpty ? "—" : drawn(row.target, row.codes),
      ),
      el(
        "p",
        { class: "marks" },
        el("span", { class: "state" }, stateName(row.state)),
        who ? el("span", { class: "badge warn" }, el("bdi", {}, who)) : null,
      ),
    );
  }
}
