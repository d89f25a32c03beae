// The books of a vendor: what was charged, what went back, what the vendor took and paid out. Invariants: of a
// charge no more goes back than was charged, and the entries of a currency sum up to its payouts and its balance.

export type EntryKind =
  "charge" | "refund" | "refund_returned" | "dispute" | "dispute_returned" | "payout";

/** One movement of the balance: it changes by the amount without the fee. */
export interface Entry {
  readonly id: string;
  readonly kind: EntryKind;
  /** The charge, refund, dispute or payout that moved the balance. */
  readonly subject: string;
  /** Below zero where money leaves. */
  readonly amountMinor: number;
  readonly feeMinor: number;
  readonly currency: string;
  /** Epoch milliseconds, by the vendor's clock. */
  readonly at: number;
  /** From when it may be paid out. */
  readonly availableAt: number;
  /** The payout that it is part of, or null. */
  readonly payout: string | null;
}

export interface BookedCharge {
  readonly id: string;
  readonly amountMinor: number;
  readonly currency: string;
}

/** `open`: promised to the payer, and not paid yet. */
export type BookedRefundState = "open" | "paid" | "returned";

export interface BookedRefund {
  readonly id: string;
  readonly charge: string;
  readonly amountMinor: number;
  readonly currency: string;
  readonly state: BookedRefundState;
}

/** `open`: the payer complains, and no money has moved. */
export type BookedDisputeState = "open" | "withdrawn" | "returned";

export interface BookedDispute extends Omit<BookedRefund, "state"> {
  readonly feeMinor: number;
  readonly state: BookedDisputeState;
}

/**
 * A movement that the books do not take. Nothing has changed.
 *
 * @internal Exported for tests.
 */
export class BooksFault extends Error {}

export interface BooksTerms {
  readonly now: () => number;
  /** So long a movement waits before it may be paid out. */
  readonly waitMs: number;
}

interface Posting {
  readonly kind: EntryKind;
  readonly subject: string;
  readonly amountMinor: number;
  readonly feeMinor?: number;
  readonly currency: string;
}

export class Books {
  readonly #terms: BooksTerms;
  readonly #charges = new Map<string, BookedCharge>();
  readonly #refunds = new Map<string, BookedRefund>();
  readonly #disputes = new Map<string, BookedDispute>();
  readonly #balances = new Map<string, number>();
  readonly #entries: Entry[] = [];
  /** The place of the movement of each kind and subject. */
  readonly #places = new Map<string, number>();

  constructor(terms: BooksTerms) {
    this.#terms = terms;
  }

  /** All movements, oldest first. */
  get entries(): readonly Entry[] {
    return this.#entries;
  }

  /** The balance of the currency, minor units. */
  balanceMinor(currency: string): number {
    return this.#balances.get(currency) ?? 0;
  }

  /** The movement of this kind and subject. */
  entryOf(subject: string, kind: EntryKind): Entry | undefined {
    const place = this.#places.get(`${kind} ${subject}`);
    return place === undefined ? undefined : this.#entries[place];
  }

