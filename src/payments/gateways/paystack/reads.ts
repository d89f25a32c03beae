// Reads Paystack: transactions, and what went back of them. Invariant: all of it is GET. Each throws `Surprise`
// for what no document describes.

import type { Fields } from "#payments/gateways/answers/fields.ts";
import type { UnknownAnswer } from "#payments/gateways/answers/unclear.ts";
import type {
  FoundDisputes,
  FoundRefunds,
  GatewayAttempt,
  GatewayCallTerms,
  PaymentOutcome,
} from "#payments/port/gateway.ts";

import { isNotFound, unclear } from "./answers.ts";
import type { PaystackCalls } from "./calls.ts";
import { type About, isReversed, outcomeOf } from "./outcomes.ts";
import { foundDisputeOf, foundRefundOf, returnedMinorOf } from "./returns.ts";

/** Milliseconds. */
export const READ_MS = 10_000;

type Found<T extends { readonly kind: string }> = Extract<T, { kind: "found" }> | UnknownAnswer;

/**
 * Reads the outcome of the attempt. A transaction that reads reversed had its money, and has it unless refunds or a
 * lost dispute tell what of it went back: without either it is not known.
 */
export async function readOutcome(
  calls: PaystackCalls,
  about: About,
  terms: GatewayCallTerms,
): Promise<PaymentOutcome | UnknownAnswer> {
  const found = await transactionOf(calls, about.attempt, terms);
  if (found === null) return { state: "not_found" };
  if (!("transaction" in found)) return found;
  const { transaction } = found;
  if (!isReversed(transaction)) return outcomeOf(transaction, about, 0);
  const number = transaction.numberedId("id");
  const listed = await refundsOf(calls, number, terms);
  if (listed.kind !== "found") return listed;
  const returnedMinor = returnedMinorOf(listed.refunds);
  const outcome = outcomeOf(transaction, about, returnedMinor);
  if (returnedMinor > 0 || outcome.state !== "succeeded") return outcome;
  const disputed = await disputesOf(calls, { transaction: number, known: [] }, terms);
  if (disputed.kind !== "found") return disputed;
  if (!disputed.disputes.some(({ status }) => status === "lost")) {
    throw transaction.surprise("status");
  }
  return { ...outcome, isDisputed: true };
}

/** The number of the attempt's transaction, which lists are asked by. */
export async function numberOf(
  calls: PaystackCalls,
  attempt: GatewayAttempt,
  terms: GatewayCallTerms,
): Promise<string | UnknownAnswer> {
  const named = attempt.names.find(({ kind }) => kind === "transaction");
  if (named !== undefined) return named.name;
  const found = await transactionOf(calls, attempt, terms);
  if (found === null) return { kind: "unknown" };
  return "transaction" in found ? found.transaction.numberedId("id") : found;
}

/** All refunds of the transaction. */
export async function refundsOf(
  calls: PaystackCalls,
  transaction: string,
  { signal }: GatewayCallTerms,
): Promise<Found<FoundRefunds>> {
  const path = `/refund?transaction=${transaction}`;
  const listed = await calls.list(path, { signal, ms: READ_MS });
  if (listed.kind !== "all") return unclear(listed);
  return { kind: "found", refunds: listed.rows.map(foundRefundOf) };
}

/** A transaction may answer its newest dispute alone: the others are read by their names. */
export async function disputesOf(
  calls: PaystackCalls,
  { transaction, known }: { readonly transaction: string; readonly known: readonly string[] },
  terms: GatewayCallTerms,
): Promise<Found<FoundDisputes>> {
  const newest = await disputesAt(calls, `/dispute/transaction/${transaction}`, terms);
  if (newest.kind !== "found") return newest;
  const disputes = [...newest.disputes];
  for (const name of known) {
    if (disputes.some((one) => one.name === name)) continue;
    const found = await disputesAt(calls, `/dispute/${name}`, terms);
    if (found.kind !== "found") return found;
    disputes.push(...found.disputes);
  }
  return { kind: "found", disputes };
}

async function disputesAt(
  calls: PaystackCalls,
  path: string,
  { signal }: GatewayCallTerms,
): Promise<Found<FoundDisputes>> {
  const answer = await calls.get(path, { signal, ms: READ_MS });
  if (answer.kind === "refused" && isNotFound(answer)) return { kind: "found", disputes: [] };
  if (answer.kind !== "ok") return unclear(answer);
  return { kind: "found", disputes: answer.answer.listOrOne("data").map(foundDisputeOf) };
}

/** The transaction of the attempt; null if there is none. */
async function transactionOf(
  calls: PaystackCalls,
  attempt: GatewayAttempt,
  { signal }: GatewayCallTerms,
): Promise<{ readonly transaction: Fields } | UnknownAnswer | null> {
  const path = `/transaction/verify/${attempt.gatewayReference}`;
  const answer = await calls.get(path, { signal, ms: READ_MS });
  if (answer.kind === "ok") return { transaction: answer.answer.fields("data") };
  return answer.kind === "refused" && isNotFound(answer) ? null : unclear(answer);
}
