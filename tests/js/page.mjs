// A page for tests of modules that draw: elements that keep what they are given, and no more of a browser than is asked
// of it. Import it before the modules under test, which read the page's words when they are loaded.

import { readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

const STATIC = fileURLToPath(new URL("../../src/dragoman/web/static", import.meta.url));

class FakeText {
  constructor(data) {
    this.textContent = data;
  }
}

class FakeElement {
  constructor(tag) {
    Object.assign(this, { tagName: tag.toUpperCase(), childNodes: [], attributes: {}, dataset: {}, listeners: {} });
    Object.assign(this, { className: "", hidden: false, value: "", parentElement: null });
  }

  get children() {
    return this.childNodes.filter((child) => child instanceof FakeElement);
  }

  get firstElementChild() {
    return this.children[0] ?? null;
  }

  get lastElementChild() {
    return this.children.at(-1) ?? null;
  }

  get textContent() {
    return this.childNodes.map((child) => child.textContent).join("");
  }

  set textContent(text) {
    this.replaceChildren(...(text ? [text] : []));
  }

  get classList() {
    return { contains: (name) => this.className.split(" ").includes(name) };
  }

  hasChildNodes() {
    return this.childNodes.length > 0;
  }

  append(...children) {
    this.#put(this.childNodes.length, children);
  }

  replaceChildren(...children) {
    this.childNodes = [];
    this.append(...children);
  }

  before(...others) {
    this.parentElement.#put(this.parentElement.childNodes.indexOf(this), others);
  }

  replaceWith(other) {
    this.before(other);
    this.parentElement.childNodes = this.parentElement.childNodes.filter((child) => child !== this);
  }

  #put(at, children) {
    const nodes = children.map((child) => (typeof child === "object" ? child : new FakeText(String(child))));
    for (const node of nodes) node.parentElement = this;
    this.childNodes.splice(at, 0, ...nodes);
  }

  setAttribute(name, value) {
    this.attributes[name] = value;
    const camel = name.slice(5).replace(/-(\w)/g, (_, letter) => letter.toUpperCase());
    if (name.startsWith("data-")) this.dataset[camel] = String(value);
  }

  addEventListener(kind, run) {
    (this.listeners[kind] ??= []).push(run);
  }

  /** What a person does to the element; the answer is the event. */
  happen(kind, more = {}) {
    const event = { target: this, defaultPrevented: false, stopPropagation: () => {}, ...more };
    event.preventDefault = () => {
      event.defaultPrevented = true;
    };
    for (const run of this.listeners[kind] ?? []) run(event);
    return event;
  }

  focus() {
    document.activeElement = this;
  }

  showModal() {
    this.open = true;
  }

  querySelectorAll(selector) {
    const [, tag, name, value] = /^(\w*)(?:\[([\w-]+)(?:="?([^"\]]*)"?)?\])?$/.exec(selector);
    const has = (node) => name in node.attributes || node[name] !== undefined;
    const said = (node) => String(node.attributes[name] ?? node[name]);
    const fits = (node) =>
      (!tag || node.tagName === tag.toUpperCase()) &&
      (!name || (has(node) && (value === undefined || said(node) === value)));
    return this.children.flatMap((child) => [...(fits(child) ? [child] : []), ...child.querySelectorAll(selector)]);
  }

  querySelector(selector) {
    return this.querySelectorAll(selector)[0] ?? null;
  }
}

/** Every text that the scripts ask for, as its own key; `filled` ones show what is put in. */
function words() {
  const sources = readdirSync(STATIC, { recursive: true })
    .filter((name) => name.endsWith(".js"))
    .map((name) => readFileSync(`${STATIC}/${name}`, "utf8"));
  const keys = sources.flatMap((source) => [...source.matchAll(/say\(\s*"([\w.]+)"/g)].map((match) => match[1]));
  const filled = { "editor.filled": "filled {n}", "editor.unfilled": "unfilled {n}", "editor.held": "held by {name}" };
  return { ...Object.fromEntries(keys.map((key) => [key, key])), ...filled };
}

const byId = new Map();

/** The element of an id, made when it is first asked for. */
export function part(id, tag = "div") {
  if (!byId.has(id)) byId.set(id, new FakeElement(tag));
  return byId.get(id);
}

/** A page without anything on it. */
export function emptied() {
  byId.clear();
  part("words").textContent = JSON.stringify(words());
}

/** The buttons below an element, by what is written on them. */
export function button(root, name) {
  return root.querySelectorAll("button").find((each) => each.textContent === name);
}

/** A storage as a browser has it; with `refuses` one that keeps nothing. */
export function memory({ refuses = false } = {}) {
  const kept = new Map();
  return {
    get length() {
      return kept.size;
    },
    key: (i) => [...kept.keys()][i] ?? null,
    getItem: (name) => kept.get(name) ?? null,
    setItem: (name, value) => {
      if (refuses) throw new Error("full");
      kept.set(name, value);
    },
    removeItem: (name) => kept.delete(name),
  };
}

/** Promises that are settled, and what follows from them, are over. */
export const settled = () => new Promise((resolve) => setImmediate(resolve));

const ofWindow = new FakeElement("window");
globalThis.addEventListener = (kind, run) => ofWindow.addEventListener(kind, run);
/** What happens to the window. */
export const happen = (kind, more) => ofWindow.happen(kind, more);
globalThis.getComputedStyle = () => ({ direction: "ltr" });
globalThis.location = { pathname: "/judge/da", hash: "#7", reload: () => {} };
globalThis.document = {
  documentElement: Object.assign(new FakeElement("html"), { lang: "en", dir: "ltr" }),
  createElement: (tag) => new FakeElement(tag),
  createTextNode: (text) => new FakeText(text),
  getElementById: (id) => part(id),
  querySelector: () => null,
};
emptied();
