// Rules of search and replace for predictions, as CASMACAT has them. Pure.

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

function pattern(text, { is_regex: isRegex, match_case: matchCase }, flags) {
  return new RegExp(isRegex ? text : escaped(text), `${flags}${matchCase ? "" : "i"}u`);
}

/** What is wrong with a rule {source, target, replacement, match_case, is_regex}; "" if nothing is. */
export function faultOf(rule) {
  try {
    for (const text of [rule.source, rule.target]) pattern(text, rule, "g");
  } catch (error) {
    return error.message;
  }
  return "";
}

/** A text as the rules want it, where the source has what they ask for. */
export function rewritten(rules, source, text) {
  return rules.reduce((now, rule) => {
    if (rule.source && !pattern(rule.source, rule, "").test(source)) return now;
    return now.replace(pattern(rule.target, rule, "g"), rule.is_regex ? rule.replacement : () => rule.replacement);
  }, text);
}

/** A prediction as the rules want it; of a text that they change nobody knows how sure its words are. */
export function rewrittenWay(rules, source, way) {
  const text = rewritten(rules, source, way.text);
  return text === way.text ? way : { ...way, text, words: [], quality: null };
}
