// Story: fills a test shop with three weeks of trade, the same each time. Products, customers and every
// step of every sale happen at their own instant, in the order of time, in one transaction.

import { setStock } from "#catalog/inventory/set-stock.ts";
import { createProduct } from "#catalog/products/create-product.ts";
import type { Product } from "#catalog/rows/product.ts";
import { createCustomer } from "#customers/create-customer.ts";
import type { CurrencyCode } from "#kernel/currency.ts";
import type { Id } from "#kernel/id.ts";
import { defineRefusal, Refusal } from "#kernel/refusal.ts";
import { MINUTE_MS, nextTurn } from "#kernel/time.ts";
import type { Tx } from "#platform/database/database.ts";
import { CHANNEL_DEFAULT } from "#sales/rows/cart.ts";
import { getStore } from "#shop/store/lookups.ts";
import { withDefaultMethods } from "#shop/store/open-store.ts";

import { type Fate, fates, stepsOfFree } from "./fates.ts";
import { atInstant, before, lastDayAt, type Moment } from "./moment.ts";
import { type SeedCustomer, seedCustomers } from "./seed-customers.ts";
import {
  SEED_CODE,
  seedCollections,
  seedPriceTerms,
  type ShippingOptions,
} from "./seed-price-terms.ts";
import { seedProducts } from "./seed-products.ts";
import { SeedSale } from "./seed-sale.ts";
import { restocks, type SaleRow, sales, type Wish } from "./seed-sales.ts";

export const alreadySeeded = defineRefusal("already_seeded", "conflict", {
  title: "The shop already contains seeded objects. Reset it first.",
  cause: "The test shop still contains objects of an earlier seed.",
  remedy: "Reset the test shop, then seed it again.",
});

export interface Seeded {
  readonly currency: CurrencyCode;
  readonly productIds: readonly Id<"product">[];
  readonly variantIds: readonly Id<"variant">[];
  readonly customerIds: readonly Id<"customer">[];
  readonly orderIds: readonly Id<"order">[];
  readonly cartIds: readonly Id<"cart">[];
}

interface SeedTerms {
  /** The shop's currency if undefined. */
  readonly currency: CurrencyCode | undefined;
  /** The address at which the pictures of the products are served. */
  readonly publicUrl: string;
}

/**
 * Creates products, customers, orders and carts with their payments and events, over three weeks that
 * end now. Refuses with `already_seeded` if one of the products or customers exists.
 */
export async function seedShop(tx: Tx, { currency: given, publicUrl }: SeedTerms): Promise<Seeded> {
  const history = new History(given ?? (await getStore(tx)).currency, publicUrl);
  // Not while the default methods hold: both are settings of the shop.
  await history.open(tx);
  await withDefaultMethods(tx, () => history.run(tx));
  return history.seeded();
}

/** Runs the story. Refuses with `already_seeded` if an SKU, an email or a phone is taken. */
async function orAlreadySeeded<T>(story: Promise<T>): Promise<T> {
  try {
    return await story;
  } catch (error) {
    const isTaken = error instanceof Refusal && error.definition.kind === "conflict";
    throw isTaken ? alreadySeeded() : error;
  }
}

/** Something that happens at one instant. */
interface Deed {
  readonly moment: Moment;
  /** Minutes after the moment. */
  readonly after: number;
  readonly run: (tx: Tx) => Promise<void>;
}

interface SaleToBegin {
  readonly key: string;
  readonly lines: string;
  readonly fate: Fate;
  readonly wish: Wish;
}

const opening = before(22, "09:00");

class History {
  readonly #currency: CurrencyCode;
  readonly #publicUrl: string;
  readonly #productIds: Id<"product">[] = [];
  /** By SKU. */
  readonly #variants = new Map<string, Id<"variant">>();
  /** By key. */
  readonly #customers = new Map<string, Id<"customer">>();
  readonly #sales: SeedSale[] = [];
  #options: ShippingOptions | null = null;

  constructor(currency: CurrencyCode, publicUrl: string) {
    this.#currency = currency;
    this.#publicUrl = publicUrl;
  }

  /** Before the first deed: the shop has the terms that decide on its prices. */
  async open(tx: Tx): Promise<void> {
    const at = opening(lastDayAt(tx.now));
    this.#options = await orAlreadySeeded(seedPriceTerms(atInstant(tx, at), this.#currency));
  }

