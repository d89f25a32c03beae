// Disputes and refunds as Stripe reports them.

import { SECOND_MS } from "#kernel/time.ts";
import type { Fields } from "#payments/gateways/answers/fields.ts";
import type { FoundRefund, ListedReturn, RefundOutcome } from "#payments/port/gateway.ts";
import type { DisputedMoney, DisputeStatus, FoundDispute } from "#payments/rows/dispute-life.ts";

import { namesOf } from "./notice.ts";
import { metadataOf, minorOf } from "./outcomes.ts";

/** The other statuses are those of an inquiry, which begin with `warning_`. */
const meanings: Readonly<Record<string, DisputeStatus>> = {
  needs_response: "open",
  under_review: "open",
  won: "won",
  lost: "lost",
  prevented: "closed",
  warning_needs_response: "warning",
  warning_under_review: "warning",
  warning_closed: "closed",
};

export function foundDisputeOf(dispute: Fields): FoundDispute {
  const dueBy = dispute.fields("evidence_details");
  return {
    name: dispute.text("id"),
    status: statusOf(dispute),
    amountMinor: minorOf(dispute, "amount"),
    currency: dispute.text("currency").toUpperCase(),
    reason: dispute.textOrNull("reason"),
    money: moneyOf(dispute),
    dueAt: dueBy.isNull("due_by") ? null : dueBy.whole("due_by") * SECOND_MS,
  };
}

/** One in the account's list, with the names of its payment. */
export function listedDisputeOf(dispute: Fields): ListedReturn {
  return { name: dispute.text("id"), gatewayReference: null, names: namesOf(dispute) };
}

function statusOf(dispute: Fields): DisputeStatus {
  const status = dispute.text("status");
  const known = meanings[status];
  if (known !== undefined) return known;
  // A decision that is appealed is not decided.
  if (status.startsWith("appeal")) return "open";
  throw dispute.surprise("status");
}

/** The gateway takes the money by one entry in its books, and gives it back by another. */
function moneyOf(dispute: Fields): DisputedMoney {
  const entries = dispute.list("balance_transactions").length;
  if (entries === 0) return "none";
  return entries === 1 ? "withdrawn" : "returned";
}

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
