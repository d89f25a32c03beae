// The words of the trade: what identifiers, public texts and comments do not say. The glossary in
// src/README.md has the words that they use instead.

import { codeOnly, lineAt } from "./source-text.ts";

/** Parts of an identifier that were given up, with the word that is used. */
const replaced = new Map(
  Object.entries({
    overtaken: "WriteConflict",
    judge: "validate",
    judgement: "Faults",
    calmly: "throttled",
    nudge: "wake",
    leadership: "LeaderElection",
    shelf: "SummaryCache, or backup-folder",
    shelves: "caches",
    standings: "Ranking",
    quarter: "slot, of 15 minutes",
    quarters: "slots",
    journal: "OutcomeWriter",
    lane: "EndpointQueue",
    lanes: "queues",
    cashier: "PaymentsShop",
    till: "PaymentsShop",
    desk: "PaymentsShop",
    buyer: "customer",
    buyers: "customers",
    nobody: "empty…",
    scribe: "a noun that says what it writes",
    heard: "received",
    telling: "a verb that says what is sent",
  }),
);
/** Whole beginnings of functions: `keepOrder` is `saveOrder`. */
const replacedVerbs = new Map(Object.entries({ keep: "save", hold: "lock" }));
/** Verbs of functions of payments: they say what is done to money, not what is heard of it. */
const moneyVerbs = new Map(
  Object.entries({
    note: "record",
    learn: "applyEvidence",
    miss: "markMissing",
    wait: "schedulePoll",
    work: "settle",
    doubt: "flagForReview",
    ask: "callGateway",
    receive: "accept",
    told: "reported",
  }),
);
/** Where `keep` means to leave as it is. */
const meant = new Set(["keepAlive", "keepSequence"]);

const PUBLIC = /\b(?:whoever|nobody|somebody|shall|buyers?)\b/gi;
/** In comments only where the word is a riddle: `nobody` and `somebody` where they do something. */
const COMMENT = /\b(?:whoever|shall)\b|\b(?:nobody|somebody)\b(?! else)/gi;

/** Identifiers that are called what the trade does not call them. */
export function oldIdentifiers(path: string, text: string): string[] {
  const code = codeOnly(text);
  return [...code.matchAll(/[A-Za-z_$][\w$]*/g)].flatMap(([name]) => {
    const word = meant.has(name) ? undefined : wordFor(name);
    return word === undefined ? [] : [`${path}: ${name}: say ${word}`];
  });
}

/** Functions of payments whose verb was given up. */
export function oldMoneyVerbs(path: string, text: string): string[] {
  if (!/^src\/(?:payments|sales\/balance)\//.test(path)) return [];
  return [...codeOnly(text).matchAll(/\bfunction\*? ([A-Za-z]\w*)/g)].flatMap(([, name = ""]) => {
    const word = moneyVerbs.get(/^[a-z]+/.exec(name)?.[0] ?? "");
    return word === undefined ? [] : [`${path}: ${name}: say ${word}`];
  });
}

/** Texts that a caller may read and that speak of nobody in particular. */
export function oldPublicTexts(path: string, text: string): string[] {
  const comments = /\/\*[\s\S]*?\*\/|^\s*\/\/[^\n]*|\s\/\/ [^\n]*/gm;
  const strings = text.replaceAll(comments, (found) => found.replaceAll(/[^\n]/g, " "));
  return [...strings.matchAll(/"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g)].flatMap((literal) =>
    [...literal[0].matchAll(PUBLIC)].map(
      ([word]) => `${path}:${lineAt(text, literal.index)}: ${word}: name who it is`,
    ),
  );
}

/** Comments that leave open who acts, where a technical sentence names it. */
export function oldPhrases(path: string, text: string): string[] {
  return [...text.matchAll(/\/\*[\s\S]*?\*\/|\/\/ [^\n]*/g)].flatMap((comment) =>
    [...comment[0].matchAll(COMMENT)].map(
      ([word]) => `${path}:${lineAt(text, comment.index)}: ${word}: name who it is`,
    ),
  );
}

function wordFor(name: string): string | undefined {
  const parts = name.split(/(?<=[a-z0-9])(?=[A-Z])|[_$]/).map((part) => part.toLowerCase());
  const verb = parts.length > 1 ? replacedVerbs.get(parts[0] ?? "") : undefined;
  return verb ?? parts.map((part) => replaced.get(part)).find((word) => word !== undefined);
}
