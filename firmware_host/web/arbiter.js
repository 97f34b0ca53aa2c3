// The arbiter's page: what only the arbiter may know, and the orders that answer it. First what stands, then
// what needs a decision, then the rest, folded. Nothing here sounds, flashes or moves when something is found,
// and no screen reader speaks it by itself: a bystander must not learn of it from the arbiter's page.

import { Board, pointMm, svg } from "/web/board.js";
import { Clocks, formatSeconds } from "/web/clocks.js";
import { Guide, Signs, differenceText, kindOf, seenOf, signed, stepWords, stonesOf } from "/web/compare.js";
import { AT_POINT, Desk, possible } from "/web/desk.js";
import { watchDoor } from "/web/door.js";
import { follow } from "/web/feed.js";
import { askAgain, give, know, tell } from "/web/give.js";
import { happened, noiseText } from "/web/happened.js";
import { has, language, languageChoice, speak, t } from "/web/i18n.js";
import { orderButton, written } from "/web/orders.js";
import { claimText, decisionText, said, sentence, untilText } from "/web/remarks.js";
import { allowanceText, choicesOf, moveText, openingText, playerName, pointText, resultTexts, stepText, termsText } from "/web/words.js";

const OFFICIALS = ["arbiter", "chief", "organiser"];
const BY_ITSELF = ["correction", "scattered", "whose"]; // stops that the next act ends, once the board is right
const LOSS = "the side that did it has lost"; // the remedy that ends a game
const VIEWS = ["both", "record", "sensors"];

const at = (selector) => document.querySelector(selector);

await speak();
const board = new Board(at("#board"), t("board"));
const signs = new Signs(board);
const chosen = board.overlay(svg("circle", { class: "chosen", r: 13.5 }));
const showDoor = watchDoor(at("#door"), at("#sign-out"));
const guide = new Guide();
const desk = new Desk(at("#groups"), give);
let game = null;
let point = null; // of the board, that was tapped
let view = "both";

const clocks = new Clocks((side, { text, tenths }) => {
  const face = at(`#face-${side}`);
  face.querySelector(".digits").textContent = text;
  face.querySelector(".tenths").textContent = tenths;
  face.classList.toggle("hours", text.length > 5);
});

follow("/arbiter/events", "arbiter", (given) => {
  game = given;
  show();
  clocks.take(game.clock);
}, (up) => {
  clocks.link(up);
  at("#link").textContent = up ? "" : t("link.lost");
  document.body.classList.toggle("unlinked", !up);
  if (up) return;
  tell(at("#why").textContent, ""); // what was answered need not be so any more
  askAgain();
});
languageChoice(at("#languages"), () => {
  showDoor();
  showOfficials();
  desk.build();
  if (game) show();
});
showOfficials();
at("#by").addEventListener("change", () => keep("official", at("#by").value));
at("#board").addEventListener("click", (event) => {
  const near = board.nearest(board.place(event));
  choose(near === point ? null : near);
});
addEventListener("keydown", (event) => event.key === "Escape" && !at("#sure").open && choose(null));
at("#declare input").addEventListener("input", markDeclared);
at("#declare").addEventListener("submit", (event) => {
  event.preventDefault();
  give({ do: "opening", offers: at("#declare input").valueAsNumber });
});

function show() {
  document.body.dataset.phase = game.phase;
  const steps = guide.take(game.differences, game.phase === "restoring" || BY_ITSELF.includes(game.why));
  showFaces();
  const { outcome, reason } = resultTexts(game);
  at("#status").textContent = [
    outcome ? `${outcome} · ${reason}` : moveText(game),
    whyText(game),
    game.away_ms && t("arbiter.away", { time: formatSeconds(Math.round(game.away_ms / 1000)) }),
    stepText(game),
    openingText(game.opening, language),
  ].filter(Boolean).join(" · ");
  at("#terms").textContent = termsText(game);
  know(game);
  showBoard();
  list("#orders", orders(), decision);
  list("#at-point", point ? atPoint() : [], decision);
  showClaim();
  showGuide(steps);
  showChoices();
  showClaimable();
  const [quiet, notes] = [[], []];
  for (const each of game.notes ?? []) (each.code === "wall-clock" ? quiet : notes).push(each);
  at("#quiet").textContent = quiet.map((each) => sentence(each)).join(" ");
  list("#faults", [...game.faults, ...notes, ...game.masked.map((masked) => ({ code: "masked", point: masked }))],
    (each) => [sentence(each, game.decisions)]);
  desk.show(game);
  showHappened();
  showDecisions();
  showMoves();
}

