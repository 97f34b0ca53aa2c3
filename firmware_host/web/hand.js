// A hand above the simulated board: what pointer and keyboard mean. It moves nothing itself; it calls
// `act({do, ...})`, and the stones follow when the table says that they have moved.

import { STONE_MM, parsePoint, pointName, stone, svg } from "./board.js";

const SIZE = 15;
const STILL_MM = 6; // a pointer that went less far than this has tapped
const TWICE_MS = 500; // a second tap so soon after the first is the same wish
const SEEN_MS = 1000; // by then the table has said what lies there
const OVER_MM = 8; // a stone that is pushed this near to a point has been on it
const SPEED = { least: 120, most: 800 }; // mm/s of a push; slower ones are not waited for again
const ARROWS = { ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

export class Hand {
  /**
   * `stones()` gives those on the board, `{x, y}`; `next()` the colour of the next one; `act` does it and gives
   * whether it could. `calls`: the call keys by seat. `menu`: what can be done with a stone.
   */
  constructor(board, { stones, next, act, calls, menu }) {
    this.board = board;
    this.stones = stones;
    this.next = next;
    this.act = act;
    this.calls = calls;
    this.menu = menu;
    this.cursor = "H8";
    this.held = null;
    this.armed = null;
    this.coming = new Map(); // points to which a hand is on its way with a stone, and who waits to see it there
    this.laid = {}; // the point of the newest tap that put a stone down, and its instant
    this.ghosts = { black: ghost("black"), white: ghost("white") };
    this.hover = board.overlay(...Object.values(this.ghosts));
    this.trail = svg("path", { class: "trail" });
    this.drag = board.overlay(this.trail, svg("circle", { class: "held", r: STONE_MM / 2 + 0.8 }));
    this.sleeve = svg("path", { class: "sleeve" });
    this.swept = board.overlay(this.sleeve);
    this.cross = board.overlay(svg("path", { class: "cursor", d: "M-13-7v-6h6M13-7v-6h-6M-13 7v6h6M13 7v6h-6" }));
    const root = board.root;
    root.setAttribute("tabindex", "0");
    root.setAttribute("role", "application");
    root.addEventListener("pointerdown", (event) => this.down(event));
    root.addEventListener("mousedown", (event) => {
      if (this.menu.isOpen) event.preventDefault(); // a finger's late mouse would take the focus from the menu
    });
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

  /**
   * What the next tap means, once, instead of putting a stone down: `tap(point)`; with `drags` a way from one
   * point to another, `tap(from, to)`. null: nothing special.
   */
  arm(armed) {
    this.armed = armed;
    this.hover.hide();
    this.board.root.classList.toggle("aiming", Boolean(armed));
  }

  /** The stone under a place, or none. */
  stoneAt({ x, y }) {
    return this.stones().findLast((each) => Math.hypot(each.x - x, each.y - y) < STONE_MM / 2 + 1) ?? null;
  }

  down(event) {
    if (event.button !== 0 || this.held) return;
    if (this.menu.isOpen) {
      this.menu.close();
      return; // a tap beside the menu takes it away, and means no more
    }
    const from = this.board.place(event);
    const taken = this.armed ? null : this.stoneAt(from);
    this.held = { from, stone: taken, moved: false, via: [], far: 0, since: event.timeStamp, last: from };
    this.board.root.setPointerCapture(event.pointerId);
    this.hover.hide();
  }

  move(event) {
    const here = this.board.place(event);
    if (!this.held) {
      this.suggest(event.pointerType === "mouse" ? here : null);
      return;
    }
    const { from, stone: taken, via, last } = this.held;
    this.held.moved ||= Math.hypot(here.x - from.x, here.y - from.y) > STILL_MM;
    this.held.far += Math.hypot(here.x - last.x, here.y - last.y);
    this.held.last = here;
    if (this.armed?.drags && this.held.moved) {
      this.sleeve.setAttribute("d", `M${from.x - here.x} ${here.y - from.y}L0 0`);
      this.swept.put(here);
    }
    if (!taken || !this.held.moved) return;
    const over = this.board.nearest(here);
    const { x, y } = over ? this.board.where(over) : here;
    if (over && via.at(-1) !== over && Math.hypot(here.x - x, here.y - y) < OVER_MM) via.push(over);
    this.drag.put(here);
    this.drag.group.classList.toggle("off", !this.board.holds(here));
    this.trail.setAttribute("d", `M0 0L${taken.x - here.x} ${here.y - taken.y}`);
  }

  up(event) {
    if (!this.held) return;
    const here = this.board.place(event);
    const { from, stone: taken, moved, via, far, since } = this.held;
    this.letGo();
    const to = this.board.nearest(here);
    if (this.armed) {
      const start = moved && this.armed.drags ? this.board.nearest(from) : to;
      if (start && to) this.aim(start, to);
      return;
    }
    if (!moved) {
      const twice = this.laid.point === to && since - this.laid.since < TWICE_MS;
      if (twice) return;
      if (taken) this.menu.open(this.board.nearest(taken), taken);
      else if (to) {
        this.laid = { point: to, since };
        this.place(to);
      }
      return;
    }
    if (!taken) return;
    const start = this.board.nearest(taken);
    if (!this.board.holds(here)) this.act({ do: "lift", point: start });
    else if (to === start && !via.some((point) => point !== start)) this.act({ do: "nudge", point: start });
    else if (to) {
      const speed = Math.round(Math.min(SPEED.most, Math.max(SPEED.least, (far * 1000) / (event.timeStamp - since + 1))));
      const between = via.filter((point, i) => !(i === 0 && point === start) && !(i === via.length - 1 && point === to));
      this.act({ do: "slide", from: start, to, speed, ...(between.length && { via: between.join(" ") }) });
    }
  }

  /** Does what was waited for, once. */
  aim(from, to) {
    const { tap } = this.armed;
    this.armed.done();
    tap(from, to);
  }

  /** Puts a stone down once: a second tap on the same point while the hand comes down is the same wish. */
  async place(point) {
    if (this.coming.has(point) || this.stoneAt(this.board.where(point))) return;
    this.coming.set(point, null);
    const done = await this.act({ do: "place", point, colour: this.next() });
    if (done && !this.stoneAt(this.board.where(point))) {
      await new Promise((seen) => {
        this.coming.set(point, seen);
        setTimeout(seen, SEEN_MS);
      });
    }
    this.coming.delete(point);
  }

  /** The table has said anew what lies on it. */
  seen() {
    for (const seen of this.coming.values()) seen?.();
  }

  letGo() {
    this.held = null;
    this.drag.hide();
    this.swept.hide();
  }

  /** Shows where a stone would come down. */
  suggest(here) {
    const to = here && this.board.nearest(here);
    if (!to || this.armed || this.stoneAt(here) || this.stoneAt(this.board.where(to))) {
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
    const plain = !event.shiftKey && event.key.toLowerCase();
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
      const there = this.stoneAt(this.board.where(this.cursor));
      if (this.armed) this.aim(this.cursor, this.cursor);
      else if (there) this.menu.open(this.cursor, there);
      else this.place(this.cursor);
    } else if (event.key === "Escape") {
      this.armed?.done();
    } else if (event.key === "Delete" || event.key === "Backspace") {
      this.act({ do: "lift", point: this.cursor });
    } else if (event.shiftKey && this.callKey(event)) {
      if (!event.repeat) this.callKey(event).down();
    } else if (plain === "n" || plain === "f") {
      this.act({ do: "press", key: plain === "n" ? "near" : "far" });
    } else if (plain === "a") {
      this.act({ do: "press", key: "arbiter" });
    } else if (plain === "s") {
      this.act({ do: "adjust", point: this.cursor });
    } else if (plain === "d") {
      this.act({ do: "drop", point: this.cursor, colour: this.next() });
    } else if (plain === "k") {
      this.act({ do: "sweep", from: this.cursor, to: this.cursor });
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
