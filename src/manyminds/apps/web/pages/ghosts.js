// The page on which a hunt is set up, or one of a store is chosen.

import { AirControls } from "./air.js";
import { ask } from "./ask.js";
import { byId, capital, h } from "./dom.js";
import { Program, strengths } from "./program.js";
import { themeButton } from "./theme.js";

const GHOSTS = ["blinky", "pinky", "inky", "sue"];
const FAULTS = [["", "well"], ["silent", "silent: sends nothing"], ["deaf", "deaf: hears nothing"], ["garbage", "sends garbage"], ["dead", "dead: walks at random"]];

function trouble(text) {
  byId("trouble").textContent = text;
  byId("trouble").hidden = !text;
}

async function make(wish) {
  trouble("");
  try {
    const made = await ask("/api/hunts", wish);
    location.assign(`/hunt/${made.hunt}#${made.key}`);
  } catch (error) {
    trouble(error.message);
  }
}

function chair(holder, program) {
  byId(holder).append(h("div", { class: "fields" }, program.who, program.strength), program.help, program.more);
  return program;
}

function broken() {
  const found = {};
  for (const ghost of GHOSTS) if (byId(`broken-${ghost}`).value) found[ghost] = byId(`broken-${ghost}`).value;
  return found;
}

function showStores(stores) {
  byId("stores").hidden = !stores.length;
  byId("kept").replaceChildren(...stores.flatMap(({ name, lineups, trouble: why }) => [
    h("h3", {}, name),
    why ? h("p", {}, why) : null,
    ...lineups.filter(({ games }) => games.length).map((lineup) => kept(name, lineup)),
  ].filter(Boolean)));
}

function kept(store, { players, games }) {
  const words = `Pac-Man ${players[0]}, ghosts ${[...new Set(players.slice(1))].join(", ")}`;
  const select = h("select", { "aria-label": `Game of ${words}` }, ...games.map((number, at) => h("option", { value: number }, `game ${at + 1}`)));
  const button = h("button", { type: "button", onclick: () => make({ store, number: Number(select.value) }) }, "Watch");
  return h("div", { class: "kept" }, h("code", {}, words), h("div", { class: "fields" }, select, button));
}

async function begin() {
  themeButton(byId("theme"));
  const controls = new AirControls(byId("air"), { rate: 64000, loss: 0.3, burst: 1, delay_ms: 5 });
  byId("broken").append(...GHOSTS.map((ghost) =>
    h("label", {}, `${capital(ghost)} is `, h("select", { id: `broken-${ghost}` }, ...FAULTS.map(([value, text]) => h("option", { value }, text))))));
  try {
    const offer = await ask("/api/hunts");
    document.body.append(strengths());
    const mates = chair("mates", new Program("Mates", offer.mates, { chosen: "roots", budget: "200" }));
    const pacman = chair("pacman", new Program("Pac-Man's player", offer.pacman, { chosen: "uct", budget: "200" }));
    showStores(offer.stores);
    byId("new").addEventListener("submit", (event) => {
      event.preventDefault();
      const wish = { maze: Number(byId("maze").value), rules: byId("rules").value, mates: mates.player, pacman: pacman.player, air: controls.air, broken: broken() };
      if (byId("seed").value.trim()) wish.seed = Number(byId("seed").value);
      make(wish);
    });
  } catch (error) {
    trouble(error.message);
  }
}

begin();
