// Workflow: refunds an order: all of it, an amount, or line items, from the payments that captured its money. Refunded
// units are cancelled or come back in the same transaction, so that no unit is both refunded and shipped.

import type { Id } from "#kernel/id.ts";
import { formatAmount, readPositiveAmount } from "#kernel/money.ts";
import { Faults, type Refusal } from "#kernel/refusal.ts";
import type { PaymentsShop } from "#payments/port/payments-shop.ts";
import { refundablePayments, requireUndisputed } from "#payments/rows/lookups.ts";
import { refundableMinor } from "#payments/rows/payment.ts";
import { findRefundsByKey } from "#payments/rows/refund-queries.ts";
import { type OrderRefund, type Refund, refundExceedsCaptured } from "#payments/rows/refund.ts";
import { announceReduction } from "#payments/settling/record-on-order.ts";
import { shippingToRefund } from "#payments/settling/refund-taxes.ts";
import type { Tx } from "#platform/database/database.ts";
import { part, shareOfAmount, shareOfUnits } from "#pricing/calculation/refund-shares.ts";
import { cancelUnits } from "#sales/changing/cancel-order.ts";
import { takeBack, type UnitsBack } from "#sales/changing/returns.ts";
import { getOrder, lockWholeOrder } from "#sales/orders/lookups.ts";
import { type LineUnits, openKind, readLine, shippedKind } from "#sales/rows/line-units.ts";
import type { Order, OrderLine, WholeOrder } from "#sales/rows/order.ts";
import { creditedUnits, taxedLine } from "#sales/rows/sale.ts";

import { lockAllowance, needsApproval } from "./refund-limits.ts";
import { type RefundRequest, refuseFractions } from "./refund-payment.ts";
import { sendRefund } from "./send-refund.ts";
import { type NamedParts, spreadRefunds } from "./spread-refunds.ts";

export interface OrderRefundRequest extends RefundRequest {
  readonly lines: readonly LineToRefund[] | undefined;
  /** The part of the shipping that goes back, with its tax, major units. */
  readonly shipping: number | string | undefined;
  /** True if units return to stock, so that they are shipped ones; a line may override it. */
  readonly restock: boolean;
}

interface LineToRefund {
  readonly lineItemId: Id<"lineItem">;
  readonly quantity: number;
  /** Major units; the units' share of the line's total if undefined. */
  readonly amount: number | string | undefined;
  readonly restock: boolean | undefined;
  /** Which units; open ones first if undefined and not restocked. */
  readonly from: "open" | "shipped" | undefined;
}

/** Afterwards the refunds are saved and were sent to their gateways. Refuses as opening them does. */
export async function refundOrder(
  shop: PaymentsShop,
  id: Id<"order">,
  request: OrderRefundRequest,
): Promise<OrderRefund> {
  const { gateways } = shop;
  const opened = await shop.database.write((tx) =>
    openOrderRefunds(tx, id, { ...request, gateways }),
  );
  const refunds: Refund[] = [];
  for (const refund of opened) refunds.push(await sendRefund(shop, refund.id));
  return { order: await getOrder(shop.database.read, id), refunds };
}

/** The amounts that are refunded of each line, and the fate of its units. */
interface RefundPlan {
  readonly lines: NamedParts["lines"];
  readonly cancelled: readonly LineUnits[];
  readonly returned: readonly UnitsBack[];
}

/**
 * Afterwards the refunds are saved; refunded units that are open are cancelled, those that were shipped are returned.
 * The same idempotency key finds the refunds of an earlier run. Without an amount and line items, all captured money
 * goes back and all open units are cancelled. Refuses with `refund_exceeds_captured`, `refund_limit_exceeded`, and with
 * `validation_failed` more units than are left, units that cost nothing, more than was charged for shipping, and what a
 * gateway cannot give back exactly.
 */
export async function openOrderRefunds(
  tx: Tx,
  id: Id<"order">,
  request: OrderRefundRequest & Pick<PaymentsShop, "gateways">,
): Promise<readonly Refund[]> {
  const allowance = await lockAllowance(tx, request.caller);
  const whole = await lockWholeOrder(tx, id);
  const earlier = await findRefundsByKey(tx, request.idempotent);
  if (earlier.length > 0) return earlier;
  const faults = new Faults();
  const plan = planOf(whole, request, faults);
  const shipping = await shippingPartOf(tx, whole, { request, faults });
  const named = { lines: plan.lines, shipping };
  const payments = await refundablePayments(tx, id);
  for (const payment of payments) await requireUndisputed(tx, payment.id);
  const leftMinor = payments.reduce((left, payment) => left + refundableMinor(payment), 0);
  const amountMinor = amountOf(whole, request, { named, leftMinor, faults });
  refuseFractions({ amountMinor, payments, at: pointerOf(request) }, request.gateways, faults);
  faults.refuseIfAny();
  if (amountMinor > leftMinor || amountMinor === 0) throw moreThanLeft(whole.order, leftMinor);
  const { reason, note, idempotent, caller, aboveLimit } = request;
  const { currency } = whole.order;
  const { order, refunds } = await spreadRefunds(tx, whole.order, {
    reason,
    note,
    idempotent,
    amountMinor,
    named,
    actorId: caller.lineage,
    needsApproval: needsApproval(allowance, { amountMinor, currency, at: "/amount", aboveLimit }),
  });
  await moveUnits(tx, { ...whole, order }, { plan, note });
  return refunds;
}

function moreThanLeft({ currency, paymentsInReview }: Order, leftMinor: number): Refusal {
  const left = `Only ${formatAmount(leftMinor, currency)} ${currency} can be refunded.`;
  const detail =
    paymentsInReview > 0 ? `${left} Money in review is refunded by its payment.` : left;
  return refundExceedsCaptured({ detail, members: { refundable_minor: leftMinor, currency } });
}

