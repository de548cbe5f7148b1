// What is shown stands in the address after "#", so that any view can be linked to and gone back to.
const FIELDS = ["q", "status", "change", "cell", "metric", "score", "sort", "page", "case"];

function stateOf(hash) {
  const given = new URLSearchParams(hash.replace(/^#/, ""));
  const state = {};
  for (const [name, value] of given) {
    if (value && (FIELDS.includes(name) || /^s\d+$/.test(name))) state[name] = value;
  }
  return state;
}

function hashOf(state) {
  const kept = Object.entries(state).filter(([, value]) => value !== undefined && value !== "");
  return `#${new URLSearchParams(kept)}`;
}

// The same filters without what only one view needs.
const without = (state, ...names) => Object.fromEntries(Object.entries(state).filter(([name]) => !names.includes(name)));
