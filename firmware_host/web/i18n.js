// Words of the pages: one flat catalogue for each language; every visible text comes from here.

export const LANGUAGES = ["zh", "en", "ja"];
let catalogue = {};

export let language = "en";

/** The language asked for by `?lang=`, chosen on this browser before, or preferred by it; else English. */
function preferred() {
  const asked = new URLSearchParams(location.search).get("lang") ?? recall();
  const wanted = [asked, ...navigator.languages].filter(Boolean).map((tag) => tag.slice(0, 2).toLowerCase());
  return wanted.find((tag) => LANGUAGES.includes(tag)) ?? "en";
}

function recall() {
  try {
    return localStorage.getItem("language");
  } catch {
    return null; // a browser that keeps nothing for pages
  }
}

/** Loads the catalogue and fills every `data-t` (text) and `data-t-label` (accessible name). */
export async function speak(tag = preferred()) {
  catalogue = await (await fetch(`/locale/${tag}.json`)).json();
  language = tag;
  document.documentElement.lang = { zh: "zh-Hans", ja: "ja", en: "en" }[tag];
  for (const element of document.querySelectorAll("[data-t]")) element.textContent = t(element.dataset.t);
  for (const element of document.querySelectorAll("[data-t-label]")) {
    element.setAttribute("aria-label", t(element.dataset.tLabel));
  }
}

/** Puts a choice of language into `host`; `changed` runs after each change. */
export function languageChoice(host, changed) {
  const names = { zh: "中文", en: "English", ja: "日本語" };
  const buttons = LANGUAGES.map((tag) => {
    const button = document.createElement("button");
    button.type = "button";
    button.lang = tag;
    button.textContent = names[tag];
    button.addEventListener("click", async () => {
      try {
        localStorage.setItem("language", tag);
      } catch {
        // The choice then lasts as long as the page.
      }
      const address = new URL(location.href);
      if (address.searchParams.has("lang")) {
        address.searchParams.set("lang", tag);
        history.replaceState(null, "", address);
      }
      await speak(tag);
      mark();
      changed();
    });
    return button;
  });
  const mark = () => {
    for (const button of buttons) button.setAttribute("aria-pressed", String(button.lang === language));
  };
  mark();
  host.append(...buttons);
}

/** Whether the catalogue has words for a key. */
export function has(key) {
  return key in catalogue;
}

/** The words for `key`, or for one (`KEY.one`), with `{name}` replaced; an unknown key shows itself: it is found. */
export function t(key, values = {}) {
  const one = Number(values.n) === 1 ? catalogue[`${key}.one`] : undefined;
  return (one ?? catalogue[key] ?? key).replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}
