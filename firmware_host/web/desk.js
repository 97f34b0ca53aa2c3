// The arbiter's forms: every command that is not an answer to what the board itself has told, one row a button.
// A button is there only while its command is possible, and says what it will write.

import { t } from "/web/i18n.js";
import { codeText, orderButton, parseMs, say, timeText, written } from "/web/orders.js";

/**
 * A button: `key` names its words (`order.KEY`, `writes.KEY`), `order` is the command, `uses` the fields of its
 * group that it takes, with `!` those that it needs. `ends`: it may end the game; `when`: a further condition;
 * `sign`: what a time is multiplied by; `prefix`: what its text begins with.
 */
const control = (key, order, uses = [], more = {}) => ({ key, order, uses, ...more });
const link = (key, href, when = () => true) => ({ key, href, when });

const runs = (game) => ["opening", "playing"].includes(game.phase);
const offered = (game, side) => game.draw_offer !== null && game.draw_offer !== side;
const timed = (game) => game.settings.time !== "none";
const dated = (game) => game.moves.length < 4; // wrong colours are put right before move 4 [5.2]

/** What a player says or does away from the board. */
const says = (side) => [
  control("draw.offer", { do: "draw", side, answer: "offer" }, [], { when: (game) => !game.draw_offer && runs(game) }),
  control("draw.accept", { do: "draw", side, answer: "accept" }, [], { when: (game) => offered(game, side), ends: true }),
  control("draw.refuse", { do: "draw", side, answer: "refuse" }, [], { when: (game) => offered(game, side) }),
  control("pass", { do: "pass", side }, [], {
    when: (game) => game.to_move === side && (runs(game) || game.may_resume),
    ends: (game) => game.moves.length > 0 && game.moves.at(-1).point === null && !game.moves.at(-1).missing,
  }),
  control("call", { do: "call", side }, [], { when: runs }),
  control("arrive", { do: "arrive", side }, [], { when: (game) => game.absent.includes(side) }),
  control("resign", { do: "resign", side }, [], { ends: true }),
  control("left", { do: "left", side }, [], { ends: true }),
];

const clockOf = (side) => [
  control("add_time.give", { do: "add_time", side }, ["ms!", "reason"], { when: timed }),
  control("add_time.take", { do: "add_time", side }, ["ms!", "reason"], { when: timed, sign: -1 }),
  control("set_clock", { do: "set_clock", side }, ["ms!", "reason"], { when: timed }),
  control("set_used", { do: "set_used", side }, ["ms!", "reason"], { when: timed }),
];

const penaltyOf = (side) => [
  control("violation", { do: "violation", side }, ["reason"]),
  control("penalty.time", { do: "penalty", kind: "time", side }, ["ms!", "reason"], { when: timed }),
  control("penalty.loss", { do: "penalty", kind: "loss", side }, ["reason"], { ends: true }),
  control("penalty.disqualification", { do: "penalty", kind: "disqualification", side }, ["reason"], { ends: true }),
];

const claimOf = (side) => [control("claim", { do: "claim", side }, ["code!", "point"], { when: (game) => !game.claim })];

const moved = (decision, ends) =>
  control(`moved.${decision}`, { do: "moved", decision }, [decision === "loss" ? "side!" : "side", "kind", "reason"], { ends });
const scored = (name, black, white) =>
  control(`result.${name}`, { do: "result", black, white }, ["reason"], { ends: true });
const mayPlace = (colour) => (game) => game.may_place.includes(colour);

/** What can be entered at a point of the board. */
export const AT_POINT = [
  control("place.black", { do: "place", colour: "black" }, ["point!"], { when: mayPlace("black") }),
  control("place.white", { do: "place", colour: "white" }, ["point!"], { when: mayPlace("white") }),
  control("remove", { do: "remove" }, ["point!"], { when: (game) => game.phase !== "waiting" }),
  control("mask", { do: "mask" }, ["point!"]),
  control("unmask", { do: "unmask" }, ["point!"], { when: (game) => game.masked.length > 0 }),
];

