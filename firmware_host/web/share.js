// Passing the page on: its address as a picture for a camera, as a link to copy, and to other programs.

import { t } from "./i18n.js";

const HERE_ONLY = /^(localhost|127\.[\d.]+|\[::1\])$/;

/** Opens `dialog` at a click on `button`; `view()` gives the query of what is looked at, such as `?move=12`. */
export function sharing(button, dialog, view) {
  const at = (selector) => dialog.querySelector(selector);
  let link = "";
  const tell = (words) => (at("#share-why").textContent = words);

  button.addEventListener("click", async () => {
    dialog.showModal();
    tell("");
    link = location.href;
    const { picture, address } = await pageCode();
    const page = new URL(address);
    for (const [name, value] of new URLSearchParams(view())) page.searchParams.set(name, value);
    link = page.href;
    at("#page").textContent = link;
    at("#qr").replaceChildren(...(picture ? [picture] : []));
    if (HERE_ONLY.test(page.hostname)) tell(t("share.local"));
  });
  at("#send").hidden = !navigator.share;
  at("#send").addEventListener("click", () => navigator.share({ title: document.title, url: link }).catch(() => {}));
  at("#copy").addEventListener("click", async () => tell(t((await copied(link, dialog)) ? "share.copied" : "share.not-copied")));
  at("#close").addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
}

/** The server's picture of the page's address, and that address; without a picture the address of this window. */
export async function pageCode() {
  const here = { picture: null, address: location.origin + location.pathname };
  const answer = await fetch("/qr.svg").catch(() => null);
  if (!answer?.ok) return here;
  const picture = new DOMParser().parseFromString(await answer.text(), "image/svg+xml").documentElement;
  const address = picture.querySelector("title")?.textContent;
  if (!/^https?:\/\//.test(address)) return here;
  picture.setAttribute("role", "img");
  picture.setAttribute("aria-label", t("share.qr", { address }));
  return { picture: document.adoptNode(picture), address };
}

/** Puts a text on the clipboard; browsers give pages without TLS only the old way. */
async function copied(text, within) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = document.createElement("textarea");
    field.value = text;
    within.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    return done;
  }
}
