// The keys of the page and of its screen, the sheet that lists them, and whether single letters are keys at all.

import { fillHelp } from "./help.js";
import { findShortcut, isTyping, keyName } from "./keys.js";
import { byId, say } from "./page.js";

const SINGLES = "dragoman/single-keys";

/**
 * Listen to keys: the page's, and those that `screenKeys()` gives of the screen that is shown. The answer opens the
 * sheet.
 */
export function listenToKeys(store, screenKeys, pageKeys) {
  let singles = store.getItem(SINGLES) !== "off";
  const own = [
    ...pageKeys,
    { keys: ["Escape"], text: say("judge.key_leave"), run: () => byId("item-title").focus() },
    { keys: ["?"], text: say("judge.key_help"), run: openHelp },
  ];

  function openHelp() {
    fillHelp(
      byId("help"),
      [
        { title: say("judge.keys_screen"), shortcuts: screenKeys() },
        { title: say("judge.keys_page"), shortcuts: own },
      ],
      say,
      {
        singles,
        onSingles: (on) => {
          singles = on;
          try {
            store.setItem(SINGLES, on ? "on" : "off");
          } catch {
            // It then holds for this page alone.
          }
        },
      },
    );
    byId("help").showModal();
  }

  addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing || byId("help").open || document.querySelector("dialog[open]"))
      return;
    const name = keyName(event);
    const target = event.target;
    if (name === "Escape" && isTyping(target, "a")) {
      byId("item-title").focus();
      return;
    }
    if (isTyping(target, name)) return;
    if (["Enter", "Space"].includes(name) && target.closest?.("a, button, summary, [role=button]")) return;
    const shortcut = findShortcut([...screenKeys(), ...own], name, { singles });
    if (!shortcut) return;
    event.preventDefault();
    shortcut.run(event, name);
  });
  return openHelp;
}
