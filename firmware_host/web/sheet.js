// The score sheet as a picture: the board's SVG drawn at 150 dots an inch, to look at and to keep as PNG.

import { language, languageChoice, speak, t } from "./i18n.js";

const DOTS = 150;
const [WIDE, HIGH] = [210, 297].map((mm) => Math.round((mm / 25.4) * DOTS));
const at = (selector) => document.querySelector(selector);
const page = at("#page");
[page.width, page.height] = [WIDE, HIGH];

function address(form) {
  const asked = new URLSearchParams({ copy: at("#copy").value, lang: language, ranges: at("#ranges").checked ? "1" : "0" });
  return `/arbiter/sheet.${form}?${asked}`;
}

/** Draws the sheet that is chosen; the last one asked for wins. */
async function show() {
  const wanted = address("svg");
  at("#svg").href = wanted;
  at("#pdf").href = address("pdf");
  const picture = new Image();
  picture.src = wanted;
  try {
    await picture.decode();
  } catch {
    at("#why").textContent = t("sheet.failed");
    return;
  }
  if (wanted !== address("svg")) return;
  at("#why").textContent = "";
  const pen = page.getContext("2d");
  pen.fillStyle = "#fff";
  pen.fillRect(0, 0, WIDE, HIGH);
  pen.drawImage(picture, 0, 0, WIDE, HIGH);
  page.dataset.shows = wanted;
}

at("#png").addEventListener("click", () => {
  page.toBlob((data) => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(data);
    link.download = `game-${at("#copy").value}.png`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  });
});

await speak();
languageChoice(at("#languages"), show);
for (const choice of ["#copy", "#ranges"]) at(choice).addEventListener("change", show);
show();
