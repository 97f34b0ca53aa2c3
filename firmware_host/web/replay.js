// Looking back in a game while it goes on: where the viewer is, and which stones lie there.

import { pointMm } from "./board.js";
import { offerLetter } from "./words.js";

/** Which stones carry their numbers: `all`, `none`, or `last5` for the newest five; null for any other text. */
export function parseNumbers(text) {
  if (text === "all" || text === "none") return text;
  const n = /^last([1-9]\d{0,2})$/.exec(text ?? "")?.[1];
  return n && Number(n) <= 225 ? text : null;
}

/** The stones after `shown` moves, for `Board.show`; offers lie there as ghosts while the fifth is to be chosen. */
export function stonesAt(game, shown, numbers = "all") {
  const played = game.moves.slice(0, shown).filter((move) => move.point);
  const newest = played.at(-1);
  const numbered = { all: Infinity, none: 0 }[numbers] ?? Number(numbers.slice(4));
  const offers = offersAt(game, shown).filter((point) => !played.some((move) => move.point === point));
  const line = lineAt(game, shown);
  return [
    ...played.map((move) => ({
      ...pointMm(move.point),
      colour: move.colour,
      text: move.n > shown - numbered ? String(move.n) : "",
      last: move === newest && !line.length && !offers.length,
    })),
    ...offers.map((point, i) => ({ ...pointMm(point), colour: "black", text: offerLetter(i), offer: true })),
  ];
}

/** The five that ended the game, once its last stone lies there. */
export function lineAt(game, shown) {
  return shown >= game.moves.length ? (game.result?.line ?? []) : [];
}

/** The fifth stones that lay on offer before one of them became the move. */
function offersAt({ moves, offers, offered }, shown) {
  if (shown >= moves.length) return offers;
  return offered && shown === offered.n - 1 ? offered.points : [];
}

/** Where a viewer is in a game that goes on: `at` moves are shown, or all that come while it is null. */
export class Replay {
  /** `changed` runs after each step of the viewer. */
  constructor(changed, at = null) {
    this.changed = changed;
    this.at = at;
    this.game = null;
    this.seen = 0; // how many moves there were when the viewer left the newest
  }

  /** Takes the newest snapshot; of another game the newest is shown. */
  take(game) {
    if (this.game && this.game.id !== game.id) this.at = null;
    if (!this.game || this.at === null) this.seen = game.moves.length;
    this.game = game;
    if (this.at !== null && this.at >= game.moves.length) this.at = null;
  }

  get last() {
    return this.game?.moves.length ?? 0;
  }

  get live() {
    return this.at === null;
  }

  /** How many moves are shown. */
  get shown() {
    return this.at ?? this.last;
  }

  /** How many moves came while the viewer looked back. */
  get news() {
    return this.live ? 0 : Math.max(0, this.last - this.seen);
  }

  /** Shows the first `n` moves; all of them is live again. */
  go(n) {
    if (this.live) this.seen = this.last;
    const to = Math.max(0, Math.min(n, this.last));
    this.at = to < this.last ? to : null;
    this.changed();
  }

  step(by) {
    this.go(this.shown + by);
  }

  toLive() {
    this.at = null;
    this.changed();
  }
}

const SWIPE_PX = 36;
const KEYS = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };

/** Lets keys anywhere on the page and swipes over `board` step through the game. */
export function steer(replay, board) {
  addEventListener("keydown", (event) => {
    const busy = event.altKey || event.ctrlKey || event.metaKey || event.target.closest?.("input, select, dialog");
    const by = event.key === "Escape" ? Infinity : KEYS[event.key];
    if (busy || by === undefined) return;
    event.preventDefault();
    replay.step(by);
  });
  let from = null;
  board.addEventListener("pointerdown", (event) => {
    from = event.isPrimary && event.pointerType !== "mouse" ? event : null;
  });
  board.addEventListener("pointercancel", () => (from = null));
  board.addEventListener("pointerup", (event) => {
    if (!from || event.pointerId !== from.pointerId) return;
    const [dx, dy] = [event.clientX - from.clientX, event.clientY - from.clientY];
    from = null;
    if (Math.abs(dx) >= SWIPE_PX && Math.abs(dx) > 1.5 * Math.abs(dy)) replay.step(dx < 0 ? 1 : -1);
  });
}
