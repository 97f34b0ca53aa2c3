// The list of moves: number, point, time, and what is known of it. A tap shows the board after that move.

import { t } from "./i18n.js";
import { findings, findingText, pointText } from "./words.js";

/** Milliseconds of a move as `0:07` or `1:02:33`; nothing for a time that is not told yet. */
export function usedText(ms) {
  if (ms === null) return "";
  const s = Math.floor(ms / 1000);
  const [hours, minutes, seconds] = [Math.floor(s / 3600), Math.floor(s / 60) % 60, String(s % 60).padStart(2, "0")];
  return hours ? `${hours}:${String(minutes).padStart(2, "0")}:${seconds}` : `${minutes}:${seconds}`;
}

export class MoveList {
  /** `go(n)` is called for the move that the viewer picks. */
  constructor(host, go) {
    this.host = host;
    this.revealed = null; // what was brought into view; from then on the viewer may scroll as he likes
    host.addEventListener("click", (event) => {
      const item = event.target.closest("li");
      if (item) go([...host.children].indexOf(item) + 1);
    });
  }

  /** Shows all moves of a game, the one at `shown` picked out and in view. */
  show(game, shown) {
    const notes = findings(game);
    while (this.host.childElementCount > game.moves.length) this.host.lastChild.remove();
    game.moves.forEach((move, i) => {
      const cell = { move, used: usedText(move.used_ms), notes: notes.filter(({ n }) => n === move.n).map(noteText) };
      const key = JSON.stringify([cell, pointText(move), t(move.colour)]);
      let item = this.host.children[i];
      if (item?.dataset.key !== key) {
        const fresh = entry(cell);
        fresh.dataset.key = key;
        if (item) item.replaceWith(fresh);
        else this.host.append(fresh);
        item = fresh;
      }
      const current = i + 1 === shown;
      const button = item.firstChild;
      button.tabIndex = current || (!shown && i === 0) ? 0 : -1;
      if (current) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
    });
    const size = `${shown} ${this.host.clientWidth} ${this.host.clientHeight}`;
    if (this.revealed !== size) this.reveal(this.host.children[Math.max(0, shown - 1)], shown);
    this.revealed = size;
  }

  /** Scrolls the list, never the page, until `item` is in view. */
  reveal(item, shown) {
    const { host } = this;
    if (!item || host.scrollHeight <= host.clientHeight) return;
    const edge = item.offsetHeight / 3; // the fading edges of the list
    const [top, bottom] = [item.offsetTop - edge, item.offsetTop + item.offsetHeight + edge];
    if (shown === host.childElementCount) host.scrollTop = host.scrollHeight;
    else if (top < host.scrollTop || bottom > host.scrollTop + host.clientHeight) {
      host.scrollTop = (top + bottom - host.clientHeight) / 2;
    }
  }
}

function entry({ move, used, notes }) {
  const item = document.createElement("li");
  const button = document.createElement("button");
  button.type = "button";
  const label = [t("move", { n: move.n }), t(move.colour), pointText(move), used, ...notes];
  button.setAttribute("aria-label", label.filter(Boolean).join(", "));
  button.append(
    part("disc", String(move.n), move.n < 100 ? move.colour : `${move.colour} long`), part("where", pointText(move)), part("used", used),
    ...notes.map((what) => part("note", what)),
  );
  item.append(button);
  return item;
}

function noteText(finding) {
  return finding.loose ? findingText(finding) : finding.what;
}

function part(name, content, more = "") {
  const element = document.createElement("span");
  element.className = `${name} ${more}`.trim();
  element.textContent = content;
  return element;
}
