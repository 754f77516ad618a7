// Who is to sit on one seat: a person, or a program.

import { capital, h } from "./dom.js";
import { Program } from "./program.js";
import { badge } from "./stone.js";

export class Chair {
  // sitter: "me", "person" or a program's name.
  constructor(number, colour, programs, own, sitter, budget) {
    this.sitter = new Program(`Who plays ${colour}`, programs, {
      chosen: sitter, budget,
      before: [["me", "Me"], ["person", "Somebody else, by a link"]],
      behind: own.map((name) => [`own ${name}`, `Program: ${name}`]),
    });
    this.who = this.sitter.who;
    this.budget = this.sitter.budget;
    this.name = h("input", { type: "text", maxlength: 40, placeholder: "name", "aria-label": `Name of ${colour}` });
    this.element = h("fieldset", { class: "chair" },
      h("legend", {}, badge(number + 1), ` ${capital(colour)}`),
      h("div", { class: "fields" }, this.who, this.name, this.sitter.strength), this.sitter.help, this.sitter.more);
  }

  get player() {
    return this.who.value.startsWith("own ") ? this.who.value.slice(4) : this.sitter.player;
  }

  get wish() {
    return { player: this.player, name: this.name.value.trim().slice(0, 40) };
  }
}
