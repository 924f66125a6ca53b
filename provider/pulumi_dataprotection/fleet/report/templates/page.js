"use strict";
for (const table of document.querySelectorAll("table.sortable")) {
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    head.querySelector("button").addEventListener("click", () => {
      const value = (row) => row.cells[column].dataset.value;
      const isNumber = head.classList.contains("number");
      const before = head.getAttribute("aria-sort");
      const down = isNumber ? before !== "descending" : before === "ascending";
      const compare = (a, b) =>
        isNumber ? Number(value(a)) - Number(value(b)) : value(a).localeCompare(value(b), undefined, {numeric: true});
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      body.append(...[...body.rows].sort((a, b) => (down ? compare(b, a) : compare(a, b))));
    });
  });
}
const search = document.getElementById("search");
if (search) {
  const rows = [...document.getElementById("customers").tBodies[0].rows];
  const texts = rows.map((row) => row.textContent.toLowerCase());
  const found = document.getElementById("found");
  search.addEventListener("input", () => {
    const wanted = search.value.trim().toLowerCase();
    let shown = 0;
    rows.forEach((row, number) => {
      row.hidden = !texts[number].includes(wanted);
      shown += row.hidden ? 0 : 1;
    });
    found.textContent = wanted ? `${shown} of ${rows.length} customers` : "";
  });
}
