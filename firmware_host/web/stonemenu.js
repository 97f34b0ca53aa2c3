// What a hand can do with a stone that lies there, as a few words beside it.

export class StoneMenu {
  /** `host` holds the board; `choices` are `{words(), does(point)}`, in order. */
  constructor(host, board, choices) {
    this.host = host;
    this.board = board;
    this.choices = choices;
    this.list = Object.assign(document.createElement("div"), { className: "stone-menu", hidden: true });
    this.list.setAttribute("role", "menu");
    this.list.addEventListener("keydown", (event) => this.key(event));
    this.list.addEventListener("focusout", (event) => this.list.contains(event.relatedTarget) || this.close());
    host.append(this.list);
  }

  /** Opens beside the stone on `point`, which lies at `{x, y}`. */
  open(point, { x, y }) {
    this.list.replaceChildren(...this.choices.map(({ words, does }) => {
      const button = Object.assign(document.createElement("button"), { type: "button", textContent: words() });
      button.setAttribute("role", "menuitem");
      button.addEventListener("click", () => {
        this.close();
        does(point);
      });
      return button;
    }));
    this.list.setAttribute("aria-label", point);
    this.list.hidden = false;
    const at = this.board.onScreen({ x, y });
    const frame = this.host.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = this.list;
    const left = Math.min(Math.max(0, at.x - frame.x - width / 2), frame.width - width);
    const above = at.y - frame.y - height - at.size;
    this.list.style.left = `${left}px`;
    this.list.style.top = `${above > 0 ? above : at.y - frame.y + at.size}px`;
    this.list.firstChild.focus({ preventScroll: true });
  }

  get isOpen() {
    return !this.list.hidden;
  }

  close() {
    if (!this.isOpen) return;
    const within = this.list.contains(document.activeElement);
    this.list.hidden = true;
    if (within) this.board.root.focus({ preventScroll: true });
  }

  key(event) {
    const items = [...this.list.children];
    const at = items.indexOf(document.activeElement);
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    if (event.key === "Escape") this.close();
    else if (step) items.at((at + step) % items.length).focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
