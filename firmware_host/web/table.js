// The simulated table: the physical stones, the clock with its keys, and what its chips really show.

import { Board } from "/web/board.js";
import { Breakage } from "/web/breakage.js";
import { CallKey } from "/web/callkey.js";
import { follow, post } from "/web/feed.js";
import { Hand } from "/web/hand.js";
import { has, language, languageChoice, speak, t } from "/web/i18n.js";
import { Playthrough } from "/web/playthrough.js";
import { Face } from "/web/segments.js";
import { StoneMenu } from "/web/stonemenu.js";
import { Tone } from "/web/tone.js";
import { choicesOf, moveText, openingText, playerName, resultTexts, stepText, termsText } from "/web/words.js";

const AWAY_MM = 100; // a stone higher than this is in the hand or the bowl
const HEARD_MS = 400; // a tone is to be seen for at least so long
const EMPTY_MS = 8000; // by then the sensors have seen that nothing lies there any more
const RUNS = ["opening", "playing"];

const at = (selector) => document.querySelector(selector);

await speak();
let sim = null;
let game = null;
let chosen = "auto";
let armedBy = null;
let silence = 0;

const board = new Board(at("#board"), t("board"));
const faces = { near: new Face(at("#face-near"), t("seat.near")), far: new Face(at("#face-far"), t("seat.far")) };
const tone = new Tone();
const act = (given) => send("/sim/hand", given);
const calls = {
  near: new CallKey(at("#call-near"), "near-call", act),
  far: new CallKey(at("#call-far"), "far-call", act),
};
const menu = new StoneMenu(at("#board"), board, [
  { words: () => t("table.lift"), does: (point) => act({ do: "lift", point }) },
  { words: () => t("table.adjust"), does: (point) => act({ do: "adjust", point }) },
  { words: () => t("table.carry"), does: (point) => arm(t("table.aim.carry"), (to) => to !== point && act({ do: "move", from: point, to })) },
]);
const hand = new Hand(board, { stones: stonesOnBoard, next: nextColour, act, calls, menu });
const breakage = new Breakage({
  switches: at("#breakables"), chips: at("#broken"), count: at("#fault-count"), board, arm,
  send: (given) => send("/sim/fault", given),
});
const playthrough = new Playthrough({ at, tell: (words) => (at("#why").textContent = words), anew: beginAnew });

follow("/sim/events", "sim", (given) => {
  sim = given;
  showTable();
}, showLink);
follow("/arbiter/events", "arbiter", (given) => {
  game = given;
  showGame();
});

for (const key of ["near", "far", "arbiter"]) {
  at(`#key-${key}`).addEventListener("click", () => act({ do: "press", key }));
}
at("#sound").addEventListener("click", () => {
  at("#sound").setAttribute("aria-pressed", String(tone.toggle()));
  at("#sound").textContent = t(tone.on ? "table.mute" : "table.hear");
});
at("#drop").addEventListener("click", () =>
  arm(t("table.aim.drop"), (point) => act({ do: "drop", point, colour: nextColour() }), at("#drop")));
at("#sweep").addEventListener("click", () =>
  arm(t("table.aim.sweep"), (from, to) => act({ do: "sweep", from, to }), at("#sweep"), true));
at("#clear").addEventListener("click", () => act({ do: "clear" }));
at("#disarm").addEventListener("click", () => hand.armed?.done());
for (const choice of ["auto", "black", "white"]) {
  const label = document.createElement("label");
  const input = Object.assign(document.createElement("input"), { type: "radio", name: "stone", value: choice });
  input.checked = choice === chosen;
  input.addEventListener("change", () => (chosen = choice));
  const bowl = Object.assign(document.createElement("span"), { className: `bowl ${choice}` });
  const name = document.createElement("span");
  name.dataset.t = `table.${choice}`;
  name.textContent = t(name.dataset.t);
  const count = Object.assign(document.createElement("span"), { className: "count" });
  label.append(input, bowl, name, " ", count);
  at("#bowls").append(label);
}
const tabs = [...at("#tabs").children];
for (const tab of tabs) {
  tab.addEventListener("click", () => openTab(tab));
  tab.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step) openTab(tabs.at((tabs.indexOf(tab) + step) % tabs.length), true);
  });
}
openTab(tabs[0]);
languageChoice(at("#languages"), () => {
  at("#sound").textContent = t(tone.on ? "table.mute" : "table.hear");
  if (game) showGame();
  if (sim) showTable();
});
at("#sound").textContent = t("table.hear");
at("#tone").textContent = t("table.silent");
at("#disarm").setAttribute("aria-label", t("table.disarm"));

