// Changes of segments that the server has not confirmed yet. Each is sent until it is; a later change of the same
// segment waits for the one before it, and then says the revision that came of it.

import { Outbox } from "../judge/outbox.js";

let last = 0;
/** Milliseconds, never the same twice: the order of everything that is made here, also across reloads. */
export function instant(now = Date.now()) {
  last = Math.max(last + 1, now);
  return last;
}

/** What was not sent yet, and unsaved texts (drafts), for one person and one project. */
export class ChangeBox extends Outbox {
  constructor(storage, user, project) {
    super(storage, user, `cat ${project}`);
  }

  /** Keep a change; one of the same segment that was never sent gives way to it. */
  put(change, at = instant()) {
    const item = String(change.segment);
    const before = this.events()
      .filter((event) => event.item === item)
      .at(-1);
    if (before && !before.tried) this.remove(before.key);
    const origin = change.origin ?? (before && !before.tried ? before.change.origin : null);
    this.add({
      key: change.key,
      item,
      answer: change.target,
      ended: new Date(at).toISOString(),
      order: at,
      tried: false,
      change: { ...change, origin, at: new Date(at).toISOString() },
    });
  }

  /** The oldest change: one at a time, so that the record of the work goes before each. */
  batch() {
    return this.events().slice(0, 1);
  }

  waiting(segment) {
    return this.events().filter((event) => event.item === String(segment));
  }

  /** The change is on its way: from now on nobody knows whether it arrived. */
  markTried(event) {
    if (!event.tried) this.add({ ...event, tried: true });
  }

  /** What was saved has a revision; changes behind it were made from that one. */
  rebase(segment, revision) {
    for (const event of this.waiting(segment)) this.add({ ...event, change: { ...event.change, revision } });
  }

  /** No more of a segment: somebody else was quicker. The text that was to be saved last, or null. */
  giveUp(segment) {
    const events = this.waiting(segment);
    for (const event of events) this.remove(event.key);
    return events.at(-1)?.answer ?? null;
  }
}

/** Send changes as `Sender` wants it: what came of each. `flush(order)` sends the record up to a change first. */
export function poster(box, api, flush) {
  return async (events) => {
    for (const event of events) {
      box.markTried(event);
      await flush(event.order);
    }
    const { outcomes, filled = [] } = await api.changes(events.map((event) => event.change));
    for (const outcome of outcomes) {
      box.remove(outcome.key);
      if (outcome.saved) box.rebase(outcome.segment, outcome.revision);
    }
    return {
      saved: outcomes.filter((outcome) => outcome.saved),
      refused: outcomes.filter((outcome) => !outcome.saved),
      filled,
    };
  };
}
