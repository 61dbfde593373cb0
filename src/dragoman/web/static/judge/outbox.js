// Answers that the server has not confirmed yet. Each lies under a key of its own in the browser's storage, so that two
// tabs do not overwrite each other; the server knows an event by its key, so that sending it twice does no harm.

const BASE_DELAY = 1_000; // ms
const LONGEST_DELAY = 60_000; // ms
const PER_REQUEST = 50;

/** How long to wait before the next attempt: doubling, with a fifth of chance so that clients do not come in step. */
export function delay(attempt, chance = Math.random()) {
  return Math.min(LONGEST_DELAY, BASE_DELAY * 2 ** Math.min(attempt, 10)) * (0.9 + 0.2 * chance);
}

/** A random key; browsers give `randomUUID` to secure pages only. */
export function newKey(source = globalThis.crypto) {
  if (source.randomUUID) return source.randomUUID();
  const bytes = source.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** The browser's storage; where it is forbidden, one that refuses everything, so that memory takes its place. */
export function browserStorage() {
  try {
    return window.localStorage;
  } catch {
    const refuse = () => {
      throw new Error("no storage");
    };
    return { length: 0, key: () => null, getItem: () => null, setItem: refuse, removeItem: () => {} };
  }
}

/** What is kept for one person and one campaign: unsent events and drafts. Falls back to memory if storage refuses. */
export class Outbox {
  constructor(storage, user, campaign) {
    this.storage = storage;
    this.prefix = `dragoman/${encodeURIComponent(user)}/${encodeURIComponent(campaign)}/`;
    this.memory = new Map();
  }

  /** Keep an event. False if it is in memory only, and so would not survive the tab. */
  add(event) {
    return this.#put(`event/${event.key}`, event);
  }

  /** All unsent events, oldest first. */
  events() {
    return this.#names("event/")
      .map((name) => this.#get(name))
      .filter(Boolean)
      .sort((a, b) => (a.ended < b.ended ? -1 : a.ended > b.ended ? 1 : 0));
  }

  /** The next events to send in one request. */
  batch() {
    return this.events().slice(0, PER_REQUEST);
  }

  remove(key) {
    this.#drop(`event/${key}`);
  }

  /** The last unsent answer to an item, or null. */
  unsent(item) {
    return (
      this.events()
        .filter((event) => event.item === item)
        .at(-1)?.answer ?? null
    );
  }

  /** Whether every event would survive the tab. */
  get safe() {
    return ![...this.memory.keys()].some((name) => name.startsWith("event/"));
  }

  draft(item) {
    return this.#get(`draft/${item}`);
  }

  keepDraft(item, state) {
    this.#put(`draft/${item}`, state);
  }

  dropDraft(item) {
    this.#drop(`draft/${item}`);
  }

  #put(name, value) {
    try {
      this.storage.setItem(this.prefix + name, JSON.stringify(value));
      this.memory.delete(name);
      return true;
    } catch {
      this.memory.set(name, value);
      return false;
    }
  }

  #get(name) {
    if (this.memory.has(name)) return this.memory.get(name);
    try {
      return JSON.parse(this.storage.getItem(this.prefix + name));
    } catch {
      return null;
    }
  }

  #drop(name) {
    this.memory.delete(name);
    try {
      this.storage.removeItem(this.prefix + name);
    } catch {
      // A storage that refuses has nothing to forget.
    }
  }

  #names(part) {
    const found = new Set([...this.memory.keys()].filter((name) => name.startsWith(part)));
    try {
      for (let i = 0; i < this.storage.length; i += 1) {
        const name = this.storage.key(i);
        if (name.startsWith(this.prefix + part)) found.add(name.slice(this.prefix.length));
      }
    } catch {
      // As above.
    }
    return [...found];
  }
}
