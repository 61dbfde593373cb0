// Elements made from text: nothing here ever reads HTML, so markup in outputs and names stays text.

import { direction } from "./languages.js";

/** An element. Properties whose names hold a dash, and `role`, `lang`, `dir`, `for`, are attributes; `on…` listen. */
export function el(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name === "class") made.className = value;
    else if (name.includes("-") || ["role", "lang", "dir", "for", "list"].includes(name))
      made.setAttribute(name, value === true ? "" : value);
    else made[name] = value;
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

/** A text in its own language and direction; an empty one says so. */
export function text(content, lang, say, tag = "p") {
  const empty = !String(content ?? "").trim();
  return el(
    tag,
    {
      class: empty ? "text nothing" : "text",
      lang: empty ? undefined : lang,
      dir: empty ? undefined : direction(lang),
    },
    empty ? say("judge.empty") : String(content),
  );
}

let made = 0;
/** An id that no other element of the page has. */
export const newId = (stem = "x") => `${stem}-${(made += 1)}`;

/** A row of keys as the help and the buttons show them. Plus stands between keys, and is one. */
export function keyCaps(keys) {
  const parts = (name) => (name === "+" ? [name] : name.split("+"));
  return keys.map((name) =>
    name === TO
      ? " – "
      : el(
          "span",
          { class: "keys" },
          parts(name).map((part) => el("kbd", {}, SIGNS[part] ?? part)),
        ),
  );
}

/** Stands between the first and the last key of a row of them. */
export const TO = "…";

const SIGNS = {
  ArrowUp: "↑",
  ArrowDown: "↓",
  ArrowLeft: "←",
  ArrowRight: "→",
  Enter: "↵",
  Space: "␣",
  Escape: "Esc",
  Delete: "Del",
};

/** Tell the shell that the answer may have changed. */
export function changed(root) {
  root.dispatchEvent(new CustomEvent("change", { bubbles: false }));
}

/** The arrow from a source to its translation, which points the way the page is read. */
export const arrow = () => (document.documentElement.dir === "rtl" ? "←" : "→");
