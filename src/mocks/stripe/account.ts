// An account at the face of Stripe: its rows, its clock, its books. Amounts are in the vendor's minor units, currencies
// in lower case, instants in epoch milliseconds.

import type Stripe from "stripe";

import { Books } from "#mocks/books.ts";
import type { Payer } from "#mocks/scripts.ts";

import { noSuch } from "./errors.ts";

const DAY_MS = 86_400_000;
/** So long the money of a charge waits until it may be paid out. */
const WAIT_DAYS = 2;

export interface Decline {
  readonly type: "card_error" | "invalid_request_error";
  readonly code: string;
  readonly declineCode: string | null;
  readonly message: string;
  /** The field of the card that is to blame, if one is. */
  readonly param: string | null;
}

export interface IntentRow {
  readonly id: string;
  readonly createdAt: number;
  readonly amountMinor: number;
  readonly currency: string;
  readonly description: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  /** The Checkout Session that it belongs to. */
  readonly session: string | null;
  status: "requires_payment_method" | "requires_action" | "processing" | "succeeded" | "canceled";
  returnUrl: string | null;
  /** The payer of the last try. */
  payer: Payer | null;
  method: string | null;
  decline: Decline | null;
  charge: string | null;
  canceledAt: number | null;
  cancellationReason: string | null;
}

export interface ChargeRow {
  readonly id: string;
  readonly createdAt: number;
  readonly intent: string;
  readonly payer: Payer;
  readonly method: string;
  readonly amountMinor: number;
  readonly currency: string;
  /** Null if it was paid. */
  readonly decline: Decline | null;
}

export interface SessionRow {
  readonly id: string;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly amountMinor: number;
  readonly currency: string;
  readonly successUrl: string;
  readonly cancelUrl: string | null;
  readonly reference: string | null;
  readonly email: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly intentMetadata: Readonly<Record<string, string>>;
  readonly description: string | null;
  status: "open" | "complete" | "expired";
  intent: string | null;
}

export interface RefundRow {
  readonly id: string;
  readonly createdAt: number;
  readonly charge: string;
  readonly amountMinor: number;
  readonly metadata: Readonly<Record<string, string>>;
  readonly reason: string | null;
  status: "pending" | "succeeded" | "failed";
  failureReason: string | null;
  pendingReason: string | null;
}

export interface DisputeRow {
  readonly id: string;
  readonly createdAt: number;
  readonly charge: string;
  readonly amountMinor: number;
  readonly reason: string;
  status: "warning_needs_response" | "needs_response" | "won" | "lost" | "warning_closed";
}

export interface PayoutRow {
  readonly id: string;
  readonly createdAt: number;
  readonly amountMinor: number;
  readonly currency: string;
  readonly arrivesAt: number;
  status: "in_transit" | "paid" | "failed";
}

export interface EndpointRow {
  readonly id: string;
  readonly createdAt: number;
  readonly url: string;
  readonly secret: string;
  readonly events: readonly string[];
  readonly apiVersion: string | null;
  readonly description: string | null;
  readonly metadata: Readonly<Record<string, string>>;
}

/** Rows by id, in the order in which they were made. */
class Rows<Row extends { readonly id: string }> {
  readonly #what: string;
  readonly #rows = new Map<string, Row>();

  /** The name of such a row in the vendor's errors. */
  constructor(what: string) {
    this.#what = what;
  }

  add(row: Row): Row {
    this.#rows.set(row.id, row);
    return row;
  }

  remove(id: string): void {
    this.#rows.delete(id);
  }

  find(id: string): Row | undefined {
    return this.#rows.get(id);
  }

  /** Refused as in the path of a request, or as the parameter that names it. */
  get(id: string, param: string | null = null): Row {
    const row = this.#rows.get(id);
    if (row !== undefined) return row;
    throw noSuch(this.#what, id, { status: param === null ? 404 : 400, param: param ?? "id" });
  }

  all(): Row[] {
    return [...this.#rows.values()];
  }
}

/** Tells the world what happened to an object. */
export type Announce = (type: Stripe.Event.Type, subject: string) => void;

export class Account {
  readonly intents = new Rows<IntentRow>("payment_intent");
  readonly charges = new Rows<ChargeRow>("charge");
  readonly sessions = new Rows<SessionRow>("checkout.session");
  readonly refunds = new Rows<RefundRow>("refund");
  readonly disputes = new Rows<DisputeRow>("dispute");
  readonly payouts = new Rows<PayoutRow>("payout");
  readonly endpoints = new Rows<EndpointRow>("webhook_endpoint");
  readonly books: Books;
  readonly isLive: boolean;
  /** The tokens and intents whose first request was refused, or its answer lost. */
  readonly struckOnce = new Set<string>();
  readonly #startedAt: number;
  #pastMs = 0;
  #made = 0;

  constructor({ isLive, startsAt }: { readonly isLive: boolean; readonly startsAt: number }) {
    this.isLive = isLive;
    this.#startedAt = startsAt;
    this.books = new Books({ now: () => this.now(), waitMs: WAIT_DAYS * DAY_MS });
  }

  /** The vendor's clock, which only tests move. */
  now(): number {
    return this.#startedAt + this.#pastMs;
  }

  pass(ms: number): void {
    this.#pastMs += ms;
  }

  /** An id as the vendor forms them, with as many letters. */
  newId(prefix: string, length = 24): string {
    this.#made += 1;
    return `${prefix}_${this.#made.toString(36).padStart(length, "0")}`;
  }

  /** The charge that took the money of the intent, if one did. */
  paidCharge(intent: IntentRow): ChargeRow | null {
    const charge = intent.charge === null ? undefined : this.charges.find(intent.charge);
    return charge === undefined || charge.decline !== null ? null : charge;
  }

  refundsOf(charge: string): RefundRow[] {
    return this.refunds.all().filter((one) => one.charge === charge);
  }

  disputesOf(charge: string): DisputeRow[] {
    return this.disputes.all().filter((one) => one.charge === charge);
  }
}
