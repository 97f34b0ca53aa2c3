// The board as the sensors see it beside the board of the record: where they differ, drawn and in words, and
// the way back, one hand's work at a time.

import { PITCH, SIZE, STONE_MM, parsePoint, pointMm, pointName, svg } from "/web/board.js";
import { t } from "/web/i18n.js";
import { offerLetter } from "/web/words.js";

const HEIGHT = (SIZE - 1) * PITCH.y;
const SEEN = { X: "black", O: "white", "?": "unknown" };
const R = STONE_MM / 2;

/** What lies where by the sensors: a map of names of points to `black`, `white` or `unknown`. */
export function seenOf(sensed) {
  const seen = new Map();
  for (const [i, what] of [...(sensed ?? "")].entries()) {
    if (SEEN[what]) seen.set(pointName(i % SIZE, Math.floor(i / SIZE)), SEEN[what]);
  }
  return seen;
}

/** What a difference is: a stone is `missing`, one is `extra`, or one is of the other colour (`wrong`). */
export function kindOf({ record, seen }) {
  if (!seen) return "missing";
  return record ? "wrong" : "extra";
}

/** The stones to draw, by `view`: `both`, the `record` alone, or what the `sensors` see alone. */
export function stonesOf(game, view) {
  const seen = seenOf(game.sensed);
  const played = game.moves.filter((move) => move.point);
  if (view === "sensors") return [...seen].map(([point, colour]) => ({ ...pointMm(point), colour }));
  const differs = new Map(game.differences.map((each) => [each.point, each]));
  const masked = new Set(game.masked);
  const told = view === "both" && game.phase !== "over";
  const lacks = (point) => Boolean(game.sensed) && !masked.has(point) && !seen.has(point);
  const away = (point) => told && (differs.has(point) || lacks(point));
  const covered = new Set(told ? game.differences.filter((each) => each.seen).map((each) => each.point) : []);
  const known = new Set([...played.map((move) => move.point), ...game.offers, ...covered]);
  const offers = game.offers.map((point, i) => ({ point, text: offerLetter(i) }));
  const others = told ? [...seen].filter(([point]) => !known.has(point)) : [];
  return [
    ...played.filter((move) => !covered.has(move.point)).map((move) => ({
      ...pointMm(move.point), colour: move.colour, text: String(move.n), last: move === played.at(-1),
      offer: away(move.point),
    })),
    ...offers.filter(({ point }) => game.offers_left.includes(point) && !covered.has(point))
      .map((each) => ({ ...pointMm(each.point), colour: "black", text: each.text, offer: true })),
    ...others.map(([point, colour]) => ({ ...pointMm(point), colour })),
    ...(told ? game.differences.filter((each) => each.seen) : [])
      .map(({ point, seen: colour }) => ({ ...pointMm(point), colour })),
  ];
}

/** The signs on the board: a ring where a stone is missing, a cross on one too many, both colours, a mask. */
export class Signs {
  constructor(board) {
    this.board = board;
    this.group = svg("g", { class: "signs" });
    board.root.append(this.group);
  }

  /** Draws them for `game`; `step` is the hand's work that comes next. */
  show(game, step) {
    this.group.replaceChildren(
      ...game.masked.map((point) => this.put(point, ...sign("masked"))),
      ...game.differences.map((each) => this.put(each.point, ...sign(kindOf(each), each.record))),
      ...(step?.from && step.to && far(step.from, step.to) > 1.5 ? [this.arrow(step)] : []),
    );
  }

  put(point, ...children) {
    const { x, y } = this.board.where(point);
    return svg("g", { transform: `translate(${x} ${HEIGHT - y})` }, ...children);
  }

  arrow({ from, to }) {
    const [a, b] = [this.board.where(from), this.board.where(to)];
    const far = Math.hypot(b.x - a.x, b.y - a.y);
    const [dx, dy] = [(b.x - a.x) / far, (b.y - a.y) / far];
    const [x1, y1] = [a.x + dx * R * 0.5, HEIGHT - a.y - dy * R * 0.5];
    const [x2, y2] = [b.x - dx * R * 0.6, HEIGHT - b.y + dy * R * 0.6];
    const head = [2.6, -2.6].map((turn) => {
      const angle = Math.atan2(-dy, dx) + turn;
      return `M${x2} ${y2}l${7 * Math.cos(angle)} ${7 * Math.sin(angle)}`;
    });
    return svg("path", { class: "arrow", d: `M${x1} ${y1}L${x2} ${y2}${head.join("")}` });
  }
}

