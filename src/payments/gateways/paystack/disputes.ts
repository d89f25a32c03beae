// Disputes as Paystack reports them.

import type { DisputeStatus, FoundDispute } from "#payments/disputes/dispute-life.ts";
import type { Fields } from "#payments/gateways/answers/fields.ts";
import type { ListedReturn } from "#payments/gateways/port.ts";

import { returnOf } from "./outcomes.ts";

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
