// An order in words: what its button is called, and what it will write into the record.

import { has, t } from "/web/i18n.js";

/** The words of a code that can be claimed. */
export function codeText(code) {
  return t(["irregular", "forbidden", "claim"].map((group) => `${group}.${code}`).find(has) ?? code);
}

/** Milliseconds of `1:30` or `1:02:30`. */
export function parseMs(text) {
  return text.split(":").reduce((sum, part) => sum * 60 + Number(part), 0) * 1000;
}

/** Milliseconds as `1:30`; hours are minutes too. */
export function timeText(ms) {
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** What a command will write into the record, in words; blanks that are not filled yet are dots. */
export function written(key, order) {
  const { side, code, point, ms, reason, offers, entry, text, kind } = order;
  const blanks = {
    side: side ? t(side) : "…",
    code: code ? codeText(code) : "…",
    point: point ?? "",
    time: ms === undefined ? "…" : timeText(Math.abs(ms)),
    n: offers, entry, text: text ?? "…",
  };
  const words = t(`writes.${key}`, blanks).replace(/ +/g, " ").replace(/ (?=[;,、，]|$)/g, "");
  const cause = [kind && has(`cause.${kind}`) && t(`cause.${kind}`), reason].filter(Boolean).join(", ");
  return cause ? `${words} (${cause})` : words;
}

/** A button that is called `words` and says below it what it writes. */
export function orderButton(words, writes, press, { main = false } = {}) {
  const element = document.createElement("button");
  element.type = "button";
  element.classList.toggle("main", main);
  const label = Object.assign(document.createElement("span"), { className: "label", textContent: words });
  element.append(label, document.createElement("small"));
  element.setAttribute("aria-label", words);
  say(element, writes);
  element.addEventListener("click", press);
  return element;
}

/** Changes what a button says that it writes. */
export function say(element, writes) {
  element.querySelector("small").textContent = writes;
  element.setAttribute("aria-description", writes);
}
