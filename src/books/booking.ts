// Events as the accountant sees them. Invariant: an entry names no customer, so erasing one changes no row; what its rows
// do not add up to is the change of what the customer owes. Triggered test events book nothing.

import { type CurrencyCode, isCurrency } from "#kernel/currency.ts";
import { DAY_MS, toIso } from "#kernel/time.ts";
import { listOf, partOf, type Payload, textOf, wholeOf } from "#platform/event-log/payload.ts";

export const accounts = [
  "money",
  "sales",
  "tax",
  "kept",
  "write_offs",
  "disputes",
  "fees",
  "differences",
  "unassigned",
] as const;
export type Account = (typeof accounts)[number];

/** An amount of an account, minor units: above zero for a debit. */
export interface Booking {
  readonly currency: CurrencyCode;
  readonly account: Account;
  readonly detail: string;
  readonly amountMinor: number;
}

/** The rows of one event. */
export interface Entry {
  /** The day of the money where it is known; null for the day of the event. */
  readonly receivedOn: string | null;
  readonly rows: readonly Booking[];
}

type RowsOf = (data: Payload, currency: CurrencyCode) => readonly Booking[];

const readers: Readonly<Record<string, RowsOf>> = {
  "payment.succeeded": receivedRows,
  "payment.corrected": (data, currency) => {
    const addedMinor =
      wholeOf(data, "captured_total_minor") - wholeOf(data, "previous_total_minor");
    return moneyRows(data, currency, addedMinor);
  },
  "order.paid": (data, currency) => [
    ...soldRows(
      currency,
      { amountMinor: wholeOf(data, "total_minor"), taxes: listOf(data, "tax_lines") },
      -1,
    ),
    {
      currency,
      account: "write_offs",
      detail: "",
      amountMinor: wholeOf(data, "written_off_total_minor"),
    },
  ],
  "order.refunded": (data, currency) => refundedRows(data, currency, 1),
  "payment.refunded": (data, currency) => refundedRows(data, currency, 1),
  // Money that had gone back, and came again.
  "refund.failed": (data, currency) =>
    data["had_succeeded"] === true ? refundedRows(data, currency, -1) : [],
  "refund.needs_attention": (data, currency) =>
    data["reason"] === "paid_twice" ? excessRows(data, currency, 1) : [],
  "refund.excess_returned": (data, currency) => excessRows(data, currency, -1),
  "order.updated": updatedRows,
  "payment.dispute_withdrawn": (data, currency) => disputedRows(data, currency, 1),
  "payment.dispute_returned": (data, currency) => disputedRows(data, currency, -1),
  "payout.paid": (data, currency) => payoutRows(data, currency, 1),
  "payout.failed": (data, currency) =>
    data["was_paid"] === true ? payoutRows(data, currency, -1) : [],
};

/** The rows of an event of this name; none if nothing is booked. */
export function bookingsOf(name: string, data: Payload): Entry {
  const read = readers[name];
  const currency = textOf(data, "currency") ?? textOf(partOf(data, "dispute"), "currency") ?? "";
  if (read === undefined || !isCurrency(currency)) return { receivedOn: null, rows: [] };
  return {
    // A correction has the payment's members, too, and is of its own day.
    receivedOn: name === "payment.succeeded" ? textOf(data, "received_on") : null,
    rows: read(data, currency).filter(({ amountMinor }) => amountMinor !== 0),
  };
}

/** True if an event of this name may be booked. */
export function isBooked(name: string): boolean {
  return readers[name] !== undefined;
}

/** The account that is never stored: it has the rest of every entry. */
export const CUSTOMERS = "customers" as const;

/** The change of what customers owe in each currency that is among the rows: what they do not add up to. */
export function customersOf<Row extends Pick<Booking, "currency" | "amountMinor">>(
  rows: readonly Row[],
): (Omit<Booking, "account"> & { readonly account: typeof CUSTOMERS })[] {
  return [...Map.groupBy(rows, ({ currency }) => currency)]
    .map(([currency, of]) => ({
      currency,
      account: CUSTOMERS,
      detail: "",
      amountMinor: of.reduce((rest, { amountMinor }) => rest - amountMinor, 0),
    }))
    .filter(({ amountMinor }) => amountMinor !== 0);
}

