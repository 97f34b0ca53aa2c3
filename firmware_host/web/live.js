// The live board: what every spectator may see, and nothing else.

import { Board, pointMm } from "/web/board.js";
import { Clocks } from "/web/clocks.js";
import { follow } from "/web/feed.js";
import { language, languageChoice, speak, t } from "/web/i18n.js";
import { allowanceText, moveText, noteTexts, offerLetter, openingText, playerName, resultTexts, termsText } from "/web/words.js";

const at = (selector) => document.querySelector(selector);

await speak();
const board = new Board(at("#board"), t("board"));
let game = null;
let linked = true;

const clocks = new Clocks((side, { text, tenths }) => {
  const face = at(`#${side} time`);
  face.textContent = text;
  face.nextElementSibling.textContent = tenths;
  face.classList.toggle("hours", text.length > 5);
});

follow("/events", "game", (given) => {
  game = given;
  show();
  clocks.take(game.clock);
}, (up) => {
  linked = up;
  clocks.link(up);
  showLink();
});
languageChoice(at("#languages"), () => game && show());

function show() {
  showBoard();
  showPlayers();
  showCourse();
  showLink();
}

function showBoard() {
  const played = game.moves.filter((move) => move.point);
  const newest = played.at(-1);
  const line = game.result?.line ?? [];
  const stones = played.map((move) => ({
    ...pointMm(move.point),
    colour: move.colour,
    text: String(move.n),
    last: move === newest && !game.offers.length && !line.length,
  }));
  game.offers.forEach((point, i) => {
    if (played.some((move) => move.point === point)) return;
    stones.push({ ...pointMm(point), colour: "black", text: offerLetter(i), offer: true });
  });
  board.show({ stones, line });
  const where = played.map((move) => `${move.n} ${move.point}`).join(", ");
  board.root.setAttribute("aria-label", where ? `${t("board")}: ${where}` : t("board"));
}

function showPlayers() {
  for (const side of ["black", "white"]) {
    const panel = at(`#${side}`);
    const name = playerName(game, side);
    panel.querySelector(".name").textContent = name;
    panel.querySelector(".name").title = name;
    panel.querySelector(".disc").classList.toggle("to-move", game.to_move === side);
    panel.classList.toggle("running", game.clock.running === side);
    panel.classList.toggle("won", game.result?.winner === side);
    panel.querySelector(".score").textContent = game.result ? score(game.result[side]) : "";
    panel.querySelector(".periods").textContent = allowanceText(game.clock[side]);
    panel.querySelector(".periods").classList.toggle("in-use", Boolean(game.clock[side].byo_yomi));
  }
  document.title = `${playerName(game, "black")} – ${playerName(game, "white")}`;
}

function score(points) {
  return points === 0.5 ? "½" : String(points);
}

function showCourse() {
  const { outcome, reason } = resultTexts(game);
  at("#event").textContent = heading();
  at("#outcome").textContent = outcome;
  at("#reason").textContent = reason;
  at("#opening").textContent = openingText(game.opening, language);
  at("#move").textContent = moveText(game);
  at("#notes").replaceChildren(...noteTexts(game).map((words) => {
    const item = document.createElement("li");
    item.textContent = words;
    return item;
  }));
  at("#terms").textContent = termsText(game);
  document.body.dataset.phase = game.phase;
}

function heading() {
  const parts = [game.event, game.round ? t("round", { n: game.round }) : "", game.table ? t("table", { n: game.table }) : ""];
  return parts.filter(Boolean).join(" · ");
}

function showLink() {
  at("#link").textContent = linked ? "" : t("link.lost");
  document.body.classList.toggle("unlinked", !linked);
}
