// How those on the hunt look: a colour and a letter each, so that nobody needs to see colours.

import { svg } from "./dom.js";

export const LETTERS = ["C", "B", "P", "I", "S"];
const BODY = "M-2.6 2.6V-.4A2.6 2.6 0 0 1 2.6-.4V2.6L1.73 1.7 .87 2.6 0 1.7-.87 2.6-1.73 1.7Z";
const MOUTH = "M0 0L2.4-1.5A2.83 2.83 0 1 0 2.4 1.5Z"; // open to the right
const TURNS = [-90, 0, 90, 180, 0];

// heading: 0 up, 1 right, 2 down, 3 left; edible: whether Pac-Man can eat it.
export function figure(seat, heading = 1, edible = false) {
  if (seat === 0) return svg("g", { class: "figure g0", transform: `rotate(${TURNS[heading] ?? 0})` }, svg("path", { d: MOUTH }));
  return svg("g", { class: `figure g${seat} ${edible ? "edible" : ""}` },
    svg("path", { d: BODY }), svg("text", { y: 1.25 }, LETTERS[seat]));
}

// The same, small, for lists.
export function face(seat) {
  return svg("svg", { viewBox: "-3 -3.2 6 6.2", class: "badge", "aria-hidden": "true" }, figure(seat));
}
