// Segments filled by the program: repeated ones when one of them is confirmed, empty ones when a manager asks for it.
// What was filled is said, and can be taken back as long as nobody has changed it.

import { Denied } from "../judge/api.js";
import { el } from "../judge/dom.js";
import { newKey } from "../judge/outbox.js";
import { announce, byId, say } from "../judge/page.js";

const PER_REQUEST = 500; // changes that the server takes at once

export class Filling {
  constructor(desk) {
    this.desk = desk;
    this.isFilling = false;
    const { project } = desk;
    byId("fill")?.addEventListener("click", () => this.fill());
    const repetitions = byId("set-repetitions");
    if (!repetitions) return;
    repetitions.value = project.settings.repetitions;
    repetitions.addEventListener("change", () => this.#set(repetitions.value));
  }

  async #set(repetitions) {
    const { api, project } = this.desk;
    project.settings = { ...project.settings, repetitions };
    await api.change({ settings: project.settings }).catch((error) => this.#tell(error.message));
  }

  /** Fill all empty segments of the project, a few at a time. A second click stops. */
  async fill() {
    if (this.isFilling) {
      this.isFilling = false;
      return;
    }
    this.isFilling = true;
    const filled = [];
    try {
      for (let after = 0; after !== null && this.isFilling;) {
        const step = await this.desk.api.pretranslate({ after });
        filled.push(...step.filled);
        after = step.after;
        this.#tell(
          say("editor.filling", { n: filled.length }),
          el(
            "button",
            {
              type: "button",
              onclick: () => {
                this.isFilling = false;
              },
            },
            say("editor.stop"),
          ),
        );
      }
    } catch (error) {
      this.#tell(error instanceof Denied ? error.message : say("editor.needs_connection"));
      return;
    } finally {
      this.isFilling = false;
    }
    this.#take(filled);
    this.tell(filled);
  }

  /** Segments as they are now; the open one is left to who writes there. */
  #take(filled) {
    const { box, list, pane } = this.desk;
    for (const each of filled) {
      const row = list.find(each.segment);
      if (!row || each.revision <= row.revision || box.waiting(row.id).length) continue;
      this.desk.become(row, each);
      if (pane?.row === row && !pane.isTouched) pane.field.load(each.target);
    }
    this.desk.recount();
  }

  /** Say what was filled, with the way back. */
  tell(filled) {
    if (!filled.length) return this.#tell(say("editor.none_filled"));
    const undo = el("button", { type: "button", onclick: () => this.#undo(filled) }, say("editor.undo_filled"));
    return this.#tell(say("editor.filled", { n: filled.length }), undo);
  }

  /** Hear of repeated segments that were filled when another was saved. */
  hear(filled) {
    if (!filled.length) return;
    this.#take(filled);
    this.tell(filled);
  }

  async #undo(filled) {
    const { api } = this.desk;
    const changes = filled.map(({ segment, revision }) => ({
      key: newKey(),
      segment,
      revision,
      target: "",
      state: "draft",
    }));
    const outcomes = [];
    try {
      for (let at = 0; at < changes.length; at += PER_REQUEST)
        outcomes.push(...(await api.changes(changes.slice(at, at + PER_REQUEST))).outcomes);
    } catch {
      return this.#tell(say("editor.needs_connection"));
    }
    const undone = outcomes.filter((each) => each.saved);
    this.#take(undone);
    return this.#tell(say("editor.unfilled", { n: undone.length }));
  }

  #tell(message, ...more) {
    byId("filled").replaceChildren(el("span", {}, message), ...more.map((each) => [" ", each]).flat());
    byId("filled").hidden = false;
    announce(message);
  }
}
