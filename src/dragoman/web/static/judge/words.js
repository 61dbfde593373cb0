// The words of the page in the language of its reader. Pure, apart from `pageWords`, which reads the page's own block.

/** A function `say(key, values)` over the texts of a catalogue; text values are isolated against bidi turning. */
export function speaker(lang, texts) {
  const plurals = new Intl.PluralRules(lang);
  const say = (key, values = {}) => {
    const found = texts[key];
    if (found === undefined) throw new Error(`The interface has no text ${key}`);
    const text = typeof found === "string" ? found : (found[plurals.select(values.n)] ?? found.other);
    return text.replace(/\{(\w+)\}/g, (_, name) => isolated(values[name]));
  };
  say.has = (key) => key in texts;
  return say;
}

const isolated = (value) => (typeof value === "number" ? String(value) : `\u2068${value}\u2069`);

/** The speaker of this page: texts are in `<script type="application/json" id="words">`. */
export function pageWords(doc = document) {
  return speaker(doc.documentElement.lang, JSON.parse(doc.getElementById("words").textContent));
}
