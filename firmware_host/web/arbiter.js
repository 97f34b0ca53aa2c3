// The arbiter's page: what only the arbiter may know, and the orders that answer it. Nothing here sounds,
// flashes or moves when a forbidden move is found: a bystander must not see it from the arbiter's face.

import { Board, pointMm } from "/web/board.js";
import { Clocks } from "/web/clocks.js";
import { follow, post } from "/web/feed.js";
import { has, language, languageChoice, speak, t } from "/web/i18n.js";
import { choicesOf, moveText, offerLetter, openingText, pointText, resultTexts, stepText, termsText } from "/web/words.js";

const at = (selector) => document.querySelector(selector);

await speak();
const board = new Board(at("#board"), t("board"));
const times = { black: "", white: "" };
let game = null;

const clocks = new Clocks((side, { text, tenths }) => {
  times[side] = text + tenths;
  at("#times").textContent = ["black", "white"]
    .map((each) => `${t(each)} ${times[each]}${game.clock.running === each ? " ←" : ""}`).join("   ");
});

follow("/arbiter/events", "arbiter", (given) => {
  game = given;
  show();
  clocks.take(game.clock);
}, (up) => {
  at("#link").textContent = up ? "" : t("link.lost");
  document.body.classList.toggle("unlinked", !up);
});
languageChoice(at("#languages"), () => game && show());
at("#declare input").addEventListener("input", markDeclared);
at("#declare").addEventListener("submit", (event) => {
  event.preventDefault();
  give({ do: "opening", offers: at("#declare input").valueAsNumber });
});

function show() {
  const played = game.moves.filter((move) => move.point);
  board.show({
    stones: [
      ...played.map((move) => ({
        ...pointMm(move.point), colour: move.colour, text: String(move.n), last: move === played.at(-1),
      })),
      ...game.offers.map((point, i) => ({
        ...pointMm(point), colour: "black", text: offerLetter(i), offer: true, point,
      })).filter(({ point }) => game.offers_left.includes(point)),
    ],
    line: game.result?.line ?? [],
    marks: game.differences.map((each) => each.point).filter(Boolean),
  });
  const { outcome, reason } = resultTexts(game);
  at("#status").textContent = [
    outcome ? `${outcome} · ${reason}` : moveText(game),
    game.why && has(`why.${game.why}`) ? t(`why.${game.why}`) : game.why,
    stepText(game),
    openingText(game.opening, language),
  ].filter(Boolean).join(" · ");
  at("#terms").textContent = termsText(game);
  list("#orders", orders(), ({ words, order, main, cannot }) => {
    const element = button(words ?? t(`order.${order.do}`), order);
    element.classList.toggle("main", Boolean(main));
    if (cannot) Object.assign(element, { disabled: true, title: t(cannot) });
    return [element];
  });
  showDeclare();
  list("#claimable", game.claimable, (each) => [
    `${sentence(each)}  `,
    ...["uphold", "reject", "waive"].map((name) =>
      button(t(`order.${name}`), { do: name, code: each.kind ?? each.code, ...(each.point ? { point: each.point } : {}) })),
  ]);
  list("#differences", game.differences, (each) => [
    t("arbiter.differs", { point: each.point, record: stoneName(each.record), seen: stoneName(each.seen) }),
  ]);
  list("#faults", [...game.faults, ...(game.notes ?? []), ...game.masked.map((point) => ({ code: "masked", point }))],
    (each) => [sentence(each)]);
  list("#told", game.told.toReversed(), (each) => [sentence(each)]);
  at("#moves").hidden = !game.moves.length;
  at("#moves ol").replaceChildren(...game.moves.map(({ n, point, missing, colour, used_ms: used }) =>
    item(`${n}  ${pointText({ point, missing })}  ${t(colour)}${used === null ? "" : `  ${(used / 1000).toFixed(1)} s`}`)));
}

/** What can be ordered in this phase, the most likely first; `cannot` says why one must wait. */
function orders() {
  const order = (name, more) => ({ order: { do: name }, ...more });
  const differ = game.differences.length > 0;
  const cannot = differ || game.phase === "restoring" ? "cannot.differs" : null;
  const playing = [
    ...(differ ? [order("accept_board")] : []), order("pause"), ...choicesOf(game),
  ];
  if (game.why === "claim") return [order("uphold"), order("reject")]; // they answer the claim that waits
  return {
    waiting: [order("start", { main: true })],
    opening: playing,
    playing,
    paused: [order("resume", { main: !cannot, cannot }), ...(differ ? [order("restore"), order("accept_board")] : [])],
    restoring: [order("resume", { cannot }), order("accept_board")],
    over: [order("start", { words: t("order.again") })],
  }[game.phase] ?? [];
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
}

/** One entry in words: what, whose, where, why. Names that the catalogue lacks stand as they are. */
function sentence(each) {
  if (typeof each === "string") return each;
  if (each.ruling === "choose") return t(`choose.${each.branch}`, { side: t(each.side) });
  const { ruling, code, kind, side, n, point, rest, why, text, do: order } = each;
  const name = (word) => {
    const key = word && ["forbidden", "irregular", "told", "why"].map((group) => `${group}.${word}`).find(has);
    return key ? t(key) : word;
  };
  return [
    ruling !== "told" && name(ruling), name(kind ?? code), order, side && t(side), n && t("move", { n }),
    rest && point ? t(code === "first-not-tengen" ? "arbiter.lies" : "arbiter.moved", { point, rest }) : point,
    name(why), text,
  ].filter(Boolean).join(" · ");
}

function stoneName(colour) {
  return colour ? t(colour) : t("arbiter.empty");
}

/** A list of entries; left alone while they are the same, so that a button stays under the pointer. */
function list(selector, entries, contents) {
  const shown = language + JSON.stringify(entries);
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

function button(words, order) {
  const element = Object.assign(document.createElement("button"), { type: "button", textContent: words });
  element.addEventListener("click", () => give(order));
  return element;
}

async function give(order) {
  try {
    const { rulings } = await post("/command", order);
    at("#why").textContent = rulings.filter((each) => each.ruling === "refused").map((each) => each.why).join(" ");
  } catch (error) {
    at("#why").textContent = error.message;
  }
}
