// What every written page can do: sort its tables and say in its contents which section is read.
import { nextOrder, sortedPlaces } from "./sorting.js";

const LEAST_ROWS = 3;

/** Put a button into each heading of a table. The Tab key comes to the first; arrows go on to the others. */
function makeSortable(table) {
  const [head, body] = [table.tHead?.rows[0], table.tBodies[0]];
  if (!head || !body || body.rows.length < LEAST_ROWS) return;
  const written = [...body.rows];
  const buttons = [...head.cells].map((cell, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...cell.childNodes);
    button.tabIndex = column === 0 ? 0 : -1;
    button.addEventListener("click", () => sortBy(head, body, written, column));
    cell.append(button);
    return button;
  });
  head.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const next = buttons[buttons.indexOf(document.activeElement) + step];
    if (!next) return;
    event.preventDefault();
    for (const button of buttons) button.tabIndex = button === next ? 0 : -1;
    next.focus();
  });
}

function sortBy(head, body, written, column) {
  const cell = head.cells[column];
  const order = nextOrder(cell.getAttribute("aria-sort"), cell.classList.contains("number"));
  for (const other of head.cells) other.removeAttribute("aria-sort");
  if (order === "none") return body.append(...written);
  cell.setAttribute("aria-sort", order);
  const texts = written.map((row) => row.cells[column].textContent);
  body.append(...sortedPlaces(texts, order === "descending").map((place) => written[place]));
}

/** Mark the section that is read in the contents. */
function followReading(contents) {
  const links = new Map([...contents.querySelectorAll('a[href^="#"]')].map((link) => [link.hash.slice(1), link]));
  const seen = new Set();
  const observer = new IntersectionObserver(
    (changes) => {
      for (const { target, isIntersecting } of changes) seen[isIntersecting ? "add" : "delete"](target.id);
      const first = [...links.keys()].find((id) => seen.has(id));
      for (const [id, link] of links) {
        if (id === first) link.setAttribute("aria-current", "true");
        else link.removeAttribute("aria-current");
      }
    },
    { rootMargin: "-20% 0px -60% 0px" },
  );
  for (const id of links.keys()) observer.observe(document.getElementById(id));
}

document.querySelectorAll(".scroll > table:not(.fixed)").forEach(makeSortable);
followReading(document.querySelector(".contents"));
