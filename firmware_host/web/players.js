// The two players of a page: name, score, what is left beside the time, and the time itself.

import { Clocks } from "./clocks.js";
import { allowanceText, playerName } from "./words.js";

const SIDES = ["black", "white"];
const panel = (side) => document.querySelector(`#${side}`);

/** Clocks that write into the page's two panels. */
export function panelClocks() {
  return new Clocks((side, { text, tenths }) => {
    const face = panel(side).querySelector("time");
    face.textContent = text;
    face.nextElementSibling.textContent = tenths;
    face.classList.toggle("hours", text.length > 5);
  });
}

/** Shows who plays, who runs, who has won, and names the page after them. */
export function showPlayers(game) {
  for (const side of SIDES) {
    const part = (name) => panel(side).querySelector(name);
    const name = playerName(game, side);
    part(".name").textContent = name;
    part(".name").title = name;
    part(".disc").classList.toggle("to-move", game.to_move === side);
    part(".score").textContent = game.result ? scoreText(game.result[side]) : "";
    part(".periods").textContent = allowanceText(game.clock[side]);
    part(".periods").classList.toggle("in-use", Boolean(game.clock[side].byo_yomi));
    panel(side).classList.toggle("running", game.clock.running === side);
    panel(side).classList.toggle("won", game.result?.winner === side);
  }
  document.title = SIDES.map((side) => playerName(game, side)).join(" – ");
}

function scoreText(points) {
  return points === 0.5 ? "½" : String(points);
}