/** The place in the request that sets the amount that goes back. */
function pointerOf({ amount, lines, shipping }: OrderRefundRequest): string {
  if (amount === undefined && lines !== undefined) return "/line_items";
  return amount === undefined && shipping !== undefined ? "/shipping" : "/amount";
}

interface UnitsToMove {
  readonly plan: RefundPlan;
  readonly note: string | null;
}

/**
 * Cancels and takes back the units. The money for them went back with the refunds, which were opened before:
 * what is left of it is kept.
 */
async function moveUnits(tx: Tx, whole: WholeOrder, { plan, note }: UnitsToMove): Promise<void> {
  const money = { refund: false } as const;
  let after = whole;
  if (plan.returned.length > 0) {
    const returned = await takeBack(tx, whole, {
      units: plan.returned,
      reason: "other",
      note,
      ...money,
      writeOff: undefined,
      exchangeOrderId: null,
      metadata: {},
    });
    after = { ...returned, order: await announceReduction(tx, whole.order, returned.order) };
  }
  if (plan.cancelled.length > 0 && after.order.status === "open") {
    const units = plan.cancelled;
    const { order } = await cancelUnits(tx, after, { units, reason: "merchant", note, ...money });
    await announceReduction(tx, after.order, order);
  }
}

function amountOf(
  { order }: WholeOrder,
  { amount, lines, shipping }: OrderRefundRequest,
  { named, leftMinor, faults }: AmountPlace,
): number {
  if (amount !== undefined) {
    return readPositiveAmount(amount, order.currency, { faults, pointer: "/amount" }) ?? 0;
  }
  if (lines === undefined && shipping === undefined) return leftMinor;
  const amountMinor = named.lines.reduce(
    (sum, line) => sum + line.amountMinor,
    named.shipping.amountMinor,
  );
  if (amountMinor === 0 && faults.list.length === 0) {
    const detail =
      "These units cost nothing, so there is nothing to refund. To take them back, cancel or return them.";
    faults.add("/line_items", "amount_too_small", detail);
  }
  return amountMinor;
}

interface AmountPlace {
  readonly named: NamedParts;
  readonly leftMinor: number;
  readonly faults: Faults;
}

/** Reads what goes back of the shipping. Adds a fault for more than was charged and not refunded. */
async function shippingPartOf(
  tx: Tx,
  { order }: WholeOrder,
  { request, faults }: { readonly request: OrderRefundRequest; readonly faults: Faults },
): Promise<NamedParts["shipping"]> {
  const { amount, shipping } = request;
  if (shipping === undefined) return { amountMinor: 0, taxes: [] };
  const { currency, breakdown } = order;
  if (amount !== undefined) {
    faults.add("/shipping", "conflicting_fields", "Give either amount or shipping.");
  }
  const place = { faults, pointer: "/shipping" };
  const amountMinor = readPositiveAmount(shipping, currency, place) ?? 0;
  const { chargedMinor, refundedMinor } = await shippingToRefund(tx, order);
  const leftMinor = Math.max(0, chargedMinor - refundedMinor);
  if (amountMinor > leftMinor) {
    const most = formatAmount(leftMinor, currency);
    faults.add(
      "/shipping",
      "more_than_shipping",
      `Only ${most} ${currency} of the shipping is left.`,
    );
  }
  const isRefused = amountMinor === 0 || amountMinor > leftMinor;
  const units = { quantity: chargedMinor, done: refundedMinor, units: amountMinor };
  const taxes = isRefused ? [] : (breakdown?.taxes ?? []);
  return {
    amountMinor,
    taxes: taxes.map((tax) => ({
      taxableMinor: part(tax.shipping.taxableMinor, units),
      amountMinor: part(tax.shipping.amountMinor, units),
    })),
  };
}

/** Reads what is refunded of the lines. Adds a fault for each that cannot be. */
function planOf(whole: WholeOrder, request: OrderRefundRequest, faults: Faults): RefundPlan {
  const { lines, order } = whole;
  if (request.lines === undefined) {
    const cancelled = lines
      .map((line) => ({ line, quantity: openKind.of(line) }))
      .filter(({ quantity }) => quantity > 0);
    const { amount, shipping } = request;
    const isWhole = amount === undefined && shipping === undefined && order.status === "open";
    return { lines: [], cancelled: isWhole ? cancelled : [], returned: [] };
  }
  const seen = new Set<OrderLine>();
  const plans = request.lines.flatMap((one, index) => {
    const at = `/line_items/${index}`;
    const line = readLine(lines, one.lineItemId, { seen, faults, at });
    if (line === null) return [];
    const isRestocked = one.restock ?? request.restock;
    const { opened, shipped } = unitsOf(line, { ...one, isRestocked, faults, at });
    const { quantity } = line;
    const units = { quantity, done: creditedUnits(line), units: opened + shipped };
    const share = shareOfUnits(taxedLine(line, order.breakdown), units);
    const amountMinor =
      one.amount === undefined
        ? share.totalMinor
        : readPositiveAmount(one.amount, order.currency, { faults, pointer: `${at}/amount` });
    return [{ line, opened, shipped, isRestocked, share: shareOfAmount(share, amountMinor ?? 0) }];
  });
  return {
    lines: plans.map(({ line, opened, shipped, isRestocked, share }) => ({
      lineItemId: line.id,
      quantity: opened + shipped,
      amountMinor: share.totalMinor,
      restocked: isRestocked ? shipped : 0,
      discountMinor: share.discountMinor,
      taxes: share.taxes,
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
