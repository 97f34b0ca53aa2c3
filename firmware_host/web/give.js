// Giving an order: asked once more where it ends the game, sent, and answered at the lower edge.

import { parseSeconds } from "/web/clocks.js";
import { post } from "/web/feed.js";
import { t } from "/web/i18n.js";
import { written } from "/web/orders.js";
import { sentence } from "/web/remarks.js";

const at = (selector) => document.querySelector(selector);
let busy = false;
let decisions = [];
let undoable = [];
let newest = null; // the decision that was entered last from this page
let stands = ""; // the moves and the phase of the newest snapshot
let refusal = { stands: "", at: 0 }; // the same when the last refusal came, and when that was
const READ_MS = 5000; // so long a refusal can be read, whatever happens on the board

/**
 * Takes what a snapshot tells of decisions: the last one from here can be undone as long as it may be. A
 * refusal goes when it has been read and play has gone on: what stood in the way then need not any more.
 */
export function know(game) {
  ({ decisions, undoable } = game);
  stands = JSON.stringify([game.id, game.phase, game.moves.length]);
  const old = performance.now() - refusal.at > READ_MS && refusal.stands !== stands;
  if (at("#why").textContent && old) tell("", "");
  showUndo();
}

function showUndo() {
  at("#undo").hidden = !undoable.includes(newest) || !at("#said span").textContent;
  at("#undo").textContent = t("order.compensate");
}

at("#undo").addEventListener("click", () => give({ do: "compensate", entry: newest }));

/** Carries out an order, once it has been said again what it writes if it may end the game. */
export async function give(order, key = order.do, ends = false) {
  if (busy) return;
  const me = at("#by").value;
  let given = { ...order, ...(me === "arbiter" ? {} : { by: me }) };
  if (order.do === "reject" && !at("#cost").hidden && at("#cost input").value) {
    if (!at("#cost input").reportValidity()) return;
    given.ms = parseSeconds(at("#cost input").value) * 1000;
  }
  if (ends) {
    const by = await isSure(written(key, order), whose(order, me));
    if (!by) return;
    if (by !== "me") given = { ...given, by };
  }
  busy = true;
  tell("", "");
  try {
    const { rulings } = await post("/command", given);
    const refused = rulings.filter((each) => each.ruling === "refused");
    newest = rulings.find((each) => each.ruling === "decided")?.entry ?? null;
    if (refused.length) tell(refused.map((each) => each.why).join(" "), "");
    else tell("", rulings.filter(isAnswer).map((each) => sentence(each, decisions)).join("; "));
  } catch (error) {
    tell(error instanceof TypeError ? t("link.unanswered") : error.message, "");
    askAgain();
  } finally {
    busy = false;
  }
}

/** Whether a ruling belongs to the answer: what followed from the first one is on the page. */
function isAnswer({ ruling, code }, i) {
  return i === 0 || ["over", "clock-set"].includes(ruling) || code === "whose-decision";
}

/** Says why something cannot be, or what was done. */
export function tell(why, words) {
  at("#why").textContent = why;
  refusal = { stands, at: performance.now() };
  at("#said span").textContent = words;
  showUndo();
}

/** Whose decision it is, where somebody else is about to give it [competition rules 2.20, 4.2]. */
function whose({ do: name, kind, decision }, by) {
  if (kind === "disqualification") return by === "organiser" ? "" : "organiser";
  const chiefs = kind === "loss" || (name === "moved" && ["draw", "replay", "loss"].includes(decision));
  return chiefs && by === "arbiter" ? "chief" : "";
}

/**
 * Asks once more; Escape and Cancel say no (""). Else who gives it: `me`, or the `official` whose decision it
 * is, when he has signed it off.
 */
function isSure(words, official) {
  const dialog = at("#sure");
  const [yes, signed] = [at("#sure-yes"), at("#sure-signed")];
  at("#sure-what").textContent = words;
  at("#sure-whose").textContent = official && t(`whose.${official}`);
  yes.textContent = t(official ? "sure.unsigned" : "sure.yes");
  yes.classList.toggle("main", !official);
  signed.hidden = !official;
  signed.textContent = official && t(`sure.${official}`);
  return new Promise((answer) => {
    yes.onclick = () => dialog.close("me");
    signed.onclick = () => dialog.close(official);
    at("#sure-no").onclick = () => dialog.close("");
    dialog.onclose = () => answer(dialog.returnValue);
    dialog.returnValue = "";
    dialog.showModal();
  });
}

/** When the board answers no more: the PIN is asked for, if the session has ended. */
export async function askAgain() {
  const answer = await fetch("/arbiter.json").catch(() => null);
  if (answer?.status === 401) location.reload();
}
