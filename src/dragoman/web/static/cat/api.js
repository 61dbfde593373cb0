// The JSON interface of one translation project.

import { ask } from "../judge/api.js";

export class ProjectApi {
  constructor(project, csrf) {
    this.base = `/api/v1/cat/projects/${project}`;
    this.csrf = csrf;
  }

  project() {
    return this.#get("");
  }

  change(body) {
    return this.#send("PATCH", "", body);
  }

  /** Fill a few empty segments behind a place; `after` of the answer is where to go on. */
  pretranslate(body) {
    return this.#send("POST", "/pretranslation", body);
  }

  /** A page of segments: offset, limit, state, source, target. */
  segments(query) {
    return this.#get("/segments", query);
  }

  segment(id) {
    return this.#get(`/segments/${id}`);
  }

  suggestions(id) {
    return this.#get(`/segments/${id}/suggestions`);
  }

  checks(id, target) {
    return this.#send("POST", `/segments/${id}/checks`, { target });
  }

  ignore(id, body) {
    return this.#send("POST", `/segments/${id}/ignored`, body);
  }

  concordance(text, side) {
    return this.#get("/concordance", { text, side });
  }

  /** Save changes; with `last` the request outlives the page. */
  changes(changes, { last = false } = {}) {
    return this.#send("POST", "/changes", { changes }, last);
  }

  events(events, { last = false } = {}) {
    return this.#send("POST", "/events", { events }, last);
  }

  consent(given) {
    return this.#send("PUT", "/consent", { given });
  }

  history(id) {
    return this.#get(`/segments/${id}/history`);
  }

  split(id, body) {
    return this.#send("POST", `/segments/${id}/split`, body);
  }

  merge(id, body) {
    return this.#send("POST", `/segments/${id}/merge`, body);
  }

  restore(id, body) {
    return this.#send("POST", `/segments/${id}/restore`, body);
  }

  comments(segment) {
    return this.#get("/comments", { segment });
  }

  comment(id, body) {
    return this.#send("POST", `/segments/${id}/comments`, body);
  }

  resolve(number, resolved) {
    return this.#send("PUT", `/comments/${number}/resolution`, { resolved });
  }

  issues(segment) {
    return this.#get("/issues", { segment });
  }

  issue(id, body) {
    return this.#send("POST", `/segments/${id}/issues`, body);
  }

  scores(segment) {
    return this.#get("/scores", { segment });
  }

  score(id, body) {
    return this.#send("PUT", `/segments/${id}/score`, body);
  }

  withdraw(number) {
    return this.#send("DELETE", `/issues/${number}`);
  }

  replace(body) {
    return this.#send("POST", "/replace", body);
  }

  /** What pen strokes may mean; the server keeps nothing of them. */
  readStrokes(body) {
    return this.#post("/api/v1/cat/pen/readings", body);
  }

  replay(query) {
    return this.#get("/replay", query);
  }

  #get(path, query = {}) {
    const chosen = Object.entries(query).filter(([, value]) => value !== "" && value !== null && value !== undefined);
    return ask(this.base + path + (chosen.length ? `?${new URLSearchParams(chosen)}` : ""));
  }

  #send(method, path, body, last = false) {
    return this.#post(this.base + path, body, { method, keepalive: last });
  }

  #post(address, body, options = { method: "POST" }) {
    const headers = { "Content-Type": "application/json", "X-CSRF-Token": this.csrf };
    return ask(address, { headers, body: body && JSON.stringify(body), ...options });
  }
}
