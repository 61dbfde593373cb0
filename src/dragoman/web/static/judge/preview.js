// A protocol to try: its screen with a sample item. Nothing is saved.

import { el } from "./dom.js";
import { listenToKeys } from "./keyboard.js";
import { browserStorage } from "./outbox.js";
import { byId, say } from "./page.js";

const { screen: name, ...asked } = JSON.parse(byId("asked").textContent);
const { mount } = await import(`./screens/${encodeURIComponent(name)}.js`);
const root = el("div", { class: "screen" });
byId("screen").replaceChildren(root);
const screen = mount(root, { ...asked, answer: null, say });
byId("keys").addEventListener(
  "click",
  listenToKeys(browserStorage(), () => screen.shortcuts, []),
);
