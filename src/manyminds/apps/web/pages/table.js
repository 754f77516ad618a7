// A table's page: what the server tells it is kept in `game`, and drawn from there.

import { Board, colourNames } from "./board.js";
import { Connection } from "./connection.js";
import { byId, h, show } from "./dom.js";
import { History } from "./history.js";
import { link, ownKey, remembered } from "./keys.js";
import { Pending } from "./pending.js";
import { badge } from "./stone.js";
import { themeButton } from "./theme.js";
import { asWords, showThoughts } from "./thoughts.js";

const REFUSAL_SHOWN = 8000;
const id = location.pathname.split("/")[2];
const game = { thoughts: new Map(), watchers: 0 };
const switches = { owners: false, candidates: false };
let history = new History();
let board = null;
let names = [];
let viewed = null; // the position that is looked at; null: the newest
let hint = null;
let connection = null;
const pending = new Pending((move, number) => connection.say("play", { move, number }));

// --- news ----------------------------------------------------------------------------------------

function news(message) {
  const before = history.length;
  const known = game.turn;
  if (message.about && !board) setUp(message.about);
  for (const [name, value] of Object.entries(message))
    if (!["moves", "thought", "hint", "refused", "about"].includes(name)) game[name] = value;
  if (message.clock) game.clock.heard = performance.now();
  if (message.moves) takeMoves(message.moves);
  if (message.thought) game.thoughts.set(message.thought.number, message.thought);
  if (message.hint) takeHint(message.hint);
  if (message.refused) refused(message.refused);
  if (message.you) playAgain();
  if (history.length !== before || known?.phase !== game.turn?.phase) announce(before);
  draw();
}

function setUp(about) {
  game.about = about;
  names = colourNames(about.colours);
  history = new History(about.stones);
  board = new Board(byId("board"), about.width, about.height, names, choose);
  board.aimed = (point) => say(`${point}: tap again to play there`);
  const title = about.title || `Go ${about.width}×${about.height}, ${names.length} colours`;
  byId("title").textContent = title;
  document.title = `${title} - manyminds`;
}

function takeMoves(moves) {
  history.take(moves);
  pending.heard(history.moves);
  for (const number of game.thoughts.keys()) if (number >= history.length) game.thoughts.delete(number);
  hint = null;
  board.aim = "";
  if (viewed !== null && viewed >= history.length) viewed = null;
}

function takeHint(found) {
  hint = found;
  switches.candidates = true;
  say(asWords(found, names));
}

function refused(text) {
  pending.forget();
  trouble(text);
  clearTimeout(game.forget);
  game.forget = setTimeout(() => trouble(""), REFUSAL_SHOWN);
}

function trouble(text) {
  byId("trouble").textContent = text;
  byId("trouble").hidden = !text;
}

// --- words ---------------------------------------------------------------------------------------

let said = "";

function say(text) {
  said = text;
  byId("status").textContent = text;
}

function told([seat, point, taken]) {
  if (!point) return `${names[seat]} has left and passes`;
  const what = point === "pass" ? "passes" : `plays ${point}`;
  return `${names[seat]} ${what}${taken.length ? `, takes ${taken.length}` : ""}`;
}

function announce(before) {
  const fresh = history.moves.slice(Math.max(before, history.length - names.length));
  const words = before < history.length ? fresh.filter((move) => move[1]).map(told) : [];
  say([...words, turnWords()].filter(Boolean).join(". "));
}

function turnWords() {
  const { phase, seat } = game.turn;
  if (phase === "over") return resultWords();
  if (phase === "counting") return "All have passed: mark dead stones, then agree";
  if (seat === game.you?.seat) return `Your turn, ${names[seat]}`;
  const thinks = game.seats?.seats[seat]?.player ? " thinks" : " to play";
  return `${names[seat]}${thinks}`;
}

function resultWords() {
  if (!game.result) return "The game is over";
  const who = game.result.winners.map((seat) => names[seat]);
  const list = who.length > 1 ? `${who.slice(0, -1).join(", ")} and ${who.at(-1)} share the win` : `${who[0]} wins`;
  const points = game.result.points.map((value, seat) => `${names[seat]} ${value}`).join(", ");
  return `${list}. Points: ${points}`;
}

// --- drawing -------------------------------------------------------------------------------------

function thoughtShown() {
  if (hint && viewed === null) return hint;
  if (viewed !== null) return game.thoughts.get(viewed - 1) ?? null;
  return [...game.thoughts.values()].at(-1) ?? null;
}

