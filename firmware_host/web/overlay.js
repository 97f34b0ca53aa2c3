// The board and the clocks on a transparent ground, to be laid over a picture. Nothing here can be pressed.

import { Board } from "./board.js";
import { follow } from "./feed.js";
import { LANGUAGES, speak, t } from "./i18n.js";
import { panelClocks, showPlayers } from "./players.js";
import { lineAt, parseNumbers, stonesAt } from "./replay.js";

const SHOWN = ["both", "board", "clocks"];
const PARAMETERS = ["board", "lang", "numbers", "show"];
const LONGEST = 40; // characters of a wrong value that are repeated

const at = (selector) => document.querySelector(selector);
const asked = new URLSearchParams(location.search);
const told = [];

await speak(LANGUAGES.includes(asked.get("lang")) ? asked.get("lang") : undefined);
for (const name of new Set(asked.keys())) {
  if (!PARAMETERS.includes(name)) told.push(t("overlay.unknown", { name: short(name), allowed: PARAMETERS.join(", ") }));
}
chosen("lang", (tag) => LANGUAGES.includes(tag), document.documentElement.lang.slice(0, 2), LANGUAGES.join(", "));
const numbers = chosen("numbers", parseNumbers, "all", "all, none, last1 … last225");
document.body.dataset.show = chosen("show", (what) => SHOWN.includes(what), "both", SHOWN.join(", "));

const board = new Board(at("#board"), t("board"));
const clocks = panelClocks();
let before = null;

follow("/events", "game", (game) => {
  const { id, moves } = game;
  const stones = stonesAt(game, moves.length, numbers);
  const arrives = before?.id === id && moves.length === before.moves.length + 1;
  board.show({ stones: stones.map((each) => ({ ...each, arrives: arrives && each.last })), line: lineAt(game, moves.length) });
  showPlayers(game);
  clocks.take(game.clock);
  document.body.dataset.phase = game.phase;
  before = game;
  showTold(game);
}, (up) => {
  clocks.link(up);
  document.body.classList.toggle("unlinked", !up);
});
showTold(null);

/** The value of a parameter; of one that `fits` not, that is told, and it is `otherwise`. */
function chosen(name, fits, otherwise, allowed) {
  const value = asked.get(name);
  if (value === null) return otherwise;
  if (fits(value)) return value;
  told.push(t("overlay.wrong", { name, value: short(value), allowed, used: otherwise }));
  return otherwise;
}

/** What is wrong with the address of this overlay; it stays until the address is put right. */
function showTold(game) {
  const wanted = asked.get("board");
  const other = game && wanted !== null && wanted !== game.table;
  const texts = other ? [...told, t("overlay.board", { wanted: short(wanted), table: game.table })] : told;
  at("#told").replaceChildren(...texts.map((words) => {
    const item = document.createElement("li");
    item.textContent = words;
    return item;
  }));
}

function short(text) {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
