// The live board: what every spectator may see, and nothing else.

import { Board, svg } from "/web/board.js";
import { formatSeconds } from "/web/clocks.js";
import { follow } from "/web/feed.js";
import { language, languageChoice, speak, t } from "/web/i18n.js";
import { MoveList } from "/web/moves.js";
import { panelClocks, showPlayers } from "/web/players.js";
import { lineAt, parseNumbers, Replay, steer, stonesAt } from "/web/replay.js";
import { pageCode, sharing } from "/web/share.js";
import { findings, findingText, moveText, openingText, pointText, resultTexts, termsText } from "/web/words.js";

const CHOICES = ["all", "last10", "last5", "last1", "none"];
const at = (selector) => document.querySelector(selector);
const asked = new URLSearchParams(location.search);

await speak();
const board = new Board(at("#board"), t("board"));
const replay = new Replay(() => show(), /^\d{1,3}$/.test(asked.get("move")) ? Number(asked.get("move")) : null);
const list = new MoveList(at("#moves"), (n) => replay.go(n));
const clocks = panelClocks();
let numbers = parseNumbers(asked.get("numbers")) ?? "all";
let game = null;
let linked = true;
let shownBefore = null;

follow("/events", "game", (given) => {
  game = given;
  replay.take(game);
  show();
  clocks.take(game.clock);
}, (up) => {
  linked = up;
  clocks.link(up);
  showLink();
});
steer(replay, at("#board"));
sharing(at("#share"), at("#sharing"), () => viewQuery(["qr"]));
languageChoice(at("#languages"), () => {
  showNumbers();
  if (game) show();
});
for (const [button, by] of [["#first", -Infinity], ["#back", -1], ["#next", 1]]) {
  at(button).addEventListener("click", () => replay.step(by));
}
at("#slider").addEventListener("input", (event) => replay.go(Number(event.target.value)));
at("#live").addEventListener("click", () => replay.toLive());
at("#numbers").addEventListener("change", (event) => {
  numbers = event.target.value;
  show();
});
addEventListener("resize", () => game && list.show(game, replay.shown));
showNumbers();
if (asked.get("qr") === "1") showCode();

function show() {
  keepView();
  if (!game) return;
  showBoard();
  showPlayers(game);
  showCourse();
  showReplay();
  showLink();
}

function showBoard() {
  const { shown } = replay;
  const arrives = shownBefore !== null && shown === shownBefore + 1;
  shownBefore = shown;
  const stones = stonesAt(game, shown, numbers).map((stone) => ({ ...stone, arrives: arrives && stone.last }));
  const marks = findings(game).filter(({ n, point }) => n === shown && point).map(({ point }) => point);
  board.show({ stones, line: lineAt(game, shown), marks });
  const where = game.moves.slice(0, shown).filter((move) => move.point).map((move) => `${move.n} ${move.point}`).join(", ");
  board.root.setAttribute("aria-label", where ? `${t("board")}: ${where}` : t("board"));
}

function showCourse() {
  const { outcome, reason } = resultTexts(game);
  at("#event").textContent = heading();
  at("#outcome").textContent = outcome;
  at("#reason").textContent = reason;
  at("#opening").textContent = openingText(game.opening, language);
  at("#move").textContent = replay.live ? moveText(game) : replayText();
  at("#notes").replaceChildren(...noteTexts().map((words) => {
    const item = document.createElement("li");
    item.textContent = words;
    return item;
  }));
  const late = game.delay_s ? t("live.delay", { time: formatSeconds(game.delay_s) }) : "";
  at("#terms").textContent = [termsText(game), late].filter(Boolean).join(" · ");
  document.body.dataset.phase = game.phase;
  list.show(game, replay.shown);
}

/** What was found of the move that is shown; live, the newest that is known. */
function noteTexts() {
  const { live, shown } = replay;
  const notes = live ? findings(game).slice(-1) : findings(game).filter(({ n }) => n === shown);
  return notes.map((finding) => {
    if (finding.n !== shown || finding.loose) return findingText(finding);
    const elsewhere = finding.point !== game.moves[shown - 1]?.point && finding.point;
    return [elsewhere, finding.what].filter(Boolean).join(" · ");
  });
}

/** What is shown while the viewer looks back. */
function replayText() {
  const move = game.moves[replay.shown - 1];
  return move ? `${t("replay.at", { n: move.n, of: game.moves.at(-1).n })} · ${pointText(move)}` : t("replay.empty");
}

function showReplay() {
  const { shown, last, live, news } = replay;
  const slider = at("#slider");
  slider.max = last;
  slider.value = shown;
  slider.disabled = !last;
  slider.setAttribute("aria-valuetext", shown ? t("move", { n: shown }) : t("replay.empty"));
  slider.style.setProperty("--done", last ? shown / last : 0);
  at(".marks").setAttribute("viewBox", `0 0 ${Math.max(1, last)} 1`);
  at(".marks").replaceChildren(...findings(game).filter(({ n }) => n).map(({ n }) => svg("path", { d: `M${n} 0v1` })));
  for (const [button, off] of [["#first", !shown], ["#back", !shown], ["#next", live]]) at(button).disabled = off;
  const over = Boolean(game.result);
  const words = live ? (over ? "replay.end" : "replay.live") : over ? "replay.to-end" : "replay.to-live";
  at("#live span").textContent = t(words);
  at("#live small").textContent = news ? t("replay.new", { n: news }) : "";
  at("#live").disabled = live;
  document.body.classList.toggle("back", !live);
}

/** The code of the page in sight of a hall, where nobody can press anything. */
async function showCode() {
  const { picture } = await pageCode();
  if (!picture) return;
  picture.classList.add("code");
  at("#white .time").append(picture);
  document.body.classList.add("with-code");
}

function heading() {
  const parts = [game.event, game.round ? t("round", { n: game.round }) : "", game.table ? t("table", { n: game.table }) : ""];
  return parts.filter(Boolean).join(" · ");
}

function showNumbers() {
  const given = CHOICES.includes(numbers) ? CHOICES : [...CHOICES, numbers];
  at("#numbers").replaceChildren(...given.map((choice) => {
    const words = choice.startsWith("last") ? t("numbers.last", { n: choice.slice(4) }) : t(`numbers.${choice}`);
    return new Option(words, choice, false, choice === numbers);
  }));
}

/** What is looked at, as the query of an address, without what concerns this screen alone. */
function viewQuery(without = []) {
  const view = new URLSearchParams(location.search);
  for (const name of without) view.delete(name);
  const keep = (name, value) => (value === null ? view.delete(name) : view.set(name, value));
  keep("numbers", numbers === "all" ? null : numbers);
  keep("move", replay.live ? null : replay.shown);
  return String(view) && `?${view}`;
}

let keeping = 0;

/** Keeps the view in the address, once the viewer has come to rest: browsers limit how often it may change. */
function keepView() {
  clearTimeout(keeping);
  keeping = setTimeout(() => {
    const query = viewQuery();
    if (query !== location.search) history.replaceState(null, "", location.pathname + query);
  }, 300);
}

function showLink() {
  at("#link").textContent = linked ? "" : t("link.lost");
  document.body.classList.toggle("unlinked", !linked);
}
