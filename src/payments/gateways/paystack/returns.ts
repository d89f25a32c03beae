// Refunds and disputes as Paystack reports them.

import type { Fields } from "#payments/gateways/answers/fields.ts";
import type {
  FoundRefund,
  GatewayRefund,
  ListedReturn,
  RefundOutcome,
} from "#payments/port/gateway.ts";
import type { DisputeStatus, FoundDispute } from "#payments/rows/dispute-life.ts";
import { refundIdOf } from "#payments/rows/refund.ts";

import { isNotFound, type Refused } from "./answers.ts";
import { failureOf, returnOf } from "./outcomes.ts";

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

const open: ReadonlySet<string> = new Set([
  "awaiting-merchant-feedback",
  "awaiting-bank-feedback",
  "pending",
]);
/** Who bears a dispute that is resolved: one that was declined leaves the merchant the money. */
const resolutions: Readonly<Record<string, DisputeStatus>> = {
  "merchant-accepted": "lost",
  "auto-accepted": "lost",
  declined: "won",
};

export function foundDisputeOf(dispute: Fields): FoundDispute {
  const status = statusOf(dispute);
  return {
    name: dispute.numberedId("id"),
    status,
    ...moneyOf(dispute),
    reason: dispute.textIfAny("category"),
    // The money leaves with the decision: the customer is given it back then.
    money: status === "lost" ? "withdrawn" : "none",
    dueAt: instantOf(dispute, "dueAt"),
  };
}

/** One in the account's list, with the reference of its transaction. */
export function listedDisputeOf(dispute: Fields): ListedReturn {
  const gatewayReference = dispute.fields("transaction").textIfAny("reference");
  return { name: dispute.numberedId("id"), gatewayReference, names: [] };
}

/** A dispute about the whole transaction may have no amount of its own. */
function moneyOf(dispute: Fields) {
  const hasAmount = !dispute.isNull("refund_amount") && !dispute.isNull("currency");
  const [of, name] = hasAmount
    ? ([dispute, "refund_amount"] as const)
    : ([dispute.fields("transaction"), "amount"] as const);
  return { amountMinor: returnOf(of, name), currency: of.text("currency") };
}

/** One that is archived keeps the decision that it had. */
function statusOf(dispute: Fields): DisputeStatus {
  const status = dispute.text("status");
  if (open.has(status)) return "open";
  const resolution = dispute.textIfAny("resolution");
  if (status === "archived" && resolution === null) return "closed";
  const isDecided = status === "resolved" || status === "archived";
  const known = isDecided ? resolutions[resolution ?? ""] : undefined;
  if (known === undefined) throw dispute.surprise("resolution");
  return known;
}

function instantOf(dispute: Fields, name: string): number | null {
  const instant = Date.parse(dispute.textIfAny(name) ?? "");
  return Number.isNaN(instant) ? null : instant;
}
