// What the parts of the editor share: the project, the interface, the list, the open segment, and how far all is.

import { browserStorage, delay } from "../judge/outbox.js";
import { Denied } from "../judge/api.js";
import { byId, say, showDenial, showNotice } from "../judge/page.js";
import { ProjectApi } from "./api.js";
import { ChangeBox } from "./changes.js";
import { Recorder } from "./recorder.js";
import { doneOf, moved } from "./texts.js";

export const OPEN_STATES = ["new", "draft", "rejected"];

export class Desk {
  constructor() {
    this.user = byId("editor").dataset.user;
    this.project = JSON.parse(byId("project").textContent);
    this.store = browserStorage();
    this.api = new ProjectApi(this.project.id, document.querySelector('meta[name="csrf-token"]')?.content ?? "");
    this.box = new ChangeBox(this.store, this.user, this.project.id);
    this.recorder = new Recorder(
      this.store,
      `dragoman/${encodeURIComponent(this.user)}/log ${this.project.id}`,
      (events) => this.api.events(events),
      { consented: this.project.consented, oldest: () => this.box.events()[0]?.order ?? Infinity },
    );
    this.progress = this.project.progress;
    this.pane = null; // of the open segment
  }

  mayEdit(row) {
    return this.project.role === "manager" || this.#jobsAt(row).length > 0;
  }

  mayReview(row) {
    return this.project.role === "manager" || this.#jobsAt(row).some((job) => job.role === "reviewer");
  }

  #jobsAt(row) {
    return this.project.jobs.filter((job) => job.first <= row.place && row.place <= job.last);
  }

  /** A segment as the server has it now. */
  become(row, fresh) {
    if (!row) return;
    this.progress = moved(this.progress, row.state, fresh.state, row.words);
    Object.assign(row, { target: fresh.target, state: fresh.state, revision: fresh.revision });
    this.list.redraw(row);
    if (this.pane?.row === row) this.pane.draw();
    this.drawProgress();
  }

  /** Segments were split or joined: how far all is, as the server has it. */
  async recount() {
    const fresh = await this.api.project().catch(() => null);
    if (!fresh) return;
    this.progress = fresh.progress;
    this.drawProgress();
  }

  drawProgress() {
    const { done, total } = doneOf(this.progress);
    byId("progress").value = done;
    byId("progress").max = Math.max(1, total);
    byId("progress-text").textContent = say("cat.done", { done, total });
  }

  /** Try until the connection is back; a refusal is final and is shown. */
  async insist(attempt, n = 0) {
    try {
      return await attempt();
    } catch (error) {
      if (error instanceof Denied) {
        showDenial(error);
        throw error;
      }
      showNotice(say("editor.no_connection"));
      byId("notice").dataset.kind = "offline";
      await new Promise((resolve) => {
        setTimeout(resolve, delay(n + 1));
        addEventListener("online", resolve, { once: true });
      });
      return this.insist(attempt, n + 1);
    }
  }
}
