// A new game: its fields hold what was played last, so that a round begins with one tap. What a field may
// hold is known to the board alone: it is asked while something is typed, and says what is wrong and where.

import { follow, post } from "/web/feed.js";
import { language, languageChoice, speak, t } from "/web/i18n.js";

const at = (selector) => document.querySelector(selector);
const SIDES = ["black", "white"];
const ABOUT = { id: "new.id", federation: "new.federation", rating: "new.rating", title: "new.grade" };
const WHERE = { event: "sheet.event", round: "sheet.round", name: "sheet.table", place: "sheet.place", arbiter: "sheet.arbiter" };
const NUMBERS = ["table.round", "table.black_rating", "table.white_rating", "match.offers"];
const WRONG = {
  "table.name": "table", "table.round": "round", "table.black_rating": "rating", "table.white_rating": "rating",
  "match.offers": "offers", "match.time": "time", "match.late": "time",
};
const OWN = "own";
const PAUSE_MS = 150; // so long after the last key the board is asked

await speak();
const form = await (await fetch("/arbiter/new.json", { cache: "no-store" })).json();
const fields = new Map(); // a setting's key -> its input, select or group of radio buttons
let opening = ""; // the one at hand, so that its own defaults can be told from what was chosen
let own = false; // whether the time control is written out
let board = ""; // what the table was doing, and what lay there, when it was asked last
let sending = false;
let asked = 0;
let waiting = 0;
let told = form;

build();
fill(form.values);
show();
languageChoice(at("#languages"), () => {
  const typed = values();
  build();
  fill(typed);
  show();
});
at("#start").addEventListener("click", () => begin(false));
at("#wait").addEventListener("click", () => begin(true));
at("#stop").addEventListener("click", stopClocks);
follow("/arbiter/events", "arbiter", ({ phase, moves, sensed }) => {
  const seen = JSON.stringify([phase, moves.length, sensed]);
  if (seen !== board) check();
  board = seen;
}, (up) => {
  at("#link").textContent = up ? "" : t("link.lost");
});
if (new URLSearchParams(location.search).has("exchanged")) exchange();

function build() {
  fields.clear();
  at("#players").replaceChildren(player("black"), exchangeButton(), player("white"));
  at("#where").replaceChildren(
    ...Object.entries(WHERE).map(([name, words]) => field(`table.${name}`, t(words))),
  );
  at("#procedures").replaceChildren(...form.procedures.map(procedure));
  fields.set("match.opening", {
    get value() {
      return at("#procedures input:checked")?.value ?? "";
    },
    set value(name) {
      for (const radio of at("#procedures").querySelectorAll("input")) radio.checked = radio.value === name;
    },
  });
  at("#offers").replaceChildren(field("match.offers", t("new.offers")), element("p", "help", "", { id: "offers-range" }));
  at("#control").replaceChildren(
    ...form.controls.map(({ text, words }) => new Option(words[language], text)), new Option(t("new.control.own"), OWN),
  );
  at("#own").replaceChildren(
    field("match.time", t("new.own")), element("p", "said", "", { id: "said", role: "status" }), element("p", "help", t("new.time.help")),
  );
  at("#settings").replaceChildren(...form.settings.map(setting));
  for (const [key, input] of fields) {
    if (input instanceof Element) input.addEventListener("input", () => changed(key));
  }
  at("#procedures").oninput = () => changed("match.opening");
  at("#control").oninput = chooseControl;
}

/** A usual time control is taken as it is; for another one the field to write it in appears. */
function chooseControl() {
  const { value } = at("#control");
  const time = fields.get("match.time");
  own = value === OWN;
  if (!own) time.value = value;
  changed("match.time");
  if (own) time.select();
}

function player(side) {
  const about = element("details", "about", "", { open: at(`#party-${side} details`)?.open ?? false },
    element("summary", "", ""), element("div", "grid", "", {},
      ...Object.entries(ABOUT).map(([name, words]) => field(`table.${side}_${name}`, t(words)))));
  const here = element("input", "", "", { type: "checkbox", id: `here-${side}`, checked: at(`#here-${side}`)?.checked ?? true });
  here.addEventListener("change", show);
  const name = field(`table.${side}`, t("new.name"));
  name.querySelector("input").placeholder = t("new.name");
  const group = element("div", "party", "", { id: `party-${side}` },
    element("div", "head", "", {},
      element("h2", "", "", { id: `side-${side}` }, element("span", `disc ${side}`), t(side)),
      element("span", "seat soft"),
      element("label", "here", "", {}, here, t("new.here"))),
    name,
    about);
  group.setAttribute("role", "group");
  group.setAttribute("aria-labelledby", `side-${side}`);
  return group;
}

