// Which words of source and target belong together. Pure.

/** The places in the source, in code points, of what belongs to the word of the target at a point. */
export function partners({ alignments, sourceSegmentation, targetSegmentation }, point) {
  const here = targetSegmentation.findIndex((span) => span && span[0] <= point && point <= span[1]);
  return alignments
    .filter(([, j]) => j === here)
    .map(([i]) => sourceSegmentation[i])
    .filter(Boolean)
    .map(([start, end]) => ({ start, end }));
}
