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
