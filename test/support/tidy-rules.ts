// Rules of the code style that lint cannot express. Each is a pure function from a file's path and text to
// its complaints; an empty list means that the file complies.

import { createHash } from "node:crypto";

import { wordFor } from "../../drizzle/generate.ts";
import {
  argumentsAt,
  camelCase,
  codeOnly,
  declarationAt,
  expressionAt,
  importedModules,
  lineAt,
  type NounFile,
  nounFile,
  wordsOf,
} from "./source-text.ts";

export type TidyRule = (path: string, text: string) => string[];

const BANNED_WORDS = new Set(
  ["util", "helper", "common", "misc", "manager", "service", "handler"].concat(
    ["process", "data", "info", "base", "impl"], // see style: names that say nothing
  ),
);
/** Words that would be banned, but name a setting (DUKA_DATA_DIR) or come from the operating system. */
const WORDS_OF_THE_TRADE = /data-?directory|platform\/process/gi;
const MAX_HANDLER_LINES = 3;
/** The number of casts allowed in the whole source. */
export const CAST_LIMIT = 3;
/** The number of places that may assume a type: it may only fall. */
export const ASSUMED_LIMIT = 56;

/** Every file opens with a comment about its purpose. */
export const opensWithItsPurpose: TidyRule = (path, text) =>
  /^(\/\/|\/\*\*?) ?\S/.test(text) ? [] : [`${path}: open with one to three lines of comment`];

/**
 * A file of a noun whose exports take a handle (`tx`, `shop`, `db`) first holds stories: those of one thing, named by
 * one of them (place-order.ts exports `placeOrder`) or by a plural topic, such as lookups.ts.
 */
