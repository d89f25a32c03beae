// The tables of the fixed program, its statements, and what fills it. They share nothing with Duka's, so a
// migration of Duka leaves them as they are.

import type { Database as SqliteFile } from "bun:sqlite";

import { type Customer, textAround } from "./bare-text.ts";

/**
 * Keys and indexes find a row or guard a promise. Tables that only grow are ordered by rowid, so an insert
 * writes to their last page; the rowid of an event is its sequence, which has no gaps because no row is deleted.
 */
export const SCHEMA = `
  CREATE TABLE keys (hash BLOB PRIMARY KEY, id TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE customers (id TEXT PRIMARY KEY, email TEXT, phone TEXT, name TEXT) STRICT, WITHOUT ROWID;
  CREATE TABLE products (id TEXT PRIMARY KEY, head TEXT NOT NULL, tail TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE variants (id TEXT PRIMARY KEY, product_id TEXT NOT NULL, sku TEXT, name TEXT NOT NULL,
    currency TEXT NOT NULL, price_minor INTEGER NOT NULL, head TEXT NOT NULL, tail TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX variants_product ON variants (product_id);
  CREATE TABLE stock (variant_id TEXT PRIMARY KEY, on_hand INTEGER NOT NULL, reserved INTEGER NOT NULL,
    CHECK (reserved BETWEEN 0 AND on_hand)) STRICT, WITHOUT ROWID;
  CREATE TABLE ledger (number INTEGER PRIMARY KEY, variant_id TEXT NOT NULL, order_id TEXT NOT NULL,
    delta_reserved INTEGER NOT NULL, on_hand INTEGER NOT NULL, reserved INTEGER NOT NULL,
    created_at INTEGER NOT NULL) STRICT;
  CREATE TABLE counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE orders (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, status TEXT NOT NULL,
    customer TEXT, payment_method TEXT NOT NULL, currency TEXT NOT NULL, metadata TEXT NOT NULL,
    total_minor INTEGER NOT NULL, created_at INTEGER NOT NULL) STRICT;
  CREATE TABLE lines (order_number INTEGER NOT NULL, position INTEGER NOT NULL, id TEXT NOT NULL,
    variant_id TEXT NOT NULL, product_id TEXT NOT NULL, sku TEXT, name TEXT NOT NULL,
    quantity INTEGER NOT NULL CHECK (quantity > 0), price_minor INTEGER NOT NULL,
    total_minor INTEGER NOT NULL, PRIMARY KEY (order_number, position)) STRICT, WITHOUT ROWID;
  CREATE TABLE timers (order_number INTEGER PRIMARY KEY, due_at INTEGER NOT NULL) STRICT;
  CREATE TABLE events (sequence INTEGER PRIMARY KEY, name TEXT NOT NULL, subject TEXT NOT NULL,
    actor TEXT NOT NULL, payload TEXT NOT NULL, created_at INTEGER NOT NULL) STRICT;
  CREATE TABLE answers (number INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, fingerprint BLOB NOT NULL,
    status INTEGER NOT NULL, body TEXT NOT NULL, created_at INTEGER NOT NULL) STRICT;
  INSERT INTO counters VALUES ('order', 1000);`;

/** What the shop is stocked with: customers and products as Duka's API answers them. */
export interface Supply {
  /** SHA-256 of each key that opens the shop, in hexadecimal. */
  readonly keyHashes: readonly string[];
  readonly customers: readonly Customer[];
  readonly products: readonly SuppliedProduct[];
}

export interface SuppliedProduct {
  readonly id: string;
  readonly name: string;
  readonly variants: readonly {
    readonly id: string;
    readonly sku: string | null;
    /** In units of a currency with two digits. */
    readonly prices: readonly { readonly currency: string; readonly amount: number }[];
    readonly available: number;
  }[];
}

interface Offer {
  readonly product_id: string;
  readonly sku: string | null;
  readonly name: string;
  readonly currency: string;
  readonly price_minor: number;
}

interface StoredAnswer {
  readonly isSame: number;
  readonly status: number;
  readonly body: string;
}

export interface Level {
  readonly on_hand: number;
  readonly reserved: number;
}

