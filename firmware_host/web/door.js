// The door seen from inside: who is signed in, whether somebody could read along, the way out.

import { post } from "/web/feed.js";
import { t } from "/web/i18n.js";

/** What the board says of this browser: `pin`, `role`, `clear`, `fingerprint`; see `service/door.py`. */
export async function standing() {
  return (await fetch("/arbiter/sign-in")).json();
}

/** One calm line: in the clear over a network, or the certificate by which the board is known. */
export function secrecy({ clear, fingerprint }) {
  if (clear) return t("door.clear");
  return fingerprint ? t("door.certificate", { fingerprint }) : "";
}

/** Keeps `line` and the button `leave` as the door is; gives a function for a change of language. */
export function watchDoor(line, leave) {
  let known = null;
  const show = () => {
    if (!known) return;
    line.textContent = secrecy(known);
    leave.hidden = !known.pin;
  };
  standing().then((given) => {
    known = given;
    show();
  }, () => {});
  leave.addEventListener("click", async () => {
    await post("/arbiter/sign-out", {}).catch(() => {});
    location.reload();
  });
  return show;
}
