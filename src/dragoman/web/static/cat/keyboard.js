// Keys of the editor, by the chosen scheme, and the sheet that lists them.

import { el, keyCaps } from "../judge/dom.js";
import { byId, say } from "../judge/page.js";
import { lookUp } from "./extras.js";
import { GROUPS, SCHEMES, actionOf, pressed, shownKeys } from "./schemes.js";

const NBSP = "\u00a0";

/** Listen. `site` has settings, project, pane() and the actions that go from segment to segment. */
export function listenToKeys(site) {
  const scheme = () => SCHEMES[site.settings.values.scheme] ?? SCHEMES.matecat;
  const here = (run) => () => {
    const pane = site.pane();
    return pane && pane.site.may ? run(pane) : false;
  };
  const toggle = (name) => () => {
    site.settings.toggle(name);
    const pane = site.pane();
    if (name === "predict" && site.settings.values.predict) pane?.predictor.start();
  };
  const actions = {
    confirm: site.confirm, confirmOpen: site.confirmOpen, draft: site.draft, approve: site.approve, reject: site.reject,
    split: site.split, merge: site.merge, up: site.up, down: site.down, nextOpen: site.nextOpen,
    copySource: here((pane) => pane.field.become(pane.row.source, "key")),
    code: here((pane) => pane.insertCode()),
    nbsp: here((pane) => pane.field.write(NBSP)),
    match1: here((pane) => pane.take(0)), match2: here((pane) => pane.take(1)), match3: here((pane) => pane.take(2)),
    term: here((pane) => (pane.firstTerm ? pane.field.write(pane.firstTerm, { by: "suggestion" }) : false)),
    word: here((pane) => (pane.field.isAtEnd ? pane.predictor.take() : false)),
    all: here((pane) => pane.predictor.take(true)),
    better: here((pane) => pane.predictor.turnTo(-1)), other: here((pane) => pane.predictor.turnTo(1)),
    refuse: here((pane) => pane.predictor.refuse()), hide: here((pane) => pane.predictor.hide()),
    hole: here((pane) => pane.predictor.fill().catch(() => {})),
    predict: toggle("predict"), align: toggle("align"), confidence: toggle("colour"),
    check: here((pane) => pane.showFinding()),
    concordance: () => (site.pane() ? lookUp(site.pane()) : false), search: () => byId("replace").showModal(), help: openHelp,
  };

  function openHelp() {
    const names = { confirm: say("editor.key_confirm"), confirmOpen: say("editor.key_confirm_open"), draft: say("editor.save_draft"),
      up: say("editor.key_up"), down: say("editor.key_down"), nextOpen: say("editor.key_next_open"), copySource: say("editor.copy_source"),
      code: say("editor.next_code"), nbsp: say("editor.key_nbsp"), split: say("editor.split"), merge: say("editor.merge"), match1: say("editor.key_match", { n: 1 }), match2: say("editor.key_match", { n: 2 }),
      match3: say("editor.key_match", { n: 3 }), term: say("editor.key_term"), word: say("editor.key_word"), all: say("editor.key_all"),
      better: say("editor.key_better"), other: say("editor.key_other"), refuse: say("editor.key_refuse"), hide: say("editor.key_hide"),
      predict: say("editor.key_predict"), hole: say("editor.key_hole"), align: say("editor.key_align"), confidence: say("editor.key_confidence"),
      approve: say("editor.approve"), reject: say("editor.reject"), check: say("editor.key_check"), concordance: say("editor.key_find"),
      search: say("editor.replace"), help: say("editor.keys") };
    const titles = { move: say("editor.keys_move"), write: say("editor.keys_write"), predict: say("editor.keys_predict"), review: say("editor.keys_review") };
    byId("help-keys").replaceChildren(...Object.entries(GROUPS).map(([group, members]) => el("section", {}, el("h3", {}, titles[group]),
      el("dl", { class: "shortcuts" }, members.filter((name) => scheme()[name].length).map((name) => el("div", {},
        el("dt", {}, keyCaps(shownKeys(scheme()[name], site.project.target_dir))), el("dd", {}, names[name])))))));
    byId("help").showModal();
  }

  addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing || document.querySelector("dialog[open]")) return;
    const pane = site.pane();
    const inField = event.target === pane?.field.area;
    if (inField) pane.site.record("keyDown", pane.row.id, { key: event.key });
    const name = pressed(event, site.project.target_dir);
    const action = actionOf(scheme(), name);
    if (!action || !fits(event, name, inField)) return;
    if (actions[action]() !== false) event.preventDefault();
  });
  byId("keys").addEventListener("click", openHelp);
  byId("open-settings").addEventListener("click", () => byId("settings").showModal());
  return { act: (name) => actions[name](), keysOf: (name) => shownKeys(scheme()[name], site.project.target_dir)[0]?.replace("Arrow", "") ?? "" };
}

/** Keys without Ctrl or Alt are for the field, but for the sign that asks for help, which there is a letter. */
function fits(event, name, inField) {
  if (/^(Ctrl|Alt)\+/.test(name)) return true;
  const isWriting = event.target.matches?.("input, textarea, select");
  return name === "?" ? !isWriting : inField;
}
