// How long a gateway may take for each call.

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
 * a refund that the list lacks. Shorter than the lease of an idempotency key, so that a client that repeats the request of a crashed
 * program waits for that lease only.
 */
export const CALL_MS_MAX = 55_000;