/** A day such as 2026-01-31 as days since 1970-01-01. */
export function dayNumberOf(day: string): number {
  return Math.floor(Date.parse(day) / DAY_MS);
}

/** The same day as the wire has it. */
export function dayOfNumber(bookedOn: number): string {
  return toIso(bookedOn * DAY_MS).slice(0, 10);
}

/** Money that came: in another currency than it counts in, each has its own leg. */
function receivedRows(data: Payload, currency: CurrencyCode): readonly Booking[] {
  const capturedMinor = wholeOf(data, "captured_total_minor");
  const received = partOf(data, "received");
  const from = textOf(received, "currency") ?? currency;
  if (from === currency) return moneyRows(data, currency, capturedMinor);
  const exchanged = { account: "differences", detail: "exchange" } as const;
  const foreignMinor = wholeOf(received, "amount_minor");
  const foreign: readonly Booking[] = isCurrency(from)
    ? [
        { currency: from, account: "money", detail: moneyOf(data), amountMinor: foreignMinor },
        { currency: from, ...exchanged, amountMinor: -foreignMinor },
      ]
    : [];
  return [
    ...foreign,
    { currency, ...exchanged, amountMinor: capturedMinor },
    ...unassigned(data, currency, -capturedMinor),
  ];
}

/** Money of a payment, with the other side of it where there is no order. */
function moneyRows(data: Payload, currency: CurrencyCode, amountMinor: number): Booking[] {
  return [
    { currency, account: "money", detail: moneyOf(data), amountMinor },
    ...unassigned(data, currency, -amountMinor),
  ];
}

/** The money of a payment link belongs to nothing that was sold. */
function unassigned(data: Payload, currency: CurrencyCode, amountMinor: number): Booking[] {
  if (textOf(data, "order_id") !== null) return [];
  return [{ currency, account: "unassigned", detail: "", amountMinor }];
}

/** The gateway; by hand the method, where a transfer reaches the bank. */
function moneyOf(data: Payload): string {
  const method = textOf(data, "method") ?? textOf(data, "payment_method") ?? "";
  return textOf(data, "gateway") ?? (method === "bank_transfer" ? "bank" : method);
}

/** A refund gives back what was sold and kept; money that was sent back from review was never booked. */
function refundedRows(data: Payload, currency: CurrencyCode, sign: 1 | -1): readonly Booking[] {
  if (data["counted"] === false) return [];
  const refund = partOf(data, "refund");
  const amountMinor = sign * wholeOf(refund, "amount_minor");
  const from = textOf(refund, "currency") ?? currency;
  if (from !== currency && isCurrency(from)) {
    return [
      { currency: from, account: "money", detail: moneyOf(data), amountMinor: -amountMinor },
      { currency: from, account: "differences", detail: "exchange", amountMinor },
    ];
  }
  const sale = {
    amountMinor: wholeOf(data, "sale_refunded_minor"),
    taxes: listOf(refund, "tax_lines"),
  };
  const kept = {
    amountMinor: wholeOf(data, "kept_refunded_minor"),
    taxes: listOf(data, "kept_tax_lines"),
  };
  return [
    ...moneyRows(data, currency, -amountMinor),
    ...soldRows(currency, sale, sign),
    ...soldRows(currency, { ...kept, account: "kept" }, sign),
  ];
}

/** Money that the gateway paid too much belongs to nothing until someone gets it back. */
function excessRows(data: Payload, currency: CurrencyCode, sign: 1 | -1): readonly Booking[] {
  const amountMinor = sign * wholeOf(data, "amount_minor");
  return [
    { currency, account: "money", detail: moneyOf(data), amountMinor: -amountMinor },
    { currency, account: "unassigned", detail: "", amountMinor },
  ];
}

