// Finds what Stripe has of an attempt: its Checkout Session, or the intent of a card. It is read by its name; one that
// was made while its answer was lost has none, and is found in the list of the minutes in which it was asked for.

import { MINUTE_MS, SECOND_MS } from "#kernel/time.ts";
import type { Fields } from "#payments/gateways/answers/fields.ts";
import type { GatewayAttempt, Unclear } from "#payments/port/gateway.ts";
import { isPaidOnPage } from "#payments/rows/payment.ts";

import type { Answer } from "./answers.ts";
import type { CallLimits, StripeCalls } from "./calls.ts";
import { metadataOf } from "./outcomes.ts";
import { INTENT_PARTS, SESSION_PARTS } from "./requests.ts";

/** Objects of one kind that attempts are made of. */
interface Kind {
  readonly named: "session" | "intent";
  readonly path: string;
  /** The parts that are read with one. */
  readonly parts: string;
  readonly referenceOf: (object: Fields) => string | null;
}

const sessions: Kind = {
  named: "session",
  path: "/v1/checkout/sessions",
  parts: SESSION_PARTS,
  referenceOf: (session) => session.textOrNull("client_reference_id"),
};
const intents: Kind = {
  named: "intent",
  path: "/v1/payment_intents",
  parts: INTENT_PARTS,
  referenceOf: (intent) => metadataOf(intent, "duka_reference"),
};

/** The sessions of pages, the intents of cards. */
export function kindOf(attempt: GatewayAttempt): Kind {
  return isPaidOnPage(attempt) ? sessions : intents;
}

export type Found =
  | { readonly kind: "found"; readonly object: Fields }
  | { readonly kind: "none" }
  | (Unclear & { readonly kind: "unknown" });

/** The object of the attempt with its parts. Only reads. */
export async function findObject(
  calls: StripeCalls,
  attempt: GatewayAttempt,
  limits: CallLimits,
): Promise<Found> {
  const { named, path, referenceOf } = kindOf(attempt);
  const isOwn = (object: Fields) => referenceOf(object) === attempt.gatewayReference;
  // A page that was lost and asked for anew left its name, too.
  for (const { kind, name } of attempt.names) {
    const found = kind === named ? await readObject(calls, attempt, { ...limits, name }) : null;
    if (found !== null && (found.kind !== "found" || isOwn(found.object))) return found;
  }
  const created = minutesAround(attempt.gatewayAskedAt);
  const listed = await calls.list(path, { created }, { ...limits, until: isOwn });
  if (listed.kind !== "all") return unclear(listed);
  const own = listed.rows.find(isOwn);
  if (own === undefined) return { kind: "none" };
  return readObject(calls, attempt, { ...limits, name: own.text("id") });
}

/** The object of the name with its parts. */
export async function readObject(
  calls: StripeCalls,
  attempt: GatewayAttempt,
  { name, ...limits }: CallLimits & { readonly name: string },
): Promise<Exclude<Found, { kind: "none" }>> {
  const { path, parts } = kindOf(attempt);
  const answer = await calls.get(`${path}/${name}`, { expand: { 0: parts } }, limits);
  return answer.kind === "ok" ? { kind: "found", object: answer.object } : unclear(answer);
}

/** An answer that says nothing of what was asked. */
export function unclear(
  answer: Exclude<Answer, { kind: "ok" }>,
): Unclear & { readonly kind: "unknown" } {
  if (answer.kind === "unknown") return answer;
  if (answer.kind === "not_sent") return { kind: "unknown", trouble: answer.trouble };
  // An object that Stripe has named is there for good: it is another account, or another mode, that does not know it.
  const isElsewhere = answer.status === 404;
  return isElsewhere
    ? { kind: "unknown", trouble: "misconfigured" }
    : { kind: "unknown", trouble: "surprise", pointer: "/error/code" };
}

/** The vendor's clock and the machine's differ by less, and a call takes a minute at most. */
const CLOCKS_MS = 15 * MINUTE_MS;

/** An account may sell so much that its whole day is too many pages. */
function minutesAround(askedAt: number) {
  return { gte: seconds(askedAt - CLOCKS_MS), lte: seconds(askedAt + CLOCKS_MS) };
}

function seconds(ms: number): number {
  return Math.floor(ms / SECOND_MS);
}
