// Workflow: refunds an order: all of it, an amount, or line items, from the payments that captured its money.
// Refunded units are cancelled or come back in the same transaction, so that no unit is both refunded and shipped.

import type { Id } from "#kernel/id.ts";
import { readPositiveAmount } from "#kernel/money.ts";
import { Faults } from "#kernel/refusal.ts";
import type { RefundedLine } from "#payments/payments/payment-life.ts";
import { refundableMinor } from "#payments/payments/payment.ts";
import type { PaymentsShop } from "#payments/payments/payments-shop.ts";
import type { Tx } from "#platform/database/database.ts";
import { overpaidOf, shareOf } from "#sales/balance/balance.ts";
import { cancelUnits } from "#sales/balance/cancel-units.ts";
import type { MoneyTerms } from "#sales/balance/credit-units.ts";
import { type LineUnits, openKind, readLine, shippedKind } from "#sales/balance/line-units.ts";
import { getOrder, lockWholeOrder } from "#sales/orders/lookups.ts";
import type { OrderLine, WholeOrder } from "#sales/orders/order.ts";
import { takeBack, type UnitsBack } from "#sales/returns/take-back.ts";

import { findRefundsByKey } from "./queries.ts";
import type { RefundRequest } from "./refund-payment.ts";
import { type OrderRefund, type Refund, refundExceedsCaptured } from "./refund.ts";
import { refundablePayments } from "./refundable-payments.ts";
import { sendRefund } from "./send-refund.ts";
import { spreadRefunds } from "./spread-refunds.ts";

export interface OrderRefundRequest extends RefundRequest {
  readonly lines: readonly LineToRefund[] | undefined;
  /** Whether units return to stock, so that they are shipped ones; a line may override it. */
  readonly restock: boolean;
}

export interface LineToRefund {
  readonly lineItemId: Id<"lineItem">;
  readonly quantity: number;
  /** Major units; the units' share of the line's total if undefined. */
  readonly amount: number | string | undefined;
  readonly restock: boolean | undefined;
  /** Which units; open ones first if undefined and not restocked. */
  readonly from: "open" | "shipped" | undefined;
}

/** What is refunded of each line, and what happens to its units. */
interface RefundPlan {
  readonly lines: readonly RefundedLine[];
  readonly cancelled: readonly LineUnits[];
  readonly returned: readonly UnitsBack[];
}

/**
 * Afterwards the refunds are saved and were sent to their gateways; refunded units that are open are cancelled,
 * those that were shipped are returned. Without an amount and line items, all captured money goes back and all
 * open units are cancelled. Refuses with `refund_exceeds_captured` and `validation_failed`.
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
  const whole = await lockWholeOrder(tx, id);
  const earlier = await findRefundsByKey(tx, request.idempotent);
  if (earlier.length > 0) return earlier;
  const plan = planOf(whole, request);
  const payments = await refundablePayments(tx, id);
  const leftMinor = payments.reduce((left, payment) => left + refundableMinor(payment), 0);
  const amountMinor = amountOf(whole, request, { lines: plan.lines, leftMinor });
  if (amountMinor > leftMinor || amountMinor === 0) {
    throw refundExceedsCaptured({
      members: { refundable_minor: leftMinor, currency: whole.order.currency },
    });
  }
  const { lines } = plan;
  const { order, refunds } = await spreadRefunds(tx, whole.order, {
    ...request,
    amountMinor,
    lines,
  });
  const money = { refund: false, promisedMinor: overpaidOf(whole.order) };
  await moveUnits(tx, { ...whole, order }, { plan, note: request.note, money });
  return refunds;
}

interface UnitsToMove {
  readonly plan: RefundPlan;
  readonly note: string | null;
  readonly money: MoneyTerms;
}

/**
 * Cancels and takes back the units. The money for them went back with the refunds, which were opened before:
 * what is left of it is kept.
 */
async function moveUnits(
  tx: Tx,
  whole: WholeOrder,
  { plan, note, money }: UnitsToMove,
): Promise<void> {
  let after = whole;
  if (plan.returned.length > 0) {
    after = await takeBack(tx, after, {
      units: plan.returned,
      reason: "other",
      note,
      ...money,
      writeOff: undefined,
      exchangeOrderId: null,
    });
  }
  if (plan.cancelled.length === 0 || after.order.status !== "open") return;
  const units = plan.cancelled;
  await cancelUnits(tx, after, { units, reason: "merchant", note, ...money });
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

/** Reads what is refunded. Refuses with `validation_failed`. */
function planOf(whole: WholeOrder, request: OrderRefundRequest): RefundPlan {
  const { lines, order } = whole;
  if (request.lines === undefined) {
    const cancelled = lines
      .map((line) => ({ line, quantity: openKind.of(line) }))
      .filter(({ quantity }) => quantity > 0);
    const isWhole = request.amount === undefined && order.status === "open";
    return { lines: [], cancelled: isWhole ? cancelled : [], returned: [] };
  }
  const faults = new Faults();
  const seen = new Set<OrderLine>();
  const plans = request.lines.flatMap((one, index) => {
    const at = `/line_items/${index}`;
    const line = readLine(lines, one.lineItemId, { seen, faults, at });
    if (line === null) return [];
    const isRestocked = one.restock ?? request.restock;
    const { opened, shipped } = unitsOf(line, { ...one, isRestocked, faults, at });
    const amountMinor =
      one.amount === undefined
        ? shareOf(line, opened + shipped)
        : readPositiveAmount(one.amount, order.currency, { faults, pointer: `${at}/amount` });
    return [{ line, opened, shipped, isRestocked, amountMinor: amountMinor ?? 0 }];
  });
  faults.refuseIfAny();
  return {
    lines: plans.map(({ line, opened, shipped, isRestocked, amountMinor }) => ({
      lineItemId: line.id,
      quantity: opened + shipped,
      amountMinor,
      restocked: isRestocked ? shipped : 0,
    })),
    cancelled: plans
      .map(({ line, opened }) => ({ line, quantity: opened }))
      .filter(({ quantity }) => quantity > 0),
    returned: plans
      .map(({ line, shipped, isRestocked }) => ({ line, quantity: shipped, isRestocked }))
      .filter(({ quantity }) => quantity > 0),
  };
}

interface UnitsToRefund extends Pick<LineToRefund, "quantity" | "from"> {
  readonly isRestocked: boolean;
  readonly faults: Faults;
  readonly at: string;
}

/** How many units are open and how many shipped. Adds a fault for more than there are. */
function unitsOf(
  line: OrderLine,
  { quantity, from, isRestocked, faults, at }: UnitsToRefund,
): { readonly opened: number; readonly shipped: number } {
  const mayBeOpen = from === "open" || (from === undefined && !isRestocked);
  const mayBeShipped = from !== "open";
  const opened = mayBeOpen ? Math.min(quantity, openKind.of(line)) : 0;
  const shipped = mayBeShipped ? Math.min(quantity - opened, shippedKind.of(line)) : 0;
  if (opened + shipped < quantity) {
    const code =
      from === "open"
        ? "more_than_open"
        : from === "shipped"
          ? "more_than_shipped"
          : "more_than_left";
    faults.add(
      `${at}/quantity`,
      code,
      `Only ${opened + shipped} of this line item can be refunded.`,
    );
  }
  return { opened, shipped };
}
