// The first page: start a game at once, set a table, or watch one.

import { ask } from "./ask.js";
import { Chair } from "./chair.js";
import { byId, h } from "./dom.js";
import { link, remember } from "./keys.js";
import { strengths } from "./program.js";
import { themeButton } from "./theme.js";

const COLOURS = ["black", "white", "red", "blue", "green", "yellow"];
const SMALLEST = 5;
const LARGEST = 19;
let offer = { players: [], own: [] };
let chairs = [];

const QUICK = [
  { text: "You and two programs: 3 colours, 9×9", size: 9, seats: ["me", "", ""] },
  { text: "You against one program: 9×9", size: 9, seats: ["me", ""] },
  { text: "Watch four programs: 13×13", size: 13, seats: ["", "", "", ""] },
  { text: "Three friends, three pages: 9×9", size: 9, seats: ["me", "person", "person"] },
];
const QUICK_PLAYER = "rave";
const QUICK_BUDGET = "1000";

// Make a table and go there, on the first of one's own seats.
async function make(wish, mine) {
  try {
    const made = await ask("/api/tables", wish);
    remember(made.table, made.seats);
    const seat = mine.find((number) => number in made.seats);
    location.assign(link(made.table, seat === undefined ? "" : made.seats[seat]));
  } catch (error) {
    trouble(error.message);
  }
}

function trouble(text) {
  byId("trouble").textContent = text;
  byId("trouble").hidden = !text;
}

function quick({ text, size, seats }) {
  const program = offer.players.some(({ name }) => name === QUICK_PLAYER) ? QUICK_PLAYER : offer.players[0]?.name;
  const wish = {
    width: size,
    height: size,
    seats: seats.map((who) => (who ? {} : { player: `${program}@${QUICK_BUDGET}` })),
  };
  const mine = seats.flatMap((who, seat) => (who === "me" ? [seat] : []));
  return h("button", { type: "button", onclick: () => make(wish, mine) }, text);
}

function setChairs() {
  const count = Number(byId("colours").value);
  const before = chairs.map((chair) => [chair.who.value, chair.budget.value]);
  chairs = COLOURS.slice(0, count).map((colour, number) => {
    const [sitter, budget] = before[number] ?? [number ? QUICK_PLAYER : "me", QUICK_BUDGET];
    return new Chair(number, colour, offer.players, offer.own, sitter, budget);
  });
  byId("chairs").replaceChildren(strengths(), ...chairs.map(({ element }) => element));
}

async function wished() {
  const [main, increment, overtime] = byId("clock").value.split(",").map(Number);
  const size = Number(byId("size").value);
  const file = byId("sgf").files[0];
  const wish = {
    seats: chairs.map((chair) => chair.wish),
    width: size,
    height: size,
    superko: byId("superko").checked,
    hints: byId("hints").checked,
    listed: byId("listed").checked,
    thoughts: byId("show-thoughts").value,
    title: byId("title").value.trim(),
  };
  if (byId("clock").value) wish.clock = { main, increment, overtime };
  if (byId("komi").value.trim()) wish.komi = komi(byId("komi").value);
  if (file) wish.sgf = await file.text();
  return wish;
}

// "6.5" is White's; else one number a colour.
function komi(text) {
  const numbers = text.split(",").map((part) => Number(part.trim()));
  if (numbers.some(Number.isNaN)) throw new Error("komi is a number, or one for each colour: 0, 6.5, 7");
  return numbers.length === 1 ? chairs.map((_, seat) => (seat === 1 ? numbers[0] : 0)) : numbers;
}

async function submit(event) {
  event.preventDefault();
  trouble("");
  try {
    const mine = chairs.flatMap((chair, seat) => (chair.who.value === "me" ? [seat] : []));
    await make(await wished(), mine);
  } catch (error) {
    trouble(error.message);
  }
}

async function showTables() {
  const { tables } = await ask("/api/tables");
  const rows = tables.map((table) =>
    h("li", {}, h("a", { href: `/table/${table.id}` }, table.title || `${table.size}, ${table.seats.length} colours`),
      ` ${table.seats.filter(Boolean).join(", ")}, move ${table.move}${table.phase === "over" ? ", over" : ""}`));
  byId("tables").replaceChildren(...(rows.length ? rows : [h("li", {}, "None is listed now.")]));
}

async function begin() {
  themeButton(byId("theme"));
  for (let size = SMALLEST; size <= LARGEST; size++)
    byId("size").append(h("option", { value: size, selected: size === 9 }, `${size}×${size}`));
  for (let count = 2; count <= COLOURS.length; count++)
    byId("colours").append(h("option", { value: count, selected: count === 3 }, String(count)));
  try {
    offer = await ask("/api/players");
    await showTables();
  } catch (error) {
    trouble(error.message);
  }
  byId("quick").replaceChildren(...QUICK.map(quick));
  setChairs();
  byId("colours").addEventListener("change", setChairs);
  byId("new").addEventListener("submit", submit);
}

begin();