function openTab(chosenTab, focus = false) {
  for (const tab of tabs) {
    const isOpen = tab === chosenTab;
    tab.setAttribute("aria-selected", String(isOpen));
    tab.tabIndex = isOpen ? 0 : -1;
    at(`#${tab.getAttribute("aria-controls")}`).hidden = !isOpen;
  }
  if (focus) chosenTab.focus();
}

/**
 * Lets the next tap on the board mean something else, once; `words` say what is waited for. `button`, which asked
 * for it, takes it back when it is pressed again; with `drags` a way over the board is meant.
 */
function arm(words, tap, button = null, drags = false) {
  const again = button && armedBy === button;
  hand.armed?.done();
  if (again) return;
  armedBy = button;
  button?.setAttribute("aria-pressed", "true");
  const done = () => {
    if (button?.hasAttribute("aria-pressed")) button.setAttribute("aria-pressed", "false");
    armedBy = null;
    at("#armed").hidden = true;
    hand.arm(null);
  };
  at("#armed-words").textContent = words;
  at("#armed").hidden = false;
  hand.arm({ tap, drags, done });
  board.root.scrollIntoView({ block: "nearest" });
  board.root.focus({ preventScroll: true });
}

/** Stones as the board draws them; millimetres from the lower left intersection as seen from the near seat. */
function stonesOnBoard() {
  return (sim?.stones ?? [])
    .filter((each) => each.height_mm < AWAY_MM)
    .map(({ x_mm, y_mm, height_mm, colour }) => ({ x: x_mm, y: y_mm, height: height_mm, colour }));
}

/** The stone that a player would take now: the set-up alternates, fifths on offer are answered by White. */
function nextColour() {
  if (chosen !== "auto") return chosen;
  const stones = stonesOnBoard();
  const black = stones.filter((each) => each.colour === "black").length;
  const newest = game?.moves.at(-1);
  if (game?.offers.length) return "white";
  if (!newest || game.moves.length < 3) return black > stones.length - black ? "white" : "black";
  return newest.colour === "black" ? "white" : "black";
}

/** Sends an order; gives whether it was obeyed, and says why if it was not. */
async function send(url, given) {
  try {
    const { rulings = [] } = await post(url, given);
    const refused = rulings.filter((each) => each.ruling === "refused").map((each) => each.why);
    at("#why").textContent = refused.join(" ");
    return !refused.length;
  } catch (error) {
    at("#why").textContent = error instanceof TypeError ? t("link.lost") : error.message;
    return false;
  }
}

/** An empty board and a new game, whatever was there; a game that runs ends without a winner, once confirmed. */
async function beginAnew() {
  const ends = [...RUNS, "paused", "restoring"].includes(game.phase);
  if (ends && !(await isSure(t("table.sure"), t("order.afresh")))) return;
  const isEmpty = async () => !/[^.]/.test((await (await fetch("/arbiter.json")).json()).sensed);
  if (sim.robot?.playing) await send("/sim/robot", { do: "stop" });
  if (ends && !(await send("/command", { do: "result", black: 0, white: 0, reason: t("table.ended") }))) return;
  if (stonesOnBoard().length && !(await act({ do: "clear" }))) return;
  const until = performance.now() + EMPTY_MS;
  while (!(await isEmpty()) && performance.now() < until) await new Promise((later) => setTimeout(later, 100));
  await send("/command", { do: "start" });
}

/** Asks once more; Escape and the first button say no. */
function isSure(words, yes) {
  const dialog = at("#sure");
  at("#sure-what").textContent = words;
  at("#sure-yes").textContent = yes;
  return new Promise((answer) => {
    at("#sure-yes").onclick = () => dialog.close("yes");
    at("#sure-no").onclick = () => dialog.close("no");
    dialog.onclose = () => answer(dialog.returnValue === "yes");
    dialog.returnValue = "";
    dialog.showModal();
  });
}

function showTable() {
  if (game) showOrders();
  board.label(Boolean(sim.turned));
  board.show({ stones: stonesOnBoard(), marks: differing() });
  hand.seen();
  for (const seat of ["near", "far"]) faces[seat].show(sim.faces[seat]);
  showBuzzer();
  for (const colour of ["black", "white"]) {
    const left = { black: 113, white: 112 }[colour] - sim.stones.filter((each) => each.colour === colour).length;
    at(`.bowl.${colour}`).parentElement.querySelector(".count").textContent = left;
  }
  at("#clear").disabled = !stonesOnBoard().length;
  breakage.show(sim);
  playthrough.show(sim.robot, game?.phase);
}

