// A PIN, asked for once; the board answers with a cookie that this script never sees.

import { secrecy, standing } from "/web/door.js";
import { languageChoice, speak, t } from "/web/i18n.js";

const at = (selector) => document.querySelector(selector);
const HOMES = { arbiter: "/arbiter", operator: "/check" };
let known = {};

at("#sign-in").addEventListener("submit", async (event) => {
  event.preventDefault();
  at("#why").textContent = await refusal(at("#pin").value);
  at("#pin").select();
});
await speak();
languageChoice(at("#languages"), show);
at("#pin").focus();
known = await standing().catch(() => known);
show();

function show() {
  at("#who").textContent = known.role ? t(`door.role.${known.role}`) : "";
  at("#home").hidden = !known.role;
  at("#home").href = HOMES[known.role] ?? "/";
  at("#door").textContent = secrecy(known);
}

/** Why a PIN is not taken; with the right one the page that was asked for comes instead, or the role's own. */
async function refusal(pin) {
  try {
    const answer = await fetch("/arbiter/sign-in", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ pin }),
    });
    const { error, wait_s: wait, role } = await answer.json();
    if (answer.ok) {
      if (role === "operator") location.assign(HOMES.operator);
      else location.reload();
      return "";
    }
    return { 401: t("door.wrong") + (wait ? ` ${t("door.wait", { n: wait })}` : ""), 429: t("door.wait", { n: wait }) }[
      answer.status] ?? error;
  } catch {
    return t("link.lost");
  }
}
