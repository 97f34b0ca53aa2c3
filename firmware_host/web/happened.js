// What happened, newest first, in the words of the rules with the article. What only says how well the sensors
// work, or what everybody at the table did while the clocks stood, is noise: it is there, folded away.

import { t } from "/web/i18n.js";
import { timeText } from "/web/orders.js";
import { sentence } from "/web/remarks.js";

const SHOWN = 5;
const OF_DAY = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" });

const NOISE = new Set([
  "frames-lost", "late", "running", "before-start", "press-again", "board-while-stopped", "press-while-stopped",
  "lifted", "put-back", "closed-at-start", "differs", "refused",
]);
/** Decisions whose effect is told by a ruling of its own. */
const TOLD = new Set([
  "uphold", "reject", "waive", "penalty", "violation", "resign", "left", "draw", "result", "set_clock", "set_used",
  "add_time", "split", "charge",
]);

const isNoise = ({ ruling, code }) => NOISE.has(ruling === "told" ? code : ruling);

/** Lists of lines for a snapshot: the newest, the ones `before`, and the noise; each `{time, words, article}`. */
export function happened(game) {
  const all = (game.happened ?? []).filter((each) => !(each.ruling === "decided" && TOLD.has(each.do))).toReversed();
  const line = (each) => ({
    time: timeOf(each.t_ns, game.times), words: sentence(each, game.decisions), article: each.article ?? "",
  });
  const heard = all.filter((each) => !isNoise(each)).map(line);
  return { newest: heard.slice(0, SHOWN), before: heard.slice(SHOWN), noise: all.filter(isNoise).map(line) };
}

/** The time of day of an instant; of one before the board was last switched on, how far into the round it was. */
function timeOf(t_ns, times) {
  if (!times || t_ns === undefined) return "";
  if (t_ns >= times.since_ns) {
    return OF_DAY.format(times.wall_ms - (times.now_ns - t_ns) / 1e6);
  }
  return times.started_ns === null ? "" : `+${timeText(Math.max(0, t_ns - times.started_ns) / 1e6)}`;
}

/** How many lines of noise there are, in words. */
export function noiseText(n) {
  return t("arbiter.noise", { n });
}
