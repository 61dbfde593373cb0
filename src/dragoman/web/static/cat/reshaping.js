// Segments split in two, and joined with the next one of their unit.

import { Denied } from "../judge/api.js";
import { el } from "../judge/dom.js";
import { newKey } from "../judge/outbox.js";
import { announce, say, showNotice } from "../judge/page.js";
import { pointAt, slicePoints } from "../judge/spans.js";
import { drawn } from "./field.js";
import { gapsOf, likelyGap } from "./gaps.js";

export class Reshaping {
  constructor(desk) {
    this.desk = desk;
  }

  /** Ask where to cut the open segment; the target is cut at its caret. */
  askSplit() {
    const { pane, project } = this.desk;
    if (!pane?.site.may) return false;
    const { row } = pane;
    const gaps = gapsOf(row.source, row.codes, project.source_lang);
    if (!gaps.length) return announce(say("editor.one_word"));
    const caret = pane.field.caret;
    const chooser = new CutChooser({
      row,
      project,
      gaps,
      target: pane.text,
      caret: caret || pane.text.length,
      cancel: () => this.#close(pane),
      split: (at) => this.#split(pane, at, caret),
    });
    pane.tool.replaceChildren(chooser.element);
    chooser.focus();
    return true;
  }

  #close(pane) {
    pane.tool.replaceChildren();
    pane.field.area.focus();
  }

  #split(pane, at, caret) {
    const target_at = caret ? pointAt(pane.text, caret) : null;
    return this.#reshape(
      pane,
      (key) => this.desk.api.split(pane.row.id, { key, at, target_at }),
      say("editor.was_split"),
    );
  }

  /** Join the open segment with the next. */
  merge() {
    const { pane } = this.desk;
    if (!pane?.site.may) return false;
    this.#reshape(pane, (key) => this.desk.api.merge(pane.row.id, { key }), say("editor.was_merged"));
    return true;
  }

  /** Do so with what the server has: everything that was written is sent first. */
  async #reshape(pane, run, done) {
    const { opening, saving } = this.desk;
    if (!(await saving.settled())) return showNotice(say("editor.needs_connection"));
    try {
      await run(newKey());
    } catch (error) {
      return showNotice(error instanceof Denied ? error.message : say("editor.needs_connection"));
    }
    await opening.reload(pane.row);
    return announce(done);
  }
}

/** A source in which a place between words is chosen, by arrows or by a click on the word behind it. */
class CutChooser {
  constructor({ row, project, gaps, target, caret, split, cancel }) {
    Object.assign(this, { row, project, gaps, target, caret });
    this.place = likelyGap(row.source, gaps);
    this.text = el("p", {
      class: "text cutting",
      lang: project.source_lang,
      dir: project.source_dir,
      tabIndex: 0,
      role: "slider",
      "aria-label": say("editor.cut_place"),
      "aria-valuemin": "1",
      "aria-valuemax": String(gaps.length),
    });
    this.parts = el("ol", { class: "parts" });
    this.text.addEventListener("keydown", (event) => this.#key(event, split, cancel));
    this.element = el(
      "div",
      { class: "card cutter" },
      el("p", { class: "soft" }, say("editor.cut_hint")),
      this.text,
      this.parts,
      el(
        "div",
        { class: "actions" },
        el("button", { type: "button", class: "primary", onclick: () => split(this.at) }, say("editor.split_here")),
        el("button", { type: "button", onclick: cancel }, say("editor.cancel")),
      ),
    );
    this.draw();
  }

  get at() {
    return this.gaps[this.place];
  }

  focus() {
    this.text.focus();
  }

  choose(place) {
    this.place = Math.max(0, Math.min(this.gaps.length - 1, place));
    this.draw();
  }

  #key(event, split, cancel) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const forward = this.project.source_dir === "rtl" ? -1 : 1;
    const place = {
      ArrowRight: this.place + forward,
      ArrowLeft: this.place - forward,
      ArrowUp: this.place + 1,
      ArrowDown: this.place - 1,
      Home: 0,
      End: this.gaps.length - 1,
    }[event.key];
    if (place !== undefined) this.choose(place);
    else if (event.key === "Enter") split(this.at);
    else if (event.key === "Escape") cancel();
    else return;
    event.preventDefault();
  }

  draw() {
    const { source, codes } = this.row;
    const ends = [...this.gaps, [...source].length];
    const piece = (start, end) => drawn(slicePoints(source, start, end), codes);
    this.text.replaceChildren(
      ...piece(0, ends[0]),
      ...this.gaps
        .flatMap((gap, i) => [
          i === this.place ? el("span", { class: "cut" }) : null,
          el("span", { class: "chunk", onclick: () => this.choose(i) }, piece(gap, ends[i + 1])),
        ])
        .filter(Boolean),
    );
    this.text.setAttribute("aria-valuenow", String(this.place + 1));
    this.text.setAttribute("aria-valuetext", slicePoints(source, this.at));
    const targets = [this.target.slice(0, this.caret), this.target.slice(this.caret)];
    const sources = [slicePoints(source, 0, this.at), slicePoints(source, this.at)];
    this.parts.replaceChildren(
      ...sources.map((part, i) =>
        el(
          "li",
          { class: "sides" },
          el(
            "p",
            { class: "text", lang: this.project.source_lang, dir: this.project.source_dir },
            drawn(part.trim(), codes),
          ),
          el(
            "p",
            { class: "text", lang: this.project.target_lang, dir: this.project.target_dir },
            drawn(targets[i].trim(), codes),
          ),
        ),
      ),
    );
  }
}
