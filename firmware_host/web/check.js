// What the 225 sensors read, point by point: a stone as large as its reading, and what was found.

import { Board, SIZE, STONE_MM, pointMm, pointName, svg } from "/web/board.js";
import { Devices } from "/web/devices.js";
import { follow } from "/web/feed.js";
import { has, languageChoice, speak, t } from "/web/i18n.js";

const at = (selector) => document.querySelector(selector);
const FULL = { linear: 92, switch: 1 };
const FAINT = 0.06; // readings below this share of a stone's are drawn as a number only
const HEIGHT = (SIZE - 1) * 25;
const POINTS = Array.from({ length: SIZE * SIZE }, (_, i) => pointName(i % SIZE, Math.floor(i / SIZE)));

await speak();
const board = new Board(at("#board"), t("check.board"));
let view = null;
let chosen = null;
const devices = new Devices(at("#devices"), at("footer"));

const cells = POINTS.map((name) => {
  const { x, y } = pointMm(name);
  const disc = svg("circle", { class: "body" });
  const number = svg("text", { dy: "0.36em" });
  const cell = svg("g", { class: "reading", transform: `translate(${x} ${HEIGHT - y})` }, disc, number);
  return { cell, disc, number };
});
board.stones.append(...cells.map(({ cell }) => cell));

follow("/check/events", "check", (given) => {
  view = given;
  show();
}, (up) => {
  at("#link").textContent = up ? "" : t("link.lost");
  document.body.classList.toggle("unlinked", !up);
});
languageChoice(at("#languages"), () => {
  devices.show();
  if (view?.readings) show();
});
board.root.addEventListener("click", (event) => {
  chosen = board.nearest(board.place(event));
  devices.show(chosen);
  if (view?.readings) show();
});

function show() {
  if (!view.readings) return;
  showReadings();
  showMarks();
  showNotes();
}

function showReadings() {
  const linear = view.sensors === "linear";
  view.readings.forEach((value, i) => {
    const { cell, disc, number } = cells[i];
    const share = Math.min(1, Math.abs(value) / FULL[view.sensors]);
    const faint = share < FAINT;
    const colour = value > 0 ? "black" : "white";
    cell.setAttribute("class", `reading stone ${faint ? "faint" : colour}`);
    disc.setAttribute("r", faint ? 0 : ((STONE_MM / 2) * Math.max(0.3, share)).toFixed(1));
    disc.setAttribute("fill", `url(#stone-${colour})`);
    const shown = Math.round(value);
    const worth = faint ? Math.abs(shown) >= 3 : share > 0.55;
    number.textContent = linear && worth ? String(shown) : "";
    number.setAttribute("transform", faint ? "translate(6.4 -5)" : "");
  });
}

function showMarks() {
  const seen = new Set(view.seen);
  const ring = (name, kind, r = STONE_MM / 2 + 0.4) => {
    const { x, y } = pointMm(name);
    return svg("circle", { class: kind, cx: x, cy: HEIGHT - y, r });
  };
  const faulty = new Set(view.findings.filter(({ fails }) => fails).flatMap(pointsOf));
  board.over.replaceChildren(
    ...(view.step === "sweep" ? POINTS.filter((_, i) => !seen.has(i)).map((name) => ring(name, "unseen", 6)) : []),
    ...devices.masked.map((name) => ring(name, "unseen")),
    ...[...faulty].map((name) => ring(name, "fault")),
    ...(view.asked ? [ring(view.asked, "here")] : []),
    ...(chosen ? [ring(chosen, "chosen", STONE_MM / 2 + 1.6)] : []),
  );
}

/** The points of a finding, those of its lines too. */
function pointsOf({ points, lines }) {
  const onLine = (name) => lines.some((line) => (/\d/.test(line) ? name.slice(1) === line : name[0] === line));
  return [...points, ...POINTS.filter(onLine)];
}

function showNotes() {
  at("#step").textContent = t(`check.step.${view.step}`);
  at("#asked").textContent = view.asked
    ? t("check.ask", { colour: t(`check.${view.colour}`), point: view.asked })
    : view.step === "sweep" ? t("check.left", { n: SIZE * SIZE - view.seen.length }) : "";
  at("#rate").textContent = t("check.rate", { n: Math.round(view.frames_per_s) });
  at("#point").textContent = chosen ? pointText() : "";
  at("#findings ul").replaceChildren(...(view.findings.length ? view.findings.map(item) : [nothing()]));
}

function pointText() {
  const i = POINTS.indexOf(chosen);
  const value = view.readings[i].toFixed(view.sensors === "linear" ? 1 : 2);
  return t("check.point", { point: chosen, value, noise: view.noise[i].toFixed(1) });
}

function item({ kind, points, lines, fails }) {
  const element = document.createElement("li");
  element.classList.toggle("fails", fails);
  const where = span("where", [...points, ...lines].join(" · "));
  const remedy = `finding.${kind}.do`;
  element.append(where, span("what", t(`finding.${kind}`)), ...(has(remedy) ? [span("do", t(remedy))] : []));
  return element;
}

function nothing() {
  const element = document.createElement("li");
  element.append(span("where", ""), span("what", t("check.none")));
  return element;
}

function span(kind, words) {
  const element = document.createElement("span");
  element.className = kind;
  element.textContent = words;
  return element;
}
