// The field in which a target is written: a plain text area, so that the caret, selections, undo, input methods and
// spelling are the browser's own; over it a layer, which nobody can touch, draws chips, marks and the prediction.

import { el } from "../judge/dom.js";
import { codeNumber, kindOf, label, pieces } from "./codes.js";
import { cut } from "./texts.js";

/** A text as elements: codes are chips, marks [{start, end, kind}] are spans of their kinds. */
export function drawn(text, codes, marks = []) {
  return cut(text, marks).flatMap((part) => {
    const inside = pieces(part.text).map((piece) => (piece.code === undefined ? piece.text : chip(piece, codes)));
    if (!part.marks.length) return inside;
    return [
      el(
        "span",
        { class: part.marks.map((mark) => `is-${mark.kind}`).join(" "), title: part.marks.at(-1).title },
        inside,
      ),
    ];
  });
}

/** The chip of a code. Its character keeps its width, so that layer and field break lines alike. */
function chip({ code, text }, codes) {
  const name = codes[code]?.[0] ?? "";
  return el("span", { class: `chip ${kindOf(codes, code)}`, title: name, "data-label": label(codes, code) }, text);
}

export class Field {
  /**
   * `onEdit({before, after, by})` after every change of the text; `onCaret()` when the caret has moved; `onDraw()`
   * always.
   */
  constructor({ lang, dir, codes, label: name, describedby, readOnly, onEdit, onCaret, onDraw }) {
    Object.assign(this, { codes, onEdit, onCaret, onDraw });
    this.area = el("textarea", {
      lang,
      dir,
      rows: 1,
      readOnly,
      "aria-label": name,
      "aria-describedby": describedby,
      spellcheck: true,
      autocapitalize: "off",
      autocomplete: "off",
    });
    this.layer = el("div", { class: "layer", dir, lang, "aria-hidden": "true" });
    this.element = el("div", { class: "target-field" }, this.area, this.layer);
    this.before = "";
    this.by = null; // who changes the text just now, if not the person
    this.ghost = null;
    this.marks = [];
    this.area.addEventListener("input", (event) =>
      this.#edited(this.by ?? (event.inputType?.startsWith("insertFromPaste") ? "paste" : "key")),
    );
    this.area.addEventListener("selectionchange", () => this.#moved());
    for (const kind of ["keyup", "pointerup", "focus"]) this.area.addEventListener(kind, () => this.#moved());
    this.draw();
  }

  get text() {
    return this.area.value;
  }

  /** Where the caret is; the end of the selection. */
  get caret() {
    return this.area.selectionEnd;
  }

  get selection() {
    return { start: this.area.selectionStart, end: this.area.selectionEnd };
  }

  get prefix() {
    return this.text.slice(0, this.caret);
  }

  /** Whether nothing but blanks stands behind the caret, so that a prediction can. */
  get isAtEnd() {
    return this.area.selectionStart === this.caret && !this.text.slice(this.caret).trim();
  }

  /** Another text as a whole, which nobody has typed. */
  load(text) {
    this.area.value = text;
    this.before = text;
    this.marks = [];
    this.ghost = null;
    this.area.setSelectionRange(text.length, text.length);
    this.draw();
  }

  /** Put a text in place of a part of the field's; the caret is behind it. It can be undone. */
  write(text, { start = this.area.selectionStart, end = this.area.selectionEnd, by = "key" } = {}) {
    this.area.focus({ preventScroll: true });
    this.area.setSelectionRange(start, end);
    this.by = by;
    const done = text ? document.execCommand("insertText", false, text) : document.execCommand("delete");
    if (!done) {
      this.area.setRangeText(text, start, end, "end");
      this.#edited(by);
    }
    this.by = null;
  }

  become(text, by) {
    this.write(text, { start: 0, end: this.text.length, by });
  }

  /** Show what may come behind the caret: [{text, kind}], or null. */
  show(ghost) {
    this.ghost = ghost;
    this.draw();
  }

  mark(marks) {
    this.marks = marks;
    this.draw();
  }

  draw() {
    const ghost =
      this.ghost && this.isAtEnd
        ? [
            el("wbr"),
            el(
              "span",
              { class: "ghost" },
              this.ghost.map(({ text, kind }) => el("span", { class: `is-${kind}` }, text)),
            ),
          ]
        : [];
    this.layer.replaceChildren(...drawn(this.text, this.codes, this.marks), ...ghost, "\u200b");
    this.onDraw?.();
  }

  #edited(by) {
    const before = this.before;
    if (before === this.text) return;
    this.before = this.text;
    this.marks = [];
    this.draw();
    this.onEdit({ before, after: this.text, by });
    this.place = this.caret;
  }

  #moved() {
    if (this.place === this.caret) return;
    this.place = this.caret;
    this.draw();
    this.onCaret?.();
  }
}

/** Whether a text has codes at all. */
export const hasCodes = (text) => [...text].some((char) => codeNumber(char) !== null);