function exchangeButton() {
  const button = element("button", "exchange", `⇅ ${t("new.exchange")}`, { type: "button", id: "exchange" });
  button.addEventListener("click", exchange);
  return button;
}

function procedure({ name }) {
  const radio = element("input", "", "", { type: "radio", name: "match.opening", value: name });
  return element("label", "procedure", "", {}, radio,
    element("span", "", "", {}, element("strong", "", t(`procedure.${name}`)), element("span", "soft", t(`new.opening.${name}`))));
}

function setting({ key, choices, default: usual }) {
  const name = key.replace("match.", "");
  const said = (value) => (choices.length ? t(`new.set.${name}.${value}`) : value);
  const row = choices.length
    ? field(key, t(`new.set.${name}`), element("select", "", "", {}, ...choices.map((each) => new Option(said(each), each))))
    : field(key, t(`new.set.${name}`));
  if (!choices.length) row.append(element("p", "said", "", { id: `said-${name}` }));
  row.append(element("p", "help", t(`new.why.${name}`)),
    element("p", "help usual", t("new.default", { value: said(usual) })));
  return row;
}

/** A labelled field with room for what is wrong in it. */
function field(key, words, input = element("input")) {
  const id = key.replace(".", "-");
  Object.assign(input, { id, name: key });
  if (NUMBERS.includes(key)) input.inputMode = "numeric";
  input.setAttribute("aria-describedby", `${id}-wrong`);
  fields.set(key, input);
  return element("div", "field", "", { id: `field-${id}` },
    element("label", "", words, { htmlFor: id }), input, element("p", "wrong", "", { id: `${id}-wrong` }));
}

function element(name, className = "", words = "", more = {}, ...inside) {
  const made = Object.assign(document.createElement(name), { className, ...more });
  made.append(...(words ? [words] : []), ...inside);
  return made;
}

function values() {
  return Object.fromEntries([...fields].map(([key, { value }]) => [key, value]));
}

function fill(given) {
  for (const [key, value] of Object.entries(given)) {
    const input = fields.get(key);
    if (input) input.value = value;
  }
  opening = fields.get("match.opening").value;
  own = !form.controls.some(({ text }) => text === fields.get("match.time").value);
}

function changed(key) {
  if (key === "match.opening") takeDefaults();
  clearTimeout(waiting);
  waiting = setTimeout(check, PAUSE_MS);
  show();
}

/** Another opening has its own default for forbidden moves; what was chosen otherwise stays. */
function takeDefaults() {
  const named = (name) => form.procedures.find((each) => each.name === name);
  const before = named(opening);
  const forbidden = fields.get("match.forbidden");
  opening = fields.get("match.opening").value;
  if (before && forbidden.value === before.forbidden) forbidden.value = named(opening).forbidden;
}

/** Asks the board what it makes of the fields; only the answer to the newest question counts. */
async function check() {
  const number = ++asked;
  const given = await post("/arbiter/new/check", { values: values() }).catch(() => ({}));
  if (number === asked) take(given);
}

function take(given) {
  told = { ...told, ...given };
  show();
}

async function exchange() {
  clearTimeout(waiting);
  const given = await post("/arbiter/new/check", { values: values(), exchange: true }).catch(() => null);
  if (!given) return;
  asked++;
  fill(given.values);
  const here = SIDES.map((side) => at(`#here-${side}`).checked);
  SIDES.forEach((side, i) => (at(`#here-${side}`).checked = here[1 - i]));
  take(given);
}

async function begin(wait) {
  clearTimeout(waiting);
  asked++;
  sending = true;
  at("#why").textContent = "";
  show();
  try {
    await post("/arbiter/new", { values: values(), wait, absent: absent() || null, by: official() });
    location.href = "/arbiter";
  } catch (error) {
    sending = false;
    await check();
    at("#why").textContent = refusal(error);
  }
}

