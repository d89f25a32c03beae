// Lookup: what came in on a day and what went back, by method, and by who took the money by hand. The log says when
// and by whom, the rows how much. A payment that was corrected counts as it was corrected.

import { isObject } from "#kernel/assume.ts";
import type { CurrencyCode } from "#kernel/currency.ts";
import { inBounds } from "#kernel/money.ts";
import type { PaymentMethod } from "#kernel/payment-method.ts";
import { dayAt, dayStartMs, nextTurn } from "#kernel/time.ts";
import type { Payment } from "#payments/rows/payment.ts";
import { paymentRows } from "#payments/rows/queries.ts";
import { refundRows } from "#payments/rows/refund-queries.ts";
import type { Actor, Reader } from "#platform/database/database.ts";
import {
  eventsAfter,
  type LoggedEvent,
  sequenceBefore,
  sequenceUntil,
} from "#platform/event-log/event-log.ts";
import { nameActors, type NamedActor, type WithNamedActor } from "#shop/keys/lookups.ts";
import { getStore } from "#shop/store/lookups.ts";

/** Money of one currency. Amounts are minor units. */
export interface Sum {
  readonly currency: CurrencyCode;
  readonly payments: number;
  readonly receivedMinor: number;
  readonly refunds: number;
  readonly refundedMinor: number;
}

export interface SumOfMethod extends Sum {
  readonly method: PaymentMethod;
}

export interface SumByHand extends SumOfMethod {
  /** Who took money by hand, or gave it back. */
  readonly actor: NamedActor;
}

export interface CashUpOfCurrency extends Sum {
  readonly byMethod: readonly SumOfMethod[];
  readonly byHand: readonly SumByHand[];
}

export interface CashUp {
  /** Such as 2026-01-31, in the shop's time zone. */
  readonly day: string;
  readonly timezone: string;
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
  readonly currencies: readonly CashUpOfCurrency[];
}

/** One payment or one refund. */
interface Move extends SumOfMethod {
  readonly actor: Actor;
  readonly isByHand: boolean;
}

const LAST_MS = Date.parse("9999-12-31T23:59:59.999Z");
const EVENTS_AT_ONCE = 1_000;

/** Returns the day in the shop's time zone; the day of `now` if none is named. */
export async function readCashUp(
  db: Reader,
  { day: asked, now }: { readonly day: string | undefined; readonly now: number },
): Promise<CashUp> {
  const { timezone } = await getStore(db);
  const day = asked ?? dayAt(now, timezone);
  const from = clamp(dayStartMs(day, timezone));
  const to = clamp(dayStartMs(day, timezone, 1));
  const received = await movesOf(db, { name: "payment.succeeded", from, to }, receivedOf);
  const refunded = await movesOf(db, { name: "order.refunded", from, to }, refundedOf);
  const undone = await movesOf(db, { name: "refund.failed", from, to }, undoneOf);
  const moves = await nameActors(db, [...received, ...refunded, ...undone]);
  const byCurrency = Map.groupBy(moves, ({ currency }) => currency);
  const currencies = [...byCurrency].map(([currency, of]) => ({
    ...sumOf(currency, of),
    byMethod: byMethodOf(currency, of),
    byHand: byHandOf(currency, of),
  }));
  return { day, timezone, from, to, currencies: currencies.toSorted(greatestFirst) };
}

/** Nothing happened before, and later instants have no text on the wire. */
function clamp(epochMs: number): number {
  return Math.min(Math.max(epochMs, 0), LAST_MS);
}

