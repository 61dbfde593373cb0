// Search and replace in all targets: first what would change, then the change.

import { el } from "../judge/dom.js";
import { newKey } from "../judge/outbox.js";
import { byId } from "../judge/page.js";
import { cut, difference } from "./texts.js";

export function listenToReplace({ api, say, project, reload, leave }) {
  const [dialog, form, found] = [byId("replace"), byId("replace-form"), byId("replace-found")];
  const body = (more) => {
    const data = new FormData(form);
    return {
      key: newKey(),
      find: data.get("find"),
      replacement: data.get("replacement"),
      match_case: data.has("match_case"),
      whole_words: data.has("whole_words"),
      ...more,
    };
  };
  const show = ({ replaced }) => {
    byId("replace-run").disabled = !replaced.length;
    found.replaceChildren(
      el("li", { class: "soft" }, say("cat.n_segments", { n: replaced.length })),
      ...replaced
        .slice(0, 100)
        .map((each) =>
          el(
            "li",
            {},
            el("span", { class: "soft" }, `${each.place} `),
            el("span", { lang: project.target_lang, dir: project.target_dir }, marked(each)),
          ),
        ),
    );
  };
  const tell = (error) => found.replaceChildren(el("li", { class: "notice bad" }, error.message));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    api.replace(body({ dry_run: true })).then(show, tell);
  });
  form.addEventListener("input", () => {
    byId("replace-run").disabled = true;
  });
  byId("replace-run").addEventListener("click", async () => {
    leave();
    try {
      await api.replace(body({ dry_run: false }));
      await reload();
      dialog.close();
    } catch (error) {
      tell(error);
    }
  });
  byId("open-replace").addEventListener("click", () => dialog.showModal());
}

/** The new text with what is new in it marked. */
function marked({ before, after }) {
  const change = difference(before, after);
  const end = change ? change.position + [...change.inserted].length : 0;
  return cut(after, change ? [{ start: change.position, end, kind: "new" }] : []).map((part) =>
    part.marks.length ? el("ins", {}, part.text) : part.text,
  );
}
