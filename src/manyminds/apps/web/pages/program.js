// A program put together from what the server offers: its name, its budget, its settings.

import { h } from "./dom.js";

const STRENGTHS = ["200", "1000", "5000", "20000", "500ms", "2s", "5s"];

export class Program {
  // programs: what the server offers. others: further choices before and behind them, as [value, text].
  constructor(label, programs, { chosen, budget, before = [], behind = [] }) {
    Object.assign(this, { programs, inputs: new Map() });
    const options = [...before, ...programs.map(({ name }) => [name, `Program: ${name}`]), ...behind];
    this.who = h("select", { "aria-label": label, onchange: () => this.changed() },
      ...options.map(([value, text]) => h("option", { value, selected: value === chosen }, text)));
    this.budget = h("input", { type: "text", list: "strengths", value: budget, size: 8, "aria-label": `Budget: ${label}` });
    this.strength = h("label", { class: "budget" }, "Budget ", this.budget);
    this.help = h("p", { class: "help" });
    this.more = h("details", { class: "arguments" });
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

  // As it is typed: NAME(ARGUMENTS)@BUDGET; "" where no program was chosen.
  get player() {
    if (!this.program) return "";
    const given = [];
    for (const [argument, input] of this.inputs) {
      const text = written(argument, input);
      if (text) given.push(`${argument.name}=${text}`);
    }
    const inside = given.length ? `(${given.join(", ")})` : "";
    return `${this.program.name}${inside}@${this.budget.value.trim() || "1000"}`;
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