function showFaces() {
  for (const side of ["black", "white"]) {
    const face = at(`#face-${side}`);
    face.classList.toggle("running", game.clock.running === side);
    face.querySelector(".name").textContent = playerName(game, side);
    face.querySelector(".side").textContent = [
      game.players[side].name && t(side), game.clock.running === side && t("arbiter.running"),
    ].filter(Boolean).join(" · ");
    face.querySelector(".more").textContent = [
      allowanceText(game.clock[side]),
      game.violations[side] && t("arbiter.violation", { n: game.violations[side] }),
    ].filter(Boolean).join(" · ");
  }
}

/** Why the clocks stand; what is put right already waits only for the next act. */
function whyText({ why, may_resume: free, differences }) {
  if (BY_ITSELF.includes(why) && free && !differences.length) return t("why.right");
  return why && has(`why.${why}`) ? t(`why.${why}`) : why;
}

/** The stones of the record and of the sensors, and below them what each sign means. */
function showBoard() {
  const compared = game.differences.length > 0 || game.masked.length > 0;
  if (!compared) view = "both";
  const shown = view === "both" ? game : { ...game, differences: [], masked: [] };
  board.show({ stones: stonesOf(game, view), line: view === "both" ? game.result?.line ?? [] : [] });
  signs.show(shown, view === "both" ? guide.next : null);
  const where = game.moves.filter((move) => move.point).map((move) => `${move.n} ${move.point}`).join(", ");
  board.root.setAttribute("aria-label", where ? `${t("board")}: ${where}` : t("board"));
  at("#views").hidden = !compared;
  for (const button of at("#views").children) {
    button.textContent = t(`view.${button.value}`);
    button.setAttribute("aria-pressed", String(button.value === view));
  }
  list("#legend", shown.masked, (each) => [signed("masked"), t("sign.masked", { point: each })], at("#legend"));
}

at("#views").append(...VIEWS.map((name) => {
  const button = Object.assign(document.createElement("button"), { type: "button", value: name });
  button.addEventListener("click", () => {
    view = name;
    showBoard();
  });
  return button;
}));

/** What can be ordered in this phase about the game as a whole. */
function orders() {
  const order = (name, more) => ({ order: { do: name }, ...more });
  const resume = game.may_resume ? [order("resume", { main: true })] : [];
  return {
    waiting: [order("start", { main: true })],
    opening: [order("pause", { main: true })],
    playing: [order("pause", { main: true })],
    paused: game.why === "claim" ? [] : resume,
    restoring: resume,
    over: [
      { href: "/arbiter/new?exchanged", words: t("new.next") }, { href: "/arbiter/new", words: t("order.new") },
      { href: "/arbiter/sheet", words: t("sheet.title") },
    ],
  }[game.phase] ?? [];
}

/** One thing to decide: a button, or a link to a page. */
function decision({ words, order, key = order?.do, main = false, ends = false, writes, href }) {
  if (href) return [Object.assign(document.createElement("a"), { href, textContent: words, className: "link" })];
  const text = words ?? t(has(`order.${key}`) ? `order.${key}` : `order.${order.do}`);
  return [orderButton(text, writes || written(key, { text, ...order }), () => give(order, key, ends), { main })];
}

// ---- a point of the board that was tapped

function choose(name) {
  point = name;
  if (point) {
    chosen.put(pointMm(point));
    desk.point(point);
  } else chosen.hide();
  if (game) show();
}

