// Interactive prediction in one open segment: at every key what may come behind the caret. Typing never waits: answers
// that come late are dropped, and without a socket there is just no prediction.

import { pointLength } from "../judge/spans.js";
import { spoken, withoutCodes } from "./codes.js";
import { advanced, firstWord, grade, limited, predictionOf } from "./ghost.js";
import { rewrittenWay } from "./rewriting.js";
import { cut, isFinished, lettersAt } from "./texts.js";

const ALTERNATIVES = 3; // asked for when somebody wants another: each costs as much as the first, at every key

export class Predictor {
  /**
   * `settings()` gives {predict, limit, colour, wrong, doubtful}; `rules()` those that the browser applies;
   * `tell(news)` hears {prediction, place, total, inline, words}.
   */
  constructor({ field, socket, source, codes, settings, rules, tell, record }) {
    Object.assign(this, { field, socket, settings, rules, tell, record });
    this.source = spoken(source, codes);
    this.isReady = false;
    this.turn = 0; // counts questions, so that only the last one's answer counts
    this.ways = [];
    this.words = []; // that the one at the caret may be, in the middle of a text
    this.place = 0;
    this.isHidden = false;
    this.isAsking = false;
    this.hasAll = false; // whether the others are known, too
    this.wish = 0; // ways further on, asked for while the answer was on its way
  }

  /** Search once for the source; again when the socket has come back. */
  async start() {
    this.isReady = false;
    if (!this.settings().predict || !this.socket.isOpen || !this.source) return;
    try {
      await this.socket.call("startSession", { source: this.source });
      this.isReady = true;
      await this.ask();
    } catch (error) {
      if (error.message !== "closed") this.tell({ problem: error.message });
    }
  }

  /** The text was changed: what is shown goes on if its letters were typed, and the server is asked. */
  edited(typed) {
    const left = this.ways.length && typed ? advanced(this.ways[this.place], typed) : null;
    this.#show(left ? [left] : []);
    this.isHidden = false;
    return this.ask();
  }

  /** Ask for what may come; with a `wish`, for the others, of which it wants one so many further on. */
  async ask(wish = 0) {
    const turn = (this.turn += 1);
    if (!this.isReady || !this.settings().predict) return;
    const prefix = withoutCodes(this.field.prefix);
    [this.isAsking, this.hasAll, this.wish] = [true, false, wish];
    this.#askWords(prefix, turn);
    try {
      const answer = await this.socket.call("setPrefix", {
        target: prefix,
        caretPos: pointLength(prefix),
        numResults: wish ? ALTERNATIVES : 1,
      });
      if (turn !== this.turn || answer.stale) return;
      [this.isAsking, this.hasAll] = [false, wish !== 0];
      this.#take(answer, prefix);
    } catch {
      if (turn !== this.turn) return;
      this.isAsking = false;
      this.#show([]);
    }
  }

  /** In the middle of a text: the word of which the first letters stand before the caret, by what is on both sides. */
  async #askWords(prefix, turn) {
    const letters = lettersAt(this.field.text, this.field.caret);
    if (!letters || this.field.isAtEnd) return;
    const caretPos = pointLength(prefix);
    const data = {
      target: withoutCodes(this.field.text),
      begin: caretPos - pointLength(letters),
      caretPos,
      numResults: ALTERNATIVES,
    };
    const answer = await this.socket.call("completeWord", data).catch(() => null);
    if (!answer || turn !== this.turn) return;
    this.words = answer.words.filter((word) => word !== letters);
    this.draw();
  }

  /** Put a word in place of its first letters. */
  complete(word = this.words[0]) {
    if (!word) return false;
    const { caret, text } = this.field;
    this.field.write(word, { start: caret - lettersAt(text, caret).length, end: caret, by: "prediction" });
    return true;
  }

  /** The caret went elsewhere. */
  moved() {
    this.#show([]);
    return this.ask();
  }

  #take(answer, prefix) {
    const ways = answer.nbest.map((row) => rewrittenWay(this.rules(), this.source, predictionOf(row, prefix)));
    this.#show(
      ways.filter((way) => way.text.trim()),
      this.words,
    );
    if (this.ways.length) this.record("suffixChange", { text: this.ways[0].text, alternatives: this.ways.length });
    const { wish } = this;
    this.wish = 0;
    if (wish) this.turnTo(wish);
  }

  /** Another of the predictions. */
  turnTo(by) {
    if (this.isAsking) {
      this.wish += by;
      return true;
    }
    if (this.ways.length < 2) {
      if (!this.shown || this.hasAll) return false;
      this.ask(by);
      return true;
    }
    this.place = (((this.place + by) % this.ways.length) + this.ways.length) % this.ways.length;
    this.draw();
    return true;
  }

  /** What is shown is wrong: ask for something else. */
  async refuse() {
    if (!this.shown) return false;
    const turn = (this.turn += 1);
    [this.isAsking, this.hasAll, this.wish] = [false, false, 0];
    const prefix = withoutCodes(this.field.prefix);
    const refused = this.ways[this.place].text;
    this.record("suffixRejected", { text: refused });
    this.#show([]);
    const answer = await this.socket
      .call("rejectSuffix", { target: prefix + refused, caretPos: pointLength(prefix) })
      .catch(() => null);
    if (answer && turn === this.turn) this.#take(answer, prefix);
    return true;
  }

  /** What may stand in place of the selected words, between those before and behind them. */
  async fill() {
    const { start, end } = this.field.selection;
    const [before, hole, behind] = [
      this.field.text.slice(0, start),
      this.field.text.slice(start, end),
      this.field.text.slice(end),
    ].map(withoutCodes);
    const begin = pointLength(before);
    const answer = await this.socket.call("fillHole", {
      target: before + hole + behind,
      begin,
      end: begin + pointLength(hole),
      numResults: 1,
    });
    const text = answer.nbest[0]?.prediction ?? "";
    if (text.trim()) this.field.write(text, { start, end, by: "prediction" });
    return Boolean(text.trim());
  }

  /** Take a word of what is shown, or all of it, which then is the rest of the text. */
  take(all = false) {
    if (!this.shown) return false;
    const text = all ? this.shown.text : firstWord(this.shown.text);
    const end = all || this.field.isAtEnd ? this.field.text.length : this.field.caret;
    this.field.write(text, { start: this.field.caret, end, by: "prediction" });
    return true;
  }

  hide() {
    if (!this.shown) return false;
    this.isHidden = true;
    this.draw();
    return true;
  }

  /** The prediction as it is shown just now, or null. */
  get shown() {
    const way = this.ways[this.place];
    if (this.field.isAtEnd && isFinished(this.source, withoutCodes(this.field.text))) return null;
    return way && !this.isHidden && this.settings().predict ? limited(way, this.settings()) : null;
  }

  #show(ways, words = []) {
    this.ways = ways;
    this.words = words;
    this.place = 0;
    this.draw();
  }

  draw() {
    const shown = this.shown;
    this.field.show(shown && graded(shown, this.settings()));
    this.tell({
      prediction: shown,
      place: this.place,
      total: this.ways.length,
      inline: this.field.isAtEnd,
      words: this.words,
    });
  }
}

/** A prediction in parts of one grade: [{text, kind}]. */
export function graded(prediction, settings) {
  const marks = settings.colour
    ? prediction.words.map((word) => ({ ...word, kind: grade(word.confidence, settings) }))
    : [];
  return cut(prediction.text, marks).map((part) => ({ text: part.text, kind: part.marks[0]?.kind ?? "sure" }));
}