export interface Listed {
  readonly id: string;
  readonly text: string;
}

/** Inserts goods, stock, customers and keys. */
export function fill(database: SqliteFile, { keyHashes, customers, products }: Supply): void {
  const key = database.prepare("INSERT INTO keys VALUES (?, ?)");
  keyHashes.forEach((hash, index) => key.run(Buffer.from(hash, "hex"), `key_${index}`));
  const customer = database.prepare("INSERT INTO customers VALUES (?, ?, ?, ?)");
  for (const { id, email, phone, name } of customers) customer.run(id, email, phone, name);
  const product = database.prepare("INSERT INTO products VALUES (?, ?, ?)");
  const variant = database.prepare("INSERT INTO variants VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
  const stock = database.prepare("INSERT INTO stock VALUES (?, ?, 0)");
  for (const one of products) {
    const { head, tail } = textAround(one, "variants");
    product.run(one.id, head, tail);
    for (const sold of one.variants) {
      const [price] = sold.prices;
      if (price === undefined) throw new Error(`${sold.id} has no price.`);
      const minor = Math.round(price.amount * 100);
      const text = textAround(sold, "available");
      const named = [sold.id, one.id, sold.sku, one.name, price.currency, minor] as const;
      variant.run(...named, text.head, text.tail);
      stock.run(sold.id, sold.available);
    }
  }
}

/**
 * Prepares each statement once. A plain order of two lines runs fourteen: `key`, `answer`, `number`,
 * `order`, `event` and `keep` once; `offer`, `reserve`, `ledger` and `line` for each line. A customer and
 * a prepaid method add one each.
 */
export function prepare(on: SqliteFile) {
  return {
    begin: on.prepare<null, []>("BEGIN IMMEDIATE"),
    commit: on.prepare<null, []>("COMMIT"),
    key: on.prepare<{ id: string }, [Uint8Array]>("SELECT id FROM keys WHERE hash = ?"),
    answer: on.prepare<StoredAnswer, [fingerprint: Uint8Array, key: string]>(
      "SELECT fingerprint = ? AS isSame, status, body FROM answers WHERE key = ?",
    ),
    customer: on.prepare<Customer, [id: string]>("SELECT * FROM customers WHERE id = ?"),
    offer: on.prepare<Offer, [id: string]>(
      "SELECT product_id, sku, name, currency, price_minor FROM variants WHERE id = ?",
    ),
    reserve: on.prepare<Level, [quantity: number, variantId: string, wanted: number]>(
      `UPDATE stock SET reserved = reserved + ? WHERE variant_id = ? AND on_hand - reserved >= ?
       RETURNING on_hand, reserved`,
    ),
    release: on.prepare("UPDATE stock SET reserved = reserved - ? WHERE variant_id = ?"),
    ledger: on.prepare(
      `INSERT INTO ledger (variant_id, order_id, delta_reserved, on_hand, reserved, created_at)
       VALUES (?, ?, ?, ?, ?, ?)`,
    ),
    number: on.prepare<{ value: number }, []>(
      "UPDATE counters SET value = value + 1 WHERE name = 'order' RETURNING value",
    ),
    order: on.prepare("INSERT INTO orders VALUES (?, ?, 'open', ?, ?, ?, ?, ?, ?)"),
    line: on.prepare("INSERT INTO lines VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"),
    timer: on.prepare("INSERT INTO timers VALUES (?, ?)"),
    event: on.prepare(
      `INSERT INTO events (name, subject, actor, payload, created_at)
       VALUES ('order.placed', ?, ?, ?, ?)`,
    ),
    keep: on.prepare(
      "INSERT INTO answers (key, fingerprint, status, body, created_at) VALUES (?, ?, ?, ?, ?)",
    ),
    list: on.prepare<Listed, [before: string, limit: number]>(
      `SELECT id, head || '[' || (
         SELECT group_concat(variants.head || (on_hand - reserved) || variants.tail, ',')
         FROM variants JOIN stock ON stock.variant_id = variants.id
         WHERE variants.product_id = products.id
       ) || ']' || tail AS text
       FROM products WHERE id < ? ORDER BY id DESC LIMIT ?`,
    ),
  };
}
