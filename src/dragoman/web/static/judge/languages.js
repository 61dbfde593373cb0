// What follows from a language tag: where its lines begin, and what it is called. Pure.

const RIGHT_TO_LEFT = new Set(["Adlm", "Arab", "Hebr", "Mand", "Mend", "Nkoo", "Rohg", "Samr", "Syrc", "Thaa", "Yezi"]);

/** `rtl` or `ltr`; `auto`, which goes by the first strong letter, for a language that is not known. */
export function direction(tag) {
  if (!tag) return "auto";
  try {
    return RIGHT_TO_LEFT.has(new Intl.Locale(tag).maximize().script) ? "rtl" : "ltr";
  } catch {
    return "auto";
  }
}

/** The name of a language for readers of another; the tag itself where there is no name. */
export function languageName(tag, reader) {
  if (!tag) return "";
  try {
    return new Intl.DisplayNames([reader], { type: "language" }).of(tag) ?? tag;
  } catch {
    return tag;
  }
}