  /** The part of a charge that went back or is promised to the payer. */
  refundedMinor(charge: string): number {
    return sumOf([...this.#refunds.values()].filter((one) => one.charge === charge && isOut(one)));
  }

  /** The part of a charge that has not gone back and is not promised. */
  refundableMinor(charge: string): number {
    return get(this.#charges, charge).amountMinor - this.refundedMinor(charge);
  }

  charge(charge: BookedCharge & { readonly feeMinor: number }): Entry {
    const { id, amountMinor, currency, feeMinor } = charge;
    requireNew(this.#charges, id);
    requireAmount(amountMinor, Number.MAX_SAFE_INTEGER);
    this.#charges.set(id, { id, amountMinor, currency });
    return this.#post({ kind: "charge", subject: id, amountMinor, feeMinor, currency });
  }

  /** Promises money of the charge to the payer. */
  openRefund(refund: Pick<BookedRefund, "id" | "charge" | "amountMinor">): void {
    requireNew(this.#refunds, refund.id);
    const { currency } = get(this.#charges, refund.charge);
    requireAmount(refund.amountMinor, this.refundableMinor(refund.charge));
    this.#refunds.set(refund.id, { ...refund, currency, state: "open" });
  }

  payRefund(id: string): Entry {
    const { amountMinor, currency } = this.#advanceRefund(id, ["open"], "paid");
    return this.#post({ kind: "refund", subject: id, amountMinor: -amountMinor, currency });
  }

  /** The money stays with the merchant, or comes back if it was paid. Returns the entry of what came back. */
  returnRefund(id: string): Entry | null {
    const wasPaid = this.#refunds.get(id)?.state === "paid";
    const { amountMinor, currency } = this.#advanceRefund(id, ["open", "paid"], "returned");
    if (!wasPaid) return null;
    return this.#post({ kind: "refund_returned", subject: id, amountMinor, currency });
  }

  openDispute(dispute: Pick<BookedDispute, "id" | "charge" | "amountMinor" | "feeMinor">): void {
    requireNew(this.#disputes, dispute.id);
    const { amountMinor, currency } = get(this.#charges, dispute.charge);
    requireAmount(dispute.amountMinor, amountMinor);
    this.#disputes.set(dispute.id, { ...dispute, currency, state: "open" });
  }

  /** The vendor takes the disputed money and its fee. */
  withdrawDispute(id: string): Entry {
    const { amountMinor, currency, feeMinor } = this.#advanceDispute(id, "open", "withdrawn");
    const posting = { subject: id, amountMinor: -amountMinor, feeMinor, currency };
    return this.#post({ kind: "dispute", ...posting });
  }

  /** The merchant has won: the money comes back, the fee does not. */
  returnDispute(id: string): Entry {
    const { amountMinor, currency } = this.#advanceDispute(id, "withdrawn", "returned");
    return this.#post({ kind: "dispute_returned", subject: id, amountMinor, currency });
  }

  /** Pays out all that is available and in no payout yet. Null if that is nothing, or below zero. */
  payOut(id: string, currency: string): Entry | null {
    const now = this.#terms.now();
    const isDue = (entry: Entry) =>
      entry.currency === currency && entry.payout === null && entry.availableAt <= now;
    const amountMinor = netOf(this.#entries.filter(isDue));
    if (amountMinor <= 0) return null;
    for (const [place, entry] of this.#entries.entries()) {
      if (isDue(entry)) this.#entries[place] = { ...entry, payout: id };
    }
    const posting = { subject: id, amountMinor: -amountMinor, currency };
    return this.#post({ kind: "payout", ...posting }, id);
  }

  /** The invariants that do not hold: empty, or the face has a fault. */
  faults(): string[] {
    const overpaid = [...this.#charges.keys()]
      .filter((id) => this.refundableMinor(id) < 0)
      .map((id) => `${id}: more went back than was charged`);
    const currencies = [...new Set(this.#entries.map(({ currency }) => currency))];
    return [...overpaid, ...currencies.flatMap((currency) => this.#currencyFaults(currency))];
  }

  #currencyFaults(currency: string): string[] {
    const entries = this.#entries.filter((entry) => entry.currency === currency);
    const payouts = entries.filter(({ kind }) => kind === "payout");
    const moved = netOf(entries.filter(({ kind }) => kind !== "payout"));
    const isWhole = moved === this.balanceMinor(currency) - netOf(payouts);
    const wrong = payouts.filter(
      ({ subject }) => netOf(entries.filter(({ payout }) => payout === subject)) !== 0,
    );
    return [
      ...(isWhole ? [] : [`${currency}: entries are not payouts and balance`]),
      ...wrong.map(({ subject }) => `${subject}: is not the sum of its entries`),
    ];
  }

  #advanceRefund(id: string, from: readonly BookedRefundState[], to: BookedRefundState) {
    const refund = get(this.#refunds, id);
    if (!from.includes(refund.state)) throw new BooksFault(`${id} is ${refund.state}.`);
    this.#refunds.set(id, { ...refund, state: to });
    return refund;
  }

  #advanceDispute(id: string, from: BookedDisputeState, to: BookedDisputeState) {
    const dispute = get(this.#disputes, id);
    if (dispute.state !== from) throw new BooksFault(`${id} is ${dispute.state}.`);
    this.#disputes.set(id, { ...dispute, state: to });
    return dispute;
  }

  #post(posting: Posting, payout: string | null = null): Entry {
    const { now, waitMs } = this.#terms;
    const at = now();
    const availableAt = posting.kind === "payout" ? at : at + waitMs;
    const id = String(this.#entries.length + 1).padStart(6, "0");
    const entry: Entry = { feeMinor: 0, ...posting, id, at, availableAt, payout };
    this.#places.set(`${entry.kind} ${entry.subject}`, this.#entries.length);
    this.#entries.push(entry);
    const { currency } = entry;
    this.#balances.set(currency, this.balanceMinor(currency) + netOf([entry]));
    return entry;
  }
}

/** The sum of what the entries change in the balance. */
function netOf(entries: readonly Entry[]): number {
  return entries.reduce((sum, { amountMinor, feeMinor }) => sum + amountMinor - feeMinor, 0);
}

function sumOf(refunds: readonly BookedRefund[]): number {
  return refunds.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
}

function isOut({ state }: BookedRefund): boolean {
  return state !== "returned";
}

function get<T>(rows: ReadonlyMap<string, T>, id: string): T {
  const row = rows.get(id);
  if (row === undefined) throw new BooksFault(`The books do not know ${id}.`);
  return row;
}

function requireNew(rows: ReadonlyMap<string, unknown>, id: string): void {
  if (rows.has(id)) throw new BooksFault(`${id} is in the books.`);
}

function requireAmount(amountMinor: number, mostMinor: number): void {
  if (!Number.isSafeInteger(amountMinor) || amountMinor <= 0 || amountMinor > mostMinor) {
    throw new BooksFault(`${amountMinor} is not between 1 and ${mostMinor}.`);
  }
}
