// A hunt's page: ticks as the server tells them, drawn as they come or looked at again one by one.

import { AirControls } from "./air.js";
import { Connection } from "./connection.js";
import { byId, capital, h, show } from "./dom.js";
import { face } from "./ghost.js";
import { ownKey } from "./keys.js";
import { MazePicture } from "./maze.js";
import { showTalk } from "./talk.js";
import { themeButton } from "./theme.js";

const RECENT = 50; // ticks that messages are counted over
const REFUSAL_SHOWN = 8000;
const hunt = { ticks: [], watchers: 0 };
let picture = null;
let names = [];
let viewed = null; // the place in `ticks` that is looked at; null: the newest
let held = false;
let controls = null;
let waiting = false;

function news(message) {
  for (const name of ["state", "pace", "air", "you", "watchers"]) if (name in message) hunt[name] = message[name];
  if (message.ground) setUp(message.ground);
  if (message.ticks) take(message.ticks);
  if (message.air && controls) controls.show(message.air);
  if ("pace" in message) showPace(message.pace);
  if (message.refused) refused(message.refused);
  if ("you" in message || "air" in message || "ground" in message) allow();
  if ("state" in message) byId("status").textContent = stateWords();
  drawSoon();
}

function setUp(ground) {
  hunt.ground = ground;
  names = ["Pac-Man", ...ground.seats.slice(1).map(capital)];
  document.title = `${ground.lineup[1]} hunt Pac-Man - manyminds`;
  byId("note").textContent = ground.note;
  byId("note").hidden = !ground.note;
  if (!controls) controls = new AirControls(byId("air"), hunt.air ?? ground.air ?? { rate: null, loss: 0, burst: 1, delay_ms: 0 }, tune);
  else if (ground.air) controls.show(ground.air);
}

function take(ticks) {
  const next = (hunt.ticks.at(-1)?.number ?? 0) + 1;
  for (const tick of ticks) if (tick.number >= next || !hunt.ticks.length) hunt.ticks.push(tick);
}

// The channel can be set by who made the hunt, as long as it goes on and is not a store's.
function allow() {
  const mine = hunt.you && ["getting ready", "running"].includes(hunt.state?.phase);
  if (controls) controls.disabled = !mine || !hunt.air;
  byId("pace").disabled = !mine;
  byId("air-panel").hidden = Boolean(hunt.ground?.note) && !hunt.ground.air;
}

function stateWords() {
  const { phase, note, result } = hunt.state;
  if (phase === "getting ready") return "Getting ready: the first hunt compiles for up to a minute";
  if (phase === "failed") return `It failed: ${note}`;
  if (phase === "over") return `The hunt is over: Pac-Man has ${result.points.pacman} points`;
  return held ? "Held" : "The hunt is on";
}

function refused(text) {
  byId("trouble").textContent = text;
  byId("trouble").hidden = !text;
  clearTimeout(hunt.forget);
  if (text) hunt.forget = setTimeout(() => refused(""), REFUSAL_SHOWN);
}

// --- drawing -------------------------------------------------------------------------------------

function drawSoon() {
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(() => {
    waiting = false;
    draw();
  });
}

function draw() {
  byId("watchers").textContent = hunt.watchers;
  if (hunt.state) allow();
  const at = Math.min(viewed ?? hunt.ticks.length - 1, hunt.ticks.length - 1);
  const tick = hunt.ticks[at];
  if (!tick || !hunt.ground) return;
  const maze = hunt.ground.mazes[tick.maze];
  if (picture?.maze !== maze) picture = new MazePicture(byId("maze"), maze);
  picture.draw(tick, plansOf(tick), byId("see-talk").checked);
  byId("caption").textContent = `${capital(tick.caption)}. Last moves: ${tick.moves}.`;
  drawReplay(at);
  drawSeats(tick);
  showTalk(byId("talk"), tick, hunt.ticks.slice(Math.max(0, at - RECENT + 1), at + 1), names);
}