function updatedRows(data: Payload, currency: CurrencyCode): readonly Booking[] {
  const isOfSale = data["written_off_of_sale"] === true;
  const amountMinor = isOfSale ? wholeOf(data, "written_off_minor") : 0;
  const reduction = partOf(data, "sale_reduction");
  const kept = partOf(data, "kept");
  const keptMinor = wholeOf(kept, "amount_minor");
  const reduced = {
    amountMinor: wholeOf(reduction, "amount_minor"),
    taxes: listOf(reduction, "tax_lines"),
  };
  // The taxes of what is kept no more are told without their sign.
  const changed = { amountMinor: Math.abs(keptMinor), taxes: listOf(kept, "tax_lines") };
  return [
    { currency, account: "write_offs", detail: "", amountMinor },
    ...soldRows(currency, reduced, 1),
    ...soldRows(currency, { ...changed, account: "kept" }, keptMinor > 0 ? -1 : 1),
  ];
}

function disputedRows(data: Payload, currency: CurrencyCode, sign: 1 | -1): readonly Booking[] {
  if (data["counted"] === false) return [];
  const amountMinor = sign * wholeOf(data, "amount_minor");
  const gateway = textOf(partOf(data, "dispute"), "gateway") ?? moneyOf(data);
  return [
    { currency, account: "money", detail: gateway, amountMinor: -amountMinor },
    { currency, account: "disputes", detail: "", amountMinor },
  ];
}

/** Money that left its source for bank or drawer; what of it the shop knows nothing of is unassigned. */
function payoutRows(data: Payload, currency: CurrencyCode, sign: 1 | -1): readonly Booking[] {
  const payout = partOf(data, "payout");
  const source = textOf(payout, "source") ?? "";
  const unknownMinor = sign * wholeOf(data, "unknown_total_minor");
  const of = (name: string) => sign * wholeOf(payout, name);
  const left = unknownMinor - of("gross_minor");
  return [
    { currency, account: "money", detail: source, amountMinor: left },
    { currency, account: "unassigned", detail: "", amountMinor: -unknownMinor },
    { currency, account: "fees", detail: source, amountMinor: of("fee_minor") },
    {
      currency,
      account: "money",
      detail: textOf(payout, "into") ?? "bank",
      amountMinor: of("net_minor"),
    },
  ];
}

interface Taxed {
  readonly amountMinor: number;
  readonly taxes: readonly Payload[];
  /** The account of the net; sales if undefined. */
  readonly account?: "sales" | "kept";
}

/** An amount with its taxes: the net of each class, each tax, and what is taxed by nothing. */
function soldRows(
  currency: CurrencyCode,
  { amountMinor, taxes, account = "sales" }: Taxed,
  sign: 1 | -1,
): Booking[] {
  const classes = Map.groupBy(
    taxes,
    (tax) => `${textOf(tax, "country")} ${textOf(tax, "tax_class")}`,
  );
  const nets = [...classes].map(([detail, lines]): Booking => {
    const taxableMinor = Math.max(...lines.map((tax) => wholeOf(tax, "taxable_minor")));
    const included = lines.filter((tax) => tax["included"] === true);
    return { currency, account, detail, amountMinor: taxableMinor - sumOf(included) };
  });
  const charged = taxes.map((tax): Booking => {
    const detail = `${textOf(tax, "country")} ${textOf(tax, "name")} ${String(tax["rate"])}`;
    return { currency, account: "tax", detail, amountMinor: wholeOf(tax, "amount_minor") };
  });
  const taxedMinor = [...nets, ...charged].reduce((sum, row) => sum + row.amountMinor, 0);
  const untaxed = { currency, account, detail: "untaxed", amountMinor: amountMinor - taxedMinor };
  return [...nets, ...charged, untaxed].map((row) => ({
    ...row,
    amountMinor: sign * row.amountMinor,
  }));
}

function sumOf(taxes: readonly Payload[]): number {
  return taxes.reduce((sum, tax) => sum + wholeOf(tax, "amount_minor"), 0);
}
