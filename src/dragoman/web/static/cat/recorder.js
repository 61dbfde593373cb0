// The record of the work: events in batches, in order, and only of who agreed. What could not be sent waits in the
// browser's storage.

import { newKey } from "../judge/outbox.js";
import { instant } from "./changes.js";

const EVERY = 5_000; // ms between batches
const MOST = 400; // events in a batch
const KEPT = 20_000; // events that wait at most, should the server stay away

export class Recorder {
  constructor(storage, name, send, { consented, oldest = () => Infinity, clock = instant } = {}) {
    Object.assign(this, { storage, name, send, oldest, clock });
    this.consented = consented;
    this.waiting = this.#stored();
    this.running = null;
  }

  start() {
    this.timer = setInterval(() => this.flush(Infinity).catch(() => {}), EVERY);
  }

  /** Something happened. */
  record(kind, segment, data = {}) {
    if (!this.consented || this.waiting.length >= KEPT) return;
    const order = this.clock();
    this.waiting.push({ order, event: { key: newKey(), kind, segment, at: new Date(order).toISOString(), data } });
  }

  /** Send what happened up to a moment, but nothing that came behind a change which is not saved yet. */
  async flush(until = Infinity) {
    while (this.running) await this.running.catch(() => {});
    const end = until === Infinity ? this.oldest() : until;
    const batch = this.waiting.filter((each) => each.order <= end).slice(0, MOST);
    if (!batch.length || !this.consented) return;
    this.running = this.send(batch.map((each) => each.event));
    try {
      const answer = await this.running;
      this.consented = answer.consented;
    } finally {
      this.running = null;
    }
    const sent = new Set(batch);
    this.waiting = this.waiting.filter((each) => !sent.has(each));
    this.keep();
    if (batch.length === MOST) await this.flush(until);
  }

  /** Put what waits where it outlives the page. */
  keep() {
    try {
      if (this.waiting.length) this.storage.setItem(this.name, JSON.stringify(this.waiting));
      else this.storage.removeItem(this.name);
    } catch {
      // A full storage keeps texts rather than keys.
    }
  }

  #stored() {
    try {
      return JSON.parse(this.storage.getItem(this.name)) ?? [];
    } catch {
      return [];
    }
  }
}
