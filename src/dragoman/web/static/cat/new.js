// The form of a new project: engines are offered for the languages that were typed.

/**
 * `de` of `de-AT`; empty of what cannot be compared letter by letter, as codes of three letters and engines without
 * languages.
 */
const short = (tag) => (/^[a-z]{2}(?![a-z])/i.exec(tag.trim())?.[0] ?? "").toLowerCase();

export function fits(offered, wanted) {
  return ["source", "target"].every((side) => {
    const [own, asked] = [short(offered[side]), short(wanted[side])];
    return !own || !asked || own === asked;
  });
}

/** Hide the engines of other languages; one that was chosen and does not fit is chosen no more. */
export function offer(form) {
  const wanted = { source: form.elements.source_lang.value, target: form.elements.target_lang.value };
  for (const option of form.elements.engine.options) {
    const isFit = !option.value || fits(option.dataset, wanted);
    option.hidden = option.disabled = !isFit;
    if (!isFit && option.selected) form.elements.engine.value = "";
  }
}

const form = globalThis.document?.querySelector("form[action='/cat/projects']");
if (form) {
  form.addEventListener("input", () => offer(form));
  offer(form);
}