interface EventsOfDay {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/** Reads the money that the events of the day moved, page by page. */
async function movesOf(
  db: Reader,
  { name, from, to }: EventsOfDay,
  read: (db: Reader, events: readonly LoggedEvent[]) => Promise<Move[]>,
): Promise<Move[]> {
  const moves: Move[] = [];
  const until = await sequenceUntil(db, to);
  for (let after = await sequenceBefore(db, from), isLast = false; !isLast;) {
    await nextTurn();
    const events = await eventsAfter(db, { after, until, name: [name], limit: EVENTS_AT_ONCE });
    // Events that began before the day and committed in it lie between those of the day.
    const ofDay = events.filter(({ createdAt }) => createdAt >= from && createdAt < to);
    moves.push(...(await read(db, ofDay)));
    isLast = events.length < EVENTS_AT_ONCE;
    after = events.at(-1)?.sequence ?? after;
  }
  return moves;
}

async function receivedOf(db: Reader, events: readonly LoggedEvent[]): Promise<Move[]> {
  const actors = new Map(events.map((event) => [paymentIn(event), event.actor]));
  return (await paymentRows.findAll(db, [...actors.keys()])).flatMap((payment) =>
    moveOf(payment, actors.get(payment.id), { payments: 1, receivedMinor: payment.capturedMinor }),
  );
}

/** Refunds that had been counted, on their day, and came back to the gateway on this one. */
async function undoneOf(db: Reader, events: readonly LoggedEvent[]): Promise<Move[]> {
  const counted = events.filter(({ data }) => isUndone(JSON.parse(data)));
  const moves = await refundedOf(db, counted);
  return moves.map((move) => ({ ...move, refunds: 0, refundedMinor: -move.refundedMinor }));
}

function isUndone(news: unknown): boolean {
  return isObject(news) && isObject(news["undone"]);
}

/** A refund that came back and was sent again on the same day moved its amount twice. */
async function refundedOf(db: Reader, events: readonly LoggedEvent[]): Promise<Move[]> {
  const refunds = byId(await refundRows.findAll(db, [...new Set(events.map(refundIn))]));
  const ids = new Set([...refunds.values()].map(({ paymentId }) => paymentId));
  const payments = byId(await paymentRows.findAll(db, [...ids]));
  return events.flatMap((event) => {
    const refund = refunds.get(refundIn(event));
    if (refund === undefined) return [];
    const { paymentId, amountMinor } = refund;
    return moveOf(payments.get(paymentId), event.actor, { refunds: 1, refundedMinor: amountMinor });
  });
}

function byId<Row extends { readonly id: string }>(rows: readonly Row[]): Map<string, Row> {
  return new Map(rows.map((row) => [row.id, row]));
}

/** Money that never counted, because it was sent back from review, is none of the day's. */
function moveOf(
  payment: Payment | undefined,
  actor: Actor | undefined,
  moved: Partial<Sum>,
): Move[] {
  if (payment === undefined || actor === undefined || payment.capturedMinor === 0) return [];
  const { method, currency, gateway } = payment;
  return [{ ...noSum(currency), ...moved, method, actor, isByHand: gateway === null }];
}

function paymentIn({ data }: LoggedEvent): string {
  return textIn(JSON.parse(data), "payment_id");
}

function refundIn({ data }: LoggedEvent): string {
  const news: unknown = JSON.parse(data);
  return isObject(news) ? textIn(news["refund"], "id") : "";
}

function textIn(value: unknown, name: string): string {
  const text = isObject(value) ? value[name] : null;
  return typeof text === "string" ? text : "";
}

function byMethodOf(currency: CurrencyCode, moves: readonly SumOfMethod[]): SumOfMethod[] {
  return [...Map.groupBy(moves, ({ method }) => method)]
    .map(([method, of]) => ({ ...sumOf(currency, of), method }))
    .toSorted(greatestFirst);
}

function byHandOf(currency: CurrencyCode, moves: readonly WithNamedActor<Move>[]): SumByHand[] {
  const byHand = moves.filter(({ isByHand }) => isByHand);
  const groups = Map.groupBy(byHand, ({ actor, method }) =>
    [method, actor.type, actor.id].join(" "),
  );
  return [...groups.values()]
    .flatMap((of) =>
      of.slice(0, 1).map(({ method, actor }) => ({ ...sumOf(currency, of), method, actor })),
    )
    .toSorted(greatestFirst);
}

function noSum(currency: CurrencyCode): Sum {
  return { currency, payments: 0, receivedMinor: 0, refunds: 0, refundedMinor: 0 };
}

function sumOf(currency: CurrencyCode, moves: readonly Sum[]): Sum {
  return moves.reduce(
    (sum, move) => ({
      currency,
      payments: sum.payments + move.payments,
      receivedMinor: inBounds(sum.receivedMinor + move.receivedMinor),
      refunds: sum.refunds + move.refunds,
      refundedMinor: inBounds(sum.refundedMinor + move.refundedMinor),
    }),
    noSum(currency),
  );
}

function greatestFirst(one: Sum, other: Sum): number {
  return other.receivedMinor - one.receivedMinor || other.refundedMinor - one.refundedMinor;
}
