// An item is decided on the screen of the annotators: what stands there when the form is sent is the decision.

import { el } from "./dom.js";
import { listenToKeys } from "./keyboard.js";
import { browserStorage } from "./outbox.js";
import { byId, say } from "./page.js";

const { screen: name, ...asked } = JSON.parse(byId("asked").textContent);
const { mount } = await import(`./screens/${encodeURIComponent(name)}.js`);
const form = byId("decide");
const place = byId("screen");
const shown = JSON.parse(form.closest("[data-shown]").dataset.shown);
let screen = null;

/** Put an answer on the screen to go on from; null for none. */
function begin(answer) {
  screen?.destroy();
  const root = el("div", { class: "screen" });
  place.replaceChildren(root);
  screen = mount(root, { ...asked, shown, answer, say });
  root.addEventListener("change", () => {
    byId("problem").textContent = "";
  });
}

form.addEventListener("submit", (event) => {
  const answer = screen.answer();
  form.elements.answer.value = answer === null ? "" : JSON.stringify(answer);
  if (answer !== null) return;
  event.preventDefault();
  byId("problem").textContent = screen.missing?.() ?? say("judge.incomplete");
  (screen.firstOpen?.() ?? byId("item-title")).focus();
});
for (const button of document.querySelectorAll("button[data-start]")) {
  button.hidden = false;
  button.addEventListener("click", () => {
    begin(JSON.parse(button.closest("li").querySelector("[data-answer]").dataset.answer));
    form.scrollIntoView();
    byId("item-title").focus();
  });
}
const inForm = () => form.contains(document.activeElement); // elsewhere on the page single keys mean nothing
const openHelp = listenToKeys(browserStorage(), () => (inForm() ? screen.shortcuts : []), [
  { keys: ["Ctrl+Enter"], text: byId("send").textContent, run: () => inForm() && form.requestSubmit() },
]);
byId("keys").addEventListener("click", openHelp);
begin(form.elements.answer.value ? JSON.parse(form.elements.answer.value) : null);
form.hidden = false;