/** A sign on a piece of wood, to stand beside its words. */
export function signed(kind, record) {
  return svg("svg", { class: "signed", viewBox: "-15 -15 30 30", "aria-hidden": "true" },
    svg("rect", { class: "ground", x: -15, y: -15, width: 30, height: 30, rx: 4 }), ...sign(kind, record));
}

/** The drawing of a sign about the origin. */
function sign(kind, record = null) {
  if (kind === "missing") return [svg("circle", { class: "missing", r: R + 1.2 })];
  if (kind === "extra") return [svg("path", { class: "halo", d: "M-5 -5L5 5M5 -5L-5 5" }), svg("path", { class: "extra", d: "M-5 -5L5 5M5 -5L-5 5" })];
  if (kind === "wrong") {
    return [svg("circle", { class: "wrong", r: R + 0.6 }), svg("circle", { class: `should ${record}`, cx: 8, cy: -8, r: 4.6 })];
  }
  return [svg("path", { class: "masked", d: "M-9 -9h18v18h-18zM-9 0L0 -9M-9 9L9 -9M0 9L9 0" })];
}

const far = (a, b) => {
  const [p, q] = [parsePoint(a), parsePoint(b)];
  return Math.hypot(p.col - q.col, p.row - q.row);
};

/** The way from the board to the record: what is too much goes first, then what is elsewhere, then what lacks. */
export function stepsOf(differences) {
  const settled = differences.filter((each) => !each.whose);
  const takes = settled.filter((each) => each.seen).map(({ point, seen }) => ({ point, colour: seen }));
  const moves = [];
  const puts = [];
  for (const { point: to, record: colour } of settled.filter((each) => each.record)) {
    const fits = takes.filter((each) => each.point !== to && (each.colour === colour || each.colour === "unknown"));
    const nearest = fits.sort((a, b) => far(a.point, to) - far(b.point, to))[0];
    if (nearest) {
      takes.splice(takes.indexOf(nearest), 1);
      moves.push({ from: nearest.point, to, colour });
    } else puts.push({ to, colour });
  }
  return [...takes.map(({ point, colour }) => ({ from: point, colour })), ...moves, ...puts];
}

const pointsOf = ({ from, to }) => [from, to].filter(Boolean);

/** The steps that lead back to the record, ticked off as the sensors see them done. */
export class Guide {
  constructor() {
    this.steps = [];
  }

  /** Takes the differences of a snapshot; `on`: whether the board is still to be put right. */
  take(differences, on) {
    const open = new Map(differences.filter((each) => !each.whose).map((each) => [each.point, each]));
    if (!open.size && !on) this.steps = [];
    const left = this.steps.filter((step) => !step.done);
    const covered = new Set(left.flatMap(pointsOf));
    for (const step of left) step.done = !pointsOf(step).some((point) => open.has(point));
    if ([...open.keys()].some((point) => !covered.has(point))) {
      const fresh = stepsOf(differences);
      const again = new Set(fresh.flatMap(pointsOf));
      const done = this.steps.filter((step) => step.done && !pointsOf(step).some((point) => again.has(point)));
      this.steps = [...done, ...fresh];
    }
    for (const step of this.steps.filter((each) => !each.done)) {
      step.differs = pointsOf(step).map((point) => open.get(point)).filter(Boolean);
    }
    return this.steps;
  }

  /** The step that comes next. */
  get next() {
    return this.steps.find((step) => !step.done);
  }
}

/** What a hand does in a step, in words. */
export function stepWords({ from, to, colour }) {
  const key = from && to ? "move" : from ? "take" : "put";
  return t(`guide.${key}.${colour}`, { from, to });
}

/** `H8: Black in the record, nothing on the board`. */
export function differenceText({ point, record, seen }) {
  const name = (colour) => (colour ? t(colour) : t("arbiter.empty"));
  return t("arbiter.differs", { point, record: name(record), seen: name(seen) });
}
