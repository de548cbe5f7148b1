// From the address to what is shown, and back.
const index = read("index");
const overview = document.getElementById("overview");
const article = document.getElementById("case");
const form = document.getElementById("filters");
const title = document.title;
let details = null;
let left = null;

function go(changes) {
  const state = { ...without(stateOf(location.hash), "case"), ...changes };
  history.replaceState(null, "", hashOf(state));
  show();
}

function fillForm(state) {
  for (const field of form.elements) {
    if (!field.name || field === document.activeElement) continue;
    field.value = state[field.name] ?? (field.name === "metric" ? "0" : "");
  }
}

function showCase(state) {
  details ??= read("details");
  const row = index.ids.indexOf(state.case);
  const page = row < 0 ? missingPage(state) : casePage(index, details, state, rowsOf(index, state), row);
  article.replaceChildren(...page);
  overview.hidden = true;
  article.hidden = false;
  document.title = `${state.case} · ${title}`;
  left = state.case;
  scrollTo(0, 0);
  article.querySelector("h2").focus({ preventScroll: true });
}

function showTable(state) {
  const wasCase = !article.hidden;
  overview.hidden = false;
  article.hidden = true;
  article.replaceChildren();
  document.title = title;
  fillForm(state);
  fillTable(index, state, rowsOf(index, state), go);
  const link = [...document.querySelectorAll("#table tbody a")].find((made) => made.textContent === left);
  if (wasCase && link) link.focus();
  else if (wasCase) document.getElementById("h-cases").scrollIntoView();
}

function show() {
  const state = stateOf(location.hash);
  if (state.case !== undefined) showCase(state);
  else showTable(state);
}

// A link from the overview to a part of the cases leads to the table.
function arrived(event) {
  const state = stateOf(location.hash);
  const wasCase = new URL(event.oldURL).hash.includes("case=");
  show();
  if (state.case === undefined && !wasCase && (Object.keys(state).length || location.hash === "#cases")) {
    document.getElementById("cases").scrollIntoView();
  }
}

function listen() {
  document.querySelector(".skip").addEventListener("click", (event) => {
    event.preventDefault(); // the address holds what is shown
    document.getElementById("main").focus();
  });
  form.addEventListener("input", (event) => go({ [event.target.name]: event.target.value, page: undefined }));
  form.addEventListener("reset", (event) => {
    event.preventDefault();
    history.replaceState(null, "", "#");
    show();
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  addEventListener("hashchange", arrived);
  addEventListener("beforeprint", () => {
    if (!article.hidden) return;
    const state = stateOf(location.hash);
    fillTable(index, state, rowsOf(index, state), go, true);
  });
  addEventListener("afterprint", () => article.hidden && show());
}

if (index) {
  form.hidden = false;
  listen();
  show();
}
