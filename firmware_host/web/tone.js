// The buzzer made audible, once somebody has asked for it.

const SOON_S = 0.02;

export class Tone {
  constructor() {
    this.on = false;
    this.context = null;
    this.newest = null; // the instant of the newest tone that was seen, in the buzzer's milliseconds
    this.sounding = [];
  }

  /** Turns sound on or off; gives whether it is on. Browsers allow it only after a tap. */
  toggle() {
    this.on = !this.on;
    if (this.on) {
      this.context ??= new AudioContext();
      this.context.resume();
    } else {
      this.stop();
    }
    return this.on;
  }

  /**
   * Follows the buzzer: `tones` are the newest it has begun, `{at_ms, frequency_hz, duration_ms, volume}`, each
   * played for as long as it is and as far from the others as it was. Gives the new ones.
   */
  follow({ sounding, tones }) {
    const seen = this.newest ?? tones.at(-1)?.at_ms ?? -1;
    const fresh = tones.filter((each) => each.at_ms > seen);
    this.newest = Math.max(seen, tones.at(-1)?.at_ms ?? -1);
    const begin = this.on && this.context.currentTime + SOON_S;
    if (this.on) for (const each of fresh) this.play(each, begin + (each.at_ms - fresh[0].at_ms) / 1000);
    if (!sounding && !fresh.length) this.cutShort();
    return fresh;
  }

  play({ frequency_hz: frequency, duration_ms: length, volume }, start) {
    const gain = new GainNode(this.context, { gain: 0.03 * volume });
    const oscillator = new OscillatorNode(this.context, { type: "triangle", frequency });
    oscillator.connect(gain).connect(this.context.destination);
    oscillator.start(start);
    if (length) oscillator.stop(start + length / 1000);
    const entry = { oscillator, long: !length || length > 500 };
    this.sounding.push(entry);
    oscillator.onended = () => (this.sounding = this.sounding.filter((each) => each !== entry));
  }

  /** A long tone that the buzzer has ended before its time. */
  cutShort() {
    for (const { oscillator, long } of this.sounding) if (long) oscillator.stop();
  }

  stop() {
    for (const { oscillator } of this.sounding) oscillator.stop();
  }
}