/** Why no game was begun; leads to the first field that has something wrong. */
function refusal(error) {
  if (error instanceof TypeError) return t("link.unanswered");
  const wrong = at(".wrong:not(:empty)");
  if (!wrong) return told.busy ? t("new.refused") : error.message;
  for (let fold = wrong.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
  wrong.closest(".field").querySelector("input, select").focus();
  return t("new.wrong");
}

/** Stops the clocks of a game in which nobody has moved, so that this one can take its place. */
async function stopClocks() {
  const by = official();
  await post("/command", { do: "pause", ...(by && { by }) }).catch((error) => (at("#why").textContent = error.message));
  check();
}

function absent() {
  const away = SIDES.filter((side) => !at(`#here-${side}`).checked);
  return away.length === 2 ? "both" : away[0] ?? "";
}

/** Who the console says is here. */
function official() {
  try {
    return localStorage.getItem("official");
  } catch {
    return null; // a browser that keeps nothing for pages
  }
}

function show() {
  const { busy, stones } = told;
  at("#busy").textContent = busy && t(`new.busy.${busy}`);
  at("#stop").hidden = busy !== "untouched";
  at("#stones").textContent = stones && !busy ? t("new.stones", { n: stones }) : "";
  for (const name of ["#start", "#wait"]) at(name).disabled = sending || Boolean(busy);
  at("#wait").title = t("new.wait.why");
  for (const side of SIDES) showPlayer(side);
  showOpening();
  showTime();
  showSettings();
  for (const [key, input] of fields) if (input instanceof Element) showWrong(key, input);
  at("#summary").textContent = summary();
}

function showPlayer(side) {
  const black = fields.get("match.black_sits").value;
  const seat = side === "black" ? black : black === "near" ? "far" : "near";
  at(`#party-${side} .seat`).textContent = t(`seat.${seat}`);
  const about = Object.keys(ABOUT).map((name) => fields.get(`table.${side}_${name}`).value).filter(Boolean);
  at(`#party-${side} summary`).textContent = about.join(" · ") || t("new.about");
}

function showOpening() {
  const name = fields.get("match.opening").value;
  const offers = offersOf(name);
  at("#opening").replaceChildren(element("strong", "", t(`procedure.${name}`)), element("span", "soft", t(`new.opening.${name}`)));
  at("#offers").hidden = !offers;
  if (offers) at("#offers-range").textContent = t("new.offers.range", { from: offers[0], to: offers[1] });
}

function showTime() {
  at("#control").value = own ? OWN : fields.get("match.time").value;
  at("#own").hidden = !own;
  at("#said").textContent = inWords("match.time");
  at("#said-late").textContent = inWords("match.late");
}

/** A time in words, as the board read it. */
function inWords(key) {
  return told.words[key]?.[language] ?? "";
}

function showSettings() {
  let n = 0;
  for (const { key, default: usual } of form.settings) {
    const input = fields.get(key);
    const other = input.value !== usual;
    input.closest(".field").classList.toggle("changed", other);
    n += other;
  }
  at("#changed").textContent = n ? t("new.more.changed", { n }) : "";
}

function showWrong(key, input) {
  const wrong = told.errors[key];
  at(`#${input.id}-wrong`).textContent = wrong ? wrongText(key, input.value, wrong) : "";
  input.setAttribute("aria-invalid", String(Boolean(wrong)));
}

/** What is wrong in a field; of a time the place that cannot be read, and in the parser's language why. */
function wrongText(key, text, { at: place, why, sentence }) {
  const kind = WRONG[key] ?? (/_(id|federation|title)$/.test(key) ? "label" : "name");
  if (key.startsWith("match.") && !WRONG[key]) return sentence;
  const [from, to] = offersOf(opening) ?? [];
  const rest = place && text.trim().slice(place - 1, place + 7);
  const words = t(`new.wrong.${kind}${place && !rest ? ".end" : ""}`, { at: place, rest, from, to });
  return place && language === "en" ? `${words}: ${why}` : words;
}

/** What N may be, where the players name it. */
function offersOf(name) {
  return form.procedures.find((each) => each.name === name)?.offers;
}

/** What is about to begin, in one line. */
function summary() {
  const names = SIDES.map((side) => fields.get(`table.${side}`).value.trim() || t(side)).join(" – ");
  const away = absent();
  return [
    names, t(`procedure.${opening}`), inWords("match.time"), away && t(`writes.start.${away}`),
  ].filter(Boolean).join(" · ");
}
