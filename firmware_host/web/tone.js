// The buzzer made audible, once somebody has asked for it.

export class Tone {
  constructor() {
    this.on = false;
    this.context = null;
    this.oscillator = null;
  }

  /** Turns sound on or off; gives whether it is on. Browsers allow it only after a click. */
  toggle() {
    this.on = !this.on;
    if (this.on) this.context ??= new AudioContext();
    else this.stop();
    return this.on;
  }

  /** Follows the buzzer: whether it sounds, at how many hertz, at volume 0..4. */
  set(sounding, hz, volume) {
    if (!this.on || !sounding || !volume) {
      this.stop();
      return;
    }
    if (!this.oscillator) {
      this.gain = new GainNode(this.context, { gain: 0.03 * volume });
      this.oscillator = new OscillatorNode(this.context, { type: "triangle", frequency: hz });
      this.oscillator.connect(this.gain).connect(this.context.destination);
      this.oscillator.start();
    }
    this.oscillator.frequency.value = hz;
  }

  stop() {
    this.oscillator?.stop();
    this.oscillator = null;
  }
}
