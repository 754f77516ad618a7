// What mates said to each other: a table of who heard whom, and the newest messages in words.

import { capital, h, show } from "./dom.js";
import { face } from "./ghost.js";

const SHOWN = 6;

// Sums of [passed, lost] by "from to" over ticks.
export function sums(ticks) {
  const found = new Map();
  for (const tick of ticks)
    for (const [from, to, passed, lost] of tick.links ?? []) {
      const [before, gone] = found.get(`${from} ${to}`) ?? [0, 0];
      found.set(`${from} ${to}`, [before + passed, gone + lost]);
    }
  return found;
}

export function showTalk(holder, tick, recent, names) {
  const said = sums(recent);
  const told = (tick.told ?? []).slice(-SHOWN).reverse();
  const bytes = (tick.links ?? []).reduce((sum, [from, , , , size], at, all) => (all.findIndex(([other]) => other === from) === at ? sum + size : sum), 0);
  const [passed, lost] = [...said.values()].reduce(([a, b], [p, l]) => [a + p, b + l], [0, 0]);
  const seats = names.map((_, seat) => seat).slice(1);
  show(
    holder,
    h("h2", { id: "talk-title" }, "What they say"),
    h("p", { class: "by" }, passed + lost
      ? `In the last ${recent.length} ticks ${passed} messages passed and ${lost} were lost (${Math.round((100 * lost) / (passed + lost))} %); in this tick they sent ${bytes} bytes.`
      : "Nobody has said anything yet: ghosts talk once one of them has a choice."),
    h("table", { class: "talk" },
      h("caption", {}, "Messages that passed, and lost, by who spoke (rows) and who should hear"),
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, h("span", { class: "unseen" }, "Speaker")),
        ...seats.map((seat) => h("th", { scope: "col" }, face(seat), h("span", { class: "unseen" }, names[seat]))))),
      h("tbody", {}, ...seats.map((from) => h("tr", {},
        h("th", { scope: "row" }, face(from), h("span", { class: "name" }, ` ${names[from]}`)),
        ...seats.map((to) => cell(from, to, said)))))),
    h("ol", { class: "told" }, ...told.map(([from, to, size, out, way]) =>
      h("li", { class: way === null ? "lost" : "" },
        `${capital(names[from])} to ${names[to]}, ${size} bytes at ${out.toFixed(1)} ms: `,
        way === null ? h("strong", {}, "lost") : `arrives ${way.toFixed(1)} ms later`))),
  );
}

function cell(from, to, said) {
  if (from === to) return h("td", { class: "number" }, "·");
  const [passed, lost] = said.get(`${from} ${to}`) ?? [0, 0];
  return h("td", { class: "number" }, String(passed), " ", lost ? h("span", { class: "lost" }, `✕${lost}`) : "");
}
