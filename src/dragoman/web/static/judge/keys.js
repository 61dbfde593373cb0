// Keys and what they do. Pure.

/** The name of a pressed key: `Ctrl+Enter`, `ArrowLeft`, `a`, `?`. Shift is named only with keys that have no sign. */
export function keyName(event) {
  const parts = [];
  if (event.ctrlKey || event.metaKey) parts.push("Ctrl");
  if (event.altKey) parts.push("Alt");
  const sign = [...event.key].length === 1;
  if (event.shiftKey && !sign) parts.push("Shift");
  parts.push(event.key === " " ? "Space" : sign && !event.shiftKey ? event.key.toLowerCase() : event.key);
  return parts.join("+");
}

/** Whether a key by itself writes or moves inside the element, so that it must not be taken as a shortcut there. */
export function isTyping(element, name) {
  const tag = element?.tagName;
  if (element?.isContentEditable || tag === "TEXTAREA" || tag === "SELECT") return !name.startsWith("Ctrl+");
  if (tag !== "INPUT") return false;
  if (["radio", "checkbox", "range", "button"].includes(element.type)) {
    return name.startsWith("Arrow") || name === "Space" || name === "Home" || name === "End" || name.startsWith("Page");
  }
  return !name.startsWith("Ctrl+");
}

/** Keys that could be typed by accident or by speech: one sign without Ctrl or Alt (WCAG 2.2, 2.1.4). */
export const isSingle = (name) => [...name].length === 1;

/** The shortcut for a pressed key, or undefined. `singles` tells whether single signs are on. */
export function findShortcut(shortcuts, name, { singles = true } = {}) {
  if (!singles && isSingle(name) && name !== "?") return undefined;
  return shortcuts.find((shortcut) => shortcut.keys.includes(name));
}
