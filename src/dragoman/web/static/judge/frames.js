// Semantic frames of two sentences and what corresponds in them. Pure.

/** Tokens joined by blanks, and where each stands, in code points. */
export function joined(tokens) {
  let at = 0;
  const units = tokens.map((token) => {
    const start = at;
    at += [...token].length + 1;
    return { start, end: at - 1 };
  });
  return { text: tokens.join(" "), units };
}

/** A range of code points as tokens [start, end). */
export function tokensOf(units, range) {
  const inside = units.flatMap((unit, i) => (unit.start < range.end && range.start < unit.end ? [i] : []));
  return { start: inside[0], end: inside.at(-1) + 1 };
}

/** Without a frame of the reference, links that lead to it are gone, and later ones lead one further down. */
export function withoutReferenceFrame(frames, gone) {
  const frame = ([number, ...rest]) => [number > gone ? number - 1 : number, ...rest];
  const kept = (link) => (link && link[0] !== gone ? frame(link) : null);
  return frames.map((one) => ({
    ...one,
    link: kept(one.link),
    roles: one.roles.map((role) => ({ ...role, link: kept(role.link) })),
  }));
}

/** The same for a role of a frame of the reference. */
export function withoutReferenceRole(frames, frame, gone) {
  const kept = (link) => {
    if (!link || link[0] !== frame) return link;
    return link[1] === gone ? null : [frame, link[1] > gone ? link[1] - 1 : link[1], link[2]];
  };
  return frames.map((one) => ({ ...one, roles: one.roles.map((role) => ({ ...role, link: kept(role.link) })) }));
}

/** Links of roles hold only between frames that are linked themselves. */
export function relinked(frame, link) {
  return {
    ...frame,
    link,
    roles: frame.roles.map((role) => ({ ...role, link: link && role.link?.[0] === link[0] ? role.link : null })),
  };
}

/** Frames as an answer: what is not linked has no link. */
export function answerFrames(frames) {
  const plain = ({ link, ...rest }) => (link ? { ...rest, link } : rest);
  return frames.map((frame) => plain({ ...frame, roles: frame.roles.map(plain) }));
}
