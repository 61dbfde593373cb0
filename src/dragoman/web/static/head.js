// On narrow pages the navigation is one line that is moved sideways: where one is must be in sight.

for (const here of document.querySelectorAll(".top nav [aria-current], .tabs [aria-current]")) {
  const list = here.closest("ul");
  const [own, whole] = [here.getBoundingClientRect(), list.getBoundingClientRect()];
  list.scrollLeft += own.left + own.width / 2 - (whole.left + whole.width / 2);
}