function plansOf(tick) {
  const wanted = byId("plans").value;
  const mates = (tick.mates ?? []).filter(({ ways }) => ways);
  if (wanted === "none") return [];
  if (wanted === "own") return mates.map(({ seat, ways }) => [seat, ways[seat]]);
  const mate = mates.find(({ seat }) => seat === Number(wanted));
  return (mate?.ways ?? []).map((ways, seat) => [seat, ways]);
}

function drawReplay(at) {
  const slider = byId("slider");
  slider.max = hunt.ticks.length - 1;
  slider.value = at;
  const number = hunt.ticks[at].number;
  slider.setAttribute("aria-valuetext", `tick ${number}`);
  byId("at").textContent = `${number} / ${hunt.ticks.at(-1).number}`;
  byId("back").disabled = at === 0;
  byId("forward").disabled = byId("now").disabled = at === hunt.ticks.length - 1;
  byId("hold").textContent = held ? "Go on" : "Hold";
  byId("hold").disabled = !hunt.you || !["getting ready", "running"].includes(hunt.state?.phase);
}

function drawSeats(tick) {
  const mates = new Map((tick.mates ?? []).map((mate) => [mate.seat, mate]));
  show(byId("seats"), ...names.map((name, seat) => h(
    "li", { class: "seat" },
    face(seat),
    h("span", { class: "who" }, h("strong", {}, name), " ", h("code", {}, hunt.ground.lineup[seat])),
    h("span", { class: "state" }, seat ? ghostWords(tick, seat) : `${tick.score} points`),
    h("span", { class: "numbers" }, mateWords(mates.get(seat))),
  )));
}

function ghostWords(tick, seat) {
  if (tick.lair[seat - 1]) return `in the lair, ${tick.lair[seat - 1]}`;
  return tick.edible[seat - 1] ? "edible" : "";
}

function mateWords(mate) {
  if (!mate) return "";
  if (mate.value === undefined) return "has no plan yet";
  const dropped = Object.entries(mate.counts).filter(([word]) => !["sent", "taken in"].includes(word));
  const words = [`expects ${Math.round(100 * mate.value)} %`, `${mate.nodes} nodes`, `sent ${mate.counts.sent ?? 0}`, `took in ${mate.counts["taken in"] ?? 0}`];
  return [...words, ...dropped.map(([word, count]) => `${word} ${count}`)].join(", ");
}

// --- acting --------------------------------------------------------------------------------------

let connection = null;

function tune() {
  connection.say("tune", controls.air);
}

function showPace(ticks) {
  held = ticks === 0;
  if (!held) byId("pace").value = String(ticks);
  if (hunt.state) byId("status").textContent = stateWords();
}

function setPace() {
  connection.say("pace", { ticks: held ? 0 : Number(byId("pace").value) });
}

function view(at) {
  viewed = at >= hunt.ticks.length - 1 ? null : Math.max(0, at);
  draw();
}

function state(now) {
  document.body.classList.toggle("offline", now !== "on");
  if (now === "on") {
    if (document.body.dataset.lost) refused("");
    delete document.body.dataset.lost;
    return;
  }
  document.body.dataset.lost = "yes";
  refused(now === "off" ? "The connection is lost; trying again ..." : now);
}

themeButton(byId("theme"));
byId("hold").addEventListener("click", () => {
  held = !held;
  setPace();
});
const place = () => viewed ?? hunt.ticks.length - 1;
byId("back").addEventListener("click", () => view(place() - 1));
byId("forward").addEventListener("click", () => view(place() + 1));
byId("now").addEventListener("click", () => view(Infinity));
byId("slider").addEventListener("input", (event) => view(Number(event.target.value)));
byId("pace").addEventListener("change", setPace);
byId("plans").addEventListener("change", draw);
byId("see-talk").addEventListener("change", draw);
addEventListener("hashchange", () => location.reload());
connection = new Connection(`/hunt/${location.pathname.split("/")[2]}/socket`, ownKey(), news, state);
