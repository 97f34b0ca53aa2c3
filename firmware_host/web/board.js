// The one drawing of the board, used by every page. Lengths are millimetres of the real thing: 24 mm between
// the vertical lines and 25 mm between the horizontal ones, A1 at the lower left [competition rules 1.1].

const SVG = "http://www.w3.org/2000/svg";
const LETTERS = "ABCDEFGHIJKLMNO";

export const SIZE = 15;
export const PITCH = { x: 24, y: 25 };
export const STONE_MM = 22.4;

const WIDTH = (SIZE - 1) * PITCH.x;
const HEIGHT = (SIZE - 1) * PITCH.y;
const MARGIN = { x: 25, y: 26 };
const EDGE = 6; // the front edge of the wood that a viewer sees
const AIR = 7; // room for the board's shadow
const STARS = ["D4", "D12", "L12", "L4", "H8"];

/** Column and row from 0 of a name such as `H8`. */
export function parsePoint(name) {
  return { col: LETTERS.indexOf(name[0]), row: Number(name.slice(1)) - 1 };
}

/** The name of a column and row from 0. */
export function pointName(col, row) {
  return LETTERS[col] + (row + 1);
}

/** Where a point lies: millimetres from A1, x to the right, y away from Black. */
export function pointMm(name) {
  const { col, row } = parsePoint(name);
  return { x: col * PITCH.x, y: row * PITCH.y };
}

/** An SVG element with attributes and children. */
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

export class Board {
  /**
   * Draws an empty board into `host`. `turned` puts A1 at the upper right, for a viewer who sits
   * opposite; the stones stay where their millimetres say.
   */
  constructor(host, label = "") {
    this.root = svg("svg", {
      class: "board",
      role: "img",
      "aria-label": label,
      viewBox: [
        -MARGIN.x - AIR, -MARGIN.y - AIR / 2,
        WIDTH + 2 * (MARGIN.x + AIR), HEIGHT + 2 * MARGIN.y + EDGE + 2 * AIR,
      ].join(" "),
    });
    this.labels = svg("g", { class: "coordinates" });
    this.under = svg("g");
    this.stones = svg("g");
    this.over = svg("g");
    this.root.append(
      definitions(), wood(), lines(), this.labels, this.under, this.stones, this.over,
    );
    this.label(false);
    host.append(this.root);
  }

  /** Writes the coordinates, for `turned` with A1 at the upper right. */
  label(turned) {
    if (this.turned === turned) return;
    this.turned = turned;
    this.labels.replaceChildren();
    for (let i = 0; i < SIZE; i++) {
      const at = turned ? SIZE - 1 - i : i;
      const x = at * PITCH.x;
      const y = HEIGHT - at * PITCH.y;
      this.labels.append(
        text(x, HEIGHT + 19, LETTERS[i]),
        text(-18, y, String(i + 1)),
      );
    }
  }

  /**
   * Shows stones `{x, y, colour, text?, offer?, last?, arrives?, height?}` (millimetres from the lower left
   * intersection, and above the wood; one that `arrives` is put down before the viewer's eyes), `line` as the
   * stones of a five (names), and `marks`, names of points to be pointed at.
   */
  show({ stones, line = [], marks = [] }) {
    while (this.stones.childElementCount > stones.length) this.stones.lastChild.remove();
    stones.forEach((given, i) => {
      const key = `${given.colour}|${given.text ?? ""}|${given.offer ? 1 : 0}|${given.last ? 1 : 0}`;
      let node = this.stones.children[i];
      if (!node || node.dataset.key !== key) {
        const fresh = stone(given);
        fresh.dataset.key = key;
        if (node) node.replaceWith(fresh);
        else this.stones.append(fresh);
        node = fresh;
      }
      const height = given.height ?? 0;
      const nearer = height > 1 ? ` scale(${1 + height / 500})` : "";
      node.setAttribute("transform", `translate(${given.x} ${HEIGHT - given.y})${nearer}`);
      node.firstChild.setAttribute("transform", `translate(${height * 0.22} ${height * 0.4})`);
    });
    this.over.replaceChildren(
      ...(line.length > 1 ? [capsule(line)] : []),
      ...marks.map((name) => {
        const { x, y } = this.where(name);
        const beside = stones.some((each) => Math.hypot(each.x - x, each.y - y) < STONE_MM / 2) ? 8.5 : 0;
        return svg("circle", { class: "mark", cx: x + beside, cy: HEIGHT - y - beside, r: 4.2 });
      }),
    );
  }

