// A game that the robot plays through at the simulated table: load it, step, play to the end, stop.

import { t } from "./i18n.js";
import { post } from "./feed.js";

const PACES = [10, 5, 3, 2, 1.2, 0.6, 0.3, 0.1]; // seconds that the robot thinks about a move, slow to quick
const EXAMPLE = "h8 h9 i9 g7 j10 k11 j8 k7 j7 j9 i8 g8 k8 l8 i10 i7 i11 i12 h10 k10 g10 f10 g11 f12 g9 f8 g13 g12 h12 k9 f14";

export class Playthrough {
  /** `at(selector)` finds an element; `tell(sentence)` says what went wrong; `anew()` clears and begins again. */
  constructor({ at, tell, anew }) {
    Object.assign(this, { at, tell, anew });
    this.robot = null;
    this.wants = false; // the form again, while a game is loaded
    at("#load").addEventListener("submit", (event) => {
      event.preventDefault();
      this.load(at("#moves").value);
    });
    at("#file").addEventListener("change", () => this.file(at("#file").files[0]));
    at("#example").addEventListener("click", () => this.load(EXAMPLE));
    at("#games").addEventListener("change", () => this.order({ do: "choose", game: Number(at("#games").value) }));
    at("#previous").addEventListener("click", () => this.order({ do: "previous" }));
    at("#next").addEventListener("click", () => this.order({ do: "next" }));
    at("#play").addEventListener("click", () => this.order({ do: this.robot?.playing ? "stop" : "play" }));
    at("#other").addEventListener("click", () => {
      this.wants = true;
      this.show(this.robot, this.phase);
      at("#moves").focus();
    });
    at("#pace").addEventListener("input", () => this.order({ do: "pace", seconds: PACES[at("#pace").value] }));
    document.addEventListener("dragover", (event) => {
      if (event.dataTransfer.types.includes("Files")) event.preventDefault(); // else a browser would open it
    });
    document.addEventListener("drop", (event) => {
      const [file] = event.dataTransfer.files;
      if (!file) return; // a text, which is the field's
      event.preventDefault();
      this.file(file);
    });
    fetch("/sim/games").then((answer) => answer.json()).then((given) => this.list(given), () => {});
  }

  file(file) {
    if (file) this.load(file, file.name);
  }

  /** Reads a text or a file on the board's machine; its first game is the robot's. */
  async load(content, name = "") {
    if (!content || (typeof content === "string" && !content.trim())) return;
    try {
      const answer = await fetch(`/sim/games?name=${encodeURIComponent(name)}`, { method: "POST", body: content });
      const given = await answer.json();
      if (!answer.ok) throw new Error(given.error);
      this.list(given);
      this.wants = false;
      this.tell("");
      this.show(this.robot, this.phase);
    } catch (error) {
      this.tell(error.message);
    }
    this.at("#file").value = "";
  }

  list({ games, notes }) {
    this.at("#games").replaceChildren(...games.map(({ title, moves }, i) =>
      new Option(`${title || t("table.game.n", { n: i + 1 })} · ${t("table.moves", { n: moves })}`, i)));
    this.at("#games").hidden = games.length < 2;
    this.at("#notes").textContent = notes.slice(0, 3).join(" ");
  }

  async order(given) {
    try {
      await post("/sim/robot", given);
      this.tell("");
    } catch (error) {
      this.tell(error.message);
    }
  }

  /** Shows what the robot has in hand, in a phase of the game. */
  show(robot, phase) {
    this.robot = robot;
    this.phase = phase;
    const loaded = robot && !this.wants;
    this.at("#load").hidden = Boolean(loaded);
    this.at("#player").hidden = !loaded;
    if (!loaded) return;
    const { title, at: lying, moves, next, playing, pace_s: pace, fits, why } = robot;
    const runs = ["opening", "playing"].includes(phase);
    this.at("#game-title").textContent = this.at("#games").hidden ? title || t("table.game.unnamed") : "";
    this.at("#play").textContent = t(playing ? "table.stop" : "table.play");
    this.at("#play").disabled = !playing && (!runs || !fits || lying === moves);
    this.at("#next").disabled = playing || !(runs || phase === "paused") || !fits || lying === moves;
    this.at("#previous").disabled = playing || !lying;
    this.at("#progress").textContent = [t("table.progress", { n: lying, of: moves }), next].filter(Boolean).join(" · ");
    const reason = why || (phase === "waiting" || phase === "over" || !fits ? t(`table.unfit.${fits ? phase : "other"}`) : "");
    if (this.at("#unfit").dataset.shown !== reason) {
      this.at("#unfit").dataset.shown = reason;
      this.at("#unfit").textContent = reason;
      if (!why && reason && phase !== "over") {
        const again = Object.assign(document.createElement("button"), { type: "button", className: "main" });
        again.textContent = t("order.anew");
        again.addEventListener("click", this.anew);
        this.at("#unfit").append(" ", again);
      }
    }
    const nearest = PACES.reduce((best, each, i) => (Math.abs(each - pace) < Math.abs(PACES[best] - pace) ? i : best), 0);
    if (document.activeElement !== this.at("#pace")) this.at("#pace").value = nearest;
    this.at("#pace-shown").textContent = t("seconds", { n: pace });
  }
}
