// Asks Stripe for money. A page is one call. A card is two, with its name written down between them: creating an
// intent asks for nothing and may be repeated, and what became of confirming it is read by the name.

import type { Fields } from "#payments/gateways/answers/fields.ts";
import type {
  GatewayAttempt,
  GatewayCallTerms,
  Initiation,
  Unclear,
} from "#payments/port/gateway.ts";
import { isPaidOnPage } from "#payments/rows/payment.ts";

import type { Answer, Refused } from "./answers.ts";
import type { StripeCalls } from "./calls.ts";
import { readObject } from "./find-object.ts";
import { type About, addressOf, failureOf, outcomeOfIntent } from "./outcomes.ts";
import { confirmBody, intentBody, sessionBody } from "./requests.ts";

/** Milliseconds. Together they are no longer than a call may last. */
const CREATE_MS = 15_000;
const CONFIRM_MS = 30_000;

/** The means of a call. */
export interface Means {
  readonly calls: StripeCalls;
  readonly about: About;
  readonly terms: GatewayCallTerms;
}

/** Has one effect, however often it is asked for. */
export function initiate(attempt: GatewayAttempt, means: Means): Promise<Initiation> {
  const { cardToken } = attempt;
  return cardToken === null || isPaidOnPage(attempt)
    ? openPage(attempt, means)
    : chargeCard(attempt, cardToken, means);
}

async function openPage(attempt: GatewayAttempt, means: Means): Promise<Initiation> {
  const key = attempt.gatewayReference;
  const body = sessionBody(attempt);
  const answer = await send("/v1/checkout/sessions", { key, body, ms: CREATE_MS }, means);
  if (answer.kind === "refused") return refused(answer);
  if (answer.kind !== "ok") return answer;
  const url = addressOf(answer.object, "url");
  const names = [{ kind: "session", name: answer.object.text("id") }] as const;
  // It ends after the attempt does, by another clock.
  return { kind: "redirect", url, expiresAt: null, names };
}

async function chargeCard(
  attempt: GatewayAttempt,
  cardToken: string,
  means: Means,
): Promise<Initiation> {
  const key = attempt.gatewayReference;
  const body = intentBody(attempt);
  const made = await send("/v1/payment_intents", { key, body, ms: CREATE_MS }, means);
  if (made.kind === "refused") return refused(made);
  if (made.kind !== "ok") return made;
  const name = made.object.text("id");
  await means.terms.name([{ kind: "intent", name }]);
  return confirm(attempt, { name, cardToken }, means);
}

async function confirm(
  attempt: GatewayAttempt,
  { name, cardToken }: { readonly name: string; readonly cardToken: string },
  means: Means,
): Promise<Initiation> {
  const key = `${attempt.gatewayReference}.c`;
  const body = confirmBody(attempt, cardToken);
  const path = `/v1/payment_intents/${name}/confirm`;
  const answer = await send(path, { key, body, ms: CONFIRM_MS }, means);
  if (answer.kind === "ok") return answerOf(answer.object, means.about);
  if (answer.kind !== "refused") return answer;
  if (answer.code !== "payment_intent_unexpected_state") return refused(answer);
  // An earlier call has decided it.
  const { calls, about, terms } = means;
  const found = await readObject(calls, attempt, { name, signal: terms.signal, ms: CREATE_MS });
  return found.kind === "found" ? answerOf(found.object, about) : found;
}

/** The next step of the customer, or the outcome. */
function answerOf(intent: Fields, about: About): Initiation {
  const outcome = outcomeOfIntent(intent, about);
  if (outcome.state === "pending" && intent.text("status") === "requires_action") {
    const { url, names } = outcome;
    // Its own script was not asked for.
    if (url === undefined) throw intent.surprise("next_action/type");
    return { kind: "redirect", url, expiresAt: null, names };
  }
  if (outcome.state === "failed") return { ...outcome, kind: "declined" };
  return outcome.state === "not_found" ? { kind: "unknown" } : { kind: "done", outcome };
}

async function send(
  path: string,
  { key, body, ms }: { readonly key: string; readonly body: string; readonly ms: number },
  { calls, terms }: Means,
): Promise<Answer> {
  await terms.keyed(key, body);
  return calls.post(path, { key, body, ms, signal: terms.signal });
}

/** The faults of the card, which are the payer's; anything else is the shop's. */
const ofCards: ReadonlySet<string> = new Set([
  "resource_missing",
  "payment_method_currency_mismatch",
]);

function refused({ type, code, declineCode }: Refused): Initiation {
  const isOfCard = type === "card_error" || (code !== null && ofCards.has(code));
  const reported: Unclear = isOfCard ? {} : { trouble: "surprise", pointer: "/error/code" };
  return { kind: "declined", ...failureOf({ type, code, declineCode }), names: [], ...reported };
}
