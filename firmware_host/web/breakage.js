// What can break at the simulated table: switches for each fault, what is broken now, and where on the board.

import { PITCH, SIZE, svg } from "./board.js";
import { t } from "./i18n.js";

// Each switch: the fault, and for a line which one a tap on the board names.
const GROUPS = {
  sensors: [["dead"], ["stuck"], ["noisy"], ["line", "row"], ["line", "column"]],
  board: [["weak"], ["field"], ["frames"], ["scanner"]],
  clock: [["face-near"], ["face-far"], ["buzzer"], ["power"], ["bus"], ["adapter"]],
};

export class Breakage {
  /** `send({do, kind, at})` breaks and mends; `arm(words, tap)` lets the next tap on the board name a place. */
  constructor({ switches, chips, count, board, send, arm }) {
    Object.assign(this, { switches, chips, count, board, send, arm });
    this.marks = svg("g", { class: "broken-marks" });
    board.over.before(this.marks);
    this.shown = "";
  }

  /** Shows `faults` `{kind, at}` of a table on which `breakable` can break. */
  show({ faults, breakable }) {
    const shown = JSON.stringify([faults, breakable, t("table.faults.help"), this.board.turned]);
    if (shown === this.shown) return;
    this.shown = shown;
    const on = new Set(faults.map((each) => each.kind));
    this.count.textContent = faults.length || "";
    this.switches.replaceChildren(...Object.entries(GROUPS).flatMap(([group, rows]) => {
      const possible = rows.filter(([kind]) => kind in breakable);
      if (!possible.length) return [];
      const heading = Object.assign(document.createElement("h2"), { textContent: t(`table.faults.${group}`) });
      const buttons = possible.map(([kind, line]) => this.button(kind, line, breakable[kind], on.has(kind)));
      const row = Object.assign(document.createElement("p"), { className: "switches" });
      row.append(...buttons);
      return [heading, row];
    }));
    this.chips.replaceChildren(...faults.map((each) => this.chip(each)), ...(faults.length > 1 ? [this.all()] : []));
    this.marks.replaceChildren(...faults.flatMap((each) => this.mark(each)));
  }

  button(kind, line, of, isOn) {
    const words = t(`table.fault.${line ?? kind}`);
    const element = Object.assign(document.createElement("button"), { type: "button", textContent: words });
    if (of === "table") element.setAttribute("aria-pressed", String(isOn));
    element.addEventListener("click", () => {
      if (of === "table") this.send({ do: isOn ? "mend" : "break", kind });
      else {
        const place = (point) => (line === "row" ? point.slice(1) : line ? point[0] : point);
        this.arm(t(`table.aim.${line ?? "sensor"}`), (point) => this.send({ do: "break", kind, at: place(point) }), element);
      }
    });
    return element;
  }

  chip({ kind, at }) {
    const item = document.createElement("li");
    const words = this.words(kind, at);
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: `${words} ✕` });
    button.setAttribute("aria-label", t("table.mend", { what: words }));
    button.title = t("table.mend", { what: words });
    button.addEventListener("click", () => this.send({ do: "mend", kind, ...(at && { at }) }));
    item.append(button);
    return item;
  }

  all() {
    const item = document.createElement("li");
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: t("table.mend.all") });
    button.addEventListener("click", () => this.send({ do: "mend-all" }));
    item.append(button);
    return item;
  }

  words(kind, at) {
    const line = kind === "line" && (/\d/.test(at) ? "row" : "column");
    return [t(`table.fault.${line || kind}`), at].filter(Boolean).join(" ");
  }

  /** What is drawn on the board for a fault: a cross on a sensor, a line, or what lies over the middle. */
  mark({ kind, at }) {
    if (kind === "field") {
      const { x, y } = this.drawn("H8");
      return [svg("rect", { class: "phone", x: x - 50, y: y - 80, width: 100, height: 160, rx: 13 })];
    }
    if (!at) return [];
    if (kind === "line") {
      const ends = /\d/.test(at) ? [`A${at}`, `O${at}`] : [`${at}1`, `${at}15`];
      const [from, to] = ends.map((name) => this.drawn(name));
      return [svg("path", { class: "fault line", d: `M${from.x} ${from.y}L${to.x} ${to.y}` })];
    }
    const { x, y } = this.drawn(at);
    return [svg("path", { class: "fault", d: "M-5-5L5 5M-5 5L5-5", transform: `translate(${x} ${y})` })];
  }

  /** Where a point is in the drawing, whose y goes down. */
  drawn(point) {
    const { x, y } = this.board.where(point);
    return { x, y: (SIZE - 1) * PITCH.y - y };
  }
}
