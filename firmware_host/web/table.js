// The simulated table: the physical stones, the clock with its keys, and what its chips really show.

import { Board } from "/web/board.js";
import { CallKey } from "/web/callkey.js";
import { follow, post } from "/web/feed.js";
import { Hand } from "/web/hand.js";
import { has, language, languageChoice, speak, t } from "/web/i18n.js";
import { Face } from "/web/segments.js";
import { Tone } from "/web/tone.js";
import { choicesOf, moveText, openingText, playerName, resultTexts, stepText, termsText } from "/web/words.js";

const AWAY_MM = 100; // a stone higher than this is in the hand or the bowl

const at = (selector) => document.querySelector(selector);

await speak();
let sim = null;
let game = null;
let chosen = "auto";

const board = new Board(at("#board"), t("board"));
const faces = { near: new Face(at("#face-near"), t("seat.near")), far: new Face(at("#face-far"), t("seat.far")) };
const tone = new Tone();
const act = (given) => send("/sim/hand", given);
const calls = {
  near: new CallKey(at("#call-near"), "near-call", act),
  far: new CallKey(at("#call-far"), "far-call", act),
};
const hand = new Hand(board, { stones: stonesOnBoard, next: nextColour, act, calls });

follow("/sim/events", "sim", (given) => {
  sim = given;
  showTable();
}, showLink);
follow("/arbiter/events", "arbiter", (given) => {
  game = given;
  showGame();
});

for (const seat of ["near", "far"]) {
  at(`#key-${seat}`).addEventListener("click", () => act({ do: "press", key: seat }));
}
at("#sound").addEventListener("click", () => {
  at("#sound").setAttribute("aria-pressed", String(tone.toggle()));
  showTable();
});
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
languageChoice(at("#languages"), () => {
  if (game) showGame();
  if (sim) showTable();
});

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

async function send(url, given) {
  try {
    const { rulings = [] } = await post(url, given);
    at("#why").textContent = rulings.filter((each) => each.ruling === "refused").map((each) => each.why).join(" ");
  } catch (error) {
    at("#why").textContent = error.message;
  }
}

function showTable() {
  if (game) showOrders();
  board.label(Boolean(sim.turned));
  board.show({ stones: stonesOnBoard(), marks: differing() });
  for (const seat of ["near", "far"]) faces[seat].show(sim.faces[seat]);
  const { sounding, frequency_hz: hz, volume } = sim.buzzer;
  tone.set(sounding, hz, volume);
  at("#tone").textContent = sounding ? `${hz} Hz` : t("table.silent");
  at("#sound").textContent = t(tone.on ? "table.mute" : "table.hear");
  at("#buzzer").classList.toggle("sounding", Boolean(sounding));
  for (const colour of ["black", "white"]) {
    const left = { black: 113, white: 112 }[colour] - sim.stones.filter((each) => each.colour === colour).length;
    at(`.bowl.${colour}`).parentElement.querySelector(".count").textContent = left;
  }
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
    key.setAttribute("aria-label", `${t("table.key")}: ${t(`seat.${seat}`)}, ${t(side)}`);
    at(`#call-${seat}`).title = t("table.call.help");
    at(`#call-${seat}`).setAttribute("aria-label", `${t("table.call.key")}: ${t(`seat.${seat}`)}, ${t(side)}`);
  }
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
  const runs = game.phase === "opening" || game.phase === "playing";
  const turn = stepText(game) || (runs && game.to_move ? t("turn", { side: t(game.to_move) }) : "");
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
  const clear = { words: t("order.clear"), does: () => send("/sim/hand", { do: "clear" }) };
  const again = { ...order("start", true), words: t("order.again") };
  const accept = differing().length ? [order("accept_board", true)] : [];
  return {
    waiting: stonesOnBoard().length ? [{ ...clear, main: true }] : [order("start", true)],
    opening: [...accept, order("pause"), ...choices],
    playing: [...accept, order("pause")],
    paused: accept.length ? [...accept, clear] : [order("resume", true)],
    restoring: [order("accept_board", true), clear],
    over: stonesOnBoard().length ? [{ ...clear, main: true }] : [again],
  }[phase] ?? [];
}

function disc(side) {
  return Object.assign(document.createElement("span"), { className: `disc ${side}` });
}

function showLink(up) {
  at("#link").textContent = up ? "" : t("link.lost");
  document.body.classList.toggle("unlinked", !up);
}
