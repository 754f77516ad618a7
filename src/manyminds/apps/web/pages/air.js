// What mates talk over, as controls: rate, loss, bursts and delay.

import { h } from "./dom.js";

const RATES = [
  ["", "no limit"], ["256000", "256 kB a second"], ["64000", "64 kB a second"], ["16000", "16 kB a second"],
  ["4000", "4 kB a second"], ["1000", "1 kB a second"], ["250", "250 bytes a second"],
];

export class AirControls {
  // changed(): somebody has set something else.
  constructor(holder, air, changed = () => {}) {
    this.rate = h("select", { id: "rate", onchange: changed });
    this.loss = h("input", { type: "range", id: "loss", min: 0, max: 95, step: 5, onchange: changed, oninput: () => this.words() });
    this.said = h("output", { for: "loss" });
    this.burst = h("input", { type: "number", id: "burst", min: 1, max: 1000, step: 1, onchange: changed });
    this.delay = h("input", { type: "number", id: "delay", min: 0, max: 10000, step: 1, onchange: changed });
    holder.append(
      h("label", {}, "Rate of each ", this.rate),
      h("label", {}, "Lost ", this.loss, this.said),
      h("label", {}, "in bursts of ", this.burst),
      h("label", {}, "Delay, ms ", this.delay),
    );
    this.show(air);
  }

  show({ rate, loss, burst, delay_ms }) {
    const value = rate ? String(rate) : "";
    const known = RATES.some(([each]) => each === value) ? RATES : [...RATES, [value, `${value} bytes a second`]];
    this.rate.replaceChildren(...known.map(([each, text]) => h("option", { value: each, selected: each === value }, text)));
    this.loss.value = Math.round(100 * loss);
    this.burst.value = burst;
    this.delay.value = delay_ms;
    this.words();
  }

  words() {
    this.said.textContent = `${this.loss.value} %`;
  }

  get air() {
    const air = { loss: Number(this.loss.value) / 100, burst: Number(this.burst.value) || 1, delay_ms: Number(this.delay.value) || 0 };
    if (this.rate.value) air.rate = Number(this.rate.value);
    return air;
  }

  set disabled(value) {
    for (const control of [this.rate, this.loss, this.burst, this.delay]) control.disabled = value;
  }
}
