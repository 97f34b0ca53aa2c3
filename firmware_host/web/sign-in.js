// The arbiter's PIN, asked for once; the board answers with a cookie that this script never sees.

import { languageChoice, speak, t } from "/web/i18n.js";

const at = (selector) => document.querySelector(selector);

await speak();
languageChoice(at("#languages"), () => {});
at("#pin").focus();
at("#sign-in").addEventListener("submit", async (event) => {
  event.preventDefault();
  at("#why").textContent = await refusal(at("#pin").value);
  at("#pin").select();
});

/** Why a PIN is not taken; with the right one the page that was asked for comes instead. */
async function refusal(pin) {
  try {
    const answer = await fetch("/arbiter/sign-in", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ pin }),
    });
    if (answer.ok) {
      location.reload();
      return "";
    }
    const { error, wait_s: wait } = await answer.json();
    return { 401: t("door.wrong") + (wait ? ` ${t("door.wait", { n: wait })}` : ""), 429: t("door.wait", { n: wait }) }[
      answer.status] ?? error;
  } catch {
    return t("link.lost");
  }
}
