// The arbiter's forms: every command that is not an answer to what the board itself has told, one row a button.
// A button is there only while the phase allows its command; what it will write is its title.

import { has, t } from "/web/i18n.js";

/**
 * A button: `key` names its words (`order.KEY`, `writes.KEY`), `order` is the command, `uses` the fields of its
 * group that it takes, with `!` those that it needs. `ends`: it may end the game; `when`: a further condition;
 * `sign`: what a time is multiplied by.
 */
const control = (key, order, uses = [], more = {}) => ({ key, order, uses, ...more });

/** What a player says or does away from the board. */
const says = (side) => [
  control("pass", { do: "pass", side }, [], {
    when: (game) => game.to_move === side,
    ends: (game) => game.moves.length > 0 && game.moves.at(-1).point === null && !game.moves.at(-1).missing,
  }),
  control("draw.offer", { do: "draw", side, answer: "offer" }, [], { when: (game) => !game.draw_offer }),
  control("draw.accept", { do: "draw", side, answer: "accept" }, [], { when: (game) => offered(game, side), ends: true }),
  control("draw.refuse", { do: "draw", side, answer: "refuse" }, [], { when: (game) => offered(game, side) }),
  control("call", { do: "call", side }),
  control("arrive", { do: "arrive", side }, [], { when: (game) => game.absent.includes(side) }),
  control("resign", { do: "resign", side }, [], { ends: true }),
  control("left", { do: "left", side }, [], { ends: true }),
];
const offered = (game, side) => game.draw_offer !== null && game.draw_offer !== side;
const timed = (game) => game.settings.time !== "none";

const moved = (decision, ends) =>
  control(`moved.${decision}`, { do: "moved", decision }, [decision === "loss" ? "side!" : "side", "kind", "reason"], { ends });
const scored = (name, black, white) =>
  control(`result.${name}`, { do: "result", black, white }, ["reason"], { ends: true });

const GROUPS = [
  {
    name: "claim",
    fields: ["side", "code", "point"],
    rows: [[control("claim", { do: "claim" }, ["side!", "code!", "point"])]],
  },
  { name: "players", fields: [], rows: [says("black"), says("white")], labels: ["black", "white"] },
  {
    name: "moved",
    fields: ["kind", "side", "reason"],
    rows: [[moved("back"), moved("stands"), moved("draw", true), moved("replay", true), moved("loss", true)]],
  },
  {
    name: "hand",
    fields: ["point"],
    rows: [[
      control("place.black", { do: "place", colour: "black" }, ["point!"]),
      control("place.white", { do: "place", colour: "white" }, ["point!"]),
      control("remove", { do: "remove" }, ["point!"]),
      control("mask", { do: "mask" }, ["point!"]),
      control("unmask", { do: "unmask" }, ["point!"], { when: (game) => game.masked.length > 0 }),
    ], [control("restore", { do: "restore" }), control("accept_board", { do: "accept_board" })]],
  },
  {
    name: "clock",
    count: ({ clock }) => (clock.running ? "" : ["black", "white"].map((side) =>
      t("arbiter.used", { side: t(side), time: timeText(clock[side].used_ms) })).join(", ")),
    fields: ["side", "ms", "reason"],
    rows: [[
      control("set_clock", { do: "set_clock" }, ["side!", "ms!", "reason"], { when: timed }),
      control("set_used", { do: "set_used" }, ["side!", "ms!", "reason"], { when: timed }),
      control("add_time.give", { do: "add_time" }, ["side!", "ms!", "reason"], { when: timed }),
      control("add_time.take", { do: "add_time" }, ["side!", "ms!", "reason"], { when: timed, sign: -1 }),
      control("split", { do: "split" }, ["reason"], { when: (game) => game.clock.shared }),
    ]],
  },
  {
    name: "penalty",
    count: ({ violations }) => ["black", "white"].filter((side) => violations[side])
      .map((side) => t("arbiter.violations", { side: t(side), n: violations[side] })).join(", "),
    fields: ["side", "ms", "reason"],
    rows: [[
      control("violation", { do: "violation" }, ["side!", "reason"]),
      control("penalty.time", { do: "penalty", kind: "time" }, ["side!", "ms!", "reason"], { when: timed }),
      control("penalty.loss", { do: "penalty", kind: "loss" }, ["side!", "reason"], { ends: true }),
      control("penalty.disqualification", { do: "penalty", kind: "disqualification" }, ["side!", "reason"], { ends: true }),
    ]],
  },
  {
    name: "result",
    fields: ["reason"],
    rows: [
      [scored("black", 1, 0), scored("draw", 0.5, 0.5), scored("white", 0, 1), scored("nobody", 0, 0)],
      [
        control("colours.restart", { do: "colours", decision: "restart" }, ["reason"], {
          ends: (game) => game.phase !== "waiting",
        }),
        control("colours.stands", { do: "colours", decision: "stands" }, ["reason"]),
      ],
    ],
  },
  {
    name: "notes",
    fields: ["side", "text"],
    rows: [[
      control("note", { do: "note" }, ["text!", "side"]),
      control("adjourn", { do: "adjourn" }),
      control("finish", { do: "finish" }),
    ]],
  },
];

