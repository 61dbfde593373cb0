// The end of the work: a completion code, the way back to the platform, another look.

import { el } from "./dom.js";
import { announce, byId, say } from "./page.js";

/** Show the end in place of the work. `again` leads back to the last item; null where there was none. */
export function drawEnding({ code, return_url: address }, again) {
  const value = code ? el("output", { class: "code", id: "code", dir: "ltr", tabIndex: 0 }, code) : null;
  const copy = code
    ? el(
        "button",
        {
          type: "button",
          onclick: () => navigator.clipboard?.writeText(code).then(() => announce(say("judge.copied"))),
        },
        say("judge.copy"),
      )
    : null;
  const target = /^https?:\/\//.test(address ?? "")
    ? el("a", { class: "button primary", href: address, rel: "noreferrer" }, say("judge.return"))
    : null;
  const area = byId("finish");
  area.replaceChildren(
    el("h2", { tabIndex: -1 }, again ? say("judge.finished") : say("judge.nothing_now")),
    ...[
      code ? el("p", {}, say("judge.code")) : null,
      value,
      el(
        "p",
        { class: "actions" },
        copy,
        target,
        again ? el("button", { type: "button", onclick: again }, say("judge.look_again")) : null,
        el("a", { class: "button", href: "/" }, say("site.my_work")),
      ),
    ].filter(Boolean),
  );
  byId("work-area").hidden = true;
  byId("bar").hidden = true;
  area.hidden = false;
  area.querySelector("h2").focus();
}
