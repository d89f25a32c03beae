// The bare program: the physical limit of one process. It does the SQL statements and the JSON of
// Duka's POST /v2/orders and GET /v2/products on a database of the same schema, with the same
// durability and the same grouping of commits, and nothing else: no contract, no validation, no
// refusals, no drizzle. Arguments: the database file and the port.

import { Database as SqliteFile } from "bun:sqlite";

import {
  actor,
  answerHeaders,
  answerOf,
  fingerprintOf,
  id,
  lineOf,
  type OrderBody,
  payloadOf,
  snapshotOf,
  textOf,
} from "./bare-order.ts";

const [path = "", port = "0"] = process.argv.slice(2);
const GROUP_SIZE_MAX = 64;

function open(isReader: boolean): SqliteFile {
  const database = new SqliteFile(path, isReader ? { readonly: true } : { readwrite: true });
  database.run("PRAGMA busy_timeout = 5000");
  database.run("PRAGMA cache_size = -16384");
  database.run("PRAGMA temp_store = MEMORY");
  if (isReader) return database;
  database.run("PRAGMA journal_mode = WAL");
  database.run("PRAGMA synchronous = FULL");
  database.run("PRAGMA foreign_keys = ON");
  database.run("PRAGMA wal_autocheckpoint = 1000");
  return database;
}

const writer = open(false);
const reader = open(true);

interface Row {
  readonly [column: string]: string | number | null;
}

const sql = {
  key: reader.prepare<Row, [string]>("SELECT * FROM api_keys WHERE hash = ?"),
  answer: writer.prepare<Row, [string]>("SELECT * FROM stored_answers WHERE key = ?"),
  store: writer.prepare<Row, []>("SELECT * FROM store"),
  offers: writer.prepare<Row, [string, string]>(
    `SELECT variants.id, variants.product_id, variants.sku, variants.title, variants.prices,
            variants.first_sold_at, variants.archived_at, products.name, products.status
     FROM variants INNER JOIN products ON products.id = variants.product_id
     WHERE variants.id IN (?, ?)`,
  ),
  customer: writer.prepare<Row, [string]>("SELECT * FROM customers WHERE id = ?"),
  reserve: writer.prepare<Row, [number, number, string, number, string]>(
    `UPDATE inventory_levels SET reserved = reserved + ?, updated_at = ?
     WHERE variant_id = ? AND (on_hand - reserved >= ? OR tracked = 0 OR backorder = ?) RETURNING *`,
  ),
  movement: writer.prepare(
    `INSERT INTO inventory_movements (id, variant_id, delta_on_hand, delta_reserved, reason, order_id,
       note, actor, balance_on_hand, balance_reserved, created_at) VALUES (?,?,?,?,?,?,?,?,?,?,?)`,
  ),
  count: writer.prepare<Row, [string]>(
    `UPDATE customers SET orders_count = orders_count + 1
     WHERE id = ? AND erased_at IS NULL RETURNING *`,
  ),
  number: writer.prepare<{ value: number }, []>(
    `INSERT INTO counters (name, value) VALUES ('order', 1001)
     ON CONFLICT (name) DO UPDATE SET value = value + 1 RETURNING value`,
  ),
  order: writer.prepare(
    `INSERT INTO orders (id, number, status, payment_status, fulfillment_status, customer_id, customer,
       payment_method, currency, channel, external_id, cart_id, shipping_address, billing_address, notes,
       metadata, shipping_label, cancel_reason, cancel_note, subtotal_minor, discount_minor,
       shipping_minor, tax_minor, total_minor, paid_minor, refunded_minor, open_attempts, paid_at,
       fulfilled_at, cancelled_at, expires_at, version, created_at, updated_at)
     VALUES (?,?,'open','unpaid','unfulfilled',?,?,?,?,'online_store',NULL,NULL,NULL,NULL,NULL,?,NULL,
       NULL,NULL,?,0,0,0,?,0,0,0,NULL,NULL,NULL,?,1,?,?)`,
  ),
  line: writer.prepare(
    `INSERT INTO order_lines (order_id, position, id, variant_id, product_id, sku, name, quantity,
       fulfilled_quantity, unit_price_minor, subtotal_minor, discount_minor, tax_minor, total_minor)
     VALUES (?,?,?,?,?,?,?,?,0,?,?,0,0,?)`,
  ),
  timer: writer.prepare(
    `INSERT INTO timers (name, subject, due_at, attempts, last_error) VALUES (?,?,?,0,NULL)
     ON CONFLICT (name, subject) DO UPDATE SET due_at = excluded.due_at, attempts = 0`,
  ),
  event: writer.prepare(
    `INSERT INTO events (id, sequence, name, subject, actor, request_id, data, created_at)
     VALUES (?,?,'order.placed',?,?,?,?,?)`,
  ),
  keep: writer.prepare(
    `INSERT INTO stored_answers (key, fingerprint, status, headers, body, created_at)
     VALUES (?,?,201,?,?,?)`,
  ),
  products: reader.prepare<Row, []>("SELECT * FROM products ORDER BY id DESC LIMIT 21"),
};

let sequence =
  writer.query<{ last: number }, []>("SELECT coalesce(max(sequence), 0) AS last FROM events").get()
    ?.last ?? 0;

