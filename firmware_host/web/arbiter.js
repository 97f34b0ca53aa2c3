// The arbiter's page: what only the arbiter may know, and the orders that answer it. Nothing here sounds,
// flashes or moves when a forbidden move is found: a bystander must not see it from the arbiter's face.

import { Board, pointMm, svg } from "/web/board.js";
import { Clocks, formatSeconds } from "/web/clocks.js";
import { Desk, parseMs, written } from "/web/desk.js";
import { watchDoor } from "/web/door.js";
import { follow, post } from "/web/feed.js";
import { has, language, languageChoice, speak, t } from "/web/i18n.js";
import { claimText, decisionText, remedyText, sentence } from "/web/remarks.js";
import { allowanceText, choicesOf, moveText, offerLetter, openingText, pointText, resultTexts, stepText, termsText } from "/web/words.js";

const OFFICIALS = ["arbiter", "chief", "organiser"];
const BY_ITSELF = ["correction", "scattered", "whose"]; // stops that the next act ends, once the board is right
const LOSS = "the side that did it has lost"; // the remedy that ends a game

const at = (selector) => document.querySelector(selector);

await speak();
const board = new Board(at("#board"), t("board"));
const chosen = board.overlay(svg("circle", { class: "chosen", r: 13.5 }));
const times = { black: "", white: "" };
const showDoor = watchDoor(at("#door"), at("#sign-out"));
const desk = new Desk(at("#groups"), give);
let game = null;
let busy = false;

const clocks = new Clocks((side, { text, tenths }) => {
  times[side] = text + tenths;
  showTimes();
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
  at("#said").textContent = ""; // what was answered need not be so any more
  askAgain();
});
languageChoice(at("#languages"), () => {
  showDoor();
  showOfficials();
  desk.build();
  if (game) {
    show();
    showTimes();
  }
});
showOfficials();
at("#by").addEventListener("change", () => keep("official", at("#by").value));
at("#board").addEventListener("click", (event) => {
  const point = board.nearest(board.place(event));
  if (!point) return;
  desk.point(point);
  chosen.put(pointMm(point));
});
at("#declare input").addEventListener("input", markDeclared);
at("#declare").addEventListener("submit", (event) => {
  event.preventDefault();
  give({ do: "opening", offers: at("#declare input").valueAsNumber });
});

function show() {
  showBoard();
  const { outcome, reason } = resultTexts(game);
  at("#status").textContent = [
    outcome ? `${outcome} · ${reason}` : moveText(game),
    whyText(game),
    game.away_ms && t("arbiter.away", { time: formatSeconds(Math.round(game.away_ms / 1000)) }),
    stepText(game),
    openingText(game.opening, language),
  ].filter(Boolean).join(" · ");
  at("#claim").textContent = [
    claimText(game.claim), game.draw_offer && t("arbiter.offered", { side: t(game.draw_offer) }),
  ].filter(Boolean).join(" · ");
  at("#terms").textContent = termsText(game);
  at("#cost").hidden = game.why !== "claim" || game.wrong_claim !== "time";
  list("#orders", orders(), ({ words, order, key, main, cannot }) => {
    const ends = game.why === "claim" && endsByClaim(order, game.claim);
    const element = button(words ?? t(`order.${order.do}`), meant(order), { key, ends });
    element.classList.toggle("main", Boolean(main));
    if (cannot) Object.assign(element, { disabled: true, title: t(cannot) });
    return [element];
  });
  showDeclare();
  list("#claimable", game.claimable, (each) => {
    const named = { code: each.kind ?? each.code, ...(each.point ? { point: each.point } : {}) };
    return [
      line(sentence(each)),
      line(remedyText(each), "remedy"),
      ...["uphold", "reject", "waive"].map((name) =>
        button(t(`order.${name}`), { do: name, ...named }, { ends: name === "uphold" && endsByRow(each) })),
    ];
  });
  list("#differences", game.differences, (each) => [
    t("arbiter.differs", { point: each.point, record: stoneName(each.record), seen: stoneName(each.seen) }),
  ]);
  desk.show(game);
  const undone = new Set(game.decisions.map((each) => each.undoes));
  const decisions = game.decisions.map((each) => ({ ...each, undone: undone.has(each.entry) })).toReversed();
  list("#decisions", decisions, (each) => [
    `${decisionText(each, game.decisions)}  `,
    each.undone ? t("arbiter.undone") : button(t("order.compensate"), { do: "compensate", entry: each.entry }),
  ]);
  list("#faults", [...game.faults, ...(game.notes ?? []), ...game.masked.map((point) => ({ code: "masked", point }))],
    (each) => [sentence(each, game.decisions)]);
  list("#told", game.told.toReversed(), (each) => [sentence(each, game.decisions)]);
  at("#moves").hidden = !game.moves.length;
  at("#moves ol").replaceChildren(...game.moves.map(({ n, point, missing, colour, used_ms: used }) =>
    item([n, pointText({ point, missing }), t(colour), secondsText(used)].filter(Boolean).join("  "))));
}

