// Workflow: refunds a payment in full or in part. Commits the refund, calls the gateway, commits the
// outcome; the same idempotency key finds its refund again.

import { formatAmount, readPositiveAmount } from "#kernel/money.ts";
import { isGatewayMethod } from "#kernel/payment-method.ts";
import { Faults } from "#kernel/refusal.ts";
import type { GatewayRules } from "#payments/port/gateway.ts";
import type { PaymentsShop } from "#payments/port/payments-shop.ts";
import { lockPayment, requireUndisputed } from "#payments/rows/lookups.ts";
import type { RefundReason } from "#payments/rows/payment-life.ts";
import {
  isConverted,
  type Payment,
  paymentForbidden,
  refundableMinor,
  refundCurrencyOf,
} from "#payments/rows/payment.ts";
import { findRefundsByKey } from "#payments/rows/refund-queries.ts";
import type { Refund } from "#payments/rows/refund.ts";
import { openRefund } from "#payments/settling/open-refund.ts";
import type { Tx } from "#platform/database/database.ts";
import type { IdempotentRequest } from "#platform/http/contract/idempotent.ts";

import { type AboveLimit, lockAllowance, needsApproval, type Refunder } from "./refund-limits.ts";
import { sendRefund } from "./send-refund.ts";

export interface RefundRequest {
  /** Major units as given; all that can be refunded if undefined. */
  readonly amount: number | string | undefined;
  readonly reason: RefundReason;
  readonly note: string | null;
  readonly idempotent: IdempotentRequest | null;
  readonly caller: Refunder;
  readonly aboveLimit: AboveLimit;
}

/**
 * Afterwards the refund is saved and was sent to the gateway. Refuses with `refund_exceeds_captured`,
 * `refund_limit_exceeded`, `payment_disputed` and `invalid_transition`.
 */
export async function refundPayment(
  shop: PaymentsShop,
  reference: string,
  request: RefundRequest,
): Promise<Refund> {
  const { gateways } = shop;
  const { id } = await shop.database.write((tx) => open(tx, reference, { ...request, gateways }));
  return sendRefund(shop, id);
}

type Terms = RefundRequest & Pick<PaymentsShop, "gateways">;

async function open(tx: Tx, reference: string, request: Terms): Promise<Refund> {
  const allowance = await lockAllowance(tx, request.caller);
  const locked = await lockPayment(tx, reference);
  const earlier = (await findRefundsByKey(tx, request.idempotent)).at(0);
  if (earlier !== undefined) return earlier;
  await requireUndisputed(tx, locked.payment.id);
  const amountMinor = amountOf(locked.payment, request);
  const currency = refundCurrencyOf(locked.payment);
  const { aboveLimit, caller } = request;
  const opened = await openRefund(tx, locked, {
    ...request,
    amountMinor,
    actorId: caller.lineage,
    needsApproval: needsApproval(allowance, { amountMinor, currency, at: "/amount", aboveLimit }),
  });
  return opened.refund;
}

function amountOf(payment: Payment, { amount, gateways }: Terms): number {
  const leftMinor = refundableMinor(payment);
  const isCaptured = payment.status === "review" || payment.capturedMinor > 0;
  if (!isCaptured || (amount === undefined && leftMinor === 0)) {
    throw paymentForbidden(payment, "refund");
  }
  if (amount === undefined) return leftMinor;
  const faults = new Faults();
  const currency = refundCurrencyOf(payment);
  const amountMinor = readPositiveAmount(amount, currency, { faults, pointer: "/amount" });
  if (payment.status === "review" && amountMinor !== null && amountMinor !== leftMinor) {
    faults.add("/amount", "amount_not_whole", "A payment in review can only be refunded in full.");
  }
  const asked = { amountMinor: amountMinor ?? 0, payments: [payment], at: "/amount" };
  refuseFractions(asked, gateways, faults);
  faults.refuseIfAny();
  return asked.amountMinor;
}

/** The amounts that go back, in the order in which the payments give it back. */
export interface AskedBack {
  readonly amountMinor: number;
  readonly payments: readonly Payment[];
  /** The JSON Pointer of what comes to the amount. */
  readonly at: string;
}

/** Adds a fault to what asks for the amount if the gateway of one of the payments has no such fraction of the currency. */
export function refuseFractions(
  { amountMinor, payments, at }: AskedBack,
  gateways: readonly GatewayRules[],
  faults: Faults,
): void {
  let openMinor = amountMinor;
  for (const payment of payments) {
    const partMinor = Math.min(openMinor, refundableMinor(payment));
    openMinor -= partMinor;
    const multipleMinor = multipleOf(payment, gateways);
    if (partMinor % multipleMinor === 0) continue;
    const currency = refundCurrencyOf(payment);
    const multiple = `${formatAmount(multipleMinor, currency)} ${currency}`;
    faults.add(at, "amount_precision", `The gateway gives back multiples of ${multiple}.`);
    return;
  }
}

/** The smallest amount that can go back of the payment, minor units. */
function multipleOf(payment: Payment, gateways: readonly GatewayRules[]): number {
  const gateway = gateways.find(({ id }) => id === payment.gateway);
  const { method, provider } = payment;
  const isByHand = gateway === undefined || isConverted(payment);
  if (isByHand || !isGatewayMethod(method)) return 1;
  return (
    gateway.takes({ method, currency: refundCurrencyOf(payment), provider })?.multipleMinor ?? 1
  );
}
