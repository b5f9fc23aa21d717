"use strict";
// Tables are sorted by the column whose head is pressed: numbers from the largest on at first, names from A on.
const parts = name => /^(.*?)(-?\d+(?:\.\d+)?)$/.exec(name);

function compareNames(first, second) {
  const [a, b] = [parts(first), parts(second)];  // names that differ by a number at their end are in its order
  if (a && b && a[1] === b[1]) return Number(a[2]) - Number(b[2]);
  return first.localeCompare(second, "en");
}

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
        : (a, b) => sign * compareNames(value(a), value(b));
      const rows = [...body.rows];
      const known = rows.filter(row => value(row) !== "").sort(compare);
      body.append(...known, ...rows.filter(row => value(row) === ""));
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", order);
      status.textContent = `${table.caption.textContent.trim()}: sorted by ${button.textContent.trim()}, ${order}`;
    });
  });
}
