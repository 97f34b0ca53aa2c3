// Times as people read them. The board sends a time when something changes; between messages the running
// one goes on here, from the moment its message came.
//
// As on the faces, a time that runs down is rounded up, so that only the time that is out shows noughts;
// without a limit the time used is shown, cut to whole seconds.

const TENTHS = 99; // up to so many tenths are left, tenths are shown

/** Milliseconds left as `{text: "1:23:45" or "14:59", tenths: ".4" or ""}`; `most` tenths at most are shown. */
export function formatLeft(ms, most = TENTHS) {
  const tenths = Math.ceil(Math.max(0, ms) / 100);
  if (tenths > most || tenths === 0) return { text: formatSeconds(Math.ceil(Math.max(0, ms) / 1000)), tenths: "" };
  return { text: formatSeconds(Math.floor(tenths / 10)), tenths: `.${tenths % 10}` };
}

/** Whole seconds as `1:23:45` or `14:59`. */
export function formatSeconds(seconds) {
  const two = (n) => String(n).padStart(2, "0");
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60), seconds % 60];
  return h ? `${h}:${two(m)}:${two(s)}` : `${two(m)}:${two(s)}`;
}

/** Seconds of a text such as `1:23:45` or `14:59`. */
export function parseSeconds(text) {
  return text.split(":").reduce((sum, part) => sum * 60 + (Number(part) || 0), 0);
}

export class Clocks {
  /** `show(side, {text, tenths})` is called for each side whenever they may have changed. */
  constructor(show) {
    this.show = show;
    this.clock = null;
    this.timer = 0;
    this.linked = true;
  }

  /** Without a link the times stand where they were; with it again they go on, until a message puts them right. */
  link(up) {
    if (up === this.linked) return;
    this.linked = up;
    if (!up) clearTimeout(this.timer);
    else if (this.clock) this.tick();
  }

  /** Takes the `clock` of a snapshot that has just come. */
  take(clock) {
    this.clock = clock;
    this.since = performance.now();
    this.tick();
  }

  tick() {
    clearTimeout(this.timer);
    if (!this.linked) return;
    const ran = performance.now() - this.since;
    let wait = Infinity;
    const most = this.clock.tenths === false ? 0 : TENTHS;
    for (const side of ["black", "white"]) {
      const { remaining_ms: given, text } = this.clock[side];
      const runs = this.clock.running === side || (this.clock.shared && this.clock.running !== null);
      const now = (given ?? parseSeconds(text ?? "") * 1000) + (runs ? (given === null ? ran : -ran) : 0);
      this.show(side, given === null ? { text: formatSeconds(Math.floor(now / 1000)), tenths: "" } : formatLeft(now, most));
      if (runs && (given === null || now > 0)) wait = Math.min(wait, untilChange(now, given === null, most));
    }
    if (wait < Infinity) this.timer = setTimeout(() => this.tick(), wait);
  }
}

/** Milliseconds until the text of a time that goes up or down changes. */
function untilChange(now, up, most) {
  const step = !up && now <= most * 100 + 1 ? 100 : 1000;
  return (up ? step - (now % step) : now % step) + 4;
}