  /** Runs all deeds, earliest first. */
  async run(tx: Tx): Promise<void> {
    const day = lastDayAt(tx.now);
    const deeds = [this.#opening(), ...this.#registrations(), ...this.#deliveries()]
      .concat(sales.flatMap((row) => this.#stepsOf(row)))
      .map(({ moment, after, run }) => ({ at: moment(day) + after * MINUTE_MS, run }))
      .toSorted((one, other) => one.at - other.at);
    for (const { at, run } of deeds) {
      if (at > tx.now) throw new Error("The seed ends now, and a deed of it would come later.");
      await run(atInstant(tx, at));
      // The live shop of the same program is served between two deeds.
      await nextTurn();
    }
  }

  seeded(): Seeded {
    return {
      currency: this.#currency,
      productIds: this.#productIds,
      variantIds: [...this.#variants.values()],
      customerIds: [...this.#customers.values()],
      orderIds: this.#sales.map(({ orderId }) => orderId).filter((id) => id !== null),
      cartIds: this.#sales.map(({ cartId }) => cartId).filter((id) => id !== null),
    };
  }

  #opening(): Deed {
    const run = async (tx: Tx) => {
      const products: Product[] = [];
      for (const product of seedProducts(this.#currency, this.#publicUrl)) {
        const made = await orAlreadySeeded(createProduct(tx, product));
        products.push(made);
        this.#productIds.push(made.id);
        for (const variant of made.variants) this.#variants.set(variant.sku ?? "", variant.id);
      }
      await seedCollections(tx, products);
    };
    return { moment: opening, after: 0, run };
  }

  #registrations(): Deed[] {
    return seedCustomers.map(({ key, registered, details }) => ({
      moment: registered,
      after: 0,
      run: async (tx) => {
        this.#customers.set(key, (await orAlreadySeeded(createCustomer(tx, details))).id);
      },
    }));
  }

  #deliveries(): Deed[] {
    return restocks.map(([moment, sku, units]) => ({
      moment,
      after: 0,
      run: async (tx) => {
        const change = { adjust: units, reason: "received" } as const;
        await setStock(tx, named(this.#variants, sku), { change, expected: null });
      },
    }));
  }

  #stepsOf([key, moment, lines, fateName, wish = "standard"]: SaleRow): Deed[] {
    const fate: Fate = fates[fateName];
    let sale: SeedSale | null = null;
    return fate.steps.map(([after, step]) => ({
      moment,
      after,
      run: async (tx) => {
        sale ??= this.#begin({ key, lines, fate, wish });
        if (!sale.isFree || stepsOfFree.has(step)) await sale[step](tx);
      },
    }));
  }

  #begin({ key, lines, fate, wish }: SaleToBegin): SeedSale {
    if (this.#options === null) throw new Error("The seed ships before it has shipping options.");
    const sale = new SeedSale({
      customer: customerNamed(key),
      customerId: named(this.#customers, key),
      lines: lines.split(" ").map((line) => {
        const [sku = "", units = "1"] = line.split("*");
        return { variantId: named(this.#variants, sku), quantity: Number(units) };
      }),
      currency: this.#currency,
      method: fate.method,
      channel: fate.channel ?? CHANNEL_DEFAULT,
      depositPercent: fate.depositPercent,
      codes: wish === "code" ? [SEED_CODE] : [],
      optionId: this.#options[wish === "code" ? "standard" : wish],
    });
    this.#sales.push(sale);
    return sale;
  }
}

function customerNamed(key: string): SeedCustomer {
  const found = seedCustomers.find((customer) => customer.key === key);
  if (found === undefined) throw new Error(`The seed has no customer ${key}.`);
  return found;
}

function named<V>(known: ReadonlyMap<string, V>, name: string): V {
  const found = known.get(name);
  if (found === undefined) throw new Error(`The seed has no ${name} at this time.`);
  return found;
}

// Story: gives a test shop the least that can be sold: four products with stock, and two customers. Nothing else
// decides on a price, so that a test can say what an order comes to.

const PRODUCTS = 4;
const CUSTOMERS = 2;

/** Afterwards the empty shop has products and customers. `publicUrl` is where their pictures are served. */
export async function seedSmall(tx: Tx, publicUrl: string): Promise<void> {
  const { currency } = await getStore(tx);
  for (const product of seedProducts(currency, publicUrl).slice(0, PRODUCTS)) {
    await createProduct(tx, product);
  }
  for (const { details } of seedCustomers.slice(0, CUSTOMERS)) await createCustomer(tx, details);
}