/** What people see and the board does not, then what may be claimed by its point, then the rest. */
const CODES = {
  people: ["wrong-hand", "drop", "offers-not-declared", "bad-draw-offer", "bad-adjust", "occupied", "wrong-colour"],
  line: ["double-three", "double-four", "overline", "forbidden", "five", "flag"],
  board: [
    "slide", "replace", "double-move", "out-of-turn", "clock-first", "early-pass",
    "first-not-tengen", "not-an-opening", "offers-wrong", "wrong-removal",
  ],
};
/** The words of a code that can be claimed. */
export function codeText(code) {
  return t(["irregular", "forbidden", "claim"].map((group) => `${group}.${code}`).find(has) ?? code);
}

/** Milliseconds of `1:30` or `1:02:30`. */
export function parseMs(text) {
  return text.split(":").reduce((sum, part) => sum * 60 + Number(part), 0) * 1000;
}

const FIELDS = {
  side: () => select(["", "black", "white"], (side) => t(side || "field.none")),
  kind: () => select(["", "outside", "accident", "purpose"], (kind) => t(kind ? `cause.${kind}` : "field.none")),
  code: () => {
    const host = select([""], () => t("field.none"));
    for (const [group, codes] of Object.entries(CODES)) {
      const element = make("optgroup", { label: t(`codes.${group}`) });
      element.append(...codes.map((code) => make("option", { value: code, textContent: codeText(code) })));
      host.append(element);
    }
    return host;
  },
  point: () => make("input", {
    className: "point", pattern: "[A-Oa-o]([1-9]|1[0-5])", maxLength: 3, size: 4, autocomplete: "off",
    placeholder: "H8", title: t("field.point.wrong"),
  }),
  ms: () => make("input", {
    pattern: "[0-9]{1,3}(:[0-5][0-9]){1,2}", maxLength: 9, size: 6, autocomplete: "off", placeholder: "1:30",
    title: t("field.ms.wrong"),
  }),
  reason: () => make("input", { maxLength: 200, className: "long" }),
  text: () => make("input", { maxLength: 2000, className: "long" }),
};

/** What a field says in a command, undefined when it is empty. */
const READ = {
  point: (text) => text.toUpperCase(),
  ms: parseMs,
};

export class Desk {
  /** Builds the forms into `host`; `give(order, key, ends)` carries out what a button asks for. */
  constructor(host, give) {
    this.host = host;
    this.give = give;
    this.game = null;
    this.build();
  }

  /** Makes the forms in the language of the page; what was typed is kept. */
  build() {
    const kept = new Map([...this.host.querySelectorAll("[id]")].map((each) => [each.id, each.value]));
    const open = new Set([...this.host.querySelectorAll("details[open]")].map((each) => each.id));
    this.buttons = [];
    this.counts = [];
    this.host.replaceChildren(...GROUPS.map((group) => this.group(group)));
    for (const each of this.host.querySelectorAll("input, select")) each.value = kept.get(each.id) ?? "";
    for (const each of this.host.querySelectorAll("details")) each.open = open.has(each.id);
    if (this.game) this.show(this.game);
  }

