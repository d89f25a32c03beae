// A reset empties the test shop and touches nothing else.

import { expect, test } from "bun:test";

import { engine } from "#platform/database/engine.ts";
import { setTimer } from "#platform/scheduler/timers.ts";
import { emptiedTables } from "#sandbox/reset-shop.ts";

import { of } from "../sales/orders/counter.ts";
import { rowsBehind, tablesBehind } from "../support/behind-the-shop.ts";
import { mug } from "../support/cast.ts";
import { openScratchFolder } from "../support/scratch.ts";
import { MORNING_MS, openTestShop, type TestShop } from "../support/shop.ts";

/** The shop, who may enter it and who serves it outlive everything that happened in it. */
const keptTables: readonly string[] = [
  "gateway_accounts",
  "message_hook",
  // People are in the live store alone.
  "known_devices",
  "people",
  "person_links",
  "person_passwords",
  "person_sessions",
  "sign_in_guesses",
  "migrations",
  "vault_marks",
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
/** Readers of the log may have written their rows again before the test reads them. */
const stillEmpty = emptied.filter((table) => table !== "log_cursors");

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
  await using shop = await openTestShop();

  const tables = await tablesBehind(shop.folder.path);

  expect([...emptied, ...keptTables].toSorted()).toEqual(tables.toSorted());
});

test("the emptied tables are empty, except for the floor of the sequence", async () => {
  await using shop = await openTestShop();
  await busyShop(shop);
  const before = await rowsOf(shop, emptied);

  const answer = await shop.post("/v2/test/reset");

  expect([answer.status, answer.body]).toEqual([
    200,
    { reset_at: new Date(MORNING_MS).toISOString() },
  ]);
  expect(Object.values(before).filter((rows) => rows > 0).length).toBeGreaterThan(15);
  expect(await rowsOf(shop, stillEmpty)).toEqual({
    ...Object.fromEntries(stillEmpty.map((table) => [table, 0])),
    counters: 1,
    shop_clock: 1,
  });
});

test("settings and keys stay", async () => {
  await using shop = await openTestShop();
  await busyShop(shop);
  const store = await shop.get("/v2/store");
  const keys = await shop.get("/v2/keys");

  await shop.post("/v2/test/reset");

  expect((await shop.get("/v2/store")).text).toBe(store.text);
  expect((await shop.get("/v2/keys")).list("/data")).toHaveLength(keys.list("/data").length);
});

test("the clock returns to real time", async () => {
  await using shop = await openTestShop();
  await busyShop(shop);

  await shop.post("/v2/test/reset");

  expect((await shop.get("/v2/test/clock")).body).toEqual({
    now: new Date(MORNING_MS).toISOString(),
    offset_seconds: 0,
  });
});

test("nothing is found any more, and everything can be created again", async () => {
  await using shop = await openTestShop();
  await busyShop(shop);

  await shop.post("/v2/test/reset");

  expect((await shop.get("/v2/products?q=coffee")).list("/data")).toEqual([]);
  expect((await shop.get("/v2/events")).list("/data")).toEqual([]);
  const again = await shop.post("/v2/test/seed", {}, { headers: { "Idempotency-Key": "seed" } });
  expect([again.status, again.headers.has("idempotent-replayed")]).toEqual([200, false]);
  expect((await shop.get("/v2/products?q=coffee")).list("/data")).toHaveLength(1);
});

test("order numbers start again", async () => {
  await using shop = await openTestShop();
  await busyShop(shop);

  await shop.post("/v2/test/reset");
  const order = await shop.post("/v2/orders", { line_items: [of(await mug(shop))] });

  expect(order.at("/number")).toBe(1001);
});

test("the sequence of events continues, also after restarts", async () => {
  using folder = openScratchFolder();
  const first: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    await using shop = await openTestShop({ folder });
    await shop.post("/v2/test/reset");
    await shop.post("/v2/customers", { email: "ada@example.com" });
    await shop.post("/v2/test/reset");
    await shop.post("/v2/customers", { email: "ada@example.com" });
    first.push((await shop.get("/v2/events")).number("/data/0/sequence"));
    await shop.post("/v2/test/reset");
  }

  // The key that each restart makes is announced, too.
  expect(first).toEqual([2, 5, 8]);
});

test("the live shop is not touched", async () => {
  await using shop = await openTestShop();
  const live = await shop.createKey({ mode: "live" });
  const made = await shop.post("/v2/customers", { email: "ada@example.com" }, { key: live });

  await shop.post("/v2/test/reset");

  expect((await shop.get(`/v2/customers/${made.id}`, { key: live })).status).toBe(200);
});
