// The sheet of keys: what each does, and a key of one's own for it.

import { el, keyCaps } from "../judge/dom.js";
import { announce, byId, say } from "../judge/page.js";
import { GROUPS, actionOf, hindrance, keysWith, pressed, rebound, shownKeys } from "./schemes.js";

const SCHEME_NAMES = { matecat: "MateCat", casmacat: "CASMACAT", omegat: "OmegaT" };

const names = () => ({
  confirm: say("editor.key_confirm"),
  confirmOpen: say("editor.key_confirm_open"),
  draft: say("editor.save_draft"),
  up: say("editor.key_up"),
  down: say("editor.key_down"),
  nextOpen: say("editor.key_next_open"),
  copySource: say("editor.copy_source"),
  code: say("editor.next_code"),
  nbsp: say("editor.key_nbsp"),
  split: say("editor.split"),
  merge: say("editor.merge"),
  match1: say("editor.key_match", { n: 1 }),
  match2: say("editor.key_match", { n: 2 }),
  match3: say("editor.key_match", { n: 3 }),
  term: say("editor.key_term"),
  word: say("editor.key_word"),
  all: say("editor.key_all"),
  better: say("editor.key_better"),
  other: say("editor.key_other"),
  refuse: say("editor.key_refuse"),
  hide: say("editor.key_hide"),
  complete: say("editor.key_complete"),
  predict: say("editor.key_predict"),
  hole: say("editor.key_hole"),
  rules: say("editor.key_rules"),
  align: say("editor.key_align"),
  confidence: say("editor.key_confidence"),
  approve: say("editor.approve"),
  reject: say("editor.reject"),
  check: say("editor.key_check"),
  fix: say("editor.key_fix"),
  concordance: say("editor.key_find"),
  search: say("editor.replace"),
  help: say("editor.keys"),
});
const titles = () => ({
  move: say("editor.keys_move"),
  write: say("editor.keys_write"),
  predict: say("editor.keys_predict"),
  review: say("editor.keys_review"),
});

export class KeySheet {
  constructor({ settings, project }) {
    Object.assign(this, { settings, project });
    this.waiting = null; // the action that gets the next key
    this.names = names();
    byId("help").addEventListener("keydown", (event) => this.#key(event));
    byId("help").addEventListener("close", () => {
      this.waiting = null;
    });
    byId("reset-keys").addEventListener("click", () => this.#become({}));
  }

  get #own() {
    return this.settings.values.keys;
  }

  open() {
    this.draw();
    byId("help").showModal();
  }

  draw() {
    const keys = keysWith(this.settings.values.scheme, this.#own);
    const groups = titles();
    byId("help-hint").textContent = say("editor.keys_hint", {
      scheme: SCHEME_NAMES[this.settings.values.scheme] ?? SCHEME_NAMES.matecat,
    });
    byId("reset-keys").disabled = !Object.keys(this.#own).length;
    byId("help-keys").replaceChildren(
      ...Object.entries(GROUPS).map(([group, members]) =>
        el(
          "section",
          {},
          el("h3", {}, groups[group]),
          el(
            "dl",
            { class: "shortcuts" },
            members.map((action) => this.#row(action, keys[action])),
          ),
        ),
      ),
    );
  }

  #row(action, keys) {
    const what = this.names[action];
    const change = el(
      "button",
      {
        type: "button",
        class: "plain",
        "data-change": action,
        "aria-label": say("editor.change_key_of", { what }),
        onclick: () => this.#ask(action),
      },
      say("editor.change_key"),
    );
    const reset =
      action in this.#own
        ? el(
            "button",
            {
              type: "button",
              class: "plain",
              "aria-label": say("editor.reset_key_of", { what }),
              onclick: () => this.#reset(action),
            },
            say("editor.reset_key"),
          )
        : null;
    return el(
      "div",
      { "data-action": action },
      el("dt", {}, keys.length ? keyCaps(shownKeys(keys, this.project.target_dir)) : say("editor.no_key")),
      el("dd", {}, what),
      el("dd", { class: "change" }, change, reset),
    );
  }

  #ask(action) {
    this.draw();
    this.waiting = action;
    this.#tell(action, say("editor.press_key"));
  }

  /** Say something in the row of an action. */
  #tell(action, message, ...more) {
    const place = byId("help-keys").querySelector(`[data-action="${action}"] .change`);
    place.replaceChildren(el("span", { class: "asked", role: "alert", tabIndex: -1 }, message), ...more);
    (more[0] ?? place.firstChild).focus();
  }

  #key(event) {
    if (!this.waiting || ["Control", "Alt", "Shift", "Meta"].includes(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    const action = this.waiting;
    const key = pressed(event, this.project.target_dir);
    if (key === "Escape") return this.#end(action);
    const shown = shownKeys([key], this.project.target_dir)[0];
    const why = hindrance(key);
    if (why)
      return this.#tell(
        action,
        why === "kept" ? say("editor.key_kept", { key: shown }) : say("editor.key_plain", { key: shown }),
      );
    const before = actionOf(keysWith(this.settings.values.scheme, this.#own), key);
    if (before && before !== action) {
      this.waiting = null;
      return this.#tell(
        action,
        say("editor.key_taken", { key: shown, what: this.names[before] }),
        el("button", { type: "button", onclick: () => this.#give(action, key) }, say("editor.take_key")),
        el("button", { type: "button", class: "plain", onclick: () => this.#end(action) }, say("editor.cancel")),
      );
    }
    return this.#give(action, key);
  }

  #give(action, key) {
    this.#become(rebound(this.settings.values.scheme, this.#own, action, key), action);
    announce(
      say("editor.key_changed", { what: this.names[action], key: shownKeys([key], this.project.target_dir)[0] }),
    );
  }

  #reset(action) {
    const { [action]: _, ...rest } = this.#own;
    this.#become(rest, action);
  }

  #become(own, action) {
    this.settings.set("keys", own);
    this.#end(action);
  }

  #end(action) {
    this.waiting = null;
    this.draw();
    if (action) byId("help-keys").querySelector(`[data-change="${action}"]`)?.focus();
  }
}
