// A four-digit seven-segment face, drawn from the memory of its chip: bits 0..6 of a digit are the segments
// a..g, bit 7 is the decimal point [HT16K33 4-digit backpack].

import { svg } from "./board.js";

// Each segment on a digit 20 wide and 36 high, slanted as on the real part.
const SEGMENTS = [
  "M3.4 1h13.2l-3 3.4h-7.2z", // a
  "M17.6 2.2v13.9l-1.6 1.3-1.9-1.7v-9.6z", // b
  "M17.6 33.8v-13.9l-1.6-1.3-1.9 1.7v9.6z", // c
  "M3.4 35h13.2l-3-3.4h-7.2z", // d
  "M2.4 33.8v-13.9l1.6-1.3 1.9 1.7v9.6z", // e
  "M2.4 2.2v13.9l1.6 1.3 1.9-1.7v-9.6z", // f
  "M4.6 18l1.9-1.7h7l1.9 1.7-1.9 1.7h-7z", // g
];
const LEFT = [0, 24, 56, 80];

export class Face {
  constructor(host, label) {
    this.root = svg("svg", { class: "face", viewBox: "-8 -7 124 50", role: "img", "aria-label": label });
    const slanted = svg("g", { transform: "skewX(-6) translate(3 0)" });
    this.digits = LEFT.map((x) => {
      const group = svg("g", { transform: `translate(${x} 0)` });
      const parts = SEGMENTS.map((d) => svg("path", { class: "segment", d }));
      parts.push(svg("circle", { class: "segment", cx: 21.4, cy: 34, r: 1.8 }));
      group.append(...parts);
      slanted.append(group);
      return parts;
    });
    this.colon = [11, 25].map((y) => svg("circle", { class: "segment", cx: 50, cy: y, r: 2.2 }));
    slanted.append(...this.colon);
    this.root.append(svg("rect", { class: "window", x: -8, y: -7, width: 124, height: 50, rx: 4 }), slanted);
    host.append(this.root);
  }

  /** Shows `{on, blink, brightness, digits, colon}` of a chip. */
  show({ on, blink, brightness, digits, colon }) {
    const light = (part, lit) => part.classList.toggle("lit", Boolean(on && lit));
    this.digits.forEach((parts, i) => parts.forEach((part, bit) => light(part, (digits[i] >> bit) & 1)));
    for (const part of this.colon) light(part, colon);
    this.root.style.setProperty("--glow", String(0.55 + (0.45 * brightness) / 15));
    this.root.dataset.blink = on && blink ? String(blink).replace(".", "-") : "";
  }
}