/** The newest tone, for as long as it sounds or can be read. */
function showBuzzer() {
  const newest = tone.follow(sim.buzzer).at(-1);
  const { sounding, frequency_hz: hz } = sim.buzzer;
  if (!newest && !sounding) return;
  at("#tone").textContent = `${newest?.frequency_hz ?? hz} Hz`;
  at("#buzzer").classList.add("sounding");
  clearTimeout(silence);
  silence = setTimeout(() => {
    at("#tone").textContent = t("table.silent");
    at("#buzzer").classList.remove("sounding");
  }, Math.max(HEARD_MS, newest?.duration_ms ?? 0));
}

function differing() {
  return (game?.differences ?? []).map((each) => each.point);
}

function showGame() {
  at("#status").textContent = statusText();
  at("#terms").textContent = termsText(game);
  showOrders();
  for (const seat of ["near", "far"]) {
    const side = game.players.black.seat === seat ? "black" : "white";
    const key = at(`#key-${seat}`);
    key.replaceChildren(disc(side), ` ${playerName(game, side)}`);
    key.classList.toggle("due", game.clock.running === side);
    key.setAttribute("aria-label", `${t("table.key")}: ${t(`seat.${seat}`)}, ${t(side)}`);
    at(`#call-${seat}`).title = t("table.call.help");
    at(`#call-${seat}`).setAttribute("aria-label", `${t("table.call.key")}: ${t(`seat.${seat}`)}, ${t(side)}`);
  }
  at("#key-arbiter").title = t("table.arbiter.key.help");
  if (sim) showTable();
}

function statusText() {
  const differ = differing().length;
  if (differ) {
    const stands = ["paused", "restoring"].includes(game.phase) && t("phase.paused");
    return [stands, t("table.restoring", { n: differ })].filter(Boolean).join(" · ");
  }
  const { outcome, reason } = resultTexts(game);
  if (outcome) return `${outcome} · ${reason}`;
  const turn = stepText(game) || (RUNS.includes(game.phase) && game.to_move ? t("turn", { side: t(game.to_move) }) : "");
  const why = has(`why.${game.why}`) ? t(`why.${game.why}`) : "";
  const parts = [moveText(game), why, turn, openingText(game.opening, language)];
  return [...new Set(parts.filter(Boolean))].join(" · ");
}

/** The buttons of the phase; left alone while they are the same, so that they keep the focus. */
function showOrders() {
  const wanted = orders(game.phase);
  const shown = wanted.map(({ words }) => words).join("|");
  if (at("#orders").dataset.shown === shown) return;
  at("#orders").dataset.shown = shown;
  at("#orders").replaceChildren(...wanted.map(({ does, words, main }) => {
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: words });
    button.classList.toggle("main", Boolean(main));
    button.addEventListener("click", does);
    return button;
  }));
}

/** What can be asked for in a phase, the most likely first. */
function orders(phase) {
  const order = (name, main) => ({
    words: t(`order.${name}`), main, does: () => send("/command", { do: name }),
  });
  const choices = choicesOf(game).filter(({ branch }) => branch !== "keep") // to play on is to keep
    .map(({ words, order: command }) => ({ words, does: () => send("/command", command) }));
  const lying = stonesOnBoard().length > 0;
  const anew = (words, main) => ({ words: t(words), main, does: beginAnew });
  const accept = differing().length ? [order("accept_board", true)] : [];
  const again = lying || game.moves.length ? [anew("order.afresh")] : [];
  return {
    waiting: lying ? [anew("order.anew", true), order("start")] : [order("start", true)],
    opening: [...accept, ...choices, order("pause"), ...again],
    playing: [...accept, order("pause"), ...again],
    paused: [...accept, ...(accept.length ? [] : [order("resume", true)]), ...again],
    restoring: [order("accept_board", true), ...again],
    over: [anew(lying ? "order.anew" : "order.new", true)],
  }[phase] ?? [];
}

function disc(side) {
  return Object.assign(document.createElement("span"), { className: `disc ${side}` });
}

function showLink(up) {
  at("#link").textContent = up ? "" : t("link.lost");
  document.body.classList.toggle("unlinked", !up);
}
