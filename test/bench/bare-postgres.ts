// The bare program over PostgreSQL: the SQL statements and the JSON of Duka's POST /v2/orders over Bun.sql,
// in as many ways to the server, each order in a transaction and on a connection of its own, and nothing
// else: no contract, no validation, no refusals, no drizzle. Arguments: the address of the database, how
// many connections write, and how many read.

import { type ReservedSQL, SQL } from "bun";

import {
  actor,
  answerHeaders,
  answerOf,
  fingerprintOf,
  id,
  lineOf,
  type OrderBody,
  payloadOf,
  type Row,
  snapshotOf,
  textOf,
} from "./bare-postgres-order.ts";

const [url = "", writing = "1", reading = "1"] = process.argv.slice(2);
const open = (connections: string) =>
  new SQL({ url, max: Number(connections), connection: { search_path: "test" } });
const writers = open(writing);
const readers = open(reading);

const ANSWER = "SELECT * FROM stored_answers WHERE key = $1";
const OFFERS = `SELECT variants.id, variants.product_id, variants.sku, variants.title, variants.prices,
    variants.first_sold_at, variants.archived_at, products.name, products.status
  FROM variants INNER JOIN products ON products.id = variants.product_id
  WHERE variants.id IN ($1, $2)`;
const CUSTOMER = "SELECT * FROM customers WHERE id = $1";
const RESERVE = `UPDATE inventory_levels SET reserved = reserved + $1, updated_at = $2
  WHERE variant_id = $3 AND (on_hand - reserved >= $4 OR tracked = false OR backorder = $5)
  RETURNING *`;
const MOVEMENT = `INSERT INTO inventory_movements (id, variant_id, delta_on_hand, delta_reserved, reason,
    order_id, note, actor, balance_on_hand, balance_reserved, created_at)
  VALUES ($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11)`;
const COUNT = `UPDATE customers SET orders_count = orders_count + 1
  WHERE id = $1 AND erased_at IS NULL RETURNING *`;
const NUMBER = `INSERT INTO counters (name, value) VALUES ('order', $1)
  ON CONFLICT (name) DO UPDATE SET value = counters.value + 1 RETURNING value`;
const ORDER = `INSERT INTO orders (id, number, status, payment_status, fulfillment_status, customer_id,
    customer, payment_method, currency, channel, is_from_public_key, metadata, subtotal_minor,
    discount_minor, shipping_minor, tax_minor, total_minor, deposit_percent, credited_minor, kept_minor,
    written_off_minor, paid_minor, refunding_minor, refunded_minor, payments_in_review, open_attempts,
    expires_at, version, created_at, updated_at)
  VALUES ($1,$2,'open','unpaid','unfulfilled',$3,$4,$5,$6,'online_store',false,$7,$8,0,0,0,$9,100,0,0,0,0,0,0,
    0,0,$10,1,$11,$12)`;
const LINE = `INSERT INTO order_lines (order_id, position, id, variant_id, product_id, sku, name, quantity,
    fulfilled_quantity, cancelled_quantity, returned_quantity, unit_price_minor, subtotal_minor,
    discount_minor, tax_minor, total_minor)
  VALUES ($1,$2,$3,$4,$5,$6,$7,$8,0,0,0,$9,$10,0,0,$11)`;
const TIMER = `INSERT INTO timers (name, subject, due_at, attempts, last_error) VALUES ($1,$2,$3,0,NULL)
  ON CONFLICT (name, subject) DO UPDATE SET due_at = excluded.due_at, attempts = 0`;
const EVENT = `WITH taken AS (
    UPDATE counters SET value = value + 1 WHERE name = 'event_sequence' RETURNING value
  )
  INSERT INTO events (id, sequence, name, subject, actor, request_id, data, created_at)
  SELECT $1, taken.value, 'order.placed', $2, $3, $4, $5, $6 FROM taken`;
const KEEP = `INSERT INTO stored_answers (key, lineage, fingerprint, status, headers, body, is_public, created_at)
  VALUES ($1,'key_1',$2,201,$3,$4,false,$5)`;

