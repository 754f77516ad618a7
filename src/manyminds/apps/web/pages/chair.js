// Who is to sit on one seat: a person, or a program put together from what the server offers.

import { capital, h } from "./dom.js";
import { badge } from "./stone.js";

const STRENGTHS = ["200", "1000", "5000", "20000", "500ms", "2s", "5s"];

export class Chair {
  // sitter: "me", "person" or a program's name. colours: names, for arguments that are seats.
  constructor(number, colour, programs, own, sitter, budget) {
    Object.assign(this, { number, programs, own, inputs: new Map() });
    const options = [
      ["me", "Me"], ["person", "Somebody else, by a link"],
      ...programs.map(({ name }) => [name, `Program: ${name}`]),
      ...own.map((name) => [`own ${name}`, `Program: ${name}`]),
    ];
    this.who = h("select", { "aria-label": `Who plays ${colour}`, onchange: () => this.changed() },
      ...options.map(([value, text]) => h("option", { value, selected: value === sitter }, text)));
    this.name = h("input", { type: "text", maxlength: 40, placeholder: "name", "aria-label": `Name of ${colour}` });
    this.budget = h("input", { type: "text", list: "strengths", value: budget, size: 8, "aria-label": `Budget of ${colour}` });
    this.strength = h("label", { class: "budget" }, "Budget ", this.budget);
    this.help = h("p", { class: "help" });
    this.more = h("details", { class: "arguments" });
    this.element = h("fieldset", { class: "chair" },
      h("legend", {}, badge(number + 1), ` ${capital(colour)}`),
      h("div", { class: "fields" }, this.who, this.name, this.strength), this.help, this.more);
    this.changed();
  }

  get program() {
    return this.programs.find(({ name }) => name === this.who.value);
  }

  changed() {
    const program = this.program;
    this.inputs.clear();
    this.strength.hidden = !program;
    this.help.textContent = program?.help ?? "";
    const fields = (program?.arguments ?? []).map((argument) => this.field(argument));
    this.more.hidden = !fields.length;
    this.more.replaceChildren(h("summary", {}, "Settings"), h("div", { class: "fields" }, ...fields));
  }

  field(argument) {
    const { name, form, choices, help, words } = argument;
    const start = argument.default === null ? "" : String(argument.default);
    let input;
    if (form === "flag") input = h("input", { type: "checkbox", checked: argument.default === true });
    else if (form === "choice")
      input = h("select", {}, h("option", { value: "" }, start || "as it is"), ...choices.map((word) => h("option", { value: word }, word)));
    else input = h("input", { type: "text", placeholder: form === "seats" ? "white, red" : start, size: 10 });
    this.inputs.set(argument, input);
    const parts = form === "flag" ? [input, ` ${name}`] : [`${name} `, input];
    return h("label", { title: words }, ...parts, h("small", {}, help || words));
  }

  // As it is typed: NAME(ARGUMENTS)@BUDGET; "" for a person.
  get player() {
    if (this.who.value.startsWith("own ")) return this.who.value.slice(4);
    if (!this.program) return "";
    const given = [];
    for (const [argument, input] of this.inputs) {
      const text = written(argument, input);
      if (text) given.push(`${argument.name}=${text}`);
    }
    const inside = given.length ? `(${given.join(", ")})` : "";
    return `${this.program.name}${inside}@${this.budget.value.trim() || "1000"}`;
  }

  get wish() {
    return { player: this.player, name: this.name.value.trim().slice(0, 40) };
  }
}

function written(argument, input) {
  if (argument.form === "flag") return input.checked === (argument.default === true) ? "" : String(input.checked);
  const value = input.value.trim();
  if (!value) return "";
  if (argument.form === "seats" || argument.form === "players") return `[${value.replace(/^\[|\]$/g, "")}]`;
  return /^[\w.+-]+$/.test(value) ? value : `"${value.replace(/["\\]/g, "")}"`;
}

export const strengths = () => h("datalist", { id: "strengths" }, ...STRENGTHS.map((value) => h("option", { value })));
