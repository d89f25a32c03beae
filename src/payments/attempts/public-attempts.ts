// Bounds the attempts of publishable keys, which strangers hold: how many an order has open and in an hour,
// and how often a phone is asked to approve a payment. The latter holds for the pages behind links, too.

import { defineRefusal } from "#kernel/refusal.ts";
import { HOUR_MS, SECOND_MS } from "#kernel/time.ts";
import { isOpenAttempt, type Payment } from "#payments/rows/payment.ts";
import { findPromptTimes } from "#payments/rows/queries.ts";
import type { Tx } from "#platform/database/database.ts";

/** A customer tries a phone, a card and the gateway's page. */
const OPEN_ATTEMPTS_MAX = 3;
/** A customer mistypes a card a few times; a script that tries stolen ones is stopped. */
const ATTEMPTS_PER_HOUR = 20;
/** A customer who misses a prompt asks again; a script that asks a stranger's phone is stopped. */
const PROMPTS_PER_HOUR = 5;

export const tooManyAttempts = defineRefusal("too_many_attempts", "conflict", {
  title: "The order has too many open attempts to pay.",
  cause: "Three attempts to pay the order are open, and a publishable key asks for another one.",
  remedy: "Let one of them end, or cancel it with POST /v2/payments/{ref}/cancel.",
});
export const tooManyPayments = defineRefusal("too_many_payments", "limited", {
  title: "Too many attempts to pay this order in the last hour.",
  cause: "Publishable keys asked for twenty payments of the order in the last hour.",
  remedy:
    "Wait for the number of seconds in `Retry-After`, pay on the order's own page, or use a secret key.",
  example: { headers: { "Retry-After": "1800" } },
});
export const tooManyPrompts = defineRefusal("too_many_prompts", "limited", {
  title: "Too many prompts to this phone in the last hour.",
  cause: "The phone was asked to approve five payments in the last hour.",
  remedy: "Wait for the number of seconds in `Retry-After`, or pay with another phone or method.",
  example: { headers: { "Retry-After": "1800" } },
});

/** Refuses with `too_many_attempts`, given all attempts of the locked order. */
export function limitOpenAttempts(attempts: readonly Payment[]): void {
  if (attempts.filter(isOpenAttempt).length >= OPEN_ATTEMPTS_MAX) throw tooManyAttempts();
}

/** Refuses with `too_many_payments` another attempt, given all attempts of the locked order. */
export function limitAttempts(attempts: readonly Payment[], nowMs: number): void {
  const times = attempts.map(({ createdAt }) => createdAt).toSorted((one, other) => one - other);
  const headers = pauseOf(times, ATTEMPTS_PER_HOUR, nowMs);
  if (headers !== null) throw tooManyPayments({ headers });
}

/**
 * Refuses with `too_many_prompts` another prompt to the phone. The caller holds the lock of the store,
 * so that of two prompts at once one counts the other.
 */
export async function limitPrompts(tx: Tx, phone: string): Promise<void> {
  const times = await findPromptTimes(tx, phone, { after: tx.now - HOUR_MS });
  const headers = pauseOf(times, PROMPTS_PER_HOUR, tx.now);
  if (headers !== null) throw tooManyPrompts({ headers });
}

/** How long to wait until fewer of the times, oldest first, are in the last hour; null where fewer are. */
function pauseOf(times: readonly number[], perHour: number, nowMs: number) {
  const freeing = times.at(-perHour);
  if (freeing === undefined || freeing <= nowMs - HOUR_MS) return null;
  const seconds = Math.ceil((freeing + HOUR_MS - nowMs) / SECOND_MS);
  return { "Retry-After": String(Math.max(seconds, 1)) };
}
