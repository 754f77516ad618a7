// What programs think, in words and bars: expected points, candidates, the line, beliefs.

import { capital, h, show } from "./dom.js";
import { badge } from "./stone.js";

const percent = (value) => `${Math.round(100 * value)} %`;

function bar(share, colour) {
  const meter = h("span", { class: `bar a${colour ?? ""}`, "aria-hidden": "true" });
  meter.style.setProperty("--share", `${Math.min(100, Math.max(0, 100 * share))}%`);
  return meter;
}

function points(thought, names) {
  const most = Math.max(1, ...thought.points);
  return h(
    "table", { class: "points-table" },
    h("caption", {}, "Expected points"),
    h("tbody", {}, ...thought.points.map((value, seat) =>
      h("tr", {},
        h("th", { scope: "row" }, badge(seat + 1), ` ${names[seat]}`),
        h("td", {}, bar(value / most, seat + 1)),
        h("td", { class: "number" }, value.toFixed(1))))),
  );
}

function candidates(thought, names) {
  if (!thought.candidates.length) return null;
  return h(
    "table", { class: "candidates" },
    h("caption", {}, "Candidate moves, and what each colour gets"),
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Move"),
      ...names.map((name, seat) => h("th", { scope: "col" }, badge(seat + 1), h("span", { class: "unseen" }, name))))),
    h("tbody", {}, ...thought.candidates.slice(0, 5).map(([move, values]) =>
      h("tr", {}, h("th", { scope: "row" }, move),
        ...values.map((value, seat) =>
          h("td", { class: `number ${seat === thought.seat ? "mover" : ""}` }, percent(value)))))),
  );
}

function beliefs(thought) {
  const entries = Object.entries(thought.beliefs);
  if (!entries.length) return null;
  return h(
    "table", { class: "points-table" },
    h("caption", {}, "What it believes about who cooperates"),
    h("tbody", {}, ...entries.map(([name, share]) =>
      h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, bar(share)), h("td", { class: "number" }, percent(share))))),
  );
}

// switches: {owners, candidates}, changed by toggle(name)
export function showThoughts(holder, thought, names, switches, toggle, isHint) {
  holder.hidden = !thought;
  if (!thought) return;
  const who = isHint ? `Hint for ${names[thought.seat]}` : `What ${names[thought.seat]} thought`;
  const box = (name, text) =>
    h("label", {}, h("input", { type: "checkbox", id: `see-${name}`, checked: switches[name], onchange: () => toggle(name) }), ` ${text}`);
  const spent = thought.simulations ? `, ${thought.simulations.toLocaleString("en")} simulations in ${thought.seconds.toFixed(1)} s` : "";
  show(
    holder,
    h("h2", { id: "thoughts-title" }, who),
    h("p", { class: "by" }, h("code", {}, thought.player), ` on move ${thought.number + 1}: ${thought.move}${spent}`),
    h("div", { class: "switches" }, box("owners", "Who is likely to own each point"), box("candidates", "Candidate moves on the board")),
    points(thought, names),
    candidates(thought, names),
    thought.line.length > 1 && h("p", {}, `It expects ${thought.line.join(" ")}`),
    beliefs(thought),
    thought.remark && h("p", { class: "remark" }, thought.remark),
  );
}

export const asWords = (thought, names) =>
  `${capital(names[thought.seat])} might play ${thought.move}; expected points ${thought.points.map((value, seat) => `${names[seat]} ${value.toFixed(0)}`).join(", ")}`;
