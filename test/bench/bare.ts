// The bare program: the physical limit of one process. It does the SQL statements and the JSON of
// Duka's POST /v2/orders and GET /v2/products on a database of the same schema, with the same
// durability and the same grouping of commits, and nothing else: no contract, no validation, no
// refusals, no drizzle. Arguments: the database file and the port.

import { Database } from "bun:sqlite";

const [path = "", port = "0"] = process.argv.slice(2);
const GROUP_SIZE_MAX = 64;

function open(isReader: boolean): Database {
  const database = new Database(path, isReader ? { readonly: true } : { readwrite: true });
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

/** Time-ordered and of the length of Duka's, without its alphabet. */
function id(prefix: string): string {
  return `${prefix}_${Bun.randomUUIDv7("hex").replaceAll("-", "").slice(0, 26)}`;
}

interface OrderBody {
  readonly customer_id: string;
  readonly line_items: readonly { readonly variant_id: string; readonly quantity: number }[];
  readonly payment_method: string;
  readonly currency: string;
  readonly metadata: object;
}

function of(row: Row | null | undefined, column: string): string | number | null {
  return row?.[column] ?? null;
}

/** The statements of one order, in Duka's order. */
function placeOrder(body: OrderBody, key: string): string {
  const now = Date.now();
  const orderId = id("ord");
  const actor = '{"type":"api_key","id":"key_01ke6jq300ec1tntw41dqs0nfd"}';
  if (sql.answer.get(key) !== null) throw new Error("used");
  sql.store.get();
  const [first = "", second = ""] = body.line_items.map((line) => line.variant_id);
  const offers = new Map(sql.offers.all(first, second).map((row) => [row["id"], row]));
  sql.customer.get(body.customer_id);
  const lines = body.line_items.map(({ variant_id, quantity }, position) => {
    const offer = offers.get(variant_id);
    const [price] = JSON.parse(String(of(offer, "prices")));
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
      of(level, "on_hand"),
      of(level, "reserved"),
      now,
    );
    const total = price.amountMinor * quantity;
    const amount = (total / 100).toFixed(2);
    return {
      id: id("li"),
      variant_id,
      product_id: of(offer, "product_id"),
      sku: of(offer, "sku"),
      name: of(offer, "name"),
      position,
      quantity,
      unit: price.amountMinor,
      total,
      amount: JSON.rawJSON(amount),
    };
  });
  const buyer = sql.count.get(body.customer_id);
  const snapshot = JSON.stringify({
    id: of(buyer, "id"),
    email: of(buyer, "email"),
    phone: null,
    name: "A",
  });
  const number = sql.number.get()?.value ?? 0;
  const total = lines.reduce((sum, line) => sum + line.total, 0);
  sql.order.run(
    orderId,
    number,
    body.customer_id,
    snapshot,
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
  const shown = lines.map((line) => ({
    id: line.id,
    variant_id: line.variant_id,
    product_id: line.product_id,
    sku: line.sku,
    name: line.name,
    quantity: line.quantity,
    fulfilled_quantity: 0,
    unit_price: line.amount,
    unit_price_minor: line.unit,
    subtotal: line.amount,
    discount_total: line.amount,
    tax_total: line.amount,
    total: line.amount,
    total_minor: line.total,
  }));
  const printed = JSON.rawJSON((total / 100).toFixed(2));
  const payload = {
    order_id: orderId,
    total: printed,
    currency: body.currency,
    channel: "online_store",
    payment_method: body.payment_method,
    customer: { id: body.customer_id, email: of(buyer, "email") },
    number,
    external_id: null,
    line_items: shown,
    metadata: body.metadata,
  };
  sequence += 1;
  sql.event.run(id("evt"), sequence, orderId, actor, id("req"), JSON.stringify(payload), now);
  const at = new Date(now).toISOString();
  const answer = JSON.stringify({
    id: orderId,
    number,
    status: "open",
    payment_status: "unpaid",
    fulfillment_status: "unfulfilled",
    customer_id: body.customer_id,
    customer: { id: body.customer_id, email: of(buyer, "email"), phone: null, name: "A" },
    line_items: shown,
    payment_method: body.payment_method,
    currency: body.currency,
    channel: "online_store",
    external_id: null,
    cart_id: null,
    shipping_address: null,
    billing_address: null,
    shipping: null,
    notes: null,
    ...totals(printed, total),
    fulfillments: [],
    cancel_reason: null,
    cancel_note: null,
    paid_at: null,
    fulfilled_at: null,
    cancelled_at: null,
    expires_at: at,
    metadata: body.metadata,
    version: 1,
    created_at: at,
    updated_at: at,
  });
  const headers = '{"ETag":"\\"1.abcdefghijk\\"","Location":"/v2/orders/x"}';
  sql.keep.run(key, Bun.hash(answer).toString(36).repeat(4), headers, answer, now);
  return answer;
}

const totalNames = ["subtotal", "discount_total", "shipping_total", "tax_total", "total"].concat([
  "paid_total",
  "refunded_total",
  "due",
]);

function totals(printed: unknown, total: number): Record<string, unknown> {
  return Object.fromEntries(
    totalNames.flatMap((name) => [
      [name, printed],
      [`${name}_minor`, total],
    ]),
  );
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
