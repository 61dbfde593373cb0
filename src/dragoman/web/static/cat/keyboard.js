// Keys of the editor: what they do, by the chosen scheme and one's own changes of it.

import { byId } from "../judge/page.js";
import { lookUp } from "./extras.js";
import { KeySheet } from "./keysheet.js";
import { actionOf, keysWith, pressed, shownKeys } from "./schemes.js";

const NBSP = "\u00a0";

/** Listen. `site` has settings, project, pane() and the actions that go from segment to segment. */
export function listenToKeys(site) {
  const { settings, project } = site;
  const keys = () => keysWith(settings.values.scheme, settings.values.keys);
  const actions = actionsOf(site);
  const sheet = new KeySheet({ settings, project });
  actions.help = () => sheet.open();

  addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing || document.querySelector("dialog[open]")) return;
    const pane = site.pane();
    const inField = event.target === pane?.field.area;
    if (inField) pane.site.record("keyDown", pane.row.id, { key: event.key });
    const name = pressed(event, project.target_dir);
    const action = actionOf(keys(), name);
    if (!action || !fits(event, name, inField)) return;
    if (actions[action]() !== false) event.preventDefault();
  });
  byId("keys").addEventListener("click", actions.help);
  byId("open-settings").addEventListener("click", () => byId("settings").showModal());
  return {
    act: (name) => actions[name](),
    keysOf: (name) => shownKeys(keys()[name], project.target_dir)[0]?.replace("Arrow", "") ?? "",
  };
}

/** What each action does; `false` leaves the key to the browser. */
function actionsOf(site) {
  const here = (run) => () => {
    const pane = site.pane();
    return pane && pane.site.may ? run(pane) : false;
  };
  const toggle = (name) => () => {
    site.settings.toggle(name);
    if (name === "predict" && site.settings.values.predict) site.pane()?.predictor.start();
  };
  const { confirm, confirmOpen, draft, approve, reject, split, merge, up, down, nextOpen, rules } = site;
  return {
    confirm,
    confirmOpen,
    draft,
    approve,
    reject,
    split,
    merge,
    up,
    down,
    nextOpen,
    rules,
    copySource: here((pane) => pane.field.become(pane.row.source, "key")),
    code: here((pane) => pane.insertCode()),
    nbsp: here((pane) => pane.field.write(NBSP)),
    match1: here((pane) => pane.take(0)),
    match2: here((pane) => pane.take(1)),
    match3: here((pane) => pane.take(2)),
    term: here((pane) => (pane.firstTerm ? pane.field.write(pane.firstTerm, { by: "suggestion" }) : false)),
    word: here((pane) => (pane.field.isAtEnd ? pane.predictor.take() : false)),
    all: here((pane) => pane.predictor.take(true)),
    better: here((pane) => pane.predictor.turnTo(-1)),
    other: here((pane) => pane.predictor.turnTo(1)),
    refuse: here((pane) => pane.predictor.refuse()),
    hide: here((pane) => pane.predictor.hide()),
    complete: here((pane) => pane.predictor.complete()),
    hole: here((pane) => pane.predictor.fill().catch(() => {})),
    predict: toggle("predict"),
    align: toggle("align"),
    confidence: toggle("colour"),
    check: here((pane) => pane.showFinding()),
    fix: here((pane) => pane.takeFix()),
    concordance: () => (site.pane() ? lookUp(site.pane()) : false),
    search: () => byId("replace").showModal(),
  };
}

/** Keys without Ctrl or Alt are for the field, but for the sign that asks for help, which there is a letter. */
function fits(event, name, inField) {
  if (/^(Ctrl|Alt)\+/.test(name)) return true;
  const isWriting = event.target.matches?.("input, textarea, select");
  return name === "?" ? !isWriting : inField;
}