/** The groups, the likeliest first; `sided`: its rows are the same for Black and for White. */
const GROUPS = [
  { name: "players", fields: [], sided: says },
  {
    name: "penalty",
    count: ({ violations }) => ["black", "white"].filter((side) => violations[side])
      .map((side) => t("arbiter.violations", { side: t(side), n: violations[side] })).join(", "),
    fields: ["ms", "reason"],
    start: { ms: "1:00" },
    sided: penaltyOf,
  },
  {
    name: "clock",
    count: ({ clock }) => (clock.running ? "" : ["black", "white"].map((side) =>
      t("arbiter.used", { side: t(side), time: timeText(clock[side].used_ms) })).join(", ")),
    fields: ["ms", "reason"],
    sided: clockOf,
    rows: [[control("split", { do: "split" }, ["reason"], { when: (game) => game.clock.shared })]],
  },
  { name: "claim", fields: ["code", "point"], sided: claimOf },
  {
    name: "moved",
    fields: ["kind", "side", "reason"],
    rows: [[moved("back"), moved("stands"), moved("draw", true), moved("replay", true), moved("loss", true)]],
  },
  {
    name: "hand",
    fields: ["point"],
    rows: [AT_POINT, [control("restore", { do: "restore" }), control("accept_board", { do: "accept_board" })]],
  },
  {
    name: "result",
    fields: ["reason"],
    rows: [
      [scored("black", 1, 0), scored("draw", 0.5, 0.5), scored("white", 0, 1), scored("nobody", 0, 0)],
      [
        control("colours.restart", { do: "colours", decision: "restart" }, ["reason"], {
          ends: (game) => game.phase !== "waiting", when: dated,
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
      control("note.appeal", { do: "note" }, ["text!", "side"], { prefix: "note.appeal" }),
    ], [
      control("adjourn", { do: "adjourn" }, [], { when: (game) => game.why !== "adjourned" }),
      control("finish", { do: "finish" }),
      link("sheet", "/arbiter/sheet"),
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

/** Times that an arbiter gives or takes most often. */
const QUICK = ["0:30", "1:00", "2:00", "5:00"];

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
  text: () => make("input", { maxLength: 1900, className: "long" }),
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
    this.links = [];
    this.fields = [];
    this.counts = [];
    this.host.replaceChildren(...GROUPS.map((group) => this.group(group)));
    for (const each of this.host.querySelectorAll("input, select")) each.value = kept.get(each.id) ?? each.value;
    for (const each of this.host.querySelectorAll("details")) each.open = open.has(each.id);
    if (this.game) this.show(this.game);
  }

  group({ name, fields, rows = [], sided, start = {}, count }) {
    const form = make("form", { noValidate: true });
    const inputs = Object.fromEntries(fields.map((field) => [field, this.field(name, field, start[field])]));
    if (fields.length) form.append(make("div", { className: "fields" }, ...Object.values(inputs).map(({ label }) => label)));
    const quick = inputs.ms && this.quick(inputs.ms.input);
    if (quick) form.append(quick);
    for (const [field, { label, input }] of Object.entries(inputs)) {
      this.fields.push({ input, hosts: [label, ...(field === "ms" ? [quick] : [])] });
    }
    if (sided) {
      form.append(make("div", { className: "sides" }, ...["black", "white"].map((side) => {
        const host = make("div", { className: "orders" });
        host.setAttribute("role", "group");
        host.setAttribute("aria-label", t(side));
        host.append(make("h3", {}, make("span", { className: `disc ${side}` }), t(side)));
        host.append(...sided(side).map((each) => this.button(each, inputs)));
        return host;
      })));
    }
    form.append(...rows.map((row) =>
      make("div", { className: "orders" }, ...row.map((each) => (each.href ? this.link(each) : this.button(each, inputs))))));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const shown = [...form.querySelectorAll(".orders button")].filter((each) => !each.hidden);
      if (shown.length === 1) shown[0].click();
    });
    form.addEventListener("input", (event) => {
      event.target.setCustomValidity("");
      this.say();
    });
    const note = make("span", { className: "count" });
    if (count) this.counts.push({ note, count });
    return make("details", { id: `group-${name}` }, make("summary", {}, t(`group.${name}`), note), form);
  }

  field(group, name, start = "") {
    const input = FIELDS[name]();
    input.id = `${group}-${name}`;
    input.value = start;
    const label = make("label", {}, make("span", { textContent: t(`field.${name}`) }), input);
    return { input, label };
  }

  /** Times at one tap. */
  quick(input) {
    return make("div", { className: "quick" }, ...QUICK.map((text) => {
      const element = make("button", { type: "button", textContent: text });
      element.addEventListener("click", () => {
        input.value = text;
        input.setCustomValidity("");
        this.say();
      });
      return element;
    }));
  }

  link({ key, href, when }) {
    const element = make("a", { href, textContent: t(`order.${key}`), className: "link" });
    this.links.push({ element, when });
    return element;
  }

  button(row, inputs) {
    const element = orderButton(t(`order.${row.key}`), "", () => {
      const order = this.order(row, inputs, true);
      if (order) this.give(order, row.key, endsBy(row, this.game));
    });
    this.buttons.push({ element, row, inputs });
    return element;
  }

  /** The command of a button with what its fields hold; null, and the fault shown, if one `must` be right. */
  order({ order, uses, sign = 1, prefix }, inputs, must = false) {
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
    if (prefix && given.text) given.text = t(prefix, { text: given.text });
    return given;
  }

  /** Shows what is possible now. */
  show(game) {
    this.game = game;
    for (const { element, row } of this.buttons) element.hidden = !possible(row, game);
    for (const { input, hosts } of this.fields) {
      const used = this.buttons.some(({ element, row, inputs }) =>
        !element.hidden && row.uses.some((use) => inputs[use.replace("!", "")]?.input === input));
      for (const host of hosts) host.hidden = !used;
    }
    for (const { element, when } of this.links) element.hidden = !when(game);
    for (const group of this.host.querySelectorAll("details")) {
      for (const row of group.querySelectorAll(".orders")) row.hidden = !row.querySelector("button:not([hidden]), a:not([hidden])");
      group.hidden = !group.querySelector(".orders :is(button, a):not([hidden])");
    }
    for (const { note, count } of this.counts) note.textContent = count(game);
    this.say();
  }

  /** Says on each button what it would write with the fields as they are. */
  say() {
    for (const { element, row, inputs } of this.buttons) say(element, written(row.key, this.order(row, inputs)));
  }

  /** Puts a point of the board into every field for one. */
  point(name) {
    for (const input of this.host.querySelectorAll("input.point")) {
      input.value = name;
      input.setCustomValidity("");
    }
    this.say();
  }
}

/** Whether the order of a row can be given now. */
export function possible({ order, when }, game) {
  return game.may.includes(order.do) && (when === undefined || when(game));
}

const endsBy = ({ ends: rule }, game) => (typeof rule === "function" ? rule(game) : Boolean(rule));

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
