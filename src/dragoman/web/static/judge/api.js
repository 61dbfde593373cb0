// The JSON interface: how it is asked, and that of one campaign, as an annotator uses it.

const PATIENCE = 20_000; // ms until a request counts as lost

/** The server could not be reached, or was not able to answer: try again later. */
export class Unreachable extends Error {}

/** The server answered that it will not: logged out, not allowed, not there. */
export class Denied extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/** Ask the server for JSON; what hinders it is `Unreachable` or `Denied`. */
export async function ask(address, options = {}) {
  let response;
  try {
    response = await fetch(address, {
      credentials: "same-origin",
      cache: "no-store",
      signal: AbortSignal.timeout(PATIENCE),
      ...options,
    });
  } catch (error) {
    throw new Unreachable(String(error));
  }
  if (response.status >= 500 || response.status === 429 || response.status === 408)
    throw new Unreachable(`status ${response.status}`);
  let body = null;
  try {
    body = await response.json();
  } catch {
    // A proxy between us and the server may answer with a page of its own.
    if (response.ok) throw new Unreachable("no JSON");
  }
  if (!response.ok) throw new Denied(response.status, String(body?.message ?? body?.detail ?? response.statusText));
  return body;
}

export class Api {
  constructor(campaign, csrf) {
    this.base = `/api/v1/campaigns/${encodeURIComponent(campaign)}`;
    this.csrf = csrf;
  }

  work() {
    return this.#ask("/work");
  }

  item(id) {
    return this.#ask(`/items/${encodeURIComponent(id)}`);
  }

  next() {
    return this.#ask("/next");
  }

  /** Post events; with `last` the request outlives the page. */
  answers(events, { last = false } = {}) {
    return this.#ask("/answers", {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-CSRF-Token": this.csrf },
      body: JSON.stringify({ events }),
      keepalive: last,
    });
  }

  #ask(path, options) {
    return ask(this.base + path, options);
  }
}
