// The question whether keys and times may be kept: asked once, by a strip that covers nothing.

import { byId } from "../judge/page.js";

export function askConsent({ api, store, project, user, insist }, agreed) {
  const name = `dragoman/asked ${user} ${project.id}`;
  const strip = byId("consent");
  strip.hidden = !project.jobs.length || project.consented || store.getItem(name) !== null;
  for (const button of strip.querySelectorAll("button")) {
    button.addEventListener("click", async () => {
      const isGiven = button.value === "yes";
      await insist(() => api.consent(isGiven));
      try {
        store.setItem(name, "1");
      } catch {
        // Then the question comes again.
      }
      strip.hidden = true;
      agreed(isGiven);
    });
  }
}
