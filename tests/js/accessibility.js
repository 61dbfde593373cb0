// Faults of a page that keep people out, as a list of sentences; evaluated in the page by the browser tests.
() => {
  const faults = [];
  const say = (what, element) => faults.push(`${what}: ${element.outerHTML.slice(0, 120)}`);
  const seen = (element) => element.getClientRects().length > 0;
  const text = (element) => (element?.textContent ?? "").trim();

  /** The name that a screen reader says. */
  const name = (element) => {
    const by = (element.getAttribute("aria-labelledby") ?? "").split(/\s+/).filter(Boolean);
    if (by.length) return by.map((id) => text(document.getElementById(id))).join(" ");
    return element.getAttribute("aria-label") || [...(element.labels ?? [])].map(text).join(" ") || text(element);
  };

  if (!document.documentElement.lang) faults.push("the page has no language");
  if (!document.title) faults.push("the page has no title");
  for (const landmark of ["main", "header", "footer"]) {
    if (document.querySelectorAll(landmark).length !== 1) faults.push(`there is not one ${landmark}`);
  }
  const ids = [...document.querySelectorAll("[id]")].filter((e) => !e.closest("svg")).map((e) => e.id);
  for (const id of ids) if (ids.indexOf(id) !== ids.lastIndexOf(id)) faults.push(`two elements have the id ${id}`);

  for (const element of document.querySelectorAll(
    "a, button, input, select, textarea, summary, [tabindex], nav, dialog, [role=img]",
  )) {
    if (!name(element)) say("it has no name", element);
  }
  for (const element of document.querySelectorAll("section, article"))
    if (!name(element)) say("it has no name", element);
  for (const element of document.querySelectorAll("[aria-labelledby]")) {
    for (const id of element.getAttribute("aria-labelledby").split(/\s+/)) {
      if (!document.getElementById(id)) say(`nothing has the id ${id}`, element);
    }
  }
  for (const element of document.querySelectorAll("[tabindex]"))
    if (element.tabIndex > 0) say("it jumps the queue", element);
  for (const link of document.querySelectorAll('a[href^="#"]')) {
    if (!document.getElementById(link.hash.slice(1))) say("the link leads nowhere", link);
  }
  let level = 0;
  for (const heading of [...document.querySelectorAll("h1, h2, h3, h4, h5, h6")].filter(seen)) {
    const own = Number(heading.tagName[1]);
    if (own > level + 1) say(`a heading of level ${own} follows one of level ${level}`, heading);
    level = own;
  }
  for (const table of document.querySelectorAll("table")) {
    if (!text(table.caption)) say("the table has no caption", table);
    if ([...table.querySelectorAll("th")].some((cell) => !cell.scope)) say("a heading has no scope", table);
    if (!table.querySelector("thead th")) say("the table has no headings", table);
  }
  for (const region of document.querySelectorAll("[role=region]")) {
    if (region.scrollWidth > region.clientWidth && region.tabIndex < 0) say("the keyboard cannot scroll it", region);
  }

  // WCAG 2.2, 1.4.3: relative luminance, and 4.5 : 1 between text and what is behind it.
  const probe = document.body.appendChild(document.createElement("div"));
  probe.style.cssText = "background: Canvas";
  const parse = (colour) => {
    const [r, g, b, a = 1] = colour.match(/[\d.]+/g).map(Number);
    return [r, g, b, a];
  };
  const canvas = parse(getComputedStyle(probe).backgroundColor);
  probe.remove();
  const over = (top, below) => [0, 1, 2].map((k) => top[k] * top[3] + below[k] * (1 - top[3]));
  const behind = (element) => {
    const layers = [];
    for (let at = element; at; at = at.parentElement) layers.push(parse(getComputedStyle(at).backgroundColor));
    return layers.reverse().reduce((below, top) => over(top, below), canvas.slice(0, 3));
  };
  const opacity = (element) => {
    let all = 1;
    for (let at = element; at; at = at.parentElement) all *= Number(getComputedStyle(at).opacity);
    return all;
  };
  const luminance = (colour) => {
    const [r, g, b] = colour.map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const checked = new Set();
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const element = walk.currentNode.parentElement;
    if (!text(walk.currentNode) || checked.has(element) || !seen(element) || element.closest("svg, script, :disabled"))
      continue;
    checked.add(element);
    const below = behind(element);
    const [r, g, b, a] = parse(getComputedStyle(element).color);
    const front = over([r, g, b, a * opacity(element)], below);
    const [light, dark] = [luminance(front), luminance(below)].sort((x, y) => y - x);
    const contrast = (light + 0.05) / (dark + 0.05);
    if (contrast < 4.5) say(`the contrast is ${contrast.toFixed(2)} : 1`, element);
  }
  return faults;
};
