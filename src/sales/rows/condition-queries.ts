// The conditions of partial indexes of orders and lines. A query repeats the text, without which SQLite does not use the
// index.

import { type SQL, sql } from "drizzle-orm";

import { inPersonMethods } from "#kernel/payment-method.ts";
import { isTrue } from "#platform/database/kit.ts";

import { sendableStatuses } from "./order-life.ts";

const quoted = (words: readonly string[]) => words.map((word) => `'${word}'`).join(", ");

/** The condition of the partial index of open orders, which has the same text. */
export const isOpenOrder: SQL = sql.raw("status = 'open'");

/** The condition of the partial index of lines of which strangers hold units, which has the same text. */
export const isHeldByStrangers: SQL = sql`${isTrue("is_strangers")} AND quantity > cancelled_quantity + fulfilled_quantity`;

/** The condition of the partial index of lines of which it is not known yet what is shown of their variant, which has the same text. */
export const isToFill: SQL = sql.raw("shown IS NULL AND variant_id IS NOT NULL");

/**
 * True if the goods of an order wait to be sent: it is paid, or is paid when they are handed over and its deposit
 * is there. The partial index has the same text, without which SQLite does not use it.
 */
export const isToPack: SQL = sql.raw(
  `status = 'open' AND fulfillment_status <> 'fulfilled' AND (` +
    `payment_status IN (${quoted(sendableStatuses)}) OR (` +
    `payment_method IN (${quoted(inPersonMethods)}) AND payment_status <> 'refunded' AND ` +
    `(deposit_percent = 100 OR payment_status = 'partially_paid')))`,
);

/** The condition of the partial index of orders that were paid and owe something again, which has the same text. */
export const isShort: SQL = sql.raw("due_minor > 0 AND paid_at IS NOT NULL");
