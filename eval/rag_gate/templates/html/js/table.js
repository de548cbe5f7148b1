// The table of cases: a page of rows at a time, so that thousands of cases open at once.
const PER_PAGE = 100;
const TONES = { passed: "good", unscored: "warn", retrieval_only: "quiet" };
const CHANGE_TONES = { newly_failing: "bad", new_failing: "bad", fixed: "good", unscored: "warn" };

function columnsOf(index, state) {
  const slices = index.slices
    .map((slice, at) => ({ key: `s${at}`, label: words[`slice.${slice.name}`] ?? slice.name, name: slice.name }))
    .filter((column) => column.name !== "tags");
  const metric = metricOf(index, state);
  const scores = metric
    ? [
        { key: "now", label: metric.name, number: true },
        { key: "then", label: say("js.then"), number: true },
        { key: "delta", label: say("js.delta"), number: true },
      ]
    : [];
  return [{ key: "case", label: say("js.case") }, { key: "status", label: say("js.status") }, ...slices, ...scores];
}

function header(column, state, sortBy) {
  const direction = state.sort === column.key ? "ascending" : state.sort === `-${column.key}` ? "descending" : "none";
  const arrow = el("span", { class: "arrow", "aria-hidden": "true" }, { ascending: "▲", descending: "▼", none: "↕" }[direction]);
  const button = el("button", { type: "button", "data-sort": column.key }, column.label, " ", arrow);
  button.addEventListener("click", () => sortBy(direction === "ascending" ? `-${column.key}` : column.key));
  return el("th", { scope: "col", class: column.number ? "n" : null, "aria-sort": direction }, button);
}

function statusBadges(index, row) {
  const status = index.statuses[index.status[row]];
  const change = index.changes[index.change[row]];
  return [
    badge(TONES[status] ?? "bad", say(`status.${status}`)),
    CHANGE_TONES[change] ? [" ", badge(`line ${CHANGE_TONES[change]}`, say(`change.${change}`))] : null,
    index.must[row] ? [" ", badge("line quiet", say("js.must_pass"))] : null,
    index.without[row] && status === "retrieval_failure" ? [" ", badge("line warn", say("js.luck"))] : null,
  ].flat();
}

function line(index, state, columns, row) {
  const metric = metricOf(index, state);
  const link = el("a", { href: hashOf({ ...without(state, "case"), case: index.ids[row] }) }, index.ids[row]);
  const cells = columns.slice(2).map((column) => {
    if (column.key === "now") return el("td", { class: "n" }, shown(metric.now[row]));
    if (column.key === "then") return el("td", { class: "n" }, shown(metric.then[row]));
    if (column.key === "delta") return el("td", { class: "n" }, signed(difference(metric.now[row], metric.then[row])));
    const slice = index.slices[column.key.slice(1)];
    return el("td", {}, slice.values[slice.of[row]] ?? "–");
  });
  const name = el("th", { scope: "row" }, link, el("span", { class: "question" }, index.questions[row]));
  return el("tr", {}, name, el("td", {}, statusBadges(index, row)), ...cells);
}

function fillTable(index, state, rows, go, all = false) {
  const table = document.getElementById("table");
  const pages = Math.max(1, Math.ceil(rows.length / PER_PAGE));
  const page = Math.min(Math.max(1, Number(state.page) || 1), pages);
  const first = all ? 0 : (page - 1) * PER_PAGE;
  const seen = rows.slice(first, all ? undefined : first + PER_PAGE);
  const columns = columnsOf(index, state);
  const focused = document.activeElement?.dataset?.sort;
  table.tHead.replaceChildren(el("tr", {}, columns.map((column) => header(column, state, (sort) => go({ sort, page: undefined })))));
  table.tBodies[0].replaceChildren(...seen.map((row) => line(index, state, columns, row)));
  table.hidden = rows.length === 0;
  if (focused) table.tHead.querySelector(`[data-sort="${focused}"]`)?.focus();
  const range = { from: first + 1, to: first + seen.length, n: rows.length };
  document.getElementById("count").textContent = rows.length ? say("js.shown", range) : say("js.none");
  fillPages(page, pages, go);
}

function fillPages(page, pages, go) {
  const nav = document.getElementById("pages");
  const button = (key, to) => {
    const made = el("button", { type: "button", disabled: to < 1 || to > pages }, say(key));
    made.addEventListener("click", () => {
      go({ page: to === 1 ? undefined : String(to) });
      document.getElementById("h-cases").scrollIntoView();
    });
    return made;
  };
  nav.replaceChildren(button("js.earlier", page - 1), el("span", {}, `${page} / ${pages}`), button("js.later", page + 1));
  nav.hidden = pages === 1;
}
