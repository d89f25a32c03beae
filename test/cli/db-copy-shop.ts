// A shop with rows in every table, and queries on either engine that do not use the program under test.

import { Database as SqliteFile } from "bun:sqlite";
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { SQL } from "bun";

import type { TestPostgres } from "../support/postgres-server.ts";
import { type Ended, openRunningDuka, runDuka, type RunningDuka } from "../support/running-duka.ts";
import type { ScratchFolder } from "../support/scratch.ts";

/** For a Duka on files, also in a run of the tests on PostgreSQL. */
export const onFiles = { DUKA_DATABASE_URL: "" } as const;

/** Tables that each engine has of its own, builds again, or that end with the move. */
const NOT_COPIED = /^(migrations|leases|rate_uses|vault_marks|search_.*|sqlite_.*)$/;
/** The counter of the event log; only PostgreSQL always has its row. */
const SEQUENCE = "event_sequence|";

type Rows = Readonly<Record<string, readonly unknown[]>>;

export interface CopyRig {
  readonly server: TestPostgres;
  /** Contains the shop in `data`. */
  readonly scratch: ScratchFolder;
}

/** Runs a command in the folder, on files unless the settings say otherwise. */
export function dukaIn(
  { scratch }: Pick<CopyRig, "scratch">,
  args: readonly string[],
  settings: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  return runDuka(args, { folder: scratch.path, settings: { ...onFiles, ...settings } });
}

/** Makes a shop in `data` with sales, payments, refunds and deliveries, then fills the tables left empty. */
export async function makeShop(scratch: ScratchFolder): Promise<void> {
  await using duka = await openRunningDuka({ folder: scratch.path, settings: onFiles });
  await sell(duka);
  await duka.end("SIGTERM");
  await dukaIn({ scratch }, ["keys", "create", "--mode", "live"]);
  using database = new SqliteFile(scratch.file("data/test.sqlite"));
  for (const statement of oddRows) database.run(statement);
  for (const name of tablesOf(database)) fillEmpty(database, name);
}

/** Inserts a row into an empty table; it refers to first rows of other tables, or to what such a row will be. */
function fillEmpty(database: SqliteFile, table: string): void {
  if (database.query(`SELECT 1 FROM "${table}" LIMIT 1`).get() !== null) return;
  const columns = database
    .query<{ name: string; type: string; parent: string | null; key: string | null }, [string]>(
      `SELECT one.name, one.type, other."table" AS parent, other."to" AS key
       FROM pragma_table_info(?1) one
       LEFT JOIN pragma_foreign_key_list(?1) other ON other."from" = one.name ORDER BY one.cid`,
    )
    .all(table);
  const values = columns.map(({ type, parent, key }) => {
    const made = type === "TEXT" ? "'[\"☕\"]'" : "1";
    return parent === null ? made : `coalesce((SELECT "${key}" FROM "${parent}" LIMIT 1), ${made})`;
  });
  database.run(`INSERT INTO "${table}" VALUES (${values.join()})`);
}

function tablesOf(database: SqliteFile): string[] {
  return database
    .query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table'")
    .all()
    .map(({ name }) => name)
    .filter((name) => !NOT_COPIED.test(name));
}

/** Large, odd and numerous values; the shop's figures do not agree afterwards. */
const oddRows = [
  "INSERT INTO counters VALUES ('beyond a double', 9007199254740993)",
  `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500)
   INSERT INTO stored_answers (key, lineage, fingerprint, status, headers, body, created_at)
   SELECT 'key ' || i, 'key_1', 'f', 200, '{}', '"é😀"', i FROM n`,
  `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500)
   INSERT INTO analytics_buyers SELECT 90 + i % 3, char(97 + i % 26, 65000 + i % 4000) || i, i FROM n`,
  `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60)
   INSERT INTO inbox_messages (name, received_at, headers, body, signature, webhook_id, answered_status)
   SELECT 'long', i, '{}', replace(hex(zeroblob(50000)), '00', 'é"'), 'none', NULL, 200 FROM n`,
  "INSERT INTO gateway_notices VALUES ('g', 'ключ', 'charge', NULL, 1, 1)",
  "INSERT INTO payouts VALUES ('p', 'g', 'выплата', 'paid', 'GHS', 3, 1, 2, 'bank', 'd', 1, 1, 1)",
];

