// Refunds as Paystack reports them.

import type { Fields } from "#payments/gateways/answers/fields.ts";
import type {
  FoundRefund,
  GatewayRefund,
  ListedReturn,
  RefundOutcome,
} from "#payments/gateways/port.ts";
import { refundIdOf } from "#payments/refunds/refund.ts";

import { isNotFound, type Refused } from "./answers.ts";
import { failureOf } from "./failure-words.ts";
import { returnOf } from "./outcomes.ts";

/** The outcome of the refund. */
export function outcomeOfRefund(refund: Fields): RefundOutcome {
  const gatewayRefundId = refund.numberedId("id");
  if (refund.textIfAny("reversed_at") !== null) throw refund.surprise("reversed_at");
  switch (refund.text("status")) {
    case "pending":
      return { kind: "pending", gatewayRefundId };
    case "processing":
      return { kind: "processing", gatewayRefundId };
    case "processed":
      return { kind: "succeeded", gatewayRefundId };
    case "needs-attention":
      return { kind: "needs_attention", gatewayRefundId };
    case "failed":
      return { kind: "failed", gatewayCode: "failed", gatewayRefundId };
    default:
      throw refund.surprise("status");
  }
}

/** Nothing was sent back, unless Paystack does not know the transaction: then it is not known what was. */
export function refusedRefund(answer: Refused): RefundOutcome {
  if (isNotFound(answer)) return { kind: "unknown", trouble: "misconfigured" };
  const { gatewayCode } = failureOf(answer.code, answer.message);
  return { kind: "failed", gatewayCode, gatewayRefundId: null };
}

/**
 * The refund with what it is known by: what the shop makes has its name as the merchant's note. What has another note,
 * as all of the dashboard have, is of others.
 */
export function foundRefundOf(refund: Fields): FoundRefund {
  const note = refund.textIfAny("merchant_note");
  const isOwn = note !== null && refundIdOf(note) !== null;
  return {
    gatewayRefundId: refund.numberedId("id"),
    reference: isOwn ? note : null,
    isMadeElsewhere: note !== null && !isOwn,
    amountMinor: returnOf(refund, "amount"),
    currency: refund.text("currency"),
    outcome: outcomeOfRefund(refund),
  };
}

/** One in the account's list, with the number of its transaction. */
export function listedRefundOf(refund: Fields): ListedReturn {
  const names = [{ kind: "transaction", name: refund.numberedId("transaction") }] as const;
  return { name: refund.numberedId("id"), gatewayReference: null, names };
}

/** The amount that went back, or is on its way. */
export function returnedMinorOf(refunds: readonly FoundRefund[]): number {
  const out = refunds.filter(({ outcome }) => outcome.kind !== "failed");
  return out.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
}

/** The outcome of the refund, or of an earlier try that did not fail: a list that lacked it may have been late. */
export function ownOutcomeOf(
  { refundId, reference: tried }: Pick<GatewayRefund, "refundId" | "reference">,
  listed: readonly FoundRefund[],
): RefundOutcome {
  const own = listed.filter(
    ({ reference }) => reference !== null && refundIdOf(reference) === refundId,
  );
  const found =
    own.find(({ reference }) => reference === tried) ??
    own.find(({ outcome }) => outcome.kind !== "failed");
  return found?.outcome ?? { kind: "not_found" };
}