/** A transaction: what returns nothing is sent and not waited for. */
class Sending {
  readonly #connection: ReservedSQL;
  readonly #sent: Promise<unknown>[] = [];

  constructor(connection: ReservedSQL) {
    this.#connection = connection;
    this.#sent.push(connection`BEGIN`.execute());
  }

  send(text: string, values: unknown[]): void {
    this.#sent.push(this.#connection.unsafe(text, values).execute());
  }

  ask(text: string, values: unknown[]): Promise<Row[]> {
    return this.#connection.unsafe<Row[]>(text, values);
  }

  store(): Promise<Row[]> {
    return this.#connection<Row[]>`SELECT * FROM store`;
  }

  async commit(): Promise<void> {
    this.#sent.push(this.#connection`COMMIT`.execute());
    await Promise.all(this.#sent);
  }
}

/** The statements of one order, in Duka's order. */
async function placeOrder(tx: Sending, body: OrderBody, key: string): Promise<string> {
  const now = Date.now();
  const orderId = id("ord");
  if ((await tx.ask(ANSWER, [key])).length > 0) throw new Error("used");
  await tx.store();
  const wanted = body.line_items.map((line) => line.variant_id);
  const offers = new Map((await tx.ask(OFFERS, wanted)).map((row) => [row["id"], row]));
  await tx.ask(CUSTOMER, [body.customer_id]);
  for (const { variant_id, quantity } of body.line_items.toSorted(byVariant)) {
    const [level] = await tx.ask(RESERVE, [quantity, now, variant_id, quantity, "allow"]);
    const moved: unknown[] = [
      id("mov"),
      variant_id,
      0,
      quantity,
      "reservation",
      orderId,
      null,
      actor,
    ];
    tx.send(MOVEMENT, moved.concat(level?.["on_hand"], level?.["reserved"], now));
  }
  const [buyer] = await tx.ask(COUNT, [body.customer_id]);
  const [counter] = await tx.ask(NUMBER, [1001]);
  const number = Number(counter?.["value"]);
  const lines = body.line_items.map((asked, position) =>
    lineOf(offers.get(asked.variant_id), asked, position),
  );
  const total = lines.reduce((sum, line) => sum + line.total, 0);
  const order = { id: orderId, body, email: textOf(buyer, "email"), number, lines, total, now };
  const { payment_method: method, currency, customer_id: buyerId } = body;
  const ordered: unknown[] = [orderId, number, buyerId, snapshotOf(buyer), method, currency];
  const expires = now + 86_400_000;
  tx.send(ORDER, ordered.concat(JSON.stringify(body.metadata), total, total, expires, now, now));
  for (const line of lines) {
    const { position, variant_id, product_id, sku, name, quantity, unit } = line;
    const named: unknown[] = [orderId, position, line.id, variant_id, product_id, sku, name];
    tx.send(LINE, named.concat(quantity, unit, line.total, line.total));
  }
  tx.send(TIMER, ["abandon_order", orderId, now + 3_600_000]);
  const answer = answerOf(order);
  tx.send(KEEP, [key, fingerprintOf(answer), answerHeaders, answer, now]);
  tx.send(EVENT, [id("evt"), orderId, actor, id("req"), payloadOf(order), now]);
  await tx.commit();
  return answer;
}

function byVariant(
  one: { readonly variant_id: string },
  other: { readonly variant_id: string },
): number {
  return one.variant_id < other.variant_id ? -1 : 1;
}

const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  async fetch(request) {
    await readers.unsafe("SELECT * FROM api_keys WHERE hash = $1", [""]);
    const body: OrderBody = JSON.parse(await request.text());
    const key = request.headers.get("idempotency-key") ?? "";
    const connection = await writers.reserve();
    try {
      const text = await placeOrder(new Sending(connection), body, key);
      return new Response(text, { status: 201, headers: { "Content-Type": "application/json" } });
    } finally {
      await connection.release();
    }
  },
});
console.log(`${server.port}`);
