// Lookup: what came in on a day and what went back, by method, and by who took the money by hand. The bookings say how
// much and when, their events in which way and by whom.

import type { CurrencyCode } from "#kernel/currency.ts";
import { inBounds } from "#kernel/money.ts";
import { type PaymentMethod, paymentMethods } from "#kernel/payment-method.ts";
import { dayAt, dayStartMs, nextTurn } from "#kernel/time.ts";
import type { Actor, Reader } from "#platform/database/database.ts";
import { payloadOf, textOf } from "#platform/event-log/payload.ts";
import { nameActors, type NamedActor, type WithNamedActor } from "#shop/keys/lookups.ts";
import { getStore } from "#shop/store/lookups.ts";

import { dayNumberOf } from "./booking.ts";
import { completed } from "./older-events.ts";
import { listMoneyMoves, type MoneyMove } from "./queries.ts";

/** Money of one currency. Amounts are minor units. */
export interface Sum {
  readonly currency: CurrencyCode;
  readonly payments: number;
  readonly receivedMinor: number;
  /** The sum of what corrections of payments added; below zero for what they took off. */
  readonly correctedMinor: number;
  readonly refunds: number;
  readonly refundedMinor: number;
}

export interface SumOfMethod extends Sum {
  readonly method: PaymentMethod;
}

export interface SumByHand extends SumOfMethod {
  /** The one who took money by hand, or gave it back. */
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

/** One payment, one refund or one correction. */
interface Move extends SumOfMethod {
  readonly actor: Actor;
  readonly isByHand: boolean;
}

const LAST_MS = Date.parse("9999-12-31T23:59:59.999Z");
const MOVES_AT_ONCE = 1_000;

/** Returns the day in the shop's time zone; the day of `now` if none is named. */
export async function readCashUp(
  db: Reader,
  { day: asked, now }: { readonly day: string | undefined; readonly now: number },
): Promise<CashUp> {
  const { timezone } = await getStore(db);
  const day = asked ?? dayAt(now, timezone);
  const moves = await nameActors(db, await movesOf(db, dayNumberOf(day)));
  const byCurrency = Map.groupBy(moves, ({ currency }) => currency);
  const currencies = [...byCurrency].map(([currency, of]) => ({
    ...sumOf(currency, of),
    byMethod: byMethodOf(currency, of),
    byHand: byHandOf(currency, of),
  }));
  return {
    day,
    timezone,
    from: clamp(dayStartMs(day, timezone)),
    to: clamp(dayStartMs(day, timezone, 1)),
    currencies: currencies.toSorted(greatestFirst),
  };
}

/** Nothing happened before, and later instants have no text on the wire. */
function clamp(epochMs: number): number {
  return Math.min(Math.max(epochMs, 0), LAST_MS);
}

/** The sums that a debit of money adds to, by the name of its event: those of payments and refunds. */
const moved: Readonly<Record<string, (amountMinor: number) => Partial<Sum>>> = {
  "payment.succeeded": (receivedMinor) => ({ payments: 1, receivedMinor }),
  "payment.corrected": (correctedMinor) => ({ correctedMinor }),
  "order.refunded": refunded,
  "payment.refunded": refunded,
  // The gateway refunded what someone had given back.
  "refund.needs_attention": refunded,
  "refund.failed": returned,
  "refund.excess_returned": returned,
};

function refunded(amountMinor: number): Partial<Sum> {
  return { refunds: 1, refundedMinor: -amountMinor };
}

/** Money of a refund that was counted on its day, and came back on this one. */
function returned(amountMinor: number): Partial<Sum> {
  return { refundedMinor: -amountMinor };
}

async function movesOf(db: Reader, bookedOn: number): Promise<Move[]> {
  const moves: Move[] = [];
  const names = Object.keys(moved);
  for (let after = 0, isLast = false; !isLast;) {
    await nextTurn();
    const found = await listMoneyMoves(db, { bookedOn, after, names, limit: MOVES_AT_ONCE });
    for (const one of found) moves.push(...(await moveOf(db, one)));
    isLast = found.length < MOVES_AT_ONCE;
    after = found.at(-1)?.sequence ?? after;
  }
  return moves;
}

async function moveOf(db: Reader, move: MoneyMove): Promise<Move[]> {
  const { name, currency, amountMinor, actor } = move;
  const data = payloadOf(move);
  if (data === null) return [];
  const told = await completed(db, move, data);
  const method = paymentMethods.find((one) => one === textOf(told, "method"));
  if (method === undefined) return [];
  const isByHand = textOf(told, "gateway") === null;
  return [{ ...noSum(currency), ...moved[name]?.(amountMinor), method, actor, isByHand }];
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
  return {
    currency,
    payments: 0,
    receivedMinor: 0,
    correctedMinor: 0,
    refunds: 0,
    refundedMinor: 0,
  };
}

function sumOf(currency: CurrencyCode, moves: readonly Sum[]): Sum {
  return moves.reduce(
    (sum, move) => ({
      currency,
      payments: sum.payments + move.payments,
      receivedMinor: inBounds(sum.receivedMinor + move.receivedMinor),
      correctedMinor: inBounds(sum.correctedMinor + move.correctedMinor),
      refunds: sum.refunds + move.refunds,
      refundedMinor: inBounds(sum.refundedMinor + move.refundedMinor),
    }),
    noSum(currency),
  );
}

function greatestFirst(one: Sum, other: Sum): number {
  return other.receivedMinor - one.receivedMinor || other.refundedMinor - one.refundedMinor;
}
