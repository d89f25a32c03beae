// Refunds as Stripe reports them.

import type { Fields } from "#payments/gateways/answers/fields.ts";
import type { FoundRefund, ListedReturn, RefundOutcome } from "#payments/gateways/port.ts";

import { namesOf } from "./notice.ts";
import { metadataOf, minorOf } from "./outcomes.ts";

/** The outcome of the refund. One that waits for money in the account waits for the merchant. */
export function outcomeOfRefund(refund: Fields): RefundOutcome {
  const gatewayRefundId = refund.text("id");
  switch (refund.text("status")) {
    case "pending": {
      const waitsForMoney = refund.textOrNull("pending_reason") === "insufficient_funds";
      return { kind: waitsForMoney ? "needs_attention" : "pending", gatewayRefundId };
    }
    case "requires_action":
      return { kind: "needs_attention", gatewayRefundId };
    case "succeeded":
      return { kind: "succeeded", gatewayRefundId };
    case "failed":
    case "canceled": {
      const gatewayCode = refund.textOrNull("failure_reason") ?? refund.text("status");
      return { kind: "failed", gatewayCode, gatewayRefundId };
    }
    default:
      throw refund.surprise("status");
  }
}

/** The refund with what it is known by; those of the dashboard, and no others, have no reference. */
export function foundRefundOf(refund: Fields): FoundRefund {
  const reference = metadataOf(refund, "duka_refund");
  return {
    gatewayRefundId: refund.text("id"),
    reference,
    isMadeElsewhere: reference === null,
    amountMinor: minorOf(refund, "amount"),
    currency: refund.text("currency").toUpperCase(),
    outcome: outcomeOfRefund(refund),
  };
}

/** One in the account's list, with the names of its payment. */
export function listedRefundOf(refund: Fields): ListedReturn {
  return { name: refund.text("id"), gatewayReference: null, names: namesOf(refund) };
}
