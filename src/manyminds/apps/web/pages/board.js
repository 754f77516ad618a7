// The board: an SVG picture, and above it one button a point for pointers, keys and screen readers.

import { capital, h, svg } from "./dom.js";
import { mark, stone } from "./stone.js";

const COLUMNS = "ABCDEFGHJKLMNOPQRST";
const SMALL = 30; // pixels between points below which a finger needs a second tap
const STARS = { 9: [2, 4, 6], 13: [3, 6, 9], 19: [3, 9, 15] };

export class Board {
  // play(point) is called for every point that is chosen.
  constructor(holder, width, height, names, play) {
    Object.assign(this, { holder, width, height, names, play });
    this.aim = "";
    this.cursor = this.name(Math.floor(width / 2), Math.floor(height / 2));
    this.layer = svg("g");
    this.points = new Map();
    const box = `-1 -1 ${width + 1} ${height + 1}`;
    this.picture = svg("svg", { viewBox: box, class: "goban", "aria-hidden": "true" }, ...this.lines(), this.layer);
    this.grid = h("div", { class: "points", role: "grid", "aria-label": "Board" }, ...this.rows());
    this.grid.addEventListener("keydown", (event) => this.key(event));
    const frame = h("div", { class: "frame" }, this.picture, this.grid);
    frame.style.setProperty("--columns", width);
    frame.style.setProperty("--rows", height);
    holder.replaceChildren(frame);
  }

  name(x, y) {
    return `${COLUMNS[x]}${this.height - y}`;
  }

  // Column and row from the top of a point's name.
  place(name) {
    return [COLUMNS.indexOf(name[0]), this.height - Number(name.slice(1))];
  }

  all() {
    const names = [];
    for (let row = this.height - 1; row >= 0; row--)
      for (let x = 0; x < this.width; x++) names.push(this.name(x, row));
    return names; // from A1, row by row, as the server counts them
  }

  lines() {
    const [w, e] = [this.width - 1, this.height - 1];
    const parts = [svg("rect", { x: -1, y: -1, width: w + 2, height: e + 2, class: "wood" })];
    for (let x = 0; x <= w; x++) {
      parts.push(svg("line", { x1: x, x2: x, y1: 0, y2: e }));
      parts.push(this.label(x, -0.68, COLUMNS[x]), this.label(x, e + 0.72, COLUMNS[x]));
    }
    for (let y = 0; y <= e; y++) {
      parts.push(svg("line", { x1: 0, x2: w, y1: y, y2: y }));
      parts.push(this.label(-0.72, y, `${this.height - y}`), this.label(w + 0.72, y, `${this.height - y}`));
    }
    if (w === e)
      for (const x of STARS[this.width] ?? [])
        for (const y of STARS[this.width]) parts.push(svg("circle", { cx: x, cy: y, r: 0.09, class: "star" }));
    return parts;
  }

  label(x, y, text) {
    return svg("text", { x, y: y + 0.13, class: "label" }, text);
  }

  rows() {
    const rows = [];
    for (let y = 0; y < this.height; y++) {
      const row = h("div", { role: "row", class: "row" });
      for (let x = 0; x < this.width; x++) {
        const name = this.name(x, y);
        const button = h("button", {
          role: "gridcell", type: "button", tabindex: name === this.cursor ? 0 : -1, "data-point": name,
          onclick: (event) => this.choose(name, event),
          onfocus: () => this.move(name, false),
        });
        this.points.set(name, button);
        row.append(button);
      }
      rows.push(row);
    }
    return rows;
  }

  key(event) {
    const [x, y] = this.place(this.cursor);
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const ends = { Home: [0, y], End: [this.width - 1, y], PageUp: [x, 0], PageDown: [x, this.height - 1] };
    let [to, row] = ends[event.key] ?? [x, y];
    if (steps[event.key]) {
      to = Math.max(0, Math.min(this.width - 1, x + steps[event.key][0]));
      row = Math.max(0, Math.min(this.height - 1, y + steps[event.key][1]));
    } else if (!ends[event.key]) {
      return;
    }
    event.preventDefault();
    this.move(this.name(to, row), true);
  }

  move(name, focus) {
    this.points.get(this.cursor).tabIndex = -1;
    this.cursor = name;
    const button = this.points.get(name);
    button.tabIndex = 0;
    if (focus) button.focus();
  }

