// The page of one case.
function caseNav(index, state, rows, row) {
  const at = rows.indexOf(row);
  const link = (key, to) => (to === undefined ? null : el("a", { href: hashOf({ ...state, case: index.ids[to] }) }, say(key)));
  const back = el("a", { href: hashOf(without(state, "case")), "data-back": true }, say("js.back"));
  const links = [back, at > 0 ? link("js.previous", rows[at - 1]) : null, at >= 0 ? link("js.next", rows[at + 1]) : null];
  return el("nav", { class: "pages", "aria-label": say("js.case") }, links.filter(Boolean));
}

function expectedPart(data) {
  if (data.expected.length) return section(say("js.expected"), data.expected.map((text) => prose(text)));
  return section(say("js.expected"), el("p", { class: "note" }, say(data.declines ? "js.declines" : "js.no_expected")));
}

function casePage(index, details, state, rows, row) {
  const data = details.cases[row];
  const slices = index.slices.map((slice) => slice.values[slice.of[row]]).filter(Boolean);
  const status = index.statuses[index.status[row]];
  return [
    caseNav(index, state, rows, row),
    el("h2", { tabindex: "-1" }, el("code", {}, index.ids[row])),
    el("p", { class: "tags" }, statusBadges(index, row), slices.map((text) => [" ", badge("line quiet", text)])),
    data.why ? el("p", { class: "why" }, data.why) : null,
    section(say("js.question"), prose(index.questions[row])),
    expectedPart(data),
    answersPart(data, status),
    findingsPart(data),
    claimsPart(data),
    judgePart(data),
    ...passagesPart(data),
    chunksPart(data, details.chunks),
    data.then?.ids?.length ? section(say("js.before"), el("ol", {}, data.then.ids.map((id) => el("li", {}, el("code", {}, id))))) : null,
    scoresPart(index, row, data),
  ].flat().filter(Boolean);
}

function missingPage(state) {
  return [
    el("p", {}, el("a", { href: hashOf(without(state, "case")) }, say("js.back"))),
    el("h2", { tabindex: "-1" }, say("js.not_found", { id: state.case })),
  ];
}
