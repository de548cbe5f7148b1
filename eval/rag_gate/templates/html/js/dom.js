// Elements are made here and nowhere else: texts go in as text, never as markup.
const read = (id) => JSON.parse(document.getElementById(id).textContent);
const words = read("words");

function say(key, values = {}) {
  const [one, many] = (words[key] ?? key).split("|");
  const text = many !== undefined && values.n !== 1 ? many : one;
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

function el(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== ""));
  return made;
}

const badge = (tone, text) => el("span", { class: `badge ${tone}` }, text);
const sub = (text) => el("span", { class: "sub" }, text);

// A mark's kinds, the one that matters most first: how it looks, and what a screen reader says.
const KINDS = [[8, "finding"], [4, "unsupported"], [2, "undecided"], [16, "evidence"], [32, "part"], [64, "quoted"], [1, "supported"]];

function marked(text, marks = []) {
  const parts = [];
  let done = 0;
  for (let at = 0; at < marks.length; at += 3) {
    const [start, end, kinds] = marks.slice(at, at + 3);
    const [bit, name] = KINDS.find(([kind]) => kinds & kind);
    if (start > done) parts.push(text.slice(done, start));
    const label = el("span", { class: "hear" }, ` [${say(`js.mark.${bit}`)}: `);
    parts.push(el("mark", { class: name }, label, text.slice(start, end), el("span", { class: "hear" }, "] ")));
    done = end;
  }
  parts.push(text.slice(done));
  return parts;
}

function legend(marks) {
  let kinds = 0;
  for (let at = 2; at < marks.length; at += 3) kinds |= marks[at];
  const items = KINDS.filter(([bit]) => kinds & bit).map(([bit, name]) => el("mark", { class: name }, say(`js.mark.${bit}`)));
  return items.length ? el("p", { class: "legend" }, `${say("js.legend")}: `, items.flatMap((item) => [item, " "])) : null;
}

const shown = (score) => (score === null || score === undefined ? "–" : String(Number(score.toFixed(3))));

function difference(now, then) {
  if (now === null || now === undefined || then === null || then === undefined) return null;
  return now - then;
}

function signed(value) {
  if (value === null) return "–";
  const text = String(Number(value.toFixed(3)));
  return value > 0 ? `+${text}` : text;
}