function atPoint() {
  const move = game.moves.find((each) => each.point === point);
  const seen = seenOf(game.sensed).get(point) ?? null;
  const masked = game.masked.includes(point);
  at("#at-point h2").textContent = [
    move ? `${point}: ${t("move", { n: move.n })}, ${t(move.colour)}` : differenceText({ point, record: null, seen }),
    move && !seen && !masked && t("arbiter.unseen"), masked && t("told.masked"),
  ].filter(Boolean).join(" · ");
  const sensible = {
    place: !move, unmask: masked, mask: !masked,
    remove: move ? move === game.moves.at(-1) : seen !== null || game.offers.includes(point),
  };
  return [
    ...AT_POINT.filter((row) => possible(row, game) && sensible[row.order.do])
      .map(({ key, order }) => ({ key, order: { ...order, point } })),
  ];
}

// ---- what needs a decision

/** The claim that waits, what the board found about it, and its answers. */
function showClaim() {
  const { claim } = game;
  const row = claim && foundFor(claim);
  at("#claim").hidden = !claim;
  at("#cost").hidden = !claim || game.wrong_claim !== "time";
  if (!claim) at("#cost input").value = ""; // what one claim cost is not what the next one does
  at("#claim .what").textContent = claimText(claim);
  at("#claim .soft").textContent = row ? foundText(row) : claim && !claim.stands ? t("arbiter.not-found") : "";
  const named = claim && { code: claim.code, ...(claim.point && { point: claim.point }) };
  list("#answers", claim ? [
    ...(claim.stands ? [answer("uphold", named, endsByClaim(claim), row)] : []), answer("reject", named),
  ] : [], decision);
}

function answer(name, named, ends = false, row = null) {
  const leads = row && name === "uphold" ? said(row.remedy ?? "") || t("arbiter.remedy") : "";
  return {
    order: { do: name, ...named }, ends, key: ends ? `${name}.ends` : name,
    writes: leads && t(ends ? "arbiter.upheld.ends" : "arbiter.upheld", { remedy: leads }),
  };
}

/** What the board found that a claim means. */
function foundFor(claim) {
  return game.claimable.find((each) =>
    [each.code, each.kind].includes(claim.code) && [null, each.point].includes(claim.point));
}

/** A finding in words, with its article. */
function foundText(row) {
  return sentence(row) + (row.article ? ` [${row.article}]` : "");
}

/** Whether upholding the claim that waits ends the game. */
function endsByClaim(claim) {
  if (["five", "flag"].includes(claim.code)) return true;
  const row = foundFor(claim);
  return row ? endsByRow(row) : !has(`irregular.${claim.code}`);
}

function endsByRow({ kind, remedy }) {
  return Boolean(kind) || remedy === LOSS;
}

/** What was found and can be claimed: what, whose, where, by whom until when; what each answer leads to. */
function showClaimable() {
  const claimed = game.claim && foundFor(game.claim);
  list("#claimable", game.claimable.filter((each) => each !== claimed), (each) => {
    const named = { code: each.kind ?? each.code, ...(each.point ? { point: each.point } : {}) };
    const host = document.createElement("div");
    host.className = "orders";
    for (const name of ["uphold", "reject", "waive"]) {
      const given = answer(name, named, name === "uphold" && endsByRow(each), each);
      host.append(...decision({ ...given, writes: given.writes || t(`arbiter.answered.${name}`) }));
    }
    return [line(foundText(each), "what"), line(untilText(each), "soft"), host];
  });
}

/** The steps back to the record, each ticked off when the sensors see it done, and what else can be decided. */
function showGuide(steps) {
  const shown = steps.map((step) => ({ ...step, now: step === guide.next }));
  list("#guide", shown, (step) => [
    mark(step.done ? "✓" : "", step.done ? t("guide.done") : ""), line(stepWords(step), "what"),
    ...(step.done ? [] : step.differs.map(differing)),
  ], at("#guide"), (element, step) => {
    element.classList.toggle("done", Boolean(step.done));
    if (step.now) element.setAttribute("aria-current", "step");
  });
  const unseen = game.differences.filter((each) => each.whose);
  list("#unseen", unseen, (each) => [differing(each)], at("#unseen"));
  at("#differences").hidden = !steps.length && !unseen.length;
  at("#guide-end").textContent = [
    unseen.length && drafted().length ? t("arbiter.fifth-first") : "",
    steps.length && !guide.next && !game.differences.length ? t("guide.right") : "",
    game.differences.length && !game.may_resume && game.clock.running === null ? t("cannot.differs") : "",
  ].filter(Boolean).join(" ");
  list("#settle", game.differences.length ? settling(unseen) : [], decision);
}