function draw() {
  if (!board || !game.turn || !game.seats) return;
  const number = viewed ?? history.length;
  const { stones, last } = history.at(number);
  const live = viewed === null;
  const counted = live && game.count;
  const thought = thoughtShown();
  const mine = live && game.turn.phase === "playing" && game.turn.seat === game.you?.seat;
  board.draw({
    stones,
    last,
    ko: live ? game.turn.ko : "",
    forbidden: live ? game.turn.forbidden : [],
    dead: counted ? new Set(game.count.dead) : null,
    whose: counted ? game.count.whose : "",
    owners: switches.owners && thought ? thought.owners : "",
    shares: thought?.shares,
    candidates: switches.candidates && thought ? thought.candidates.map(([move, values]) => [move, values[thought.seat]]) : [],
    mover: mine ? game.turn.seat + 1 : 0,
    made: mine && pending.move !== "pass" ? pending.move : "",
  });
  drawReplay(number);
  drawSeats(thought);
  drawActions();
  drawQuestion();
  showThoughts(byId("thoughts"), thought, names, switches, toggle, thought === hint);
  drawLinks();
}

function toggle(name) {
  switches[name] = !switches[name];
  draw();
}

function drawReplay(number) {
  const slider = byId("slider");
  slider.max = history.length;
  slider.value = number;
  slider.setAttribute("aria-valuetext", `${number} of ${history.length}`);
  byId("at").textContent = `${number} / ${history.length}`;
  byId("first").disabled = byId("back").disabled = number === 0;
  byId("forward").disabled = byId("now").disabled = number === history.length;
}

function drawSeats(thought) {
  show(byId("seats"), ...game.seats.seats.map((seat, number) => {
    const turn = game.turn.seat === number;
    const you = game.you?.seat === number;
    const points = game.count ? game.count.points[number] : null;
    return h(
      "li", { class: `seat ${turn ? "turn" : ""} ${seat.left ? "gone" : ""}` },
      badge(number + 1),
      h("span", { class: "who" },
        h("strong", {}, names[number]), " ",
        seat.name, seat.player ? h("code", {}, seat.player) : "", you ? h("em", {}, "you") : ""),
      h("span", { class: "state" }, stateWords(seat, number, turn)),
      h("span", { class: "numbers" }, `took ${seat.captures}`, points !== null ? `, ${points} points` : ""),
      game.clock && !seat.player ? h("span", { class: "clock", "data-seat": number }) : "",
    );
  }));
  drawClocks();
}

function stateWords(seat, number, turn) {
  if (seat.left) return seat.left;
  if (game.turn.phase === "counting" && !seat.player)
    return game.count?.agreed.includes(number) ? "agrees" : seat.online ? "has not agreed yet" : "offline";
  if (!seat.online) return "offline";
  if (!turn) return "";
  return seat.player ? "thinks" : "to play";
}

function drawClocks() {
  const clock = game.clock;
  if (!clock) return;
  for (const element of document.querySelectorAll(".clock")) {
    const seat = Number(element.dataset.seat);
    let left = clock.left[seat];
    if (clock.running === seat) left -= clock.ago + (performance.now() - clock.heard) / 1000;
    const overtime = left < 0 && clock.running === seat;
    if (overtime) left += game.about.clock[2];
    left = Math.max(0, left);
    const text = `${Math.floor(left / 60)}:${String(Math.floor(left % 60)).padStart(2, "0")}`;
    element.textContent = overtime ? `${text} overtime` : text;
    element.classList.toggle("low", left < 10 && clock.running === seat);
  }
}

function button(id, text, act, more = {}) {
  return h("button", { type: "button", id, onclick: act, ...more }, text);
}

function drawActions() {
  const { phase, seat } = game.turn;
  const you = game.you?.seat;
  const in_game = you !== null && you !== undefined && !game.seats.seats[you].left && phase !== "over";
  if (!in_game) {
    show(byId("actions"), viewed !== null && button("live", "Back to the game", () => view(null)));
    return;
  }
  const mine = phase === "playing" && seat === you;
  const undoable = history.moves.some((move) => move[0] === you && move[1]);
  show(
    byId("actions"),
    viewed !== null && button("live", "Back to the game", () => view(null)),
    phase === "playing" && button("pass", "Pass", () => play("pass"), { disabled: !mine }),
    phase === "counting" && button("agree", "Agree", agree, { disabled: game.count?.agreed.includes(you) }),
    phase === "counting" && button("play-on", "Play on", () => ask("play-on")),
    phase === "playing" && game.about.hints && button("hint", "Hint", askHint, { disabled: !mine }),
    button("undo", "Undo", () => ask("undo"), { disabled: !undoable || Boolean(game.question) }),
    button("resign", "Resign", () => byId("sure").showModal(), { class: "danger" }),
  );
}

function drawQuestion() {
  const question = game.question;
  const you = game.you?.seat;
  const holder = byId("question");
  holder.hidden = !question;
  if (!question) {
    holder.replaceChildren();
    return;
  }
  const asked = you !== null && !question.agreed.includes(you) && !game.seats.seats[you]?.left;
  show(
    holder,
    h("p", {}, `${names[question.by]} asks to go back to move ${question.number}.`),
    asked && h("div", { class: "actions" },
      button("yes", "Allow", () => ask("answer", { yes: true })),
      button("no", "Refuse", () => ask("answer", { yes: false }))),
    !asked && h("p", {}, "The others are asked."),
  );
}

