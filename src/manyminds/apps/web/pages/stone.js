// How colours look: a fill and a mark of its own shape each, so that nobody needs to see colours.

import { svg } from "./dom.js";

const STAR = "0,-.27 .07,-.09 .26,-.08 .11,.04 .16,.22 0,.12 -.16,.22 -.11,.04 -.26,-.08 -.07,-.09";

const MARKS = [
  () => svg("circle", { r: 0.13 }),
  () => svg("circle", { r: 0.2, class: "ring" }),
  () => svg("rect", { x: -0.17, y: -0.17, width: 0.34, height: 0.34 }),
  () => svg("polygon", { points: "0,-.24 .22,.16 -.22,.16" }),
  () => svg("polygon", { points: "0,-.26 .2,0 0,.26 -.2,0" }),
  () => svg("polygon", { points: STAR }),
];

// The mark alone, one unit wide, in the colour that stands out from its stone.
export function mark(colour) {
  return svg("g", { class: `mark m${colour}` }, MARKS[colour - 1]());
}

export function stone(colour, more = "") {
  return svg("g", { class: `stone c${colour} ${more}` }, svg("circle", { r: 0.46, class: "body" }), mark(colour));
}

// A small stone for lists.
export function badge(colour) {
  return svg("svg", { viewBox: "-.5 -.5 1 1", class: "badge", "aria-hidden": "true" }, stone(colour));
}
