// Long tables can be sorted and searched; those of all forks are shown a screen at a time.
import DataTable from "TABLES";

for (const table of document.querySelectorAll("table.sorted")) {
  const long = table.classList.contains("long");
  new DataTable(table, {
    order: [],
    paging: long,
    pageLength: 25,
    autoWidth: false,
    layout: {
      topStart: null, topEnd: "search",
      bottomStart: long ? "info" : null, bottomEnd: long ? "paging" : null,
    },
    language: { search: "Search this table:" },
  });
}

// The index lies open beside the text where there is room, and marks the section that is read.
const index = document.querySelector("nav details");
if (index) {
  const wide = matchMedia("(min-width: 70rem)");
  const unfold = () => { index.open = wide.matches; };
  wide.addEventListener("change", unfold);
  unfold();
  const links = [...index.querySelectorAll("a")];
  const headings = links.map(link => document.getElementById(link.hash.slice(1)));
  const mark = () => {
    const read = headings.filter(heading => heading.getBoundingClientRect().top < 120).length - 1;
    links.forEach((link, place) => { link.ariaCurrent = place === Math.max(read, 0) ? "true" : null; });
  };
  addEventListener("scroll", mark, { passive: true });
  mark();
}
