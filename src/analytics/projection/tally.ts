// Adds up facts in memory, in the order of the log. The meaning of a fact may depend on earlier ones;
// `Memory` holds that state.

import {
  addFigures,
  addPart,
  type Figures,
  noFigures,
  noPart,
  type PartFigures,
  type PartKind,
  partKinds,
} from "#analytics/figures.ts";
import { nameOfDiscount, nameOfTax } from "#analytics/price-names.ts";
import { stepOf } from "#analytics/seconds.ts";
import { slotAt } from "#analytics/slots.ts";

import {
  type ChargedTax,
  type Fact,
  type GivenDiscount,
  type KeptMoney,
  type SaleFigures,
  type SalesScope,
  type SoldLine,
  takenBack,
} from "./fact.ts";
import { ALL_CHANNELS, customerKey, type Memory, NEVER, scopeKey } from "./recall-memory.ts";

/** A product, variant, payment method, provider, failure code, discount or tax. */
export interface Named {
  readonly kind:
    "product" | "variant" | "method" | "provider" | "failure_code" | "discount" | "tax";
  readonly name: string;
  /** Null leaves the saved title. */
  readonly title: string | null;
  readonly sku: string | null;
}

export interface PartSum extends PartFigures {
  readonly slot: number;
  readonly kind: PartKind;
  /** The `nameKey` of the part, or a step of the histogram. */
  readonly part: string | number;
  readonly owner: string | null;
}

interface Dated extends SalesScope {
  readonly at: number;
}

export interface Purchase {
  readonly slot: number;
  /** The slot of the previous purchase, or `NEVER`. */
  readonly previous: number;
}

/** The sums to add to one scope. */
export interface ScopeTally extends SalesScope {
  /** By slot. */
  readonly figures: Map<number, Figures>;
  readonly parts: Map<string, PartSum>;
  readonly purchases: Purchase[];
}

/** The key of a name. */
export function nameKey({ kind, name }: Pick<Named, "kind" | "name">): string {
  return `${kind} ${name}`;
}

export class Tally {
  readonly scopes = new Map<string, ScopeTally>();
  readonly names = new Map<string, Named>();
  readonly memory: Memory;

  constructor(memory: Memory) {
    this.memory = memory;
  }

