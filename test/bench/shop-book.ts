// Writes a year of orders into a database without other connections, and keeps what follows from it:
// stock and its ledger, the log's sequence, the numbers given, who ordered and what was sold.
// Invariant: nothing of it is safe from a power cut before it is closed; a broken one is built again.

import type { PgTable } from "drizzle-orm/pg-core";

import { inventoryLow } from "#catalog/inventory/events.ts";
import { isLow, type StockLevel } from "#catalog/rows/inventory.ts";
import { inventoryMovements } from "#catalog/rows/tables.ts";
import { type Id, newId, newRequestId } from "#kernel/id.ts";
import { gatewayNames, payments, refunds } from "#payments/rows/tables.ts";
import type { Actor, Announcement } from "#platform/database/database.ts";
import { insertStatement } from "#platform/database/prepared.ts";
import { SqliteConnection } from "#platform/database/sqlite/connection.ts";
import { events } from "#platform/database/tables.ts";
import type { Order } from "#sales/rows/order.ts";
import { fulfillments, orderLines, orders } from "#sales/rows/tables.ts";
import { newStoreSettings } from "#shop/store/store.ts";

import type { Catalog, Ware } from "./catalog.ts";
import type { Happening, OrderLife, StockMove } from "./order-life.ts";
import type { Book } from "./year.ts";

/** Page cache while building, KiB: what is written to at once all over the ledger. */
const CACHE_KIB = 262_144;
/** Orders of one transaction. */
const ORDERS_AT_ONCE = 20_000;
/** Units that come in when a ware runs out. */
const RESTOCK = 200;

/** A variant, and the movement of its opening stock. */
interface Ledger {
  readonly variant: Id<"variant">;
  readonly opening: Id<"movement"> | null;
}
const LEDGERS = "SELECT variant_id AS variant, last_movement_id AS opening FROM inventory_levels";

interface Level extends StockLevel {
  readonly variantId: Id<"variant">;
  readonly productId: Id<"product">;
  readonly sku: string | null;
  onHand: number;
  reserved: number;
  version: number;
  updatedAt: number;
  lastMovementId: Id<"movement"> | null;
  previousMovementId: Id<"movement"> | null;
}

const caller: Actor = { type: "api_key", id: newId("key", Date.now()) };
const system: Actor = { type: "system", id: null };

export class ShopBook implements Book, Disposable {
  readonly #connection: SqliteConnection;
  readonly #levels: Map<Id<"variant">, Level>;
  readonly #soldAt = new Map<string, number>();
  readonly #ordersOf = new Map<string, number>();
  readonly #put;
  #sequence: number;
  #lastNumber = 0;
  #placed = 0;

