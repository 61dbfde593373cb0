// Sends what lies in the outbox, in order, until the server has confirmed it; waits longer after every failure.

import { Denied } from "./api.js";
import { delay } from "./outbox.js";

/**
 * `report` hears of every change: {state: "saved"|"sending"|"waiting"|"denied", waiting, saved, refused, progress,
 * error}.
 */
export class Sender {
  constructor(
    outbox,
    post,
    report,
    { later = (run, ms) => setTimeout(run, ms), stop = (timer) => clearTimeout(timer) } = {},
  ) {
    Object.assign(this, { outbox, post, report, later, stop });
    this.attempt = 0;
    this.running = null;
    this.timer = null;
  }

  /** Send now. Resolves when nothing is left or an attempt has failed. */
  kick() {
    this.stop(this.timer);
    this.running ??= this.#run().finally(() => {
      this.running = null;
    });
    return this.running;
  }

  async #run() {
    for (let events = this.outbox.batch(); events.length; events = this.outbox.batch()) {
      this.report({ state: "sending", waiting: this.outbox.events().length });
      let answer;
      try {
        answer = await this.post(events);
      } catch (error) {
        const state = error instanceof Denied ? "denied" : "waiting";
        this.report({ state, waiting: this.outbox.events().length, error });
        this.timer = this.later(() => this.kick(), delay((this.attempt += 1)));
        return;
      }
      this.attempt = 0;
      const settled = new Set([...answer.saved, ...answer.refused].map((event) => event.key));
      for (const key of settled) this.outbox.remove(key);
      this.report({ state: "saved", waiting: this.outbox.events().length, ...answer, sent: events });
      if (!events.some((event) => settled.has(event.key))) return; // an answer that settles nothing must not spin
    }
  }
}