  /** The place under a pointer event, millimetres from the lower left intersection. */
  place(event) {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.root.getScreenCTM().inverse());
    return { x: at.x, y: HEIGHT - at.y };
  }

  /** Where a place is on the screen, and how far a stone there reaches; in its pixels. */
  onScreen({ x, y }) {
    const matrix = this.root.getScreenCTM();
    const at = new DOMPoint(x, HEIGHT - y).matrixTransform(matrix);
    return { x: at.x, y: at.y, size: matrix.a * STONE_MM * 0.75 };
  }

  /** Whether a place is above the wood. */
  holds({ x, y }) {
    return x > -MARGIN.x && x < WIDTH + MARGIN.x && y > -MARGIN.y && y < HEIGHT + MARGIN.y;
  }

  /** The name of the intersection nearest to a place, null when none is within half a pitch. */
  nearest({ x, y }) {
    const col = Math.round(x / PITCH.x);
    const row = Math.round(y / PITCH.y);
    if (col < 0 || row < 0 || col >= SIZE || row >= SIZE) return null;
    return this.turned ? pointName(SIZE - 1 - col, SIZE - 1 - row) : pointName(col, row);
  }

  /** Where the intersection of a name lies as it is drawn, millimetres from the lower left one. */
  where(name) {
    const { x, y } = pointMm(name);
    return this.turned ? { x: WIDTH - x, y: HEIGHT - y } : { x, y };
  }

  /** A group above the stones at a place, moved there with `put`. */
  overlay(...children) {
    const group = svg("g", { class: "overlay", visibility: "hidden" }, ...children);
    this.root.append(group);
    return {
      group,
      put: ({ x, y }) => {
        group.setAttribute("transform", `translate(${x} ${HEIGHT - y})`);
        group.setAttribute("visibility", "visible");
      },
      hide: () => group.setAttribute("visibility", "hidden"),
    };
  }
}

/** One stone about the origin. */
export function stone({ colour, text: label, offer = false, last = false, arrives = false }) {
  const r = STONE_MM / 2;
  const group = svg("g", { class: `stone ${colour}${offer ? " offer" : ""}${arrives ? " arrives" : ""}` });
  group.append(svg("circle", { class: "shadow", cx: 1, cy: 2.1, r: r + 1.9, fill: "url(#stone-shadow)" }));
  group.append(svg("circle", { class: "body", r, fill: `url(#stone-${colour})` }));
  if (last) group.append(svg("circle", { class: "last", r: r - 1.15 }));
  if (label) {
    const size = { 1: 13, 2: 12 }[label.length] ?? 9.4;
    group.append(text(0, 0, label, { "font-size": size, class: "number" }));
  }
  return group;
}

function text(x, y, content, attributes = {}) {
  const element = svg("text", { x, y, dy: "0.36em", ...attributes });
  element.textContent = content;
  return element;
}

/** A line around the stones of a five. */
function capsule(names) {
  const ends = names.map(pointMm).sort((a, b) => a.x - b.x || a.y - b.y);
  const [from, to] = [ends[0], ends[ends.length - 1]];
  const r = STONE_MM / 2 + 0.9;
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const angle = (-Math.atan2(to.y - from.y, to.x - from.x) * 180) / Math.PI;
  return svg("rect", {
    class: "five", x: -r, y: -r, width: length + 2 * r, height: 2 * r, rx: r,
    transform: `translate(${from.x} ${HEIGHT - from.y}) rotate(${angle})`,
  });
}