  constructor(path: string, catalog: Catalog) {
    this.#connection = SqliteConnection.openWriter(path);
    for (const pragma of [
      "journal_mode = OFF",
      "synchronous = OFF",
      "locking_mode = EXCLUSIVE",
      "foreign_keys = OFF",
      `cache_size = -${CACHE_KIB}`,
    ]) {
      this.#connection.driver.run(`PRAGMA ${pragma}`);
    }
    const into = <T extends PgTable>(table: T) => {
      const statement = insertStatement(table);
      return (row: T["$inferSelect"]) => void this.#connection.run(statement, row);
    };
    this.#put = {
      order: into(orders),
      line: into(orderLines),
      fulfillment: into(fulfillments),
      payment: into(payments),
      name: into(gatewayNames),
      refund: into(refunds),
      movement: into(inventoryMovements),
      event: into(events),
    };
    this.#sequence = this.#number("SELECT max(sequence) AS n FROM events");
    const ledgers = this.#connection.driver.query<Ledger, []>(LEDGERS).all();
    const openings = new Map(ledgers.map(({ variant, opening }) => [variant, opening]));
    this.#levels = new Map(
      catalog.wares.map((ware) => [
        ware.variantId,
        levelOf(ware, openings.get(ware.variantId) ?? null),
      ]),
    );
    this.#connection.command("BEGIN");
  }

  place(life: OrderLife): void {
    const { order } = life;
    this.#put.order(order);
    for (const line of life.lines) this.#put.line(line);
    for (const fulfillment of life.fulfillments) this.#put.fulfillment(fulfillment);
    for (const payment of life.payments) {
      const { id: paymentId, gateway, receivedMinor } = payment;
      this.#put.payment(payment);
      if (gateway === null || receivedMinor === null) continue;
      this.#put.name({ gateway, kind: "charge", name: `sim-${paymentId}`, paymentId });
    }
    for (const refund of life.refunds) this.#put.refund(refund);
    if (order.customerId !== null) {
      this.#ordersOf.set(order.customerId, (this.#ordersOf.get(order.customerId) ?? 0) + 1);
    }
    this.#lastNumber = order.number;
    this.#placed += 1;
    if (this.#placed % ORDERS_AT_ONCE > 0) return;
    this.#connection.command("COMMIT");
    this.#connection.command("BEGIN");
  }

  happen(orderId: Order["id"], { at, isAsked, moves, announcements }: Happening): void {
    const terms = {
      at,
      orderId,
      actor: isAsked ? caller : system,
      requestId: isAsked ? newRequestId() : null,
    };
    for (const move of moves) this.#move(move, terms);
    for (const announcement of announcements) this.#announce(announcement, terms);
  }

  #move(move: StockMove, terms: Terms): void {
    const level = this.#levels.get(move.variantId);
    if (level === undefined) throw new Error(`There is no level of ${move.variantId}.`);
    if (move.deltaReserved > level.onHand - level.reserved) this.#restock(level, terms);
    if (!this.#soldAt.has(move.variantId)) this.#soldAt.set(move.variantId, terms.at);
    this.#record(level, move, terms);
  }

  #restock(level: Level, terms: Terms): void {
    const { variantId } = level;
    level.version += 1;
    const move = { variantId, deltaOnHand: RESTOCK, deltaReserved: 0, reason: "received" } as const;
    this.#record(level, move, { ...terms, orderId: null });
  }

  #record(level: Level, move: StockMove, terms: Terms): void {
    const wasLow = isLow(level);
    level.onHand += move.deltaOnHand;
    level.reserved += move.deltaReserved;
    level.updatedAt = terms.at;
    level.previousMovementId = level.lastMovementId;
    level.lastMovementId = newId("movement", terms.at);
    this.#put.movement({
      ...move,
      id: level.lastMovementId,
      previousId: level.previousMovementId,
      orderId: terms.orderId,
      note: null,
      actor: terms.actor,
      balanceOnHand: level.onHand,
      balanceReserved: level.reserved,
      createdAt: terms.at,
    });
    if (isLow(level) && !wasLow) this.#announce(inventoryLow(level), terms);
  }

  #announce({ name, subject, data }: Announcement, { at, actor, requestId }: Terms): void {
    this.#sequence += 1;
    this.#put.event({
      id: newId("event", at),
      sequence: this.#sequence,
      name,
      subject,
      actor,
      requestId,
      data: JSON.stringify(data),
      createdAt: at,
    });
  }

  /** Writes down what follows from all of it, and closes the file. */
  [Symbol.dispose](): void {
    const { driver } = this.#connection;
    const counted = driver.prepare("UPDATE customers SET orders_count = ? WHERE id = ?");
    for (const [id, count] of this.#ordersOf) counted.run(count, id);
    const sold = driver.prepare("UPDATE variants SET first_sold_at = ? WHERE id = ?");
    for (const [id, at] of this.#soldAt) sold.run(at, id);
    const stocked = driver.prepare(
      `UPDATE inventory_levels SET on_hand = ?, reserved = ?, version = ?, updated_at = ?,
         last_movement_id = ?, previous_movement_id = ?
       WHERE variant_id = ?`,
    );
    for (const level of this.#levels.values()) {
      const { onHand, reserved, version, updatedAt, variantId } = level;
      const { lastMovementId, previousMovementId } = level;
      const counts = [onHand, reserved, version, updatedAt] as const;
      if (!this.#soldAt.has(variantId)) continue;
      stocked.run(...counts, lastMovementId, previousMovementId, variantId);
    }
    driver.prepare("INSERT INTO counters (name, value) VALUES ('order', ?)").run(this.#lastNumber);
    for (const statement of [counted, sold, stocked]) statement.finalize();
    this.#connection.command("COMMIT");
    this.#connection.close();
  }

  #number(query: string): number {
    return this.#connection.driver.query<{ n: number | null }, []>(query).get()?.n ?? 0;
  }
}

/** As a variant is counted from the start. */
function levelOf(
  { variantId, productId, sku, onHand }: Ware,
  lastMovementId: Id<"movement"> | null,
): Level {
  const { lowStockThreshold } = newStoreSettings;
  const counted = { onHand, reserved: 0, lowStockThreshold, tracked: true };
  const chain = { lastMovementId, previousMovementId: null };
  return { ...counted, ...chain, variantId, productId, sku, version: 1, updatedAt: 0 };
}

/** Under which circumstances something happens. */
interface Terms {
  readonly at: number;
  readonly orderId: Order["id"] | null;
  readonly actor: Actor;
  readonly requestId: string | null;
}
