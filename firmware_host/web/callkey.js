// A call key of the simulated clock: let go before a second is over it is a short press, else it was held.

export const HELD_MS = 1000;

export class CallKey {
  /** `act({do, key})` is told `press` when the key opens, or `hold` when its second is over. */
  constructor(button, key, act) {
    this.button = button;
    this.key = key;
    this.act = act;
    this.second = null;
    button.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      button.setPointerCapture(event.pointerId);
      this.down();
    });
    button.addEventListener("pointerup", () => this.up());
    button.addEventListener("pointercancel", () => this.letGo());
    button.addEventListener("blur", () => this.letGo());
    button.addEventListener("contextmenu", (event) => event.preventDefault()); // a finger that stays is no menu here
    for (const type of ["keydown", "keyup"]) {
      button.addEventListener(type, (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        if (type === "keyup") this.up();
        else if (!event.repeat) this.down();
      });
    }
    button.addEventListener("click", (event) => {
      if (event.detail === 0) this.act({ do: "press", key }); // no pointer and no key: an assistive tool
    });
  }

  down() {
    if (this.second !== null) return;
    this.button.classList.add("down");
    this.second = setTimeout(() => {
      this.letGo();
      this.act({ do: "hold", key: this.key });
    }, HELD_MS);
  }

  up() {
    if (this.second === null) return;
    this.letGo();
    this.act({ do: "press", key: this.key });
  }

  letGo() {
    clearTimeout(this.second);
    this.second = null;
    this.button.classList.remove("down");
  }
}
