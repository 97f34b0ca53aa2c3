// Times as people read them. The board sends a time when something changes; between messages the running
// one is counted down here, from the moment its message came.

const TENTHS_MS = 10_000; // below this, tenths are shown

/** A time in milliseconds as `1:23:45` or `14:59`, and its tenths (`.4`) when it is short. */
export function formatTime(ms) {
  const left = Math.max(0, ms);
  const seconds = Math.floor(left / 1000);
  const two = (n) => String(n).padStart(2, "0");
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60), seconds % 60];
  return {
    text: h ? `${h}:${two(m)}:${two(s)}` : `${two(m)}:${two(s)}`,
    tenths: left < TENTHS_MS ? `.${Math.floor((left % 1000) / 100)}` : "",
  };
}

/** Milliseconds until the text of a time changes. */
export function untilChange(ms) {
  const step = ms <= TENTHS_MS ? 100 : 1000;
  return Math.max(20, Math.min(step, (ms % step) + 5));
}

export class Clocks {
  /** `show(side, {text, tenths})` is called for each side whenever they may have changed; both "" without a limit. */
  constructor(show) {
    this.show = show;
    this.clock = null;
    this.timer = 0;
  }

  /** Takes the `clock` of a snapshot that has just come. */
  take(clock) {
    this.clock = clock;
    this.since = performance.now();
    this.tick();
  }

  remaining(side) {
    const given = this.clock[side].remaining_ms;
    if (given === null || given === undefined) return null;
    return this.clock.running === side ? Math.max(0, given - (performance.now() - this.since)) : given;
  }

  tick() {
    clearTimeout(this.timer);
    for (const side of ["black", "white"]) {
      const left = this.remaining(side);
      this.show(side, left === null ? { text: "", tenths: "" } : formatTime(left));
    }
    const left = this.clock.running && this.remaining(this.clock.running);
    if (left) this.timer = setTimeout(() => this.tick(), untilChange(left));
  }
}
