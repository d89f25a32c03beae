// The words of the trade: what identifiers and public texts are not called any more, and the phrases that
// comments lose. The glossary in src/README.md says what is used instead.

import { dirname } from "node:path";

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
/** Where `keep` means to leave as it is. */
const meant = new Set(["keepAlive", "keepSequence"]);

const PUBLIC = /\b(?:whoever|nobody|somebody|shall|buyers?)\b/gi;
/** In comments only where the word is a riddle: `nobody` and `somebody` where they do something. */
const COMMENT = /\b(?:whoever|shall)\b|\b(?:nobody|somebody)\b(?! else)/gi;

/** How often the comments of a folder still say so; a number may only fall. */
export const commentsLeft: Readonly<Record<string, number>> = {};

/** Identifiers that are called what the trade does not call them. */
export function oldIdentifiers(path: string, text: string): string[] {
  const code = codeOnly(text);
  return [...code.matchAll(/[A-Za-z_$][\w$]*/g)].flatMap(([name]) => {
    const word = meant.has(name) ? undefined : wordFor(name);
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

/** How often the comments of each folder use the phrases, of all files of src. */
export function commentPhrases(
  files: readonly { path: string; text: string }[],
): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { path, text } of files) {
    const comments = text.match(/\/\*[\s\S]*?\*\/|\/\/ [^\n]*/g) ?? [];
    const found = comments.join("\n").match(COMMENT)?.length ?? 0;
    if (found > 0) counts[dirname(path)] = (counts[dirname(path)] ?? 0) + found;
  }
  return counts;
}

function wordFor(name: string): string | undefined {
  const parts = name.split(/(?<=[a-z0-9])(?=[A-Z])|[_$]/).map((part) => part.toLowerCase());
  const verb = parts.length > 1 ? replacedVerbs.get(parts[0] ?? "") : undefined;
  return verb ?? parts.map((part) => replaced.get(part)).find((word) => word !== undefined);
}
