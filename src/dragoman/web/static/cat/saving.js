// Saving: what is written is kept in the browser at once, sent when the person pauses, and never lost to somebody
// quicker.

import { Denied } from "../judge/api.js";
import { el } from "../judge/dom.js";
import { newKey } from "../judge/outbox.js";
import { announce, byId, say, showDenial, showNotice } from "../judge/page.js";
import { Sender } from "../judge/sender.js";
import { poster } from "./changes.js";
import { showConflict } from "./conflict.js";
import { moved } from "./texts.js";

const AUTOSAVE = 3_000; // ms without a key until a draft is sent

export class Saving {
  constructor(desk, { open, filling }) {
    Object.assign(this, { desk, open, filling });
    const record = (order) =>
      desk.recorder.flush(order).catch((error) => {
        if (!(error instanceof Denied)) throw error;
      });
    this.sender = new Sender(desk.box, poster(desk.box, desk.api, record), (news) => this.#hear(news));
    this.autosave = null;
    this.outcomes = new Map(); // segment → what came of its last change, for rows that were read before it was saved
  }

  #hear(news) {
    for (const outcome of news.saved ?? []) this.#settle(outcome);
    for (const outcome of news.refused ?? []) this.#refuse(outcome, news.sent);
    this.filling.hear(news.filled ?? []);
    const status = byId("save-state");
    status.dataset.state = news.state;
    if (news.state === "denied") showDenial(news.error);
    if (news.state === "saved" && !news.waiting) {
      status.textContent = say("editor.saved");
      if (byId("notice").dataset.kind === "offline") byId("notice").replaceChildren();
    } else if (news.state === "sending") status.textContent = say("editor.saving");
    else status.textContent = say("editor.waiting", { n: news.waiting });
    if (news.state === "waiting" && !this.desk.box.safe) showNotice(say("editor.unsafe"));
  }

  #settle(outcome) {
    const { box, list } = this.desk;
    const row = list.find(outcome.segment);
    this.outcomes.set(outcome.segment, outcome);
    if (row) row.revision = Math.max(row.revision, outcome.revision);
    const draft = box.draft(outcome.segment);
    if (draft) box.keepDraft(outcome.segment, { ...draft, revision: outcome.revision });
  }

  /** A row as it was read: what is not on the server yet, or came there meanwhile, is newer. */
  overtake(row) {
    const { desk } = this;
    const waiting = desk.box.waiting(row.id).at(-1)?.change;
    const saved = this.outcomes.get(row.id);
    const newer = waiting ?? (saved?.revision > row.revision ? saved : null);
    if (!newer) return;
    desk.progress = moved(desk.progress, row.state, newer.state, row.words);
    Object.assign(row, { target: newer.target, state: newer.state, revision: newer.revision });
    desk.drawProgress();
  }

  /** What the server would not take stays as a draft: beside the text of whoever was quicker, or with the reason. */
  #refuse(outcome, sent) {
    const { api, box, list } = this.desk;
    const lost = sent.find((event) => event.key === outcome.key);
    const text = box.draft(outcome.segment)?.text ?? box.giveUp(outcome.segment) ?? lost.answer;
    box.giveUp(outcome.segment);
    box.keepDraft(outcome.segment, { text, revision: lost.change.revision, origin: lost.change.origin });
    const row = list.find(outcome.segment);
    if (outcome.revision === null) {
      showNotice(
        say("editor.refused", { message: outcome.message }),
        el("button", { type: "button", onclick: () => this.open(outcome.segment) }, say("editor.look")),
      );
      if (lost.change.state !== "draft") {
        // what cannot be confirmed is kept on the server all the same
        box.put({ ...lost.change, key: newKey(), target: text, state: "draft" });
        if (this.desk.pane?.row.id !== outcome.segment) box.dropDraft(outcome.segment);
        this.desk.become(row, { target: text, state: "draft", revision: lost.change.revision });
        this.sender.kick();
        return;
      }
      api
        .segment(outcome.segment)
        .then((fresh) => this.desk.become(row, fresh))
        .catch(() => {});
      return;
    }
    this.desk.become(row, outcome);
    if (this.desk.pane?.row.id === outcome.segment) this.conflict(text, outcome);
    else
      showNotice(
        say("editor.conflict_elsewhere", { name: outcome.changed_by ?? "—" }),
        el("button", { type: "button", onclick: () => this.open(outcome.segment) }, say("editor.look")),
      );
  }

  /** Somebody else has saved what I was changing: both texts, and a choice. */
  conflict(mine, theirs) {
    const { pane, project } = this.desk;
    const isOpen = () => this.desk.pane === pane;
    clearTimeout(this.autosave);
    showConflict(
      pane.message,
      { mine, theirs: theirs.target ?? "", who: theirs.changed_by ?? theirs.user, row: pane.row, project },
      {
        keepMine: () => {
          if (isOpen()) this.save("draft", { force: true });
        },
        takeTheirs: () => {
          if (isOpen()) {
            pane.field.become(pane.row.target ?? "", "key");
            this.#drop(pane.row.id);
          }
        },
      },
    );
    announce(say("editor.conflict", { name: theirs.changed_by ?? theirs.user ?? "—" }));
  }

  #drop(id) {
    clearTimeout(this.autosave);
    this.desk.box.dropDraft(id);
    if (this.desk.pane?.row.id === id) this.desk.pane.isTouched = false;
  }

  /** Save the open segment in a state. Nothing to save is nothing to do. */
  save(state, { force = false } = {}) {
    const { box, pane, recorder } = this.desk;
    if (!pane || !pane.site.may) return false;
    const { row, text } = pane;
    clearTimeout(this.autosave);
    if (!force && state === row.state && text === (row.target ?? "")) return true;
    if (!text.trim() && state !== "draft" && row.source.trim()) {
      announce(say("editor.empty"));
      showNotice(say("editor.empty"));
      return false;
    }
    recorder.record({ draft: "drafted" }[state] ?? state, row.id);
    box.put({ key: newKey(), segment: row.id, revision: row.revision, target: text, state, origin: pane.origin });
    box.dropDraft(row.id);
    pane.isTouched = false;
    pane.message.replaceChildren();
    this.desk.become(row, { target: text, state, revision: row.revision });
    this.sender.kick();
    return true;
  }

  /** The person has written something: it is kept here at once, and sent as a draft when they pause. */
  edited(from) {
    this.desk.box.keepDraft(from.row.id, { text: from.text, revision: from.row.revision, origin: from.origin });
    clearTimeout(this.autosave);
    if (!from.message.hasChildNodes())
      this.autosave = setTimeout(() => this.desk.pane === from && this.save("draft"), AUTOSAVE);
  }

  /** Save what is open and was changed, unless two texts wait for a choice. */
  saveTouched() {
    const { pane } = this.desk;
    if (pane?.isTouched && !pane.message.hasChildNodes()) this.save("draft");
  }

  /** Everything is on the server: whether it is so. */
  async settled() {
    this.saveTouched();
    await this.sender.kick();
    return !this.desk.box.events().length;
  }

  async restore(version) {
    const { api, pane, recorder } = this.desk;
    const { row } = pane;
    const answer = await api.restore(row.id, { key: newKey(), number: version.number, revision: row.revision });
    const [outcome] = answer.outcomes;
    if (!outcome.saved) return showNotice(outcome.message);
    this.#drop(row.id);
    this.desk.become(row, outcome);
    pane.field.load(outcome.target ?? "");
    recorder.record("segmentOpened", row.id, { text: pane.text });
    pane.field.area.focus();
    return announce(say("editor.restored"));
  }
}