export const isOneStory: TidyRule = (path, text) => {
  const file = nounFile(path);
  if (file === null || WIRE_OR_STORE.test(file.name)) return [];
  const exported = [...text.matchAll(/^export (?:async )?(?:function\*?|const) (\w+)/gm)];
  const handles = /^export (?:async )?function\*? \w+(?:<[^(]*>)?\(\s*(?:tx|shop|db)\b/m;
  const names = exported.map((found) => found[1] ?? "");
  const expected = camelCase(file.name);
  if (!handles.test(text) || names.includes(expected) || file.name.endsWith("s")) return [];
  return [`${path}: name it after one of its stories, ${names.join(", ")}, or after their topic`];
};

/** Files that are named by their kind, also of one thing: `return-queries`. */
const WIRE_OR_STORE = /^(?:.+-)?(?:queries|routes|jobs|schema|tables|events)$/;

/** Only `move…` of queries.ts and advance-*.ts write a state, and only advance-*.ts calls a move. */
export const statesMoveByTheirTable: TidyRule = (path, text) => {
  const file = nounFile(path);
  if (file === null || file.name.startsWith("advance-")) return [];
  const writes = [...codeOnly(text).matchAll(/\.(?:set|save)\(/g)]
    .filter(({ index }) => writesState(argumentsAt(text, index)))
    .filter(({ index }) => !isMove(path, declarationAt(text, index)?.name))
    .map(({ index }) => `${path}:${lineAt(text, index)}: only advance-*.ts writes a state`);
  return [...writes, ...borrowedMoves(path, file.noun, text)];
};

function writesState(values: string): boolean {
  return /[{,]\s*(status|state)\s*[:,}]/.test(values);
}

function isMove(path: string, name: string | undefined): boolean {
  return /[/-]queries\.ts$/.test(path) && name !== undefined && /^move/i.test(name);
}

/** The movements of inventory are ledger rows, not states. */
function borrowedMoves(path: string, noun: string, text: string): string[] {
  if (noun === "inventory") return [];
  const imported = /^import \{([^}]*)\} from "\.\/queries\.ts"/m.exec(text)?.[1] ?? "";
  const moves = imported.match(/\bmove[A-Z]\w*/g) ?? [];
  return moves.map((name) => `${path}: ${name} is called only by advance-*.ts`);
}

/** Queries use only what both engines support: awaited, or `.execute` of a prepared statement. */
export const queriesSuitBothEngines: TidyRule = (path, text) => {
  if (!/[/-]queries\.ts$/.test(path)) return [];
  const calls = /\.(get|all|run)\(\s*\)|\b(?:db|tx)\.(get|all|run)\(/g;
  return [...codeOnly(text).matchAll(calls)].map(
    (found) => `${path}:${lineAt(text, found.index)}: ${found[0]} exists on SQLite only`,
  );
};

/** Names made of words that carry no meaning. */
export const namesSaySomething: TidyRule = (path, text) => {
  const code = codeOnly(text);
  const declared =
    /\bfunction\*? (\w+)|\bconst (\w+)(?:: [^=\n]+)? = (?:async )?(?:\([^()]*\)|\w+)(?:: [^=\n]+)? =>/g;
  const functions = [...code.matchAll(declared)].map((found) => found[1] ?? found[2] ?? "");
  return [path.replace(/\.[a-z.]+$/, ""), ...functions].flatMap((name) =>
    wordsOf(name.replace(WORDS_OF_THE_TRADE, ""))
      .filter((word) => BANNED_WORDS.has(word) || BANNED_WORDS.has(word.replace(/s$/, "")))
      .map((word) => `${path}: "${word}" in ${name} says nothing`),
  );
};

/** No task left for later, no disabled check, no path of one machine. */
export const nothingLeftLying: TidyRule = (path, text) => {
  const loose: readonly [RegExp, string][] = [
    [/\b(?:TO[D]O|FIX[M]E|HA[C]K)\b/g, "do it or file it"],
    [/\b(?:oxlint|eslint)-dis[a]ble|@ts-(?:ign[o]re|noch[e]ck)/g, "no check is off"],
    [path.startsWith("test/") ? /(?!)/g : /@ts-exp[e]ct-error/g, "only a test expects an error"],
    [/\b(?:test|it|describe)\.(?:sk[i]p|on[l]y|to[d]o)\(/g, "every test runs"],
    [/(?<![\w.}])\/(?:home|Users|root|work|var\/folders)\/\w/g, "no path of one machine"],
    [/\bregistry\.npm[j]s\.org/g, "no registry is named"],
  ];
  return loose.flatMap(([pattern, why]) =>
    [...text.matchAll(pattern)].map(
      (found) => `${path}:${lineAt(text, found.index)}: ${found[0]}: ${why}`,
    ),
  );
};

/** Uses of clock, randomness and environment that lint's property rule cannot see. */
export const worldHasOneDoor: TidyRule = (path, text) => {
  const doors: readonly [home: string, RegExp][] = [
    ["src/kernel/time.ts", /\bDate\(\s*\)/g],
    ["src/kernel/random.ts", /^import [^;]*\b(?:random\w*|webcrypto)\b[^;]* from\s+;?$/gm],
    ["src/platform/process/environment.ts", /\bimport\.meta\.env\b/g],
  ];
  const code = codeOnly(text);
  return doors
    .filter(([home]) => path !== home)
    .flatMap(([home, pattern]) =>
      [...code.matchAll(pattern)]
        .filter((found) => !found[0].startsWith("import ") || isCryptoImport(text, found.index))
        .map((found) => `${path}:${lineAt(text, found.index)}: belongs in ${home}`),
    );
};

function isCryptoImport(text: string, offset: number): boolean {
  return /^import [^;]*"(?:node:)?crypto"/.test(text.slice(offset));
}

/** No barrels: a file exports only what it declares. */
export const exportsItsOwn: TidyRule = (path, text) => {
  const again = /^export (?:type )?(?:\{[^}]*\}|\*(?: as \w+)?) from /gm;
  const index = /(^|\/)index\.tsx?$/.test(path) ? [`${path}: no index files`] : [];
  return index.concat(
    [...text.matchAll(again)].map(
      (found) => `${path}:${lineAt(text, found.index)}: import it where it is declared`,
    ),
  );
};

/** Route handlers have at most three lines; anything longer is a story. */
export const routesStayShort: TidyRule = (path, text) => {
  if (!/[/-]routes\.ts$/.test(path)) return [];
  const handler =
    /\b(?:read|write|workflow|handle)(?:: (?:async )?)?(?=\([^)]*\)[^=\n{]*(?:=>|\{))/g;
  return [...codeOnly(text).matchAll(handler)].flatMap(({ index }) => {
    const lines = bodyLines(expressionAt(text, index));
    if (lines <= MAX_HANDLER_LINES) return [];
    return [`${path}:${lineAt(text, index)}: a handler of ${lines} lines; make it a story`];
  });
};

/** The lines of a function's body, without the braces' own. */
function bodyLines(source: string): number {
  const arrow = source.indexOf("=>");
  const body = (arrow < 0 ? source.slice(source.indexOf("{")) : source.slice(arrow + 2)).trim();
  return body.split("\n").length - (/^\{\s*\n/.test(body) ? 2 : 0);
}

/** The lines at which a file overrules the compiler. `as const` and renamed imports do not. */
export function castsIn(text: string): number[] {
  const code = codeOnly(text)
    .replace(/^(?:import|export) (?:type )?(?:\{[^}]*\}|\* as \w+)/gm, (s) => s.replace(/\S/g, " "))
    .replace(/\[\s*\w+ in [^\]]*\]/g, (s) => s.replace(/\S/g, " "));
  return [...code.matchAll(/(?<=[\s)\]}])as (?!const\b|unknown as\b)/g)].map(
    (found) => found.index,
  );
}

/** The places at which a file assumes a type, which is a cast by another name. */
export function assumptionsIn(text: string): number[] {
  const code = codeOnly(text).replace(/^import [^;]*;/gm, (found) => found.replace(/\S/g, " "));
  return [...code.matchAll(/(?<!function )\bassume\b/g)].map((found) => found.index);
}

/** A cast is in a function whose comment gives the reason. */
export const castsAreExplained: TidyRule = (path, text) =>
  castsIn(text)
    .filter((offset) => !/\bcast/i.test(declarationAt(text, offset)?.comment ?? ""))
    .map((offset) => `${path}:${lineAt(text, offset)}: say above its function why the cast holds`);

