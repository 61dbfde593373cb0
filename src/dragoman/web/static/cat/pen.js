// The pen area: the text in large letters, strokes drawn over it by pen, finger or mouse, and what they mean.

import { el } from "../judge/dom.js";
import { announce, say } from "../judge/page.js";
import { words } from "../judge/spans.js";
import { drawn } from "./field.js";
import { boxOf, coveredWords, tipOf, withWordMoved, withoutWords, wordAt } from "./strokes.js";

const PAUSE = 800; // ms without a stroke after which the strokes are read
const MOST_TEMPLATES = 200; // that the server takes

export class Pen {
  /** `site` has api, project, settings, record, act(name); `templates` keeps the writer's own drawings. */
  constructor(pane, site, templates) {
    Object.assign(this, { pane, site, templates });
    this.strokes = [];
    this.reading = null; // strokes of which the server is asked just now
    this.began = 0;
    this.#build();
    this.draw();
  }

  #build() {
    const { lang, dir } = { lang: this.site.project.target_lang, dir: this.site.project.target_dir };
    this.text = el("p", { class: "text pen-text", lang, dir, "aria-hidden": "true" });
    this.canvas = el("canvas", { role: "img", "aria-label": say("editor.pen_area") });
    this.message = el("p", { class: "soft pen-message", role: "status" }, say("editor.pen_hint"));
    const button = (text, run, kind = "") => el("button", { type: "button", class: kind, onclick: run }, text);
    this.element = el(
      "section",
      { class: "pen" },
      el("h3", {}, say("editor.pen")),
      el("div", { class: "pen-area" }, this.text, this.canvas),
      this.message,
      el(
        "div",
        { class: "actions" },
        button(say("editor.undo_stroke"), () => this.undo()),
        button(say("editor.pen_accept"), () => this.#accept(1)),
        button(say("editor.pen_delete"), () => this.#deleteWords(...this.#selected())),
        button(say("editor.pen_move"), () => this.#moveOn()),
      ),
    );
    for (const [kind, run] of [
      ["pointerdown", "begin"],
      ["pointermove", "go"],
      ["pointerup", "end"],
      ["pointercancel", "end"],
    ]) {
      this.canvas.addEventListener(kind, (event) => this[run](event));
    }
    new ResizeObserver(() => this.paint()).observe(this.canvas);
  }

  get #words() {
    return words(this.pane.text, this.site.project.target_lang).filter(({ start, end }) =>
      /[\p{L}\p{N}]/u.test([...this.pane.text].slice(start, end).join("")),
    );
  }

  /** The text as it stands, a span for every word. */
  draw() {
    const { text, row } = this.pane;
    if (text === this.drawnText) return;
    this.drawnText = text;
    const points = [...text];
    let at = 0;
    const parts = this.#words.flatMap(({ start, end }, i) => {
      const gap = points.slice(at, start).join("");
      at = end;
      return [
        ...drawn(gap, row.codes),
        el("span", { "data-word": String(i) }, drawn(points.slice(start, end).join(""), row.codes)),
      ];
    });
    this.text.replaceChildren(...parts, ...drawn(points.slice(at).join(""), row.codes), "\u200b");
  }

  begin(event) {
    clearTimeout(this.timer);
    this.canvas.setPointerCapture(event.pointerId);
    if (!this.strokes.length) this.began = event.timeStamp;
    this.strokes.push([this.#point(event)]);
    this.isDown = true;
    event.preventDefault();
  }

  go(event) {
    if (!this.isDown) return;
    this.strokes.at(-1).push(...(event.getCoalescedEvents?.() ?? [event]).map((each) => this.#point(each)));
    this.paint();
  }

  end() {
    if (!this.isDown) return;
    this.isDown = false;
    const { width, height } = this.canvas.getBoundingClientRect();
    this.site.record("stroke", this.pane.row.id, {
      points: this.strokes.at(-1),
      area: [Math.round(width), Math.round(height)],
    });
    this.timer = setTimeout(() => this.read(), PAUSE);
  }

  #point(event) {
    const { left, top } = this.canvas.getBoundingClientRect();
    return [
      Math.round(event.clientX - left),
      Math.round(event.clientY - top),
      Math.round(event.timeStamp - this.began),
    ];
  }

  paint() {
    const { width, height } = this.canvas.getBoundingClientRect();
    const scale = devicePixelRatio || 1;
    [this.canvas.width, this.canvas.height] = [width * scale, height * scale];
    const ink = this.canvas.getContext("2d");
    ink.scale(scale, scale);
    Object.assign(ink, {
      lineWidth: 3,
      lineCap: "round",
      lineJoin: "round",
      strokeStyle: getComputedStyle(this.canvas).color,
    });
    for (const stroke of this.strokes) {
      ink.beginPath();
      for (const [x, y] of stroke) ink.lineTo(x, y);
      ink.stroke();
    }
  }

  /** Take the last stroke back; without one, the last change of the text. */
  undo() {
    clearTimeout(this.timer);
    if (this.strokes.length) {
      this.strokes.pop();
      this.site.record("strokeUndone", this.pane.row.id);
      this.paint();
      if (this.strokes.length) this.timer = setTimeout(() => this.read(), PAUSE);
      return;
    }
    if (this.reading) {
      this.reading = null; // it comes too late
      return;
    }
    this.pane.field.area.focus({ preventScroll: true });
    document.execCommand("undo");
  }

  /** Ask what the strokes mean, and do it. */
  async read() {
    const { strokes } = this;
    this.reading = strokes;
    this.strokes = [];
    const body = { strokes, templates: this.templates.all, context: this.pane.field.prefix.slice(-1000) };
    const answer = await this.site.api.readStrokes(body).catch((error) => ({ error }));
    this.paint();
    if (this.reading !== strokes) return undefined;
    this.reading = null;
    if (answer.error) return this.#say(say("editor.needs_connection"));
    const [best] = answer.readings;
    if (!best) return this.#offerToTeach(strokes);
    if (best.kind === "gesture") return this.#obey(best, strokes);
    return this.#write(answer.readings.filter((each) => each.kind === "text"));
  }

  #obey({ value, score }, strokes) {
    if (value === "accept") return this.#accept(score);
    const rects = this.#rects();
    if (!rects.length) return this.#say(say("editor.pen_nothing"));
    if (value === "delete") {
      const covered = coveredWords(rects, boxOf(strokes));
      return this.#deleteWords(covered[0], covered.at(-1), score);
    }
    return this.#moveWord(wordAt(rects, strokes[0][0]), wordAt(rects, tipOf(strokes)), score);
  }

  #rects() {
    const area = this.canvas.getBoundingClientRect();
    return [...this.text.querySelectorAll("[data-word]")].map((word) => {
      const { left, top, right, bottom } = word.getBoundingClientRect();
      return { left: left - area.left, top: top - area.top, right: right - area.left, bottom: bottom - area.top };
    });
  }

  #accept(score) {
    this.site.record("gesture", this.pane.row.id, { name: "accept", score });
    this.site.act("confirm");
  }

  #deleteWords(first, last = first, score = 1) {
    const cut = this.#words;
    if (first === undefined || !cut[first]) return this.#say(say("editor.pen_nothing"));
    this.#become("delete", score, cut[first].start, cut[last].end, withoutWords(this.pane.text, cut, first, last));
    return this.#say(say("editor.pen_deleted"));
  }

  #moveWord(from, to, score = 1) {
    const cut = this.#words;
    if (!cut[from] || from === to) return this.#say(say("editor.pen_nothing"));
    this.#become("move", score, cut[from].start, cut[to].start, withWordMoved(this.pane.text, cut, from, to));
    return this.#say(say("editor.pen_moved"));
  }

  #become(name, score, begin, end, text) {
    this.site.record("gesture", this.pane.row.id, { name, score, begin, end });
    this.pane.field.become(text, "pen");
  }

  /** The words that are selected in the field, or the one at its caret. */
  #selected() {
    const { start, end } = this.pane.field.selection;
    const point = (unit) => [...this.pane.text.slice(0, unit)].length;
    const hit = this.#words.flatMap((word, i) => (word.start <= point(end) && point(start) <= word.end ? [i] : []));
    return hit.length ? [hit[0], start === end ? hit[0] : hit.at(-1)] : [];
  }

  #moveOn() {
    const [first] = this.#selected();
    const last = this.#words.length - 1;
    return this.#moveWord(first, first === last ? 0 : first + 1);
  }

  /** Put handwriting at the caret; the other readings can take its place. */
  #write(readings) {
    const { field } = this.pane;
    const at = field.selection.start;
    const before = field.text;
    const put = (text) => {
      field.become(before, "pen");
      const gap = /\S$/u.test(before.slice(0, at)) ? " " : "";
      field.write(gap + text, { start: at, end: at, by: "pen" });
      this.site.record("handwriting", this.pane.row.id, { readings, text, position: [...before.slice(0, at)].length });
    };
    put(readings[0].value);
    this.message.replaceChildren(
      say("editor.pen_read"),
      " ",
      ...readings.map(({ value }) => el("button", { type: "button", class: "word", onclick: () => put(value) }, value)),
    );
  }

  /** Nothing is like it: the writer may say what it means, from now on. */
  #offerToTeach(strokes) {
    const field = el("input", { required: true, maxLength: 200, dir: "auto", "aria-label": say("editor.pen_means") });
    this.message.replaceChildren(
      el(
        "form",
        {
          class: "comment-form",
          onsubmit: (event) => {
            event.preventDefault();
            this.templates.add({ value: field.value.trim(), kind: "text", strokes });
            this.#write([{ kind: "text", value: field.value.trim(), score: 1 }]);
          },
        },
        el("span", {}, say("editor.pen_unknown")),
        field,
        el("button", {}, say("editor.pen_teach")),
      ),
    );
    announce(say("editor.pen_unknown"));
  }

  #say(message) {
    this.message.replaceChildren(message);
  }
}

/** The drawings that a writer has named, the newest last; kept in the browser. */
export class Templates {
  constructor(storage, name) {
    Object.assign(this, { storage, name });
    try {
      this.all = JSON.parse(storage.getItem(name)) ?? [];
    } catch {
      this.all = [];
    }
  }

  add(template) {
    this.all = [...this.all, template].slice(-MOST_TEMPLATES);
    try {
      this.storage.setItem(this.name, JSON.stringify(this.all));
    } catch {
      // They then hold for this page alone.
    }
  }
}
