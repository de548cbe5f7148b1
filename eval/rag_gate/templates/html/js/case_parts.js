// The parts of a case's page, each from its data. A part without data is left out, or says that it has none.
const section = (title, ...children) => el("section", {}, el("h3", {}, title), ...children);
const list = (items) => el("ul", {}, items.map((item) => el("li", {}, item)));
const prose = (...children) => el("div", { class: "prose" }, ...children);

function answerBox(side, title, status) {
  const body = [];
  if (side.withheld) body.push(el("p", { class: "note" }, say("js.withheld")));
  else if (side.error) body.push(el("p", { class: "note" }, say("js.error", { error: side.error })));
  if (side.answer) body.push(prose(marked(side.answer, side.marks)));
  else if (!body.length) body.push(el("p", { class: "note" }, say(side.note ?? "js.no_answer")));
  return el("div", { class: "side" }, el("h4", {}, title, " ", status), ...body);
}

function answersPart(data, status) {
  const tone = (name) => TONES[name] ?? "bad";
  const now = answerBox(data.now, say("js.this_run"), badge(tone(status), say(`status.${status}`)));
  const before = data.then ?? { note: "js.not_in_baseline" };
  const was = data.then ? badge(tone(data.then.status), say(`status.${data.then.status}`)) : null;
  const then = answerBox("answer" in before || !data.then ? before : { note: "js.no_then" }, say("js.baseline"), was);
  const edited = data.then?.edited ? el("p", { class: "note" }, say("js.edited")) : null;
  return section(say("js.answers"), el("div", { class: "sides" }, now, then), legend(data.now.marks ?? []), edited);
}

function claimsPart(data) {
  if (!data.claims.length) return null;
  const tones = { supported: "good", unsupported: "bad" };
  const head = ["js.verdict", "js.claim", "js.evidence"].map((key) => el("th", { scope: "col" }, say(key)));
  const rows = data.claims.map((claim) => {
    const more = [claim.unmatched.length ? say("js.unmatched", { words: claim.unmatched.join(", ") }) : null, ...claim.flags];
    const rank = claim.rank ? sub(say("js.rank", { rank: claim.rank })) : null;
    return el(
      "tr",
      {},
      el("td", {}, badge(tones[claim.verdict] ?? "warn", say(`claim.${claim.verdict}`))),
      el("td", {}, claim.text, more.filter(Boolean).map(sub)),
      el("td", {}, claim.evidence ?? "–", rank),
    );
  });
  return section(say("js.claims"), scrolled(say("js.claims"), el("table", {}, el("thead", {}, el("tr", {}, head)), el("tbody", {}, rows))));
}

const scrolled = (label, table) => el("div", { class: "scroll", role: "region", "aria-label": label, tabindex: "0" }, table);

function judgePart(data) {
  if (!data.judge.length) return null;
  const rows = data.judge.map(([key, texts]) => {
    const body = key === "raw" ? texts.map((text) => el("pre", { tabindex: "0" }, text)) : texts.length > 1 ? list(texts) : texts[0];
    return el("div", {}, el("dt", {}, say(`judge.${key}`)), el("dd", {}, body));
  });
  return section(say("js.judge"), el("dl", { class: "facts" }, rows));
}

function findingsPart(data) {
  if (!data.findings.length) return null;
  const tones = { fail: "bad", warn: "warn" };
  const items = data.findings.map((found) => [
    badge(tones[found.ruling] ?? "quiet", say(`ruling.${found.ruling}`)),
    " ",
    el("code", {}, `${found.check}: ${found.rule}`),
    " ",
    found.note,
    found.quote ? el("q", {}, found.quote) : null,
  ]);
  return section(say("js.findings"), list(items));
}

function chunkItem(chunk, texts) {
  const tags = [
    chunk.gold ? badge("good", say("js.gold")) : null,
    chunk.evidence ? badge("good line", say("js.has_evidence")) : null,
    chunk.was === null ? sub(say("js.new")) : null,
    chunk.was ? sub(say("js.was_rank", { rank: chunk.was })) : null,
  ].filter(Boolean);
  const name = el("h4", {}, el("code", {}, chunk.id), chunk.doc ? sub(`${say("js.document")} ${chunk.doc}`) : null, tags.flatMap((tag) => [" ", tag]));
  const text = texts[chunk.text];
  const body = text === undefined ? el("p", { class: "note" }, say("js.no_text")) : prose(marked(text, chunk.marks));
  return el("li", { class: chunk.gold ? "gold" : null }, name, body);
}

function chunksPart(data, texts) {
  if (!data.chunks.length) return section(say("js.chunks"), el("p", { class: "note" }, say("js.nothing_retrieved")));
  const more = data.more ? el("p", { class: "note" }, say("js.more", { n: data.more })) : null;
  return section(say("js.chunks"), el("ol", { class: "chunks" }, data.chunks.map((chunk) => chunkItem(chunk, texts))), more);
}

function passagesPart(data) {
  const parts = [];
  if (data.lost.length) parts.push(section(say("js.lost"), list(data.lost.map((id) => el("code", {}, id)))));
  if (data.passages.length) {
    const items = data.passages.map((passage) => [
      passage.rank ? badge("good", say("js.found_at", { rank: passage.rank })) : badge("bad", say("js.not_whole")),
      passage.doc ? [" ", el("code", {}, passage.doc)] : "",
      prose(passage.text),
    ]);
    parts.push(section(say("js.passages"), list(items.map((item) => item.flat()))));
  }
  return parts;
}

function scoresPart(index, row, data) {
  const head = ["js.metric", "js.now", "js.then", "js.delta", "js.reason"].map((key) => el("th", { scope: "col" }, say(key)));
  const rows = index.metrics.map((metric) => {
    const now = metric.now[row];
    const delta = difference(now, metric.then[row]);
    const why = now === null ? (data.reasons[metric.name] ?? "") : "";
    const cells = [shown(now), shown(metric.then[row]), signed(delta)].map((text) => el("td", { class: "n" }, text));
    return el("tr", {}, el("th", { scope: "row" }, el("code", {}, metric.name)), ...cells, el("td", {}, why.replaceAll("_", " ")));
  });
  const table = el("table", { class: "scores" }, el("thead", {}, el("tr", {}, head)), el("tbody", {}, rows));
  return el("details", {}, el("summary", {}, say("js.scores")), scrolled(say("js.scores"), table));
}
