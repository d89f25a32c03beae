// The line about what limits refused in the last day: the gravest kind, and the setting that answers it.

import { findCodeKinds } from "#accounts/code-kinds.ts";
import type { Visit, Waiting } from "#dashboard/kit/visit.ts";
import { en } from "#dashboard/words/en.ts";
import type { AbuseKind } from "#kernel/abuse.ts";
import { MARKS_MAX } from "#shop/marks/lookups.ts";
import { COUNT_MAX } from "#waiting/read-waiting.ts";

const LIMITS = "/guides/security#what-a-visitor-may-cost";
const SHOP = "/settings/shop";

const { abuse: words } = en.home;

/** The words of each kind and the way to its answer, the gravest first. */
const lines: readonly (readonly [AbuseKind, Pick<AbuseLine, "word" | "what">, string])[] = [
  ["shelf", words.strangers, SHOP],
  ["guesses", words.guesses, "/guides/security#customers-who-sign-in"],
  ["sign_ins", words.sign_ins, "/me/passkeys"],
  ["codes", words.codes, SHOP],
  ["orders", words.orders, LIMITS],
  ["refunds", words.refunds, SHOP],
  ["pictures", words.pictures, "/guides/catalog#pictures"],
  ["requests", words.requests, LIMITS],
];

export interface AbuseLine {
  readonly counted: { readonly count: number; readonly more: boolean };
  readonly path: string;
  readonly word: readonly [string, string];
  readonly what: string;
}

/** The line; null where nothing was refused, and for a person who is not told. */
export async function abuseLine(visit: Visit, { abuse }: Waiting): Promise<AbuseLine | null> {
  const marks = abuse ?? [];
  const gravest = lines.find(([kind]) => marks.some((mark) => mark.kind === kind));
  if (gravest === undefined) return null;
  const [kind, told, path] = gravest;
  const own = marks.filter((mark) => mark.kind === kind);
  const sum = own.reduce((before, { count }) => before + count, 0);
  const counted = {
    count: Math.min(sum, COUNT_MAX),
    // The list has not every network.
    more: sum > COUNT_MAX || marks.length === MARKS_MAX,
  };
  const network = own[0]?.network ?? null;
  const isWithoutCodes = kind === "shelf" && !(await sendsCodes(visit));
  const { word, what } = isWithoutCodes ? words.strangersWithoutCodes : told;
  return {
    counted,
    word,
    path: isWithoutCodes ? "/settings/emails" : path,
    what: network === null ? what : words.from(what, network),
  };
}

/** Returns true if the shop can send a customer a code. */
async function sendsCodes({ mail, database }: Visit): Promise<boolean> {
  return (await findCodeKinds({ mail, messageInbox: null }, database.read)).length > 0;
}
