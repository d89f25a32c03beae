// Workflow: receives a notice from a gateway. A notice is saved once; it and its copies cause polls, nothing else.
// Invariant: a notice that the gateway did not sign writes nothing.

import { planDisputePoll } from "#payments/disputes/plan-polls.ts";
import type { Gateway, ListedReturn } from "#payments/gateways/port.ts";
import { findPaymentByName } from "#payments/gateways/queries.ts";
import type { ArrivedNotice, Notice } from "#payments/notices/arrived-notice.ts";
import type { Payment } from "#payments/payments/payment.ts";
import type { PaymentsShop } from "#payments/payments/payments-shop.ts";
import { findPaymentByGatewayReference } from "#payments/payments/queries.ts";
import type { Reader, Tx } from "#platform/database/database.ts";

import { planNoticedPoll } from "./plan-noticed-poll.ts";
import { saveNotice } from "./queries.ts";

/** A notice as it arrived at the address for a gateway. */
export interface ReceivedNotice extends ArrivedNotice {
  readonly gateway: string;
}

type NoticeShop = Pick<PaymentsShop, "mode" | "database" | "gateways">;

/** The ends of a notice: it has a payment polled, or none, or it was not the gateway's. */
export type Reception =
  | { readonly result: "taken" | "ignored"; readonly topic: Signed["topic"] }
  | { readonly result: "rejected"; readonly topic: "none" };

const rejected: Reception = { result: "rejected", topic: "none" };

/**
 * Afterwards the notice is saved and its payment, with its refunds, is polled next; several notices about one
 * payment cause one poll. Writes nothing, and returns `rejected`, if the notice is not signed by this
 * gateway or not readable.
 */
export async function acceptNotice(shop: NoticeShop, received: ReceivedNotice): Promise<Reception> {
  const gateway = shop.gateways.find((one) => one.id === received.gateway);
  if (gateway === undefined) return rejected;
  const notice = parse(gateway, received);
  if (notice.kind === "reject") return rejected;
  return shop.database.write(async (tx): Promise<Reception> => {
    const payment = await findSubject(tx, shop, { gateway: gateway.id, notice });
    await saveNotice(tx, {
      gateway: gateway.id,
      dedupKey: notice.dedupKey,
      topic: notice.topic,
      gatewayReference: notice.gatewayReference,
      isIgnored: payment === undefined,
      createdAt: tx.now,
    });
    // A copy, too: it may tell of what happened after the first was polled.
    if (payment !== undefined) await planPoll(tx, payment, notice.topic);
    return { result: payment === undefined ? "ignored" : "taken", topic: notice.topic };
  });
}

function parse(gateway: Gateway, { bytes, headers, token }: ArrivedNotice): Notice {
  // Signed notices come without a token in their address, all others with one.
  if (gateway.noticeRules.isSigned !== (token === null)) return { kind: "reject" };
  try {
    return gateway.parseWebhook({ bytes, headers, token });
  } catch {
    // A malformed body is the sender's fault; the gateway repeats what was not accepted.
    return { kind: "reject" };
  }
}

type Signed = Extract<Notice, { kind: "notice" }>;

/** The payment to poll; undefined for another mode, an unknown reference and unknown names, or an irrelevant topic. */
async function findSubject(
  tx: Tx,
  { mode }: NoticeShop,
  { gateway, notice }: { readonly gateway: string; readonly notice: Signed },
): Promise<Payment | undefined> {
  if (notice.mode !== mode || notice.topic === "other") return undefined;
  return findPaymentAt(tx, gateway, notice);
}

/** The poll reads the refunds as well. A notice moves no money: it may be forged. */
async function planPoll(tx: Tx, payment: Payment, topic: Signed["topic"]): Promise<void> {
  if (topic === "dispute") await planDisputePoll(tx, payment.id);
  await planNoticedPoll(tx, payment);
}

/** The payment that a gateway calls so; undefined for an unknown reference and unknown names. */
export async function findPaymentAt(
  db: Reader,
  gateway: string,
  { gatewayReference, names }: Pick<ListedReturn, "gatewayReference" | "names">,
): Promise<Payment | undefined> {
  const found =
    gatewayReference === null
      ? undefined
      : await findPaymentByGatewayReference(db, gateway, gatewayReference);
  return found ?? findPaymentByName(db, gateway, names);
}
