// What each person sets for the editor, kept in the browser.

import { byId } from "../judge/page.js";

// Confidence below `wrong` is red and ends the prediction, below `doubtful` orange.
const DEFAULTS = {
  scheme: "matecat",
  predict: true,
  limit: true,
  colour: true,
  align: false,
  prefill: true,
  wheel: false,
  pen: false,
  keys: {},
  wrong: 0.2,
  doubtful: 0.5,
};

export class Settings {
  constructor(storage, name, onChange) {
    Object.assign(this, { storage, name, onChange });
    this.values = { ...DEFAULTS, ...this.#stored() };
    for (const control of this.#controls()) {
      this.#show(control);
      control.addEventListener("input", () => this.set(control.name, valueOf(control)));
    }
  }

  set(name, value) {
    this.values[name] = value;
    for (const control of this.#controls()) this.#show(control);
    try {
      this.storage.setItem(this.name, JSON.stringify(this.values));
    } catch {
      // It then holds for this page alone.
    }
    this.onChange(name, value);
  }

  toggle(name) {
    this.set(name, !this.values[name]);
  }

  #controls() {
    return [...byId("settings").querySelectorAll("[name]")];
  }

  #show(control) {
    const value = this.values[control.name];
    if (control.type === "checkbox") control.checked = value;
    else control.value = String(value);
    const output = control.parentElement.querySelector("output");
    if (output) output.textContent = String(value);
  }

  #stored() {
    try {
      return JSON.parse(this.storage.getItem(this.name)) ?? {};
    } catch {
      return {};
    }
  }
}

function valueOf(control) {
  if (control.type === "checkbox") return control.checked;
  return control.type === "range" ? Number(control.value) : control.value;
}
