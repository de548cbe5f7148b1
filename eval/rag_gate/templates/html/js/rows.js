// Which cases fit the filters, and in which order. A row is a number into the columns of the index.
const FAILING = new Set(["safety_failure", "retrieval_and_generation_failure", "retrieval_failure", "generation_failure"]);

const metricOf = (index, state) => index.metrics[Number(state.metric ?? 0)] ?? index.metrics[0];

function fitsScore(metric, row, wanted) {
  const now = metric.now[row];
  const delta = difference(now, metric.then[row]);
  const gain = delta === null ? 0 : delta * (metric.lower ? -1 : 1);
  if (wanted === "worse") return gain < 0;
  if (wanted === "better") return gain > 0;
  if (wanted === "none") return now === null;
  return now !== null && (metric.lower ? now > 0 : now < 1);
}

function fits(index, state) {
  const status = state.status;
  const words = (state.q ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  const slices = Object.keys(state).filter((name) => /^s\d+$/.test(name) && index.slices[name.slice(1)]);
  const metric = metricOf(index, state);
  return (row) => {
    const name = index.statuses[index.status[row]];
    if (status && (status === "failing" ? !FAILING.has(name) : name !== status)) return false;
    if (state.change && index.changes[index.change[row]] !== state.change) return false;
    if (state.cell && (index.aside[row] || index.cell[row] !== state.cell)) return false;
    if (slices.some((key) => index.slices[key.slice(1)].of[row] !== Number(state[key]))) return false;
    if (state.score && metric && !fitsScore(metric, row, state.score)) return false;
    if (!words.length) return true;
    const text = `${index.ids[row]} ${index.questions[row]}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
}

function keyOf(index, state, column) {
  const metric = metricOf(index, state);
  if (column === "case") return (row) => index.ids[row];
  if (column === "status") return (row) => index.status[row];
  if (column === "change") return (row) => index.change[row];
  if (column === "now") return (row) => metric?.now[row];
  if (column === "then") return (row) => metric?.then[row];
  if (column === "delta") return (row) => difference(metric?.now[row], metric?.then[row]);
  const slice = index.slices[column.slice(1)];
  return (row) => slice?.values[slice.of[row]];
}

// What has no value comes last, in either direction; equal ones stay in order of urgency.
function compare(a, b) {
  return typeof a === "string" ? a.localeCompare(b) : a - b;
}

function rowsOf(index, state) {
  const rows = index.ids.map((_, row) => row).filter(fits(index, state));
  if (!state.sort) return rows;
  const down = state.sort.startsWith("-");
  const key = keyOf(index, state, state.sort.replace(/^-/, ""));
  const known = rows.filter((row) => key(row) !== null && key(row) !== undefined);
  const unknown = rows.filter((row) => key(row) === null || key(row) === undefined);
  known.sort((a, b) => (down ? -1 : 1) * compare(key(a), key(b)) || a - b);
  return [...known, ...unknown];
}
