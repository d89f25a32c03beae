// The shop of the fixed program: what an order must do with the least SQL that keeps every promise.
// Invariant: it does not change when Duka changes, because each change would hide in the ratio of the two.

import { Database as SqliteFile } from "bun:sqlite";

import { fill, type Level, prepare, SCHEMA, type Supply } from "./bare-tables.ts";
import {
  eventText,
  expiryOf,
  linesText,
  type OrderRequest,
  orderText,
  type PlacedOrder,
  type PricedLine,
} from "./bare-text.ts";

/** A request to place an order. */
export interface Wish {
  readonly request: OrderRequest;
  readonly key: string;
  /** SHA-256 of the body. */
  readonly fingerprint: Uint8Array;
  readonly actor: string;
}

export interface Answer {
  readonly status: number;
  readonly body: string;
  readonly isReplayed: boolean;
}

/** One connection suffices: a commit runs in one turn of the event loop, so no read sees half of it. */
export class BareShop {
  readonly #database: SqliteFile;
  readonly #sql: ReturnType<typeof prepare>;

  /** Creates the shop in a new file. */
  constructor(path: string, supply: Supply) {
    this.#database = new SqliteFile(path, { create: true, readwrite: true });
    for (const setting of ["cache_size = -16384", "temp_store = MEMORY", "journal_mode = WAL"]) {
      this.#database.run(`PRAGMA ${setting}`);
    }
    this.#database.run("PRAGMA synchronous = FULL");
    this.#database.run("PRAGMA wal_autocheckpoint = 1000");
    this.#database.transaction(() => {
      this.#database.run(SCHEMA);
      fill(this.#database, supply);
    })();
    this.#sql = prepare(this.#database);
  }

  /** Returns the id of a key by its SHA-256, or null where it is unknown. */
  actorOf(keyHash: Uint8Array): string | null {
    return this.#sql.key.get(keyHash)?.id ?? null;
  }

  /** Places orders in one commit, which is on the disk when this returns. Throws where none was placed. */
  placeAll(wishes: readonly Wish[]): Answer[] {
    try {
      this.#sql.begin.run();
      const answers = wishes.map((wish) => this.#answer(wish));
      this.#sql.commit.run();
      return answers;
    } catch (error) {
      if (this.#database.inTransaction) this.#database.run("ROLLBACK");
      throw error;
    }
  }

  /** A page of products, newest first. */
  list(limit: number, cursor: string): string {
    const rows = this.#sql.list.all(cursor, limit + 1);
    const page = rows.slice(0, limit);
    const hasMore = rows.length > limit;
    const next = hasMore ? JSON.stringify(page.at(-1)?.id) : "null";
    const products = page.map(({ text }) => text).join(",");
    return `{"data":[${products}],"has_more":${hasMore},"next_cursor":${next}}`;
  }

  #answer({ request, key, fingerprint, actor }: Wish): Answer {
    const stored = this.#sql.answer.get(fingerprint, key);
    if (stored !== null) {
      const { status, body } = stored;
      return stored.isSame === 1
        ? { status, body, isReplayed: true }
        : refusal(422, "idempotency_key_reused");
    }
    const now = Date.now();
    const answer = this.#place(request, actor, now);
    // An invalid request is not stored: its sender corrects it and may use the same key again.
    if (answer.status === 422) return answer;
    this.#sql.keep.run(key, fingerprint, answer.status, answer.body, now);
    return answer;
  }

  /**
   * Every refusal comes before the first insert, and `#reserve` gives units back by itself: so a refused
   * order needs no savepoint.
   */
  #place(request: OrderRequest, actor: string, now: number): Answer {
    const { customerId } = request;
    const customer = customerId === null ? null : this.#sql.customer.get(customerId);
    const lines = this.#price(request);
    if (lines === null || (customer === null && customerId !== null)) {
      return refusal(422, "validation_failed");
    }
    const levels = this.#reserve(lines);
    if (levels === null) return refusal(409, "insufficient_stock");
    const order: PlacedOrder = {
      id: newId("ord"),
      number: this.#nextNumber(),
      request,
      customer,
      lines,
      totalMinor: lines.reduce((sum, { totalMinor }) => sum + totalMinor, 0),
      expiresAt: expiryOf(request, now),
      now,
    };
    return { status: 201, body: this.#write(order, levels, actor), isReplayed: false };
  }

  /** Prices the lines; returns null where one is not for sale in this currency. */
  #price({ lines, currency }: OrderRequest): PricedLine[] | null {
    const priced: PricedLine[] = [];
    for (const { variantId, quantity } of lines) {
      const offer = this.#sql.offer.get(variantId);
      if (offer?.currency !== currency) return null;
      const { product_id: productId, sku, name, price_minor: priceMinor } = offer;
      const totalMinor = priceMinor * quantity;
      const id = newId("li");
      priced.push({ id, variantId, productId, sku, name, quantity, priceMinor, totalMinor });
    }
    return priced;
  }

  /** Takes the units of all lines and returns their levels, or takes none and returns null. */
  #reserve(lines: readonly PricedLine[]): Level[] | null {
    const levels: Level[] = [];
    for (const { variantId, quantity } of lines) {
      const level = this.#sql.reserve.get(quantity, variantId, quantity);
      if (level === null) {
        lines.slice(0, levels.length).forEach((taken) => {
          this.#sql.release.run(taken.quantity, taken.variantId);
        });
        return null;
      }
      levels.push(level);
    }
    return levels;
  }

  #nextNumber(): number {
    const counter = this.#sql.number.get();
    if (counter === null) throw new Error("The counter of orders is missing.");
    return counter.value;
  }

  /** Writes an order whose units are taken; returns its JSON. */
  #write(order: PlacedOrder, levels: readonly Level[], actor: string): string {
    const { id, number, request, customer, lines, totalMinor, expiresAt, now } = order;
    const { method, currency, metadata } = request;
    const buyer = customer === null ? null : JSON.stringify(customer);
    this.#sql.order.run(number, id, buyer, method, currency, metadata, totalMinor, now);
    lines.forEach((line, position) => {
      const { variantId, productId, sku, name, quantity, priceMinor } = line;
      const level = levels[position];
      if (level === undefined) throw new Error("A line took no units.");
      this.#sql.ledger.run(variantId, id, quantity, level.on_hand, level.reserved, now);
      const named = [number, position, line.id, variantId, productId, sku, name] as const;
      this.#sql.line.run(...named, quantity, priceMinor, line.totalMinor);
    });
    if (expiresAt !== null) this.#sql.timer.run(number, expiresAt);
    const text = linesText(lines);
    this.#sql.event.run(id, actor, eventText(order, text), now);
    return orderText(order, text);
  }
}

export function refusal(status: number, code: string): Answer {
  return { status, body: JSON.stringify({ status, code }), isReplayed: false };
}

/** Time-ordered, so that its index only grows at its end. */
function newId(prefix: string): string {
  return `${prefix}_${Bun.randomUUIDv7("hex").replaceAll("-", "").slice(0, 26)}`;
}