  // With a finger on a small board the first tap aims, and the second on the same point plays.
  choose(name, event) {
    const small = this.points.get(name).getBoundingClientRect().width < SMALL;
    if (event.pointerType === "touch" && small && this.aim !== name && this.ready) {
      this.aim = name;
      this.draw(this.shown);
      this.aimed?.(name);
      return;
    }
    this.aim = "";
    this.play(name);
  }

  // shown: {stones, last, ko, forbidden, dead, whose, owners, shares, candidates, mover, made}
  draw(shown) {
    this.shown = shown;
    this.ready = Boolean(shown.mover);
    const parts = [];
    if (shown.owners) parts.push(...this.owned(shown.owners, shown.shares));
    for (const [point, colour] of shown.stones) {
      parts.push(this.at(point, stone(colour, shown.dead?.has(point) ? "dead" : "")));
      if (shown.dead?.has(point)) parts.push(this.at(point, svg("path", { d: "M-.3-.3L.3.3M.3-.3L-.3.3", class: "cross" })));
    }
    if (shown.whose) parts.push(...this.owned(shown.whose, null, shown));
    if (shown.last) parts.push(this.at(shown.last, svg("path", { d: BRACKETS, class: "last" })));
    if (shown.ko) parts.push(this.at(shown.ko, svg("rect", { x: -0.22, y: -0.22, width: 0.44, height: 0.44, class: "ko" })));
    for (const [rank, [point, value]] of (shown.candidates ?? []).entries())
      if (point !== "pass" && !shown.stones.has(point)) parts.push(this.at(point, this.candidate(rank, value)));
    if (shown.made && !shown.stones.has(shown.made)) parts.push(this.at(shown.made, stone(shown.mover, "ghost")));
    if (this.aim && this.ready && !shown.stones.has(this.aim))
      parts.push(this.at(this.aim, stone(shown.mover, "ghost")), this.at(this.aim, svg("path", { d: BRACKETS, class: "last" })));
    this.layer.replaceChildren(...parts);
    this.describe(shown);
  }

  at(point, element) {
    const [x, y] = this.place(point);
    element.setAttribute("transform", `translate(${x} ${y})`);
    return element;
  }

  // Squares for who owns each point: their size is how likely it is; the mark is the colour's.
  owned(whose, shares, shown) {
    const parts = [];
    this.all().forEach((point, i) => {
      const colour = Number(whose[i]);
      const share = shares ? (Number(shares[i]) + 0.5) / 10 : 1;
      if (!colour || share < 0.25 || (shown && shown.stones.has(point) && !shown.dead?.has(point))) return;
      const size = shares ? 0.96 * share : 0.5;
      const square = svg("rect", { x: -size / 2, y: -size / 2, width: size, height: size, class: `area a${colour}` });
      const sign = svg("g", { transform: `scale(${Math.max(0.6, size)})` }, mark(colour));
      parts.push(this.at(point, svg("g", { class: shares ? "likely" : "sure" }, square, sign)));
    });
    return parts;
  }

  candidate(rank, value) {
    return svg(
      "g", { class: `candidate ${rank ? "" : "best"}` },
      svg("circle", { r: 0.44 }),
      svg("text", { y: 0.13 }, `${Math.round(100 * value)}`),
    );
  }

  describe(shown) {
    const candidates = new Map((shown.candidates ?? []).map(([point, value], rank) => [point, [rank, value]]));
    const forbidden = new Set(shown.forbidden ?? []);
    for (const [point, button] of this.points) {
      const colour = shown.stones.get(point);
      let text = `${point}, ${colour ? this.names[colour - 1] : "empty"}`;
      if (point === shown.last) text += ", last move";
      if (shown.dead?.has(point)) text += ", marked dead";
      if (point === shown.ko) text += ", ko";
      else if (forbidden.has(point)) text += ", not allowed";
      const found = candidates.get(point);
      if (found) text += `, candidate ${found[0] + 1}, ${Math.round(100 * found[1])} percent`;
      if (button.getAttribute("aria-label") !== text) button.setAttribute("aria-label", text);
      button.className = shown.mover && !colour && !forbidden.has(point) ? `free f${shown.mover}` : "";
    }
  }
}

const BRACKETS = "M-.5-.28V-.5H-.28M.28-.5H.5V-.28M.5.28V.5H.28M-.28.5H-.5V.28";

export const colourNames = (colours) => colours.map(({ name }) => capital(name));
