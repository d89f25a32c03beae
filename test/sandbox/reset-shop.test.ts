// A reset empties the test shop and touches nothing else.

import { beforeAll, expect, test } from "bun:test";

import { engine } from "#platform/database/engine.ts";
import { setTimer } from "#platform/scheduler/timers.ts";
import { emptiedTables } from "#sandbox/reset-shop.ts";

import { of } from "../sales/orders/counter.ts";
import { rowsBehind, tablesBehind } from "../support/behind-the-shop.ts";
import { mug } from "../support/cast.ts";
import { openScratchFolder } from "../support/scratch.ts";
import {
  type Answered,
  MORNING_MS,
  openTestShop,
  sharedShop,
  type TestShop,
} from "../support/shop.ts";

/** The shop, who may enter it and who serves it outlive everything that happened in it. */
const keptTables: readonly string[] = [
  "gateway_accounts",
  "custom_gateways",
  "connections",
  "message_hook",
  "receiving_accounts",
  // People are in the live store alone.
  "known_devices",
  "person_email_links",
  "passkey_challenges",
  "people",
  "person_links",
  "person_passkeys",
  "person_passwords",
  "person_sessions",
  "push_subscriptions",
  "sign_in_guesses",
  "migrations",
  "vault_marks",
  "versions",
  "acme_accounts",
  "acme_challenges",
  "certificates",
  "leases",
  "rate_uses",
  "store",
  "cart_recovery",
  "contact_secret",
  "media_address",
  "api_keys",
  "audit_entries",
  "webhook_endpoints",
];

/** The table of full text is the embedded engine's own. */
const elsewhere: readonly string[] = { sqlite: [], postgres: ["search_entries"] }[engine];
const emptied = emptiedTables.filter((table) => !elsewhere.includes(table));
/** Readers of the log may have written their rows again before the test reads them, and the next summary has its timer. */
const stillEmpty = emptied.filter((table) => !["log_cursors", "timers"].includes(table));

/** A shop in which everything has happened once. */
async function busyShop(shop: TestShop): Promise<void> {
  await shop.put("/v2/store", { name: "Ada's", currency: "KES" });
  await shop.post("/v2/test/seed", {}, { headers: { "Idempotency-Key": "seed" } });
  const variant = (await shop.get("/v2/products?sku=MUG-ENA-350")).string("/data/0/variants/0/id");
  const order = await shop.post("/v2/orders", {
    line_items: [{ variant_id: variant, quantity: 2 }],
    customer: { email: "esi@example.com" },
  });
  await shop.put(`/v2/orders/${order.id}/fulfill`, {});
  await shop.test.database.write((tx) =>
    setTimer(tx, { name: "some", subject: "timer", dueAt: MORNING_MS }),
  );
  await shop.post("/v2/test/clock/advance", { seconds: 3600 });
}

async function rowsOf(
  { folder }: TestShop,
  tables: readonly string[],
): Promise<Record<string, number>> {
  const counts = tables.map(
    (table) => `SELECT '${table}' AS name, count(*) AS rows FROM "${table}"`,
  );
  const found = await rowsBehind(folder.path, counts.join(" UNION ALL "));
  return Object.fromEntries(found.map(({ name, rows }) => [name, Number(rows)]));
}

test("every table of the schema is listed as emptied or kept", async () => {
  await using own = await openTestShop();

  const tables = await tablesBehind(own.folder.path);

  expect([...emptied, ...keptTables].toSorted()).toEqual(tables.toSorted());
});

/** Reset once: the tests that follow read what is left. */
const shop = sharedShop();
let before: { rows: Record<string, number>; store: Answered; keys: Answered };
let answer: Answered;
let left: Record<string, number>;

beforeAll(async () => {
  await busyShop(shop);
  before = {
    rows: await rowsOf(shop, emptied),
    store: await shop.get("/v2/store"),
    keys: await shop.get("/v2/keys"),
  };
  answer = await shop.post("/v2/test/reset");
  left = await rowsOf(shop, stillEmpty);
});

test("the emptied tables are empty, except for the floor of the sequence", () => {
  expect([answer.status, answer.body]).toEqual([
    200,
    { reset_at: new Date(MORNING_MS).toISOString() },
  ]);
  expect(Object.values(before.rows).filter((rows) => rows > 0).length).toBeGreaterThan(15);
  expect(left).toEqual({
    ...Object.fromEntries(stillEmpty.map((table) => [table, 0])),
    counters: 1,
    shop_clock: 1,
  });
});

test("settings and keys stay", async () => {
  const keys = await shop.get("/v2/keys");

  expect((await shop.get("/v2/store")).text).toBe(before.store.text);
  expect(keys.list("/data")).toHaveLength(before.keys.list("/data").length);
});

test("the clock returns to real time", async () => {
  expect((await shop.get("/v2/test/clock")).body).toEqual({
    now: new Date(MORNING_MS).toISOString(),
    offset_seconds: 0,
  });
});

test("nothing is found any more, and everything can be created again", async () => {
  await using own = await openTestShop();
  await busyShop(own);

  await own.post("/v2/test/reset");

  expect((await own.get("/v2/products?q=coffee")).list("/data")).toEqual([]);
  expect((await own.get("/v2/events")).list("/data")).toEqual([]);
  const again = await own.post("/v2/test/seed", {}, { headers: { "Idempotency-Key": "seed" } });
  expect([again.status, again.headers.has("idempotent-replayed")]).toEqual([200, false]);
  expect((await own.get("/v2/products?q=coffee")).list("/data")).toHaveLength(1);
});

test("order numbers start again", async () => {
  await using own = await openTestShop();
  await own.post("/v2/orders", { line_items: [of(await mug(own))] });

  await own.post("/v2/test/reset");
  const order = await own.post("/v2/orders", { line_items: [of(await mug(own))] });

  expect(order.at("/number")).toBe(1001);
});

test("the sequence of events continues, also after restarts", async () => {
  using folder = openScratchFolder();
  const first: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    await using own = await openTestShop({ folder });
    await own.post("/v2/test/reset");
    await own.post("/v2/customers", { email: "ada@example.com" });
    await own.post("/v2/test/reset");
    await own.post("/v2/customers", { email: "ada@example.com" });
    first.push((await own.get("/v2/events")).number("/data/0/sequence"));
    await own.post("/v2/test/reset");
  }

  // The key that each restart makes is announced, too.
  expect(first).toEqual([2, 5, 8]);
});

test("the live shop is not touched", async () => {
  await using own = await openTestShop();
  const live = await own.createKey({ mode: "live" });
  const made = await own.post("/v2/customers", { email: "ada@example.com" }, { key: live });

  await own.post("/v2/test/reset");

  expect((await own.get(`/v2/customers/${made.id}`, { key: live })).status).toBe(200);
});
