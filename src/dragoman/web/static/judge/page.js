// The judging page beside its screen: its parts by name, its words, and what it says to the person.

import { el } from "./dom.js";
import { pageWords } from "./words.js";

export const byId = (id) => document.getElementById(id);
export const say = pageWords();

export function showNotice(message, action = null) {
  byId("notice").replaceChildren(el("p", { class: "notice warn" }, message, action ? " " : null, action));
}

export function announce(message) {
  byId("announce").textContent = message;
}

/** Why the server will not, and what helps: to log in, or to load the page with the session's present token. */
export function showDenial(error) {
  const next = encodeURIComponent(location.pathname + location.hash);
  if (error.status === 401)
    showNotice(say("judge.logged_out"), el("a", { href: `/login?next=${next}` }, say("judge.login_again")));
  else
    showNotice(
      say("judge.denied", { message: error.message }),
      el("button", { type: "button", onclick: () => location.reload() }, say("judge.reload")),
    );
}
