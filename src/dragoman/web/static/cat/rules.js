// The dialog of rules: what predictions shall say otherwise. The server applies them, but for regular expressions: one
// that takes for ever shall stop the page of who wrote it, and nobody else.

import { arrow, el } from "../judge/dom.js";
import { announce, byId, say } from "../judge/page.js";
import { faultOf, rewritten } from "./rewriting.js";

export class Rules {
  /** `site` has store, name (of what is kept), project, socket and pane(). */
  constructor(site) {
    Object.assign(this, site);
    this.rules = this.#stored();
    this.form = byId("rules-form");
    byId("open-rules").addEventListener("click", () => this.open());
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#add();
    });
    byId("rules-apply").addEventListener("click", () => this.#apply());
    this.#draw();
  }

  /** Rules that the browser applies. */
  get own() {
    return this.rules.filter((rule) => rule.is_regex);
  }

  /** Show the dialog; what is selected in the field is what to search for. */
  open() {
    const pane = this.pane();
    const { start, end } = pane?.field.selection ?? { start: 0, end: 0 };
    const selected = pane?.text.slice(start, end).trim();
    if (selected) this.form.elements.target.value = selected;
    byId("rules").showModal();
    (selected ? this.form.elements.replacement : this.form.elements.target).focus();
    return true;
  }

  /** Tell a server that knows none of them. */
  async send() {
    if (!this.socket().isOpen) return;
    await this.socket()
      .call("reset")
      .catch(() => {});
    for (const { source, target, replacement, match_case } of this.rules.filter((rule) => !rule.is_regex)) {
      const data = { sourceRule: source, targetRule: target, targetReplacement: replacement, matchCase: match_case };
      await this.socket()
        .call("setReplacementRule", data)
        .catch((error) => announce(error.message));
    }
  }

  #add() {
    const data = new FormData(this.form);
    const rule = {
      source: data.get("source"),
      target: data.get("target"),
      replacement: data.get("replacement"),
      match_case: data.has("match_case"),
      is_regex: data.has("is_regex"),
    };
    const fault = faultOf(rule);
    byId("rules-fault").textContent = fault;
    if (fault) return;
    this.form.reset();
    this.#become([...this.rules, rule]);
    this.form.elements.target.focus();
  }

  #delete(place) {
    this.#become(this.rules.filter((_, i) => i !== place));
    this.form.elements.target.focus();
  }

  async #become(rules) {
    this.rules = rules;
    try {
      this.store.setItem(this.name, JSON.stringify(rules));
    } catch {
      // They then hold for this page alone.
    }
    this.#draw();
    await this.send();
    await this.pane()?.predictor.start();
  }

  #apply() {
    const pane = this.pane();
    if (!pane?.site.may) return;
    const text = rewritten(this.rules, pane.predictor.source, pane.text);
    byId("rules").close();
    if (text !== pane.text) pane.field.become(text, "key");
    else announce(say("editor.nothing_found"));
  }

  #draw() {
    const { project } = this;
    const inSource = { lang: project.source_lang, dir: project.source_dir };
    const inTarget = { lang: project.target_lang, dir: project.target_dir };
    byId("rules-list").replaceChildren(
      ...this.rules.map((rule, i) =>
        el(
          "li",
          {},
          rule.source
            ? [el("span", { class: "soft" }, say("editor.rule_source"), " "), el("q", inSource, rule.source), ": "]
            : null,
          el("q", inTarget, rule.target),
          ` ${arrow()} `,
          el("q", inTarget, rule.replacement),
          rule.match_case ? [" ", el("span", { class: "badge" }, say("editor.match_case"))] : null,
          rule.is_regex ? [" ", el("span", { class: "badge" }, say("editor.regex"))] : null,
          " ",
          el(
            "button",
            {
              type: "button",
              class: "plain",
              "aria-label": say("editor.delete_rule", { text: rule.target }),
              onclick: () => this.#delete(i),
            },
            say("editor.delete"),
          ),
        ),
      ),
    );
  }

  #stored() {
    try {
      return JSON.parse(this.store.getItem(this.name)) ?? [];
    } catch {
      return [];
    }
  }
}
