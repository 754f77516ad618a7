// The maze: its ways as one thick line, what is left to eat, who is where, what mates plan and say.

import { svg } from "./dom.js";
import { LETTERS, figure } from "./ghost.js";

const ROOM = 4; // steps round the maze

export class MazePicture {
  constructor(holder, maze) {
    this.maze = maze;
    this.left = [];
    const box = `${-ROOM} ${-ROOM} ${maze.width - 1 + 2 * ROOM} ${maze.height - 1 + 2 * ROOM}`;
    const d = maze.ways.map(([x, y, to, down]) => `M${x} ${y}L${to} ${down}`).join("");
    this.pills = maze.pills.map(([x, y]) => svg("circle", { cx: x, cy: y, r: 0.55, class: "pill" }));
    this.power = maze.power.map(([x, y]) => svg("circle", { cx: x, cy: y, r: 1.4, class: "pill" }));
    this.layer = svg("g");
    this.picture = svg("svg", { viewBox: box, class: "maze", role: "img", "aria-label": `Maze ${maze.name}` },
      svg("path", { d, class: "wall" }), svg("path", { d, class: "way" }), ...this.pills, ...this.power, this.layer);
    holder.replaceChildren(this.picture);
  }

  // plans: [[seat, ways]] to be drawn; talk: whether to draw who hears whom.
  draw(tick, plans, talk) {
    this.eat(this.pills, BigInt(`0x${tick.pills}`));
    this.eat(this.power, BigInt(tick.power));
    const places = tick.at.map((place, seat) => this.place(tick, place, seat));
    const parts = plans.flatMap(([seat, ways]) => this.plan(seat, ways));
    if (talk) parts.push(...(tick.links ?? []).flatMap((link) => this.link(places, link)));
    for (const seat of [1, 2, 3, 4, 0]) {
      const who = svg("g", { transform: `translate(${places[seat]})` }, figure(seat, tick.heading[seat], tick.edible[seat - 1] > 0));
      if (tick.lair[seat - 1]) who.classList.add("waiting");
      parts.push(who);
    }
    this.layer.replaceChildren(...parts);
  }

  // Who waits stands beside the lair's place, so that none hides another.
  place(tick, place, seat) {
    if (!seat || !tick.lair[seat - 1]) return place;
    const [x, y] = this.maze.lair;
    return [x + 6 * (seat - 2.5), y];
  }

  eat(things, left) {
    things.forEach((thing, number) => {
      const gone = !((left >> BigInt(number)) & 1n);
      if (thing.classList.contains("gone") !== gone) thing.classList.toggle("gone", gone);
    });
  }

  // One way: its stretches, and the letter of who goes it at the end.
  plan(seat, ways) {
    const parts = ways.map((corners) => svg("polyline", { points: corners.join(" "), class: `plan p${seat}` }));
    const end = ways.at(-1)?.slice(-2);
    if (end) parts.push(svg("text", { x: end[0], y: end[1] + 1.2, class: `plan-end p${seat}` }, LETTERS[seat]));
    return parts;
  }

  // A line from who spoke to who should hear, as wide as the share that passed; dashed with a cross for what was lost.
  link(places, [from, to, passed, lost]) {
    const [[x, y], [there, down]] = [places[from], places[to]];
    const side = from < to ? 0.7 : -0.7; // there and back beside each other
    const length = Math.hypot(there - x, down - y) || 1;
    const [over, under] = [(-side * (down - y)) / length, (side * (there - x)) / length];
    const line = { x1: x + over, y1: y + under, x2: there + over, y2: down + under };
    const parts = [];
    const width = (part) => 0.15 + (0.7 * part) / (passed + lost);
    if (passed) parts.push(svg("line", { ...line, class: "passed", "stroke-width": width(passed) }));
    if (lost) {
      parts.push(svg("line", { ...line, class: "lost", "stroke-width": width(lost) }));
      const [cx, cy] = [(line.x1 + line.x2) / 2, (line.y1 + line.y2) / 2];
      parts.push(svg("path", { d: `M${cx - 1} ${cy - 1}l2 2m0-2l-2 2`, class: "lost-mark" }));
    }
    return parts;
  }
}
