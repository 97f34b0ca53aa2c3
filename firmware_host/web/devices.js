// What an operator may do beside the sensors' readings: see what works, mask a sensor, begin the program anew.

import { watchDoor } from "/web/door.js";
import { post } from "/web/feed.js";
import { t } from "/web/i18n.js";

const LOOK_MS = 2000;

/** The part of the page at `host`; while a board is only checked there is no table, and it stays away. */
export class Devices {
  constructor(host, link) {
    this.host = host;
    this.point = null;
    this.known = null;
    this.showDoor = watchDoor(link.querySelector("#door"), link.querySelector("#sign-out"));
    this.mask = document.querySelector("#mask");
    this.mask.addEventListener("click", () => this.order("mask", this.point));
    for (const what of ["restart", "measure"]) this.at(`#${what}`).addEventListener("click", () => this.ask(what));
    this.look();
    setInterval(() => document.hidden || this.look(), LOOK_MS);
  }

  /** The points whose sensors are left out. */
  get masked() {
    return this.known?.masked ?? [];
  }

  at(selector) {
    return this.host.querySelector(selector);
  }

  async look() {
    const answer = await fetch("/devices.json").catch(() => null);
    if (answer?.status === 401) location.reload();
    if (!answer?.ok) return;
    this.known = await answer.json();
    this.show();
  }

  /** Shows what is known, with the point that is chosen on the board. */
  show(point = this.point) {
    this.point = point;
    this.showDoor();
    this.host.hidden = !this.known;
    if (!this.known) return;
    const { health, masked, may } = this.known;
    const told = health.faults?.length ? health.faults : [t("devices.ok")];
    this.fill("#parts", told.map((words) => [words]));
    this.fill("#masked", masked.map((name) => [name, may.includes("unmask") && this.unmask(name)]));
    this.mask.hidden = !point || !may.includes("mask") || masked.includes(point);
    this.mask.textContent = t("devices.mask", { point });
    this.at("#how").hidden = !may.includes("mask") || Boolean(point) || masked.length > 0;
    for (const what of ["restart", "measure"]) this.at(`#${what}`).hidden = !may.includes(what);
  }

  /** Rows as they are wanted; those that are right already stay, so that a focus does too. */
  fill(selector, rows) {
    const list = this.at(selector);
    const key = JSON.stringify(rows.map(([words]) => words)) + document.documentElement.lang;
    if (list.dataset.key === key) return;
    list.dataset.key = key;
    list.replaceChildren(...rows.map((parts) => {
      const item = document.createElement("li");
      item.append(...parts.filter(Boolean));
      return item;
    }));
  }

  unmask(name) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = t("devices.unmask");
    button.setAttribute("aria-label", t("devices.unmask.of", { point: name }));
    button.addEventListener("click", () => this.order("unmask", name));
    return button;
  }

  async order(what, point) {
    const buttons = [this.mask, ...this.host.querySelectorAll("button")];
    for (const each of buttons) each.disabled = true;
    this.at("#refused").textContent = "";
    try {
      const { rulings } = await post(`/devices/${what}`, { point });
      this.at("#refused").textContent = rulings?.[0]?.why ?? "";
    } catch (error) {
      this.at("#refused").textContent = error.message;
    }
    for (const each of buttons) each.disabled = false;
    await this.look();
  }

  /** Asks once more what begins the program anew. */
  ask(what) {
    const dialog = document.querySelector("#sure");
    document.querySelector("#sure-head").textContent = t(`devices.${what}`);
    document.querySelector("#sure-what").textContent = t(`devices.${what}.what`);
    document.querySelector("#sure-yes").onclick = () => dialog.close("yes");
    document.querySelector("#sure-no").onclick = () => dialog.close("no");
    dialog.onclose = () => dialog.returnValue === "yes" && this.order(what);
    dialog.returnValue = "";
    dialog.showModal();
  }
}
