"use strict";
// Tables are sorted by the column whose head is pressed: numbers from the largest on at first, names from A on.
for (const table of document.querySelectorAll("table.sortable")) {
  const status = document.getElementById("sorted");
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const button = head.querySelector("button");
    button.disabled = false;
    button.addEventListener("click", () => {
      const isNumber = head.dataset.kind === "number";
      const before = head.getAttribute("aria-sort");
      const order = before === null ? (isNumber ? "descending" : "ascending")
        : before === "ascending" ? "descending" : "ascending";
      const sign = order === "ascending" ? 1 : -1;
      const value = row => row.cells[column].dataset.value;
      const compare = isNumber
        ? (a, b) => sign * (Number(value(a)) - Number(value(b)))
        : (a, b) => sign * value(a).localeCompare(value(b), undefined, {numeric: true});
      const rows = [...body.rows];
      const known = rows.filter(row => value(row) !== "").sort(compare);
      body.append(...known, ...rows.filter(row => value(row) === ""));
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", order);
      status.textContent = `${table.caption.textContent.trim()}: sorted by ${button.textContent.trim()}, ${order}`;
    });
  });
}
