// Notices of gateways: each is saved once; it and its copies cause polls, nothing else. Old ones are deleted.
// Invariant: a notice that the gateway did not sign writes nothing.

import { instantOf } from "#kernel/id.ts";
import { DAY_MS, nextTurn } from "#kernel/time.ts";
import type { Gateway, ListedReturn } from "#payments/port/gateway.ts";
import type { ArrivedNotice, Notice } from "#payments/port/notice.ts";
import type { PaymentsShop } from "#payments/port/payments-shop.ts";
import {
  deleteNotices,
  findLastNotice,
  findNoticesOfPaid,
  findPaymentByName,
  saveNames,
  saveNotice,
} from "#payments/rows/gateway-queries.ts";
import type { Payment } from "#payments/rows/payment.ts";
import { payoutTimer } from "#payments/rows/payout.ts";
import { findPaymentByGatewayReference, paymentRows } from "#payments/rows/queries.ts";
import { refundRows } from "#payments/rows/refund-queries.ts";
import { refundIdOf } from "#payments/rows/refund.ts";
import { planDisputePoll, planNoticedPoll } from "#payments/settling/plan-polls.ts";
import type { Reader, Tx } from "#platform/database/database.ts";
import type { Shop } from "#platform/database/shop.ts";
import { setTimer } from "#platform/scheduler/timers.ts";

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
    const isOfPayout = notice.topic === "payout" && notice.mode === shop.mode;
    const isIgnored = payment === undefined && !isOfPayout;
    await saveNotice(tx, {
      gateway: gateway.id,
      dedupKey: notice.dedupKey,
      topic: notice.topic,
      gatewayReference: notice.gatewayReference,
      isIgnored,
      createdAt: tx.now,
    });
    // A copy, too: it may tell of what happened after the first was polled.
    if (isOfPayout) {
      await setTimer(tx, { name: payoutTimer, subject: gateway.id, dueAt: tx.now });
    } else if (payment !== undefined) {
      await saveNames(tx, payment, notice.adds ?? []);
      await planPoll(tx, payment, notice.topic);
    }
    return { result: isIgnored ? "ignored" : "taken", topic: notice.topic };
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
  if (notice.mode !== mode || notice.topic === "other" || notice.topic === "payout")
    return undefined;
  const { refundReference } = notice;
  return refundReference === undefined
    ? findPaymentAt(tx, gateway, notice)
    : findPaymentOfTry(tx, gateway, refundReference);
}

/** The payment of which this is a try of a refund at the gateway. */
async function findPaymentOfTry(
  tx: Tx,
  gateway: string,
  reference: string,
): Promise<Payment | undefined> {
  const id = refundIdOf(reference);
  const refund = id === null ? undefined : await refundRows.find(tx, id);
  const payment = refund === undefined ? undefined : await paymentRows.find(tx, refund.paymentId);
  return payment?.gateway === gateway ? payment : undefined;
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

export interface NoticeRecord {
  /** When the last one came, by the shop's clock; null if none did in the last 90 days. */
  readonly lastAt: number | null;
  /** How many of its newest payments were paid, and of how many of those no notice came. */
  readonly paid: number;
  readonly unnoticed: number;
  /** When the newest of these payments was begun; null without any. */
  readonly lastPaidAt: number | null;
}

const PAID_ROWS = 20;

/** Finds the record of the gateway's latest notices, for the operator. */
export async function findNoticeRecord(db: Reader, gateway: string): Promise<NoticeRecord> {
  const lastAt = await findLastNotice(db, gateway);
  const noticed = await findNoticesOfPaid(db, gateway, PAID_ROWS);
  const unnoticed = noticed.filter(({ noticedAt }) => noticedAt === null).length;
  const [newest] = noticed;
  const lastPaidAt = newest === undefined ? null : instantOf(newest.id);
  return { lastAt, paid: noticed.length, unnoticed, lastPaidAt };
}

/** Gateways repeat a notice for some days. A later copy would cause one more poll, nothing else. */
const KEPT_MS = 90 * DAY_MS;
const AT_ONCE = 200;

/**
 * Deletes notices that arrived more than 90 days ago, in batches that no order waits behind. Stops early when the
 * shop closes.
 */
export async function pruneNotices({ database, clock, closing }: Shop): Promise<void> {
  const before = clock.now() - KEPT_MS;
  for (let deleted = AT_ONCE; deleted === AT_ONCE && !closing.aborted;) {
    deleted = await database.write((tx) => deleteNotices(tx, before, AT_ONCE));
    await nextTurn();
  }
}