/** The statements of one order, in Duka's order. */
function placeOrder(body: OrderBody, key: string): string {
  const now = Date.now();
  const orderId = id("ord");
  if (sql.answer.get(key) !== null) throw new Error("used");
  sql.store.get();
  const [first = "", second = ""] = body.line_items.map((line) => line.variant_id);
  const offers = new Map(sql.offers.all(first, second).map((row) => [row["id"], row]));
  sql.customer.get(body.customer_id);
  const lines = body.line_items.map((asked, position) => {
    const { variant_id, quantity } = asked;
    const level = sql.reserve.get(quantity, now, variant_id, quantity, "allow");
    sql.movement.run(
      id("mov"),
      variant_id,
      0,
      quantity,
      "reservation",
      orderId,
      null,
      actor,
      level?.["on_hand"] ?? null,
      level?.["reserved"] ?? null,
      now,
    );
    return lineOf(offers.get(variant_id), asked, position);
  });
  const buyer = sql.count.get(body.customer_id);
  const number = sql.number.get()?.value ?? 0;
  const total = lines.reduce((sum, line) => sum + line.total, 0);
  const order = { id: orderId, body, email: textOf(buyer, "email"), number, lines, total, now };
  sql.order.run(
    orderId,
    number,
    body.customer_id,
    snapshotOf(buyer),
    body.payment_method,
    body.currency,
    JSON.stringify(body.metadata),
    total,
    total,
    now + 86_400_000,
    now,
    now,
  );
  for (const line of lines) {
    sql.line.run(
      orderId,
      line.position,
      line.id,
      line.variant_id,
      line.product_id,
      line.sku,
      line.name,
      line.quantity,
      line.unit,
      line.total,
      line.total,
    );
  }
  sql.timer.run("abandon_order", orderId, now + 3_600_000);
  sequence += 1;
  sql.event.run(id("evt"), sequence, orderId, actor, id("req"), payloadOf(order), now);
  const answer = answerOf(order);
  sql.keep.run(key, fingerprintOf(answer), answerHeaders, answer, now);
  return answer;
}

interface Waiting {
  readonly body: OrderBody;
  readonly key: string;
  readonly answer: (text: string) => void;
}

const queue: Waiting[] = [];
let isDraining = false;

function drain(): void {
  const group = queue.splice(0, GROUP_SIZE_MAX);
  writer.run("BEGIN IMMEDIATE");
  const texts = group.map(({ body, key }) => placeOrder(body, key));
  writer.run("COMMIT");
  group.forEach(({ answer }, index) => answer(texts[index] ?? ""));
  if (queue.length > 0) setImmediate(drain);
  else isDraining = false;
}

function list(): string {
  const products = sql.products.all().slice(0, 20);
  const ids = products.map((row) => String(row["id"]));
  const places = Array.from({ length: 32 }, () => "?").join(", ");
  const padded = Array.from({ length: 32 }, (_, index) => ids[index] ?? ids.at(-1) ?? "");
  const variants = reader
    .query<Row, string[]>(
      `SELECT * FROM variants WHERE product_id IN (${places}) AND archived_at IS NULL
       ORDER BY product_id, position`,
    )
    .all(...padded);
  const variantIds = variants.map((row) => String(row["id"]));
  const levels = new Map(
    reader
      .query<Row, string[]>(`SELECT * FROM inventory_levels WHERE variant_id IN (${places})`)
      .all(...padded.map((_, index) => variantIds[index] ?? variantIds.at(-1) ?? ""))
      .map((row) => [row["variant_id"], row]),
  );
  const byProduct = Map.groupBy(variants, (row) => row["product_id"]);
  return JSON.stringify({
    data: products.map((row) => ({
      id: row["id"],
      name: row["name"],
      slug: row["slug"],
      description: row["description"],
      status: row["status"],
      category: row["category"],
      tags: JSON.parse(String(row["tags"])),
      images: JSON.parse(String(row["images"])),
      options: JSON.parse(String(row["options"])),
      variants: (byProduct.get(row["id"] ?? null) ?? []).map((variant) => {
        const level = levels.get(variant["id"] ?? null);
        return {
          id: variant["id"],
          product_id: variant["product_id"],
          sku: variant["sku"],
          barcode: variant["barcode"],
          title: variant["title"],
          options: JSON.parse(String(variant["options"])),
          prices: JSON.parse(String(variant["prices"])).map(
            (price: { currency: string; amountMinor: number }) => ({
              currency: price.currency,
              amount: JSON.rawJSON((price.amountMinor / 100).toFixed(2)),
              amount_minor: price.amountMinor,
              compare_at: null,
            }),
          ),
          weight_grams: variant["weight_grams"],
          available: Number(level?.["on_hand"]) - Number(level?.["reserved"]),
          metadata: JSON.parse(String(variant["metadata"])),
        };
      }),
      metadata: JSON.parse(String(row["metadata"])),
      version: row["version"],
      created_at: new Date(Number(row["created_at"])).toISOString(),
      updated_at: new Date(Number(row["updated_at"])).toISOString(),
    })),
    has_more: true,
    next_cursor: "",
  });
}

const json = { "Content-Type": "application/json" };
const server = Bun.serve({
  port: Number(port),
  hostname: "127.0.0.1",
  async fetch(request) {
    sql.key.get("");
    if (request.method === "GET") return new Response(list(), { headers: json });
    const body: OrderBody = JSON.parse(await request.text());
    const key = request.headers.get("idempotency-key") ?? "";
    const text = await new Promise<string>((answer) => {
      queue.push({ body, key, answer });
      if (!isDraining) {
        isDraining = true;
        setImmediate(drain);
      }
    });
    return new Response(text, { status: 201, headers: json });
  },
});
console.log(`${server.port}`);