  group({ name, fields, rows, labels = [], count }) {
    const form = make("form", { noValidate: true });
    const inputs = Object.fromEntries(fields.map((field) => [field, this.field(name, field)]));
    if (fields.length) form.append(make("div", { className: "fields" }, ...Object.values(inputs).map(({ label }) => label)));
    for (const [i, row] of rows.entries()) {
      const host = make("div", { className: "orders" });
      if (labels[i]) {
        host.setAttribute("role", "group");
        host.setAttribute("aria-label", t(labels[i]));
        host.append(make("span", { className: "whose", textContent: t(labels[i]) }));
      }
      host.append(...row.map((each) => this.button(each, inputs)));
      form.append(host);
    }
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const shown = [...form.querySelectorAll("button")].filter((each) => !each.hidden);
      if (shown.length === 1) shown[0].click();
    });
    form.addEventListener("input", (event) => {
      event.target.setCustomValidity("");
      this.title();
    });
    const note = make("span", { className: "count" });
    if (count) this.counts.push({ note, count });
    return make("details", { id: `group-${name}` }, make("summary", {}, t(`group.${name}`), note), form);
  }

  field(group, name) {
    const input = FIELDS[name]();
    input.id = `${group}-${name}`;
    const label = make("label", {}, make("span", { textContent: t(`field.${name}`) }), input);
    return { input, label };
  }

  button(row, inputs) {
    const element = make("button", { type: "button", textContent: t(`order.${row.key}`) });
    element.addEventListener("click", () => {
      const order = this.order(row, inputs, true);
      if (order) this.give(order, row.key, ends(row, this.game));
    });
    this.buttons.push({ element, row, inputs });
    return element;
  }

  /** The command of a button with what its fields hold; null, and the fault shown, if one `must` be right. */
  order({ order, uses, sign = 1 }, inputs, must = false) {
    const given = { ...order };
    for (const use of uses) {
      const name = use.replace("!", "");
      const { input } = inputs[name];
      const text = input.value.trim();
      if (must) input.setCustomValidity("");
      if (must && !text && use.endsWith("!")) return fault(input, t("field.needed"));
      if (must && text && !input.checkValidity()) return fault(input, input.title);
      if (text && input.validity.valid) given[name] = READ[name]?.(text) ?? text;
    }
    if (given.ms !== undefined) given.ms *= sign;
    return given;
  }

  /** Shows what the phase allows. */
  show(game) {
    this.game = game;
    for (const { element, row } of this.buttons) {
      element.hidden = !game.may.includes(row.order.do) || (row.when !== undefined && !row.when(game));
    }
    for (const group of this.host.querySelectorAll("details")) {
      for (const row of group.querySelectorAll(".orders")) row.hidden = !row.querySelector("button:not([hidden])");
      group.hidden = !group.querySelector("button:not([hidden])");
    }
    for (const { note, count } of this.counts) note.textContent = count(game);
    this.title();
  }

  /** Says on each button what it would write with the fields as they are. */
  title() {
    for (const { element, row, inputs } of this.buttons) element.title = written(row.key, this.order(row, inputs));
  }

  /** Puts a point of the board into every field for one. */
  point(name) {
    for (const input of this.host.querySelectorAll("input.point")) {
      input.value = name;
      input.setCustomValidity("");
    }
    const groups = [...this.host.querySelectorAll("details")].filter((each) => !each.hidden && each.querySelector(".point"));
    if (groups.length && !groups.some((each) => each.open)) groups.at(-1).open = true;
    this.title();
  }
}

const ends = ({ ends: rule }, game) => (typeof rule === "function" ? rule(game) : Boolean(rule));

/** What a command will write into the record, in words; blanks that are not filled yet are dots. */
export function written(key, order) {
  const { side, code, point, ms, reason, offers, entry, text } = order;
  const blanks = {
    side: side ? t(side) : "…",
    code: code ? codeText(code) : "…",
    point: point ?? "",
    time: ms === undefined ? "…" : timeText(Math.abs(ms)),
    n: offers, entry, text: text ?? "…",
  };
  const words = t(`writes.${key}`, blanks).replace(/ +/g, " ").replace(/ (?=[;,、，]|$)/g, "");
  return reason ? `${words} (${reason})` : words;
}

/** Milliseconds as `1:30`; hours are minutes too. */
export function timeText(ms) {
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

function fault(input, words) {
  input.setCustomValidity(words);
  input.reportValidity();
  input.focus();
  return null;
}

function select(values, words) {
  const element = make("select");
  element.append(...values.map((value) => make("option", { value, textContent: words(value) })));
  return element;
}

function make(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}