function wood() {
  const [x, y] = [-MARGIN.x, -MARGIN.y];
  const [width, height] = [WIDTH + 2 * MARGIN.x, HEIGHT + 2 * MARGIN.y];
  const grain = svg("g", { class: "grain", "clip-path": "url(#wood-face)" });
  for (let i = 0; i < 46; i++) {
    // Edge grain: long, almost straight lines that are neither evenly spaced nor equally dark.
    const at = x + ((i + 0.5 + 0.42 * Math.sin(i * 2.4)) * width) / 46;
    const bend = 2.2 * Math.sin(i * 1.7 + 0.6);
    grain.append(svg("path", {
      d: `M${at} ${y} c${bend} ${height / 3} ${-bend} ${(height * 2) / 3} ${bend / 2} ${height}`,
      "stroke-width": (0.5 + 0.9 * Math.abs(Math.sin(i * 3.1))).toFixed(2),
      opacity: (0.08 + 0.18 * Math.abs(Math.sin(i * 1.3 + 1))).toFixed(2),
    }));
  }
  // The shadow is a pile of faint sheets: a blur would be worked out anew for every stone that moves.
  const shadow = svg("g");
  for (let i = 0; i < 7; i++) {
    const by = i - 2.6;
    shadow.append(svg("rect", { x: x - by, y: y + EDGE + 2 - by, width: width + 2 * by, height: height + 2 * by,
      rx: 3 + Math.max(0, by), opacity: 0.07 }));
  }
  return svg("g", {},
    shadow,
    svg("rect", { x, y: y + EDGE, width, height, rx: 2.6, class: "edge" }),
    svg("rect", { x, y, width, height, rx: 2.2, fill: "url(#wood)" }),
    grain,
    svg("rect", { x: x + 0.4, y: y + 0.4, width: width - 0.8, height: height - 0.8, rx: 2, class: "rim" }),
  );
}

function lines() {
  const group = svg("g", { class: "lines" });
  let inner = "";
  for (let i = 1; i < SIZE - 1; i++) {
    inner += `M${i * PITCH.x} 0v${HEIGHT}M0 ${i * PITCH.y}h${WIDTH}`;
  }
  group.append(
    svg("path", { d: inner, "stroke-width": 0.62 }),
    svg("rect", { width: WIDTH, height: HEIGHT, "stroke-width": 1.25 }),
  );
  for (const name of STARS) {
    const { x, y } = pointMm(name);
    group.append(svg("circle", { cx: x, cy: HEIGHT - y, r: 2.3 }));
  }
  return group;
}

function definitions() {
  const gradient = (id, at, ...stops) =>
    svg("radialGradient", { id, ...at },
      ...stops.map(([offset, colour, opacity = 1]) =>
        svg("stop", { offset, "stop-color": colour, "stop-opacity": opacity })));
  const face = svg("clipPath", { id: "wood-face" },
    svg("rect", { x: -MARGIN.x, y: -MARGIN.y, width: WIDTH + 2 * MARGIN.x, height: HEIGHT + 2 * MARGIN.y, rx: 2.2 }));
  const light = svg("linearGradient", { id: "wood", x1: 0, y1: 0, x2: 0.35, y2: 1 },
    svg("stop", { offset: 0, class: "wood-light" }),
    svg("stop", { offset: 1, class: "wood-dark" }));
  return svg("defs", {},
    gradient("stone-black", { cx: "37%", cy: "30%", r: "74%" },
      [0, "#6f7376"], [0.34, "#36393c"], [0.75, "#17191b"], [1, "#0b0c0d"]),
    gradient("stone-white", { cx: "38%", cy: "32%", r: "74%" },
      [0, "#ffffff"], [0.55, "#f6f4ef"], [0.86, "#ddd8cd"], [1, "#c6c0b3"]),
    gradient("stone-unknown", { cx: "38%", cy: "32%", r: "74%" },
      [0, "#b9b9b6"], [0.55, "#9a9a97"], [0.86, "#82827f"], [1, "#70706d"]),
    gradient("stone-shadow", {}, [0.6, "#241300", 0.55], [0.82, "#241300", 0.3], [1, "#241300", 0]),
    light, face);
}
