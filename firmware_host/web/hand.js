// A hand above the simulated board: what pointer and keyboard mean. It moves nothing itself; it calls
// `act({do, ...})`, and the stones follow when the table says that they have moved.

import { STONE_MM, parsePoint, pointName, stone, svg } from "./board.js";

const SIZE = 15;
const STILL_MM = 6; // a pointer that went less far than this has clicked
const ARROWS = { ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

export class Hand {
  /**
   * `stones()` gives those on the board, `{x, y}`; `next()` the colour of the next one; `act` does it. `calls`:
   * the call keys by seat.
   */
  constructor(board, { stones, next, act, calls }) {
    this.board = board;
    this.stones = stones;
    this.next = next;
    this.act = act;
    this.calls = calls;
    this.cursor = "H8";
    this.held = null;
    this.coming = new Set(); // points to which a hand is on its way with a stone
    this.ghosts = { black: ghost("black"), white: ghost("white") };
    this.hover = board.overlay(...Object.values(this.ghosts));
    this.trail = svg("path", { class: "trail" });
    this.drag = board.overlay(this.trail, svg("circle", { class: "held", r: STONE_MM / 2 + 0.8 }));
    this.cross = board.overlay(svg("path", { class: "cursor", d: "M-13-7v-6h6M13-7v-6h-6M-13 7v6h6M13 7v6h-6" }));
    const root = board.root;
    root.setAttribute("tabindex", "0");
    root.setAttribute("role", "application");
    root.addEventListener("pointerdown", (event) => this.down(event));
    root.addEventListener("pointermove", (event) => this.move(event));
    root.addEventListener("pointerup", (event) => this.up(event));
    root.addEventListener("pointercancel", () => this.letGo());
    root.addEventListener("pointerleave", () => this.hover.hide());
    root.addEventListener("keydown", (event) => this.key(event));
    root.addEventListener("focus", () => root.matches(":focus-visible") && this.showCursor());
    root.addEventListener("keyup", (event) => this.callKey(event)?.up());
    root.addEventListener("blur", () => {
      this.cross.hide();
      for (const key of Object.values(this.calls)) key.letGo();
    });
  }

  /** The stone under a place, or none. */
  stoneAt({ x, y }) {
    return this.stones().findLast((each) => Math.hypot(each.x - x, each.y - y) < STONE_MM / 2 + 1) ?? null;
  }

  down(event) {
    if (event.button !== 0) return;
    const from = this.board.place(event);
    this.held = { from, stone: this.stoneAt(from), moved: false };
    this.board.root.setPointerCapture(event.pointerId);
    this.hover.hide();
  }

  move(event) {
    const here = this.board.place(event);
    if (!this.held) {
      this.suggest(event.pointerType === "mouse" ? here : null);
      return;
    }
    const { from, stone: taken } = this.held;
    this.held.moved ||= Math.hypot(here.x - from.x, here.y - from.y) > STILL_MM;
    if (!taken || !this.held.moved) return;
    this.drag.put(here);
    this.drag.group.classList.toggle("off", !this.board.holds(here));
    this.trail.setAttribute("d", `M0 0L${taken.x - here.x} ${here.y - taken.y}`);
  }

  up(event) {
    if (!this.held) return;
    const here = this.board.place(event);
    const { stone: taken, moved } = this.held;
    this.letGo();
    const to = this.board.nearest(here);
    if (!moved) {
      if (!taken && to) this.place(to);
      return;
    }
    if (!taken) return;
    const from = this.board.nearest(taken);
    if (!this.board.holds(here)) this.act({ do: "lift", point: from });
    else if (to && to !== from) this.act({ do: "slide", from, to });
  }

  /** Puts a stone down once: a second click on the same point while the hand comes down is the same wish. */
  async place(point) {
    if (this.coming.has(point)) return;
    this.coming.add(point);
    try {
      await this.act({ do: "place", point, colour: this.next() });
    } finally {
      this.coming.delete(point);
    }
  }

  letGo() {
    this.held = null;
    this.drag.hide();
  }

  /** Shows where a stone would come down. */
  suggest(here) {
    const to = here && this.board.nearest(here);
    if (!to || this.stoneAt(here) || this.stoneAt(this.board.where(to))) {
      this.hover.hide();
      return;
    }
    const colour = this.next();
    for (const [name, shape] of Object.entries(this.ghosts)) {
      shape.setAttribute("visibility", name === colour ? "inherit" : "hidden");
    }
    this.hover.put(this.board.where(to));
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = ARROWS[event.key];
    if (step) {
      const turn = this.board.turned ? -1 : 1;
      const { col, row } = parsePoint(this.cursor);
      const to = [col + turn * step[0], row + turn * step[1]];
      if (to.every((n) => n >= 0 && n < SIZE)) {
        const from = this.cursor;
        this.cursor = pointName(...to);
        if (event.shiftKey) this.act({ do: "slide", from, to: this.cursor });
      }
    } else if (event.key === "Enter" || event.key === " ") {
      this.place(this.cursor);
    } else if (event.key === "Delete" || event.key === "Backspace") {
      this.act({ do: "lift", point: this.cursor });
    } else if (event.shiftKey && this.callKey(event)) {
      if (!event.repeat) this.callKey(event).down();
    } else if (event.key === "n" || event.key === "f") {
      this.act({ do: "press", key: event.key === "n" ? "near" : "far" });
    } else {
      return;
    }
    event.preventDefault();
    this.showCursor();
  }

  /** The call key that a letter stands for. */
  callKey(event) {
    return this.calls[{ n: "near", f: "far" }[event.key.toLowerCase()]];
  }

  showCursor() {
    this.cross.put(this.board.where(this.cursor));
    this.board.root.setAttribute("aria-description", this.cursor);
  }
}

function ghost(colour) {
  const shape = stone({ colour });
  shape.classList.add("ghost");
  return shape;
}