/** Imports that only some kinds of file in a noun's folder may have. */
export const importsSuitTheFile: TidyRule = (path, text) => {
  const file = nounFile(path);
  if (file === null) return [];
  return importedModules(text).flatMap((module) =>
    importHomes
      .filter(({ what }) => what.test(module))
      .filter(({ only }) => !only.test(file.name))
      .map(({ why }) => `${path} imports ${module}: ${why}`)
      .concat(isImpure(file, module) ? [`${path} imports ${module}: rules are plain`] : [])
      .filter(() => !isRowType(module, text)),
  );
};

const importHomes: readonly { what: RegExp; only: RegExp; why: string }[] = [
  { what: /^drizzle-orm/, only: /^(.+-)?(queries|tables)$/, why: "SQL is written in queries.ts" },
  { what: /^any-ascii$/, only: /^product$/, why: "a slug is made in product.ts" },
  { what: /^typebox/, only: /^(.+-)?(schema|routes|events)$/, why: "wire shapes are in schema.ts" },
  {
    // A workflow knows its idempotency key.
    what: /^#platform\/http\/(?!contract\/idempotent\.ts$)/,
    only: /^((.+-)?(schema|routes|events)|(mount|serve)-.+)$/,
    why: "only the wire knows HTTP",
  },
  {
    // A story sets its timers; the list of timers is in jobs.ts.
    what: /^#platform\/scheduler\/scheduler\.ts$/,
    only: /^(.+-)?jobs$/,
    why: "schedules are in jobs.ts",
  },
  {
    // A resource is declared on its table, and what an erasure leaves of a row follows from it.
    what: /\/tables\.ts$/,
    only: /^((.+-)?(queries|schema|tables)|(redact|forget)-.+)$/,
    why: "SQL is written in queries.ts",
  },
  {
    what: /^#(?!platform\/).+\/(?:.+-)?schema\.ts$/,
    only: /^(.+-)?(schema|routes|events)$/,
    why: "wire shapes stay outside",
  },
];

/** Rules and events use plain data: no queries, and of the platform events use the log and the wire. */
function isImpure(file: NounFile, module: string): boolean {
  if (file.name === "events") {
    return (
      module === "./queries.ts" ||
      /^#platform\/(?!database\/|event-log\/|http\/contract\/)/.test(module)
    );
  }
  return isRules(file) && (module === "./queries.ts" || module.startsWith("#platform/"));
}

/** Importing the types of rows does not load their table. */
function isRowType(module: string, text: string): boolean {
  const end = text.indexOf(` from "${module}"`);
  const isType = text.startsWith("import type ", text.lastIndexOf("import ", end));
  return module.endsWith("/tables.ts") && isType;
}

/** Rules of nouns that share a folder with others, such as the rows of all sales. */
const RULES = new Set(
  ["balance", "cart", "collection", "discount", "discount-code", "discount-use", "dispute"].concat([
    "inventory",
    "order",
    "payment",
    "product",
    "refund",
    "variant",
  ]),
);

function isRules({ noun, name }: NounFile): boolean {
  return name === noun || `${name}s` === noun || RULES.has(name);
}

/** A released migration never changes; a new one is entered with its hash. Names map to text. */
export function migrationsAreReleased(
  migrations: Readonly<Record<string, string>>,
  released: Readonly<Record<string, string>>,
): string[] {
  const missing = Object.keys(released)
    .filter((name) => migrations[name] === undefined)
    .map((name) => `drizzle/${name} was released and is gone`);
  const wrong = Object.entries(migrations).flatMap(([name, text]) => {
    const hash = createHash("sha256").update(text).digest("hex");
    if (released[name] === hash) return [];
    return released[name] === undefined
      ? [`drizzle/${name} is new: add "${name}": "${hash}" to test/migrations/released.json`]
      : [`drizzle/${name} was released and has changed: write a new migration instead`];
  });
  return [...missing, ...wrong];
}

/** The last migrations without a word: they count as contracting. */
const LAST_WITHOUT_WORD = "0063";

/** A migration says by its first line whether programs of before can work beside it, the same on both engines. */
export function migrationsSayTheirWord(migrations: Readonly<Record<string, string>>): string[] {
  return Object.entries(migrations).flatMap(([name, text]) => {
    const file = name.split("/").at(-1) ?? "";
    if (file.slice(0, LAST_WITHOUT_WORD.length) <= LAST_WITHOUT_WORD) return [];
    const word = /^-- (expand|contract)\n/.exec(text)?.[1];
    if (word === undefined)
      return [`drizzle/${name} begins with neither "-- expand" nor "-- contract"`];
    if (word === "expand" && wordFor(text) === "contract") {
      return [`drizzle/${name} changes more than it adds: begin it with "-- contract"`];
    }
    const others = Object.keys(migrations).filter(
      (one) => one !== name && one.endsWith(`/${file}`),
    );
    return others
      .filter((one) => migrations[one]?.startsWith(`-- ${word}\n`) !== true)
      .map((one) => `drizzle/${name} has another word than drizzle/${one}`);
  });
}
