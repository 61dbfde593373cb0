// The pane of the open segment: source and field side by side, what may be done, and what helps.

import { el, newId } from "../judge/dom.js";
import { newKey } from "../judge/outbox.js";
import { announce, say } from "../judge/page.js";
import { pointAt, pointLength } from "../judge/spans.js";
import { partners } from "./align.js";
import { nextCode } from "./codes.js";
import { Field, drawn, hasCodes } from "./field.js";
import { grade, withOwnWords } from "./ghost.js";
import { stateName } from "./list.js";
import { drawChecks, drawFragments, drawSuggestions, drawTerms } from "./panels.js";
import { Pen } from "./pen.js";
import { Predictor, graded } from "./predictor.js";
import { difference, isPartner, isPrefilled, withEdits } from "./texts.js";

const TURN = 250; // ms in which a mouse wheel turns once
const QUIET = 700; // ms without a key until checks and confidences are asked for

export class Pane {
  /**
   * `site` is what panes share: project, api, socket, settings, record, edited(pane), act(name), keysOf(name), may,
   * mayReview.
   */
  constructor(row, text, site) {
    Object.assign(this, { row, site });
    this.origin = null; // the suggestion that the text was made from
    this.isTouched = false; // whether the person has changed the text
    this.suggestions = [];
    this.problem = ""; // why there is no machine translation
    this.terms = [];
    this.findings = [];
    this.next = -1; // of the findings
    this.turn = 0;
    this.#build(text);
    this.#drawPen();
    this.predictor = new Predictor({
      field: this.field,
      socket: site.socket,
      source: row.source,
      codes: row.codes,
      settings: () => ({
        ...site.settings,
        predict: site.settings.predict && Boolean(site.project.engine) && site.may,
      }),
      rules: () => site.rules.own,
      tell: (news) => this.#tellPrediction(news),
      record: (kind, data) => site.record(kind, row.id, data),
    });
  }

