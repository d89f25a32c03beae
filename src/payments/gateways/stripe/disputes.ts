// Disputes as Stripe reports them.

import { SECOND_MS } from "#kernel/time.ts";
import type {
  DisputedMoney,
  DisputeStatus,
  FoundDispute,
} from "#payments/disputes/dispute-life.ts";
import type { Fields } from "#payments/gateways/answers/fields.ts";
import type { ListedReturn } from "#payments/gateways/port.ts";

import { namesOf } from "./notice.ts";
import { minorOf } from "./outcomes.ts";

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
