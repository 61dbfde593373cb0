// Which words of source and target belong together. Pure.

import { pointLength } from "../judge/spans.js";

/** Where tokens stand in a text, in code points; null for one that the text does not spell so. */
export function spansOf(text, tokens) {
  let from = 0;
  return tokens.map((token) => {
    const at = text.indexOf(token, from);
    if (at < 0) return null;
    from = at + token.length;
    const start = pointLength(text.slice(0, at));
    return { start, end: start + pointLength(token) };
  });
}

/** The places in the source of what belongs to the word of the target at a point. */
export function partners({ alignments, sourceTokens, targetTokens }, source, target, point) {
  const spans = spansOf(target, targetTokens);
  const here = spans.findIndex((span) => span && span.start <= point && point <= span.end);
  const from = spansOf(source, sourceTokens);
  return alignments.filter(([, j]) => j === here).map(([i]) => from[i]).filter(Boolean);
}