async function sell(duka: RunningDuka): Promise<void> {
  const call = async (method: string, path: string, body?: unknown) => {
    const answer = await duka.request(method, path, body === undefined ? {} : { body });
    const text = await answer.text();
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${text}`);
    return text === "" ? {} : Object(JSON.parse(text));
  };
  await call("POST", "/v2/webhooks", {
    url: `${duka.url}/hooks/test/inbox/shop`,
    description: "日本語 \u{1F6D2}",
  });
  await call("POST", "/v2/test/seed");
  const made = await call("POST", "/v2/products", {
    name: "Çay bardağı ☕ \u{1F600}",
    description: 'Quotes " and \\ and\nlines',
    price: 12.5,
    stock: 10,
    tags: ["ünïcode", "\u{1F600}"],
    metadata: { nested: { deep: [1, null, "é"] } },
  });
  await call("PUT", `/v2/products/${made.id}`, { slug: "tea-glass" });
  const line_items = [{ variant_id: made.variants[0].id, quantity: 2 }];
  const customer = { email: "zoe@example.com", name: "Zoë Ωmega" };
  await call("POST", "/v2/customers", { name: "Kofi", phone: "+233201234567", tags: ["vip"] });
  await call("POST", "/v2/carts", { line_items, customer: { email: "left@example.com" } });
  const limited = { codes: ["ONCE"], per_customer_limit: 3 };
  await call("POST", "/v2/discounts", { title: "Été", target: "order", percent: 10, ...limited });
  const order = await call("POST", "/v2/orders", {
    line_items,
    customer,
    discount_codes: ["ONCE"],
    payment_method: "gateway",
  });
  const payment = await call("POST", "/v2/payments/initialize", {
    order_id: order.id,
    method: "card",
    card_token: "tok_visa",
  });
  const disputed = { amount: 5, currency: "USD", method: "card" };
  const cardToken = "pm_card_createDispute";
  await call("POST", "/v2/payments/initialize", { ...disputed, card_token: cardToken });
  await call("POST", "/v2/test/clock/advance", { seconds: 7200 });
  await call("PUT", `/v2/orders/${order.id}/fulfill`, {});
  await call("POST", `/v2/payments/${payment.reference}/refunds`, { amount: 5 });
  await call("POST", "/v2/test/clock/advance", { seconds: 7200 });
  await call("POST", "/v2/orders", { line_items, customer });
}

/** Every copied row of both files, by mode and table. */
export function rowsOf(directory: string): Rows {
  const found: Record<string, readonly unknown[]> = {};
  for (const mode of ["live", "test"]) {
    using database = new SqliteFile(join(directory, `${mode}.sqlite`), {
      readonly: true,
      safeIntegers: true,
    });
    for (const name of tablesOf(database)) {
      const rows = database.query(`SELECT * FROM "${name}"`).values();
      found[`${mode} ${name}`] = rows
        .map((row) => row.map(String).join("|"))
        .filter((row) => !row.startsWith(SEQUENCE))
        .toSorted();
    }
  }
  return found;
}

/** The number of rows per table, without migrations and empty tables. */
export async function countsIn(url: string): Promise<Readonly<Record<string, number>>> {
  await using sql = new SQL(url, { max: 1 });
  const tables = await sql
    .unsafe(
      `SELECT table_schema, table_name FROM information_schema.tables
       WHERE table_schema IN ('live', 'test')`,
    )
    .values();
  const found: Record<string, number> = {};
  for (const [schema, name] of tables) {
    if (name === "migrations") continue;
    const [row] = await sql.unsafe(`SELECT count(*)::int FROM "${schema}"."${name}"`).values();
    if (row[0] > 0) found[`${schema} ${name}`] = row[0];
  }
  return found;
}

let made = 0;

/** The URL of a new database without tables. */
export async function emptyDatabase({ server }: Pick<CopyRig, "server">): Promise<string> {
  made += 1;
  await using sql = new SQL(server.url("duka"), { max: 1 });
  await sql.unsafe(`CREATE DATABASE copy_${made}`);
  return server.url(`copy_${made}`);
}

/** Runs a statement without the server's knowledge. */
export async function tamper(url: string, statement: string): Promise<void> {
  await using sql = new SQL(url, { max: 1 });
  await sql.unsafe(statement);
}

export function keyIn(directory: string): string {
  return readFileSync(join(directory, "secret.key"), "utf8").trim();
}
