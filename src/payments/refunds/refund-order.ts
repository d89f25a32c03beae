// Workflow: refunds an order, by amount or by lines, from the payments that captured its money.

import type { Id } from "#kernel/id.ts";
import { allocate, readPositiveAmount } from "#kernel/money.ts";
import { Faults } from "#kernel/refusal.ts";
import type { RefundedLine } from "#payments/payments/payment-life.ts";
import { type Payment, refundableMinor } from "#payments/payments/payment.ts";
import type { PaymentsShop } from "#payments/payments/payments-shop.ts";
import {
  findPaymentsOfOrder,
  findRefundsByKey,
  findRefundsOfOrder,
} from "#payments/payments/queries.ts";
import type { Tx } from "#platform/database/database.ts";
import { idempotencyKeyReused } from "#platform/http/idempotency/idempotent.ts";
import { getOrder, lockWholeOrder } from "#sales/orders/lookups.ts";
import type { OrderLine, WholeOrder } from "#sales/orders/order.ts";

import { openRefund, type RefundTerms } from "./open-refund.ts";
import type { RefundRequest } from "./refund-payment.ts";
import { type OrderRefund, type Refund, refundExceedsCaptured } from "./refund.ts";
import { sendRefund } from "./send-refund.ts";

export interface OrderRefundRequest extends RefundRequest {
  readonly lines: readonly LineToRefund[] | undefined;
  /** Whether shipped units return to stock; a line may override it. */
  readonly restock: boolean;
}

export interface LineToRefund {
  readonly lineItemId: Id<"lineItem">;
  readonly quantity: number;
  /** Major units; the units' share of the line's total if undefined. */
  readonly amount: number | string | undefined;
  readonly restock: boolean | undefined;
}

/**
 * Afterwards the refunds are saved and were sent to their gateways, newest payment first. Refuses with
 * `refund_exceeds_captured` and `validation_failed`.
 */
export async function refundOrder(
  shop: PaymentsShop,
  id: Id<"order">,
  request: OrderRefundRequest,
): Promise<OrderRefund> {
  const opened = await shop.database.write((tx) => open(tx, id, request));
  const refunds: Refund[] = [];
  for (const refund of opened) refunds.push(await sendRefund(shop, refund.id));
  return { order: await getOrder(shop.database.read, id), refunds };
}

async function open(
  tx: Tx,
  id: Id<"order">,
  request: OrderRefundRequest,
): Promise<readonly Refund[]> {
  const order = await lockWholeOrder(tx, id);
  const earlier = await findEarlier(tx, request);
  if (earlier.length > 0) return earlier;
  const lines = readLines(order, request, await findRefundsOfOrder(tx, id));
  const payments = (await findPaymentsOfOrder(tx, id))
    .filter((payment) => payment.status !== "review" && refundableMinor(payment) > 0)
    .toReversed();
  const leftMinor = payments.reduce((left, payment) => left + refundableMinor(payment), 0);
  const amountMinor = amountOf(order, request, { lines, leftMinor });
  if (amountMinor > leftMinor || amountMinor === 0) {
    throw refundExceedsCaptured({
      members: { refundable_minor: leftMinor, currency: order.order.currency },
    });
  }
  return spread(tx, payments, { ...request, amountMinor, lines });
}

/** The refunds that an earlier run with the same key opened. Refuses with `idempotency_key_reused`. */
async function findEarlier(tx: Tx, { idempotent }: OrderRefundRequest): Promise<Refund[]> {
  if (idempotent === null) return [];
  const known = await findRefundsByKey(tx, idempotent);
  const isOther = known.some((refund) => refund.fingerprint !== idempotent.fingerprint);
  if (isOther) throw idempotencyKeyReused();
  return known;
}

/** Spreads the amount over the payments. The first refund carries the lines: a unit is refunded once. */
async function spread(tx: Tx, payments: readonly Payment[], terms: RefundTerms): Promise<Refund[]> {
  const refunds: Refund[] = [];
  let openMinor = terms.amountMinor;
  for (const payment of payments) {
    const amountMinor = Math.min(openMinor, refundableMinor(payment));
    if (amountMinor === 0) break;
    openMinor -= amountMinor;
    const lines = refunds.length === 0 ? (terms.lines ?? []) : [];
    refunds.push(await openRefund(tx, payment, { ...terms, amountMinor, lines }));
  }
  return refunds;
}

function amountOf(
  { order }: WholeOrder,
  { amount }: OrderRefundRequest,
  { lines, leftMinor }: { readonly lines: readonly RefundedLine[]; readonly leftMinor: number },
): number {
  const faults = new Faults();
  if (amount !== undefined) {
    const amountMinor = readPositiveAmount(amount, order.currency, { faults, pointer: "/amount" });
    faults.refuseIfAny();
    return amountMinor ?? 0;
  }
  return lines.length === 0 ? leftMinor : lines.reduce((sum, line) => sum + line.amountMinor, 0);
}

/** Reads what is refunded of each line. Refuses with `validation_failed`. */
function readLines(
  { order, lines }: WholeOrder,
  { lines: requested = [], restock }: OrderRefundRequest,
  refunds: readonly Refund[],
): RefundedLine[] {
  const faults = new Faults();
  const before = refunds.filter((one) => one.status !== "failed").flatMap((one) => one.lines);
  const seen = new Set<string>();
  const read = requested.flatMap((one, index) => {
    const at = `/line_items/${index}`;
    const line = lines.find(({ id }) => id === one.lineItemId);
    if (line === undefined) {
      faults.add(`${at}/line_item_id`, "unknown_line_item", "The order has no such line item.");
      return [];
    }
    if (seen.has(line.id))
      faults.add(`${at}/line_item_id`, "duplicate", "This line item is listed twice.");
    seen.add(line.id);
    const done = refundedOf(line, before);
    const leftUnits = line.quantity - done.quantity;
    if (one.quantity > leftUnits) {
      faults.add(
        `${at}/quantity`,
        "more_than_left",
        `Only ${leftUnits} of this line item can be refunded.`,
      );
      return [];
    }
    const amountMinor =
      one.amount === undefined
        ? shareOf(line, { done: done.quantity, units: one.quantity })
        : (readPositiveAmount(one.amount, order.currency, { faults, pointer: `${at}/amount` }) ??
          0);
    // Only shipped units can return to stock.
    const shipped = Math.max(0, line.fulfilledQuantity - done.restocked);
    const restocked = (one.restock ?? restock) ? Math.min(one.quantity, shipped) : 0;
    return [{ lineItemId: line.id, quantity: one.quantity, amountMinor, restocked }];
  });
  faults.refuseIfAny();
  return read;
}

function refundedOf(line: OrderLine, before: readonly RefundedLine[]) {
  const own = before.filter((one) => one.lineItemId === line.id);
  return {
    quantity: own.reduce((sum, one) => sum + one.quantity, 0),
    restocked: own.reduce((sum, one) => sum + one.restocked, 0),
  };
}

/** The units' share of the line's total; the shares of all refunds add up to exactly that total. */
function shareOf(
  line: OrderLine,
  { done, units }: { readonly done: number; readonly units: number },
): number {
  const upTo = (count: number) => allocate(line.totalMinor, [count, line.quantity - count])[0] ?? 0;
  return upTo(done + units) - upTo(done);
}
