// How long things take at gateways: an attempt, by the real clock, and each call.

import { DAY_MS, MINUTE_MS, realClock } from "#kernel/time.ts";
import type { Payment } from "#payments/rows/payment.ts";

/** The number of the attempt that is made with its payment. */
export const FIRST_ATTEMPT = 1;

/** The times that gateways give a page: Stripe 30 minutes to 24 hours, each with room for the call itself. */
const AT_GATEWAY_MS = { min: 35 * MINUTE_MS, max: DAY_MS - 5 * MINUTE_MS };

/** When the gateway may close an attempt that is made now: it lives on the real clock, whatever the shop's says. */
export function endsAtGateway({
  expiresAt,
  now,
}: {
  readonly expiresAt: number | null;
  readonly now: number;
}): number {
  return realClock.now() + atGatewayMs(expiresAt, now);
}

/** How long an attempt has at its gateway whose reference is made now. */
function atGatewayMs(expiresAt: number | null, now: number): number {
  const leftMs = (expiresAt ?? now) - now;
  return Math.min(Math.max(leftMs, AT_GATEWAY_MS.min), AT_GATEWAY_MS.max);
}

/**
 * When the gateway was asked for an attempt that ends there at this time, by the same clock. The shop's own may have
 * been moved since; how long the attempt had when its reference was made is the same by both.
 */
export function askedAtGateway(
  {
    expiresAt,
    createdAt,
    askedAt,
    attemptNumber,
  }: Pick<Payment, "expiresAt" | "createdAt" | "askedAt" | "attemptNumber">,
  gatewayEndsAt: number,
): number {
  const lastAskedAt = askedAt ?? createdAt;
  // The first reference is made with the attempt, and another one as it is asked for.
  const madeAt = attemptNumber === FIRST_ATTEMPT ? createdAt : lastAskedAt;
  return gatewayEndsAt - atGatewayMs(expiresAt, madeAt) + (lastAskedAt - madeAt);
}

/** A page must have this long at the gateway when it is opened: Stripe's 30 minutes, and a minute for the call. */
const PAGE_MS_MIN = 31 * MINUTE_MS;

/** Returns true if no page can be opened any more that ends when the attempt does at its gateway. */
export function endsTooSoon({ gatewayEndsAt }: Pick<Payment, "gatewayEndsAt">): boolean {
  return gatewayEndsAt !== null && gatewayEndsAt - realClock.now() < PAGE_MS_MIN;
}

/**
 * The time of each call, milliseconds: of all requests that the gateway sends for it. Reading is quick, so that one
 * slow vendor delays few others; moving money is worth waiting for, because its outcome is unknown otherwise.
 */
const CALL_MS = {
  initiate: 45_000,
  submitAction: 30_000,
  refund: 20_000,
  verify: 10_000,
  cancel: 10_000,
  verifyRefund: 10_000,
  findRefunds: 20_000,
  findDisputes: 10_000,
  listDisputes: 20_000,
  listRefunds: 20_000,
  listPayouts: 45_000,
  findPayoutLines: 45_000,
} as const;

/** The reasons to call a gateway. */
export type CallKind = keyof typeof CALL_MS;

/** How long a shop waits for its gateways, milliseconds. */
export interface CallTimes extends Readonly<Record<CallKind, number>> {
  /** The time of someone who reads a payment, no longer than people like to wait. The call itself goes on. */
  readonly reader: number;
}

export const CALL_TIMES: CallTimes = { ...CALL_MS, reader: 4_000 };

/**
 * Longer than the calls take that are made under one claim: an initiation, or the list of refunds, the disputes, and
 * a refund that the list lacks. Shorter than the lease of an idempotency key, so that a client that repeats the
 * request of a crashed program waits for that lease only.
 */
export const CALL_MS_MAX = 55_000;
