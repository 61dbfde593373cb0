// The items of a person in their order, and which are done. Pure.

export class Plan {
  constructor() {
    this.items = []; // ids in order
    this.done = new Set();
    this.tasks = new Map(); // item → its task, where the server says it
    this.progress = { done: 0, total: 0 };
  }

  load(work) {
    this.items = work.items.map((entry) => entry.item);
    for (const entry of work.items) if (entry.task) this.tasks.set(entry.item, entry.task);
    this.done = new Set(work.items.filter((entry) => entry.done).map((entry) => entry.item));
    this.progress = work.progress;
  }

  has(id) {
    return this.items.includes(id);
  }

  /** An item that the server chose later. */
  add(item) {
    if (!this.has(item.item)) this.items.push(item.item);
    if (item.task) this.tasks.set(item.item, item.task);
  }

  markDone(id) {
    this.done.add(id);
  }

  markOpen(id) {
    this.done.delete(id);
  }

  /** The number of an item, from 1. */
  place(id) {
    return this.items.indexOf(id) + 1;
  }

  get size() {
    return Math.max(this.items.length, this.progress.total);
  }

  before(id) {
    return this.items[this.items.indexOf(id) - 1] ?? null;
  }

  last() {
    return this.items.at(-1) ?? null;
  }

  /** Up to `n` items that follow one; from the first open one for null. */
  after(id, n) {
    const from = id ? this.items.indexOf(id) + 1 : 0;
    return this.items.slice(from, from + n);
  }

  /** The items of an item's task, done and all, and which task it is; null where there is one task only.
   * A total of all tasks would grow whenever the next one is taken. */
  countTask(id, unsent) {
    const task = this.tasks.get(id);
    const tasks = [...new Set(this.items.map((each) => this.tasks.get(each)))];
    if (task === undefined || tasks.length < 2) return null;
    const own = this.items.filter((each) => this.tasks.get(each) === task);
    const done = own.filter((each) => this.done.has(each) || unsent.has(each)).length;
    return { task: tasks.indexOf(task) + 1, n: own.indexOf(id) + 1, done, total: own.length };
  }

  /** Done and total; what waits to be sent counts as done. */
  count(unsent) {
    const more = [...unsent].filter((id) => !this.done.has(id)).length;
    const known = this.items.filter((id) => this.done.has(id)).length;
    return { done: Math.min(Math.max(known, this.progress.done) + more, this.size), total: this.size };
  }
}

/** The next item without an answer: after this one if there is any, else from the beginning; null when none is left. */
export function nextOpen(plan, id, unsent) {
  const from = id === null ? 0 : plan.items.indexOf(id) + 1;
  const order = [...plan.items.slice(from), ...plan.items.slice(0, from)];
  return order.find((item) => item !== id && !plan.done.has(item) && !unsent.has(item)) ?? null;
}
