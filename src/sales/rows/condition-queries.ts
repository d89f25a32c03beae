// The conditions of partial indexes of orders and lines. A query repeats the text, without which SQLite does not use the
// index.

import { type SQL, sql } from "drizzle-orm";

import { inPersonMethods } from "#kernel/payment-method.ts";
import { isTrue } from "#platform/database/kit.ts";

import { sendableStatuses } from "./order-life.ts";

/** One of these words, without a comma: drizzle-kit takes one in an index for the end of a column. */
const isOneOf = (column: string, words: readonly string[]) =>
  `(${words.map((word) => `${column} = '${word}'`).join(" OR ")})`;

/** The condition of the partial index of lines of which strangers hold units, which has the same text. */
export const isHeldByStrangers: SQL = sql`${isTrue("is_strangers")} AND quantity > cancelled_quantity + fulfilled_quantity`;

/** The condition of the partial index of lines of which it is not known yet what is shown of their variant, which has the same text. */
export const isToFill: SQL = sql.raw("shown IS NULL AND variant_id IS NOT NULL");

/**
 * True if the goods of an order wait to be sent: it is paid, or is paid when they are handed over and its deposit
 * is there.
 */
const isToPackText =
  `status = 'open' AND fulfillment_status <> 'fulfilled' AND (` +
  `${isOneOf("payment_status", sendableStatuses)} OR (` +
  `${isOneOf("payment_method", inPersonMethods)} AND payment_status <> 'refunded' AND ` +
  `(deposit_percent = 100 OR payment_status = 'partially_paid')))`;
export const isToPack: SQL = sql.raw(isToPackText);

/** The condition of the partial index of orders that were paid and owe something again, which has the same text. */
export const isShort: SQL = sql.raw("due_minor > 0 AND paid_at IS NOT NULL");

/** The word of a kind whose goods wait to be sent. */
export const PACK = "pack";

/**
 * The states of an order in words, and `pack` if its goods wait to be sent. The index of orders by kind has the same text.
 * There are at most 86 kinds, so that a list reads few of them whatever the shop looks like.
 */
export const kindOfOrder = sql.raw(
  `(status || ' ' || payment_status || ' ' || fulfillment_status || ` +
    `CASE WHEN ${isToPackText} THEN ' ${PACK}' ELSE '' END)`,
);