  #build(text) {
    const { row, site } = this;
    const { project } = site;
    const title = newId("pane");
    const hint = newId("line");
    this.field = new Field({
      lang: project.target_lang,
      dir: project.target_dir,
      codes: row.codes,
      label: say("editor.translation_of", { n: row.place }),
      describedby: hint,
      readOnly: !site.may,
      onEdit: (edit) => this.#edited(edit),
      onCaret: () => this.#moved(),
      onDraw: () => this.pen?.draw(),
    });
    this.field.load(text);
    this.field.element.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    this.source = el("p", { class: "text source", lang: project.source_lang, dir: project.source_dir });
    this.line = el("p", { class: "prediction", id: hint, ...{ lang: project.target_lang, dir: project.target_dir } });
    this.badge = el("span", { class: "state" });
    this.message = el("div", { class: "message" });
    this.penBox = el("div", {});
    this.tool = el("div", { class: "tool" }); // what is asked for just now, as where to cut
    const [suggestions, terms, fragments, checks] = [
      el("ol", { class: "suggestions" }),
      ...[1, 2, 3].map(() => el("ul", { class: "plain-list" })),
    ];
    this.parts = { suggestions, terms, fragments, checks };
    this.extra = el("div", { class: "extra" });
    const section = (name, list, hidden = false) => el("section", { hidden }, el("h3", {}, name), list);
    this.element = el(
      "section",
      { class: "pane", "aria-labelledby": title },
      el(
        "header",
        {},
        el("h2", { id: title }, say("editor.segment", { n: row.place })),
        this.badge,
        el("span", { class: "soft" }, el("bdi", {}, row.file)),
        row.note ? el("span", { class: "soft", dir: "auto" }, row.note) : null,
      ),
      this.message,
      el("div", { class: "sides" }, this.source, el("div", {}, this.field.element, this.line)),
      this.penBox,
      this.tool,
      this.#buttons(),
      el(
        "div",
        { class: "help" },
        section(say("editor.suggestions"), suggestions),
        section(say("editor.terms"), terms, true),
        section(say("editor.fragments"), fragments, true),
        section(say("editor.checks"), checks, true),
        this.extra,
      ),
    );
    this.draw();
  }

  #buttons() {
    const { site } = this;
    const button = (name, text, kind = "") =>
      el(
        "button",
        { type: "button", class: kind, "data-action": name, title: site.keysOf(name), onclick: () => site.act(name) },
        text,
      );
    const review = site.mayReview
      ? [button("approve", say("editor.approve"), "good"), button("reject", say("editor.reject"), "danger")]
      : [];
    if (!site.may) return el("p", { class: "notice" }, say("editor.not_yours"));
    return el(
      "div",
      { class: "actions" },
      button("confirm", say("editor.confirm"), "primary"),
      review,
      button("draft", say("editor.save_draft"), "minor"),
      button("copySource", say("editor.copy_source"), "minor"),
      button("split", say("editor.split"), "minor"),
      isPartner(this.row, site.next) ? button("merge", say("editor.merge"), "minor") : null,
      hasCodes(this.row.source) ? button("code", say("editor.next_code")) : null,
    );
  }

  /** Draw what depends on the segment's state, and the source. */
  draw(partnersOf = []) {
    this.badge.textContent = stateName(this.row.state);
    const terms = this.terms.flatMap((term) =>
      term.places.map(([start, end]) => ({ start, end, kind: "term", title: term.target })),
    );
    this.source.replaceChildren(
      ...drawn(this.row.source, this.row.codes, [
        ...terms,
        ...partnersOf.map((span) => ({ ...span, kind: "partner" })),
      ]),
    );
  }

  get text() {
    return this.field.text;
  }

  /** The pen area, if the person wants one. */
  #drawPen() {
    const wanted = this.site.settings.pen && this.site.may;
    if (wanted === Boolean(this.pen)) return;
    this.pen = wanted ? new Pen(this, this.site, this.site.templates) : null;
    this.penBox.replaceChildren(...(this.pen ? [this.pen.element] : []));
  }

  /** Ask for all that helps; the person writes meanwhile. */
  begin() {
    this.site.record("segmentOpened", this.row.id, { text: this.text });
    this.recordLayout();
    this.predictor.start();
    this.#suggest();
    this.#look();
  }

  /** Where source and field stand in the window: what an eye tracker sees is in its pixels. */
  recordLayout() {
    const box = (element) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      return [left, top, width, height].map(Math.round);
    };
    this.site.record("layout", this.row.id, {
      view: [innerWidth, innerHeight],
      source: box(this.source),
      target: box(this.field.element),
    });
  }

  async #suggest() {
    const { row, site } = this;
    let found;
    try {
      found = await site.api.suggestions(row.id);
      if (this.isClosed) return;
      this.suggestions = found.suggestions;
      this.problem = found.problem_said;
      this.terms = found.terms;
    } catch {
      if (!this.isClosed)
        this.parts.suggestions.replaceChildren(el("li", { class: "soft" }, say("editor.no_connection")));
      return;
    }
    site.record("suggestionsLoaded", row.id, {
      suggestions: this.suggestions.map(({ kind, name, score, text }) => ({ kind, name, score, text })),
    });
    const insert = (text) => site.may && this.field.write(text, { by: "suggestion" });
    drawTerms(this.parts.terms, this.terms, { project: site.project, insert });
    drawFragments(this.parts.fragments, found.fragments, { project: site.project, insert });
    this.#drawSuggestions();
    this.draw();
    const isOpen = site.may && !this.text && !this.isTouched && row.state === "new";
    if (isOpen && isPrefilled(this.suggestions[0], site.settings, site.settings.predict && site.project.engine))
      this.take(0, { touch: false });
  }

  #drawSuggestions() {
    const keys = [1, 2, 3].map((n) => this.site.keysOf(`match${n}`));
    drawSuggestions(this.parts.suggestions, this.suggestions, {
      row: this.row,
      project: this.site.project,
      keys,
      problem: this.problem,
      take: (i) => this.take(i),
    });
  }

  /** Put a suggestion in place of the text. */
  take(place, { touch = true } = {}) {
    const chosen = this.suggestions[place];
    if (!chosen || !this.site.may) return false;
    const { kind, name, score, text } = chosen;
    this.origin = { kind, name, score, text };
    this.site.record("suggestionChosen", this.row.id, this.origin);
    this.isFilling = !touch;
    this.field.become(text, "suggestion");
    this.isFilling = false;
    return true;
  }

  #edited({ before, after, by }) {
    const change = difference(before, after);
    this.site.record("text", this.row.id, { ...change, by });
    if (!this.isFilling) {
      this.isTouched = true;
      this.site.edited(this);
    }
    const isForward =
      change.inserted &&
      !change.deleted &&
      pointAt(after, this.field.caret) === change.position + pointLength(change.inserted);
    this.predictor.edited(isForward ? change.inserted : "");
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.#look(), QUIET);
  }

  #moved() {
    const { start, end } = this.field.selection;
    if (start !== end)
      this.site.record("selection", this.row.id, { start: pointAt(this.text, start), end: pointAt(this.text, end) });
    this.predictor.moved();
    this.showPartners();
  }

  /** Checks and confidences of the text as it stands. */
  async #look() {
    const turn = (this.turn += 1);
    const text = this.text;
    const isCurrent = () => turn === this.turn && !this.isClosed && text === this.text;
    if (!text) return this.#showFindings([]);
    await Promise.all([this.#check(text, isCurrent), this.#doubt(text, isCurrent), this.showPartners()]);
  }

  async #check(text, isCurrent) {
    if (!this.site.may) return;
    const found = await this.site.api.checks(this.row.id, text).catch(() => null);
    if (found && isCurrent()) this.#showFindings(found.findings);
  }

  #showFindings(findings) {
    this.findings = findings;
    drawChecks(this.parts.checks, findings, {
      go: (i) => this.showFinding(i),
      ignore: (finding, reason) => this.#ignore(finding, reason),
      fix: (i) => this.takeFix(i),
      text: this.text,
      key: this.site.keysOf("fix"),
      project: this.site.project,
    });
    this.paint();
  }

  /**
   * Put the cure of a finding into the text: of a certain one, of the one that is selected, or of the first that has
   * one.
   */
  takeFix(
    place = this.findings[this.next]?.edits?.length ? this.next : this.findings.findIndex((each) => each.edits?.length),
  ) {
    const finding = this.findings[place];
    if (!finding?.edits?.length || !this.site.may) return false;
    this.field.become(withEdits(this.text, finding.edits), "suggestion");
    this.#showFindings([]); // their places were those of the text before; the checks look again
    this.next = -1;
    announce(
      say("editor.fix_taken", {
        text: finding.edits
          .map(([, put]) => put)
          .filter(Boolean)
          .join(" … "),
      }),
    );
    return true;
  }

  /** Say why a finding is none; nobody is shown it again. */
  async #ignore({ check, message }, reason) {
    await this.site.api
      .ignore(this.row.id, { key: newKey(), check, message, reason })
      .catch((error) => announce(error.message));
    this.field.area.focus();
    await this.#look();
  }

  get firstTerm() {
    return this.terms.find((term) => term.status !== "forbidden")?.target;
  }

  /** Select the place of the next finding, or of a certain one. */
  showFinding(place = this.next + 1) {
    if (!this.findings.length) return false;
    this.next = place % this.findings.length;
    const finding = this.findings[this.next];
    const [[start, end] = [0, 0]] = finding.target;
    const points = [...this.text];
    const unit = (point) => points.slice(0, point).join("").length;
    this.field.area.focus();
    this.field.area.setSelectionRange(unit(start), unit(end));
    announce(finding.message);
    return true;
  }

  async #doubt(text, isCurrent) {
    const { settings, socket, project } = this.site;
    const origin = this.origin ?? this.row.origin;
    this.confidences = null;
    // What people wrote is theirs: a machine doubts its own words alone.
    if (origin?.kind === "MT" && settings.colour && project.engine && socket.isOpen && !this.predictor.shown) {
      const found = await socket
        .call("getConfidences", { source: this.row.source, target: text, validatedTokens: [] })
        .catch(() => null);
      if (!isCurrent()) return;
      this.confidences = found && withOwnWords(found, text, origin.text);
    }
    this.paint();
  }

  /** Colour the words of the text by how sure they are. */
  paint() {
    const { settings } = this.site;
    const found = this.confidences;
    this.field.element.classList.toggle(
      "is-poor",
      Boolean(settings.colour && found && found.quality !== null && found.quality < settings.wrong),
    );
    const fixes = this.findings.flatMap(({ edits = [] }) =>
      edits.map(([[start, end]]) => ({ start, end, kind: "fix" })),
    );
    if (!found || !settings.colour) return this.field.mark(fixes);
    const marks = found.targetSegmentation.map(([start, end], i) => ({
      start,
      end,
      kind: grade(found.confidences[i], settings),
    }));
    const isFree = ({ start, end }) => fixes.every((fix) => end <= fix.start || start >= fix.end);
    this.field.mark([...fixes, ...marks.filter((mark) => mark.kind !== "sure" && isFree(mark))]);
  }

  /** Highlight in the source what the word at the caret translates. */
  async showPartners() {
    const { settings, socket } = this.site;
    if (!settings.align || !socket.isOpen || !this.text.trim()) return this.draw();
    const text = this.text;
    if (this.aligned?.text !== text) {
      const found = await socket.call("getAlignments", { source: this.row.source, target: text }).catch(() => null);
      if (text !== this.text) return;
      this.aligned = { text, found };
    }
    const { found } = this.aligned;
    this.draw(found ? partners(found, pointAt(text, this.field.caret)) : []);
  }

  insertCode() {
    const code = nextCode(this.row.source, this.text);
    if (!code) return false;
    this.field.write(code);
    return true;
  }

  /**
   * As in CASMACAT, if one likes: a turn of the wheel refuses what is predicted, one back returns to the one before.
   */
  #wheel(event) {
    if (!this.site.settings.wheel || !this.predictor.shown) return;
    event.preventDefault();
    if (event.timeStamp - (this.wheeled ?? -Infinity) < TURN) return;
    this.wheeled = event.timeStamp;
    if (event.deltaY > 0) this.predictor.refuse();
    else this.predictor.turnTo(-1);
  }

  #tellPrediction({ prediction, place, total, inline, words = [], problem }) {
    if (problem) {
      this.line.textContent = "";
      return;
    }
    const count = total > 1 ? el("span", { class: "soft" }, ` ${place + 1}/${total} `) : null;
    const rest =
      prediction && !inline
        ? graded(prediction, this.site.settings).map(({ text, kind }) => el("span", { class: `is-${kind}` }, text))
        : [];
    const choices = words.map((word) =>
      el("button", { type: "button", class: "word", onclick: () => this.predictor.complete(word) }, word),
    );
    const asked = choices.length ? el("span", { class: "soft" }, say("editor.words_here"), " ") : null;
    this.line.replaceChildren(
      ...[asked, ...choices, choices.length ? " " : null, ...rest, prediction ? count : null].filter(Boolean),
    );
    this.element.classList.toggle("is-predicted", Boolean(prediction));
  }

  /** Settings have changed, or the socket is back. */
  refresh() {
    for (const button of this.element.querySelectorAll("[data-action]"))
      button.title = this.site.keysOf(button.dataset.action);
    if (this.suggestions.length || this.problem) this.#drawSuggestions();
    this.#drawPen();
    this.predictor.draw();
    this.paint();
    this.showPartners();
  }

  close() {
    this.isClosed = true;
    clearTimeout(this.timer);
    this.predictor.turn += 1;
    this.site.record("segmentClosed", this.row.id);
  }
}