/** One point that differs, with the sign that it has on the board. */
function differing(each) {
  const element = line("", "soft differs");
  element.append(signed(kindOf(each), each.record), differenceText(each));
  return element;
}

/** Stones on offer that were seen before others came unseen, on a board that tells no colours. */
function drafted() {
  if (game.why !== "whose" || game.step?.do !== "offers") return [];
  const others = new Set([...game.moves, ...game.differences].map((each) => each.point));
  return [...seenOf(game.sensed).keys()].filter((each) => !others.has(each) && !game.masked.includes(each));
}

/** Whether as many stones of each colour lie elsewhere as are missing. */
function mayStand() {
  const colours = (side) => game.differences.map((each) => each[side]).filter(Boolean).sort();
  const [gone, come] = [colours("record"), colours("seen")];
  return gone.length > 0 && gone.length === come.length &&
    (come.includes("unknown") || gone.every((colour, i) => colour === come[i]));
}

/** The ways to settle that board and record differ. */
function settling(unseen) {
  const each = (name, more = {}, order = {}) => ({ key: name, order: { do: name, ...order }, ...more });
  const moved = (decided, key = `moved.${decided}`, more = {}) =>
    ({ key, order: { do: "moved", decision: decided, ...more } });
  const whose = unseen.map(({ point: lies, whose: colour }) => ({
    key: `place.${colour}`, order: { do: "place", point: lies, colour }, main: true,
    words: t("arbiter.whose", { point: lies, side: t(colour) }),
  }));
  const not = unseen.length ? drafted().map((lies) => ({
    key: "remove", order: { do: "remove", point: lies }, words: t("arbiter.not-fifth", { point: lies }),
  })) : [];
  const guided = game.phase === "restoring";
  const accident = game.why === "scattered" ? ["black", "white"].map((side) =>
    moved("back", `moved.accident.${side}`, { side, kind: "accident" })) : [];
  return [
    ...not, ...whose,
    ...(!guided && !unseen.length && game.may.includes("moved") ? [moved("back")] : []),
    ...(mayStand() && game.why !== "correction" ? [moved("stands")] : []),
    ...accident,
    ...(game.may.includes("accept_board") ? [each("accept_board")] : []),
  ];
}

/** Draw offers, arrivals, the choices of an opening, N, and the time that the board was off. */
function showChoices() {
  const other = { black: "white", white: "black" }[game.draw_offer];
  const off = { time: formatSeconds(Math.round(game.away_ms / 1000)) };
  const pays = (key, side) => ({
    key, order: { do: "charge", ...(side && { side }) }, words: t(`order.${key}`, { side: side && t(side), ...off }),
  });
  const draws = other && game.may.includes("draw") ? ["accept", "refuse"].map((name) => ({
    key: `draw.${name}`, order: { do: "draw", side: other, answer: name }, ends: name === "accept",
    words: t(`order.draw.${name}.side`, { side: t(other) }),
  })) : [];
  const arrivals = game.may.includes("arrive") && game.phase !== "waiting" ? game.absent.map((side) => ({
    key: "arrive", order: { do: "arrive", side }, words: t("order.arrive.side", { side: t(side) }),
  })) : [];
  const chosenBy = choicesOf(game).map(({ order, words }) => ({ order, words }));
  const starts = game.phase === "waiting" ? ["black", "white", "both"].map((absent) => ({
    key: `start.${absent}`, order: { do: "start", absent }, words: t(`order.start.${absent}`),
  })) : [];
  const again = game.phase === "over" ? [{ order: { do: "start" }, words: t("order.again") }] : [];
  const charge = game.away_ms && game.may.includes("charge")
    ? [pays("charge.side", "black"), pays("charge.side", "white"), pays("charge.both")] : [];
  const all = [...starts, ...again, ...draws, ...arrivals, ...chosenBy, ...charge];
  showDeclare();
  at("#choices .what").textContent = draws.length ? t("arbiter.offered", { side: t(game.draw_offer) }) : "";
  list("#choices", all, decision);
  at("#choices").hidden = !all.length && at("#declare").hidden;
}

