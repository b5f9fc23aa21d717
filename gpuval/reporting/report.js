"use strict";
const status = document.getElementById("status");
const say = text => { status.textContent = text; };

// Tables are sorted by the column whose head is pressed: the better numbers first, names in the order of their numbers.
const names = new Intl.Collator("en", {numeric: true});
const parts = name => /^(.*?)(-?\d+(?:\.\d+)?)$/.exec(name);

function compareNames(first, second) {
  const [a, b] = [parts(first), parts(second)];  // names that differ by a number at their end are in its order
  if (a && b && a[1] === b[1]) return Number(a[2]) - Number(b[2]);
  if (/^[-\d.]+$/.test(first) !== /^[-\d.]+$/.test(second)) return /^[-\d.]+$/.test(first) ? -1 : 1;
  return names.compare(first, second);
}

for (const table of document.querySelectorAll("table.sortable")) {
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[table.tHead.rows.length - 1].cells];
  heads.forEach((head, column) => {
    const button = head.querySelector("button");
    button.disabled = false;
    button.addEventListener("click", () => {
      const isNumber = head.dataset.kind === "number";
      const before = head.getAttribute("aria-sort");
      const first = isNumber && head.dataset.better !== "lower" ? "descending" : "ascending";
      const order = before === null ? first : before === "ascending" ? "descending" : "ascending";
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
      say(`${table.caption.textContent.trim()}: sorted by ${button.textContent.trim()}, ${order}`);
    });
  });
}

// Long tables show their first rows, until somebody opens the rest.
for (const button of document.querySelectorAll(".more-rows")) {
  const table = button.closest("p").previousElementSibling.querySelector("table");
  table.classList.add("short");
  button.hidden = false;
  button.addEventListener("click", () => {
    table.classList.remove("short");
    button.remove();
    say("All rows are shown");
  });
}

// A box finds rows by their names.
for (const box of document.querySelectorAll(".find")) {
  const rows = [...box.closest(".wide").querySelector("table").tBodies[0].rows];
  box.hidden = false;
  box.addEventListener("input", () => {
    const wanted = box.value.trim().toLowerCase();
    let n = 0;
    for (const row of rows) {
      const isLike = row.cells[0].dataset.value.toLowerCase().includes(wanted);
      row.classList.toggle("unlike", !isLike);
      n += isLike;
    }
    say(`${n} of ${rows.length} rows`);
  });
}

// What is wider than its place says so: a shade at its end, and a button that goes on by one screen.
const watched = new ResizeObserver(entries => entries.forEach(entry => look(entry.target.closest(".wide"))));

function look(wide) {
  const scroll = wide.querySelector(".scroll");
  const button = wide.querySelector(".more-columns");
  const end = scroll.scrollLeft + scroll.clientWidth;
  const isMore = end < scroll.scrollWidth - 1;
  wide.toggleAttribute("data-right", isMore);
  wide.toggleAttribute("data-left", scroll.scrollLeft > 1);
  button.hidden = !isMore;
  if (!isMore) return;
  const edge = scroll.getBoundingClientRect().left + scroll.clientWidth + 1;
  const heads = [...scroll.querySelectorAll("thead tr:last-child th")];
  const n = heads.filter(head => head.getBoundingClientRect().right > edge).length;
  button.textContent = n ? `${n} more column${n === 1 ? "" : "s"} →` : "more →";
}

for (const wide of document.querySelectorAll(".wide")) {
  const scroll = wide.querySelector(".scroll");
  wide.classList.add("watched");
  scroll.addEventListener("scroll", () => look(wide), {passive: true});
  wide.querySelector(".more-columns").addEventListener("click", () => {
    const first = scroll.querySelector("th[scope=row]");
    const step = scroll.clientWidth - (first ? first.offsetWidth : 0);
    scroll.scrollBy({left: step, behavior: "smooth"});
  });
  watched.observe(scroll);
  look(wide);
}

// A link to what is closed opens it.
for (const link of document.querySelectorAll('a[href^="#"]')) {
  link.addEventListener("click", () => {
    const details = document.getElementById(link.getAttribute("href").slice(1))?.closest("details");
    if (details) details.open = true;
  });
}

// Numbers with all digits go to the clipboard; where pages may not write to it, they are marked to be copied.
for (const button of document.querySelectorAll(".copy")) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    const source = document.getElementById(button.dataset.of);
    try {
      await navigator.clipboard.writeText(source.textContent);
      say("Copied as CSV");
    } catch {
      for (let x = source.closest("details"); x; x = x.parentElement.closest("details")) x.open = true;
      getSelection().selectAllChildren(source);
      source.scrollIntoView({block: "center"});
      say(document.execCommand("copy") ? "Copied as CSV" : "The CSV is marked");
    }
  });
}
