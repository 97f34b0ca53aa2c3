// The arbiter's remarks and decisions in words, made from rulings and the catalogue.

import { codeText, timeText } from "/web/orders.js";
import { has, t } from "/web/i18n.js";

const NAMES = ["forbidden", "irregular", "told", "why", "claim", "because", "order.penalty"]; // where names have their words

/** One entry in words: what, whose, where, why. Names that the catalogue lacks stand as they are. */
export function sentence(each, decisions = []) {
  if (typeof each === "string") return each;
  if (each.ruling === "choose") return t(`choose.${each.branch}`, { side: t(each.side) });
  if (each.ruling === "decided") return decisionText(each, decisions);
  const { ruling, code, kind, side, n, point, rest, why, text, reason, do: order, added_ms: added } = asFault(each);
  const name = (word) => {
    const key = word && NAMES.map((group) => `${group}.${word}`).find(has);
    return key ? t(key) : word;
  };
  return [
    ruling !== "told" && rulingText(each, name), name(kind ?? code), order && didText(order), side && t(side),
    n && t("move", { n }), added !== undefined && changeText(each),
    rest && point ? t(code === "first-not-tengen" ? "arbiter.lies" : "arbiter.moved", { point, rest }) : point,
    name(why), text, ruling === "over" ? t(`reason.${reason}`) : reason !== kind && becauseText(reason),
  ].filter(Boolean).join(" · ");
}

/** A fault of sensors is called by its kind, which its text holds: `dead`, or `dead line 8`; as is its end. */
function asFault(each) {
  const [, kind, line] = /^(\S+ )?line (\w+)$/.exec(each.text ?? "") ?? [null, each.code === "fault" && each.text, ""];
  if (each.ruling !== "told" || !["fault", "cleared"].includes(each.code)) return each;
  return { ...each, code: (kind || each.code).trim(), text: line && t("arbiter.line", { line }) };
}

/** What a ruling is; of a draw what was said about it, of a swap where Black sits now. */
function rulingText({ ruling, answer, black_seat: seat }, name) {
  if (["irregular", "forbidden"].includes(ruling)) return ""; // its name says what it is
  if (ruling === "draw") return t(`told.draw.${answer}`);
  if (ruling === "swap") return t("told.swap.seat", { seat: t(`seat.${seat}`) });
  return name(ruling);
}

/** By how much a clock was changed, and what it has then. */
function changeText({ added_ms: added, remaining_ms: left }) {
  const sign = added < 0 ? "−" : "+";
  return t("told.clock-set.by", { change: sign + timeText(Math.abs(added)), left: timeText(left) });
}

/** A reason: the words of one that the controller gives, or what somebody wrote. */
function becauseText(reason) {
  const undone = /^decision (\d+) undone$/.exec(reason);
  if (undone) return t("because.decision", { n: undone[1] });
  const key = reason && [`because.${reason}`, `irregular.${reason}`].find(has);
  return key ? t(key) : reason;
}

/** Who may claim what was found, and until when. */
export function untilText({ by, until }) {
  return by ? t("arbiter.until", { side: t(by), until: said(until, t(by)) }) : "";
}

/** A sentence of the rules' tables in the reader's language. */
export function said(words, side = "") {
  return has(`said.${words}`) ? t(`said.${words}`, { side }) : words;
}

export function claimText(claim) {
  if (!claim) return "";
  const { side, code, point } = claim;
  return t("arbiter.claims", { side: t(side), code: codeText(code), point: point ?? "" }).trim();
}

/** A decision: its number, what, whose, by whom; of one that undoes another of `decisions`, that one too. */
export function decisionText({ entry, do: order, what, side, by, reason, undoes }, decisions) {
  const former = undoes && decisions.find((each) => each.entry === undoes);
  const key = what && [`order.${order}.${what}`, `irregular.${what}`, `forbidden.${what}`, `claim.${what}`].find(has);
  return [
    t("arbiter.entry", { n: entry }), didText(order), key ? t(key) : what,
    undoes && (former ? decisionText(former, decisions) : t("arbiter.entry", { n: undoes })),
    side && t(side), by !== "arbiter" && t(`by.${by}`), reason,
  ].filter(Boolean).join(" · ");
}

function didText(order) {
  return [`did.${order}`, `order.${order}`].filter(has).map((key) => t(key))[0] ?? order;
}
