// Sentences about a game, made from a snapshot and the catalogue.

import { has, language, t } from "./i18n.js";

/** `A`, `B` .. `Z`, `AA`: the mark of the i-th fifth stone on offer, i from 0. */
export function offerLetter(i) {
  const letter = String.fromCharCode(65 + (i % 26));
  return i < 26 ? letter : offerLetter(Math.floor(i / 26) - 1) + letter;
}

/** The name of the player who holds a colour; the colour itself for one who has been given no name. */
export function playerName(game, side) {
  const { name } = game.players[side];
  return name || t(side);
}

/** An opening's name in the reader's language, with its code. */
export function openingText(opening, language) {
  if (!opening) return "";
  const name = { zh: opening.zh, ja: opening.ja, en: opening.romaji }[language];
  return `${name}  ${opening.code}`;
}

/** Where a move stands: its point, a pass, or a stone that no sensor saw. */
export function pointText({ point, missing }) {
  return point ?? t(missing ? "unseen" : "pass");
}

/** What stands: the newest move, the offers, or that nothing has begun. */
export function moveText(game) {
  if (game.phase === "waiting") return t("phase.waiting");
  if (game.offers.length && game.phase !== "over") return t("offers", { n: (game.offers_left ?? game.offers).length });
  const newest = game.moves.at(-1);
  const stands = ["paused", "restoring"].includes(game.phase);
  const words = newest
    ? `${t("move", { n: newest.n })} · ${pointText(newest)}`
    : stands || !game.to_move || stepText(game) ? "" : t("turn", { side: t(game.to_move) });
  return [words, stands && t("phase.paused"), awayText(game)].filter(Boolean).join(" · ");
}

/** Who is not at the table and whose clock runs for it; the public is told no more than the latter. */
function awayText({ phase, absent, to_move: turn, moves, clock: { running } }) {
  if (phase === "over") return "";
  if (absent?.length) {
    const both = absent.length === 2;
    const who = both ? t("absent.both") : t("absent", { side: t(absent[0]) });
    return running ? t("absent.runs", { who, side: t(running) }) : who;
  }
  return running && turn && running !== turn && !moves.length ? t("runs", { side: t(running) }) : "";
}

/** What is left beside the time: moves to make in a period, byo-yomi periods. */
export function allowanceText({ periods_left: left, to_make: moves }) {
  return [moves && t("to-make", { n: moves }), left && t("periods", { n: left })].filter(Boolean).join(" · ");
}

/** What the step of the opening asks for; nothing while the clocks stand or when play is free. */
export function stepText(game) {
  const { step } = game;
  if (game.phase !== "opening" || !step) return "";
  const { side, n, where } = step;
  const blanks = { side: side && t(side), n, where: t(`where.${where}`) };
  const key = stepKeys(game).map((name) => `step.${name}`).find(has);
  return key ? t(key, key === "step.offers-wanted" ? { n: game.offers_wanted } : blanks) : "";
}

/** The names of the words for a step, the closest first. */
function stepKeys({ step, offers_wanted: wanted }) {
  const { do: what, where, stones, choices, leads_to: next, declares } = step;
  return {
    "set-up": [stones.length === 2 ? "set-up.add" : `set-up.${where}`],
    choice: [`choice.${choices.join("-")}.${next}`, `choice.${choices.join("-")}`],
    move: [declares ? "move.declares" : `move.${where}`, "move"],
    offers: [wanted ? "offers-wanted" : "offers"],
  }[what] ?? [what];
}

/** The choices that the step of the opening gives, each with its words and its command. */
export function choicesOf({ phase, step }) {
  if (phase !== "opening" || !step) return [];
  const { side, choices } = step;
  return choices.map((branch) => ({
    branch,
    words: t(`choose.${branch}`, { side: t(side) }),
    order: ["keep", "swap"].includes(branch) ? { do: branch, side } : { do: "choose", side, branch },
  }));
}

/** Who won and why. */
export function resultTexts(game) {
  const { result } = game;
  if (!result) return { outcome: "", reason: "" };
  const equal = result.black === result.white;
  const outcome = result.winner ? `wins.${result.winner}` : equal && result.black > 0 ? "drawn" : "nobody";
  const kind = result.reason === "forbidden" ? game.forbidden.at(-1)?.kind : null;
  const reason = has(`reason.${result.reason}`) ? t(`reason.${result.reason}`) : result.reason;
  return { outcome: t(outcome), reason: kind ? `${reason} · ${t(`forbidden.${kind}`)}` : reason };
}

/**
 * What was irregular or forbidden and may be known by all, in the order of the moves: `{n, point, what}`; one that
 * belongs to no move is `loose` and stands after the `n` moves that there were when it became known.
 */
export function findings(game) {
  const found = ({ n, after, point }, what) => ({ n: n ?? after ?? 0, loose: n === null, point, what });
  return [
    ...game.irregular.map((each) => found(each, t(`irregular.${each.code}`))),
    ...game.forbidden.map((each) => found(each, t(`forbidden.${each.kind}`))),
  ].sort((a, b) => a.n - b.n);
}

/** A finding with its move and its point. */
export function findingText({ n, loose, what, point }) {
  return [n && t(loose ? "found.after" : "move", { n }), point, what].filter(Boolean).join(" · ");
}

/** What was agreed for the game. */
export function termsText(game) {
  const { opening, time_words: time, forbidden } = game.settings;
  return [
    t(`procedure.${opening}`),
    time[language],
    forbidden === "off" ? t("forbidden.off") : "",
  ].filter(Boolean).join(" · ");
}
