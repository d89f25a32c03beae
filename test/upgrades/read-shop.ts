// What a shop answers to everything that can be read, and what of it another program does not answer.

import { DAY_MS, realClock } from "#kernel/time.ts";

import { filled, objectOf, type OldShop } from "./old-shop.ts";

/** The answers by their path; of a list, the rows of all its pages. */
export type Answers = Readonly<Record<string, unknown>>;

/** Of the moment, of one caller, of the requests themselves, twice the same, or of more than one kind of id. */
const PASSED_OVER =
  /^\/v2\/(?:test|me|requests|message-hook|cash-up|waiting|events\/)\b|\/(?:deliveries|export)|\}.*\{/;

/** Some of what is found by an index of its own. */
const SEARCHES = [
  "/v2/products?q=enamel",
  "/v2/customers?q=kofi",
  "/v2/orders?q=ama",
  "/v2/orders?sku=MUG-WHITE",
];

/** Reads each list, and by each way that leads on from it each of its rows. */
export async function readShop(shop: OldShop): Promise<Answers> {
  const paths = shop.readable.filter((path) => !PASSED_OVER.test(path));
  const answers = new Map<string, unknown>();
  for (const path of paths.filter((one) => !one.includes("{"))) {
    const asked = path.startsWith("/v2/analytics/") ? `${path}?${fortnight()}` : path;
    answers.set(asked, await readWhole(shop, asked));
  }
  for (const path of SEARCHES) answers.set(path, await readWhole(shop, path));
  for (const path of paths.filter((one) => one.includes("{"))) {
    const rows = answers.get(path.replace(/\/\{.*/, ""));
    for (const row of Array.isArray(rows) ? rows : []) {
      const { id, variant_id: variant } = objectOf(row);
      const one = filled(path, [String(id ?? variant)]);
      answers.set(one, await readWhole(shop, one));
    }
  }
  return Object.fromEntries(answers);
}

/** The clock of test mode is a few days ahead. */
function fortnight(): string {
  const day = (offset: number) =>
    new Date(realClock.now() + offset * DAY_MS).toISOString().slice(0, 10);
  return `from=${day(-7)}&to=${day(7)}&interval=day`;
}

/** Reads the same again; a refusal is an answer, too. */
export async function readAgain(shop: OldShop, before: Answers): Promise<Answers> {
  const answers = new Map<string, unknown>();
  for (const path of Object.keys(before))
    answers.set(path, await readWhole(shop, path).catch(String));
  return Object.fromEntries(answers);
}

/** An answer, or the rows of all pages. */
async function readWhole(shop: OldShop, path: string): Promise<unknown> {
  let page = await shop.read(path);
  if (!Array.isArray(page.at("/data"))) return page.body;
  const rows = [...page.list("/data")];
  while (page.at("/has_more") === true) {
    const isFeed = page.at("/next_cursor") === undefined;
    const next = isFeed
      ? `after=${page.number("/next_after")}`
      : `cursor=${page.string("/next_cursor")}`;
    page = await shop.read(`${path}${path.includes("?") ? "&" : "?"}${next}`);
    rows.push(...page.list("/data"));
  }
  return rows;
}

const exceptions: readonly { readonly answers?: string }[] = await Bun.file(
  new URL("../contract/breaking.json", import.meta.url),
).json();
/** Places of answers that a breaking change was allowed to change. */
const allowed = exceptions.flatMap(({ answers }) => (answers === undefined ? [] : [answers]));

/**
 * The places at which the second is not what the first is; members that only the second has do not count, nor do
 * breaking changes.
 */
export function lost(before: Answers, after: Answers): string[] {
  const places = Object.entries(before).flatMap(([path, answer]) => {
    const now = after[path];
    // The newest stand first, and each start adds its own.
    const isLog = path === "/v2/audit" && Array.isArray(answer) && Array.isArray(now);
    return lostIn(answer, isLog ? now.slice(-answer.length) : now, path);
  });
  return places.filter((at) => !allowed.some((one) => at.match(one)));
}

function lostIn(before: unknown, after: unknown, at: string): string[] {
  if (Array.isArray(before) && Array.isArray(after) && before.length !== after.length)
    return [`${at}: ${before.length} -> ${after.length} rows`];
  if (typeof before !== "object" || before === null || typeof after !== "object" || after === null)
    return before === after ? [] : [`${at}: ${shown(before)} -> ${shown(after)}`];
  return Object.entries(before).flatMap(([name, value]: [string, unknown]) =>
    // Reading uses a key.
    name === "last_used_at" ? [] : lostIn(value, Reflect.get(after, name), `${at}/${name}`),
  );
}

const shown = (value: unknown): string => JSON.stringify(value) ?? "nothing";