/** The field for the number of fifth offers, while it may be declared; it holds what was declared last. */
function showDeclare() {
  const form = at("#declare");
  form.hidden = !game.offers_range;
  if (form.hidden) {
    delete form.dataset.declared;
    return;
  }
  const field = at("#declare input");
  const declared = String(game.offers_wanted ?? "");
  [field.min, field.max] = game.offers_range;
  field.placeholder = game.offers_range.join("–");
  if (form.dataset.declared !== declared) {
    form.dataset.declared = field.value = declared; // otherwise a number may be half typed
  }
  markDeclared();
}

/** What has been declared already need not be declared again. */
function markDeclared() {
  const { value } = at("#declare input");
  at("#declare button").hidden = value !== "" && value === at("#declare").dataset.declared;
  at("#declare button").title = written("opening", { offers: value || "…" });
}

// ---- the rest

function showHappened() {
  const { newest, before, noise } = happened(game);
  const entry = ({ time, words, article }) => [
    Object.assign(document.createElement("time"), { textContent: time }),
    line([words, article && `[${article}]`].filter(Boolean).join(" ")),
  ];
  list("#happened", newest, entry, at("#happened ul"));
  list("#before", before, entry);
  list("#noise", noise, entry);
  at("#noise summary").textContent = noiseText(noise.length);
  at("#happened").hidden = !newest.length && !noise.length;
}

function showDecisions() {
  const undone = new Set(game.decisions.map((each) => each.undoes));
  const made = game.decisions.map((each) => ({
    ...each, undone: undone.has(each.entry), undoable: game.undoable.includes(each.entry),
  })).toReversed();
  at("#decisions .count").textContent = made.length || "";
  list("#decisions", made, (each) => [
    line(decisionText(each, game.decisions)),
    ...(each.undone ? [line(t("arbiter.undone"), "soft")] : []),
    ...(each.undoable ? decision({ key: "compensate", order: { do: "compensate", entry: each.entry } }) : []),
  ]);
}

function showMoves() {
  at("#moves").hidden = !game.moves.length;
  at("#moves .count").textContent = game.moves.length;
  at("#moves ol").replaceChildren(...game.moves.map(({ n, point: on, missing, colour, used_ms: used }) =>
    item([n, pointText({ point: on, missing }), t(colour), secondsText(used)].filter(Boolean).join("  "))));
}

function secondsText(ms) {
  return ms === null ? "" : t("seconds", { n: (Math.floor(ms / 100) / 10).toFixed(1) });
}

/** A list of entries; left alone while they are the same, so that a button stays under the pointer. */
function list(selector, entries, contents, host = at(`${selector} ul`), each = () => {}) {
  const shown = language + JSON.stringify([entries, game.decisions.length]);
  if (host.dataset.shown === shown) return;
  host.dataset.shown = shown;
  at(selector).hidden = !entries.length;
  host.replaceChildren(...entries.map((entry) => {
    const element = item(...contents(entry));
    each(element, entry);
    return element;
  }));
}

function item(...contents) {
  const element = document.createElement("li");
  element.append(...contents);
  return element;
}

function line(words, className = "") {
  return Object.assign(document.createElement("p"), { textContent: words, className });
}

function mark(sign_, label) {
  const element = Object.assign(document.createElement("span"), { className: "tick", textContent: sign_ });
  if (label) element.setAttribute("aria-label", label);
  else element.setAttribute("aria-hidden", "true");
  return element;
}

function showOfficials() {
  const official = at("#by").value || recall("official") || OFFICIALS[0];
  at("#by").replaceChildren(...OFFICIALS.map((each) => new Option(t(`by.${each}`), each)));
  at("#by").value = OFFICIALS.includes(official) ? official : OFFICIALS[0];
}

function recall(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null; // a browser that keeps nothing for pages
  }
}

function keep(name, value) {
  try {
    localStorage.setItem(name, value);
  } catch {
    // The choice then lasts as long as the page.
  }
}