function showTimes() {
  at("#times").replaceChildren(...["black", "white"].map((side) => Object.assign(document.createElement("span"), {
    textContent: [
      `${t(side)} ${times[side]}${game.clock.running === side ? " ←" : ""}`, allowanceText(game.clock[side]),
    ].filter(Boolean).join(" · "),
  })));
}

function secondsText(ms) {
  return ms === null ? "" : t("seconds", { n: (Math.floor(ms / 100) / 10).toFixed(1) });
}

/** Why the clocks stand; what is put right already waits only for the next act. */
function whyText({ why, may_resume: free, differences }) {
  if (BY_ITSELF.includes(why) && free && !differences.length) return t("why.right");
  return why && has(`why.${why}`) ? t(`why.${why}`) : why;
}

/** The stones of the record, and where the board differs: what should lie there is pale, what does lie is not. */
function showBoard() {
  const played = game.moves.filter((move) => move.point);
  const away = new Set(game.differences.filter((each) => each.record).map((each) => each.point));
  const there = game.differences.filter((each) => each.seen);
  const covered = new Set(there.map((each) => each.point));
  board.show({
    stones: [
      ...played.filter((move) => !covered.has(move.point)).map((move) => ({
        ...pointMm(move.point), colour: move.colour, text: String(move.n), last: move === played.at(-1),
        offer: away.has(move.point),
      })),
      ...game.offers.map((point, i) => ({
        ...pointMm(point), colour: "black", text: offerLetter(i), offer: true, point,
      })).filter(({ point }) => game.offers_left.includes(point)),
      ...there.map(({ point, seen: colour }) => ({ ...pointMm(point), colour })),
    ],
    line: game.result?.line ?? [],
    marks: game.differences.map((each) => each.point).filter(Boolean),
  });
}

/** What can be ordered in this phase, the most likely first; `cannot` says why one must wait. */
function orders() {
  const order = (name, more) => ({ order: { do: name }, ...more });
  const differ = game.differences.length > 0;
  const cannot = (differ || game.phase === "restoring") && !game.may_resume ? "cannot.differs" : null;
  const arrivals = game.may.includes("arrive") ? game.absent.map((side) => ({
    key: "arrive", order: { do: "arrive", side }, words: t("order.arrive.side", { side: t(side) }),
  })) : [];
  const playing = [
    ...(differ ? [order("accept_board")] : []), ...arrivals, order("pause"), ...choicesOf(game),
  ];
  // the stones that came unseen, each as the next move of the side that is asked for
  const unseen = game.differences.filter((each) => each.whose).map(({ point, whose: colour }) => ({
    key: `place.${colour}`, order: { do: "place", point, colour }, main: true,
    words: t("arbiter.whose", { point, side: t(colour) }),
  }));
  const off = { time: formatSeconds(Math.round(game.away_ms / 1000)) };
  const pays = (key, side) => ({
    key, order: { do: "charge", ...(side && { side }) }, words: t(`order.${key}`, { side: side && t(side), ...off }),
  });
  const charge = game.away_ms && game.may.includes("charge")
    ? [pays("charge.side", "black"), pays("charge.side", "white"), pays("charge.both")] : [];
  if (game.why === "claim") return [order("uphold"), order("reject")]; // they answer the claim that waits
  return {
    waiting: [order("start", { main: true }), ...["black", "white", "both"].map((absent) => ({
      key: `start.${absent}`, order: { do: "start", absent }, words: t(`order.start.${absent}`),
    }))],
    opening: playing,
    playing,
    paused: [
      ...unseen, order("resume", { main: !cannot, cannot }),
      ...(differ ? [order("restore"), order("accept_board")] : []), ...arrivals, ...charge,
    ],
    restoring: [...unseen, order("resume", { cannot }), order("accept_board"), ...arrivals, ...charge],
    over: [order("start", { words: t("order.again") })],
  }[game.phase] ?? [];
}