function drawLinks() {
  const keys = remembered(id);
  const rows = Object.entries(keys)
    .filter(([seat]) => Number(seat) !== game.you?.seat)
    .map(([seat, key]) => linkRow(`For ${names[seat]}`, link(id, key)));
  const state = `${keys}${game.you?.seat}${game.watchers}`;
  const notes = game.thinking?.note ? h("p", { class: "trouble" }, `A program failed: ${game.thinking.note}`) : null;
  if (byId("links").dataset.state === state && !notes) return;
  byId("links").dataset.state = state;
  show(
    byId("links"),
    h("h2", { id: "links-title" }, "Links"),
    notes,
    rows.length ? h("p", {}, "Give each player their own link: who has it plays that seat.") : null,
    ...rows,
    linkRow("To watch", link(id, "")),
    h("p", {}, h("a", { href: `/table/${id}/game.sgf` }, "Save as SGF"), ` · ${game.watchers ?? 0} watching · `,
      h("a", { href: "/" }, "New game")),
  );
}

function linkRow(what, address) {
  const copied = h("button", { type: "button", "aria-label": `Copy the link: ${what}` }, "Copy");
  const field = h("input", { type: "text", readonly: true, value: address, "aria-label": what });
  copied.addEventListener("click", async () => {
    field.select();
    try {
      await navigator.clipboard.writeText(address);
      copied.textContent = "Copied";
    } catch {
      copied.textContent = "Press Ctrl+C";
    }
  });
  return h("div", { class: "link" }, h("span", {}, what), field, copied);
}

// --- acting --------------------------------------------------------------------------------------

function choose(point) {
  if (viewed !== null) return view(null);
  if (game.turn.phase === "counting") ask("mark", { point });
  else play(point);
}

function play(move) {
  if (game.you?.seat === null) return say("You are watching");
  if (game.turn.seat !== game.you?.seat) return say(turnWords());
  if (!pending.make(move, history.moves)) trouble(away());
  draw();
}

// The server says where we sit when a page has come (back): the move that it may not have heard is made again.
function playAgain() {
  const { phase, seat } = game.turn;
  const lost = pending.again(history.moves, phase === "playing" && seat === game.you.seat);
  if (lost) refused(`Your move, ${lost}, was not made: the game has changed`);
}

function away() {
  const more = pending.move ? `Your move, ${pending.move}, is sent when it is back.` : "";
  return `The connection is lost; trying again ... ${more}`;
}

// What cannot be sent again later: it was meant for what the page shows now.
function ask(word, more = {}) {
  const sent = connection.say(word, more);
  if (!sent) trouble(`Not sent: ${away()[0].toLowerCase()}${away().slice(1)}`);
  return sent;
}

function agree() {
  ask("agree", { dead: game.count.dead });
}

function askHint() {
  if (ask("hint")) say("Thinking about a hint ...");
}

function view(number) {
  viewed = number === null || number >= history.length ? null : Math.max(0, number);
  if (viewed !== null && viewed > 0 && !game.thoughts.has(viewed - 1)) connection.say("look", { number: viewed - 1 });
  const move = history.moves[(viewed ?? history.length) - 1];
  if (viewed !== null) say(`Move ${viewed} of ${history.length}${move ? `: ${told(move)}` : ""}`);
  else say(turnWords());
  draw();
}

function keys(event) {
  if (event.target.closest("input, dialog, .points")) return;
  const number = viewed ?? history.length;
  const to = { ArrowLeft: number - 1, ArrowRight: number + 1, Home: 0, End: null }[event.key];
  if (to !== undefined && !event.ctrlKey && !event.altKey && !event.metaKey) view(to);
}

function state(now) {
  if (now === "on" && document.body.classList.contains("offline")) trouble("");
  document.body.classList.toggle("offline", now !== "on");
  if (now === "off") trouble(away());
  else if (now !== "on") trouble(now);
}

themeButton(byId("theme"));
byId("first").addEventListener("click", () => view(0));
byId("back").addEventListener("click", () => view((viewed ?? history.length) - 1));
byId("forward").addEventListener("click", () => view((viewed ?? history.length) + 1));
byId("now").addEventListener("click", () => view(null));
byId("slider").addEventListener("input", (event) => view(Number(event.target.value)));
byId("sure-no").addEventListener("click", () => byId("sure").close());
byId("sure-yes").addEventListener("click", () => {
  byId("sure").close();
  ask("resign");
});
document.addEventListener("keydown", keys);
addEventListener("hashchange", () => location.reload());
setInterval(drawClocks, 250);
connection = new Connection(`/table/${id}/socket`, ownKey(), news, state);