  /** Adds one fact; facts come in the order of the log. */
  add(fact: Fact): void {
    switch (fact.kind) {
      case "named":
        this.#name({ kind: "product", name: fact.productId, title: fact.name, sku: null });
        break;
      case "placed":
        this.#place(fact);
        break;
      case "paid":
        this.#sell(fact);
        break;
      case "refunded":
        this.#refund(fact);
        this.#refundTaxes(fact);
        this.#keep(fact, fact.kept);
        break;
      case "kept":
        this.#keep(fact, fact);
        break;
      case "reduced":
        this.#giveBack(fact, fact.reducedMinor);
        this.#refundTaxes(fact);
        break;
      case "written_off":
        this.#count(fact, {
          writtenOffMinor: fact.writtenOffMinor,
          writtenOffOfSalesMinor: fact.ofSalesMinor,
        });
        break;
      default:
        if ("subject" in fact) this.#trackCheckout(fact);
        else if ("method" in fact) this.#countAttempt(fact);
        else this.#count(fact, endingOf(fact));
    }
  }

  /** A prepaid order starts a checkout, unless its cart started one. */
  #place(fact: Extract<Fact, { kind: "placed" }>): void {
    const wasCheckout =
      fact.cartId !== null && this.memory.checkouts.get(fact.cartId) !== undefined;
    const isStart = fact.isPrepaid && !wasCheckout;
    this.#count(fact, { placed: 1, started: isStart ? 1 : 0 });
  }

  #sell(fact: Extract<Fact, { kind: "paid" }>): void {
    const { method, grossMinor, discountMinor, shippingMinor, taxMinor, lines } = fact;
    const units = lines.reduce((sum, line) => sum + line.units, 0);
    const netMinor = grossMinor - discountMinor;
    this.#count(fact, {
      paid: 1,
      unitsSold: units,
      grossMinor,
      discountMinor,
      shippingMinor,
      taxMinor,
      includedTaxMinor: fact.includedTaxMinor,
      writtenOffOfSalesMinor: fact.writtenOffMinor,
    });
    this.#part(
      fact,
      { kind: partKinds.method, part: this.#name(methodNamed(method)), owner: null },
      { count: 1, units, grossMinor, netMinor },
    );
    // Lines of the merchant's own are sold under no product.
    for (const line of lines) if (line.variantId !== "") this.#sellLine(fact, line);
    for (const discount of fact.discounts) this.#discount(fact, discount, { units, netMinor });
    for (const tax of fact.taxes) this.#tax(fact, partKinds.tax, tax);
    this.#recover(fact, netMinor + shippingMinor + taxMinor);
    this.#refund(fact);
    if (fact.customerId !== null) {
      this.#buy(fact, fact.customerId, fact.channel);
      this.#buy(fact, fact.customerId, ALL_CHANNELS);
    }
  }

  #sellLine(fact: Dated, line: SoldLine): void {
    const { variantId, productId, sku, name: title, units, grossMinor, netMinor } = line;
    const owner = this.#name({ kind: "product", name: productId, title: null, sku: null });
    const part = this.#name({ kind: "variant", name: variantId, title, sku });
    const sums = { count: 1, units, grossMinor, netMinor };
    this.#part(fact, { kind: partKinds.variant, part, owner }, sums);
  }

  /** The merchant's own discounts are one part, because their titles may name customers and have no bound. */
  #discount(
    fact: Dated,
    discount: GivenDiscount,
    sale: Pick<PartFigures, "units" | "netMinor">,
  ): void {
    const title = discount.discountId === null ? null : discount.title;
    const name = nameOfDiscount(discount);
    const part = this.#name({ kind: "discount", name, title, sku: null });
    const sums = { count: 1, grossMinor: discount.amountMinor, ...sale };
    this.#part(fact, { kind: partKinds.discount, part, owner: null }, sums);
  }

  #tax(fact: Dated, kind: PartKind, tax: ChargedTax): void {
    const part = this.#name({ kind: "tax", name: nameOfTax(tax), title: null, sku: null });
    const { taxableMinor: grossMinor, amountMinor: netMinor } = tax;
    this.#part(fact, { kind, part, owner: null }, { ...noPart, count: 1, grossMinor, netMinor });
  }

  #refundTaxes(fact: Extract<Fact, { kind: "refunded" | "reduced" }>): void {
    const refundedTaxMinor = fact.taxes.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
    this.#count(fact, { refundedTaxMinor });
    for (const tax of fact.taxes) this.#tax(fact, partKinds.refundedTax, tax);
  }

  /** The taxes of kept money are in the table of taxes; those of what is kept no more count as refunded. */
  #keep(fact: Dated, { keptMinor, keptTaxes }: KeptMoney): void {
    if (keptMinor === 0) return;
    this.#count(fact, { keptMinor });
    for (const tax of keptTaxes) {
      if (keptMinor > 0) this.#tax(fact, partKinds.tax, tax);
      else this.#tax(fact, partKinds.refundedTax, takenBack(tax));
    }
  }

  /** Recovered revenue: the order or its cart was abandoned before the payment. */
  #recover(fact: SaleFigures & Dated, recoveredMinor: number): void {
    const { checkouts } = this.memory;
    const wasOrderAbandoned = checkouts.get(fact.orderId) === true;
    const wasCartAbandoned = fact.cartId !== null && checkouts.get(fact.cartId) === true;
    if (wasOrderAbandoned) this.#count(fact, { recovered: 1 });
    if (wasOrderAbandoned || wasCartAbandoned) this.#count(fact, { recoveredMinor });
  }

  /** The event has the refunded total of the sale; the increase counts at the time of the event. */
  #refund(fact: Pick<SaleFigures, "orderId" | "method" | "refundedMinor"> & Dated): void {
    const refundedMinor = fact.refundedMinor - (this.memory.refunded.get(fact.orderId) ?? 0);
    if (refundedMinor === 0) return;
    this.memory.refunded.set(fact.orderId, fact.refundedMinor);
    this.#giveBack(fact, refundedMinor);
  }

  #giveBack(fact: Pick<SaleFigures, "method"> & Dated, refundedMinor: number): void {
    this.#count(fact, { refundedMinor });
    this.#part(
      fact,
      { kind: partKinds.method, part: this.#name(methodNamed(fact.method)), owner: null },
      { ...noPart, netMinor: -refundedMinor },
    );
  }

  #trackCheckout(fact: Extract<Fact, { kind: "checkout" | "abandoned" | "recovered" }>): void {
    const { checkouts } = this.memory;
    if (fact.kind === "recovered") return this.#count(fact, { recovered: 1 });
    const isLeft = fact.kind === "abandoned" || checkouts.get(fact.subject) === true;
    checkouts.set(fact.subject, isLeft);
    if (fact.kind !== "abandoned") return this.#count(fact, { started: 1 });
    this.#count(fact, { abandoned: 1, abandonedDiscounted: fact.isDiscounted ? 1 : 0 });
  }

  #countAttempt(fact: Extract<Fact, { kind: "attempted" | "succeeded" | "failed" }>): void {
    const { kind, method, provider } = fact;
    const name = `${method} ${provider ?? ""}`;
    const part = this.#name({ kind: "provider", name, title: null, sku: null });
    const once = { ...noPart, count: 1 };
    this.#part(fact, { kind: attemptKinds[kind], part, owner: null }, once);
    this.#count(fact, attemptFigures[kind]);
    if (kind === "succeeded") {
      const step = stepOf(fact.tookMs);
      this.#part(fact, { kind: partKinds.seconds, part: step, owner: null }, once);
    }
    if (kind === "failed") {
      const { failureCode } = fact;
      const code = this.#name({ kind: "failure_code", name: failureCode, title: null, sku: null });
      this.#part(fact, { kind: partKinds.failureCode, part: code, owner: null }, once);
    }
  }

  /** Ignores a purchase that is not later than the last one, which happens after a clock moved back. */
  #buy({ currency, at }: Dated, customerId: string, channel: string) {
    const place = { currency, channel };
    const slot = slotAt(at);
    const key = customerKey(customerId, place);
    const last = this.memory.customers.get(key)?.slot ?? NEVER;
    if (slot <= last) return;
    this.memory.customers.set(key, { customerId, slot, ...place });
    this.#scope(place).purchases.push({ slot, previous: last });
  }

  /** Counts in the channel's scope and in that of all channels: a series is read from one scope. */
  #count(fact: Dated, more: Partial<Figures>): void {
    const slot = slotAt(fact.at);
    for (const channel of [fact.channel, ALL_CHANNELS]) {
      const { figures } = this.#scope({ currency: fact.currency, channel });
      addFigures(entry(figures, slot, noFigures), more);
    }
  }

  #part(fact: Dated, what: Pick<PartSum, "kind" | "part" | "owner">, more: PartFigures): void {
    const { parts } = this.#scope(fact);
    const slot = slotAt(fact.at);
    const made = () => ({ slot, ...what, ...noPart });
    addPart(entry(parts, `${slot} ${what.kind} ${what.part}`, made), more);
  }

  #scope({ currency, channel }: SalesScope): ScopeTally {
    return entry(this.scopes, scopeKey({ currency, channel }), () => ({
      currency,
      channel,
      figures: new Map(),
      parts: new Map(),
      purchases: [],
    }));
  }

  #name(named: Named): string {
    const key = nameKey(named);
    const known = this.names.get(key);
    if (known === undefined || named.title !== null) this.names.set(key, named);
    return key;
  }
}

const attemptKinds = {
  attempted: partKinds.attempt,
  succeeded: partKinds.success,
  failed: partKinds.failure,
} as const;
const attemptFigures = {
  attempted: { attempts: 1 },
  succeeded: { succeeded: 1 },
  failed: { failed: 1 },
} as const;

/** How an order ended. */
function endingOf(
  fact: Extract<Fact, { kind: "fulfilled" | "unfulfilled" | "cancelled" }>,
): Partial<Figures> {
  if (fact.kind === "fulfilled") return { fulfilled: 1 };
  if (fact.kind === "unfulfilled") return { fulfilled: -1 };
  return fact.isExpired ? { expired: 1 } : { cancelled: 1 };
}

function methodNamed(name: string): Named {
  return { kind: "method", name, title: null, sku: null };
}

/** The value at the key, created if missing. */
function entry<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
