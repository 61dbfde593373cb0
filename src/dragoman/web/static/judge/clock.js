// Time spent on an item, without the time in which nobody was there. Pure: times come from the caller, in milliseconds.

export const IDLE_AFTER = 30_000; // ms without a key, a click or a movement; what is beyond does not count

export class ActiveClock {
  constructor(now, idleAfter = IDLE_AFTER) {
    this.idleAfter = idleAfter;
    this.total = 0;
    this.last = now;
    this.visible = true;
  }

  /** Somebody did something: the time since the last sign counts, up to the idle limit. */
  touch(now) {
    if (this.visible) this.total += Math.min(Math.max(0, now - this.last), this.idleAfter);
    this.last = now;
  }

  /** The page was hidden or shown again; what passes in between does not count. */
  show(visible, now) {
    this.touch(now);
    this.visible = visible;
  }

  /** Seconds of activity so far, to a tenth. */
  seconds(now) {
    this.touch(now);
    return Math.round(this.total / 100) / 10;
  }
}