/** Whether upholding the claim that waits ends the game. */
function endsByClaim({ do: name }, claim) {
  if (name !== "uphold" || !claim) return false;
  if (["five", "flag"].includes(claim.code)) return true;
  const row = game.claimable.find((each) =>
    [each.code, each.kind].includes(claim.code) && [null, each.point].includes(claim.point));
  return row ? endsByRow(row) : !has(`irregular.${claim.code}`);
}

function endsByRow({ kind, remedy }) {
  return Boolean(kind) || remedy === LOSS;
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
  at("#declare button").disabled = value !== "" && value === at("#declare").dataset.declared;
  at("#declare button").title = written("opening", { offers: value || "…" });
}

function stoneName(colour) {
  return colour ? t(colour) : t("arbiter.empty");
}

/** A list of entries; left alone while they are the same, so that a button stays under the pointer. */
function list(selector, entries, contents) {
  const shown = language + JSON.stringify([entries, game.why, game.claim]);
  if (at(selector).dataset.shown === shown) return;
  at(selector).dataset.shown = shown;
  at(selector).hidden = !entries.length;
  at(`${selector} ul`).replaceChildren(...entries.map((each) => item(...contents(each))));
}

function item(...contents) {
  const element = document.createElement("li");
  element.append(...contents);
  return element;
}

function line(words, className = "") {
  return Object.assign(document.createElement("p"), { textContent: words, className });
}

function button(words, order, { ends = false, key = ends && order.do === "uphold" ? "uphold.ends" : order.do } = {}) {
  const title = written(key, { text: words, ...order });
  const element = Object.assign(document.createElement("button"), { type: "button", textContent: words, title });
  element.addEventListener("click", () => give(order, key, ends));
  return element;
}

/** An answer names the claim that waits, so that the decision does too. */
function meant(order) {
  if (!["uphold", "reject"].includes(order.do) || !game.claim) return order;
  const { code, point } = game.claim;
  return { ...order, code, ...(point && { point }) };
}

/** Carries out an order, once it has been said again what it writes if it may end the game. */
async function give(order, key = order.do, ends = false) {
  if (busy) return;
  const by = at("#by").value;
  const given = { ...order, ...(by === "arbiter" ? {} : { by }) };
  if (order.do === "reject" && !at("#cost").hidden && at("#cost input").value) {
    if (!at("#cost input").reportValidity()) return;
    given.ms = parseMs(at("#cost input").value);
  }
  if (ends && !(await isSure(written(key, order), whose(order, by)))) return;
  busy = true;
  tell("", "");
  try {
    const { rulings } = await post("/command", given);
    const refused = rulings.filter((each) => each.ruling === "refused");
    if (refused.length) tell(refused.map((each) => each.why).join(" "), "");
    else tell("", rulings.filter(isAnswer).map((each) => sentence(each, game.decisions)).join("; "));
  } catch (error) {
    tell(error instanceof TypeError ? t("link.unanswered") : error.message, "");
    askAgain();
  } finally {
    busy = false;
  }
}

/** Whether a ruling belongs to the answer: what followed from the first one is on the page. */
function isAnswer({ ruling, code }, i) {
  return i === 0 || ruling === "over" || code === "whose-decision";
}

function tell(why, words) {
  at("#why").textContent = why;
  at("#said").textContent = words;
}

/** Whose decision it is, where somebody else is about to give it [competition rules 2.20, 4.2]. */
function whose({ do: name, kind, decision }, by) {
  if (kind === "disqualification") return by === "organiser" ? "" : t("whose.organiser");
  const chiefs = kind === "loss" || (name === "moved" && ["draw", "replay", "loss"].includes(decision));
  return chiefs && by === "arbiter" ? t("whose.chief") : "";
}

/** Asks once more; Escape and Cancel say no. */
function isSure(words, warning) {
  const dialog = at("#sure");
  at("#sure-what").textContent = words;
  at("#sure-whose").textContent = warning;
  return new Promise((answer) => {
    at("#sure-yes").onclick = () => dialog.close("yes");
    at("#sure-no").onclick = () => dialog.close("no");
    dialog.onclose = () => answer(dialog.returnValue === "yes");
    dialog.returnValue = "";
    dialog.showModal();
  });
}

/** When the board answers no more: the PIN is asked for, if the session has ended. */
async function askAgain() {
  const answer = await fetch("/arbiter.json").catch(() => null);
  if (answer?.status === 401) location.reload();
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
